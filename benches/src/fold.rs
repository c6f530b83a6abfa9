//! What a contestant does with an entry: cheap, but nothing that it names can be left unread.

/// What is folded of an entry of a fat binary.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The stored number of the kind.
    pub kind: u16,
    /// The architecture.
    pub arch: u32,
    /// The flags.
    pub flags: u64,
    /// Its name; empty for none.
    pub name: &'a [u8],
    /// Its options; empty for none.
    pub options: &'a [u8],
    /// Its payload.
    pub payload: &'a [u8],
}

/// Folds a program of a VPT: both lengths and both first bytes.
#[inline(always)]
#[allow(clippy::inline_always, reason = "every contestant pays the same for it")]
pub fn program(sum: u64, name: &[u8], payload: &[u8]) -> u64 {
    let first = |bytes: &[u8]| u64::from(bytes.first().copied().unwrap_or_default());
    let lengths = (name.len() as u64) << 32 | payload.len() as u64;
    sum.rotate_left(5).wrapping_add(lengths ^ first(name) << 48 ^ first(payload) << 56)
}

/// Folds an entry of a fat binary: kind, architecture, flags, three lengths.
#[inline(always)]
#[allow(clippy::inline_always, reason = "every contestant pays the same for it")]
pub fn entry(sum: u64, entry: Entry<'_>) -> u64 {
    let numbers = u64::from(entry.kind) << 32 ^ u64::from(entry.arch) ^ entry.flags << 8;
    let strings = (entry.name.len() as u64) << 16 ^ (entry.options.len() as u64) << 40;
    sum.rotate_left(5).wrapping_add(numbers ^ strings ^ entry.payload.len() as u64)
}
