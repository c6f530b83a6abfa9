//! Offsets that count from the section in which their values lie, and places of sections.

use binfmt_runtime::{Auto, BinFormat};

use super::{findings, kept, same, stopped};

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
    assert_eq!(stopped::<Tensors<'_>>(b"T\x01\x04\x03abcdef"), "rows[0] size");
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
