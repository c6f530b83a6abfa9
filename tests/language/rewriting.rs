//! Values that are read are written as they were, or a finding says why not.

use binfmt_runtime::{BinFormat, Seq};

use super::{findings, kept};
use crate::laws;

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
struct Empty<'a> {
    first_at: u8,
    first_len: u8,
    second_at: u8,
    second_len: u8,
    #[bin(at = first_at, len = first_len)]
    first: &'a [u8],
    #[bin(at = second_at, len = second_len)]
    second: &'a [u8],
}

#[test]
fn an_empty_located_field_keeps_its_offset() {
    for bytes in [&[4, 4, 6, 0, 1, 2, 3, 4][..], &[4, 1, 0, 0, 9], &[0, 0, 0, 0]] {
        laws::hold::<Empty<'_>>(bytes, ());
        assert_eq!(Empty::parse(bytes).unwrap().to_vec().unwrap(), bytes);
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
struct Conditional<'a> {
    kind: u8,
    at: u8,
    len: u8,
    #[bin(if = kind == 1, at = at, len = 1)]
    located: Option<&'a [u8]>,
    #[bin(if = kind == 2, len = len)]
    two: Option<&'a [u8]>,
    #[bin(if = kind == 3, len = len)]
    three: Option<&'a [u8]>,
}

#[test]
fn what_tells_of_an_absent_field_is_reported_before_it_is_lost() {
    assert_eq!(findings::<Conditional<'_>>(&[0, 7, 0]), ["warning at canonical"]);
    assert_eq!(findings::<Conditional<'_>>(&[0, 0, 7]), ["warning len canonical"]);
    assert_eq!(Conditional::parse(&[0, 7, 7]).unwrap().to_vec().unwrap(), [0, 0, 0]);
}

#[test]
fn optional_fields_that_exclude_one_another_share_a_length() {
    for bytes in [&[2, 0, 2, 8, 9][..], &[3, 0, 1, 8]] {
        assert!(findings::<Conditional<'_>>(bytes).is_empty());
        laws::hold::<Conditional<'_>>(bytes, ());
        assert_eq!(Conditional::parse(bytes).unwrap().to_vec().unwrap(), bytes);
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
struct Offset<'a> {
    there: bool,
    len: u8,
    #[bin(if = there, len = len + 1)]
    data: Option<&'a [u8]>,
}

#[test]
fn the_length_of_an_absent_field_is_zero_whatever_its_expression() {
    kept(&Offset { there: false, len: 0, data: None }, &[0, 0]);
    kept(&Offset { there: true, len: 1, data: Some(b"ab") }, &[1, 1, b'a', b'b']);
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little)]
struct Padded {
    n: u8,
    #[bin(count = n, pad_after = 8 - len(items))]
    items: Vec<u16>,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
struct Around {
    len: u8,
    #[bin(len = len)]
    inner: Padded,
}

#[test]
fn lengths_in_paddings_are_counted_too() {
    let value = Around { len: 9, inner: Padded { n: 2, items: vec![1, 2] } };
    kept(&value, &[9, 2, 1, 0, 2, 0, 0, 0, 0, 0]);
    assert_eq!(value.inner.encoded_len().unwrap(), 9);
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
struct Room {
    n: u8,
    space: u8,
    #[bin(count = n, pad_to = space)]
    inside: Vec<Self>,
}

#[test]
fn rooms_within_rooms_are_counted_once() {
    let mut value = Room::default();
    for _ in 0..60 {
        value = Room { n: 1, space: 0, inside: vec![value] };
    }
    assert_eq!(value.to_vec().unwrap().len(), 122);
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little)]
struct Total<'a> {
    #[bin(calc = len(items))]
    bytes: u8,
    n: u8,
    #[bin(count = n)]
    items: Seq<'a, u16>,
}

#[test]
fn the_length_of_a_sequence_is_that_of_its_items() {
    assert_eq!(findings::<Total<'_>>(&[4, 2, 1, 0, 2, 0, 0xEE]), ["warning  trailing"]);
    assert_eq!(findings::<Total<'_>>(&[5, 2, 1, 0, 2, 0]), ["error bytes derived"]);
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
struct Measured<'a> {
    n: u8,
    #[bin(len = n)]
    name: &'a [u8],
    #[bin(args(size = len(name)))]
    twin: Twin<'a>,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(args(size: u8))]
struct Twin<'a> {
    #[bin(len = size)]
    bytes: &'a [u8],
}

#[test]
fn lengths_are_passed_as_arguments() {
    kept(&Measured { n: 2, name: b"ab", twin: Twin { bytes: b"cd" } }, b"\x02abcd");
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
struct Nullable<'a> {
    at: u8,
    #[bin(at = at, null = 1, len = 1)]
    data: Option<&'a [u8]>,
}

#[test]
fn a_field_does_not_lie_where_it_would_be_absent() {
    let moved = Nullable { at: 0, data: Some(b"x") }.to_vec().unwrap();
    assert_eq!(moved, [2, 0, b'x']);
    assert_eq!(Nullable { at: 1, data: Some(b"x") }.to_vec().unwrap(), moved);
    kept(&Nullable { at: 2, data: Some(b"x") }, &[2, 0, b'x']);
    kept(&Nullable { at: 1, data: None }, &[1]);
}

#[test]
fn a_value_reaches_to_its_furthest_located_field_even_if_that_is_empty() {
    let bytes = &[4, 2, 7, 0, 1, 2, 0, 9];
    laws::hold::<Empty<'_>>(bytes, ());
    let (value, rest) = Empty::parse_prefix(bytes).unwrap();
    assert_eq!((value.to_vec().unwrap(), rest), (bytes[..7].to_vec(), &[9][..]));
}
