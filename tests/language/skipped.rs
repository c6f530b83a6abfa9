//! Fields that are in the struct alone.

use std::marker::PhantomData;

use binfmt_runtime::{Auto, BinFormat, Wire};

use super::{refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, new, args(limit: u8 = 200))]
struct Cached<'a> {
    #[bin(skip)]
    seen: Option<String>,
    kind: u8,
    len: Auto<u16>,
    #[bin(skip, default = -1)]
    rank: i32,
    #[bin(len = len, check(kind < limit, "kind {kind} is unknown"))]
    data: &'a [u8],
    #[bin(skip, default = vec_of(3, u64::from(u8::MAX)))]
    counts: Vec<u64>,
}

fn vec_of(count: usize, value: u64) -> Vec<u64> {
    vec![value; count]
}

#[test]
fn a_skipped_field_is_not_in_the_file() {
    let value = Cached::new(7, b"ab");
    assert_eq!((&value.seen, value.rank, value.counts.as_slice()), (&None, -1, &[255; 3][..]));
    same(&value, b"\x07\x02\0ab");
    assert_eq!(stopped::<Cached<'_>>(b"\xc8\x02\0ab"), "data Cached.data");
}

#[test]
fn what_it_held_is_lost_when_it_is_written() {
    let value = Cached { seen: Some("here".into()), rank: 9, ..Cached::new(7, b"ab") };
    let mut room = Vec::new();
    assert_eq!(value.to_vec().unwrap(), b"\x07\x02\0ab");
    assert_eq!(value.settle(&mut room).unwrap(), Cached::new(7, b"ab"));
}

#[test]
fn it_is_no_part_of_the_layout() {
    let names: Vec<_> = Cached::WIRE.fields.iter().map(|field| field.name).collect();
    assert_eq!(names, ["kind", "len", "data"]);
    let text = Cached::inspect(b"\x07\x02\0ab").to_string();
    assert!(text.contains("kind") && !text.contains("rank"), "{text}");
}

/// A number that knows what it counts: the type has no bytes, and need not be declared.
#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[bin(big)]
struct Of<T>(u16, #[bin(skip)] PhantomData<T>);

#[derive(Debug, PartialEq, Clone, Copy)]
struct Apples;

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Basket {
    #[bin(until_end)]
    apples: Vec<Of<Apples>>,
}

#[test]
fn a_number_carries_a_type_that_is_not_declared() {
    let of = |number| Of(number, PhantomData);
    same(&Basket { apples: vec![of(1), of(0x203)] }, &[0, 1, 2, 3]);
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[bin(big, bits = u8, msb)]
struct Nibbles {
    #[bin(bits = 4)]
    high: u8,
    #[bin(skip, default = 1)]
    weight: u8,
    #[bin(bits = 4)]
    low: u8,
}

#[test]
fn bit_fields_have_skipped_ones_between_them() {
    same(&Nibbles { high: 10, weight: 1, low: 5 }, &[0xa5]);
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(new, args(version: u8, wide: bool))]
struct Knows {
    #[bin(skip, default = version)]
    version: u8,
    #[bin(if = wide)]
    more: Option<u8>,
    #[bin(skip, default = wide)]
    is_wide: bool,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Told {
    version: u8,
    #[bin(args(version, wide = version > 1))]
    body: Knows,
}

#[test]
fn a_value_keeps_what_it_is_passed() {
    let value = |version, more, wide| Told { version, body: Knows::new(more, version, wide) };
    same(&value(1, None, false), b"\x01");
    same(&value(2, Some(7), true), b"\x02\x07");
    let wrong = Told { version: 2, body: Knows::new(Some(7), 1, true) };
    assert_eq!(refused(&wrong), "body.version args");
    assert_eq!(refused(&value(2, Some(7), false)), "body.is_wide args");
}
