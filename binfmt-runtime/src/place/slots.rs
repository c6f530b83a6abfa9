//! Where located values go: each keeps its stored offset if it can, the others follow.

mod arrange;
pub(super) mod down;
mod in_turn;
mod led;
mod next;
#[cfg(feature = "alloc")]
pub(super) mod open;
mod region;
pub(super) mod rest;

pub(super) use arrange::arrange;
pub use in_turn::{Placed, write};
pub use led::Apart;
pub(super) use region::One;
pub use region::{SlotRegion, as_held, ends_with_last, fill_up, write_all};
use region::{background, nowhere};

use core::cmp::Reverse;

use crate::ops::{align_up, wide};

/// Offsets that are multiples of more are not looked for further than so many times.
const MAX_UNIT: u64 = 1 << 12;

/// A located value, by absolute offsets.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says something of its own about a value")]
pub struct Slot<'v> {
    /// The stored offset, which the value keeps if it can.
    pub floor: Option<u64>,
    /// Size in bytes, without its padding; known when the value has been read or written.
    pub size: u64,
    /// Alignment of a new place, counted from the start of the value around it.
    pub align: u64,
    /// What the end is padded to, counted likewise.
    pub pad: u64,
    /// Whether the value is there at all.
    pub present: bool,
    /// The bytes of a value that equal ones may share their place with.
    pub shared: Option<&'v [u8]>,
    /// Whether equal values may share their place whose bytes are known only when they are written.
    pub(super) encoded: bool,
    /// Whether readers pay for the value wherever an offset tells of it.
    #[cfg_attr(
        not(feature = "alloc"),
        expect(dead_code, reason = "without memory none is shared")
    )]
    pub(super) paid: bool,
    /// Of such values those with one number, which is not 0, have the same bytes.
    pub(super) class: usize,
    /// The offset it got.
    pub at: u64,
    /// The offset that would say that the value is absent.
    null: Option<u64>,
    /// The least offset that can be stored.
    least: u64,
    /// Where more than one: so many bytes lie between offsets that can be stored, and what is left of
    /// these when they are divided by that.
    unit: (u64, u64),
    /// Whether what is left counts from the place of its leader, which is not known yet.
    from_leader: bool,
    /// Its number.
    pub id: usize,
    /// Whether it has no bytes, if that is known.
    empty: Option<bool>,
    /// Whether it ends where the next value begins.
    ends_at_next: bool,
    /// Its field and a number, if it takes what is left of its region while there are so many bytes.
    rest: Option<(&'static str, usize)>,
    /// Whether nothing stores its offset.
    floats: bool,
    /// Whether its offset is a constant.
    fixed: bool,
    /// Whether it lies behind all others.
    last: bool,
    /// The number of the slot that its place counts from, and 1; 0 for none.
    leader: u8,
    /// How far it lies behind that.
    apart: Apart,
    /// The same in bytes, as far as that is known.
    distance: Option<u64>,
    state: State,
}

/// What values have in common that share a place: the stored offset, and their bytes or the number of
/// those of the same bytes.
type Twins<'v> = (Option<u64>, Option<&'v [u8]>, usize);

/// In which order values are placed: whether behind all others, the stored offset, whether another value could
/// have it as well, and then what puts those beside one another that share a place.
type Order = (bool, u64, bool, (usize, Reverse<u64>, usize));

/// How far the placing of a slot has got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Waiting,
    Placed,
    /// It lies where the slot before it does.
    Twin,
}

/// The least of the numbers `n * unit + add - sub` that are not below 0.
pub fn least(add: u64, sub: u64, unit: u64) -> u64 {
    match (add.checked_sub(sub), sub.saturating_sub(add).checked_rem(unit)) {
        (Some(least), _) => least,
        (None, Some(0) | None) => 0,
        (None, Some(left)) => unit.saturating_sub(left),
    }
}

impl<'v> Slot<'v> {
    /// The slot of a value that has been read.
    pub fn new(present: bool, floor: Option<u64>, size: u64, (align, pad): (u64, u64)) -> Self {
        let empty = Some(size == 0);
        Self { floor, size, align, pad, present, empty, ..Self::default() }
    }

    /// A value that has been read may share its place with others whose own bytes end there, too.
    #[inline(always)]
    #[must_use]
    pub fn shares_up_to(self, end: usize) -> Self {
        Self { class: end.saturating_add(1), ..self }
    }

    /// The slot of a value to be written; `stored` is its offset from `base`, if that is kept.
    #[inline(always)]
    pub fn of(present: bool, stored: Option<u64>, base: u64) -> Self {
        let floor = stored.and_then(|stored| stored.checked_add(base));
        Self { floor, align: 1, present, empty: None, shared: None, ..Self::default() }
    }

    /// The value lies on a multiple.
    #[inline(always)]
    #[must_use]
    pub fn on(self, align: u64) -> Self {
        Self { align, ..self }
    }

