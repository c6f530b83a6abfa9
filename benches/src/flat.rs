//! `FlatBuffers` as an expert reads them by hand: safe, every offset and alignment checked as the
//! verifier of the format wants them, nothing kept.

use crate::numbers::{u16_at, u32_at, u64_at};

/// How many tables a verifier visits.
pub const MOST_TABLES: u32 = 1_000_000;

/// A table, whose vtable lies in the buffer.
#[derive(Debug, Clone, Copy)]
pub struct Table<'a> {
    buffer: &'a [u8],
    at: usize,
    vtable: &'a [u8],
}

/// A vector, whose items lie in the buffer.
#[derive(Debug, Clone, Copy)]
pub struct Vector<'a, const SIZE: usize> {
    buffer: &'a [u8],
    start: usize,
    items: &'a [[u8; SIZE]],
}

/// `N` bytes on a multiple of `N`.
fn aligned<const N: usize>(buffer: &[u8], at: usize) -> Option<&[u8; N]> {
    buffer.get(at..)?.first_chunk().filter(|_| at.is_multiple_of(N))
}

/// The place that the offset at `at` leads to.
fn follow(buffer: &[u8], at: usize) -> Option<usize> {
    at.checked_add(u32_at(aligned::<4>(buffer, at)?, 0) as usize)
}

/// A string or vector at `at`: its items, and what lies behind it.
fn items(buffer: &[u8], at: usize, size: usize) -> Option<(&[u8], &[u8])> {
    let (len, rest) = buffer.get(at..)?.split_first_chunk::<4>()?;
    let items = rest.split_at_checked((u32_at(len, 0) as usize).checked_mul(size)?);
    items.filter(|_| at.is_multiple_of(4))
}

impl<'a> Table<'a> {
    /// The table at the root of a buffer.
    pub fn root(buffer: &'a [u8]) -> Option<Self> {
        Self::at(buffer, follow(buffer, 0)?)
    }

    /// The table at a place in a buffer.
    pub fn at(buffer: &'a [u8], at: usize) -> Option<Self> {
        let back = i32::from_le_bytes(*aligned(buffer, at)?);
        let start = at.checked_add_signed(isize::try_from(-i64::from(back)).ok()?)?;
        let len = usize::from(u16_at(aligned::<2>(buffer, start)?, 0));
        let vtable = buffer.get(start..)?.get(..len).filter(|_| len.is_multiple_of(2))?;
        Some(Self { buffer, at, vtable })
    }

    /// Where a field is in the table; 0 for absent ones.
    fn place(&self, slot: usize) -> usize {
        self.vtable.get(2 * slot + 4..2 * slot + 6).map_or(0, |bytes| usize::from(u16_at(bytes, 0)))
    }

    /// How many fields the vtable has room for.
    pub fn slots(&self) -> usize {
        self.vtable.len().saturating_sub(4) / 2
    }

    /// Whether a field is stored.
    pub fn has(&self, slot: usize) -> bool {
        self.place(slot) > 0
    }

    /// A field of `N` bytes, if it is stored.
    fn field<const N: usize>(&self, slot: usize) -> Option<Option<&'a [u8; N]>> {
        match self.place(slot) {
            0 => Some(None),
            place => aligned(self.buffer, self.at + place).map(Some),
        }
    }

    /// A byte.
    pub fn u8(&self, slot: usize) -> Option<u8> {
        Some(self.field::<1>(slot)?.map_or(0, |bytes| bytes[0]))
    }

    /// 16 bits.
    pub fn u16(&self, slot: usize) -> Option<u16> {
        Some(self.field::<2>(slot)?.map_or(0, |bytes| u16_at(bytes, 0)))
    }

    /// 32 bits.
    pub fn u32(&self, slot: usize) -> Option<u32> {
        Some(self.field::<4>(slot)?.map_or(0, |bytes| u32_at(bytes, 0)))
    }

    /// 64 bits.
    pub fn u64(&self, slot: usize) -> Option<u64> {
        Some(self.field::<8>(slot)?.map_or(0, |bytes| u64_at(bytes, 0)))
    }

    /// Sees that a union, whose tag is given, has no value: nothing here knows any.
    pub fn no_union(&self, tag: usize) -> Option<()> {
        let is_none = if self.has(tag) { self.u8(tag)? == 0 } else { !self.has(tag + 1) };
        is_none.then_some(())
    }

    /// What the offset in a field leads to, if it is stored.
    fn target(&self, slot: usize) -> Option<Option<usize>> {
        let Some(bytes) = self.field::<4>(slot)? else { return Some(None) };
        let at = self.at.checked_add(self.place(slot))?;
        Some(Some(at.checked_add(u32_at(bytes, 0) as usize)?))
    }

    /// Another table, if it is stored.
    pub fn table(&self, slot: usize) -> Option<Option<Self>> {
        self.target(slot)?.map_or(Some(None), |at| Self::at(self.buffer, at).map(Some))
    }

    /// A string; empty if it is not stored.
    pub fn str(&self, slot: usize) -> Option<&'a str> {
        let Some(at) = self.target(slot)? else { return Some("") };
        let (text, rest) = items(self.buffer, at, 1)?;
        if rest.first() != Some(&0) {
            return None;
        }
        core::str::from_utf8(text).ok()
    }

    /// A vector that must be stored.
    pub fn required<const SIZE: usize>(&self, slot: usize) -> Option<Vector<'a, SIZE>> {
        if self.has(slot) { self.vector(slot) } else { None }
    }

    /// Sees that a vector is empty, or not stored: nothing here knows its items.
    pub fn no_vector(&self, slot: usize) -> Option<()> {
        self.vector::<4>(slot)?.items.is_empty().then_some(())
    }

    /// A vector; empty if it is not stored.
    pub fn vector<const SIZE: usize>(&self, slot: usize) -> Option<Vector<'a, SIZE>> {
        let buffer = self.buffer;
        let Some(at) = self.target(slot)? else {
            return Some(Vector { buffer, start: 0, items: &[] });
        };
        let (items, _) = items(buffer, at, SIZE)?;
        let start = at.checked_add(4)?;
        if SIZE > 4 && !items.is_empty() && !start.is_multiple_of(SIZE) {
            return None;
        }
        Some(Vector { buffer, start, items: items.as_chunks().0 })
    }
}

impl<'a, const SIZE: usize> Vector<'a, SIZE> {
    /// The items as they are stored.
    pub fn items(&self) -> &'a [[u8; SIZE]] {
        self.items
    }
}

impl<'a> Vector<'a, 4> {
    /// The tables of a vector of tables.
    pub fn tables(self) -> impl Iterator<Item = Option<Table<'a>>> {
        let Self { buffer, start, items } = self;
        items.iter().enumerate().map(move |(index, item)| {
            let at = start.checked_add(4 * index)?.checked_add(u32_at(item, 0) as usize)?;
            Table::at(buffer, at)
        })
    }

    /// The table at an index.
    pub fn table(&self, index: usize) -> Option<Table<'a>> {
        let item = self.items.get(index)?;
        Table::at(self.buffer, self.start + 4 * index + u32_at(item, 0) as usize)
    }
}
