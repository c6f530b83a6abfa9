//! NVIDIA fat binaries: GPU code for several architectures, in one file or ELF section.
//!
//! Specified by "NVIDIA Fat Binary Format Specification" (*document*), which was found by taking
//! `cuobjdump` apart, and corrected where real files and the NVIDIA tools disagree with it
//! (*observed*). Where both differ the real files decide; the doc comment of the field says so.
//!
//! [`Region`] is a raw file or the section of a library, [`Container`] a header with its entries;
//! with the feature `std`, the module `file` finds them inside ELF files and archives. A writer
//! computes the sizes of containers, and of each entry the lengths and places of what it consists of.
//!
//! ```
//! # #[cfg(feature = "std")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use binfmt_formats::BinFormat;
//! use binfmt_formats::fatbin::{Container, Entry, Item, Kind, Region};
//!
//! let entries = [Entry::plain(Kind::Ptx, 75, b"// code"), Entry::plain(Kind::Elf, 90, b"\x7fELF")];
//! let written = Container::new(&entries).to_vec()?;
//!
//! let file = Region::parse(&written)?;
//! let mut kept = Vec::new();
//! for item in &file.items {
//!     let Item::Container(container) = item? else { continue };
//!     for entry in &container.entries {
//!         let entry = entry?;
//!         println!("{:?} for sm_{}: {} bytes", entry.kind, entry.arch, entry.stored_len);
//!         kept.extend((entry.arch >= 80).then_some(entry));
//!     }
//! }
//!
//! // Edited: what old devices need is gone.
//! let edited = Container::new(&kept).to_vec()?;
//! assert!(edited.len() < written.len() && Region::validate(&edited).is_ok());
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "std"))]
//! # fn main() {}
//! ```

mod arch;
#[cfg(feature = "codecs")]
mod build;
pub mod codec;
#[cfg(feature = "std")]
pub mod file;
#[cfg(feature = "elf")]
pub mod kernels;
mod kind;
#[cfg(feature = "codecs")]
pub mod payload;
#[cfg(feature = "std")]
mod summary;

use binfmt_runtime::{Auto, BinFormat, Seq};

pub use arch::Arch;
#[cfg(feature = "alloc")]
pub use arch::arch_name;
#[cfg(feature = "codecs")]
pub use build::{ArchError, BuildError, Change, Draft, container, is_raw, rebuild};
pub use kind::{Flags, Kind, Magic, RULES};
#[cfg(all(feature = "codecs", feature = "elf"))]
pub use summary::functions;
#[cfg(feature = "std")]
pub use summary::summary;

/// The bytes that every container of a real file starts with, on an offset that is a multiple of 4.
pub const MAGIC: [u8; 4] = [0x50, 0xED, 0x55, 0xBA];

/// Length of the fixed part of a container header (document, "Fat Binary Header").
pub const CONTAINER_HEADER_LEN: u64 = 16;

/// Length of the fixed part of an entry header (document, "Entry Structure").
pub const ENTRY_HEADER_LEN: u64 = 64;

/// What a raw file or a device-code section holds: containers, with zero words between them.
///
/// Fewer than 16 bytes behind the last container are ignored by `cuobjdump`, hence a warning.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, spec = "fat binary document, Multiple Containers")]
pub struct Region<'a> {
    /// Containers and the gaps between them.
    #[bin(until = remaining < 16, level(leftover = warning))]
    pub items: Seq<'a, Item<'a>>,
}

/// A container, or a word of the gap before one.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
pub enum Item<'a> {
    /// Eight zero bytes. No tool writes them into a file, `cuobjdump` steps over them.
    #[bin(magic = 0u64)]
    Gap,
    /// A container.
    Container(Container<'a>),
}

