//! What the declarations of the sweep use.

pub(crate) use binfmt_runtime::{
    Auto, BinFormat, Blob, Cursor, Digest, Fault, Lazy, Leb128, Reserved, Seq, U24, Utf16, Writer,
};
pub(crate) use std::borrow::Cow;

#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Default)]
#[bin(little)]
pub(crate) struct Head {
    pub(crate) size: u16,
    pub(crate) kind: Kind,
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Default)]
#[bin(little)]
pub(crate) struct Row {
    pub(crate) place: u32,
    pub(crate) size: u32,
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Default)]
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
