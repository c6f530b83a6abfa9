//! Offsets that count from the section in which their values lie, and places of sections.

use binfmt_runtime::{Auto, BinFormat};

use super::{findings, kept, refused, same, stopped};

/// Tensors of which the header says where they lie in the data behind it.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, magic = b"T")]
struct Tensors<'a> {
    count: Auto<u8>,
    #[bin(count = count, align_after = 4)]
    rows: Vec<Row>,
    #[bin(section, until_end)]
    data: &'a [u8],
    #[bin(for_each = rows, at = it.offset, base = data, place = data, len = it.size, align_before = 2)]
    bodies: Vec<&'a [u8]>,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[bin(little)]
struct Row {
    offset: u8,
    size: u8,
}

fn rows(rows: &[(u8, u8)]) -> Vec<Row> {
    rows.iter().map(|(offset, size)| Row { offset: *offset, size: *size }).collect()
}

#[test]
fn offsets_count_from_the_section_that_holds_their_values() {
    let file = b"T\x02\x04\x02\x00\x03\0\0abc\0de.";
    let read = Tensors::parse(file).unwrap();
    assert_eq!(read.bodies, [&b"de"[..], b"abc"]);
    same(&read, file);
    assert_eq!(stopped::<Tensors<'_>>(b"T\x01\x04\x03abcdef"), "rows[0].size size");
}

#[test]
fn what_has_no_place_yet_gets_one_in_the_section() {
    let new = Tensors {
        count: Auto::new(),
        rows: rows(&[(0, 0), (0, 0)]),
        data: b"",
        bodies: vec![b"abc", b"de"],
    };
    let bytes = new.to_vec().unwrap();
    assert_eq!(bytes, b"T\x02\x00\x03\x04\x02\0\0abc\0de");

    // The first body no longer fits in front of the second one.
    let read = Tensors::parse(&bytes).unwrap();
    let grown = Tensors { bodies: vec![b"abcde", b"fg"], ..read };
    let bytes = grown.to_vec().unwrap().leak();
    let again = Tensors::parse(bytes).unwrap();
    assert_eq!(again.rows, rows(&[(0, 5), (6, 2)]));
    assert_eq!(again.bodies, grown.bodies);
    kept(&again, bytes);
}

/// A section whose place is told by what stands before it.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Placed<'a> {
    #[bin(calc = start(text))]
    text_at: u8,
    #[bin(calc = end(text))]
    text_end: Auto<u8>,
    other: u8,
    room: u8,
    #[bin(prefix = u8)]
    lead: &'a [u8],
    #[bin(section, len = room)]
    text: &'a [u8],
    more: u8,
    more_len: u8,
    #[bin(section, len = more_len)]
    more_text: &'a [u8],
    #[bin(at = other, base = text, place = text, len = 2)]
    here: &'a [u8],
    #[bin(at = more, base = text, place = more_text, len = 1)]
    there: &'a [u8],
}

#[test]
fn sections_tell_where_they_lie() {
    let file = b"\x06\x0a\x01\x04\x01-.ab.\x07\x02.c";
    same(&Placed::parse(file).unwrap(), file);
    let wrong = b"\x05\x0a\x01\x04\x01-.ab.\x07\x02.c";
    assert_eq!(findings::<Placed<'_>>(wrong)[0], "error text_at derived");

    // A longer text in front moves both sections; what is stored moves along.
    let moved = Placed { lead: b"---", ..Placed::parse(file).unwrap() };
    let bytes = moved.to_vec().unwrap();
    assert_eq!(bytes, b"\x08\x0c\x01\x04\x03---.ab.\x07\x02.c");
    assert_eq!(Placed::parse(&bytes).unwrap().there, b"c");
}

/// A section of a length that no field keeps, and one that ends where the trailer begins.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Trailed<'a> {
    #[bin(section, len = 2)]
    lead: &'a [u8],
    #[bin(section, len = remaining - 4)]
    body: &'a [u8],
    #[bin(magic = b"E")]
    lead_at: u8,
    rows_at: u8,
    count: u8,
    #[bin(at = lead_at, place = lead, len = 1)]
    first: &'a [u8],
    #[bin(at = rows_at, place = body, count = count)]
    rows: Vec<Row>,
    #[bin(for_each = rows, at = it.offset, place = body, len = it.size)]
    bodies: Vec<&'a [u8]>,
}