/// A header and any number of entries (document, "Fat Binary Header").
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, len = header_len + size, spec = "fat binary document, Fat Binary Header")]
pub struct Container<'a> {
    /// What the container calls itself.
    #[bin(warn(
        magic == Magic::Container,
        "the magic is that of the host-side wrapper; the document allows it, no tool writes it on a container", code = "fatbin.container.magic.wrapper"
    ))]
    pub magic: Magic,
    /// Version of the container; 1 in every known file, and checked by no NVIDIA tool.
    #[doc(alias = "version_low")]
    #[bin(warn(version == 1, "no tool writes container version {version}", code = "fatbin.container.version.known"))]
    pub version: u16,
    /// Where the first entry is; 16 in every known file, larger values are honoured.
    #[doc(alias = "version_high")]
    pub header_len: u16,
    /// Length of everything behind the header.
    #[doc(alias = "header_size")]
    pub size: u64,
    /// What follows the 16 known bytes of the header.
    #[bin(len = header_len - 16)]
    pub header_tail: &'a [u8],
    /// The entries. Fewer than 64 bytes behind the last one are no entry and are ignored by
    /// `cuobjdump`.
    #[bin(until = remaining < 64, level(leftover = warning))]
    pub entries: Seq<'a, Entry<'a>>,
}

/// One variant of the code: a header with strings, and the payload (document, "Entry Structure").
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, origin, spec = "fat binary document, Entry Structure")]
pub struct Entry<'a> {
    /// What the payload is.
    #[bin(warn(kind.is_known(), "no tool writes entries of kind {kind}", code = "fatbin.entry.kind.known"))]
    pub kind: Kind,
    /// Version of the entry; 0x101 in every known file.
    #[bin(warn(version == 0x101, "no tool writes entry version {version:#x}", code = "fatbin.entry.version.known"))]
    #[doc(alias = "unknown_02")]
    pub version: u16,
    /// Length of the header: 64 and the strings. The document lists three lengths; it is any
    /// multiple of 8.
    #[bin(
        check(header_len >= 64, "the header is shorter than its 64 fixed bytes", code = "fatbin.entry.header-len.min"),
        warn(header_len % 8 == 0, "the header does not end on 8 bytes, as every tool writes it", code = "fatbin.entry.header-len.align")
    )]
    #[doc(alias = "size")]
    pub header_len: u32,
    /// Room for the payload. The document has 32 bits and calls the rest padding.
    #[bin(warn(padded_len % 8 == 0, "the payload does not end on 8 bytes, as every tool writes it", code = "fatbin.entry.padded-len.align"))]
    #[doc(alias = "aligned_data_size")]
    pub padded_len: u64,
    /// Length of the payload, or 0 for all of `padded_len`, which is how plain payloads are stored.
    #[bin(calc = if stored_len == 0 && !flags.is_compressed() { 0 } else { len(payload) })]
    #[doc(alias = "data_size")]
    pub stored_len: u32,
    /// Where the options or the table of members are, from the start of the entry; 0 for none.
    /// Unknown to the document.
    #[doc(alias = "unknown_14")]
    #[bin(error(
        !kind.needs_options() || options_offset != 0,
        "entries of this kind have an options block or a table of members", code = "fatbin.entry.options-offset.missing"
    ))]
    pub options_offset: u32,
    /// Minor version of the code: of PTX, of the cubin's ABI. One 32-bit number in the document.
    #[doc(alias = "minor_version")]
    pub code_minor: u16,
    /// Major version of the code.
    pub code_major: u16,
    /// Number of the SM architecture: 90 for `sm_90`; 0 in concatenated entries.
    #[doc(alias = "sm_arch")]
    #[bin(error(kind.accepts_arch(arch), "there is no GPU architecture {arch}", code = "fatbin.entry.arch.range"))]
    pub arch: u32,
    /// Where the name is, from the start of the entry; 0 for none. The document says relocations.
    #[doc(alias = "reloc_offset")]
    pub name_offset: u32,
    /// Length of the name without its NUL.
    #[doc(alias = "reloc_size")]
    pub name_len: u32,
    /// How the code was compiled and stored.
    #[bin(
        error(flags.codec_count() <= 1, "several codecs are set; a payload is stored in one way", code = "fatbin.entry.flags.codec"),
        warn(flags.unknown_bits() == 0, "no tool sets some of these bits", code = "fatbin.entry.flags.known")
    )]
    pub flags: Flags,
    /// Key of an obfuscated payload, else 0. Reserved in the document.
    #[doc(alias = "reserved")]
    pub obfuscation_key: u64,
    /// Length of the decoded payload; 0 if it is stored plain.
    #[bin(
        error(
            uncompressed_len != 0 || !flags.is_compressed(),
            "the payload is compressed and its decoded length is 0", code = "fatbin.entry.uncompressed-len.missing"
        ),
        warn(uncompressed_len == 0 || flags.is_compressed(), "the payload is stored plain and has a decoded length", code = "fatbin.entry.uncompressed-len.unused")
    )]
    pub uncompressed_len: u64,
    /// The rest of the header: name and options, in the order and with the empty slots of the tool
    /// that wrote them. What no other field covers is kept from here.
    #[bin(section, len = header_len - 64)]
    pub strings: &'a [u8],
    /// The payload as it is stored.
    #[bin(
        len = if stored_len != 0 { stored_len } else { padded_len },
        align_after = 8,
        pad_to = padded_len
    )]
    pub payload: &'a [u8],
    /// The identifier that the entry was given, usually a source file name.
    #[bin(at = name_offset, null = 0, place = strings, len = name_len, nul, align_after = 8)]
    pub name: Option<&'a [u8]>,
    /// Options of the compiler that is to finish the code, or a list of capabilities.
    #[bin(
        if = kind != Kind::Concat, at = options_offset, null = 0, place = strings
    )]
    pub options: Option<Options<'a>>,
    /// The members of a concatenated entry, which share one payload.
    #[bin(
        if = kind == Kind::Concat, at = options_offset, place = strings,
        args(blob_len = if flags.is_compressed() { uncompressed_len } else { padded_len })
    )]
    pub members: Option<Members<'a>>,
}

