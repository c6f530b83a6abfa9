//! ELF: object files, shared libraries and programs of 64 bits, in either byte order.
//!
//! Specified by the "System V Application Binary Interface", chapters 4 and 5 (*gABI*), and for what
//! GNU tools add by the "Linux Standard Base" (*LSB*) and by what these tools write (*observed*).
//! What lies in a section is read as its type says: tables of symbols, of relocations and of what
//! the dynamic linker is told are values, everything else is bytes.
//!
//! Files without section headers are not read, and neither are those whose header cannot count their
//! sections or segments (65,280 and more).
//!
//! [`Elf`] is a file. A writer counts sections and segments, and keeps the places of everything that
//! fits there.
//!
//! ```
//! # #[cfg(feature = "std")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/fatbin/");
//! use binfmt_formats::BinFormat;
//! use binfmt_formats::elf::Elf;
//!
//! let bytes = std::fs::read(format!("{folder}host13.o"))?;
//! let mut file = Elf::parse(&bytes)?;
//! for (section, _) in file.sections() {
//!     let name = String::from_utf8_lossy(file.name_of(&section));
//!     println!("{name} {:?} at {:#x}", section.kind, section.offset);
//! }
//!
//! // Written again: what nobody changed stays as it is.
//! assert_eq!(file.to_vec()?, bytes);
//!
//! file.flags = 1;
//! let edited = file.to_vec()?;
//! assert_eq!((edited.len(), Elf::parse(&edited)?.flags), (bytes.len(), 1));
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "std"))]
//! # fn main() {}
//! ```

mod content;
mod find;
mod kind;
mod rules;

use alloc::vec::Vec;

use binfmt_runtime::{Auto, BinFormat, Order, Reserved, Seq};

pub use content::{
    Bytes, Content, Dynamic, Dynamics, RelativeTable, Relocation, Relocations, Symbol, Symbols, tag,
};
pub use find::Memory;
pub use kind::{FileKind, Machine, SectionFlags, SectionKind, SegmentFlags, SegmentKind};
pub use rules::RULES;

/// Length of the file header.
pub const HEADER_LEN: u16 = 64;

/// Length of a program header.
pub const SEGMENT_LEN: u16 = 56;

/// Length of a section header.
pub const SECTION_LEN: u16 = 64;

/// A file: its header, the tables of segments and sections, and what lies in the sections.
///
/// Everything behind the header is kept in `body` where no other field covers it.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(endian = ident.order(), rules = rules::file, spec = "gABI, ELF Header")]
pub struct Elf<'a> {
    /// What can be known before numbers are read.
    pub ident: Ident,
    /// What the file is for.
    pub kind: FileKind,
    /// The processor that it was built for.
    pub machine: Machine,
    /// Version of the format.
    #[bin(error(version == 1, "there is no version {version} of ELF", code = "elf.elf.version.known"))]
    pub version: u32,
    /// Address at which a program starts, or 0.
    pub entry: u64,
    /// Where the program headers are; 0 for none.
    pub segments_at: u64,
    /// Where the section headers are.
    pub sections_at: u64,
    /// Flags of the processor.
    pub flags: u32,
    /// Length of this header.
    #[bin(error(header_len == HEADER_LEN, "a header of 64 bits has 64 bytes, not {header_len}", code = "elf.elf.header-len.known"))]
    pub header_len: u16,
    /// Length of a program header; of no meaning without one.
    #[bin(check(
        segments_at == 0 || segment_len == SEGMENT_LEN,
        "a program header of 64 bits has 56 bytes, not {segment_len}", code = "elf.elf.segment-len.known"
    ))]
    pub segment_len: u16,
    /// How many program headers there are.
    #[bin(check(segment_count != 0xFFFF, "there are more segments than the header can count, which is not read", code = "elf.elf.segment-count.range"))]
    segment_count: Auto<u16>,
    /// Length of a section header.
    #[bin(check(
        section_len == SECTION_LEN,
        "a section header of 64 bits has 64 bytes, not {section_len}", code = "elf.elf.section-len.known"
    ))]
    pub section_len: u16,
    /// How many section headers there are, the empty first one counted.
    #[bin(check(
        section_count != 0,
        "files without section headers, or with more than the header can count, are not read", code = "elf.elf.section-count.range"
    ))]
    section_count: Auto<u16>,
    /// Index of the section with the names of sections; 0 for none.
    #[bin(error(
        names_index == 0 || names_index < section_count,
        "there is no section {names_index} to hold the names of sections", code = "elf.elf.names-index.range"
    ))]
    pub names_index: u16,
    /// Everything behind the header.
    #[bin(section, until_end)]
    pub body: &'a [u8],
    /// The program headers: what is mapped to memory, and what a loader must know.
    #[bin(at = segments_at, null = 0, place = body, count = segment_count)]
    pub segments: Option<Seq<'a, Segment>>,
    /// The section headers: what the parts of the file are.
    #[bin(at = sections_at, place = body, count = section_count)]
    pub sections: Seq<'a, Section>,
    /// What lies in each section; nothing for those without bytes in the file.
    #[bin(
        for_each = sections, at = it.offset, len = it.size, place = body,
        if = kind::has_bytes(machine, it.kind), args(kind = it.kind)
    )]
    pub contents: Vec<Option<Content<'a>>>,
}

