//! Offsets and rooms that no field keeps: a file in which they are others is told from one that is
//! written as it was read.

use binfmt_runtime::{Auto, BinFormat};

use super::{findings, same};

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Floating<'a> {
    kept_at: u8,
    first_at: Auto<u8>,
    second_at: Auto<u8>,
    #[bin(at = second_at, null = 0, align_before = 4, len = 2)]
    second: Option<&'a [u8]>,
    #[bin(at = kept_at, len = 1)]
    kept: &'a [u8],
    #[bin(at = first_at, len = 1)]
    first: &'a [u8],
}

#[test]
fn a_value_whose_offset_is_not_kept_lies_where_the_writer_puts_it() {
    let value = |kept_at| Floating {
        kept_at,
        first_at: Auto::new(),
        second_at: Auto::new(),
        second: Some(b"cd"),
        kept: b"a",
        first: b"b",
    };
    same(&value(3), b"\x03\x06\x04acdb");
    same(&value(5), b"\x05\x0a\x08\0\0a\0\0cdb");
    same(&Floating { second: None, ..value(3) }, b"\x03\x04\0ab");
    let moved = ["warning first canonical", "warning second canonical"];
    assert_eq!(findings::<Floating<'_>>(b"\x03\x04\x05abcd"), moved);
    // Others in front of what is kept, with a gap that is not.
    let early = b"\x07\x03\x04bcd\0a";
    assert_eq!(
        findings::<Floating<'_>>(early),
        ["warning first canonical", "warning second canonical", "note  gap"]
    );
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct InSection<'a> {
    at: Auto<u8>,
    size: u8,
    #[bin(section, len = size)]
    room: &'a [u8],
    #[bin(at = at, place = room, nul)]
    name: &'a str,
}

#[test]
fn the_same_holds_in_a_section() {
    same(&InSection { at: Auto::new(), size: 4, room: b"ab\0c", name: "ab" }, b"\x02\x04ab\0c");
    assert_eq!(
        findings::<InSection<'_>>(b"\x03\x04cab\0"),
        ["warning  gap", "warning name canonical"]
    );
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Padded<'a> {
    room: Auto<u8>,
    len: Auto<u8>,
    #[bin(len = len, pad_to = room * 2, align_after = 4)]
    text: &'a str,
}

#[test]
fn a_room_that_is_not_kept_is_as_large_as_the_writer_makes_it() {
    same(&Padded { room: Auto::new(), len: Auto::new(), text: "abc" }, b"\x02\x03abc\0");
    assert_eq!(findings::<Padded<'_>>(b"\x03\x03abc\0\0\0"), ["warning room canonical"]);
    assert_eq!(findings::<Padded<'_>>(b"\x04\x03abc\0\0\0\0\0"), ["warning room canonical"]);
    assert_eq!(findings::<Padded<'_>>(b"\x00\x00"), Vec::<String>::new());
}

/// Offsets that are stored as multiples, with something added.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Multiples<'a> {
    first_at: Auto<u8>,
    second_at: u8,
    empty_at: Auto<u8>,
    #[bin(at = first_at * 4 + 2, len = 3)]
    first: &'a [u8],
    #[bin(at = second_at * 5, align_before = 2, len = 2)]
    second: &'a [u8],
    #[bin(at = 8 * empty_at, until_end)]
    empty: &'a [u8],
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Table {
    #[bin(count = 2)]
    rows: Vec<u16>,
    #[bin(for_each = rows, at = it * 4, nul)]
    names: Vec<String>,
}

#[test]
fn a_value_lies_where_a_number_can_tell() {
    let value = Multiples {
        first_at: Auto::new(),
        second_at: 0,
        empty_at: Auto::new(),
        first: b"abc",
        second: b"de",
        empty: b"",
    };
    let bytes = b"\x03\x02\x03\0\0\0\0\0\0\0de\0\0abc\0\0\0\0\0\0\0";
    assert_eq!(value.to_vec().unwrap(), bytes);
    same(&Multiples { second_at: 2, ..value }, bytes);
    let table = Table { rows: vec![0, 0], names: vec!["ab".into(), "c".into()] };
    let bytes = b"\x01\0\x02\0ab\0\0c\0";
    assert_eq!(table.to_vec().unwrap(), bytes);
    same(&Table { rows: vec![1, 2], ..table }, bytes);
}
