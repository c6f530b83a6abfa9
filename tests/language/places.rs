//! Where fields end, and what is left of their region.

use binfmt_runtime::{Auto, BinFormat};

use super::{findings, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Ends<'a> {
    #[bin(calc = end(name))]
    name_end: u8,
    #[bin(calc = end(pairs) - start(pairs))]
    pairs_len: Auto<u8>,
    #[bin(calc = end(last))]
    last_end: u8,
    #[bin(pad_before = 1, nul, align_after = 4)]
    name: &'a str,
    #[bin(prefix = u8, pad_to = 8, check(end(pairs) < 32, "the pairs lie too far"))]
    pairs: Vec<u16>,
    #[bin(if = name_end > 6)]
    last: Option<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(origin)]
struct Inside<'a> {
    #[bin(len = 3)]
    lead: &'a [u8],
    #[bin(calc = end(lead))]
    at: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Around<'a> {
    first: u8,
    inside: Inside<'a>,
    #[bin(calc = end(inside))]
    end: u8,
}

#[test]
fn the_end_of_a_field_has_its_nul_and_not_its_padding() {
    let value = Ends {
        name_end: 7,
        last_end: 17,
        name: "ab",
        pairs: vec![1, 2],
        last: Some(9),
        pairs_len: Auto::new(),
    };
    same(&value, b"\x07\x05\x11\0ab\0\0\x02\x01\0\x02\0\0\0\0\x09");
    let value = Ends {
        name_end: 5,
        last_end: 16,
        name: "",
        pairs: vec![],
        last: None,
        pairs_len: Auto::new(),
    };
    same(&value, b"\x05\x01\x10\0\0\0\0\0\0\0\0\0\0\0\0\0");
}

#[test]
fn the_end_of_a_field_counts_from_the_origin() {
    let inside = Inside { lead: b"abc", at: 3 };
    same(&Around { first: 0, inside, end: 5 }, b"\0abc\x03\x05");
    assert_eq!(findings::<Around<'_>>(b"\0abc\x04\x05"), ["error inside.at derived"]);
    assert_eq!(findings::<Around<'_>>(b"\0abc\x03\x06"), ["error end derived"]);
}

/// Data up to a trailer of fixed size, and what only larger files have.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Trailed<'a> {
    kind: u8,
    #[bin(if = remaining >= 12)]
    extra: Option<u32>,
    #[bin(len = remaining - 4)]
    data: &'a [u8],
    sum: u32,
}

#[test]
fn a_length_leaves_the_bytes_of_what_follows() {
    same(&Trailed { kind: 1, extra: None, data: b"abcdefg", sum: 5 }, b"\x01abcdefg\0\0\0\x05");
    same(&Trailed { kind: 1, extra: None, data: b"", sum: 5 }, b"\x01\0\0\0\x05");
    same(
        &Trailed { kind: 1, extra: Some(7), data: b"abcd", sum: 5 },
        b"\x01\0\0\0\x07abcd\0\0\0\x05",
    );
    assert_eq!(stopped::<Trailed<'_>>(b"\x01abc"), "data size");
}

#[test]
fn a_writer_insists_on_what_a_condition_says_about_the_rest() {
    let none = Trailed { kind: 1, extra: None, data: b"abcdefgh", sum: 5 };
    assert_eq!(refused(&none), "extra presence");
    let some = Trailed { kind: 1, extra: Some(1), data: b"abc", sum: 5 };
    assert_eq!(refused(&some), "extra presence");
}

/// The same inside a region.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big, len = size, let(body = remaining - 2))]
struct Part<'a> {
    size: Auto<u8>,
    #[bin(len = body, check(len(data) != 3, "three bytes"))]
    data: &'a [u8],
    sum: u16,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Parts<'a> {
    #[bin(until_end)]
    parts: Vec<Part<'a>>,
}

#[test]
fn what_remains_is_that_of_the_region() {
    let parts = vec![
        Part { data: b"ab", sum: 1, size: Auto::new() },
        Part { data: b"", sum: 2, size: Auto::new() },
    ];
    same(&Parts { parts }, b"\x05ab\0\x01\x03\0\x02");
    assert_eq!(stopped::<Parts<'_>>(b"\x06abc\0\x01"), "parts[0].data Part.data");
    assert_eq!(stopped::<Parts<'_>>(b"\x02a"), "parts[0].data size");
}

/// Less is asked for than there is.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Half<'a> {
    #[bin(len = remaining / 2)]
    first: &'a [u8],
    #[bin(until_end)]
    second: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Short<'a> {
    #[bin(len = remaining - 2)]
    data: &'a [u8],
    last: u8,
}

#[test]
fn a_value_that_asks_what_remains_fills_its_region() {
    same(&Half { first: b"ab", second: b"cd".to_vec() }, b"abcd");
    assert_eq!(refused(&Half { first: b"ab", second: vec![1] }), "first derived");
    assert_eq!(stopped::<Short<'_>>(b"abcd"), " leftover");
    assert_eq!(refused(&Short { data: b"ab", last: b'c' }), "data derived");
}

/// Boxes of which the last one may have no size.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Boxes<'a> {
    #[bin(until_end)]
    boxes: Vec<Sizes<'a>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Sizes<'a> {
    size: u8,
    large: u16,
    #[bin(len = if size == 0 { remaining } else if size == 1 { large } else { size - 1 })]
    data: &'a [u8],
}

fn sized(size: u8, large: u16, data: &[u8]) -> Sizes<'_> {
    Sizes { size, large, data }
}

#[test]
fn a_value_takes_what_remains_where_its_branch_says_so() {
    let first = sized(3, 0, b"ab");
    let boxes = vec![first.clone(), sized(1, 0x100, &[7; 0x100]), sized(0, 0, b"end")];
    let bytes = Boxes { boxes: boxes.clone() }.to_vec().unwrap().leak();
    assert_eq!(bytes.len(), 5 + 3 + 0x100 + 6);
    assert_eq!(Boxes::parse(bytes), Ok(Boxes { boxes }));
    same(&Boxes { boxes: vec![first.clone(), sized(0, 0, b"")] }, b"\x03\0\0ab\0\0\0");
    same(&Boxes { boxes: vec![first] }, b"\x03\0\0ab");
    assert_eq!(stopped::<Boxes<'_>>(b"\x03\0\0ab\x05\0\0a"), "boxes[1].size size");
}

#[test]
fn nothing_is_written_behind_a_value_that_takes_what_remains() {
    let boxes = vec![sized(0, 0, b"a"), sized(0, 0, b"b")];
    assert_eq!(refused(&Boxes { boxes }), "boxes[0].data until");
    let two = Two { first: sized(0, 0, b""), second: sized(1, 0, b"") };
    assert_eq!(refused(&two), "first.data until");
}

/// Two of which the first one may leave nothing for the second.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Two<'a> {
    first: Sizes<'a>,
    second: Sizes<'a>,
}
