//! What lies in sections.

use binfmt_runtime::{BinFormat, Seq};

use super::kind::SectionKind;

/// The bytes of a section, as its kind says.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(tag = kind, args(kind: SectionKind))]
pub enum Content<'a> {
    /// Symbols, of either kind.
    #[bin(id = SectionKind::Symbols | SectionKind::DynamicSymbols)]
    Symbols(SectionKind, Symbols<'a>),
    /// Relocations with addends.
    #[bin(id = SectionKind::Relocations)]
    Relocations(Relocations<'a>),
    /// Packed relative relocations.
    #[bin(id = SectionKind::RelativeTable)]
    RelativeTable(RelativeTable<'a>),
    /// What the dynamic linker must know.
    #[bin(id = SectionKind::Dynamic)]
    Dynamic(Dynamics<'a>),
    /// Everything else.
    #[bin(other)]
    Bytes(SectionKind, Bytes<'a>),
}

/// The bytes of a section that is no table.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bytes<'a> {
    /// All of them.
    #[bin(until_end)]
    pub bytes: &'a [u8],
}

/// A table of symbols (gABI, Symbol Table).
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(endian = inherit, spec = "gABI, Symbol Table")]
pub struct Symbols<'a> {
    /// The symbols; the first one is empty.
    #[bin(until_end)]
    pub symbols: Seq<'a, Symbol>,
}

/// A name for an address (gABI, Symbol Table).
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq)]
#[bin(endian = inherit, spec = "gABI, Symbol Table")]
pub struct Symbol {
    /// Where its name is in the linked section of texts.
    pub name: u32,
    /// What it stands for (lower four bits), and who sees it (upper four).
    pub info: u8,
    /// Who sees it outside its file.
    pub other: u8,
    /// Index of the section that it lies in; 0 for a symbol of another file.
    pub section: u16,
    /// Its address, or its offset in the section of an object file.
    pub value: u64,
    /// Length of what it stands for.
    pub size: u64,
}

/// A table of relocations with addends (gABI, Relocation).
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(endian = inherit, spec = "gABI, Relocation")]
pub struct Relocations<'a> {
    /// The relocations.
    #[bin(until_end)]
    pub relocations: Seq<'a, Relocation>,
}

/// A place that a linker or loader computes (gABI, Relocation).
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq)]
#[bin(endian = inherit, spec = "gABI, Relocation")]
pub struct Relocation {
    /// The address of the place, or its offset in the section of an object file.
    pub place: u64,
    /// Index of a symbol (upper half), and how to compute (lower half).
    pub info: u64,
    /// What is added.
    pub addend: i64,
}

/// Relative relocations (gABI, Relative Relocation Table).
///
/// An even word is the address of a place; each odd one behind it tells with its upper 63 bits which
/// of the following 63 words are places, too.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(endian = inherit, spec = "gABI, Relative Relocation Table")]
pub struct RelativeTable<'a> {
    /// The words.
    #[bin(until_end)]
    pub words: Seq<'a, u64>,
}

/// What the dynamic linker must know (gABI, Dynamic Section).
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(endian = inherit, spec = "gABI, Dynamic Section")]
pub struct Dynamics<'a> {
    /// Tags and values; what follows the first tag 0 has no meaning.
    #[bin(until_end)]
    pub entries: Seq<'a, Dynamic>,
}

/// A tag and its value (gABI, Dynamic Section).
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq)]
#[bin(endian = inherit, spec = "gABI, Dynamic Section")]
pub struct Dynamic {
    /// What the value is; see [`tag`].
    pub tag: u64,
    /// An address or a number.
    pub value: u64,
}

/// Tags of [`Dynamic`] (gABI, Dynamic Section; LSB for those with `GNU` and versions).
pub mod tag {
    /// The end of the list.
    pub const NULL: u64 = 0;
    /// Length of the relocations of procedures.
    pub const PLT_RELOCATIONS_SIZE: u64 = 2;
    /// Address of the hash table of symbols.
    pub const HASH: u64 = 4;
    /// Address of the texts.
    pub const STRINGS: u64 = 5;
    /// Address of the symbols.
    pub const SYMBOLS: u64 = 6;
    /// Address of the relocations with addends.
    pub const RELOCATIONS: u64 = 7;
    /// Their length.
    pub const RELOCATIONS_SIZE: u64 = 8;
    /// Length of one.
    pub const RELOCATION_LEN: u64 = 9;
    /// Where the name of the library is in the texts.
    pub const NAME: u64 = 14;
    /// Length of a symbol.
    pub const SYMBOL_LEN: u64 = 11;
    /// Address of relocations without addends.
    pub const SHORT_RELOCATIONS: u64 = 17;
    /// Address of the relocations of procedures.
    pub const PLT_RELOCATIONS: u64 = 23;
    /// Length of the packed relative relocations.
    pub const RELATIVE_SIZE: u64 = 35;
    /// Their address.
    pub const RELATIVE: u64 = 36;
    /// Length of one word of them.
    pub const RELATIVE_LEN: u64 = 37;
    /// Address of relocations that Android packs.
    pub const ANDROID_RELOCATIONS: u64 = 0x6000_0011;
    /// Address of relative relocations that Android packs.
    pub const ANDROID_RELATIVE: u64 = 0x6FFF_E000;
    /// Address of the hash table of GNU.
    pub const GNU_HASH: u64 = 0x6FFF_FEF5;
    /// Address of the versions of symbols.
    pub const VERSIONS: u64 = 0x6FFF_FFF0;
    /// More flags.
    pub const FLAGS_1: u64 = 0x6FFF_FFFB;
    /// Address of the versions that are defined.
    pub const VERSIONS_DEFINED: u64 = 0x6FFF_FFFC;
    /// Address of the versions that are needed.
    pub const VERSIONS_NEEDED: u64 = 0x6FFF_FFFE;
}

impl Symbol {
    /// The kind of a symbol that stands for a section.
    pub const SECTION: u8 = 3;

    /// Whether the symbol lies in a section of this file.
    pub const fn is_defined(&self) -> bool {
        self.section != 0 && self.section < 0xFF00
    }

    /// What it stands for: 1 for data, 2 for a function, 3 for a section.
    pub const fn kind(&self) -> u8 {
        self.info & 15
    }
}

impl Relocation {
    /// Index of the symbol; 0 for none.
    pub const fn symbol(&self) -> u64 {
        self.info >> 32
    }

    /// How to compute; which numbers there are depends on the processor.
    pub const fn kind(&self) -> u64 {
        self.info & 0xFFFF_FFFF
    }
}
