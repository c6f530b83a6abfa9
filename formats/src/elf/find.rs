//! Ways through a file: sections by name, bytes by address.

use alloc::vec::Vec;
use core::ops::Range;

use super::kind::{SectionKind, SegmentKind, has_bytes};
use super::{Content, Dynamic, Elf, RelativeTable, Section, Segment, tag};
use crate::shared::wide;

impl<'a> Elf<'a> {
    /// All segments, in the order of their headers.
    pub fn segments(&self) -> impl Iterator<Item = Segment> + use<'a> {
        self.segments.into_iter().flat_map(|segments| segments.iter()).map_while(Result::ok)
    }

    /// All sections with what lies in them, in the order of their headers.
    pub fn sections(&self) -> impl Iterator<Item = (Section, Option<&Content<'a>>)> {
        let sections = self.sections.iter().map_while(Result::ok);
        sections.zip(self.contents.iter().map(Option::as_ref))
    }

    /// The name of a section, as bytes; empty where there is none.
    pub fn name_of(&self, section: &Section) -> &'a [u8] {
        self.name_at(section).unwrap_or_default()
    }

    pub(super) fn name_at(&self, section: &Section) -> Option<&'a [u8]> {
        let names = self.contents.get(usize::from(self.names_index))?.as_ref()?;
        names.text_at(section.name)
    }

    /// The first section of that name, and its index.
    pub fn section(&self, name: &[u8]) -> Option<(usize, Section)> {
        let mut sections = self.sections.iter().map_while(Result::ok).enumerate();
        sections.find(|(_, section)| self.name_of(section) == name)
    }

    /// Whether a section has bytes in the file.
    pub fn has_bytes(&self, section: &Section) -> bool {
        has_bytes(&self.machine, &section.kind)
    }

    /// What the dynamic linker is told, up to the tag that ends the list.
    pub fn dynamics(&self) -> impl Iterator<Item = Dynamic> {
        let table = self.contents.iter().flatten().find_map(|content| match content {
            Content::Dynamic(table) => Some(table.entries),
            _ => None,
        });
        let entries = table.into_iter().flat_map(|entries| entries.iter()).map_while(Result::ok);
        entries.take_while(|entry| entry.tag != tag::NULL)
    }

    /// The value of a dynamic tag.
    pub fn dynamic(&self, tag: u64) -> Option<u64> {
        self.dynamics().find(|entry| entry.tag == tag).map(|entry| entry.value)
    }

    /// What is where in memory.
    pub fn memory(&self) -> Memory {
        Memory { loads: self.segments().filter(|it| it.kind == SegmentKind::Load).collect() }
    }
}

impl<'a> Content<'a> {
    /// The text that begins there, without its NUL; of a section of texts.
    pub fn text_at(&self, at: u32) -> Option<&'a [u8]> {
        let Self::Bytes(SectionKind::Strings, texts) = self else { return None };
        texts.bytes.get(usize::try_from(at).ok()?..)?.split(|byte| *byte == 0).next()
    }
}

impl Content<'_> {
    /// The length of a section of texts.
    pub(super) fn texts_len(&self) -> Option<u64> {
        match self {
            Self::Bytes(SectionKind::Strings, texts) => Some(wide(texts.bytes.len())),
            _ => None,
        }
    }
}

impl SectionKind {
    /// How long the items of a table are.
    pub const fn item_len(self) -> Option<u64> {
        match self {
            Self::Symbols | Self::DynamicSymbols | Self::Relocations => Some(24),
            Self::Dynamic => Some(16),
            _ => None,
        }
    }
}

impl Dynamic {
    /// Whether the value is the address of a table in the file.
    pub const fn is_table(&self) -> bool {
        matches!(
            self.tag,
            tag::HASH
                | tag::STRINGS
                | tag::SYMBOLS
                | tag::RELOCATIONS
                | tag::PLT_RELOCATIONS
                | tag::RELATIVE
                | tag::GNU_HASH
                | tag::VERSIONS
                | tag::VERSIONS_DEFINED
                | tag::VERSIONS_NEEDED
        )
    }

