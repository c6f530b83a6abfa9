//! Where located values go: each keeps its stored offset if it can, the others follow.

#[cfg(feature = "alloc")]
mod again;
mod anew;
mod arrange;
pub(super) mod down;
mod fits;
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

use crate::ops::wide;

/// A located value, by absolute offsets.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says something of its own about a value")]
pub struct Slot<'v> {
    /// The stored offset, which the value keeps if it can.
    pub floor: Option<u64>,
    /// Size in bytes, without its padding; known when the value has been read or written.
    pub size: u64,
    /// The same with all that belongs to the value, its magic, its prefix and its padding, once it has been placed.
    pub(super) whole: u64,
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
    /// Whether its offset counts from where the value is that holds it, though a number may lead in front of that.
    #[cfg_attr(
        not(feature = "alloc"),
        expect(dead_code, reason = "without memory there is no open section")
    )]
    of_its_value: bool,
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
    /// Whether it may lie in front of that.
    in_front: bool,
    /// How far it lies behind that.
    apart: Apart,
    /// The same in bytes, as far as that is known.
    distance: Option<u64>,
    state: State,
}

/// What values have in common that share a place: the stored offset, their bytes or the number of those of the
/// same bytes, and what a new place is aligned to.
type Twins<'v> = (Option<u64>, Option<&'v [u8]>, usize, u64);

/// In which order values are placed: whether behind all others, the stored offset, whether another value could
/// have it as well, and then what puts those beside one another that share a place.
type Order = (bool, u64, bool, (usize, Reverse<u64>, usize));

/// How far the placing of a slot has got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Waiting,
    Placed,
    /// It shares the place of the slot before it, which has none yet.
    Joins,
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

    /// A value that has been read there may share its place with others whose own bytes end there, too.
    #[inline(always)]
    #[must_use]
    pub fn shares_at(self, (start, end): (usize, usize)) -> Self {
        Self { at: wide(start), class: end.saturating_add(1), ..self }
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

    /// The offset counts from where something lies of the value that holds it.
    #[must_use]
    pub fn of_its_value(self) -> Self {
        Self { of_its_value: true, ..self }
    }

    /// Nothing stores the offset of the value.
    #[inline(always)]
    #[must_use]
    pub fn floats(self) -> Self {
        Self { floats: true, ..self }
    }

    /// Nothing stores the offset of the value, which is aligned as this one, and counts from the same other one.
    #[cfg(feature = "alloc")]
    pub(super) fn floating_like(self, like: &Slot<'_>) -> Self {
        let Slot { align, leader, apart, .. } = *like;
        Self { floor: None, floats: true, align, leader, apart, ..self }
    }

    /// Where the bytes lie of a value that has been read and may share its place, which nothing stores.
    pub(super) fn floating_bytes(&self) -> Option<(usize, usize)> {
        let start = usize::try_from(self.at).ok().filter(|_| self.floats && self.present)?;
        Some((start, self.class.checked_sub(1)?))
    }

    /// Whether the value is there, and nothing stores its offset.
    pub(super) fn has_no_offset(&self) -> bool {
        self.present && self.floats
    }

    /// The value shares its place with others that have the same number, if these are stored where it is.
    pub(super) fn set_class(&mut self, number: usize) {
        self.class = number.saturating_add(1);
    }

    /// The value lies where it is stored, and nowhere else.
    #[inline(always)]
    #[must_use]
    pub fn fixed(self) -> Self {
        Self { fixed: true, ..self }
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
            of_its_value: self.of_its_value,
            unit: if self.from_leader { (0, 0) } else { self.unit },
            ..Slot::default()
        }
    }
}
