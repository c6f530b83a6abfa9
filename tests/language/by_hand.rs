//! Functions of the user that are given arguments, and as many bytes as the file says.

#![allow(
    clippy::needless_pass_by_value,
    clippy::ptr_arg,
    clippy::struct_field_names,
    clippy::trivially_copy_pass_by_ref,
    reason = "`with` and `map` say what functions take"
)]

use binfmt_runtime::{Auto, BinFormat, Crc32, Seq};

use super::{findings, laws, refused, same, stopped, survives};

/// Texts in which every byte differs from the file by a key.
mod keyed {
    use binfmt_runtime::{Cursor, Fault, Writer};

    pub(super) fn read(cur: &mut Cursor<'_>, key: u8) -> Result<String, Fault> {
        let (at, len) = (cur.pos(), cur.remaining() as u64);
        let bytes = cur.take(len).ok_or(Fault::at(at))?;
        let plain = bytes.iter().map(|byte| byte ^ key).collect();
        String::from_utf8(plain).map_err(|_| Fault::at(at))
    }

    pub(super) fn write(text: &String, out: &mut Writer<'_>, key: u8) -> Result<(), Fault> {
        text.bytes().try_for_each(|byte| out.put(&[byte ^ key]))
    }
}

/// Numbers in as many bytes as somebody says, least first.
mod wide {
    use binfmt_runtime::{Cursor, Fault, Writer};

