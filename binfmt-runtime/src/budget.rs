//! What one walk may cost: the bytes that it visits again, and how deep it goes.
//!
//! Bytes that a walk passes once are free, for there are no more of them than the input has. A walk
//! pays for all that it visits again: located values, variants that lose, items of no bytes, tables
//! that others have led to already. Every observer pays the same at the same places, so that readers
//! and validators agree on what costs too much.

use crate::finding::Error;
use crate::observe::{Events, Read};
use crate::stack::{self, Stack};
use crate::{BinFormat, Cursor, Wire, record};

/// Bounds of one walk, so that no input costs more than its size allows.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    left: u64,
    /// Up to where the bytes of the run that is being visited again are paid.
    mark: usize,
    /// How many bytes may still be decoded; [`UNASKED`] as long as nobody has decoded any. Readers
    /// carry the whole struct for every value, so it is small.
    decodable: u32,
    /// How much of the stack the walks over the values take that are open.
    stack: Stack,
    depth: u8,
    spent: bool,
}

// At 32 bytes, reading a fat binary takes 1.4 times as many instructions.
const _: () = assert!(size_of::<Limits>() <= 24, "the limits of a walk have grown");

/// Nothing has been decoded.
const UNASKED: u32 = u32::MAX;

/// The bytes that are being read are visited for the first time.
const FREE: usize = usize::MAX;

impl Limits {
    /// How deep values may nest through sequences and boxes.
    pub const MAX_DEPTH: u32 = 64;

    /// How many bytes of stack values that nest through sequences, boxes and tables may take together before
    /// no other is read inside them; nor is one that is too large beside them and the outermost value, for 1792 KiB
    /// in all. It is an estimate by their types, and holds where nothing is optimized;
    /// threads have two megabytes.
    pub const MAX_STACK: u32 = 3 << 19;

    /// The bounds for an input of `len` bytes: 64 bytes and eight times the input may be visited again.
    #[inline(always)]
    pub fn for_input(len: usize) -> Self {
        // No address space holds the 2^61 bytes that would wrap.
        Self::of(crate::ops::wide(len).wrapping_mul(8).wrapping_add(64))
    }

    /// The bounds of a walk that may visit `bytes` bytes again.
    #[inline(always)]
    pub const fn of(bytes: u64) -> Self {
        Self {
            left: bytes,
            mark: FREE,
            decodable: UNASKED,
            stack: Stack::EMPTY,
            depth: 0,
            spent: false,
        }
    }

    /// The same bounds for a walk that may decode so many bytes, up to 4 GiB; without this word it is
    /// 1 MiB, and eight bytes for each byte that may be visited again where the first are decoded.
    #[must_use]
    pub fn decoding(self, bytes: u64) -> Self {
        let decodable = u32::try_from(bytes).unwrap_or(UNASKED).min(UNASKED - 1);
        Self { decodable, ..self }
    }

    /// How many bytes may still be decoded.
    pub(crate) fn decodable(&self) -> u64 {
        if self.decodable != UNASKED {
            return self.decodable.into();
        }
        let usual = self.left.saturating_mul(8).saturating_add(1 << 20);
        usual.min(u64::from(UNASKED - 1))
    }

    /// Pays for decoded bytes, which are at most [`decodable`](Self::decodable).
    #[cfg(feature = "alloc")]
    pub(crate) fn spend_decoded(&mut self, bytes: u64) {
        *self = self.decoding(self.decodable().saturating_sub(bytes));
    }

    /// Goes to decoded bytes, which are an input of their own with a budget of their own. Returns what
    /// [`leave_decoded`](Self::leave_decoded) asks for.
    #[cfg(feature = "alloc")]
    pub(crate) fn enter_decoded(&mut self, len: usize) -> (u64, usize) {
        let own = Self::for_input(len).left;
        (core::mem::replace(&mut self.left, own), core::mem::replace(&mut self.mark, FREE))
    }

    /// Comes back from decoded bytes.
    #[cfg(feature = "alloc")]
    pub(crate) fn leave_decoded(&mut self, (left, mark): (u64, usize)) {
        (self.left, self.mark) = (left, mark);
    }

    /// How many bytes may still be visited again.
    #[inline(always)]
    pub const fn left(&self) -> u64 {
        self.left
    }

    /// Whether the walk has been told that its budget is spent, and ends.
    #[inline(always)]
    pub const fn is_spent(&self) -> bool {
        self.spent
    }

    /// The same bounds of a walk that has not been told yet that they are spent.
    pub(crate) fn unreported(self) -> Self {
        Self { spent: false, ..self }
    }

