//! Values that end where the next one begins.

use binfmt_runtime::{Auto, BinFormat, Seq};

use super::{findings, kept, same, stopped};

/// A table of offsets, and nothing else that says how long the bodies are.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Pack<'a> {
    #[bin(prefix = u8)]
    table: Vec<u16>,
    #[bin(for_each = table, at = it, until_next)]
    bodies: Vec<&'a [u8]>,
}

fn pack<'a>(table: &[u16], bodies: &[&'a [u8]]) -> Pack<'a> {
    Pack { table: table.to_vec(), bodies: bodies.to_vec() }
}

#[test]
fn bodies_reach_to_the_next_offset_in_any_order() {
    same(&pack(&[7, 9, 12], &[b"ab", b"cde", b"f"]), b"\x03\x07\0\x09\0\x0c\0abcdef");
    same(&pack(&[12, 7, 9], &[b"f", b"ab", b"cde"]), b"\x03\x0c\0\x07\0\x09\0abcdef");
    same(&pack(&[3], &[b"abc"]), b"\x01\x03\0abc");
    same(&pack(&[], &[]), b"\0");
    // What lies in front of the first one belongs to nothing.
    assert_eq!(findings::<Pack<'_>>(b"\x01\x05\0..abc"), ["warning  unkept"]);
}

#[test]
fn a_writer_leaves_nothing_between() {
    let written = |table: &[u16], bodies: &[&[u8]]| pack(table, bodies).to_vec().unwrap();
    assert_eq!(written(&[0, 0], &[b"ab", b"c"]), b"\x02\x05\0\x07\0abc");
    // A shorter or longer body moves what lies behind it, whose order stays.
    assert_eq!(written(&[7, 9, 12], &[b"ab", b"c", b"f"]), b"\x03\x07\0\x09\0\x0a\0abcf");
    assert_eq!(written(&[7, 9, 12], &[b"abcd", b"e", b"f"]), b"\x03\x07\0\x0b\0\x0c\0abcdef");
    assert_eq!(written(&[12, 7, 9], &[b"f", b"abcd", b"e"]), b"\x03\x0c\0\x07\0\x0b\0abcdef");
    // A new one has no place yet, and comes last.
    assert_eq!(written(&[7, 0, 9], &[b"ab", b"c", b"de"]), b"\x03\x07\0\x0b\0\x09\0abdec");
}

#[test]
fn a_body_without_bytes_lies_at_the_end() {
    kept(&pack(&[5, 7], &[b"ab", b""]), b"\x02\x05\0\x07\0ab");
    let moved = pack(&[5, 5], &[b"", b"ab"]).to_vec().unwrap();
    assert_eq!(moved, b"\x02\x07\0\x05\0ab");
    let none = pack(&[9, 1, 0], &[b"", b"", b""]).to_vec().unwrap();
    assert_eq!(none, b"\x03\x07\0\x07\0\x07\0");
}

#[test]
fn equal_offsets_tell_of_equal_bodies_that_overlap() {
    let bytes = b"\x02\x05\0\x05\0ab";
    let read = Pack::parse(bytes).unwrap();
    assert_eq!(read.bodies, [b"ab", b"ab"]);
    assert_eq!(findings::<Pack<'_>>(bytes), ["error bodies[1] overlap"]);
    assert_eq!(read.to_vec().unwrap(), b"\x02\x05\0\x07\0abab");
    assert_eq!(stopped::<Pack<'_>>(b"\x02\x05\0\x08\0ab"), "table[1] offset");
}

/// The same, where several offsets may tell of one body.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Shared<'a> {
    #[bin(prefix = u8)]
    table: Vec<u16>,
    #[bin(for_each = table, at = it, until_next, shared)]
    bodies: Vec<&'a [u8]>,
}

#[test]
fn equal_offsets_may_share_a_body() {
    let shared = Shared { table: vec![7, 9, 7], bodies: vec![b"ab", b"c", b"ab"] };
    same(&shared, b"\x03\x07\0\x09\0\x07\0abc");
    let changed = Shared { bodies: vec![b"ab", b"c", b"xyz"], ..shared };
    assert_eq!(changed.to_vec().unwrap(), b"\x03\x07\0\x0c\0\x09\0abxyzc");
}

/// A directory behind what it tells of, and a field beside it; bodies of a declared type, some absent.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Tail<'a> {
    dir_at: Auto<u8>,
    note_at: u8,
    count: Auto<u8>,
    #[bin(at = dir_at, count = count)]
    dir: Vec<Entry>,
    #[bin(at = note_at, null = 0, until_next)]
    note: Option<&'a str>,
    #[bin(for_each = dir, at = it.at, if = it.kind != 0, args(kind = it.kind), until_next)]
    bodies: Vec<Option<Body<'a>>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
struct Entry {
    kind: u8,
    at: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(kind: u8), align_after = 4)]
struct Body<'a> {
    #[bin(range = 1..=9)]
    first: u8,
    #[bin(if = kind > 1)]
    second: Option<u8>,
    #[bin(prefix = u8)]
    rest: &'a [u8],
}

