//! Values that cannot be written, outputs that take no more, functions of the user.

use std::io::{self, ErrorKind, Write};

use binfmt_runtime::{Auto, BinFormat, Class, Cursor, Fault, Seq, Writer};

use super::{findings, place, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(little, magic = b"MAGI", len = size)]
struct Value<'a> {
    size: Auto<u16>,
    count: Auto<u8>,
    #[bin(count = count)]
    items: Seq<'a, u32>,
}

fn value() -> Value<'static> {
    Value { items: Seq::from(&[1, 2][..]), ..Value::default() }
}

#[test]
fn a_slice_that_is_too_short_is_told_and_holds_no_more_than_it_can() {
    same(&value(), b"MAGI\x0f\0\x02\x01\0\0\0\x02\0\0\0");
    let mut room = [0xaa; 20];
    assert_eq!(value().write_into(&mut room), Ok(15));
    assert_eq!(room[15..], [0xaa; 5]);
    for len in 0..15 {
        let error = value().write_into(&mut room[..len]).unwrap_err();
        assert_eq!((error.finding().code, error.class()), ("space", Class::Incomplete));
    }
}

/// Takes some bytes, then no more.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        if taken == 0 { Err(ErrorKind::StorageFull.into()) } else { Ok(taken) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_error_of_an_output_is_passed_on() {
    assert!(value().write_to(Full(15)).is_ok());
    for room in 0..15 {
        assert_eq!(value().write_to(Full(room)).unwrap_err().kind(), ErrorKind::StorageFull);
    }
}

#[test]
fn a_length_that_overflows_names_the_field() {
    let items = vec![0; 20_000].leak();
    let value = Value { items: Seq::from(&items[..255]), ..Value::default() };
    assert!(value.to_vec().is_ok());
    assert_eq!(
        refused_large(&Value { items: Seq::from(&items[..256]), ..Value::default() }),
        "count overflow"
    );
}

fn refused_large(value: &Value<'_>) -> String {
    place(&value.to_vec().unwrap_err())
}

#[test]
fn a_value_is_read_from_a_range_with_the_offsets_of_the_file() {
    let bytes = b"..MAGI\x0b\0\x01\x07\0\0\0..";
    let value = Value::parse_in(bytes, 2..13, ()).unwrap();
    assert_eq!(value.items.get(0), Some(Ok(7)));
    let error = Value::parse_in(bytes, 3..13, ()).unwrap_err();
    assert_eq!((error.finding().start, error.finding().code), (3, "magic"));
    assert_eq!(place(&Value::parse_in(bytes, 2..12, ()).unwrap_err()), "size size");
    assert_eq!(Value::parse_in(bytes, 9..99, ()).unwrap_err().class(), Class::Incomplete);
    assert!(Value::validate_in(bytes, 2..13, ()).is_ok());
    let (_, rest) = Value::parse_prefix(&bytes[2..]).unwrap();
    assert_eq!(rest, b"..");
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big)]
struct Hand<'a> {
    number: u8,
    #[bin(if = number > 200, with = varint)]
    more: Option<u64>,
    #[bin(with = line, pad_after = 1)]
    line: &'a [u8],
    #[bin(calc = len(line))]
    len: u8,
}

/// Seven bits per byte, lowest first.
mod varint {
    use super::{Cursor, Fault, Writer};

    pub(super) fn read(cur: &mut Cursor<'_>) -> Result<u64, Fault> {
        let mut value = 0;
        for shift in (0..63).step_by(7) {
            let [byte] = *cur.take_array().ok_or(Fault::at(cur.pos()))?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                // The last byte is 0 in the number 0 alone, so every number has one form.
                return if byte == 0 && shift > 0 { Err(Fault::at(cur.pos())) } else { Ok(value) };
            }
        }
        Err(Fault::at(cur.pos()))
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "every value is passed like this")]
    pub(super) fn write(value: &u64, out: &mut Writer<'_>) -> Result<(), Fault> {
        let mut value = *value;
        while value >= 0x80 {
            out.put(&[value.to_le_bytes()[0] | 0x80])?;
            value >>= 7;
        }
        out.put(&[value.to_le_bytes()[0]])
    }
}

/// Bytes up to a line feed.
mod line {
    use super::{Cursor, Fault, Writer};

    pub(super) fn read<'a>(cur: &mut Cursor<'a>) -> Result<&'a [u8], Fault> {
        let end = cur.rest().iter().position(|byte| *byte == b'\n').ok_or(Fault::at(cur.pos()))?;
        let line = cur.take(end as u64).unwrap_or_default();
        cur.take(1);
        Ok(line)
    }

    pub(super) fn write(line: &[u8], out: &mut Writer<'_>) -> Result<(), Fault> {
        out.put(line)?;
        out.put(b"\n")
    }
}

#[test]
fn a_function_of_the_user_reads_and_writes_a_field() {
    same(&Hand { number: 201, more: Some(300), line: b"ab", len: 3 }, b"\xc9\xac\x02ab\n\0\x03");
    same(&Hand { number: 3, more: None, line: b"", len: 1 }, b"\x03\n\0\x01");
    assert_eq!(stopped::<Hand<'_>>(b"\xc9\x83"), "more with");
    assert_eq!(stopped::<Hand<'_>>(b"\x03ab"), "line with");
    assert_eq!(findings::<Hand<'_>>(b"\x03a\n\0\x01"), ["error len derived"]);
    assert_eq!(refused(&Hand { number: 3, more: Some(1), line: b"", len: 0 }), "more presence");
}

#[test]
fn arguments_in_another_order_are_named() {
    use binfmt_runtime::__private::ops::same_names;

    same_names("Part", &["wide", "deep"], &["wide", "deep"]);
    // That there are fewer, types say.
    same_names("Part", &["wide", "deep"], &["deep"]);
    let said =
        std::panic::catch_unwind(|| same_names("Part", &["wide", "deep"], &["deep", "wide"]));
    let text = *said.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(
        text,
        "`args(..)` passes the arguments that a type declares, by name and in its order; `Part` declares `wide, deep`, and is given `deep, wide`"
    );
}
