//! A region with its located values: they are written where they are placed, and between them what a section
//! keeps, or fill.

use super::{Slot, State, arrange, next, rest};
use crate::finding::Fault;
use crate::ops::wide;
use crate::writer::{Pattern, Writer};

/// What located values lie in: a section, or what follows the sequence.
#[derive(Clone, Copy, Debug)]
pub struct SlotRegion<'k, F = u8> {
    /// The start of the value around them, from which alignments count.
    pub start: u64,
    /// The bytes of the section.
    pub kept: Option<&'k [u8]>,
    /// What lies between values where nothing is kept.
    pub fill: F,
}

pub(in crate::place) type One<'o> = dyn FnMut(&mut Writer<'_>, usize) -> Result<u64, Fault> + 'o;

/// Writes located values however they lie. Some may have been placed already.
#[inline(never)]
pub fn write_all(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    slot_region: SlotRegion<'_, impl Pattern>,
    begin: u64,
    one: &mut One<'_>,
) -> Result<u64, Fault> {
    let kept = slot_region.kept.unwrap_or_default();
    if out.is_probe() {
        for (id, _) in slots.iter().enumerate().filter(|(_, slot)| slot.present) {
            one(out, id)?;
        }
        return out.put(kept).map(|()| begin);
    }
    for (id, slot) in slots.iter_mut().enumerate().filter(|(_, slot)| slot.present) {
        if slot.empty.is_none() && slot.state != State::Placed {
            slot.empty = Some(out.is_empty(&mut |out| one(out, id).map(drop)));
        }
    }
    #[cfg(feature = "alloc")]
    crate::place::twins::find(out, slots, one);
    let place = (begin, slot_region.start, slot_region.kept.is_some());
    let end = arrange(slots, out.pos(), place, &mut |slot, at| {
        if let Some(at) = at {
            background(out, kept, begin, at, slot_region.fill)?;
        }
        slot.size = one(out, slot.id)?;
        Ok(Some(out.pos()))
    })?;
    let Some(end) = end else { return Err(nowhere(out, slots)) };
    #[cfg(feature = "alloc")]
    let end = end.max(crate::place::twins::look_at(out, slots, one)?);
    let kept_end = begin.saturating_add(wide(kept.len()));
    let Some(end) = next::region_end(slots, end, kept_end) else { return Err(nowhere(out, slots)) };
    background(out, kept, begin, end, slot_region.fill)?;
    rest::insist(out, slots, end, slot_region.kept.is_some())?;
    Ok(end)
}

/// Whether the last value, or one without bytes at the end, goes up to the next one: what followed would
/// be read as a part of it.
pub fn ends_with_last(slots: &[Slot<'_>], end: u64) -> bool {
    next::is_last(slots, end)
}

/// There is no place that an offset can tell.
#[cold]
pub(super) fn nowhere(out: &mut Writer<'_>, slots: &[Slot<'_>]) -> Fault {
    if !slots.iter().any(|slot| slot.ends_at_next) {
        return out.overflow("at");
    }
    let what = format_args!(
        "a value goes up to the next one, and no offset tells of a place right behind it"
    );
    out.fail("until_next", what, crate::Show::Nothing, crate::Show::Nothing)
}

/// Writes what lies between located values: the section's own bytes where it has some, else fill.
#[inline(always)]
pub(super) fn background(
    out: &mut Writer<'_>,
    section: &[u8],
    begin: u64,
    to: u64,
    fill: impl Pattern,
) -> Result<(), Fault> {
    if out.pos() == to { Ok(()) } else { between(out, section, begin, to, fill) }
}

#[inline(never)]
fn between(
    out: &mut Writer<'_>,
    section: &[u8],
    begin: u64,
    to: u64,
    fill: impl Pattern,
) -> Result<(), Fault> {
    let from = usize::try_from(out.pos().saturating_sub(begin)).unwrap_or(usize::MAX);
    let until = usize::try_from(to.saturating_sub(begin)).unwrap_or(usize::MAX);
    // Of a section that cannot be shorter the length alone is kept by who leaves out what no field has.
    let kept = section.get(from..until.min(section.len())).filter(|_| !out.is_compact());
    out.put(kept.unwrap_or_default())?;
    let more = to.saturating_sub(out.pos());
    out.fill(fill, more)
}