    /// The bounds of a look from where the walk is, which may visit `left` bytes.
    pub(crate) fn beside(&self, left: u64) -> Self {
        Self { left, mark: FREE, spent: false, ..*self }
    }

    /// These bounds when what `beside` gave has become `other`.
    #[cfg(feature = "alloc")]
    pub(crate) fn after(&self, other: &Self) -> Self {
        Self { left: other.left, decodable: other.decodable, ..*self }
    }

    /// Nothing can be paid any more.
    pub(crate) fn set_spent(&mut self) {
        self.left = 0;
        self.spent = true;
    }

    /// Pays for `bytes` that are visited again; `None` when the budget is spent.
    #[inline(always)]
    pub fn spend(&mut self, bytes: u64) -> Option<()> {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                Some(())
            }
            None => {
                self.left = 0;
                None
            }
        }
    }

    /// Goes from `outer`, where the walk is, to a run that begins at `start` and that has been visited
    /// or may be visited again. What has been read so far is paid first. Returns what
    /// [`close`](Self::close) asks for.
    #[inline(always)]
    pub(crate) fn open(&mut self, outer: usize, start: usize) -> Option<usize> {
        self.pay_up_to(outer)?;
        self.spend(1)?;
        Some(core::mem::replace(&mut self.mark, start))
    }

    /// Pays for the run that [`open`](Self::open) began, up to `end`, and goes back.
    #[inline(always)]
    pub(crate) fn close(&mut self, outer: usize, end: usize) -> Option<()> {
        let paid = self.pay_up_to(end);
        self.mark = outer;
        paid
    }

    /// Pays for a variant that was read from `start` to `end` and has lost: another one is read there.
    pub(crate) fn lose(&mut self, start: usize, end: usize) -> Option<()> {
        if self.mark == FREE {
            return self.spend(crate::ops::wide(end.saturating_sub(start)).max(1));
        }
        let paid = self.spend(1).and_then(|()| self.pay_up_to(end));
        self.mark = start;
        paid
    }

    /// Goes on behind bytes that the walk has not read here: what lies in them has been paid for, and
    /// whether anything lies between is compared, sixteen bytes at a time.
    #[inline(always)]
    pub(crate) fn pass(&mut self, from: usize, to: usize) -> Option<()> {
        if self.mark == FREE {
            return Some(());
        }
        self.pay_up_to(from)?;
        self.mark = to.max(from);
        self.spend(crate::ops::wide(to.saturating_sub(from)) >> 4)
    }

    /// Pays for what has been read up to `pos`, if it has been visited before.
    #[inline(always)]
    fn pay_up_to(&mut self, pos: usize) -> Option<()> {
        if self.mark == FREE {
            return Some(());
        }
        let read = pos.saturating_sub(self.mark);
        self.mark = pos;
        self.spend(crate::ops::wide(read))
    }

    /// Pays for an item of a sequence that has no bytes: one, and one more for every 16 bytes of
    /// memory, as such items could fill the memory and no input.
    pub(crate) fn spend_empty<T>(&mut self) -> Option<()> {
        self.spend(Self::empty_costs::<T>())
    }

    /// What an item without bytes costs.
    pub(crate) fn empty_costs<T>() -> u64 {
        crate::ops::wide(size_of::<T>() >> 4).saturating_add(1)
    }

    /// Pays for one table of a buffer: no table is shorter.
    #[inline]
    pub(crate) fn spend_table(&mut self) -> Option<()> {
        self.spend(8)
    }

    /// Goes one level down, to a value of type `T`; `None` when values nest too deeply.
    #[inline(always)]
    pub(crate) fn descend<'a, T: Wire<'a>>(&mut self) -> Option<()> {
        self.descend_by(stack::of::<T>())
    }

    /// The same by the bytes of stack that the level takes.
    #[inline(always)]
    pub(crate) fn descend_by(&mut self, stack: usize) -> Option<()> {
        if self.is_deep() {
            return None;
        }
        self.stack = self.stack.with(stack)?;
        self.depth = self.depth.wrapping_add(1);
        Some(())
    }

    /// Comes back up from a value of type `T`.
    #[inline(always)]
    pub(crate) fn ascend<'a, T: Wire<'a>>(&mut self) {
        self.ascend_by(stack::of::<T>());
    }

    /// The same by the bytes of stack that the level took.
    #[inline(always)]
    pub(crate) fn ascend_by(&mut self, stack: usize) {
        self.stack = self.stack.without(stack);
        self.depth = self.depth.saturating_sub(1);
    }

    /// How much of the stack the walks take that are open.
    pub(crate) fn stack(&self) -> Stack {
        self.stack
    }

    /// What is wrong where values nest too deeply, and the bound.
    pub(crate) fn too_deep(&self) -> (&'static str, u64) {
        if self.is_deep() {
            ("values nest too deeply", Self::MAX_DEPTH.into())
        } else {
            ("values nest too deeply for so many bytes of stack", Self::MAX_STACK.into())
        }
    }

    /// Whether values nest so deeply that it is their number that keeps others out, not their size.
    #[inline(always)]
    pub(crate) fn is_deep(&self) -> bool {
        u32::from(self.depth) >= Self::MAX_DEPTH
    }
}

