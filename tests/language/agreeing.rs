//! Sizes that several parts of a declaration tell: all outputs agree, and what is read can be
//! written.

use std::fmt::Debug;

use binfmt_runtime::{Auto, BinFormat, Crc32, Cursor, DefaultArgs, Fault, Writer, laws};

/// What is written, in whatever way, and read back; or the path of the error and its code.
#[track_caller]
fn told<T>(value: &T) -> Result<&'static [u8], String>
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
{
    let outcome = match laws::written_is_read(value, T::default_args()) {
        Ok(outcome) => outcome,
        Err(broken) => panic!("{broken}"),
    };
    outcome.map_err(|error| format!("{} {}", error.finding().path, error.finding().code))
}

/// A number that functions of the user read and write.
mod by_hand {
    use super::{Cursor, Fault, Writer};

    pub(super) fn read(cur: &mut Cursor<'_>) -> Result<u16, Fault> {
        let offset = cur.pos();
        cur.take_array().map(|bytes| u16::from_le_bytes(*bytes)).ok_or(Fault::at(offset))
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "`with` passes every value so")]
    pub(super) fn write(value: &u16, out: &mut Writer<'_>) -> Result<(), Fault> {
        out.put(&value.to_le_bytes())
    }
}

#[derive(BinFormat, Debug, PartialEq)]
struct ByHand {
    #[bin(with = by_hand)]
    value: u16,
    #[bin(magic = b"@", len = 2, pad_to = 19 - len(value), fill = 0x2b)]
    rest: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct InTwenty {
    #[bin(len = 20)]
    inner: ByHand,
}

#[test]
fn the_length_of_what_a_function_writes_is_the_same_everywhere() {
    let inner = ByHand { value: 0x4241, rest: b"xy".to_vec() };
    let bytes = b"AB@xy+++++++++++++++";
    assert_eq!(told(&inner), Ok(&bytes[..]));
    assert_eq!(told(&InTwenty { inner }), Ok(&bytes[..]));
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Sectioned {
    size: u8,
    #[bin(section, len = size)]
    section: Vec<u8>,
    at: u8,
    #[bin(at = at, place = section)]
    inside: u16,
    #[bin(pad_before = size)]
    last: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct InNine {
    #[bin(len = 9)]
    inner: Sectioned,
}

#[test]
fn the_length_of_a_section_that_a_padding_names_is_that_which_is_written() {
    let bytes = &[3, 0, 7, 8, 2, 0, 0, 0, 9];
    let inner = Sectioned::parse(bytes).unwrap();
    assert_eq!(told(&inner), Ok(&bytes[..]));
    assert_eq!(told(&InNine { inner: inner.clone() }), Ok(&bytes[..]));
    // A length that is too small is made larger, and so is the padding.
    let small = Sectioned { size: 0, section: vec![], at: 0, ..inner };
    assert_eq!(told(&small), Ok(&[2, 7, 8, 1, 0, 0, 9][..]));
    assert_eq!(told(&InNine { inner: small }), Err("inner derived".into()));
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Summed {
    #[bin(checksum(Crc32, over = data))]
    sum: u32,
    len: Auto<u8>,
    #[bin(len = len)]
    data: Vec<u8>,
    #[bin(if = sum != 0)]
    more: Option<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct After {
    summed: Summed,
    #[bin(pad_before = summed.sum % 4)]
    last: u8,
}

#[test]
fn a_condition_over_a_checksum_is_looked_at_when_that_is_known() {
    let value =
        |sum, data: &[u8], more| Summed { sum, len: Auto::new(), data: data.to_vec(), more };
    let bytes = b"\x43\xbe\xb7\xe8\x01a\x09";
    assert_eq!(told(&value(0, b"a", Some(9))), Ok(&bytes[..]));
    assert_eq!(told(&value(0, b"a", None)), Err("more presence".into()));
    let after = |sum| After { summed: value(sum, b"a", Some(9)), last: 7 };
    assert_eq!(told(&after(0xe8b7_be43)), Ok(&b"\x43\xbe\xb7\xe8\x01a\x09\0\0\0\x07"[..]));
    assert_eq!(told(&after(0)), Err("summed.sum derived".into()));
}

/// Tags that are computed of arguments, and parts of arguments.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(known: bool, code: u8), tag = if known { code } else { 0 })]
enum Computed {
    #[bin(id = 0)]
    Dot(u8),
    #[bin(id = 1)]
    Line([u8; 2]),
    #[bin(other)]
    Other(u64, u8),
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
struct Kind {
    code: u8,
    bits: Bits,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[bin(bits = u8, lsb)]
struct Bits {
    #[bin(bits = 1)]
    known: bool,
    #[bin(bits = 7)]
    rest: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(kind: Kind), tag = kind.code)]
enum ByPart {
    #[bin(id = 0)]
    Dot(u8),
    #[bin(id = 1..=9)]
    Line(u64, [u8; 2]),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Tagged {
    kind: Kind,
    #[bin(args(known = kind.bits.known, code = kind.code))]
    first: Computed,
    #[bin(args(kind = kind))]
    second: ByPart,
    #[bin(if = kind.bits.known)]
    more: Option<u8>,
}

#[test]
fn tags_are_computed_of_what_is_passed() {
    let kind = |code, known| Kind { code, bits: Bits { known, rest: 3 } };
    let line = Tagged {
        kind: kind(1, true),
        first: Computed::Line([1, 2]),
        second: ByPart::Line(1, [3, 4]),
        more: Some(5),
    };
    assert_eq!(told(&line), Ok(&[1, 7, 1, 2, 3, 4, 5][..]));
    let dot = Tagged {
        kind: kind(0, false),
        first: Computed::Dot(1),
        second: ByPart::Dot(2),
        more: None,
    };
    assert_eq!(told(&dot), Ok(&[0, 6, 1, 2][..]));
    assert_eq!(told(&Tagged { kind: kind(2, true), ..line.clone() }), Err("first tag".into()));
    assert_eq!(told(&Tagged { kind: kind(1, false), ..line }), Err("first tag".into()));
}