    /// The bytes of the value, which it may share with equal ones.
    #[inline(always)]
    #[must_use]
    pub fn sharing(self, shared: Option<&'v [u8]>) -> Self {
        Self { shared, ..self }
    }

    /// Whether the value has no bytes, where that is known.
    #[inline(always)]
    #[must_use]
    pub fn empty(self, empty: Option<bool>) -> Self {
        Self { empty, ..self }
    }

    /// The slot of a value that has bytes, as far as its place goes.
    #[inline(always)]
    pub fn aligned(align: u64) -> Self {
        Self { align, present: true, empty: Some(false), ..Self::default() }
    }

    /// Tells of one of several values what its item and the value say.
    #[inline(never)]
    pub fn tell(
        &mut self,
        (present, empty): (bool, Option<bool>),
        (stored, base): (Option<u64>, u64),
        align: u64,
        shared: Option<&'v [u8]>,
    ) {
        let floor = stored.and_then(|stored| stored.checked_add(base));
        (self.present, self.empty, self.floor) = (present, empty, floor);
        (self.align, self.shared) = (align, shared);
    }

    /// The value does not lie so many bytes behind `base`, where it would be read as absent.
    #[inline(always)]
    #[must_use]
    pub fn but_at(self, base: u64, null: u64) -> Self {
        Self { null: base.checked_add(null), ..self }
    }

    /// The value ends where the next one begins, or with its region.
    #[must_use]
    pub fn up_to_next(self) -> Self {
        Self { ends_at_next: true, ..self }
    }

    /// The value takes what is left of its region, while there are at least so many bytes.
    #[must_use]
    pub fn up_to_end(self, field: &'static str, least: usize) -> Self {
        Self { rest: Some((field, least)), ..self }
    }

    /// The place of the value counts from the end of its region.
    #[must_use]
    pub fn last(self) -> Self {
        Self { last: true, ..self }
    }

    /// Values that are written as the same bytes may share the place.
    #[must_use]
    pub fn encoded(self) -> Self {
        Self { encoded: true, ..self }
    }

    /// Readers pay for the value wherever an offset tells of it, unless it is not looked at.
    #[must_use]
    pub fn paid_unless(self, free: bool) -> Self {
        Self { paid: !free, ..self }
    }

    /// No offset leads in front of this.
    #[must_use]
    pub fn not_before(self, base: u64) -> Self {
        Self { least: self.least.max(base), ..self }
    }

    /// A number stands for the offsets `number * unit + add - sub` from `base` alone.
    #[must_use]
    pub fn told_by(self, base: u64, (add, sub, unit): (u64, u64, u64)) -> Self {
        let from = i128::from(base).saturating_add(add.into()).saturating_sub(sub.into());
        let left = from.checked_rem_euclid(unit.into()).and_then(|left| u64::try_from(left).ok());
        let least = u64::try_from(from).unwrap_or(0).max(base);
        Self { least, unit: (unit, left.unwrap_or(0)), ..self }
    }

    /// The same behind the place of the slot that this one moves with.
    #[must_use]
    pub fn in_units(self, sums: (u64, u64, u64)) -> Self {
        let Self { unit, .. } = Self::default().told_by(0, sums);
        Self { unit, from_leader: true, ..self }
    }

    /// That number may be so far below 0.
    #[must_use]
    pub fn below(self, base: u64, lowest: u64) -> Self {
        let (unit, _) = self.unit;
        let least = self.least.saturating_sub(lowest.saturating_mul(unit)).max(base);
        Self { least, ..self }
    }

