//! With errors that say nothing.

use std::io::Cursor;

use binrw::{BinRead, binread};

use super::super::shapes;
use crate::fold;

macro_rules! make {
    ($($tag:tt $magic:tt $name:ident { $($field:ident: $ty:ident),* })*) => {
        #[derive(BinRead, Debug, Clone, Copy)]
        #[br(return_unexpected_error)]
        enum Shape {
            $(#[br(magic = $magic)] $name { $($field: $ty),* },)*
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

#[binread]
#[derive(Debug)]
#[br(little, magic = b"UNIO")]
struct Union {
    #[br(temp)]
    count: u32,
    #[br(count = count)]
    shapes: Vec<Shape>,
}

/// Reads all values into a `Vec`.
pub fn own(file: &[u8]) -> Option<u64> {
    let union = Union::read(&mut Cursor::new(file)).ok()?;
    Some(union.shapes.iter().fold(0, |sum, shape| shape.fold(sum)))
}
