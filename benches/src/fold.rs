//! What a contestant does with an entry: cheap, but nothing that it names can be left unread.

/// A kind of code, told by a `match` as a user would. The derived reader has an enum that keeps
/// unknown numbers; to fold the stored number instead costs it a second `match` over all of them,
/// and the hand-written loop nothing.
#[derive(Clone, Copy, Debug)]
pub enum Class {
    /// PTX text.
    Ptx = 1,
    /// A cubin.
    Elf = 2,
    /// Anything else.
    Other = 3,
}

impl Class {
    /// The class of a stored number.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "every contestant pays the same for it")]
    pub fn of(kind: u16) -> Self {
        match kind {
            1 => Self::Ptx,
            2 => Self::Elf,
            _ => Self::Other,
        }
    }
}

/// What is folded of an entry of a fat binary.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// What kind of code it is.
    pub class: Class,
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
    let numbers = (entry.class as u64) << 32 ^ u64::from(entry.arch) ^ entry.flags << 8;
    let strings = (entry.name.len() as u64) << 16 ^ (entry.options.len() as u64) << 40;
    sum.rotate_left(5).wrapping_add(numbers ^ strings ^ entry.payload.len() as u64)
}

/// A record of the plain table.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// The first number.
    pub id: u32,
    /// The second one.
    pub kind: u16,
    /// The third one.
    pub flags: u16,
    /// The fourth one.
    pub offset: u64,
    /// The fifth one.
    pub size: u64,
    /// The sixth one.
    pub checksum: u32,
    /// The last one.
    pub alignment: u32,
}

/// Folds a record of the plain table: all seven numbers.
#[inline(always)]
#[allow(clippy::inline_always, reason = "every contestant pays the same for it")]
pub fn record(sum: u64, record: Record) -> u64 {
    let short = u64::from(record.kind) << 16 ^ u64::from(record.flags);
    let words = u64::from(record.id) << 32 ^ u64::from(record.checksum) << 8;
    let long = record.offset ^ record.size.rotate_left(20) ^ u64::from(record.alignment) << 40;
    sum.rotate_left(5).wrapping_add(short ^ words ^ long)
}

/// Folds a value of a union: its tag and all its numbers.
#[inline(always)]
#[allow(clippy::inline_always, reason = "every contestant pays the same for it")]
pub fn numbers(sum: u64, tag: u64, numbers: &[u64]) -> u64 {
    numbers.iter().fold(sum ^ tag, |sum, number| sum.rotate_left(5).wrapping_add(*number))
}

/// Folds a payload: its length and its first and last byte.
#[inline(always)]
#[allow(clippy::inline_always, reason = "every contestant pays the same for it")]
pub fn ends(payload: &[u8]) -> u64 {
    let byte = |byte: Option<&u8>| u64::from(byte.copied().unwrap_or_default());
    (payload.len() as u64) << 16 ^ byte(payload.first()) << 8 ^ byte(payload.last())
}

/// A named tensor.
#[derive(Clone, Copy, Debug)]
pub struct Tensor<'a> {
    /// Its name.
    pub key: &'a str,
    /// Whether its elements are 32-bit floats.
    pub is_float: bool,
    /// How many elements it has.
    pub elements: u64,
    /// The order of its dimensions.
    pub order: &'a [u8],
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// Folds a tensor.
#[inline(always)]
#[allow(clippy::inline_always, reason = "every contestant pays the same for it")]
pub fn tensor(sum: u64, tensor: Tensor<'_>) -> u64 {
    let layout =
        tensor.elements << 24 ^ (tensor.order.len() as u64) << 16 ^ u64::from(tensor.is_float);
    program(sum ^ layout, tensor.key.as_bytes(), tensor.bytes)
}

/// Folds an index, or a size.
#[inline(always)]
#[allow(clippy::inline_always, reason = "every contestant pays the same for it")]
pub fn index(numbers: u64, index: u32) -> u64 {
    numbers.rotate_left(5).wrapping_add(index.into())
}

/// Folds a node of a graph.
#[inline(always)]
#[allow(clippy::inline_always, reason = "every contestant pays the same for it")]
pub fn node(sum: u64, name: &str, kind: u8, numbers: u64) -> u64 {
    program(sum ^ numbers ^ u64::from(kind) << 32, name.as_bytes(), &[])
}

/// Folds what the crate `fatbinary` tells of an entry.
#[inline(always)]
#[allow(clippy::inline_always, reason = "every contestant pays the same for it")]
pub fn coarse(sum: u64, is_elf: bool, arch: u32, texts: [&[u8]; 2], len: usize) -> u64 {
    let [name, options] = texts;
    program(sum ^ u64::from(is_elf) << 40 ^ u64::from(arch) << 20 ^ len as u64, name, options)
}