    /// The same slot without the bytes of the value, which are told apart by a number.
    #[cfg(feature = "alloc")]
    fn of_class(&self, class: usize) -> Slot<'static> {
        Slot {
            floor: self.floor,
            align: self.align,
            present: self.present,
            paid: self.paid,
            class,
            null: self.null,
            least: self.least,
            unit: if self.from_leader { (0, 0) } else { self.unit },
            ..Slot::default()
        }
    }

    /// The place as an offset from `base`.
    #[inline(always)]
    pub fn offset_from(&self, base: u64) -> Option<u64> {
        self.at.checked_sub(base)
    }

    /// Whether the value lies behind all others: its place counts from the end, or it takes all that is left.
    #[inline(always)]
    fn is_last(&self) -> bool {
        let takes_all = self.rest.is_some_and(|(_, least)| least <= 1);
        self.last || takes_all && self.shared.is_none() && !self.encoded
    }

    /// Nothing stores the offset of the value.
    #[inline(always)]
    #[must_use]
    pub fn floats(self) -> Self {
        Self { floats: true, ..self }
    }

    /// The value lies where it is stored, and nowhere else.
    #[inline(always)]
    #[must_use]
    pub fn fixed(self) -> Self {
        Self { fixed: true, ..self }
    }

    /// The stored offset, for the order of the values; where others have lost theirs, those that never had one come
    /// behind them, as when they are read again.
    #[inline(always)]
    fn rank(&self) -> u64 {
        self.floor.unwrap_or(if self.floats { u64::MAX } else { u64::MAX - 1 })
    }

    /// What comes first is placed first; of those that share a place, the one with most padding behind it.
    fn stored_order(&self) -> Order {
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
    pub(super) fn shares(&self) -> bool {
        self.shared.is_some() || self.encoded
    }

    /// What two values have in common that share a place, if they may.
    fn twins(&self) -> Option<Twins<'v>> {
        let shares = self.shared.is_some() || self.class > 0;
        shares.then_some((self.floor, self.shared, self.class))
    }

    /// The place of a value that keeps its own or follows the one before, if that is plain to see.
    #[inline(always)]
    fn in_turn(&self, pos: u64, start: u64) -> Option<u64> {
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
    fn keeps(&self, floor: u64, end: u64) -> bool {
        // A number below the least one tells of no place.
        floor >= end && floor >= self.least && self.null != Some(floor)
    }

    /// Whether an offset can tell of a place for the value.
    fn can_lie_at(&self, at: u64) -> bool {
        at >= self.least && self.null != Some(at) && self.skips(at) == 0
    }

    /// Whether the value may lie where an equal one does: an offset tells of that place, and a new one is aligned.
    fn can_share(&self, at: u64, start: u64) -> bool {
        let aligned =
            || at.checked_sub(start).is_some_and(|at| align_up(at, self.align) == Some(at));
        self.can_lie_at(at) && (self.floor == Some(at) || aligned())
    }

    /// Whether a number that counts from a leader still tells of a stored place, now that the leader has its own.
    fn is_told(&self, floor: u64) -> bool {
        self.leader == 0 || self.skips(floor) == 0
    }

    /// The first place from `at` on that a number tells: one that was found before may be none any more.
    #[cfg(feature = "alloc")]
    fn nearest(&self, at: u64) -> u64 {
        let at = at.max(self.least);
        let at = at.saturating_add(self.skips(at));
        if self.null == Some(at) { at.saturating_add(self.unit.0.max(1)) } else { at }
    }

    /// Whether the value is there and has bytes.
    pub(super) fn is_written(&self) -> bool {
        self.present && self.has_bytes()
    }

    /// Whether the value is to be written, and has no place yet.
    fn is_waiting(&self) -> bool {
        self.is_written() && self.state == State::Waiting
    }

    /// Whether the value lies where another one has been written.
    #[cfg(feature = "alloc")]
    pub(super) fn is_twin(&self) -> bool {
        self.state == State::Twin
    }

    /// Whether a value without bytes is stored in front of the section around it, where no reader minds it.
    #[cfg(feature = "alloc")]
    fn lies_in_front_of(&self, section: u64) -> bool {
        let keeps = |floor: u64| floor < section && floor >= self.least && self.keeps(floor, 0);
        let is_empty = self.present && !self.has_bytes() && self.rest.is_none();
        is_empty && self.floor.is_some_and(keeps)
    }

    fn has_bytes(&self) -> bool {
        self.empty != Some(true)
    }

    /// Whether the placed value ends at `end`, or behind.
    fn ends(&self, end: u64) -> bool {
        self.at.saturating_add(self.size) >= end
    }

    /// Whether the placed value takes all that is left of its region, and ends at `end`.
    fn takes_rest_to(&self, end: u64) -> bool {
        self.is_written() && self.rest.is_some() && self.ends(end)
    }

    /// Whether the value has no bytes and would take what is left of its region.
    fn is_empty_rest(&self) -> bool {
        self.rest.is_some() && !self.has_bytes()
    }

    /// Places a value without bytes: nothing is written, so its own offset will do, if it is not below
    /// `least`, or else the first one behind `end`.
    fn without_bytes(&mut self, least: u64, end: u64) -> u64 {
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
    pub(super) fn end(&self, at: u64, start: u64) -> Option<u64> {
        let len = at.checked_add(self.size)?.checked_sub(start)?;
        align_up(len, self.pad)?.checked_add(start)
    }

    /// The place of a value behind all that keep theirs; `led` is the one that its leader tells.
    fn behind_others(&self, end: u64, start: u64, led: Option<u64>) -> Option<u64> {
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
    fn behind(&self, end: u64, start: u64) -> Option<u64> {
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
    fn elsewhere(slot: Self, at: u64, start: u64) -> Option<u64> {
        slot.further(at, start).or_else(|| slot.unaligned(at))
    }

    /// Where a writer would place the value behind `end`.
    pub(super) fn would_follow(&self, end: usize, start: usize) -> Option<u64> {
        self.behind(wide(end), wide(start))
    }

    /// The first place behind `at` that a number stands for, where no aligned one is: no reader looks at
    /// alignments.
    fn unaligned(&self, at: u64) -> Option<u64> {
        let at = at.checked_add(self.skips(at))?;
        if self.null == Some(at) { at.checked_add(self.unit.0.max(1)) } else { Some(at) }
    }

    /// The first aligned place for the value behind `at`.
    fn further(&self, mut at: u64, start: u64) -> Option<u64> {
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
    fn skips(&self, at: u64) -> u64 {
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
