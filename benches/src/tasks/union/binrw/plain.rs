//! As a user writes it.

use std::io::Cursor;

use binrw::{BinRead, BinWrite, binrw};

use super::super::shapes;
use crate::fold;
use crate::race::Writer;

macro_rules! make {
    ($($tag:tt $magic:tt $name:ident { $($field:ident: $ty:ident),* })*) => {
        #[derive(BinRead, BinWrite, Debug, Clone, Copy)]
        enum Shape {
            $(#[brw(magic = $magic)] $name { $($field: $ty),* },)*
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

#[binrw]
#[derive(Debug)]
#[brw(little, magic = b"UNIO")]
struct Union {
    #[br(temp)]
    #[bw(try_calc = shapes.len().try_into())]
    count: u32,
    #[br(count = count)]
    shapes: Vec<Shape>,
}

/// Reads all values into a `Vec`.
pub fn own(file: &[u8]) -> Option<u64> {
    let union = Union::read(&mut Cursor::new(file)).ok()?;
    Some(union.shapes.iter().fold(0, |sum, shape| shape.fold(sum)))
}

/// Writes the values again.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let union = Union::read(&mut Cursor::new(file)).ok()?;
    Some(Box::new(move || {
        let mut out = Cursor::new(Vec::new());
        union.write(&mut out).ok()?;
        Some(out.into_inner())
    }))
}
