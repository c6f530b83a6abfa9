//! Items of a table that have no value elsewhere.

use binfmt_runtime::{Auto, BinFormat};

use super::{findings, kept, refused, same, stopped};

/// A directory whose short values stand in the entries themselves.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = magic, magic = [b"II" => little, b"MM" => big])]
struct Directory<'a> {
    #[bin(magic)]
    mark: [u8; 2],
    count: Auto<u16>,
    #[bin(count = count, sorted_by = tag)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, if = it.is_outside(), at = it.value, len = it.count * 2)]
    values: Vec<Option<&'a [u8]>>,
}

/// So many numbers of two bytes, or the offset of them.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = inherit)]
struct Entry {
    tag: u8,
    count: u8,
    value: u32,
}

impl Entry {
    fn is_outside(&self) -> bool {
        self.count > 2
    }
}

fn entry(tag: u8, count: u8, value: u32) -> Entry {
    Entry { tag, count, value }
}

fn directory() -> Directory<'static> {
    Directory {
        mark: *b"MM",
        count: Auto::new(),
        entries: vec![entry(1, 2, 0x0102_0304), entry(2, 3, 0)],
        values: vec![None, Some(b"abcdef")],
    }
}

#[test]
fn an_item_without_a_value_elsewhere_keeps_its_numbers() {
    let bytes = b"MM\0\x02\x01\x02\x01\x02\x03\x04\x02\x03\0\0\0\x10abcdef";
    assert_eq!(directory().to_vec().unwrap(), bytes);
    let read = Directory::parse(bytes).unwrap();
    assert_eq!(read.entries, [entry(1, 2, 0x0102_0304), entry(2, 3, 16)]);
    same(&read, bytes);
    let little = b"II\x01\0\x01\x01\x09\0\0\0";
    same(&Directory::parse(little).unwrap(), little);
    assert_eq!(stopped::<Directory<'_>>(b"II\x01\0\x01\x03\x09\0\0\0ab"), "entries[0].count size");
}

#[test]
fn the_condition_and_the_value_agree() {
    let absent = Directory { values: vec![None, None], ..directory() };
    assert_eq!(refused(&absent), "values[1] presence");
    let mut present = directory();
    present.values[0] = Some(b"abcd");
    assert_eq!(refused(&present), "values[0] presence");
    // A value decides how many numbers there are; that is asked when the item has been set.
    let mut longer = directory();
    longer.values[1] = Some(b"abcdefgh");
    let bytes = longer.to_vec().unwrap().leak();
    let read = Directory::parse(bytes).unwrap();
    assert_eq!(read.entries[1], entry(2, 4, 16));
    kept(&read, bytes);
}

/// A size that speaks of memory where nothing is stored.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Sections<'a> {
    #[bin(prefix = u8)]
    headers: Vec<Header>,
    #[bin(for_each = headers, if = it.kind != 8, at = it.offset, len = it.size)]
    bodies: Vec<Option<&'a [u8]>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Header {
    kind: u8,
    offset: u8,
    size: u8,
}

#[test]
fn a_size_without_bytes_is_kept() {
    let header = |kind, offset, size| Header { kind, offset, size };
    let value = Sections {
        headers: vec![header(1, 7, 2), header(8, 9, 200)],
        bodies: vec![Some(b"ab"), None],
    };
    same(&value, b"\x02\x01\x07\x02\x08\x09\xc8ab");
    assert!(findings::<Sections<'_>>(b"\x02\x01\x07\x02\x08\x09\xc8ab").is_empty());
}

/// Values that are absent for two reasons.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Masked {
    mask: u8,
    #[bin(prefix = u8)]
    entries: Vec<Spot>,
    #[bin(for_each = entries, if = mask >> index & 1 != 0, at = it.at, null = 0, len = it.len)]
    values: Vec<Option<Vec<u8>>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Spot {
    at: u8,
    len: u8,
}

#[test]
fn an_offset_without_a_value_that_is_not_kept_is_told_of() {
    let entry = |at, len| Spot { at, len };
    let value = Masked {
        mask: 5,
        entries: vec![entry(8, 1), entry(0, 0), entry(0, 0)],
        values: vec![Some(b"x".to_vec()), None, None],
    };
    same(&value, b"\x05\x03\x08\x01\0\0\0\0x");
    let lost = b"\x05\x03\x08\x01\x07\0\0\0x";
    assert_eq!(findings::<Masked>(lost), ["warning values[1] canonical"]);
    let both = b"\x05\x03\x08\x01\x07\x02\0\0x";
    assert_eq!(findings::<Masked>(both), ["warning values[1] canonical"; 2]);
    assert_eq!(Masked::parse(both).unwrap().to_vec().unwrap(), value.to_vec().unwrap());
}

/// Places that no number makes 0.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Behind {
    unit: u8,
    #[bin(prefix = u8)]
    cells: Vec<Cell>,
    #[bin(for_each = cells, if = it.kind == 1, at = unit * it.at + 3, null = 0, len = 1)]
    values: Vec<Option<Vec<u8>>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Cell {
    kind: u8,
    at: u8,
}

#[test]
fn a_value_is_absent_where_its_offset_can_say_so() {
    let behind = |kind, value: Option<&[u8]>| Behind {
        unit: 1,
        cells: vec![Cell { kind, at: 0 }],
        values: vec![value.map(<[u8]>::to_vec)],
    };
    same(
        &Behind { cells: vec![Cell { kind: 1, at: 1 }], ..behind(1, Some(b"x")) },
        b"\x01\x01\x01\x01x",
    );
    assert_eq!(refused(&behind(1, None)), "values[0] derived");
}
