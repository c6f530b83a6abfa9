//! With shapes that are structs and carry their own magic, which moves the error of a wrong one into
//! a field, where `binrw` tells the way to it.

use std::io::Cursor;

use binrw::{BinRead, binread};

use super::super::shapes;
use crate::fold;

macro_rules! make {
    ($($tag:tt $magic:tt $name:ident { $($field:ident: $ty:ident),* })*) => {
        $(
            #[derive(BinRead, Debug, Clone, Copy)]
            #[br(magic = $magic)]
            struct $name {
                $($field: $ty,)*
            }
        )*

        #[derive(BinRead, Debug, Clone, Copy)]
        enum Shape {
            $($name($name),)*
        }

        impl Shape {
            fn fold(&self, sum: u64) -> u64 {
                match *self {
                    $(Self::$name($name { $($field),* }) => {
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
