//! `FlatBuffers` as an expert reads them by hand: safe, every offset checked, nothing kept.

use crate::numbers::{u16_at, u32_at, u64_at};

/// A table, whose own bytes and vtable lie in the buffer.
#[derive(Debug, Clone, Copy)]
pub struct Table<'a> {
    buffer: &'a [u8],
    at: usize,
    own: &'a [u8],
    vtable: &'a [u8],
}

/// A vector, whose items lie in the buffer.
#[derive(Debug, Clone, Copy)]
pub struct Vector<'a, const SIZE: usize> {
    buffer: &'a [u8],
    start: usize,
    items: &'a [[u8; SIZE]],
}

/// The place that the offset at `at` leads to.
fn follow(buffer: &[u8], at: usize) -> Option<usize> {
    let bytes = buffer.get(at..)?.first_chunk::<4>()?;
    at.checked_add(u32_at(bytes, 0) as usize)
}

/// A string or vector of bytes at `at`, without its length.
fn bytes(buffer: &[u8], at: usize, size: usize) -> Option<(&[u8], &[u8])> {
    let (len, rest) = buffer.get(at..)?.split_first_chunk::<4>()?;
    rest.split_at_checked((u32_at(len, 0) as usize).checked_mul(size)?)
}

impl<'a> Table<'a> {
    /// The table at the root of a buffer.
    pub fn root(buffer: &'a [u8]) -> Option<Self> {
        Self::at(buffer, follow(buffer, 0)?)
    }

    fn at(buffer: &'a [u8], at: usize) -> Option<Self> {
        let own = buffer.get(at..)?;
        let back = i32::from_le_bytes(*own.first_chunk()?);
        let vtable =
            buffer.get(at.checked_add_signed(isize::try_from(-i64::from(back)).ok()?)?..)?;
        let (head, _) = vtable.split_first_chunk::<4>()?;
        let vtable = vtable.get(4..usize::from(u16_at(head, 0)))?;
        let own = own.get(..usize::from(u16_at(head, 2)))?;
        Some(Self { buffer, at, own, vtable })
    }

    /// Where a field is in the table; 0 for absent ones.
    fn place(&self, slot: usize) -> usize {
        self.vtable.get(2 * slot..2 * slot + 2).map_or(0, |bytes| usize::from(u16_at(bytes, 0)))
    }

    /// A field of `N` bytes, if it is stored.
    fn field<const N: usize>(&self, slot: usize) -> Option<Option<&'a [u8; N]>> {
        match self.place(slot) {
            0 => Some(None),
            place => self.own.get(place..)?.first_chunk().map(Some),
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
        let (text, rest) = bytes(self.buffer, at, 1)?;
        if rest.first() != Some(&0) {
            return None;
        }
        core::str::from_utf8(text).ok()
    }

    /// A vector; empty if it is not stored.
    pub fn vector<const SIZE: usize>(&self, slot: usize) -> Option<Vector<'a, SIZE>> {
        let buffer = self.buffer;
        let Some(at) = self.target(slot)? else {
            return Some(Vector { buffer, start: 0, items: &[] });
        };
        let (items, _) = bytes(buffer, at, SIZE)?;
        Some(Vector { buffer, start: at.checked_add(4)?, items: items.as_chunks().0 })
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