    pub(super) fn read(cur: &mut Cursor<'_>, width: u64) -> Result<u64, Fault> {
        let at = cur.pos();
        let bytes = cur.take(width).ok_or(Fault::at(at))?;
        if bytes.len() > 8 {
            return Err(Fault::at(at));
        }
        Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    pub(super) fn write(number: &u64, out: &mut Writer<'_>, width: u64) -> Result<(), Fault> {
        let bytes = number.to_le_bytes();
        let at = usize::try_from(width).ok().filter(|width| *width <= bytes.len());
        let Some((kept, lost)) = at.and_then(|width| bytes.split_at_checked(width)) else {
            return Err(Fault::at(0));
        };
        if lost.iter().any(|byte| *byte != 0) {
            return Err(Fault::at(0));
        }
        out.put(kept)
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Sealed {
    key: u16,
    len: Auto<u8>,
    #[bin(with = keyed, len = len + 1, args(key / 2 - 1))]
    text: String,
    #[bin(with = wide, args(len - 2))]
    number: u64,
    end: u8,
}

#[test]
fn a_function_gets_the_bytes_and_the_arguments_that_the_declaration_says() {
    let value = Sealed { key: 0x42, len: Auto::new(), text: "seal".into(), number: 7, end: 9 };
    same(&value, b"\x42\0\x03SEAL\x07\x09");
    same(&Sealed { text: "seals".into(), ..value.clone() }, b"\x42\0\x04SEALS\x07\0\x09");
    assert_eq!(stopped::<Sealed>(b"\x42\0\x09SEAL\x07\x09"), "len size");
    // What the function takes is no `u8`, or a width below 0.
    assert_eq!(stopped::<Sealed>(b"\x42\x40\x03SEAL\x07\x09"), "text size");
    assert_eq!(stopped::<Sealed>(b"\x42\0\x01SE\x07\x09"), "number size");
    assert_eq!(refused(&Sealed { key: 0x4042, ..value.clone() }), "text size");
    assert_eq!(refused(&Sealed { number: 300, ..value }), "number with");
}

/// What a function does not take is left over.
mod two {
    use binfmt_runtime::{Cursor, Fault, Writer};

    pub(super) fn read<'a>(cur: &mut Cursor<'a>) -> Result<&'a [u8; 2], Fault> {
        let at = cur.pos();
        cur.take_array().ok_or(Fault::at(at))
    }

    pub(super) fn write(bytes: &&[u8; 2], out: &mut Writer<'_>) -> Result<(), Fault> {
        out.put(*bytes)
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Exact<'a> {
    len: u8,
    #[bin(with = two, len = len)]
    pair: &'a [u8; 2],
    last: u8,
}

#[test]
fn a_function_takes_all_of_its_bytes_and_no_other() {
    same(&Exact { len: 2, pair: b"ab", last: 1 }, b"\x02ab\x01");
    assert_eq!(stopped::<Exact<'_>>(b"\x03ab\x01"), "pair leftover");
    assert_eq!(stopped::<Exact<'_>>(b"\x01ab\x01"), "pair with");
    // A plain length is computed like any other.
    let stale = Exact { len: 9, pair: b"ab", last: 1 };
    assert_eq!(stale.to_vec().unwrap(), b"\x02ab\x01");
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
struct Head {
    key: u8,
    width: u8,
}

/// What is no number comes by reference.
mod by_head {
    use super::{Head, keyed};
    use binfmt_runtime::{Cursor, Fault, Writer};

    pub(super) fn read(
        cur: &mut Cursor<'_>,
        head: &Head,
        name: &str,
        shift: u32,
        upper: bool,
    ) -> Result<String, Fault> {
        keyed::read(cur, mixed(head, name, shift, upper))
    }

    pub(super) fn write(
        text: &String,
        out: &mut Writer<'_>,
        head: &Head,
        name: &str,
        shift: u32,
        upper: bool,
    ) -> Result<(), Fault> {
        keyed::write(text, out, mixed(head, name, shift, upper))
    }

    fn mixed(head: &Head, name: &str, shift: u32, upper: bool) -> u8 {
        let first = name.bytes().next().unwrap_or_default();
        (head.key ^ first).checked_shl(shift).unwrap_or_default() ^ u8::from(upper)
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(shift: u8 = 1), let(many = head.width > 2))]
struct Passing<'a> {
    head: Head,
    #[bin(prefix = u8)]
    name: &'a str,
    #[bin(if = head.width > 0, with = by_head, len = head.width, args(head, name, shift, many))]
    text: Option<String>,
    #[bin(with = wide, args(head.width))]
    number: u64,
    #[bin(with = keyed, len = remaining - 4, args(b'a'))]
    rest: String,
    #[bin(big, checksum(Crc32, over = text..=rest))]
    sum: u32,
}

#[test]
fn functions_get_parts_texts_truths_and_arguments() {
    let value = Passing {
        head: Head { key: 0x21, width: 3 },
        name: "a",
        text: Some("!ab".into()),
        number: 0x0001_0203,
        rest: "zz".into(),
        sum: 0,
    };
    let bytes = value.to_vec().unwrap().leak();
    assert_eq!(bytes[..12], *b"\x21\x03\x01a\xa0\xe0\xe3\x03\x02\x01\x1b\x1b");
    let read = Passing::parse(bytes).unwrap();
    assert_eq!(read, Passing { sum: read.sum, ..value.clone() });
    survives::<Passing<'_>>(bytes, 1);
    let none = Passing { head: Head { key: 0, width: 0 }, text: None, number: 0, ..value };
    let bytes = none.to_vec().unwrap().leak();
    assert_eq!(bytes[..6], *b"\0\0\x01a\x1b\x1b");
    survives::<Passing<'_>>(bytes, 1);
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Keyring<'a> {
    count: Auto<u8>,
    #[bin(count = count)]
    keys: Seq<'a, Key>,
    #[bin(for_each = keys, at = it.at, len = it.len, with = keyed, args(it.key))]
    texts: Vec<String>,
    #[bin(for_each = keys, len = it.width, with = wide, args(it.width))]
    numbers: Vec<u64>,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[bin(little)]
struct Key {
    key: u8,
    at: u16,
    len: u8,
    width: u8,
}

#[test]
fn values_beside_a_table_are_read_by_functions() {
    let keys =
        [Key { key: 0x20, at: 0, len: 0, width: 1 }, Key { key: 1, at: 0, len: 0, width: 2 }];
    let value = Keyring {
        count: Auto::new(),
        keys: Seq::from(&keys[..]),
        texts: vec!["ab".into(), "c".into()],
        numbers: vec![5, 0x102],
    };
    let bytes = value.to_vec().unwrap();
    assert_eq!(bytes, b"\x02\x20\x0e\0\x02\x01\x01\x10\0\x01\x02\x05\x02\x01ABb");
    survives::<Keyring<'_>>(bytes.leak(), ());
}

fn scaled(stored: u16, scale: u32) -> u64 {
    u64::from(stored) * u64::from(scale)
}

fn unscaled(value: &u64, scale: u32) -> Option<u16> {
    value.checked_div(scale.into())?.try_into().ok()
}

/// A text up to the end of what there is for it.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Rest {
    #[bin(until_end)]
    text: String,
}

fn upper(rest: Rest) -> String {
    rest.text.to_uppercase()
}

fn lower(text: &String) -> Rest {
    Rest { text: text.to_lowercase() }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Scaled {
    scale: u8,
    #[bin(map(u16, scaled, unscaled), args(scale + 1))]
    size: u64,
    len: Auto<u16>,
    #[bin(map(Rest, upper, lower), len = len - 1)]
    text: String,
    last: u8,
}

#[test]
fn conversions_get_arguments_and_a_length() {
    let value = Scaled { scale: 9, size: 70, len: Auto::new(), text: "ABC".into(), last: 1 };
    same(&value, b"\x09\0\x07\0\x04abc\x01");
    assert_eq!(findings::<Scaled>(b"\0\0\x07\0\x04abc\x01"), [] as [&str; 0]);
    assert_eq!(stopped::<Scaled>(b"\x09\0\x07\0\x00abc\x01"), "len size");
    assert_eq!(refused(&Scaled { size: 1 << 40, ..value }), "size map");
}

#[test]
fn what_is_read_by_hand_keeps_the_laws_on_streams() {
    for bytes in [&b"\x42\0\x03SEAL\x07\x09"[..], b"\x42\0\x04SEALS\x07\0\x09"] {
        laws::hold::<Sealed>(bytes, ());
        let read = binfmt_runtime::Stream::new(bytes).read::<Sealed>().unwrap();
        assert_eq!(read.to_vec().as_deref(), Ok(bytes));
    }
}

/// Numbers without zeros in front, whatever the file has.
mod trimmed {
    use binfmt_runtime::{Cursor, Fault, Writer};

    pub(super) fn read(cur: &mut Cursor<'_>) -> Result<u64, Fault> {
        if cur.remaining() > 8 {
            return Err(Fault::at(cur.pos()));
        }
        let number = cur.rest().iter().fold(0, |all, byte| all << 8 | u64::from(*byte));
        cur.skip_all();
        Ok(number)
    }

    pub(super) fn write(number: &u64, out: &mut Writer<'_>) -> Result<(), Fault> {
        let zeros = number.leading_zeros() as usize / 8;
        out.put(&number.to_be_bytes()[zeros..])
    }
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Trimmed {
    len: Auto<u8>,
    #[bin(with = trimmed, len = len)]
    number: u64,
}

#[test]
fn a_validator_says_what_a_function_does_not_give_back() {
    assert_eq!(findings::<Trimmed>(b"\x01\x05"), [] as [&str; 0]);
    let report = Trimmed::validate(b"\x02\0\x05");
    let found: Vec<_> = report.findings().iter().map(ToString::to_string).collect();
    let not_kept =
        "number at 0x1..0x3: the value is stored in a way that is not kept; found 00 05 [with]";
    assert_eq!(found, [not_kept]);
    assert!(report.is_ok());
    laws::hold::<Trimmed>(b"\x02\0\x05", ());
}
