//! Numbers at offsets that are known to lie in the bytes, for code that is written by hand.
#![allow(clippy::inline_always, clippy::missing_panics_doc, reason = "the caller has looked")]

#[inline(always)]
fn le<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes[at..at + N].try_into().expect("the range has N bytes")
}

/// 16 bits.
#[inline(always)]
pub fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(le(bytes, at))
}

/// 32 bits.
#[inline(always)]
pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(le(bytes, at))
}

/// 64 bits.
#[inline(always)]
pub fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(le(bytes, at))
}

/// A length of 32 bits.
#[inline(always)]
pub fn len_at(bytes: &[u8], at: usize) -> usize {
    u32_at(bytes, at) as usize
}

/// A length of 64 bits, if memory can have that many.
#[inline(always)]
pub fn long_at(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u64_at(bytes, at)).ok()
}
