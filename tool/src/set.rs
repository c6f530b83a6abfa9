//! `binfmt set`: other values for fields; the writer computes the rest.

mod bytes;
mod moved;
mod resize;
mod section;

use std::path::PathBuf;
use std::str::FromStr;

use binfmt_runtime::{NodeValue, Step};

use crate::args::ReadArgs;
use crate::diff;
use crate::driver::{Driver, Options, Part};
use crate::input::Input;
use crate::output::{Out, Outcome, Trouble};
use crate::pattern::{Pattern, Shown};
use crate::save::save_as;
use crate::snapshot::{Field, Snapshot};
use crate::toolbox::Toolbox;
use crate::verb::Verb;
use crate::{remake, validate};

use bytes::Wanted;
use resize::{Patch, patched};

/// Write a file with other values
///
/// Numbers, texts, bytes and named values are put in place of those that the file has, and then it is
/// written anew: lengths, counts, offsets and checksums follow. A value that the writer computes
/// cannot be set, and nothing is written that would have errors.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  binfmt set FILE version=2 -o OUT
  binfmt set FILE 'names[0].text=Ada' flags=0x11 -o OUT
  binfmt set FILE data=@new.bin -o OUT
  binfmt set FILE magic=0xcafebabe -o OUT

Exit codes:
  0  written
  1  the file is invalid, damaged or unrecognised, or cannot have such a value
  2  wrong usage, or a file that cannot be read or written")]
struct SetArgs {
    /// The file, or `-`
    file: PathBuf,
    /// What to set: a path as `inspect` shows it, and a value. Numbers may be hexadecimal, bytes are
    /// (`0x00ff`), `@NAME` is what a file holds
    #[arg(required = true, value_name = "PATH=VALUE")]
    changes: Vec<Assignment>,
    /// The file to write, or `-` for standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    read: ReadArgs,
}

/// A path and the value that it gets.
#[derive(Clone, Debug)]
struct Assignment {
    path: Pattern,
    value: String,
}

impl FromStr for Assignment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (path, value) = text.split_once('=').ok_or("write PATH=VALUE")?;
        let path: Pattern = path.parse()?;
        if path.is_wild() {
            return Err("a path that is set names one field; leave out the `*`".to_owned());
        }
        Ok(Self { path, value: value.to_owned() })
    }
}

pub(crate) fn verb() -> Verb {
    Verb::new("set", run)
}

fn run(args: &SetArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let input = Input::open(&args.file)?;
    let Some(driver) = toolbox.choose(&input, args.read.format.as_deref()) else {
        return Ok(validate::unrecognised(&input));
    };
    let options = Options::default();
    let wanted = args.changes.iter().map(|change| Ok((&change.path, read(&change.value)?)));
    let wanted: Vec<(&Pattern, Wanted)> = wanted.collect::<Result<_, Trouble>>()?;
    let made = remake::remake(&input, driver, &options, || set(&input, driver, &options, &wanted));
    match made {
        Ok(bytes) => {
            save_as(&args.output, &bytes, out)?;
            Ok(Outcome::Good)
        }
        Err(outcome) => Ok(outcome),
    }
}

/// What is to be set; `@NAME` is read.
fn read(value: &str) -> Result<Wanted, Trouble> {
    match value.strip_prefix('@') {
        Some(path) => Ok(Wanted::Bytes(Input::open(path.as_ref())?.to_vec())),
        None => Ok(Wanted::Text(value.to_owned())),
    }
}

/// The file with these values, as its writer writes it: values of another length one after the other,
/// as everything behind them moves; then all the others at once, which may depend on each other.
fn set(
    file: &[u8],
    driver: &dyn Driver,
    options: &Options,
    changes: &[(&Pattern, Wanted)],
) -> Result<Vec<u8>, String> {
    let mut copy = file.to_vec();
    let mut rest = Vec::new();
    for change in changes {
        match resized(&copy, driver, options, change)? {
            Some(written) => copy = written,
            None => rest.push(change),
        }
    }
    if !rest.is_empty() {
        copy = replaced(&copy, driver, options, &rest)?;
    }
    nothing_else(file, &copy, driver, options, changes)?;
    Ok(copy)
}

