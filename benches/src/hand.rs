//! What an expert writes: safe Rust over a shrinking slice, one bounds check per header, every
//! length checked.
//!
//! These loops stop exactly where the derived readers stop (`tests/agree.rs` mutates every byte of
//! small files). Not done here is the budget of the derived readers, which bounds how often located
//! fields may lead to the same bytes.

use crate::fold;

fn le<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes[at..at + N].try_into().expect("the range has N bytes")
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(le(bytes, at))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(le(bytes, at))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(le(bytes, at))
}

fn len_at(bytes: &[u8], at: usize) -> usize {
    u32_at(bytes, at) as usize
}

fn long_at(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u64_at(bytes, at)).ok()
}

/// Reads a VPT in the document's layout.
pub fn vpt(file: &[u8]) -> Option<u64> {
    let (header, rest) = file.split_first_chunk::<24>()?;
    if u32_at(header, 0) != 0x675C_3ED9 {
        return None;
    }
    let mut rest = rest.get(..len_at(header, 16).checked_sub(24)?)?;
    let count = len_at(header, 20);
    if count > rest.len() / 8 {
        return None;
    }
    let mut sum = 0;
    for _ in 0..count {
        let (header, tail) = rest.split_first_chunk::<8>()?;
        let (name_len, payload_len) = (len_at(header, 0), len_at(header, 4));
        let (payload, tail) = tail.split_at_checked(payload_len)?;
        let (name, tail) = tail.split_at_checked(name_len)?;
        let padding = (name_len + payload_len).wrapping_neg() % 8;
        rest = tail.get(padding..)?;
        sum = fold::program(sum, name, payload);
    }
    rest.is_empty().then_some(sum)
}

/// Reads the containers of a fat binary.
pub fn fatbin(file: &[u8]) -> Option<u64> {
    let mut rest = file;
    let mut sum = 0;
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
        sum = entries(sum, body.get(header_tail..)?)?;
        rest = tail;
    }
    Some(sum)
}

/// Reads the entries of a container.
#[inline]
fn entries(mut sum: u64, mut rest: &[u8]) -> Option<u64> {
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
        let name =
            if name_offset == 0 { &[][..] } else { name_at(head, name_offset, name_len)? };

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

        let (arch, flags) = (u32_at(header, 28), u64_at(header, 40));
        sum = fold::entry(
            sum,
            fold::Entry { class: fold::Class::of(kind), arch, flags, name, options, payload },
        );
        rest = tail;
    }
    Some(sum)
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
