//! The numbers of an ELF file that have names.

use binfmt_runtime::BinFormat;
use bitflags::bitflags;

/// What a file is for (gABI, ELF Header).
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(endian = inherit)]
#[repr(u16)]
pub enum FileKind {
    /// An object file, to be linked.
    Relocatable = 1,
    /// A program at fixed addresses.
    Executable = 2,
    /// A shared library, or a program that can lie anywhere.
    Shared = 3,
    /// The memory of a process that ended.
    Core = 4,
    /// Something else.
    #[bin(other)]
    Other(u16),
}

/// The processors that are told apart here (gABI, ELF Header).
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(endian = inherit)]
#[repr(u16)]
pub enum Machine {
    /// x86-64.
    X86_64 = 62,
    /// 64-bit Arm.
    Aarch64 = 183,
    /// A GPU of NVIDIA.
    Cuda = 190,
    /// Another one.
    #[bin(other)]
    Other(u16),
}

/// What a segment is for (gABI, Program Header; LSB for the names with `Gnu`).
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(endian = inherit)]
#[repr(u32)]
pub enum SegmentKind {
    /// Nothing: an unused entry.
    Null = 0,
    /// Bytes that are mapped.
    Load = 1,
    /// What the dynamic linker must know.
    Dynamic = 2,
    /// The path of the dynamic linker.
    Interpreter = 3,
    /// Notes.
    Note = 4,
    /// The table of program headers itself.
    Headers = 6,
    /// The first values of thread-local variables.
    ThreadLocal = 7,
    /// Where handlers of exceptions are looked up.
    GnuExceptionFrames = 0x6474_E550,
    /// Whether the stack may hold code.
    GnuStack = 0x6474_E551,
    /// What becomes read-only after relocation.
    GnuReadOnly = 0x6474_E552,
    /// Properties of the code.
    GnuProperty = 0x6474_E553,
    /// Something else.
    #[bin(other)]
    Other(u32),
}

/// What lies in a section (gABI, Sections; LSB for the names with `Gnu`).
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(endian = inherit)]
#[repr(u32)]
pub enum SectionKind {
    /// Nothing: an unused header.
    Null = 0,
    /// Bytes of the program.
    Program = 1,
    /// Symbols for linkers and debuggers.
    Symbols = 2,
    /// Texts.
    Strings = 3,
    /// Relocations with addends.
    Relocations = 4,
    /// A hash table of symbols.
    Hash = 5,
    /// What the dynamic linker must know.
    Dynamic = 6,
    /// Notes.
    Note = 7,
    /// Memory that starts as zeros, without bytes in the file.
    NoBytes = 8,
    /// Relocations whose addends lie where they are applied.
    ShortRelocations = 9,
    /// The symbols of the dynamic linker.
    DynamicSymbols = 11,
    /// Relative relocations, packed.
    RelativeTable = 19,
    /// The hash table of GNU.
    GnuHash = 0x6FFF_FFF6,
    /// Versions that are defined.
    GnuVersionsDefined = 0x6FFF_FFFD,
    /// Versions that are needed.
    GnuVersionsNeeded = 0x6FFF_FFFE,
    /// The versions of symbols.
    GnuVersions = 0x6FFF_FFFF,
    /// Something else.
    #[bin(other)]
    Other(u32),
}

/// What mapped memory may be used for (gABI, Segment Permissions).
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[bin(endian = inherit, bitflags)]
pub struct SegmentFlags(pub u32);

bitflags! {
    impl SegmentFlags: u32 {
        /// It may be executed.
        const EXECUTE = 1;
        /// It may be written.
        const WRITE = 2;
        /// It may be read.
        const READ = 4;
    }
}

/// How a section is used (gABI, Section Attribute Flags).
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[bin(endian = inherit, bitflags)]
pub struct SectionFlags(pub u64);

bitflags! {
    impl SectionFlags: u64 {
        /// Written while the program runs.
        const WRITE = 0x1;
        /// In memory while the program runs.
        const ALLOC = 0x2;
        /// Holds code.
        const EXECUTE = 0x4;
        /// Equal items may be merged.
        const MERGE = 0x10;
        /// Holds texts.
        const STRINGS = 0x20;
        /// `info` is the index of a section.
        const INFO_LINK = 0x40;
        /// The order of linked sections is kept.
        const LINK_ORDER = 0x80;
        /// Belongs to a group.
        const GROUP = 0x200;
        /// First values of thread-local variables.
        const THREAD_LOCAL = 0x400;
        /// The bytes are compressed.
        const COMPRESSED = 0x800;
    }
}

/// The section types of NVIDIA that stand for memory of the GPU, as `NoBytes` does: global, local,
/// shared and reserved shared. *Observed*: their ranges lie across other parts of the file or behind
/// its end.
const GPU_MEMORY: [u32; 4] = [0x7000_0007, 0x7000_0009, 0x7000_000A, 0x7000_0015];

/// Whether a section of that kind has bytes in the file.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "expressions of declarations pass fields as they are"
)]
pub(super) fn has_bytes(machine: &Machine, kind: &SectionKind) -> bool {
    match *kind {
        SectionKind::Null | SectionKind::NoBytes => false,
        SectionKind::Other(number) => *machine != Machine::Cuda || !GPU_MEMORY.contains(&number),
        _ => true,
    }
}

/// Whether a number can be an alignment.
pub(super) const fn is_alignment(align: u64) -> bool {
    align == 0 || align.is_power_of_two()
}

/// Whether two numbers are equal modulo an alignment; a broken one has its own rule.
pub(super) const fn agree(a: u64, b: u64, align: u64) -> bool {
    !align.is_power_of_two() || a & (align.wrapping_sub(1)) == b & (align.wrapping_sub(1))
}
