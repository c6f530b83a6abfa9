//! The numbers of a fat binary that have names: magics, kinds and flags.

use binfmt_runtime::{BinFormat, Rules};
#[cfg(feature = "alloc")]
use binfmt_runtime::{Show, path};
use bitflags::bitflags;

use super::Members;
use super::codec::Codec;

/// What a container starts with.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(little)]
#[repr(u32)]
pub enum Magic {
    /// A container, relocatable or not.
    Container = 0xBA55_ED50,
    /// The host-side wrapper in `.nvFatBinSegment`, which the document takes for a container of
    /// relocatable code.
    Wrapper = 0x4662_43B1,
}

/// What the payload of an entry is (document, "Entry types"; observed).
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(little)]
#[repr(u16)]
pub enum Kind {
    /// An entry that has been disabled; readers skip it.
    Invalid = 0,
    /// PTX text.
    Ptx = 0x01,
    /// An ELF cubin.
    Elf = 0x02,
    /// A cubin of the time before ELF; never seen in a file.
    OldCubin = 0x04,
    /// LTO-IR, which links to code later.
    Nvvm = 0x08,
    /// An ELF cubin by the document and by `cuobjdump --list-elf`; never seen in a file.
    ElfAlternate = 0x10,
    /// An index; never seen in a file.
    Index = 0x20,
    /// PTX text that links to code later. The document does not know it.
    RelocPtx = 0x40,
    /// Tile IR; never seen in a file.
    TileIr = 0x80,
    /// Several members in one payload. The document does not know it.
    Concat = 0x100,
    /// Something newer.
    #[bin(other)]
    Other(u16),
}

impl Magic {
    /// What the bytes of a container begin with, either way.
    pub const BYTES: [[u8; 4]; 2] = [0xBA55_ED50_u32.to_le_bytes(), 0x4662_43B1_u32.to_le_bytes()];
}

impl core::fmt::Display for Kind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Invalid => f.write_str("0"),
            Self::Other(number) => write!(f, "{number:#x}"),
            known => f.write_str(known.name()),
        }
    }
}

impl Kind {
    /// The kind with that [name](Self::name).
    pub fn named(name: &str) -> Option<Self> {
        const NAMED: [Kind; 9] = [
            Kind::Ptx,
            Kind::Elf,
            Kind::OldCubin,
            Kind::Nvvm,
            Kind::Index,
            Kind::RelocPtx,
            Kind::TileIr,
            Kind::Concat,
            Kind::Invalid,
        ];
        NAMED.into_iter().filter(|kind| *kind != Self::Invalid).find(|kind| kind.name() == name)
    }

    /// Whether a tool is known to write it.
    pub const fn is_known(self) -> bool {
        !matches!(self, Self::Invalid | Self::Other(_))
    }

    /// Whether it may be a member of a concatenated entry: `cuobjdump` refuses empty and nested ones.
    pub const fn is_code(self) -> bool {
        !matches!(self, Self::Invalid | Self::Concat)
    }

    /// Whether the payload is an ELF file.
    pub const fn is_elf(self) -> bool {
        matches!(self, Self::Elf | Self::ElfAlternate)
    }

    /// Whether the payload is PTX text.
    pub const fn is_ptx(self) -> bool {
        matches!(self, Self::Ptx | Self::RelocPtx)
    }

    /// Whether code of this kind can be for that architecture: `cuobjdump` takes 999 for one, but
    /// neither 0 nor what no product will ever reach.
    pub const fn accepts_arch(self, arch: u32) -> bool {
        !(self.is_elf() || self.is_ptx()) || (arch != 0 && arch < 10_000)
    }

    /// Whether `cuobjdump` insists on an options block.
    pub const fn needs_options(self) -> bool {
        matches!(self, Self::Ptx | Self::TileIr | Self::Concat)
    }

    /// The name that reports use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ptx => "ptx",
            Self::Elf | Self::ElfAlternate => "elf",
            Self::OldCubin => "cubin",
            Self::Nvvm => "nvvm",
            Self::Index => "index",
            Self::RelocPtx => "reloc-ptx",
            Self::TileIr => "tile-ir",
            Self::Concat => "concat",
            Self::Invalid | Self::Other(_) => "unknown",
        }
    }
}

/// How the code of an entry was compiled and stored (observed; the document knows `ZSTD`).
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[bin(little, bitflags)]
pub struct Flags(pub u64);

bitflags! {
    impl Flags: u64 {
        /// Compiled for 64 bits.
        const BITS_64 = 0x1;
        /// Has debug information.
        const DEBUG = 0x2;
        /// Made by CUDA, if the producer was asked to say so.
        const CUDA = 0x4;
        /// Made by OpenCL, if the producer was asked to say so.
        const OPENCL = 0x8;
        /// For a Linux host.
        const HOST_LINUX = 0x10;
        /// For a macOS host.
        const HOST_MAC = 0x20;
        /// For a Windows host.
        const HOST_WINDOWS = 0x40;
        /// Stored as a zlib stream.
        const ZLIB = 0x1000;
        /// Stored as an LZ4 block.
        const LZ4 = 0x2000;
        /// Stored as an LZ4 frame.
        const LZ4_FRAME = 0x4000;
        /// Stored as zstd frames.
        const ZSTD = 0x8000;
        /// Obfuscated after it was compressed.
        const OBFUSCATED = 0x1_0000;
        /// For exactly this architecture: `sm_90a`.
        const ARCH_SPECIFIC = 0x10_0000;
        /// For the family of this architecture: `sm_100f`.
        const FAMILY_SPECIFIC = 0x20_0000;
        /// Has a list of capabilities in place of options.
        const CAPABILITIES = 0x100_0000;
    }
}