    /// The length of an item that the value must be.
    pub(super) const fn item_len(&self) -> Option<u64> {
        match self.tag {
            tag::RELOCATION_LEN | tag::SYMBOL_LEN => Some(24),
            tag::RELATIVE_LEN => Some(8),
            _ => None,
        }
    }

    /// The kind of the only section that holds this table.
    pub(super) const fn section_kind(&self) -> Option<SectionKind> {
        match self.tag {
            tag::HASH => Some(SectionKind::Hash),
            tag::SYMBOLS => Some(SectionKind::DynamicSymbols),
            tag::GNU_HASH => Some(SectionKind::GnuHash),
            tag::VERSIONS => Some(SectionKind::GnuVersions),
            tag::VERSIONS_DEFINED => Some(SectionKind::GnuVersionsDefined),
            tag::VERSIONS_NEEDED => Some(SectionKind::GnuVersionsNeeded),
            tag::RELATIVE => Some(SectionKind::RelativeTable),
            _ => None,
        }
    }
}

impl RelativeTable<'_> {
    /// The addresses of all places.
    pub fn places(&self) -> impl Iterator<Item = u64> {
        let mut next = 0_u64;
        self.words.iter().map_while(Result::ok).flat_map(move |word| {
            let (first, bits) = if word & 1 == 0 { (word, 1) } else { (next, word >> 1) };
            next = first.wrapping_add(if word & 1 == 0 { 8 } else { 63 * 8 });
            let set = (0..63_u64).filter(move |bit| bits >> bit & 1 == 1);
            set.map(move |bit| first.wrapping_add(bit.wrapping_mul(8)))
        })
    }
}

impl Section {
    /// Where the section lies in the file.
    pub fn file_range(&self) -> Range<u64> {
        self.offset..self.offset.saturating_add(self.size)
    }
}

impl Segment {
    /// Where the segment lies in the file.
    pub fn file_range(&self) -> Range<u64> {
        self.offset..self.offset.saturating_add(self.file_size)
    }

    /// Where the bytes of the file lie in memory.
    pub fn mapped_range(&self) -> Range<u64> {
        self.address..self.address.saturating_add(self.file_size)
    }

    /// Where the segment lies in memory.
    pub fn memory_range(&self) -> Range<u64> {
        self.address..self.address.saturating_add(self.memory_size)
    }
}

/// Which bytes of a file are loaded to which addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// The loaded segments, in the order of their headers.
    pub loads: Vec<Segment>,
}

impl Memory {
    /// Where the byte at an address lies in the file.
    pub fn offset_of(&self, address: u64) -> Option<u64> {
        let load = self.loads.iter().find(|load| load.mapped_range().contains(&address))?;
        address.checked_sub(load.address)?.checked_add(load.offset)
    }

    /// The address to which a byte of the file is loaded.
    pub fn address_of(&self, offset: u64) -> Option<u64> {
        let load = self.loads.iter().find(|load| load.file_range().contains(&offset))?;
        offset.checked_sub(load.offset)?.checked_add(load.address)
    }

    /// Whether memory is reserved for an address, with or without bytes in the file.
    pub fn contains(&self, address: u64) -> bool {
        self.loads.iter().any(|load| load.memory_range().contains(&address))
    }

    /// Whether a range of the file is loaded as a whole, to that address and what follows it.
    pub fn maps(&self, offset: u64, len: u64, address: u64) -> bool {
        self.loads.iter().any(|load| {
            let file = load.file_range();
            let inside =
                file.start <= offset && offset.checked_add(len).is_some_and(|end| end <= file.end);
            inside && offset.wrapping_sub(load.offset) == address.wrapping_sub(load.address)
        })
    }
}