/// Options as text, or capabilities as bytes. Not in the document.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, spec = "observed")]
pub struct Options<'a> {
    /// Where the options are, from the start of the entry: right behind `data_len`. Old tools
    /// write 0 for none.
    #[bin(calc = if data_offset == 0 { 0 } else { start(data) })]
    pub data_offset: u32,
    /// Length of the options.
    pub data_len: u32,
    /// The options.
    #[bin(if = data_offset != 0, len = data_len)]
    pub data: Option<&'a [u8]>,
    /// The rest of the slot that the options stand in: a NUL, and zeros up to 8 bytes. Behind
    /// capabilities it is not always zero, for some tools write more of them than `data_len` says.
    #[bin(if = data_offset != 0, len = align_up(data_len + 1, 8) - data_len)]
    pub slot_rest: Option<&'a [u8]>,
}

/// The table of a concatenated entry. Not in the document.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, len = table_len, args(blob_len: u64 = u64::MAX), rules = kind::members_do_not_overlap, spec = "observed")]
pub struct Members<'a> {
    /// How many members there are.
    member_count: Auto<u32>,
    /// Length of the table, with these 8 bytes.
    table_len: Auto<u32>,
    /// One record per member; they fill the table exactly.
    #[bin(count = member_count, args(blob_len))]
    pub members: Seq<'a, Member<'a>>,
}