#[test]
fn all_that_lies_in_the_region_ends_what_is_before_it() {
    let body = |first, second, rest| Some(Body { first, second, rest });
    let entry = |kind, at| Entry { kind, at };
    let tail = Tail {
        dir_at: Auto::new(),
        note_at: 0x0f,
        count: Auto::new(),
        dir: vec![entry(1, 3), entry(0, 0x77), entry(2, 7)],
        note: Some("note"),
        bodies: vec![body(1, None, b"a"), None, body(2, Some(7), b"abc")],
    };
    let bytes = tail.to_vec().unwrap();
    assert_eq!(bytes, b"\x13\x0f\x03\x01\x01a\0\x02\x07\x03abc\0\0note\x01\x03\0\x77\x02\x07");
    same(&tail, b"\x13\x0f\x03\x01\x01a\0\x02\x07\x03abc\0\0note\x01\x03\0\x77\x02\x07");
    let without = Tail { note: None, note_at: 0, ..tail };
    same(&without, b"\x0f\x00\x03\x01\x01a\0\x02\x07\x03abc\0\0\x01\x03\0\x77\x02\x07");
}

/// Bodies in a section, with something behind it; a section ends where its last body does.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Inside<'a> {
    count: Auto<u8>,
    len: Auto<u8>,
    #[bin(count = count)]
    table: Seq<'a, u8>,
    #[bin(section, len = len)]
    data: &'a [u8],
    end: u8,
    #[bin(for_each = table, at = it, base = data, place = data, until_next)]
    lists: Vec<Vec<u16>>,
}

#[test]
fn a_section_ends_with_its_last_body() {
    let bytes = b"\x02\x06\x04\0abcdef!";
    let read = Inside::parse(bytes).unwrap();
    assert_eq!(read.lists, [vec![0x6665], vec![0x6261, 0x6463]]);
    same(&read, bytes);
    let shorter = Inside { lists: vec![vec![0x6665], vec![0x6261]], ..read.clone() };
    assert_eq!(shorter.to_vec().unwrap(), b"\x02\x04\x02\0abef!");
    let longer = Inside { lists: vec![vec![0x6665, 0x6665], vec![0x6261, 0x6463]], ..read };
    assert_eq!(longer.to_vec().unwrap(), b"\x02\x08\x04\0abcdefef!");
    // What is in front of a body without bytes is kept, as in any section.
    let bytes = b"\x01\x02\x02xy!";
    assert_eq!(Inside::parse(bytes).unwrap().to_vec().unwrap(), bytes);
    assert_eq!(findings::<Inside<'_>>(bytes), ["warning  gap"]);
    assert_eq!(stopped::<Inside<'_>>(b"\x02\x06\x03\0abcdef!"), "lists[0][1] end");
}

/// A region of a size that nothing tells: the bodies must fill it.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Fixed<'a> {
    at: u8,
    #[bin(section, len = 4)]
    data: &'a [u8],
    #[bin(at = at, base = data, place = data, until_next)]
    body: &'a [u8],
}

/// What follows the bodies would be read as a part of the last one, and a unit that does not fit leaves
/// bytes between them.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Units<'a> {
    table: [u8; 2],
    #[bin(for_each = table, at = it * 2, until_next)]
    bodies: Vec<&'a [u8]>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Followed<'a> {
    pack: Units<'a>,
    end: u8,
}

#[test]
fn a_writer_refuses_what_would_be_read_otherwise() {
    same(&Fixed { at: 1, data: b"abcd", body: b"bcd" }, b"\x01abcd");
    let error = Fixed { at: 1, data: b"abcd", body: b"bc" }.to_vec().unwrap_err();
    assert_eq!((error.finding().code, error.finding().path.as_str()), ("derived", "data"));
    let units = |a, b| Units { table: [1, 2], bodies: vec![a, b] };
    same(&units(b"ab", b"cd"), b"\x01\x02abcd");
    let error = units(b"abc", b"d").to_vec().unwrap_err();
    assert_eq!(error.finding().code, "until_next");
    let error = Followed { pack: units(b"ab", b"cd"), end: 1 }.to_vec().unwrap_err();
    assert_eq!((error.finding().code, error.finding().path.as_str()), ("until", "pack.bodies"));
    assert!(Followed { pack: units(b"ab", b"cd"), end: 1 }.encoded_len().is_err());
    assert!(Followed { pack: units(b"ab", b"cd"), end: 1 }.write_to(&mut Vec::new()).is_err());
}

/// Many bodies: where each ends is found without looking at all others.
#[test]
fn many_bodies_cost_no_more_than_their_number() {
    #[derive(BinFormat, Debug, PartialEq, Clone)]
    #[bin(little)]
    struct Many<'a> {
        #[bin(prefix = u32)]
        table: Vec<u32>,
        #[bin(for_each = table, at = it, until_next)]
        bodies: Vec<&'a [u8]>,
    }
    let count = 60_000_usize;
    let bodies = vec![&b"ab"[..]; count];
    let bytes = Many { table: vec![0; count], bodies }.to_vec().unwrap();
    let read = Many::parse(&bytes).unwrap();
    assert!(read.bodies.iter().all(|body| *body == b"ab"));
    assert_eq!(read.to_vec().unwrap(), bytes);
    assert!(Many::validate(&bytes).is_ok());
}

