//! Tables inside other values: `for_each = group.offsets`, `for_each = groups.offsets`.

use binfmt_runtime::{Auto, BinFormat, Crc32, Leb128, laws};

use super::{findings, kept, refused, same, stopped};

/// A page of a database: rows from its start on, and in front of its end groups of their offsets.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, magic = b"PAGE", len = 64)]
struct Page<'a> {
    number: u16,
    groups_count: Auto<u8>,
    free: u8,
    #[bin(section, len = 56 - groups_count * 10)]
    heap: &'a [u8],
    #[bin(count = groups_count)]
    groups: Vec<Group>,
    #[bin(for_each = groups.offsets, if = group.present >> index & 1 != 0, at = it, base = heap,
        place = heap)]
    rows: Vec<Option<Row>>,
}

/// Where up to four rows are.
#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Group {
    offsets: [u16; 4],
    present: u16,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Row {
    id: u8,
    len: Auto<u8>,
    #[bin(len = len)]
    name: String,
}

fn row(id: u8, name: &str) -> Row {
    Row { id, len: Auto::new(), name: name.to_owned() }
}

fn page() -> Page<'static> {
    let group = |present| Group { present, offsets: [0; 4] };
    Page {
        number: 7,
        groups_count: Auto::new(),
        free: 9,
        heap: &[0; 36],
        groups: vec![group(0b1011), group(1)],
        rows: vec![
            Some(row(1, "ab")),
            Some(row(2, "")),
            None,
            Some(row(4, "c")),
            Some(row(5, "de")),
            None,
            None,
            None,
        ],
    }
}

const PAGE: &[u8] = b"PAGE\x07\0\x02\x09\
    \x01\x02ab\x02\0\x04\x01c\x05\x02de\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
    \0\0\x04\0\0\0\x06\0\x0b\0\x09\0\0\0\0\0\0\0\x01\0";

#[test]
fn rows_behind_a_bit_mask_are_written_from_scratch() {
    assert_eq!(page().to_vec().unwrap(), PAGE);
    let read = Page::parse(PAGE).unwrap();
    assert_eq!(read.rows, page().rows);
    assert_eq!(read.groups[0].offsets, [0, 4, 0, 6], "the offset of a missing row is kept");
    same(&read, PAGE);
    let mut stream = Vec::new();
    page().write_to(&mut stream).unwrap();
    assert_eq!((stream, page().encoded_len()), (PAGE.to_vec(), Ok(64)));
}

#[test]
fn a_row_that_grows_moves_and_others_stay() {
    let mut read = Page::parse(PAGE).unwrap();
    read.rows[1] = Some(row(2, "longer"));
    read.rows[2] = Some(row(3, "new"));
    read.groups[0].present |= 4;
    let bytes: &[u8] = read.to_vec().unwrap().leak();
    let again = Page::parse(bytes).unwrap();
    assert_eq!(again.rows, read.rows);
    assert_eq!(again.groups[0].offsets[0], 0);
    assert!(Page::validate(bytes).is_ok(), "{}", Page::validate(bytes));
    kept(&again, bytes);
}

#[test]
fn the_mask_and_the_rows_agree() {
    let mut absent = page();
    absent.rows[3] = None;
    assert_eq!(refused(&absent), "rows presence");
    let few = Page { rows: vec![None], ..page() };
    assert_eq!(refused(&few), "rows count");
    let mut wrong = PAGE.to_vec();
    wrong[46] = 0xff;
    assert_eq!(stopped::<Page<'_>>(wrong.leak()), "groups[0] offset");
    let mut overlapping = PAGE.to_vec();
    overlapping[54] = 8;
    assert_eq!(findings::<Page<'_>>(overlapping.leak())[0], "error rows[4] overlap");
}

/// A header with tables of numbers and of records, whose values follow it or lie elsewhere.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct File<'a> {
    kind: u8,
    head: Head,
    #[bin(for_each = head.sizes, len = it)]
    texts: Vec<&'a str>,
    #[bin(for_each = head.parts, at = it.at, len = it.len + group.extra, args(kind, number = index),
        align_before = 2, set(it.number = index + kind, it.id = value.id, it.len_too = len(value)))]
    parts: Vec<Part>,
    #[bin(for_each = head.parts, at = it.name_at, null = 0, nul)]
    names: Vec<Option<String>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Head {
    extra: u8,
    sizes: [u8; 3],
    #[bin(prefix = u8)]
    parts: Vec<Record>,
    checked: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big)]
