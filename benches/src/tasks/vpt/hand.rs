//! What an expert writes: safe Rust over a shrinking slice, one bounds check per header, every
//! length checked.
//!
//! The loop stops exactly where the derived reader stops (`tests/agree.rs`).

use crate::fold;
use crate::numbers::{len_at, u32_at};
use crate::race::Writer;

/// A program: name and payload.
type Program<'a> = (&'a [u8], &'a [u8]);

/// Walks a VPT in the document's layout.
#[inline(always)]
#[allow(clippy::inline_always, reason = "as if the loop stood where it is used")]
fn walk<'a>(file: &'a [u8], mut each: impl FnMut(Program<'a>)) -> Option<()> {
    let (header, rest) = file.split_first_chunk::<24>()?;
    if u32_at(header, 0) != 0x675C_3ED9 {
        return None;
    }
    let mut rest = rest.get(..len_at(header, 16).checked_sub(24)?)?;
    let count = len_at(header, 20);
    if count > rest.len() / 8 {
        return None;
    }
    for _ in 0..count {
        let (header, tail) = rest.split_first_chunk::<8>()?;
        let (name_len, payload_len) = (len_at(header, 0), len_at(header, 4));
        let (payload, tail) = tail.split_at_checked(payload_len)?;
        let (name, tail) = tail.split_at_checked(name_len)?;
        let padding = (name_len + payload_len).wrapping_neg() % 8;
        rest = tail.get(padding..)?;
        each((name, payload));
    }
    rest.is_empty().then_some(())
}

/// Reads a VPT without copying it.
pub fn read(file: &[u8]) -> Option<u64> {
    let mut sum = 0;
    walk(file, |(name, payload)| sum = fold::program(sum, name, payload))?;
    Some(sum)
}

/// Reads a VPT into values of its own.
pub fn own(file: &[u8]) -> Option<u64> {
    let mut programs = Vec::new();
    walk(file, |(name, payload)| programs.push((name.to_vec(), payload.to_vec())))?;
    Some(programs.iter().fold(0, |sum, (name, payload)| fold::program(sum, name, payload)))
}

/// Whether a VPT can be read.
pub fn is_valid(file: &[u8]) -> Option<u64> {
    walk(file, |_| ()).map(|()| 1)
}

/// Writes the VPT again.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let mut programs: Vec<Program<'_>> = Vec::new();
    walk(file, |program| programs.push(program))?;
    Some(Box::new(move || {
        let len =
            |program: &Program<'_>| (8 + program.0.len() + program.1.len()).next_multiple_of(8);
        let size = 24 + programs.iter().map(len).sum::<usize>();
        let mut out = Vec::with_capacity(size);
        out.extend(0x675C_3ED9_u32.to_le_bytes());
        out.extend(0_u32.to_le_bytes());
        out.extend(1_u32.to_le_bytes());
        out.extend(0x00C0_FFEE_u32.to_le_bytes());
        out.extend(u32::try_from(size).ok()?.to_le_bytes());
        out.extend(u32::try_from(programs.len()).ok()?.to_le_bytes());
        for (name, payload) in &programs {
            out.extend(u32::try_from(name.len()).ok()?.to_le_bytes());
            out.extend(u32::try_from(payload.len()).ok()?.to_le_bytes());
            out.extend_from_slice(payload);
            out.extend_from_slice(name);
            out.resize(out.len().next_multiple_of(8), 0);
        }
        Some(out)
    }))
}