/// A last value without bytes.
#[derive(BinFormat, Debug, PartialEq)]
struct Lasts<'a> {
    #[bin(prefix = u8)]
    table: Vec<u8>,
    #[bin(for_each = table, at = it, until_next)]
    values: Vec<&'a [u8]>,
}

#[test]
fn zeros_in_front_of_a_last_value_without_bytes_are_reported_as_lost() {
    for (file, rewritten) in [
        (&[1, 5, 0, 0, 0][..], &[1, 2][..]),
        (&[2, 3, 6, 1, 0, 0], &[2, 3, 6, 1, 0, 0]),
        (&[2, 6, 6, 0, 0, 0], &[2, 3, 3]),
    ] {
        let lost = if file == rewritten { &[][..] } else { &["warning  unkept"] };
        assert_eq!(findings::<Lasts<'_>>(file.to_vec().leak()), lost);
        assert_eq!(Lasts::parse(file).unwrap().to_vec().unwrap(), rewritten);
    }
}

/// What goes up to the next value begins with a magic, which belongs to it.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Marked {
    at: u8,
    other: u8,
    len: u8,
    #[bin(at = at, len = len)]
    first: Vec<u8>,
    #[bin(at = other, until_next, magic = b"ABCD")]
    rest: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct MarkedInside {
    at: u8,
    len: u8,
    #[bin(section, len = len)]
    data: Vec<u8>,
    #[bin(at = at, place = data, until_next, magic = b"A")]
    rest: Vec<u8>,
}

#[test]
fn a_magic_is_a_part_of_what_goes_up_to_the_next_value() {
    for len in 0..6 {
        for (at, first) in [(9, 0), (3, 0), (0, 0), (3, 2), (0, 1)] {
            let value = Marked { at, other: 3, len: 0, first: vec![7; first], rest: vec![1; len] };
            let read = Marked::parse(value.to_vec().unwrap().leak()).unwrap();
            assert_eq!((read.first, read.rest), (value.first, value.rest));
        }
        let mut value = MarkedInside::parse(b"\x02\x05A\x05\x06\x07\x08").unwrap();
        value.rest = vec![9; len];
        let read = MarkedInside::parse(value.to_vec().unwrap().leak()).unwrap();
        assert_eq!(read.rest, value.rest, "what was behind a shorter one is no part of it");
    }
}

/// A value without bytes ends the one in front of it, behind which a section has more.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Ended {
    at: u8,
    other: u8,
    len: u8,
    #[bin(section, len = remaining - 1)]
    data: Vec<u8>,
    last: u8,
    #[bin(at = at, place = data, until_next)]
    rest: Vec<u8>,
    #[bin(at = other, place = data, len = len)]
    ends: Vec<u8>,
}

#[test]
fn what_a_section_has_behind_the_last_value_is_not_kept_and_told() {
    assert_eq!(findings::<Ended>(b"\x03\x04\0a1234567q"), ["warning  unkept"]);
    let kept = b"\x03\x04\x01a1234567q";
    assert_eq!(findings::<Ended>(kept), ["warning  gap"]);
    same(&Ended::parse(kept).unwrap(), kept);
}