/// The file with other values of the same length.
fn replaced(
    file: &[u8],
    driver: &dyn Driver,
    options: &Options,
    changes: &[&(&Pattern, Wanted)],
) -> Result<Vec<u8>, String> {
    let mut copy = file.to_vec();
    for (path, wanted) in changes {
        let patches = candidates(&copy, driver, options, path, wanted)?.in_place;
        let files = patches.iter().filter_map(|patch| patched(&copy, patch).ok());
        let mut first = None;
        let alone = files.filter(|new| has(new, driver, options, path, wanted)).find(|new| {
            let alone = nothing_else(&copy, new, driver, options, &[(*path, wanted)]).is_ok();
            if !alone && first.is_none() {
                first = Some(new.clone());
            }
            alone
        });
        // What changes, too, is told when the file has been written.
        copy = alone.or(first).ok_or_else(|| format!("`{path}`: it cannot have this value"))?;
    }
    let written = driver.rewrite(&copy, options)?;
    match changes.iter().find(|(path, wanted)| !has(&written, driver, options, path, wanted)) {
        Some((path, _)) => Err(computed(path)),
        None => Ok(written),
    }
}

/// The file with a value of another length, written in the first way in which nothing else changes;
/// `None` if it has the same length.
fn resized(
    file: &[u8],
    driver: &dyn Driver,
    options: &Options,
    (path, wanted): &(&Pattern, Wanted),
) -> Result<Option<Vec<u8>>, String> {
    let candidates = candidates(file, driver, options, path, wanted)?;
    if !candidates.longer {
        return Ok(None);
    }
    let is_compact = driver.compacted(file, options).is_some_and(|compact| compact == file);
    let rewrite = |copy: &Vec<u8>| driver.rewrite(copy, options);
    // What lies behind all others leaves a hole, which only a file without holes may close.
    let compact = |copy: &Vec<u8>| match driver.compacted(copy, options) {
        Some(written) if is_compact => Ok(written),
        _ => rewrite(copy),
    };
    let mut why = None;
    let in_place = candidates.in_place.iter().map(|patch| (patch, false));
    let moved = candidates.moved.iter().map(|patch| (patch, true));
    for (patch, is_moved) in in_place.chain(moved) {
        let Ok(copy) = patched(file, patch) else { continue };
        if !has(&copy, driver, options, path, wanted) {
            continue;
        }
        let written = if is_moved { compact(&copy) } else { rewrite(&copy) };
        let checked = written.and_then(|written| {
            if !has(&written, driver, options, path, wanted) {
                return Err(computed(path));
            }
            nothing_else(file, &written, driver, options, &[(*path, wanted)])?;
            Ok(written)
        });
        match checked {
            Ok(written) => return Ok(Some(written)),
            Err(error) => why = why.or(Some(error)),
        }
    }
    let why = why.unwrap_or_else(|| {
        "it cannot have this value; a value of another length may have no room there".to_owned()
    });
    Err(format!("`{path}`: {why}"))
}

fn computed(path: &Pattern) -> String {
    format!("`{path}` is computed by the writer; set what it is computed from")
}

/// Whether a field has the value that was wanted.
fn has(
    file: &[u8],
    driver: &dyn Driver,
    options: &Options,
    path: &Pattern,
    wanted: &Wanted,
) -> bool {
    let read = value_at(file, driver, options, path);
    read.is_ok_and(|(value, stored)| bytes::is(value.as_ref(), &stored, wanted))
}

/// A value and the bytes it has in the file.
type Stored = (Option<NodeValue>, Vec<u8>);

fn value_at(
    file: &[u8],
    driver: &dyn Driver,
    options: &Options,
    path: &Pattern,
) -> Result<Stored, String> {
    find(file, driver, options, path, |chain, _| {
        let field = chain.last().copied().ok_or("there is no field")?;
        let bytes = bytes::of(file, field).unwrap_or_default().to_vec();
        Ok((field.value.clone(), bytes))
    })
}

/// Calls `then` with the field of that path behind all around it, and the part that it lies in.
fn find<T>(
    file: &[u8],
    driver: &dyn Driver,
    options: &Options,
    path: &Pattern,
    then: impl FnOnce(&[&Field], &Part) -> Result<T, String>,
) -> Result<T, String> {
    let parts = driver.parts(file, options);
    let mut parts = parts.iter().filter(|part| path.is_in(&part.name));
    let part = parts.next().ok_or_else(|| format!("there is no `{path}`"))?;
    if parts.next().is_some() {
        return Err(format!("`{path}` may lie in several parts of the file; write PART:{path}"));
    }
    let snapshot = Snapshot::of(file, part, driver, options);
    let mut chain = Vec::new();
    if !chain_to(&snapshot.root, path, &mut Vec::new(), &mut chain) {
        if path.to_string().contains("(decoded)") {
            return Err(format!("`{path}`: what is in coded bytes cannot be set"));
        }
        let more = if snapshot.left_out > 0 { " among the first fields" } else { "" };
        return Err(format!("no field has the path `{path}`{more}"));
    }
    then(&chain, part)
}