struct Record {
    number: u16,
    at: u8,
    len: u8,
    id: u8,
    len_too: u8,
    name_at: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(kind: u8, number: u8))]
struct Part {
    #[bin(check(id >= kind + number, "{id} is too small"))]
    id: u8,
    #[bin(until_end)]
    rest: Vec<u8>,
}

#[test]
fn a_nested_value_holds_several_tables() {
    let part = |id, rest: &[u8]| Part { id, rest: rest.to_vec() };
    let record = || Record { number: 99, ..Record::default() };
    let head = Head { extra: 1, sizes: [0; 3], parts: vec![record(), record()], checked: 5 };
    let value = File {
        kind: 3,
        head,
        texts: vec!["a", "", "bc"],
        parts: vec![part(3, b"xy"), part(9, b"z")],
        names: vec![None, Some("n".into())],
    };
    let bytes: &[u8] = b"\x03\x01\x01\0\x02\x02\
        \0\x03\x18\x02\x03\x03\0\0\x04\x1c\x01\x09\x02\x1e\x05abc\x03xy\0\x09zn\0";
    let written = value.to_vec().unwrap();
    assert_eq!(written, bytes, "{written:02x?}");
    let read = File::parse(bytes).unwrap();
    assert_eq!((&read.texts, &read.parts, &read.names), (&value.texts, &value.parts, &value.names));
    same(&read, bytes);
    let mut wrong = bytes.to_vec();
    (wrong[14], wrong[11]) = (5, 9);
    let report = File::validate(&wrong);
    let paths: Vec<_> = report.errors().map(|one| (one.path.as_str(), one.code)).collect();
    assert_eq!(paths, [("head.parts[0].len_too", "derived"), ("head.parts[1].number", "derived")]);
    let mut cut = bytes.to_vec();
    cut[8] = 0xf0;
    assert_eq!(stopped::<File<'_>>(cut.leak()), "head offset");
}

/// A table that may be absent, one inside a value that may be, and one at an offset.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Maybe<'a> {
    flags: u8,
    table_at: u8,
    #[bin(flag = flags & 1, prefix = u8)]
    sizes: Option<Vec<u16>>,
    #[bin(for_each = sizes, len = it - 1)]
    texts: Vec<&'a str>,
    #[bin(flag = flags & 2)]
    holder: Option<Offsets>,
    #[bin(for_each = holder.offsets, at = it, if = it != 0, nul)]
    names: Vec<Option<&'a str>>,
    #[bin(at = table_at, null = 0)]
    records: Option<[Offsets; 2]>,
    #[bin(for_each = records.offsets, at = it)]
    numbers: Vec<u16>,
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Default)]
struct Offsets {
    offsets: [u8; 2],
}

