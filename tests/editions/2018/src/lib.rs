//! Declarations in a crate of edition 2018, under lints that forbid warnings.
#![no_implicit_prelude]
#![deny(warnings, clippy::all, clippy::pedantic, rust_2018_idioms)]

use ::binfmt_runtime::{Auto, BinFormat, Order, Seq};
use ::core::clone::Clone;
use ::core::cmp::PartialEq;
use ::core::fmt::Debug;
use ::core::option::Option;

/// Every kind of declaration, in one.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(endian = magic, magic = [b"II" => little, b"MM" => big], new, let(wide = flags & 2 != 0))]
pub struct Everything<'a> {
    #[bin(magic)]
    mark: [u8; 2],
    #[bin(check(flags != 0xff, "all of {flags} is set"))]
    flags: u8,
    #[bin(flag = flags & 4)]
    r#type: Option<u16>,
    #[bin(if = wide, args(order = Order::Big))]
    told: Option<Told>,
    #[bin(calc = tag(body))]
    kind: Auto<u16>,
    len: Auto<u16>,
    #[bin(len = len, args(kind))]
    body: Body<'a>,
    count: Auto<u16>,
    #[bin(count = count)]
    items: Seq<'a, Item>,
}

/// A byte order that is passed.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(endian = order, args(order: Order))]
pub struct Told {
    number: u16,
}

/// A shape that is told by a tag.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(tag = kind, args(kind: u16))]
pub enum Body<'a> {
    /// No bytes.
    #[bin(id = 1)]
    Empty,
    /// Any others.
    #[bin(other)]
    Other(u16, Raw<'a>),
}

/// Bytes.
#[derive(BinFormat, Debug, Clone, PartialEq)]
pub struct Raw<'a> {
    #[bin(until_end)]
    bytes: &'a [u8],
}

/// An item in the order of what is around it.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(endian = inherit)]
pub struct Item {
    kind: Kind,
    #[bin(optional, magic = b"!")]
    mark: Option<u8>,
}

/// A number with names.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq)]
#[bin(endian = inherit)]
#[repr(u16)]
pub enum Kind {
    /// The first.
    One = 1,
    /// Any other.
    #[bin(other)]
    Other(u16),
}

/// A value, and the bytes that it is written as.
#[must_use]
pub fn sample() -> (Everything<'static>, &'static [u8]) {
    const ITEMS: &[Item] = &[
        Item { kind: Kind::One, mark: Option::None },
        Item { kind: Kind::Other(0x0203), mark: Option::Some(7) },
    ];
    let body = Body::Other(9, Raw { bytes: b"xyz" });
    let told = Option::Some(Told { number: 5 });
    let value = Everything::new(
        *b"MM",
        6,
        Option::Some(0x0102),
        told,
        body,
        ::core::convert::From::from(ITEMS),
    );
    (value, b"MM\x06\x01\x02\0\x05\0\x09\0\x03xyz\0\x02\0\x01\x02\x03!\x07")
}