impl Flags {
    pub(super) const CODECS: Self =
        Self::ZLIB.union(Self::LZ4).union(Self::LZ4_FRAME).union(Self::ZSTD);

    /// Whether the payload is stored with a codec.
    pub const fn is_compressed(self) -> bool {
        self.intersects(Self::CODECS)
    }

    /// How many codecs are set; more than one is a contradiction.
    pub const fn codec_count(self) -> u32 {
        self.intersection(Self::CODECS).bits().count_ones()
    }

    /// Bits that have no name.
    pub const fn unknown_bits(self) -> u64 {
        self.bits() & !Self::all().bits()
    }

    /// How the payload is stored; of several codecs the first.
    pub const fn codec(self) -> Codec {
        if self.contains(Self::ZLIB) {
            Codec::Zlib
        } else if self.contains(Self::LZ4) {
            Codec::Lz4
        } else if self.contains(Self::LZ4_FRAME) {
            Codec::Lz4Frame
        } else if self.contains(Self::ZSTD) {
            Codec::Zstd
        } else {
            Codec::None
        }
    }

    /// The suffix of the architecture: `a`, `f` or nothing.
    pub const fn arch_suffix(self) -> &'static str {
        if self.contains(Self::ARCH_SPECIFIC) {
            "a"
        } else if self.contains(Self::FAMILY_SPECIFIC) {
            "f"
        } else {
            ""
        }
    }
}

binfmt_runtime::rule_table! {
    /// The rules of fat binaries that are checked by hand.
    pub const RULES;
    "observed" {
        OVERLAP: error "fatbin.members.members.overlap", "two members share bytes of the payload";
    }
}

/// Members share no bytes of the payload. A rule by hand, for it compares all items of a sequence.
#[cfg(feature = "alloc")]
pub(super) fn members_do_not_overlap(table: &Members<'_>, rules: &mut Rules<'_>) {
    if let Some((first, second)) = overlapping(table) {
        let values = (Show::Nothing, Show::Nothing);
        let detail = format_args!("those at {first:#x} and {second:#x}");
        rules.at(&path!(Members.members)).report_with(&OVERLAP, values, detail);
    }
}

/// Where two members start that overlap.
#[cfg(feature = "alloc")]
pub(super) fn overlapping(table: &Members<'_>) -> Option<(u64, u64)> {
    let members = table.members.iter().map_while(Result::ok);
    let mut ranges: alloc::vec::Vec<(u64, u64)> = members
        .map(|member| (u64::from(member.blob_offset), member.len))
        .filter(|range| range.1 > 0)
        .collect();
    ranges.sort_unstable();
    let mut pairs = ranges.iter().zip(ranges.iter().skip(1));
    pairs.find(|(a, b)| a.0.saturating_add(a.1) > b.0).map(|(a, b)| (a.0, b.0))
}

/// Without an allocator there is no validator to run rules.
#[cfg(not(feature = "alloc"))]
pub(super) fn members_do_not_overlap(_: &Members<'_>, _: &mut Rules<'_>) {}

#[cfg(all(test, feature = "std"))]
mod tests {
    use binfmt_runtime::{Auto, BinFormat as _, Seq};

    use super::super::{Member, Members};
    use super::{Flags, Kind, overlapping};

    /// Offsets and lengths of members, and where two of them start that overlap.
    type Case = (&'static [(u32, u64)], Option<(u64, u64)>);

    fn member(blob_offset: u32, len: u64) -> Member<'static> {
        Member {
            kind: Kind::Elf,
            version: 0x101,
            blob_offset,
            len,
            stored_len: 0,
            options_offset: 0,
            code_minor: 0,
            code_major: 0,
            arch: 90,
            name_offset: 0,
            name_len: 0,
            flags: Flags::BITS_64,
            obfuscation_key: 0,
            uncompressed_len: 0,
            name: None,
            options: None,
        }
    }

    #[test]
    fn members_share_no_bytes_but_empty_ones_have_none() {
        let cases: [Case; 7] = [
            (&[(0, 8), (8, 8)], None),
            (&[(8, 8), (0, 8)], None),
            (&[(0, 9), (8, 8)], Some((0, 8))),
            (&[(8, 8), (8, 8)], Some((8, 8))),
            (&[(0, 16), (8, 0)], None),
            (&[(0, 16), (0, 0), (16, 8)], None),
            (&[(0, 24), (8, 0), (16, 8)], Some((0, 16))),
        ];
        for (ranges, expected) in cases {
            let members: std::vec::Vec<_> =
                ranges.iter().map(|&(offset, len)| member(offset, len)).collect();
            let members = Seq::from(&members[..]);
            let table = Members { member_count: Auto::new(), table_len: Auto::new(), members };
            assert_eq!(overlapping(&table), expected, "{ranges:?}");
            let report = Members::validate(&table.to_vec().unwrap());
            let told = report.errors().any(|error| error.code == super::OVERLAP.code);
            assert_eq!(told, expected.is_some(), "{ranges:?}: {report}");
        }
    }
}
