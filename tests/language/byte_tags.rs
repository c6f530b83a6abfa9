//! Bytes and texts that the writer computes from the variant that is there.

use binfmt_runtime::{Auto, BinFormat, Crc32};

use super::{findings, refused, same, stopped};

const END: [u8; 4] = *b"DONE";

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big, tag = kind, args(kind: [u8; 4]))]
enum Body {
    #[bin(id = b"SIZE")]
    Size(u16),
    #[bin(id = END)]
    End,
    #[bin(id = b"TEXT" | b"text")]
    Text([u8; 4], Raw),
    #[bin(other)]
    Other([u8; 4], Raw),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Raw {
    #[bin(until_end)]
    bytes: Vec<u8>,
}

fn raw(bytes: &[u8]) -> Raw {
    Raw { bytes: bytes.to_vec() }
}

/// A chunk, as in many formats: its length, what it is, its body, and a checksum over the latter two.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Chunk {
    len: Auto<u32>,
    #[bin(calc = tag(body))]
    kind: [u8; 4],
    #[bin(len = len, args(kind))]
    body: Body,
    #[bin(checksum(Crc32, over = kind..=body))]
    sum: Auto<u32>,
}

fn chunk(body: Body) -> Chunk {
    Chunk { len: Auto::new(), kind: *b"????", body, sum: Auto::new() }
}

#[test]
fn a_variant_says_what_bytes_stand_in_front_of_it() {
    for (body, begin) in [
        (Body::Size(7), &b"\0\0\0\x02SIZE\0\x07"[..]),
        (Body::End, b"\0\0\0\0DONE"),
        (Body::Text(*b"TEXT", raw(b"a")), b"\0\0\0\x01TEXTa"),
        (Body::Text(*b"text", raw(b"a")), b"\0\0\0\x01texta"),
        (Body::Other(*b"more", raw(b"")), b"\0\0\0\0more"),
    ] {
        let bytes: &'static [u8] = chunk(body.clone()).to_vec().unwrap().leak();
        assert_eq!(bytes.split_at(begin.len()).0, begin);
        let read = Chunk::parse(bytes).unwrap();
        assert_eq!(read.body, body);
        same(&read, bytes);
    }
    // What a variant keeps must be one of its own.
    assert_eq!(refused(&chunk(Body::Text(*b"SIZE", raw(b"")))), "body tag");
    assert_eq!(refused(&chunk(Body::Other(*b"DONE", raw(b"")))), "body tag");
    assert_eq!(stopped::<Chunk>(b"\0\0\0\x01SIZE\0"), "body.0 end");
}

/// A value around it that uses the bytes; and one whose tag is given by somebody else.
#[derive(BinFormat, Debug, PartialEq)]
struct Around {
    first: Chunk,
    #[bin(if = first.kind == b"SIZE")]
    more: Option<u8>,
    other: [u8; 4],
    #[bin(calc = tag(body))]
    said: [u8; 4],
    #[bin(args(kind = other))]
    body: Box<Body>,
}

#[test]
fn what_is_used_around_it_is_what_is_written() {
    let body = Box::new(Body::End);
    let value = |kind, more| {
        let first = Chunk { kind, ..chunk(Body::Size(1)) };
        Around { first, more, other: END, said: [0; 4], body: body.clone() }
    };
    let bytes: &'static [u8] = value(*b"SIZE", Some(9)).to_vec().unwrap().leak();
    same(&Around::parse(bytes).unwrap(), bytes);
    assert_eq!(refused(&value(*b"????", None)), "first.kind derived");
    let mut wrong = bytes.to_vec();
    let said = wrong.len() - 4;
    wrong[said..].copy_from_slice(b"gone");
    assert_eq!(findings::<Around>(wrong.leak()), ["error said derived"]);
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(tag = name, args(name: &'a str))]
enum Named<'a> {
    #[bin(id = "size")]
    Size(u8),
    #[bin(id = "name")]
    Name(Name<'a>),
    #[bin(other)]
    Other(&'a str, Raw),
}

#[derive(BinFormat, Debug, PartialEq)]
struct Name<'a> {
    #[bin(nul)]
    name: &'a str,
}

/// Texts, and bytes of any length.
#[derive(BinFormat, Debug, PartialEq)]
struct Property<'a> {
    #[bin(calc = tag(value), until = b'=')]
    name: &'a str,
    #[bin(args(name))]
    value: Named<'a>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Sized<'a> {
    len: Auto<u8>,
    #[bin(calc = tag(value), len = len)]
    name: &'a [u8],
    #[bin(args(name))]
    value: Keyed<'a>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(tag = name, args(name: &'a [u8]))]
enum Keyed<'a> {
    #[bin(id = b"n")]
    Number(u8),
    #[bin(other)]
    Other(&'a [u8], u8),
}

#[test]
fn texts_and_bytes_have_the_length_of_the_tag() {
    let property = |value| Property { name: "", value };
    let written = |value| property(value).to_vec();
    assert_eq!(written(Named::Size(3)).as_deref(), Ok(&b"size=\x03"[..]));
    assert_eq!(written(Named::Other("x", raw(b"y"))).as_deref(), Ok(&b"x=y"[..]));
    same(&Property { name: "name", value: Named::Name(Name { name: "a" }) }, b"name=a\0");
    let sized = |name, value| Sized { len: Auto::new(), name, value };
    same(&sized(b"n", Keyed::Number(1)), b"\x01n\x01");
    same(&sized(b"more", Keyed::Other(b"more", 2)), b"\x04more\x02");
    assert_eq!(sized(b"", Keyed::Number(1)).to_vec().as_deref(), Ok(&b"\x01n\x01"[..]));
}

/// A field that the tag does not fit into.
#[derive(BinFormat, Debug, PartialEq)]
struct Short<'a> {
    #[bin(calc = tag(value))]
    name: [u8; 2],
    key: [u8; 9],
    #[bin(args(name = keyed(key)))]
    value: Keyed<'a>,
}

fn keyed(_: &[u8; 9]) -> &'static [u8] {
    b"n"
}

#[test]
fn a_tag_of_another_length_is_refused() {
    let value = Short { name: *b"no", key: *b"n23456789", value: Keyed::Number(1) };
    assert_eq!(refused(&value), "name derived");
}
