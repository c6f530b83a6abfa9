//! `TrueType` and `OpenType` fonts: a directory with a checksum of each table, a checksum of the file
//! inside one of them, maps of characters that several encodings share, and names.
//!
//! The file was written by `fontTools`.

use binfmt_runtime::{Auto, BinFormat, Digest, Reserved, Seq, WordSum};

/// A font: the directory, which is sorted by name, and the tables, which lie as they like.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
pub(crate) struct Font<'a> {
    #[bin(one_of = [0x1_0000, 0x4f54_544f, 0x7472_7565])]
    pub(crate) version: u32,
    #[bin(calc = count(entries))]
    pub(crate) count: u16,
    #[bin(calc = (1 << u16::ilog2(max(count, 1))) * 16)]
    pub(crate) search_range: u16,
    #[bin(calc = u16::ilog2(max(count, 1)))]
    pub(crate) entry_selector: u16,
    #[bin(calc = count * 16 - search_range)]
    pub(crate) range_shift: u16,
    #[bin(count = count, sorted_by = tag, unique = tag)]
    pub(crate) entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.offset, len = it.len, align_after = 4,
        args(tag = it.tag), checksum(WordSum<u32>, it.sum))]
    pub(crate) tables: Vec<Table<'a>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big)]
pub(crate) struct Entry {
    pub(crate) tag: [u8; 4],
    pub(crate) sum: u32,
    pub(crate) offset: u32,
    pub(crate) len: u32,
}

/// What makes the sum of the file what it has to be.
#[derive(Default)]
pub(crate) struct Adjustment(WordSum<u32>);

impl Digest for Adjustment {
    type Sum = u32;

    fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(self) -> u32 {
        0xb1b0_afba_u32.wrapping_sub(self.0.finish())
    }
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(tag = tag, args(tag: [u8; 4]))]
pub(crate) enum Table<'a> {
    #[bin(id = b"head")]
    Head(Head),
    #[bin(id = b"cmap")]
    Cmap(Cmap<'a>),
    #[bin(id = b"maxp")]
    Maxp(Maxp<'a>),
    #[bin(id = b"name")]
    Name(Naming<'a>),
    #[bin(other)]
    Other([u8; 4], Bytes<'a>),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
pub(crate) struct Bytes<'a> {
    #[bin(until_end)]
    pub(crate) bytes: &'a [u8],
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
pub(crate) struct Head {
    pub(crate) version: u32,
    pub(crate) revision: u32,
    /// Counts as zero in the checksum of its table, as that of the file comes last.
    #[bin(checksum(Adjustment, over = file))]
    pub(crate) adjustment: u32,
    #[bin(magic = 0x5f0f_3cf5u32)]
    pub(crate) flags: u16,
    #[bin(range = 16..=16384)]
    pub(crate) units: u16,
    pub(crate) created: i64,
    pub(crate) modified: i64,
    pub(crate) bounds: [i16; 4],
    pub(crate) style: u16,
    pub(crate) lowest: u16,
    pub(crate) direction: i16,
    pub(crate) long_offsets: i16,
    pub(crate) format: i16,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
pub(crate) struct Maxp<'a> {
    pub(crate) version: u32,
    pub(crate) glyphs: u16,
    #[bin(until_end)]
    pub(crate) limits: Seq<'a, u16>,
}

/// Maps from characters to glyphs; encodings with the same map share it.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
pub(crate) struct Cmap<'a> {
    pub(crate) version: u16,
    pub(crate) count: Auto<u16>,
    #[bin(count = count)]
    pub(crate) encodings: Vec<Encoded>,
    #[bin(for_each = encodings, at = it.offset, base = start, shared)]
    pub(crate) maps: Vec<Map<'a>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
pub(crate) struct Encoded {
    pub(crate) platform: u16,
    pub(crate) encoding: u16,
    pub(crate) offset: u32,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
pub(crate) enum Map<'a> {
    #[bin(magic = 0u16)]
    Bytes(ByteMap),
    #[bin(magic = 4u16)]
    Segments(Segments<'a>),
    #[bin(magic = 6u16)]
    Trimmed(Trimmed<'a>),
    #[bin(magic = 12u16)]
    Groups(Grouped<'a>),
    #[bin(magic = 14u16)]
    Variations(Variations<'a>),
    Other(Short<'a>),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
pub(crate) struct ByteMap {
    #[bin(magic = 262u16)]
    pub(crate) language: u16,
    pub(crate) glyphs: [u8; 256],
}

/// Four lists, each with an item for every range of characters.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, len = len - 2)]
pub(crate) struct Segments<'a> {
    pub(crate) len: Auto<u16>,
    pub(crate) language: u16,
    pub(crate) double: Auto<u16>,
    #[bin(calc = 1 << u16::ilog2(max(double, 2)))]
    pub(crate) search_range: u16,
    #[bin(calc = u16::ilog2(max(double, 2)) - 1)]
    pub(crate) entry_selector: u16,
    #[bin(calc = double - search_range)]
    pub(crate) range_shift: u16,
    #[bin(len = double)]
    pub(crate) ends: Seq<'a, u16>,
    pub(crate) reserved: Reserved<2>,
    #[bin(len = double)]
    pub(crate) starts: Seq<'a, u16>,
    #[bin(len = double)]
    pub(crate) deltas: Seq<'a, i16>,
    #[bin(len = double)]
    pub(crate) offsets: Seq<'a, u16>,
    #[bin(until_end)]
    pub(crate) glyphs: Seq<'a, u16>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, len = len - 2)]
pub(crate) struct Trimmed<'a> {
    pub(crate) len: Auto<u16>,
    pub(crate) language: u16,
    pub(crate) first: u16,
    pub(crate) count: Auto<u16>,
    #[bin(count = count)]
    pub(crate) glyphs: Seq<'a, u16>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, len = len - 2)]
pub(crate) struct Grouped<'a> {
    pub(crate) reserved: Reserved<2>,
    pub(crate) len: Auto<u32>,
    pub(crate) language: u32,
    pub(crate) count: Auto<u32>,
    /// The first and the last character, and the glyph of the first one.
    #[bin(count = count)]
    pub(crate) groups: Seq<'a, [u32; 3]>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, len = len - 2)]
pub(crate) struct Variations<'a> {
    pub(crate) len: Auto<u32>,
    #[bin(until_end)]
    pub(crate) selectors: &'a [u8],
}

/// A map in a format of its own.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, len = len)]
pub(crate) struct Short<'a> {
    pub(crate) format: u16,
    pub(crate) len: Auto<u16>,
    #[bin(until_end)]
    pub(crate) bytes: &'a [u8],
}

/// Names in several languages; what they do not cover of the storage is kept.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, origin)]
pub(crate) struct Naming<'a> {
    pub(crate) version: u16,
    pub(crate) count: Auto<u16>,
    #[bin(calc = start(storage))]
    pub(crate) storage_at: u16,
    #[bin(count = count)]
    pub(crate) records: Vec<NameRecord>,
    #[bin(if = version > 0, prefix = u16)]
    pub(crate) languages: Option<Vec<[u16; 2]>>,
    #[bin(section, until_end)]
    pub(crate) storage: &'a [u8],
    #[bin(for_each = records, at = it.offset, base = storage, place = storage, len = it.len, shared)]
    pub(crate) names: Vec<&'a [u8]>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
pub(crate) struct NameRecord {
    pub(crate) platform: u16,
    pub(crate) encoding: u16,
    pub(crate) language: u16,
    pub(crate) name: u16,
    pub(crate) len: u16,
    pub(crate) offset: u16,
}

pub(crate) const FILE: &[u8] = include_bytes!("files/fonttools.ttf");

fn main() -> std::process::ExitCode {
    binfmt_tool::main_or(&[binfmt_tool::format::<Font<'_>>("truetype")], show)
}

pub(crate) fn show() -> Result<(), Box<dyn std::error::Error>> {
    assert!(Font::validate(FILE).is_ok(), "{}", Font::validate(FILE));
    let font = Font::parse(FILE)?;
    assert_eq!(font.to_vec()?, FILE);
    let bytes = grown(font)?;
    assert!(Font::validate(&bytes).is_ok(), "{}", Font::validate(&bytes));
    let read = Font::parse(&bytes)?;
    assert_eq!((read.tables.len(), read.to_vec()?.len()), (11, bytes.len()));
    Ok(())
}

/// The font under a longer name, and with one more table.
pub(crate) fn grown(mut font: Font<'_>) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    for table in &mut font.tables {
        let Table::Name(names) = table else { continue };
        let roman = names.records.iter().zip(&mut names.names);
        for (_, name) in roman.filter(|(record, _)| record.platform == 1 && record.name == 1) {
            *name = b"A name that is longer";
        }
    }
    let tag = *b"meta";
    font.entries.push(Entry { tag, ..Entry::default() });
    font.tables.push(Table::Other(
        tag,
        Bytes { bytes: &[0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
    ));
    let mut both: Vec<_> = font.entries.into_iter().zip(font.tables).collect();
    both.sort_by_key(|(entry, _)| entry.tag);
    (font.entries, font.tables) = both.into_iter().unzip();
    Ok(font.to_vec()?)
}
