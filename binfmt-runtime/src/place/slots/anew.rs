//! Values that are placed otherwise than they lay: they do not fit there, or would not stay there.

#[cfg(feature = "alloc")]
use super::again::Again;
use super::{Slot, SlotRegion};
use crate::finding::{Fault, Show};
use crate::writer::Writer;

/// Which values are placed anew: all of a section that keeps its length, where they do not fit as they lay, or those
/// in front of one that cannot move, where it has no place left; and where values lie that would not stay elsewhere.
///
/// It is small, so that a region whose values keep their places has it in registers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Anew {
    /// The first of the numbers by which the next pass knows: the next ones are those of values that do not stay.
    index: usize,
    /// Whether any value lies otherwise than it did.
    pub(super) is_any: bool,
    /// Whether nothing keeps where some of them do.
    #[cfg(feature = "alloc")]
    floats: bool,
}

/// What is learned where all values are placed anew; else it is more than the offset in front of which they are.
const ALL: u64 = 1;

impl Anew {
    /// What an earlier pass has found of so many values, of which some cannot move or float.
    #[inline(always)]
    pub(super) fn of<F>(
        out: &mut Writer<'_>,
        region: &SlotRegion<'_, F>,
        (count, has_fixed, has_floating): (usize, bool, bool),
    ) -> Result<Self, Fault> {
        // Without memory the few numbers are for those of variable length.
        if !cfg!(feature = "alloc") || region.fixed.is_none() && !has_fixed && !has_floating {
            return Ok(Self::default());
        }
        Self::found(out, if has_floating { count } else { 0 })
    }

    fn found(out: &mut Writer<'_>, floating: usize) -> Result<Self, Fault> {
        let count = floating.saturating_add(1);
        let index = out.guesses(count)?;
        let mut numbers = (0..count).map(|number| out.learned_number(index.wrapping_add(number)));
        let is_any = numbers.any(|number| number.is_some());
        Ok(Self {
            index,
            is_any,
            #[cfg(feature = "alloc")]
            floats: floating > 0,
        })
    }

    /// In front of which offset values are placed anew; 0 for none.
    fn before(self, out: &Writer<'_>) -> u64 {
        match out.learned_number(self.index) {
            Some(ALL) => u64::MAX,
            learned => learned.unwrap_or(0).saturating_sub(ALL),
        }
    }

    /// Where values lie that would not stay elsewhere, if nothing keeps where some of them do.
    #[cfg(feature = "alloc")]
    pub(super) fn again(self) -> Option<Again> {
        self.floats.then(|| Again::of(self.index.wrapping_add(1)))
    }

    /// What is stored of the places is what they are by what an earlier pass has found.
    pub(super) fn tell(self, out: &Writer<'_>, slots: &mut [Slot<'_>]) {
        let before = self.before(out);
        let placed_anew =
            |slot: &&mut Slot<'_>| !slot.fixed && slot.floor.is_none_or(|floor| floor < before);
        if before > 0 {
            slots.iter_mut().filter(placed_anew).for_each(|slot| slot.floor = None);
        }
        #[cfg(feature = "alloc")]
        if let Some(again) = self.again() {
            again.recall(out, slots);
        }
    }

    /// The values go on behind the end: the next pass places them anew, if that has not been done.
    #[cold]
    pub(super) fn insist<F>(
        self,
        out: &mut Writer<'_>,
        region: &SlotRegion<'_, F>,
        (begin, end): (u64, u64),
    ) -> Result<(), Fault> {
        let may = self.before(out) < u64::MAX && !out.is_compact() && cfg!(feature = "alloc");
        if may && out.learn_otherwise(self.index, ALL) {
            return Ok(());
        }
        let needed = end.saturating_sub(begin);
        no_room(out, begin, (region.fixed.unwrap_or_default(), needed))
    }

    /// A value that cannot move has no place left: the next pass places anew what is stored in front of it.
    pub(super) fn make_room(self, out: &mut Writer<'_>, slots: &[Slot<'_>]) {
        let crowded = slots.iter().filter(|slot| slot.present && slot.fixed);
        let crowded = crowded.filter_map(|slot| slot.floor.filter(|floor| *floor != slot.at));
        if let Some(before) = crowded.max().and_then(|last| last.checked_add(ALL))
            && cfg!(feature = "alloc")
            && before > self.before(out)
        {
            out.learn_otherwise(self.index, before.saturating_add(ALL));
        }
    }
}

/// The values of a section need more bytes than it has, unless they lie elsewhere once numbers are known.
#[cold]
pub(super) fn no_room(
    out: &mut Writer<'_>,
    at: u64,
    (len, needed): (u64, u64),
) -> Result<(), Fault> {
    if out.learns() {
        return Ok(());
    }
    let what = format_args!("the values do not fit into their section, which keeps its length");
    Err(out.fail_at(at, "space", what, Show::Uint(len), Show::Uint(needed)))
}
