//! Values that are placed anew, for they do not fit as they lay.

use super::{Slot, SlotRegion};
use crate::finding::{Fault, Show};
use crate::writer::Writer;

/// Which values are placed anew: all of a section that keeps its length, where they do not fit as they lay, or those
/// in front of one that cannot move, where it has no place left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Anew {
    /// The number by which the next pass knows.
    index: usize,
    /// Those that are stored in front of that; 0 for none.
    before: u64,
}

/// What is learned where all values are placed anew; else it is more than the offset in front of which they are.
const ALL: u64 = 1;

impl Anew {
    /// What an earlier pass has found.
    #[inline(always)]
    pub(super) fn of<F>(
        out: &mut Writer<'_>,
        region: &SlotRegion<'_, F>,
        has_fixed: bool,
    ) -> Result<Self, Fault> {
        // Without memory the few numbers are for those of variable length.
        if region.fixed.is_none() && !has_fixed || !cfg!(feature = "alloc") {
            return Ok(Self { index: 0, before: 0 });
        }
        let index = out.guesses(1)?;
        let before = match out.learned_number(index) {
            Some(ALL) => u64::MAX,
            learned => learned.unwrap_or(0).saturating_sub(ALL),
        };
        Ok(Self { index, before })
    }

    /// Whether any value is placed anew.
    #[inline(always)]
    pub(super) fn is_any(self) -> bool {
        self.before > 0
    }

    /// Whether this one is.
    pub(super) fn has(self, slot: &Slot<'_>) -> bool {
        !slot.fixed && slot.floor.is_none_or(|floor| floor < self.before)
    }

    /// The values go on behind the end: the next pass places them anew, if that has not been done.
    #[cold]
    pub(super) fn insist<F>(
        self,
        out: &mut Writer<'_>,
        region: &SlotRegion<'_, F>,
        (begin, end): (u64, u64),
    ) -> Result<(), Fault> {
        let may = self.before < u64::MAX && !out.is_compact() && cfg!(feature = "alloc");
        if may && out.learn_otherwise(self.index, ALL) {
            return Ok(());
        }
        let needed = end.saturating_sub(begin);
        Err(no_room(out, begin, (region.fixed.unwrap_or_default(), needed)))
    }

    /// A value that cannot move has no place left: the next pass places anew what is stored in front of it.
    pub(super) fn make_room(self, out: &mut Writer<'_>, slots: &[Slot<'_>]) {
        let crowded = slots.iter().filter(|slot| slot.present && slot.fixed);
        let crowded = crowded.filter_map(|slot| slot.floor.filter(|floor| *floor != slot.at));
        if let Some(before) = crowded.max().and_then(|last| last.checked_add(ALL))
            && before > self.before
            && cfg!(feature = "alloc")
        {
            out.learn_otherwise(self.index, before.saturating_add(ALL));
        }
    }
}

/// The values of a section need more bytes than it has.
#[cold]
pub(super) fn no_room(out: &mut Writer<'_>, at: u64, (len, needed): (u64, u64)) -> Fault {
    let what = format_args!("the values do not fit into their section, which keeps its length");
    out.fail_at(at, "space", what, Show::Uint(len), Show::Uint(needed))
}
