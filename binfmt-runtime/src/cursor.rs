//! The reading position: a slice that shrinks from the front.

use core::ops::Range;

use crate::Order;

/// What must become of the bytes that a value leaves in its region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// The value ends where its last field ends; what follows belongs to somebody else.
    Open,
    /// The value is alone in its region, and bytes behind it are allowed.
    Loose,
    /// The value spans its region; bytes left in it are an error.
    Exact,
}

/// A section: its bytes, where it begins, and whether it is sized, so that it stays as long as it is however many
/// bytes follow the input.
pub(crate) type Bounds<'a> = (&'a [u8], usize, bool);

/// The place a walk has reached.
///
/// Reading shrinks `rest`; the absolute offset is computed from what is left, which costs the
/// fast path nothing.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    file: &'a [u8],
    rest: &'a [u8],
    end: usize,
    /// Absolute offset that located fields count from.
    pub origin: usize,
    /// What is expected of the bytes behind the value that is being read.
    pub fill: Fill,
    /// The byte order of the value around the one that is being read.
    pub order: Order,
    /// Set once the end of the current item is known, so that a validator can step over damage.
    pub stepped: bool,
    /// Whether the region stays as long as it is, however many bytes follow the input.
    pub bounded: bool,
}

impl<'a> Cursor<'a> {
    /// Starts at the first byte of `file`.
    pub const fn new(file: &'a [u8]) -> Self {
        Self {
            file,
            rest: file,
            end: file.len(),
            origin: 0,
            fill: Fill::Loose,
            order: Order::Little,
            stepped: false,
            bounded: false,
        }
    }

    /// Starts at `range.start` of `file` and ends at `range.end`; offsets stay those of `file`.
    ///
    /// Returns `None` when the range does not lie in the file.
    pub fn within(file: &'a [u8], range: Range<usize>) -> Option<Self> {
        let rest = file.get(range.clone())?;
        Some(Self { rest, end: range.end, bounded: range.end < file.len(), ..Self::new(file) })
    }

    /// The absolute offset of the next byte.
    #[inline(always)]
    pub fn pos(&self) -> usize {
        self.end.wrapping_sub(self.rest.len())
    }

    /// The absolute offset of the end of the region.
    #[inline(always)]
    pub fn end(&self) -> usize {
        self.end
    }

    /// How many bytes are left in the region.
    #[inline(always)]
    pub fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// The bytes that are left in the region.
    #[inline(always)]
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The whole input, which located fields point into.
    #[inline(always)]
    pub fn file(&self) -> &'a [u8] {
        self.file
    }

    /// Takes the next `N` bytes, or nothing when there are fewer.
    #[inline(always)]
    pub fn take_array<const N: usize>(&mut self) -> Option<&'a [u8; N]> {
        let (head, tail) = self.rest.split_first_chunk::<N>()?;
        self.rest = tail;
        Some(head)
    }

    /// Takes the next `len` bytes, or nothing when there are fewer.
    #[inline(always)]
    pub fn take(&mut self, len: u64) -> Option<&'a [u8]> {
        let (head, tail) = self.rest.split_at_checked(usize::try_from(len).ok()?)?;
        self.rest = tail;
        Some(head)
    }

    /// Goes to the end of the region.
    #[inline(always)]
    pub fn skip_all(&mut self) {
        self.rest = &[];
    }

    /// Takes the next `len` bytes as a region of its own.
    #[inline(always)]
    pub fn split(&mut self, len: u64, fill: Fill) -> Option<Self> {
        let rest = self.take(len)?;
        Some(Self { rest, end: self.pos(), fill, stepped: false, bounded: true, ..*self })
    }

    /// Takes all that is left as a region of its own, which grows with this one.
    #[inline(always)]
    #[must_use]
    pub fn split_rest(&mut self, fill: Fill) -> Self {
        let rest = Self { fill, stepped: false, ..*self };
        self.skip_all();
        rest
    }

    /// A cursor at `offset` bytes behind `base`, which ends with the region.
    #[inline(always)]
    pub fn at(&self, base: usize, offset: u64) -> Option<Self> {
        let rest = self.file.get(base..self.end)?.get(usize::try_from(offset).ok()?..)?;
        Some(Self { rest, fill: Fill::Open, stepped: false, ..*self })
    }

    /// The same place in a region that ends with the file.
    #[inline(always)]
    #[must_use]
    pub fn in_file(&self) -> Self {
        let rest = self.file.get(self.pos()..).unwrap_or_default();
        Self { rest, end: self.file.len(), bounded: false, ..*self }
    }

    /// A cursor `skip` bytes into a section, a part of the file that ends what can be read.
    #[inline(always)]
    pub fn inside(&self, (section, start, sized): Bounds<'a>, skip: u64) -> Option<Self> {
        let rest = section.get(usize::try_from(skip).ok()?..)?;
        let end = start.wrapping_add(section.len());
        let bounded = self.bounded || sized;
        Some(Self { rest, end, fill: Fill::Open, stepped: false, bounded, ..*self })
    }

    /// Goes on where `other`, a copy of this cursor, has got to.
    #[inline(always)]
    pub fn skip_to(&mut self, other: &Self) {
        self.rest = other.rest;
    }

    /// A region over an absolute range that is known to be read already; empty if it is not.
    pub fn range(&self, start: usize, end: usize) -> &'a [u8] {
        self.file.get(start..end).unwrap_or_default()
    }
}
