//! What the declarations of the sweep use.

pub(crate) use binfmt_runtime::{
    Auto, BinFormat, Blob, Codec, CodecError, Cursor, Digest, Encoded, Fault, Lazy, Leb128, Order, Output,
    Reserved, Rules, Seq, U24, Utf16, Writer,
};
pub(crate) use binfmt_runtime::encodings::Vlq;
pub(crate) use std::borrow::Cow;

#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Default)]
#[bin(little)]
pub(crate) struct Head {
    pub(crate) size: u16,
    pub(crate) kind: Kind,
    pub(crate) small: Small,
}

/// A method of everything.
pub(crate) trait Sizes {
    fn sized(&self) -> u16 {
        1
    }
}

impl<T: ?::core::marker::Sized> Sizes for T {}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, tag = kind, args(kind: u8))]
pub(crate) enum Shape {
    #[bin(id = 1)]
    One(Item),
    #[bin(id = 2)]
    Two,
    #[bin(other)]
    Other(u8),
}

impl Default for Shape {
    fn default() -> Self {
        Self::Two
    }
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub(crate) struct Leaf<'a> {
    #[bin(slot = 0)]
    pub(crate) size: u8,
    #[bin(slot = 1)]
    pub(crate) name: Option<&'a str>,
}

/// A constant.
pub(crate) const LIMIT: u32 = 9;

#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Default)]
#[bin(little)]
pub(crate) struct Row {
    pub(crate) place: u32,
    pub(crate) size: u32,
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[bin(little)]
pub(crate) struct Item {
    pub(crate) place: u32,
    pub(crate) size: u16,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(args(size: u8))]
pub(crate) struct Sized {
    #[bin(len = size)]
    pub(crate) data: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
pub(crate) struct Whole<'a> {
    #[bin(until_end)]
    pub(crate) data: &'a [u8],
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Default)]
#[repr(u8)]
pub(crate) enum Kind {
    #[default]
    One = 1,
    Two = 2,
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Default)]
#[bin(bits = u8, lsb)]
pub(crate) struct Small {
    #[bin(bits = 1)]
    pub(crate) wide: bool,
    #[bin(bits = 7)]
    pub(crate) size: u8,
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Default)]
#[bin(little)]
pub(crate) struct Flags(pub(crate) u16);

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Made;

pub(crate) fn made_from(_: u16) -> Made {
    Made
}

pub(crate) fn made_into(_: &Made) -> u16 {
    0
}

pub(crate) fn made_array(_: u8) -> [u16; 2] {
    [0; 2]
}

pub(crate) fn made_rule(_: u8) -> bool {
    true
}

pub(crate) fn made_rules<T>(_: &T, _: &mut Rules<'_>) {}

/// A number, whatever of.
pub(crate) fn function<T>(_: T) -> u32 {
    1
}

pub(crate) fn both<A, B>(_: A, _: B) -> u32 {
    1
}

pub(crate) fn field_is<T>(_: T) -> bool {
    true
}

pub(crate) mod by_hand {
    use super::{Cursor, Fault, Writer};

    pub(crate) fn read<T: Default>(_: &mut Cursor<'_>) -> Result<T, Fault> {
        Ok(T::default())
    }

    pub(crate) fn write<T>(_: &T, _: &mut Writer<'_>) -> Result<(), Fault> {
        Ok(())
    }
}

/// The sum of all bytes.
#[derive(Default)]
pub(crate) struct Total(u32);

impl Digest for Total {
    type Sum = u32;

    fn update(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |sum, byte| sum.wrapping_add(u32::from(*byte)));
    }

    fn finish(self) -> u32 {
        self.0
    }
}

/// Bytes, each of which has something added to it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Key(pub(crate) u8);

impl Codec for Key {
    const NAME: &'static str = "Key";

    fn decode(&self, coded: &[u8], out: &mut Output<'_>) -> Result<usize, CodecError> {
        let decoded: Vec<u8> = coded.iter().map(|byte| byte.wrapping_sub(self.0)).collect();
        out.put(&decoded)?;
        Ok(coded.len())
    }

    fn encode(&self, decoded: &[u8], coded: &mut Vec<u8>) -> Result<(), CodecError> {
        coded.extend(decoded.iter().map(|byte| byte.wrapping_add(self.0)));
        Ok(())
    }
}
