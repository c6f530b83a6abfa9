//! Offsets and rooms that no field keeps: a file in which they are others is told from one that is
//! written as it was read.

use std::fmt::Debug;

use binfmt_runtime::{Auto, BinFormat, DefaultArgs, Show};

use super::{findings, laws, same};

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
    let report = Padded::validate(b"\x03\x03abc\0\0\0");
    assert_eq!(report.findings()[0].expected, Show::Uint(4));
}

/// Spaces of values of all kinds.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, level(padding = note))]
struct Spaces {
    array: Auto<u8>,
    #[bin(pad_to = array)]
    bytes: [u8; 2],
    nested: Auto<u8>,
    #[bin(pad_to = nested)]
    value: Value,
    items: Auto<u8>,
    #[bin(count = 2, pad_to = items, fill = 7)]
    list: Vec<u16>,
    absent: Auto<u8>,
    #[bin(pad_to = absent, if = value.a != 1)]
    none: Option<u32>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Value {
    a: u8,
    b: u8,
}

#[test]
fn spaces_of_all_values_are_compared() {
    let value = |a, none| Spaces {
        array: Auto::new(),
        bytes: *b"ab",
        nested: Auto::new(),
        value: Value { a, b: 2 },
        items: Auto::new(),
        list: vec![3, 4],
        absent: Auto::new(),
        none,
    };
    same(&value(1, None), b"\x02ab\x02\x01\x02\x04\x03\0\x04\0\0");
    same(&value(0, Some(5)), b"\x02ab\x02\0\x02\x04\x03\0\x04\0\x04\x05\0\0\0");
    let wide = b"\x03ab\0\x04\0\x02\0\0\x05\x03\0\x04\0\x07\x06\x05\0\0\0\0\0";
    let rooms = ["array", "nested", "items", "absent"];
    assert_eq!(findings::<Spaces>(wide), rooms.map(|name| format!("warning {name} canonical")));
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

/// A table at a place that nothing keeps, from which the places of what its items tell of count.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct BehindTable {
    at: Auto<u8>,
    count: Auto<u8>,
    #[bin(at = at, count = count)]
    table: Vec<Part>,
    #[bin(for_each = table, at = at + it.offset, len = it.len)]
    parts: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Part {
    offset: u8,
    len: u8,
}

#[test]
fn values_that_count_from_such_a_place_are_told_of_where_they_move() {
    assert_eq!(findings::<BehindTable>(b"\x02\x02\x04\x01\x05\x02abc"), [""; 0]);
    // One without bytes lies behind the table, too; the others in the order of their items, without gaps.
    assert_eq!(findings::<BehindTable>(b"\x02\x01\0\0"), ["warning parts[0] canonical"]);
    let turned = ["warning parts[1] canonical", "warning parts[0] canonical"];
    assert_eq!(findings::<BehindTable>(b"\x02\x02\x06\x01\x04\x02bca"), turned);
    let apart = ["note  gap", "warning parts[0] canonical", "warning parts[1] canonical"];
    assert_eq!(findings::<BehindTable>(b"\x02\x02\x05\x01\x06\x02\0abc"), apart);
}

/// The same behind a value that is aligned, and with an alignment of the items.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct BehindAligned {
    at: Auto<u8>,
    #[bin(prefix = u8)]
    table: Vec<Part>,
    #[bin(at = at, align_before = 8)]
    head: u8,
    #[bin(for_each = table, at = at + it.offset, len = it.len, align_before = 2)]
    parts: Vec<Vec<u8>>,
}

#[test]
fn they_are_aligned_as_the_writer_does() {
    let kept = findings::<BehindAligned>(b"\x08\x01\x02\x01\0\0\0\0h\0a");
    assert_eq!(kept, ["note  gap"]);
    let moved = ["note  gap", "warning parts[0] canonical"];
    assert_eq!(findings::<BehindAligned>(b"\x08\x01\x01\x01\0\0\0\0ha"), moved);
}

/// An `Auto` says how far behind another value one lies.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Trio {
    first_at: u8,
    second_at: u8,
    distance: Auto<u8>,
    #[bin(at = first_at)]
    first: u8,
    #[bin(at = second_at)]
    second: u8,
    #[bin(at = second_at + distance)]
    third: u8,
}

/// Places that count back from the end of a section.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct FromEnd {
    own: Auto<u8>,
    other: u8,
    #[bin(section, len = remaining - 1)]
    room: Vec<u8>,
    mark: u8,
    #[bin(at = len(room) - own, base = room, place = room)]
    floats: u8,
    #[bin(at = len(room) - other, base = room, place = room)]
    stored: u8,
}

/// Values that grow downwards.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Downwards {
    own: Auto<u8>,
    other: u8,
    #[bin(section, len = remaining - 1, grow = down)]
    room: Vec<u8>,
    mark: u8,
    #[bin(at = other, base = room, place = room)]
    stored: u8,
    #[bin(at = own, base = room, place = room)]
    floats: u8,
}

/// What is written is written again as it is, wherever the values were.
#[track_caller]
fn is_written_once<T>(value: &T) -> bool
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
{
    let Ok(bytes) = value.to_vec() else { return false };
    let bytes: &'static [u8] = bytes.leak();
    assert_eq!(T::parse(bytes).unwrap().to_vec().as_deref(), Ok(bytes), "of {value:?}");
    laws::hold::<T>(bytes, T::default_args());
    true
}

#[test]
fn a_place_that_nothing_keeps_is_found_again() {
    let mut written = [0; 3];
    for (one, other) in (0..12).flat_map(|one| (0..12).map(move |other| (one, other))) {
        let room: Vec<u8> = (0x10..0x10 + one).collect();
        let (own, distance) = (Auto::new(), Auto::new());
        let (first, second) = (1, 2);
        let trio = Trio { first_at: one, second_at: other, distance, first, second, third: 3 };
        written[0] += u32::from(is_written_once(&trio));
        let (floats, stored) = (1, 2);
        let from_end = FromEnd { own, other, room: room.clone(), mark: 9, floats, stored };
        written[1] += u32::from(is_written_once(&from_end));
        let downwards = Downwards { own, other, room, mark: 9, stored, floats };
        written[2] += u32::from(is_written_once(&downwards));
    }
    // Two values do not fit into a room of fewer bytes, which grows downwards.
    assert_eq!(written, [144, 144, 120]);
}

/// Where nothing is left in front of a stored value, one that nothing keeps lies behind that, and moves alone.
#[test]
fn a_stored_place_is_kept_beside_one_that_nothing_keeps() {
    let bytes = &[1, 0, 0x10, 0x11, 0x12, 0x13];
    let codes = findings::<Downwards>(bytes);
    assert!(codes.contains(&"warning floats canonical".into()), "{codes:?}");
    assert!(!codes.contains(&"warning stored canonical".into()), "{codes:?}");
    for (own, other) in (0..5).flat_map(|own| (0..5).map(move |other| (own, other))) {
        let bytes = vec![own, other, 0x10, 0x11, 0x12, 0x13].leak();
        laws::hold::<Downwards>(bytes, ());
        laws::hold::<FromEnd>(bytes, ());
    }
}
