//! Numbers that may be absent, and are computed where they are there.

#![allow(clippy::ref_option, reason = "functions are given what is no number by reference")]

use binfmt_runtime::{Auto, BinFormat, Leb128};

use super::{findings, refused, same};

/// A box with a size of 32 bits, or with one of 64 behind a mark.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Sized {
    size: u32,
    #[bin(if = size == 1, calc = len(body) + 12)]
    long: Option<u64>,
    #[bin(len = bytes(size, long))]
    body: Body,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Body {
    #[bin(until_end)]
    bytes: Vec<u8>,
}

fn bytes(size: u32, long: &Option<u64>) -> u64 {
    long.map_or(u64::from(size).saturating_sub(4), |long| long.saturating_sub(12))
}

fn body(bytes: &[u8]) -> Body {
    Body { bytes: bytes.to_vec() }
}

#[test]
fn a_number_that_is_there_is_computed() {
    same(&Sized { size: 6, long: None, body: body(b"ab") }, b"\0\0\0\x06ab");
    let long = Sized { size: 1, long: Some(14), body: body(b"ab") };
    same(&long, b"\0\0\0\x01\0\0\0\0\0\0\0\x0eab");
    // Whatever it is in the value.
    let longer = Sized { long: Some(0), body: body(b"abc"), ..long.clone() };
    let expected = b"\0\0\0\x01\0\0\0\0\0\0\0\x0fabc";
    assert_eq!(longer.to_vec().as_deref(), Ok(&expected[..]));
    assert_eq!(longer.encoded_len(), Ok(15));
    // Whether it is there is what the value says, and must agree with the condition.
    assert_eq!(refused(&Sized { long: None, ..long }), "long presence");
}

/// Counts of 4 bits, and longer ones behind them; a version says what else is there.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, version = version)]
struct Counted {
    version: u8,
    #[bin(calc = min(count(items), 15))]
    short: Auto<u8>,
    #[bin(if = short == 15, calc = count(items))]
    long: Option<Leb128<u32>>,
    #[bin(count = counted(short, long))]
    items: Vec<One>,
    #[bin(since = 2, calc = count(items) * 2)]
    twice: Option<u16>,
    flags: u8,
    #[bin(flag = flags & 1, calc = start(end))]
    place: Option<u32>,
    end: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct One {
    item: u8,
}

fn counted(short: u8, long: &Option<Leb128<u32>>) -> u64 {
    long.map_or(u64::from(short), |long| u64::from(long.get()))
}

fn counted_of(count: u8, version: u8, flags: u8) -> Counted {
    Counted {
        version,
        short: Auto::new(),
        long: (count >= 15).then(|| Leb128::new(0)),
        items: (0..count).map(|item| One { item }).collect(),
        twice: (version > 1).then_some(0),
        flags,
        place: (flags & 1 == 1).then_some(0),
        end: 9,
    }
}

#[test]
fn counts_and_places_are_computed_where_they_are_there() {
    let bytes = |count, version, flags| {
        let bytes: &'static [u8] = counted_of(count, version, flags).to_vec().unwrap().leak();
        same(&Counted::parse(bytes).unwrap(), bytes);
        bytes
    };
    assert_eq!(bytes(2, 1, 0), b"\x01\x02\0\x01\0\x09");
    assert_eq!(bytes(2, 2, 1), b"\x02\x02\0\x01\x04\0\x01\x0b\0\0\0\x09");
    assert_eq!(bytes(16, 2, 0)[..4], *b"\x02\x0f\x10\0");
    let wrong = b"\x02\x02\0\x01\x05\0\x01\x0c\0\0\0\x09";
    assert_eq!(findings::<Counted>(wrong), ["error twice derived", "error place derived"]);
}

/// A value around it that uses the number.
#[derive(BinFormat, Debug, PartialEq)]
struct Around {
    inner: Sized,
    #[bin(if = asked(inner.long))]
    more: Option<u8>,
}

fn asked(long: &Option<u64>) -> bool {
    long.is_some_and(|long| long > 13)
}

#[test]
fn what_is_used_around_it_is_what_is_written() {
    let inner = Sized { size: 1, long: Some(14), body: body(b"ab") };
    assert!(Around { inner: inner.clone(), more: Some(1) }.to_vec().is_ok());
    let inner = Sized { long: Some(13), ..inner };
    assert_eq!(refused(&Around { inner, more: None }), "inner.long derived");
}
