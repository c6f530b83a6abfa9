//! A region with its located values: they are written where they are placed, and between them what a section
//! keeps, or fill.

#[cfg(feature = "alloc")]
use super::again::Bounds;
use super::anew::Anew;
use super::{Slot, State, arrange, next, rest};
use crate::finding::{Fault, Show};
use crate::ops::wide;
use crate::write::{Sizes, padded};
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
    /// The length of a section that has it, whatever lies in it.
    pub fixed: Option<u64>,
}

impl<F> SlotRegion<'_, F> {
    /// Where a section ends at least that begins there.
    pub(super) fn least_end(&self, begin: u64) -> u64 {
        begin.saturating_add(wide(self.kept.unwrap_or_default().len()))
    }

    /// Whether a section is too long that keeps its length.
    #[inline(always)]
    pub(super) fn overflows(&self, begin: u64, end: u64) -> bool {
        self.fixed.is_some_and(|len| end.saturating_sub(begin) > len)
    }
}

pub(in crate::place) type One<'o> = dyn FnMut(&mut Writer<'_>, usize) -> Result<u64, Fault> + 'o;

/// Writes located values however they lie. Some may have been placed already.
pub fn write_all(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    slot_region: SlotRegion<'_, impl Pattern>,
    begin: u64,
    one: &mut One<'_>,
) -> Result<u64, Fault> {
    let kinds = slots
        .iter()
        .fold((false, false), |(fixed, floats), slot| (fixed || slot.fixed, floats || slot.floats));
    let anew = Anew::of(out, &slot_region, (slots.len(), kinds.0, kinds.1))?;
    out.enter_located(slots.len());
    let end = write_counted(out, slots, slot_region, (begin, anew), one);
    out.leave_located();
    end
}

/// The same, perhaps anew, with the numbers of each value told from those of others.
pub(super) fn write_counted(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    slot_region: SlotRegion<'_, impl Pattern>,
    start: (u64, Anew),
    one: &mut One<'_>,
) -> Result<u64, Fault> {
    let numbering = out.begin_located(slots.len())?;
    let mut one = |out: &mut Writer<'_>, id: usize| out.located(numbering, id, |out| one(out, id));
    let end = write_as(out, slots, slot_region, start, &mut one);
    out.end_located(numbering);
    end
}

/// Where a value ends that lies where another one has been written.
#[cfg(feature = "alloc")]
fn twin_end(out: &mut Writer<'_>, slot: &mut Slot<'_>, one: &mut One<'_>) -> Result<u64, Fault> {
    crate::place::twins::look_at(out, slot, one)
}

/// Without memory nobody looks at it: it takes as much as that one.
#[cfg(not(feature = "alloc"))]
fn twin_end(out: &mut Writer<'_>, _: &mut Slot<'_>, _: &mut One<'_>) -> Result<u64, Fault> {
    Ok(out.pos())
}

#[inline(never)]
fn write_as(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    slot_region: SlotRegion<'_, impl Pattern>,
    (begin, anew): (u64, Anew),
    one: &mut One<'_>,
) -> Result<u64, Fault> {
    let kept = slot_region.kept.unwrap_or_default();
    if anew.is_any {
        anew.tell(out, slots);
    }
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
    #[cfg(feature = "alloc")]
    let again = anew.again().map(|again| (again, slots.to_vec()));
    let place = (begin, slot_region.start, slot_region.kept.is_some());
    let end = arrange(slots, out.pos(), place, &mut |slot, at| {
        if slot.is_twin() {
            return twin_end(out, slot, one).map(Some);
        }
        if let Some(at) = at {
            background(out, kept, begin, at, slot_region.fill)?;
        }
        slot.size = one(out, slot.id)?;
        slot.whole = at.map_or(0, |at| out.pos().saturating_sub(at));
        Ok(Some(out.pos()))
    })?;
    let Some(end) = end else { return Err(nowhere(out, slots)) };
    #[cfg(feature = "alloc")]
    crate::place::twins::pay(out, slots);
    let least_end = slot_region.least_end(begin);
    let Some(end) = next::region_end(slots, end, least_end) else {
        return Err(nowhere(out, slots));
    };
    if slot_region.overflows(begin, end) {
        anew.insist(out, &slot_region, (begin, end))?;
    }
    background(out, kept, begin, end, slot_region.fill)?;
    rest::insist(out, slots, end, slot_region.kept.is_some())?;
    if slots.iter().any(|slot| slot.fixed) {
        anew.make_room(out, slots);
    }
    #[cfg(feature = "alloc")]
    if let Some((again, before)) = again {
        let (start, section) = (slot_region.start, slot_region.kept.is_some());
        again.insist(out, (&before, slots), (Bounds { begin, start, section }, end))?;
    }
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
    out.fail("until_next", what, Show::Nothing, Show::Nothing)
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

/// Fills a section from behind its values up to a length that its number can tell, if they have made it longer
/// than the value holds it.
pub fn fill_up(
    out: &mut Writer<'_>,
    (begin, held): (u64, usize),
    sizes: Sizes,
    fill: impl Pattern,
) -> Result<(), Fault> {
    let len = out.pos().saturating_sub(begin);
    if len <= wide(held) && !out.is_compact() {
        return Ok(());
    }
    out.fill(fill, padded(len, 1, None, sizes).saturating_sub(len))
}

/// The bytes of a section are compared with those that the value holds, if an expression around the value
/// uses them.
pub fn as_held(
    out: &mut Writer<'_>,
    (field, from, to): (&'static str, u64, u64),
    held: &[u8],
) -> Result<(), Fault> {
    if !out.is_using() {
        return Ok(());
    }
    let same = to.saturating_sub(from) == wide(held.len());
    let same = same && out.written(from, held.len()).is_none_or(|written| written == held);
    out.computed_as(&[field], from, same)
}
