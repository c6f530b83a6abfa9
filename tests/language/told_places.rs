//! Located fields whose sizes depend on numbers that the writer computes.

use binfmt_runtime::{Auto, BinFormat};

use super::{kept, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(n: u8))]
struct Body<'a> {
    #[bin(len = n)]
    first: &'a [u8],
    last: u8,
}

fn body(first: &[u8]) -> Body<'_> {
    Body { first, last: 9 }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct One<'a> {
    n: Auto<u8>,
    at: Auto<u8>,
    len: Auto<u8>,
    #[bin(len = n)]
    key: &'a [u8],
    #[bin(at = at, len = len, args(n = n * 2))]
    body: Body<'a>,
}

#[test]
fn a_located_field_is_told_a_number_that_is_computed() {
    let one = |key, body| One { n: Auto::new(), at: Auto::new(), len: Auto::new(), key, body };
    same(&one(b"k", body(b"ab")), b"\x01\x04\x03kab\x09");
    same(&one(b"", body(b"")), b"\0\x03\x01\x09");
    assert_eq!(stopped::<One<'_>>(b"\x01\x04\x02kab\x09"), "body.last end");
}

/// A number that is kept in the struct: what is read counts for the reader, what is computed for
/// the writer.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Several<'a> {
    count: Auto<u8>,
    n: u8,
    at: u8,
    pad: Auto<u8>,
    #[bin(len = n)]
    key: &'a [u8],
    #[bin(len = pad)]
    more: &'a [u8],
    #[bin(at = at, count = count, args(n), align_before = 4, pad_after = pad)]
    bodies: Vec<Body<'a>>,
}

#[test]
fn sizes_and_paddings_follow_what_is_computed() {
    let value = Several {
        count: Auto::new(),
        n: 1,
        at: 8,
        pad: Auto::new(),
        key: b"k",
        more: b"..",
        bodies: vec![body(b"a"), body(b"b")],
    };
    same(&value, b"\x02\x01\x08\x02k..\0a\x09b\x09\0\0");
    let other = Several { key: b"key", bodies: vec![body(b"abc")], ..value };
    let bytes = other.to_vec().unwrap();
    assert_eq!(bytes, b"\x01\x03\x0c\x02key..\0\0\0abc\x09\0\0");
    let read = Several::parse(&bytes).unwrap();
    assert_eq!(read, Several { n: 3, at: 12, ..other });
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Table<'a> {
    rows: [u8; 2],
    n: Auto<u8>,
    #[bin(calc = n + 1)]
    next: Auto<u8>,
    room: Auto<u8>,
    #[bin(len = n)]
    key: &'a [u8],
    #[bin(section, len = room)]
    section: &'a [u8],
    #[bin(for_each = rows, at = it, args(n = next), place = section)]
    bodies: Vec<Body<'a>>,
}

#[test]
fn values_of_a_table_are_told_computed_numbers_too() {
    let value = Table {
        rows: [10, 6],
        n: Auto::new(),
        next: Auto::new(),
        room: Auto::new(),
        key: b"k",
        section: b"",
        bodies: vec![body(b"ab"), body(b"cd")],
    };
    let file = b"\x0a\x06\x01\x02\x07kcd\x09.ab\x09";
    let read = Table::parse(file).unwrap();
    assert_eq!(read.bodies, value.bodies);
    same(&read, file);
    let new = value.compact().to_vec().unwrap();
    assert_eq!(new, b"\x06\x09\x01\x02\x06kab\x09cd\x09");
    let new = new.leak();
    kept(&Table::parse(new).unwrap(), new);
}
