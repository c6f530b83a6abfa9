//! Tables of ends, each counted from the one before: `len = it - (previous or first)`.

use binfmt_runtime::{Auto, BinFormat, Coded, Crc32, Leb128, Seq, encodings::Vlq, laws};

use super::{findings, refused, stopped};

/// An index of CFF: one offset more than there are objects, of which the first is a field of its own.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Index<'a> {
    count: Auto<u16>,
    #[bin(warn(first == 1, "offsets count from 1"))]
    first: u8,
    #[bin(count = count)]
    ends: Vec<u8>,
    #[bin(for_each = ends, len = it - (previous or first))]
    objects: Vec<&'a [u8]>,
    behind: u8,
}

fn index<'a>(objects: &[&'a str]) -> Index<'a> {
    let objects: Vec<&[u8]> = objects.iter().map(|object| object.as_bytes()).collect();
    Index { count: Auto::new(), first: 1, ends: vec![0; objects.len()], objects, behind: 9 }
}

#[test]
fn indexes_obey_the_laws() {
    laws!(
        Index<'_>,
        [b"\0\x03\x01\x03\x03\x04abc\x09"],
        values = [index(&[]), index(&[""]), index(&["ab", "", "cde", ""])],
    );
}

#[test]
fn values_without_bytes_lie_between_others() {
    assert_eq!(index(&["ab", "", "c"]).to_vec().unwrap(), b"\0\x03\x01\x03\x03\x04abc\x09");
    // Where the first one begins is a number of its own, which nothing computes.
    let moved = Index { first: 4, ..index(&["ab", "c"]) };
    assert_eq!(moved.to_vec().unwrap(), b"\0\x02\x04\x06\x07abc\x09");
    assert_eq!(findings::<Index<'_>>(b"\0\x01\x02\x03a\x09"), ["warning first Index.first"]);
}

#[test]
fn ends_are_written_as_the_values_have_them() {
    let mut changed = index(&["ab", "", "c"]);
    changed.ends = vec![200, 7, 0];
    assert_eq!(changed.to_vec().unwrap(), b"\0\x03\x01\x03\x03\x04abc\x09");
    changed.objects[0] = b"a";
    changed.objects[1] = b"xyz";
    assert_eq!(changed.to_vec().unwrap(), b"\0\x03\x01\x02\x05\x06axyzc\x09");
}

#[test]
fn ends_that_go_back_or_too_far_stop_a_reader() {
    assert_eq!(stopped::<Index<'_>>(b"\0\x02\x01\x03\x02ab\x09"), "ends[1] size");
    assert_eq!(stopped::<Index<'_>>(b"\0\x02\x01\x03\x09ab\x09"), "ends[1] size");
    assert_eq!(stopped::<Index<'_>>(b"\0\x01\x03\x02ab\x09"), "ends[0] size");
    let long = "x".repeat(200);
    assert_eq!(refused(&index(&[&long, &long])), "objects[1] overflow");
}

/// A compressed volume: absolute ends of 64 bits in items with more, lazy, the first block behind the table.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Volume<'a> {
    #[bin(prefix = u8)]
    rows: Seq<'a, Row>,
    #[bin(
        for_each = rows,
        len = it.place.end - (previous.place.end or end(rows)),
        args(kind = it.kind),
        checksum(Crc32, it.sum)
    )]
    blocks: Vec<Block<'a>>,
    #[bin(for_each = rows, len = it.name_len)]
    names: Vec<String>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Row {
    kind: u8,
    name_len: u8,
    place: Place,
    sum: u32,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Place {
    end: u64,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, args(kind: u8))]
struct Block<'a> {
    #[bin(if = kind == 1)]
    size: Option<u16>,
    #[bin(until_end)]
    data: &'a [u8],
}

#[test]
fn parts_of_items_of_lazy_tables_count_from_those_before() {
    let row = |kind, end, sum| Row { kind, name_len: 1, place: Place { end }, sum };
    let rows = [row(1, 0, 0), row(0, 3, 0)];
    let blocks = vec![Block { size: Some(7), data: b"ab" }, Block { size: None, data: b"cde" }];
    let names = vec!["x".to_owned(), "y".to_owned()];
    let volume = Volume { rows: Seq::from(&rows[..]), blocks, names };
    let bytes: &'static [u8] = volume.to_vec().unwrap().leak();
    let read = Volume::parse(bytes).unwrap();
    let ends: Vec<u64> = read.rows.iter().map(|row| row.unwrap().place.end).collect();
    assert_eq!(ends, [33, 36]);
    assert_eq!((&read.blocks, &read.names), (&volume.blocks, &volume.names));
    assert!(findings::<Volume<'_>>(bytes).is_empty());
    assert_eq!(read.to_vec().unwrap(), bytes);
}

/// Numbers of items, with a sign, in an array; and ends of variable length, of which one counts two bytes.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Tables {
    ends: [i8; 2],
    #[bin(for_each = ends, count = it - (previous or -3))]
    lists: Vec<Vec<u16>>,
    #[bin(prefix = u8)]
    halves: Vec<Leb128<u32>>,
    #[bin(for_each = halves, len = (it - (previous or 0)) * 2)]
    pairs: Vec<Vec<u8>>,
    #[bin(prefix = u8)]
    marks: Vec<Mark>,
    #[bin(for_each = marks, len = it.to - (align_up(previous.to, 4) or 0))]
    texts: Vec<String>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Mark {
    to: Coded<Vlq, u32>,
}

fn lists(pairs: usize) -> Tables {
    let mark = || Mark { to: Coded::from(0) };
    Tables {
        ends: [0; 2],
        lists: vec![vec![1, 2], vec![3]],
        halves: vec![0.into(), 0.into()],
        pairs: vec![vec![7; pairs * 2], vec![8; 2]],
        marks: vec![mark(), mark()],
        texts: vec!["abc".to_owned(), "de".to_owned()],
    }
}

#[test]
fn ends_of_any_kind_obey_the_laws() {
    laws!(Tables, values = [lists(0), lists(1), lists(90)]);
}

#[test]
fn ends_are_any_numbers() {
    let bytes = lists(200).to_vec().unwrap();
    assert_eq!(bytes[..12], *b"\xff\0\x01\0\x02\0\x03\0\x02\xc8\x01\xc9");
    assert!(bytes.ends_with(b"\x02\x03\x06abcde"));
}

/// What the value is made of follows from its end, which is known when it has been written.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Told {
    #[bin(prefix = u8)]
    ends: Vec<u8>,
    #[bin(for_each = ends, len = it - (previous or 0), args(end = it))]
    texts: Vec<Ending>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(end: u8))]
struct Ending {
    #[bin(pad_after = if end == 4 { 1 } else { 0 })]
    text: Text,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Text {
    #[bin(prefix = u8)]
    text: String,
}

#[test]
fn values_may_follow_from_their_ends() {
    let ending = |text: &str| Ending { text: Text { text: text.to_owned() } };
    let told = Told { ends: vec![0, 0], texts: vec![ending("a"), ending("bc")] };
    assert_eq!(told.to_vec().unwrap(), b"\x02\x02\x05\x01a\x02bc");
}
