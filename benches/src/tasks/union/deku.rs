//! The union as `deku` declarations.

use std::io::Cursor;

use deku::prelude::*;

use super::shapes;
use crate::fold;
use crate::race::Writer;

macro_rules! make {
    ($($tag:tt $magic:tt $name:ident { $($field:ident: $ty:ident),* })*) => {
        #[derive(DekuRead, DekuWrite, Debug, Clone, Copy)]
        #[deku(id_type = "u8", endian = "endian", ctx = "endian: deku::ctx::Endian")]
        enum Shape {
            $(#[deku(id = $tag)] $name { $($field: $ty),* },)*
        }

        impl Shape {
            fn fold(&self, sum: u64) -> u64 {
                match *self {
                    $(Self::$name { $($field),* } => {
                        fold::numbers(sum, $tag, &[$(u64::from($field)),*])
                    })*
                }
            }
        }
    };
}

shapes!(make);

#[derive(DekuRead, DekuWrite, Debug)]
#[deku(endian = "little", magic = b"UNIO")]
struct Union {
    count: u32,
    #[deku(count = "count")]
    shapes: Vec<Shape>,
}

/// Reads all values into a `Vec`.
pub fn own(file: &[u8]) -> Option<u64> {
    let (_, union) = Union::from_reader((&mut Cursor::new(file), 0)).ok()?;
    Some(union.shapes.iter().fold(0, |sum, shape| shape.fold(sum)))
}

/// Writes the values again, with the count that was read.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let (_, union) = Union::from_reader((&mut Cursor::new(file), 0)).ok()?;
    Some(Box::new(move || union.to_bytes().ok()))
}