/// One member of a concatenated entry: an entry header whose payload is a part of the decoded
/// blob. Not in the document.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, origin, args(blob_len: u64 = u64::MAX), spec = "observed")]
pub struct Member<'a> {
    /// What the member is.
    #[bin(
        error(kind.is_code(), "a member is code; it is neither empty nor concatenated itself", code = "fatbin.member.kind.code"),
        warn(kind.is_known(), "no tool writes members of kind {kind}", code = "fatbin.member.kind.known")
    )]
    pub kind: Kind,
    /// Version of the entry; 0x101 in every known file.
    #[bin(warn(version == 0x101, "no tool writes entry version {version:#x}", code = "fatbin.member.version.known"))]
    pub version: u16,
    /// Where the member starts in the decoded blob.
    pub blob_offset: u32,
    /// Length of the member in the decoded blob; a multiple of 8.
    #[bin(error(blob_offset + len <= blob_len, "the member reaches behind the {blob_len} bytes of the decoded payload", code = "fatbin.member.len.end"))]
    pub len: u64,
    /// 0: members are not compressed one by one.
    pub stored_len: u32,
    /// Where the options are, from the start of the record; 0 for none.
    pub options_offset: u32,
    /// Minor version of the code.
    pub code_minor: u16,
    /// Major version of the code.
    pub code_major: u16,
    /// Number of the SM architecture.
    #[bin(error(kind.accepts_arch(arch), "there is no GPU architecture {arch}", code = "fatbin.member.arch.range"))]
    pub arch: u32,
    /// Where the name is, from the start of the record; 0 for none.
    pub name_offset: u32,
    /// Length of the name without its NUL.
    pub name_len: u32,
    /// How the code was compiled; without a codec.
    pub flags: Flags,
    /// 0 in every known file.
    pub obfuscation_key: u64,
    /// 0 in every known file.
    pub uncompressed_len: u64,
    /// The identifier that the member was given.
    #[bin(at = name_offset, null = 0, len = name_len, nul, align_after = 8)]
    pub name: Option<&'a [u8]>,
    /// Options or capabilities.
    #[bin(at = options_offset, null = 0)]
    pub options: Option<Options<'a>>,
}

impl<'a> Entry<'a> {
    /// The name as bytes; empty for none.
    pub fn name_bytes(&self) -> &'a [u8] {
        self.name.unwrap_or_default()
    }

    /// A plain entry. The tools store plain payloads without their length, which needs a multiple of
    /// 8 bytes; any other payload is written with its length, as the document has it.
    pub fn plain(kind: Kind, arch: u32, payload: &'a [u8]) -> Self {
        Self {
            kind,
            version: 0x101,
            header_len: 0,
            padded_len: 0,
            stored_len: u32::from(!payload.len().is_multiple_of(8)),
            options_offset: 0,
            code_minor: 0,
            code_major: 0,
            arch,
            name_offset: 0,
            name_len: 0,
            flags: Flags::BITS_64 | Flags::HOST_LINUX,
            obfuscation_key: 0,
            uncompressed_len: 0,
            strings: b"",
            payload,
            name: None,
            options: kind.needs_options().then(|| Options::new(b"")),
            members: None,
        }
    }

    /// An entry whose payload is stored with a codec, and how many bytes it decodes to. With the
    /// feature `codecs`, `Draft` encodes it, too.
    pub fn compressed(
        kind: Kind,
        arch: u32,
        codec: codec::Codec,
        payload: &'a [u8],
        uncompressed_len: u64,
    ) -> Self {
        let plain = Self::plain(kind, arch, payload);
        Self { flags: plain.flags | codec.flag(), uncompressed_len, ..plain }
    }
}

impl<'a> Options<'a> {
    /// Options as today's tools write them.
    pub fn new(data: &'a [u8]) -> Self {
        const ZEROS: &[u8] = &[0; 8];
        let slot_rest = ZEROS.get(data.len() % 8..).unwrap_or_default();
        // Any offset but 0 says that there are options; the writer puts in the real one.
        Self { data_offset: 8, data_len: 0, data: Some(data), slot_rest: Some(slot_rest) }
    }
}

impl<'a> Container<'a> {
    /// A container as today's tools write it.
    pub fn new(entries: &'a [Entry<'a>]) -> Self {
        Self {
            magic: Magic::Container,
            version: 1,
            header_len: 16,
            size: 0,
            header_tail: b"",
            entries: Seq::from(entries),
        }
    }
}
