//! What an expert writes: safe Rust over a shrinking slice, one bounds check per header, every
//! length checked.
//!
//! The loop stops exactly where the derived reader stops (`tests/agree.rs`). Not done here is the
//! budget of the derived reader, which bounds how often located fields may lead to the same bytes.

use crate::fold;
use crate::numbers::{len_at, long_at, u16_at, u32_at, u64_at};
use crate::race::Writer;

/// An entry, with what the writer needs beside what is folded.
struct Entry<'a> {
    header: &'a [u8; 64],
    name: &'a [u8],
    options: &'a [u8],
    payload: &'a [u8],
}

impl Entry<'_> {
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "as if the loop stood where it is used")]
    fn fold(&self, sum: u64) -> u64 {
        let Self { header, name, options, payload } = *self;
        let class = fold::Class::of(u16_at(header, 0));
        let (arch, flags) = (u32_at(header, 28), u64_at(header, 40));
        fold::entry(sum, fold::Entry { class, arch, flags, name, options, payload })
    }
}

/// Walks the containers of a fat binary.
#[inline(always)]
#[allow(clippy::inline_always, reason = "as if the loop stood where it is used")]
fn walk<'a>(file: &'a [u8], mut each: impl FnMut(Entry<'a>)) -> Option<()> {
    let mut rest = file;
    while rest.len() >= 16 {
        if let Some(tail) = rest.strip_prefix(&[0; 8]) {
            rest = tail;
            continue;
        }
        let (header, tail) = rest.split_first_chunk::<16>()?;
        if !matches!(u32_at(header, 0), 0xBA55_ED50 | 0x4662_43B1) {
            return None;
        }
        let header_tail = usize::from(u16_at(header, 6)).checked_sub(16)?;
        let len = long_at(header, 8)?.checked_add(header_tail)?;
        let (body, tail) = tail.split_at_checked(len)?;
        entries(body.get(header_tail..)?, &mut each)?;
        rest = tail;
    }
    Some(())
}

/// Walks the entries of a container.
#[inline(always)]
#[allow(clippy::inline_always, reason = "as if the loop stood where it is used")]
fn entries<'a>(mut rest: &'a [u8], each: &mut impl FnMut(Entry<'a>)) -> Option<()> {
    while let Some((header, tail)) = rest.split_first_chunk::<64>() {
        let kind = u16_at(header, 0);
        let strings_len = len_at(header, 4).checked_sub(64)?;
        let padded_len = long_at(header, 8)?;
        let stored_len = len_at(header, 16);
        if stored_len > padded_len {
            return None;
        }
        let (_, tail) = tail.split_at_checked(strings_len)?;
        // Strings lie at offsets from the start of the entry, behind its fixed part.
        let head = &rest[..64 + strings_len];
        let (padded, tail) = tail.split_at_checked(padded_len)?;
        let payload = if stored_len != 0 { &padded[..stored_len] } else { padded };

        let (name_offset, name_len) = (len_at(header, 32), len_at(header, 36));
        let name = if name_offset == 0 { &[][..] } else { name_at(head, name_offset, name_len)? };

        let options_offset = len_at(header, 20);
        let mut options = &[][..];
        if kind == 0x100 {
            members(within(head, options_offset)?)?;
        } else if options_offset != 0 {
            let (block, data) = within(head, options_offset)?.split_first_chunk::<8>()?;
            let (data_offset, data_len) = (len_at(block, 0), len_at(block, 4));
            if data_offset != 0 {
                options = data.get(..(data_len + 1).next_multiple_of(8))?.get(..data_len)?;
            }
        }

        each(Entry { header, name, options, payload });
        rest = tail;
    }
    Some(())
}

/// What lies at an offset behind the fixed part of an entry.
#[inline]
fn within(head: &[u8], offset: usize) -> Option<&[u8]> {
    if offset < 64 { None } else { head.get(offset..) }
}

/// A name with its NUL, and padding to 8 bytes from the start of the entry.
#[inline]
fn name_at(head: &[u8], offset: usize, len: usize) -> Option<&[u8]> {
    let (name, tail) = within(head, offset)?.split_at_checked(len)?;
    let (nul, tail) = tail.split_first()?;
    let padding = (offset + len + 1).wrapping_neg() % 8;
    (*nul == 0 && padding <= tail.len()).then_some(name)
}

/// The table of a concatenated entry: that its records can be there at all.
#[cold]
fn members(table: &[u8]) -> Option<()> {
    let header = table.first_chunk::<8>()?;
    let records = table.get(8..len_at(header, 4))?;
    (len_at(header, 0) <= records.len() / 64).then_some(())
}

/// Reads the containers without copying them.
pub fn read(file: &[u8]) -> Option<u64> {
    let mut sum = 0;
    walk(file, |entry| sum = entry.fold(sum))?;
    Some(sum)
}