/// The first 16 bytes (gABI, ELF Identification).
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq)]
#[bin(magic = b"\x7fELF", spec = "gABI, ELF Identification")]
pub struct Ident {
    /// Width of addresses: 1 for 32 bits, 2 for 64.
    #[bin(check(class == 2, "the file is not one of 64 bits; others are not read", code = "elf.ident.class.known"))]
    pub class: u8,
    /// Byte order: 1 for the lowest byte first, 2 for the highest.
    #[bin(check(data == 1 || data == 2, "there is no byte order {data}", code = "elf.ident.data.known"))]
    pub data: u8,
    /// Version of the format.
    #[bin(error(version == 1, "there is no version {version} of ELF", code = "elf.ident.version.known"))]
    pub version: u8,
    /// Operating system or ABI whose extensions the file uses; 0 for none.
    pub abi: u8,
    /// Version of that ABI.
    pub abi_version: u8,
    padding: Reserved<7>,
}

impl Ident {
    /// The byte order of the file.
    pub const fn order(self) -> Order {
        if self.data == 2 { Order::Big } else { Order::Little }
    }
}

/// A program header (gABI, Program Header).
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq)]
#[bin(endian = inherit, spec = "gABI, Program Header")]
pub struct Segment {
    /// What the segment is for.
    pub kind: SegmentKind,
    /// What the mapped memory may be used for.
    pub flags: SegmentFlags,
    /// Where it lies in the file.
    pub offset: u64,
    /// Where it lies in memory.
    pub address: u64,
    /// Physical address, where that has a meaning.
    pub physical: u64,
    /// Its length in the file.
    pub file_size: u64,
    /// Its length in memory.
    #[bin(error(
        kind != SegmentKind::Load || file_size <= memory_size,
        "a segment has no more bytes in the file ({file_size}) than in memory ({memory_size})", code = "elf.segment.memory-size.min"
    ))]
    pub memory_size: u64,
    /// What file offset and address are equal modulo of; 0 and 1 for nothing.
    #[bin(
        error(kind::is_alignment(align), "{align:#x} is no power of two", code = "elf.segment.align.power"),
        error(
            kind != SegmentKind::Load || kind::agree(offset, address, align),
            "offset {offset:#x} and address {address:#x} differ modulo {align:#x}, so the segment cannot be mapped", code = "elf.segment.align.offset"
        )
    )]
    pub align: u64,
}

/// A section header (gABI, Section Header).
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq)]
#[bin(endian = inherit, spec = "gABI, Section Header")]
pub struct Section {
    /// Where its name is in the section of names.
    pub name: u32,
    /// What lies in it.
    pub kind: SectionKind,
    /// How it is used.
    pub flags: SectionFlags,
    /// Where it lies in memory, or 0.
    pub address: u64,
    /// Where it lies in the file.
    pub offset: u64,
    /// Its length, in memory alone for a section without bytes in the file.
    pub size: u64,
    /// Index of another section; which one depends on the kind.
    pub link: u32,
    /// More; what depends on the kind.
    pub info: u32,
    /// What the address is a multiple of; 0 and 1 for nothing. Linkers are known to get it wrong for
    /// sections without bytes (*observed*), so that is a warning.
    #[bin(
        error(
            kind::is_alignment(align),
            "{align:#x} is no power of two",
            code = "elf.section.align.power"
        ),
        warn(
            kind::agree(address, 0, align),
            "the address {address:#x} is no multiple of {align:#x}",
            code = "elf.section.align.address"
        )
    )]
    pub align: u64,
    /// Length of an item, of a section that is a table of such.
    pub entry_size: u64,
}