/// The fields from the root to that of a path.
fn chain_to<'s>(
    field: &'s Field,
    wanted: &Pattern,
    path: &mut Vec<Step>,
    chain: &mut Vec<&'s Field>,
) -> bool {
    chain.push(field);
    if wanted.is(path) {
        return true;
    }
    for inside in &field.inside {
        path.push(inside.step);
        if wanted.begins(path) && chain_to(inside, wanted, path, chain) {
            return true;
        }
        path.pop();
    }
    chain.pop();
    false
}

/// Other bytes for one field: the file of one of the patches is read as what was wanted.
struct Candidates {
    /// With the bytes where the field is, and what lies behind them moved.
    in_place: Vec<Patch>,
    /// With the bytes behind everything else.
    moved: Vec<Patch>,
    /// Whether the field gets another length.
    longer: bool,
}

fn candidates(
    file: &[u8],
    driver: &dyn Driver,
    options: &Options,
    path: &Pattern,
    wanted: &Wanted,
) -> Result<Candidates, String> {
    let why = |why: String| format!("`{path}`: {why}");
    find(file, driver, options, path, |chain, _| {
        let field = chain.last().copied().ok_or("there is no field")?;
        if field.is_derived {
            return Err(computed(path));
        }
        let old =
            bytes::of(file, field).ok_or_else(|| why("its bytes do not lie in the file".into()))?;
        let encodings = bytes::encodings(field, old, wanted).map_err(why)?;
        let longer = encodings.iter().any(|new| new.len() != old.len());
        let flat = |copies: Vec<Result<Vec<Patch>, String>>| {
            let good: Vec<_> = copies.iter().flatten().flatten().cloned().collect();
            match copies.into_iter().find_map(Result::err) {
                Some(error) if good.is_empty() => Err(why(error)),
                _ => Ok(good),
            }
        };
        let in_room = encodings.iter().map(|new| resize::in_room(file, field, new));
        let in_place = encodings.iter().map(|new| resize::replaced(file, chain, new));
        let shifted =
            encodings.iter().filter(|_| longer).map(|new| moved::shifted(file, chain, new));
        let in_place = in_room.chain(in_place).chain(shifted).collect();
        let moved = encodings.iter().filter(|_| longer).map(|new| moved::moved(file, chain, new));
        let moved = flat(moved.collect()).unwrap_or_default();
        let in_place = match flat(in_place) {
            Err(error) if moved.is_empty() => return Err(error),
            in_place => in_place.unwrap_or_default(),
        };
        Ok(Candidates { in_place, moved, longer })
    })
}

/// Whether nothing but what was set has changed, and what a writer computes: bytes that have moved
/// may be read as something else.
fn nothing_else(
    old: &[u8],
    new: &[u8],
    driver: &dyn Driver,
    options: &Options,
    changes: &[(&Pattern, impl Sized)],
) -> Result<(), String> {
    let (olds, news) = (driver.parts(old, options), driver.parts(new, options));
    if olds.len() != news.len() {
        return Err("the file would have other parts".to_owned());
    }
    for (before, after) in olds.iter().zip(&news) {
        let snapshots = [(old, before), (new, after)];
        let [from, to] = snapshots.map(|(file, part)| Snapshot::of(file, part, driver, options));
        let differences = diff::differences((old, new), (&from.root, &to.root));
        let is_set = |path: &Vec<Step>| changes.iter().any(|(set, _)| set.is(path));
        // The bytes of a section are mostly those of the values in it.
        let is_kept = |path: &Vec<Step>| {
            let before = section::others(old, &from.root, path);
            before.is_some() && before == section::others(new, &to.root, path)
        };
        let other = differences.into_iter().find(|path| !is_set(path) && !is_kept(path));
        if let Some(path) = other {
            return Err(format!("`{}` would change, too", Shown(&path)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
