//! Models inside other files, such as firmware, for `scan`.

use binfmt_tool::driver::{Container, Driver, Entry, Options};
use binfmt_tool::json::wide;

/// How far a model seems to reach.
pub(super) struct Extent {
    /// Where it ends, counted from its start.
    pub(super) end: u64,
    /// How many bytes its tables have, all of which may have to be looked at.
    pub(super) tables: usize,
}

/// The model that starts at `at`, if `extent` says how far it reaches and `is_valid` takes what lies
/// there; else what looking at it has cost.
pub(super) fn prove(
    driver: &dyn Driver,
    (file, at): (&[u8], usize),
    options: &Options,
    extent: impl FnOnce(&[u8]) -> Option<Extent>,
    is_valid: impl FnOnce(&[u8]) -> bool,
) -> Result<Container, u64> {
    let rest = file.get(at..).ok_or(1_u64)?;
    let Extent { end, tables } = extent(rest).ok_or(1_u64)?;
    let model = usize::try_from(end).ok().and_then(|end| rest.get(..end));
    let model = model.filter(|model| is_valid(model));
    let model = model.ok_or_else(|| wide(tables / 16).saturating_add(1))?;
    // What else a listing has lies in segments.
    let items = driver.list(model, "", options).into_iter();
    let items = items.filter(|item| matches!(item.kind.as_str(), "segment" | "constant"));
    let entries = items.map(|item| Entry {
        kind: item.kind,
        arch: String::new(),
        offset: wide(at).saturating_add(item.offset),
        stored: item.stored_size,
        decoded: Some(item.stored_size),
    });
    let end = at.saturating_add(model.len());
    Ok(Container { range: at..end, entries: entries.collect() })
}
