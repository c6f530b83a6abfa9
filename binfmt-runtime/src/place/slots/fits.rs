//! Where a value may lie, and in which order values are placed.

use core::cmp::Reverse;

use super::{Order, Slot, State, Twins};
use crate::ops::{align_up, wide};

/// Offsets that are multiples of more are not looked for further than so many times.
const MAX_UNIT: u64 = 1 << 12;

impl<'v> Slot<'v> {
    /// The place as an offset from `base`.
    #[inline(always)]
    pub fn offset_from(&self, base: u64) -> Option<u64> {
        self.at.checked_sub(base)
    }

    /// Whether the value lies behind all others: its place counts from the end, or it takes all that is left.
    #[inline(always)]
    pub(super) fn is_last(&self) -> bool {
        let takes_all = self.rest.is_some_and(|(_, least)| least <= 1);
        self.last || takes_all && self.shared.is_none() && !self.encoded
    }

    /// The stored offset, for the order of the values; where others have lost theirs, those that never had one come
    /// behind them, as when they are read again.
    #[inline(always)]
    pub(super) fn rank(&self) -> u64 {
        self.floor.unwrap_or(if self.floats { u64::MAX } else { u64::MAX - 1 })
    }

    /// What comes first is placed first; of those that share a place, the one with most padding behind it.
    pub(super) fn stored_order(&self) -> Order {
        // A class has the number of its first value, and 1: see `arrange::number_classes`.
        let (first, size) = match self.class {
            0 => (self.id.saturating_add(1), 0),
            class => (class, self.size),
        };
        let order = (first, Reverse(size), self.id);
        let must = self.apart.found().is_some();
        (self.is_last(), self.rank(), !must, order)
    }

    /// Whether the value may lie where an equal one does.
    #[cfg(feature = "alloc")]
    pub(in crate::place) fn shares(&self) -> bool {
        self.shared.is_some() || self.encoded
    }