/// Walks with a budget of the caller's, as the methods of [`BinFormat`] with that of the input.
///
/// ```
/// use binfmt_runtime::{BinFormat, Limits};
///
/// #[derive(BinFormat, Debug)]
/// struct Twice {
///     at: u8,
///     #[bin(at = at, len = 100)]
///     there: Vec<u8>,
/// }
///
/// let file = [vec![1], vec![0; 100]].concat();
/// assert!(Twice::is_valid(&file));
/// assert!(!Limits::of(50).is_valid::<Twice>(&file, ()));
/// assert_eq!(Limits::of(50).parse::<Twice>(&file, ()).unwrap_err().finding().code, "budget");
/// ```
impl Limits {
    /// Reads a value from the start of `file`.
    pub fn parse<'a, T: BinFormat<'a>>(self, file: &'a [u8], args: T::Args) -> Result<T, Error> {
        let start = Cursor::new(file);
        match T::walk(&mut { start }, &mut Read::within(self), args) {
            Ok(value) => Ok(value),
            Err(fault) => Err(record::locate_within::<T>(start, self, args, fault)),
        }
    }

    /// Whether every part of the value, lazy ones too, can be read.
    pub fn is_valid<'a, T: BinFormat<'a>>(self, file: &'a [u8], args: T::Args) -> bool {
        record::is_valid::<T>(Cursor::new(file), self, args)
    }

    /// Every violation of the declaration, in file order.
    #[cfg(feature = "alloc")]
    pub fn validate<'a, T: BinFormat<'a>>(self, file: &'a [u8], args: T::Args) -> crate::Report {
        crate::report::validate::<T>(Cursor::new(file), self, args)
    }

    /// Hands all that an inspector sees to `events`.
    pub fn inspect_into<'a, T: BinFormat<'a>>(
        self,
        file: &'a [u8],
        args: T::Args,
        events: &mut dyn Events,
    ) {
        record::record(Cursor::new(file), self, &record::recorded::<T>(args), events);
    }
}

#[cfg(test)]
mod tests {
    use super::Limits;

    #[test]
    fn bytes_are_paid_once_for_each_visit() {
        let mut limits = Limits::of(100);
        // A walk that is at 10 visits 0..30, and on the way from 20 the bytes 0..5.
        let outer = limits.open(10, 0).unwrap();
        assert_eq!(limits.left(), 99, "the first visit is free");
        let inner = limits.open(20, 0).unwrap();
        assert_eq!(limits.left(), 78);
        limits.close(inner, 5).unwrap();
        limits.close(outer, 30).unwrap();
        assert_eq!(limits.left(), 63);
        assert_eq!(limits.close(super::FREE, 1 << 40), Some(()), "back in the first visit");
    }

    #[test]
    fn a_losing_variant_is_paid_where_the_bytes_are_new_and_where_they_are_not() {
        let mut limits = Limits::of(100);
        limits.lose(10, 15).unwrap();
        assert_eq!(limits.left(), 95);
        let outer = limits.open(0, 0).unwrap();
        limits.lose(10, 15).unwrap();
        assert_eq!(limits.left(), 78, "with the bytes in front of it");
        limits.close(outer, 15).unwrap();
        assert_eq!(limits.left(), 73, "the bytes of the variant that won");
    }

    #[test]
    fn what_is_spent_stays_spent() {
        let mut limits = Limits::of(10);
        assert_eq!(limits.spend(11), None);
        assert_eq!((limits.spend(1), limits.spend(0)), (None, Some(())));
    }

    #[test]
    fn large_values_nest_less_deeply_than_small_ones() {
        let levels = |stack| {
            let mut limits = Limits::of(0);
            core::iter::from_fn(|| limits.descend_by(stack)).count()
        };
        assert_eq!((levels(0), levels(1 << 14), levels(3 << 17), levels(1 << 30)), (64, 64, 3, 1));
        let mut limits = Limits::of(0);
        limits.descend_by(1 << 21).unwrap();
        limits.ascend_by(1 << 21);
        assert_eq!(limits.descend_by(1 << 21), Some(()));
    }
}