/// How many entries there are, and how long their payloads are together.
pub fn list(file: &[u8]) -> Option<(u64, u64)> {
    let mut sum = (0, 0);
    walk(file, |entry| sum = (sum.0 + 1, sum.1 + entry.payload.len() as u64))?;
    Some(sum)
}

/// Whether the containers can be read.
pub fn is_valid(file: &[u8]) -> Option<u64> {
    walk(file, |_| ()).map(|()| 1)
}

/// An entry that owns what it holds.
struct Owned {
    header: [u8; 64],
    name: Vec<u8>,
    options: Vec<u8>,
    payload: Vec<u8>,
}

/// Reads the containers into values of their own.
pub fn own(file: &[u8]) -> Option<u64> {
    let mut entries = Vec::new();
    walk(file, |Entry { header, name, options, payload }| {
        entries.push(Owned {
            header: *header,
            name: name.to_vec(),
            options: options.to_vec(),
            payload: payload.to_vec(),
        });
    })?;
    Some(entries.iter().fold(0, |sum, Owned { header, name, options, payload }| {
        Entry { header, name, options, payload }.fold(sum)
    }))
}

/// Reads the containers into values of their own, and folds what the crate `fatbinary` tells.
pub fn own_coarse(file: &[u8]) -> Option<u64> {
    let mut entries = Vec::new();
    walk(file, |Entry { header, name, options, payload }| {
        let (name, options, payload) = (name.to_vec(), options.to_vec(), payload.to_vec());
        entries.push(Owned { header: *header, name, options, payload });
    })?;
    entries.iter().try_fold(0, |sum, Owned { header, name, options, .. }| {
        let len =
            if u64_at(header, 40) & 0x2000 != 0 { len_at(header, 16) } else { long_at(header, 8)? };
        let is_elf = u16_at(header, 0) == 2;
        Some(fold::coarse(sum, is_elf, u32_at(header, 28), [name, options], len))
    })
}

/// Writes one container again. Offsets and lengths are computed, names stand before options.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let mut entries = Vec::new();
    walk(file, |entry| entries.push(entry))?;
    Some(Box::new(move || {
        let mut out = Vec::with_capacity(16 + entries.iter().map(encoded_len).sum::<usize>());
        out.extend(0xBA55_ED50_u32.to_le_bytes());
        out.extend(1_u16.to_le_bytes());
        out.extend(16_u16.to_le_bytes());
        out.extend((out.capacity() as u64 - 16).to_le_bytes());
        entries.iter().try_for_each(|entry| write_entry(entry, &mut out))?;
        Some(out)
    }))
}

/// How long the name with its NUL and padding is, and the options with theirs.
fn slots(entry: &Entry<'_>) -> (usize, usize) {
    let name = if entry.name.is_empty() { 0 } else { (entry.name.len() + 1).next_multiple_of(8) };
    let options = if entry.options.is_empty() {
        0
    } else {
        8 + (entry.options.len() + 1).next_multiple_of(8)
    };
    (name, options)
}

fn encoded_len(entry: &Entry<'_>) -> usize {
    let (name, options) = slots(entry);
    64 + name + options + entry.payload.len().next_multiple_of(8)
}

fn write_entry(entry: &Entry<'_>, out: &mut Vec<u8>) -> Option<()> {
    let u32_of = |number| u32::try_from(number).ok().map(u32::to_le_bytes);
    let (name, options) = slots(entry);
    let padded = entry.payload.len().next_multiple_of(8);
    let flags = u64_at(entry.header, 40);
    let stored = if flags & 0xF000 == 0 { 0 } else { entry.payload.len() };
    let plain = stored == 0;
    let mut header = *entry.header;
    header[4..8].copy_from_slice(&u32_of(64 + name + options)?);
    header[8..16].copy_from_slice(&(padded as u64).to_le_bytes());
    header[16..20].copy_from_slice(&u32_of(stored)?);
    header[20..24].copy_from_slice(&u32_of(if options == 0 { 0 } else { 64 + name })?);
    header[32..36].copy_from_slice(&u32_of(if name == 0 { 0 } else { 64 })?);
    header[36..40].copy_from_slice(&u32_of(entry.name.len())?);
    out.extend_from_slice(&header);
    if name != 0 {
        out.extend_from_slice(entry.name);
        out.resize(out.len() + name - entry.name.len(), 0);
    }
    if options != 0 {
        out.extend(u32_of(64 + name + 8)?);
        out.extend(u32_of(entry.options.len())?);
        out.extend_from_slice(entry.options);
        out.resize(out.len() + options - 8 - entry.options.len(), 0);
    }
    // Plain payloads are stored with their padding.
    debug_assert!(!plain || entry.payload.len() == padded);
    out.extend_from_slice(entry.payload);
    out.resize(out.len() + padded - entry.payload.len(), 0);
    Some(())
}