    /// What two values have in common that share a place, if they may. A new place suits all of them whichever is
    /// placed first.
    pub(super) fn twins(&self) -> Option<Twins<'v>> {
        let shares = self.shared.is_some() || self.class > 0;
        let align = if self.floor.is_none() { self.align } else { 0 };
        shares.then_some((self.floor, self.shared, self.class, align))
    }

    /// The place of a value that keeps its own or follows the one before, if that is plain to see.
    #[inline(always)]
    pub(super) fn in_turn(&self, pos: u64, start: u64) -> Option<u64> {
        let found = self.apart.found().is_some() || self.from_leader && self.floor.is_none();
        if self.empty != Some(false) || self.shared.is_some() || self.encoded || found {
            return None;
        }
        match self.floor {
            Some(floor) => self.keeps(floor, pos).then_some(floor),
            None => self.behind(pos, start),
        }
    }

    /// Whether the value can lie at its stored offset.
    #[inline(always)]
    pub(super) fn keeps(&self, floor: u64, end: u64) -> bool {
        // A number below the least one tells of no place.
        floor >= end && floor >= self.least && self.null != Some(floor)
    }

    /// Whether a number tells of a place, whatever it means there.
    pub fn tells_of(&self, at: u64) -> bool {
        at >= self.least && self.skips(at) == 0
    }

    /// Whether an offset can tell of a place for the value.
    pub(super) fn can_lie_at(&self, at: u64) -> bool {
        self.null != Some(at) && self.tells_of(at)
    }

    /// Whether the value may lie where an equal one does: an offset tells of that place, and a new one is aligned.
    pub(super) fn can_share(&self, at: u64, start: u64) -> bool {
        let aligned =
            || at.checked_sub(start).is_some_and(|at| align_up(at, self.align) == Some(at));
        self.can_lie_at(at) && (self.floor == Some(at) || aligned())
    }

    /// Whether a number that counts from a leader still tells of a stored place, now that the leader has its own.
    pub(super) fn is_told(&self, floor: u64) -> bool {
        self.leader == 0 || self.skips(floor) == 0
    }

    /// The first place from `at` on that a number tells: one that was found before may be none any more.
    #[cfg(feature = "alloc")]
    pub(super) fn nearest(&self, at: u64) -> u64 {
        let at = at.max(self.least);
        let at = at.saturating_add(self.skips(at));
        if self.null == Some(at) { at.saturating_add(self.unit.0.max(1)) } else { at }
    }

    /// Whether the value is there and has bytes.
    pub(in crate::place) fn is_written(&self) -> bool {
        self.present && self.has_bytes()
    }

    /// Whether the value comes right behind the one before, which ends at `end`: because that goes up to the next
    /// one, or because this one does and has lost its place to what is in front of it. The order of such values
    /// tells how long they are; one that has never had a place comes last.
    pub(super) fn comes_next(&self, follows: bool, end: u64) -> bool {
        let lost = |floor: u64| self.ends_at_next && self.least < floor && floor < end;
        self.floor.is_some_and(|floor| follows || lost(floor)) && self.can_lie_at(end)
    }

    /// Whether the value is to be written, and has no place yet.
    pub(super) fn is_waiting(&self) -> bool {
        self.is_written() && self.state == State::Waiting
    }

    /// Whether the value has got its place, its own or that of another one.
    pub(super) fn has_place(&self) -> bool {
        matches!(self.state, State::Placed | State::Twin)
    }

    /// Whether the value has bytes and a place of its own.
    pub(super) fn is_placed(&self) -> bool {
        self.is_written() && self.state == State::Placed
    }

    /// Whether the value lies where another one has been written.
    pub(in crate::place) fn is_twin(&self) -> bool {
        self.state == State::Twin
    }

    /// Whether a value without bytes is stored in front of the section around it, where no reader minds it.
    #[cfg(feature = "alloc")]
    pub(super) fn lies_in_front_of(&self, section: u64) -> bool {
        let keeps = |floor: u64| floor < section && floor >= self.least && self.keeps(floor, 0);
        let is_empty = self.present && !self.has_bytes() && self.rest.is_none();
        is_empty && self.floor.is_some_and(keeps)
    }

    pub(super) fn has_bytes(&self) -> bool {
        self.empty != Some(true)
    }

    /// Size in bytes with all that belongs to the value, as far as it is known.
    pub(super) fn whole(&self) -> u64 {
        self.size.max(self.whole)
    }

    /// Whether the placed value ends at `end`, or behind.
    pub(super) fn ends(&self, end: u64) -> bool {
        self.at.saturating_add(self.whole()) >= end
    }

    /// The value lies where another one does that has its bytes.
    pub(super) fn lies_with(&mut self, at: u64) {
        (self.at, self.state) = (at, State::Twin);
    }

    /// Whether the placed value takes all that is left of its region, and ends at `end`.
    pub(super) fn takes_rest_to(&self, end: u64) -> bool {
        self.is_written() && self.rest.is_some() && self.ends(end)
    }

    /// Whether the value has no bytes and would take what is left of its region.
    pub(super) fn is_empty_rest(&self) -> bool {
        self.rest.is_some() && !self.has_bytes()
    }

    /// Places a value without bytes: nothing is written, so its own offset will do, if it is not below
    /// `least`, or else the first one behind `end`.
    pub(super) fn without_bytes(&mut self, least: u64, end: u64) -> u64 {
        let mut behind = end.max(self.least);
        behind = behind.saturating_add(self.skips(behind));
        if self.null == Some(behind) {
            behind = behind.saturating_add(self.unit.0.max(1));
        }
        let keeps = |floor: &u64| self.keeps(*floor, least) && self.is_told(*floor);
        self.at = self.floor.filter(keeps).unwrap_or(behind);
        self.at
    }

    /// Where the padded value ends if it begins at `at`.
    pub(in crate::place) fn end(&self, at: u64, start: u64) -> Option<u64> {
        let len = at.checked_add(self.size)?.checked_sub(start)?;
        align_up(len, self.pad)?.checked_add(start)
    }

    /// The place of a value behind all that keep theirs; `led` is the one that its leader tells.
    pub(super) fn behind_others(&self, end: u64, start: u64, led: Option<u64>) -> Option<u64> {
        let led_free = self.leader().is_some() && self.apart.is_free();
        let keeps = |floor: &u64| {
            let told = self.is_last() || led_free && self.is_told(*floor);
            told && self.keeps(*floor, end)
        };
        let kept = self.floor.filter(keeps).or(led);
        kept.or_else(|| self.behind(end, start))
    }

    /// The first place for the value that is not before `end`.
    #[inline(always)]
    pub(super) fn behind(&self, end: u64, start: u64) -> Option<u64> {
        let from = end.max(self.least).saturating_sub(start);
        let at = align_up(from, self.align)?.checked_add(start)?;
        if self.null == Some(at) || self.skips(at) > 0 {
            // A copy, for what a reference leads to lies in memory.
            return Self::elsewhere(*self, at, start);
        }
        Some(at)
    }

    /// The first place behind `at`, which is none.
    #[cold]
    #[inline(never)]
    pub(super) fn elsewhere(slot: Self, at: u64, start: u64) -> Option<u64> {
        slot.further(at, start).or_else(|| slot.unaligned(at))
    }

    /// Where a writer would place the value behind `end`.
    pub(in crate::place) fn would_follow(&self, end: usize, start: usize) -> Option<u64> {
        self.behind(wide(end), wide(start))
    }

    /// The first place behind `at` that a number stands for, where no aligned one is: no reader looks at
    /// alignments.
    pub(super) fn unaligned(&self, at: u64) -> Option<u64> {
        let at = at.checked_add(self.skips(at))?;
        if self.null == Some(at) { at.checked_add(self.unit.0.max(1)) } else { Some(at) }
    }

    /// The first aligned place for the value behind `at`.
    pub(super) fn further(&self, mut at: u64, start: u64) -> Option<u64> {
        // Both multiples meet within so many steps, or never.
        for _ in 0..=self.unit.0.min(MAX_UNIT) {
            let next = at.checked_add(self.skips(at).max(1))?.saturating_sub(start);
            at = align_up(next, self.align)?.checked_add(start)?;
            if self.null != Some(at) && self.skips(at) == 0 {
                return Some(at);
            }
        }
        None
    }

    /// How many bytes behind `at` the next offset lies that can be stored.
    #[inline(always)]
    pub(super) fn skips(&self, at: u64) -> u64 {
        let (unit, left) = self.unit;
        if unit < 2 {
            return 0;
        }
        let own = at.checked_rem(unit).unwrap_or(0);
        if own <= left {
            left.saturating_sub(own)
        } else {
            unit.saturating_sub(own).saturating_add(left)
        }
    }
}
