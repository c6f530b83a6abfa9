//! Single located fields, which mostly lie in the order in which they are declared.
//!
//! Each is then written where it stands in the code, and what is known of it stays in registers: a list
//! in memory is made of the slots only where one of them does not keep its place.

use super::anew::Anew;
use super::region::write_counted;
use super::{One, Slot, SlotRegion, State, background};
use crate::finding::Fault;
use crate::writer::{Pattern, Writer};

/// Where a located field has been placed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Placed {
    /// Its offset.
    pub at: u64,
}

impl Placed {
    /// The place as an offset from `base`.
    #[inline(always)]
    pub fn offset_from(&self, base: u64) -> Option<u64> {
        self.at.checked_sub(base)
    }
}

/// Writes the value of a slot by its number, and says how long it is.
pub trait Each: FnMut(&mut Writer<'_>, usize) -> Result<u64, Fault> {}

impl<F: FnMut(&mut Writer<'_>, usize) -> Result<u64, Fault>> Each for F {}

/// Slots one behind the other: `(first, (second, ()))`. They are never changed, for a changed copy
/// would lie in memory.
pub trait Chain<'v> {
    /// Whether stored offsets grow from `last` on, what has none comes last, and no value takes another one along.
    fn is_ordered(&self, last: u64) -> bool;

    /// Whether any value is there.
    fn is_any(&self) -> bool;

    /// Whether any is there whose offset is stored.
    fn is_any_stored(&self) -> bool;

    /// Whether any value cannot move.
    fn has_fixed(&self) -> bool;

    /// Whether nothing stores where any value lies.
    fn has_floating(&self) -> bool;

    /// Whether the last value that is there takes all that is left of its region.
    fn takes_rest(&self) -> bool;

    /// Writes values as long as each keeps its place or follows the one before; `next` is the number
    /// of the first of these slots, and then that of the first one that is left.
    fn write(
        &self,
        out: &mut Writer<'_>,
        region: (&SlotRegion<'_, impl Pattern>, u64),
        next: &mut usize,
        places: &mut [Placed],
        one: &mut impl Each,
    ) -> Result<(), Fault>;

    /// Puts the slots into a list.
    fn list(&self, into: &mut [Slot<'v>]);
}

impl<'v> Chain<'v> for () {
    #[inline(always)]
    fn is_ordered(&self, _: u64) -> bool {
        true
    }

    #[inline(always)]
    fn is_any(&self) -> bool {
        false
    }

    #[inline(always)]
    fn is_any_stored(&self) -> bool {
        false
    }

    #[inline(always)]
    fn has_fixed(&self) -> bool {
        false
    }

    #[inline(always)]
    fn has_floating(&self) -> bool {
        false
    }

    #[inline(always)]
    fn takes_rest(&self) -> bool {
        false
    }

    #[inline(always)]
    fn write(
        &self,
        _: &mut Writer<'_>,
        _: (&SlotRegion<'_, impl Pattern>, u64),
        _: &mut usize,
        _: &mut [Placed],
        _: &mut impl Each,
    ) -> Result<(), Fault> {
        Ok(())
    }

    #[inline(always)]
    fn list(&self, _: &mut [Slot<'v>]) {}
}

impl<'v, R: Chain<'v>> Chain<'v> for (Slot<'v>, R) {
    #[inline(always)]
    fn is_ordered(&self, last: u64) -> bool {
        let floor = if self.0.present { self.0.floor.unwrap_or(u64::MAX) } else { last };
        let comes_last = self.0.is_last() || self.0.floats && self.1.is_any_stored();
        let ends = self.0.present && comes_last && self.1.is_any();
        let waits = self.0.takes_along() || self.0.comes_to_leader();
        last <= floor && !ends && !waits && self.1.is_ordered(floor)
    }

    #[inline(always)]
    fn is_any(&self) -> bool {
        self.0.present || self.1.is_any()
    }

    #[inline(always)]
    fn is_any_stored(&self) -> bool {
        !self.0.floats && self.0.present || self.1.is_any_stored()
    }

    #[inline(always)]
    fn has_fixed(&self) -> bool {
        self.0.fixed || self.1.has_fixed()
    }

    #[inline(always)]
    fn has_floating(&self) -> bool {
        self.0.floats || self.1.has_floating()
    }

    #[inline(always)]
    fn takes_rest(&self) -> bool {
        if self.1.is_any() { self.1.takes_rest() } else { self.0.present && self.0.rest.is_some() }
    }

    #[inline(always)]
    fn write(
        &self,
        out: &mut Writer<'_>,
        (region, begin): (&SlotRegion<'_, impl Pattern>, u64),
        next: &mut usize,
        places: &mut [Placed],
        one: &mut impl Each,
    ) -> Result<(), Fault> {
        let [place, places @ ..] = places else { return Ok(()) };
        if self.0.present {
            let Some(at) = self.0.in_turn(out.pos(), region.start) else { return Ok(()) };
            background(out, region.kept.unwrap_or_default(), begin, at, region.fill)?;
            one(out, *next)?;
            place.at = at;
        }
        *next = next.wrapping_add(1);
        self.1.write(out, (region, begin), next, places, one)
    }

    #[inline(always)]
    fn list(&self, into: &mut [Slot<'v>]) {
        if let [first, rest @ ..] = into {
            *first = self.0;
            self.1.list(rest);
        }
    }
}

/// Writes `N` located values, each by `one`; returns their places.
#[inline(always)]
pub fn write<'v, const N: usize, C: Chain<'v>, F: Pattern>(
    out: &mut Writer<'_>,
    slots: &C,
    region: SlotRegion<'_, F>,
    one: impl Each,
) -> Result<[Placed; N], Fault> {
    out.enter_located(N);
    let places = write_in_turn(out, slots, region, one);
    out.leave_located();
    places
}

#[inline(always)]
fn write_in_turn<'v, const N: usize, C: Chain<'v>, F: Pattern>(
    out: &mut Writer<'_>,
    slots: &C,
    region: SlotRegion<'_, F>,
    mut one: impl Each,
) -> Result<[Placed; N], Fault> {
    let kinds = (N, slots.has_fixed(), slots.has_floating());
    let (begin, anew) = (out.pos(), Anew::of(out, &region, kinds)?);
    let (mut places, mut next) = ([Placed::default(); N], 0);
    // One alone, too: whether it is in turn follows from where it is written, and its numbers must not.
    let by_values = out.counts_by_values();
    // Drafts are compared whatever the order of the values.
    let apart = by_values || out.is_located() && out.is_draft();
    if !out.is_probe() && !anew.is_any && !apart && slots.is_ordered(0) {
        let numbers = out.numbers();
        let written = slots.write(out, (&region, begin), &mut next, &mut places, &mut one);
        if N > 1 {
            out.counted_by_places(numbers);
        }
        written?;
    }
    if next < N {
        let mut list = [Slot::default(); N];
        slots.list(&mut list);
        let mut end = out.pos();
        let done = list.iter_mut().zip(places).take(next).rev();
        for (slot, place) in done.filter(|(slot, _)| slot.present) {
            (slot.at, slot.state) = (place.at, State::Placed);
            slot.size = end.saturating_sub(place.at);
            end = place.at;
        }
        return write_rest(out, &mut list, region, (begin, anew), &mut one);
    }
    if region.overflows(begin, out.pos()) {
        let end = out.pos();
        anew.insist(out, &region, (begin, end))?;
    }
    // Nothing follows what takes all that is left.
    let least_end = if slots.takes_rest() { begin } else { region.least_end(begin) };
    let end = out.pos().max(least_end);
    background(out, region.kept.unwrap_or_default(), begin, end, region.fill)?;
    Ok(places)
}

/// The same where some have been written, and not all are in their turn.
#[cold]
#[inline(never)]
fn write_rest<const N: usize>(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>; N],
    region: SlotRegion<'_, impl Pattern>,
    (begin, anew): (u64, Anew),
    one: &mut One<'_>,
) -> Result<[Placed; N], Fault> {
    write_counted(out, slots, region, (begin, anew), one)?;
    Ok(slots.map(|slot| Placed { at: slot.at }))
}
