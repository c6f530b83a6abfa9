//! `start` and `end` of a field that is absent: where it would lie, for readers and writers alike.

use binfmt_runtime::BinFormat;

use super::checksums::Total;
use super::same;

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Block {
    #[bin(checksum(Total, over = ..=extra))]
    sum: u8,
    #[bin(calc = end(extra) - start(flags))]
    size: u8,
    flags: u8,
    #[bin(if = flags == 1)]
    extra: Option<u8>,
    #[bin(calc = start(extra))]
    at: u8,
}

#[test]
fn a_checksum_that_ends_with_an_absent_field() {
    same(&Block { sum: 1, size: 1, flags: 0, extra: None, at: 3 }, &[1, 1, 0, 3]);
    same(&Block { sum: 10, size: 2, flags: 1, extra: Some(7), at: 3 }, &[10, 2, 1, 7, 3]);
}

/// A checksum between absent fields, and a length that counts from one.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Lost {
    #[bin(checksum(Total, over = flags..=x))]
    s: u8,
    flags: u8,
    #[bin(if = flags == 1)]
    x: Option<u8>,
    z: u8,
    #[bin(len = z - end(x))]
    v: Vec<u8>,
}

#[test]
fn a_length_that_counts_from_an_absent_field() {
    let value = Lost { s: 0, flags: 0, x: None, z: 0, v: vec![7, 8] };
    assert_eq!(value.to_vec().as_deref(), Ok(&[0, 0, 4, 7, 8][..]));
    same(&Lost { z: 4, ..value }, &[0, 0, 4, 7, 8]);
    same(&Lost { s: 6, flags: 1, x: Some(5), z: 4, v: vec![7] }, &[6, 1, 5, 4, 7]);
}

/// What lies behind a header whose last fields are optional, and rules and paddings over where that is.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Header {
    version: u8,
    #[bin(if = version > 1, align_before = 2)]
    second: Option<u16>,
    #[bin(if = version > 2, check(start(third) > 0, "no place"))]
    third: Option<u8>,
    #[bin(pad_before = align_up(end(third), 8) - end(third))]
    body: u8,
    #[bin(len = end(second) - start(second), error(end(third) < 8, "too long"))]
    rest: Vec<u8>,
}

#[test]
fn what_follows_absent_fields_is_aligned() {
    let (second, third) = (Some(0x0201), Some(3));
    let body = 9;
    let value = Header { version: 1, second: None, third: None, body, rest: vec![] };
    same(&value, &[1, 0, 0, 0, 0, 0, 0, 0, 9]);
    let value = Header { version: 2, second, third: None, body, rest: vec![7, 8] };
    same(&value, &[2, 0, 1, 2, 0, 0, 0, 0, 9, 7, 8]);
    let value = Header { version: 3, second, third, body, rest: vec![7, 8] };
    same(&value, &[3, 0, 1, 2, 3, 0, 0, 0, 9, 7, 8]);
}

/// In a variant, and where the value of a struct of fields in the same place is handed on.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
enum Either {
    #[bin(magic = 1u8)]
    One {
        on: u8,
        #[bin(if = on == 1)]
        there: Option<u16>,
        #[bin(args(at = end(there)))]
        last: Last,
    },
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(at: u64))]
struct Last {
    #[bin(if = at < 3)]
    near: Option<u8>,
    far: u8,
}

#[test]
fn a_place_that_is_handed_on() {
    let last = Last { near: Some(5), far: 6 };
    same(&Either::One { on: 0, there: None, last }, &[1, 0, 5, 6]);
    let last = Last { near: None, far: 6 };
    same(&Either::One { on: 1, there: Some(0x0403), last }, &[1, 1, 3, 4, 6]);
}