#[test]
fn a_section_may_end_where_a_trailer_begins() {
    let file = b".aXYZ\x02\x02\x04\x01E\x01\x05\x02";
    let read = Trailed::parse(file).unwrap();
    assert_eq!(read.bodies, [&b"XY"[..], b"Z"]);
    same(&read, file);
    assert_eq!(stopped::<Trailed<'_>>(b".aE\x01"), "body size");

    // What grows moves the trailer, and from nothing everything is placed anew.
    let bodies = vec![&b"long"[..], b"Z"];
    for body in [read.body, b""] {
        let grown = Trailed { bodies: bodies.clone(), body, ..read.clone() };
        let bytes = grown.to_vec().unwrap().leak();
        let again = Trailed::parse(bytes).unwrap();
        assert_eq!(again.bodies, bodies);
        kept(&again, bytes);
    }
}

#[test]
fn a_section_of_a_length_that_nothing_keeps_is_as_long_as_declared() {
    let value = Trailed { lead: b"..", ..Trailed::parse(b".aE\x01\x02\0").unwrap() };
    assert_eq!(value.to_vec().unwrap(), b".aE\x01\x02\0");
    for lead in [&b"..."[..], b"."] {
        assert_eq!(refused(&Trailed { lead, lead_at: 0, ..value.clone() }), "lead derived");
    }
    let long = Trailed { first: b"abc", ..value };
    assert_eq!(refused(&long), " space");
}

/// A section at an offset: a type has the section and the fields in it.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Apart<'a> {
    texts_at: Auto<u8>,
    texts_len: Auto<u8>,
    name: u8,
    #[bin(at = texts_at, len = texts_len, args(at = name))]
    texts: Texts<'a>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, args(at: u8))]
struct Texts<'a> {
    #[bin(section, len = remaining)]
    bytes: &'a [u8],
    #[bin(at = at, base = bytes, place = bytes, nul)]
    name: &'a str,
}

#[test]
fn a_section_at_an_offset_belongs_to_a_type() {
    let texts = |name| Texts { bytes: b"..cd\0", name };
    let apart = |texts| Apart { texts_at: Auto::new(), texts_len: Auto::new(), name: 2, texts };
    same(&apart(texts("cd")), b"\x03\x05\x02..cd\0");
    let changed = apart(texts("ef")).to_vec().unwrap();
    assert_eq!(changed, b"\x03\x05\x02..ef\0");
    assert_eq!(stopped::<Apart<'_>>(b"\x03\x05\x06..cd\0"), "texts.name offset");
}

/// A table whose places count from a number that leaves room in front.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Offset {
    base: u8,
    #[bin(prefix = u8)]
    recs: Vec<u8>,
    #[bin(for_each = recs, at = base + it)]
    bodies: Vec<Vec1>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Vec1 {
    #[bin(prefix = u8)]
    b: Vec<u8>,
}

#[test]
fn a_table_that_counts_from_a_number_is_written_anew() {
    let body = |b: &[u8]| Vec1 { b: b.into() };
    let value = Offset { base: 6, recs: vec![0, 0], bodies: vec![body(&[7]), body(&[8, 9])] };
    let bytes = b"\x06\x02\0\x02\0\0\x01\x07\x02\x08\x09";
    assert_eq!(value.to_vec().as_deref(), Ok(&bytes[..]));
    assert_eq!(value.compact().to_vec().as_deref(), Ok(&bytes[..]));
    let read = Offset { recs: vec![0, 2], ..value };
    same(&read, bytes);
    // What does not begin behind the numbers is moved there.
    let close = Offset { base: 1, ..read };
    let bytes = close.to_vec().unwrap().leak();
    assert_eq!(bytes, b"\x01\x02\x03\x05\x01\x07\x02\x08\x09");
    same(&Offset { recs: vec![3, 5], ..close }, bytes);
}