#[test]
fn tables_may_be_absent() {
    let value = Maybe {
        flags: 3,
        table_at: 0,
        sizes: Some(vec![0, 0]),
        texts: vec!["ab", ""],
        holder: Some(Offsets { offsets: [9, 0] }),
        names: vec![Some("n"), None],
        records: Some([Offsets { offsets: [0; 2] }, Offsets { offsets: [0; 2] }]),
        numbers: vec![1, 2, 3, 4],
    };
    let bytes: &[u8] =
        b"\x03\x0b\x02\x03\0\x01\0ab\x17\0\x0f\x11\x13\x15\x01\0\x02\0\x03\0\x04\0n\0";
    let written = value.to_vec().unwrap();
    assert_eq!(written, bytes, "{written:02x?}");
    same(&Maybe::parse(bytes).unwrap(), bytes);
    let none = Maybe {
        sizes: None,
        texts: vec![],
        holder: None,
        names: vec![],
        records: None,
        numbers: vec![],
        ..value.clone()
    };
    assert_eq!(none.to_vec().unwrap(), b"\0\0");
    kept(&Maybe { flags: 0, ..none.clone() }, b"\0\0");
    assert_eq!(refused(&Maybe { texts: vec!["a"], ..none }), "texts count");
    assert_eq!(stopped::<Maybe<'_>>(b"\x01\0\x01\x09\0"), "sizes[0] size");
    assert_eq!(stopped::<Maybe<'_>>(b"\x02\0\x63\0"), "holder offset");
    assert_eq!(stopped::<Maybe<'_>>(b"\0\x02\x63\0\0\0"), "records[0] offset");
}

/// A header that holds a table says more, which the writer computes with the table or behind it.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Archive {
    #[bin(set(len = end(notes), notes_count = count(notes), kinds = len(notes)))]
    header: ArchiveHeader,
    #[bin(for_each = header.offsets, at = it, base = header, prefix = u8)]
    names: Vec<String>,
    #[bin(count = header.notes_count)]
    notes: Vec<u16>,
    #[bin(checksum(Crc32, over = header..=notes))]
    sum: u32,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct ArchiveHeader {
    len: Leb128<u32>,
    #[bin(prefix = u8)]
    offsets: Vec<u16>,
    notes_count: u8,
    kinds: Leb128<u16>,
    #[bin(checksum(Crc32, over = len..=kinds))]
    sum: u32,
}

#[test]
fn a_value_that_holds_a_table_says_more_that_is_computed() {
    let archive = |names: &[&str], notes: usize, old: u16| Archive {
        header: ArchiveHeader {
            len: u32::from(old).into(),
            offsets: vec![0; names.len()],
            notes_count: old.to_le_bytes()[0],
            kinds: old.into(),
            sum: 7,
        },
        names: names.iter().map(|&name| name.to_owned()).collect(),
        notes: vec![9; notes],
        sum: 1,
    };
    for names in [&[][..], &["a"], &["", "bc", "d"]] {
        for notes in [0, 1, 57, 63, 64, 200] {
            let written = laws::written_is_read(&archive(names, notes, 0), ()).unwrap().unwrap();
            // `len` is the first number: one byte, or two.
            let read = Archive::parse(written).unwrap();
            assert_eq!(usize::from(read.header.notes_count), notes);
            assert_eq!(usize::from(read.header.kinds.get()), notes * 2);
            let end = read.header.len.get();
            assert_eq!(written[usize::try_from(end).unwrap()..][..4], read.sum.to_le_bytes());
            assert!(Archive::is_valid(written));
            let other = archive(names, notes, 300).to_vec().unwrap();
            assert_eq!(Archive::parse(&other).unwrap().names, read.names, "{other:02x?}");
        }
    }
}

/// Tables deeper inside, by way of single values.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Deep {
    head: Outer,
    #[bin(for_each = head.part.offsets, at = it)]
    one: Vec<u8>,
    outers: [Outer; 2],
    #[bin(for_each = outers.part.offsets, at = it)]
    more: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Default)]
struct Outer {
    mark: u8,
    part: Offsets,
}

#[test]
fn tables_may_lie_in_parts_of_parts() {
    let (head, outers) = (Outer::default(), [Outer { mark: 7, ..Outer::default() }; 2]);
    let value = Deep { head, one: vec![1, 2], outers, more: vec![3, 4, 5, 6] };
    let bytes: &[u8] = value.to_vec().unwrap().leak();
    assert_eq!(bytes, b"\0\x09\x0a\x07\x0b\x0c\x07\x0d\x0e\x01\x02\x03\x04\x05\x06");
    same(&Deep::parse(bytes).unwrap(), bytes);
}
