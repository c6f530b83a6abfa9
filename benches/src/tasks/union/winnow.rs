//! The union as `winnow` parsers, dispatched by the tag.

use winnow::binary::{le_u16, le_u32, le_u64, u8};
use winnow::combinator::{dispatch, fail, repeat, seq};
use winnow::error::EmptyError;
use winnow::{Parser, Result};

use super::shapes;
use crate::fold;

macro_rules! parser {
    (u16) => {
        le_u16
    };
    (u32) => {
        le_u32
    };
    (u64) => {
        le_u64
    };
}

macro_rules! make {
    ($($tag:tt $magic:tt $name:ident { $($field:ident: $ty:ident),* })*) => {
        enum Shape {
            $($name { $($field: $ty),* },)*
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

        fn shape(input: &mut &[u8]) -> Result<Shape, EmptyError> {
            dispatch! { u8;
                $($tag => seq! { Shape::$name { $($field: parser!($ty)),* } },)*
                _ => fail,
            }
            .parse_next(input)
        }
    };
}

shapes!(make);

/// Reads all values.
pub fn read(mut file: &[u8]) -> Option<u64> {
    let input = &mut file;
    b"UNIO".void().parse_next(input).map_err(|_: EmptyError| ()).ok()?;
    let count = le_u32::<_, EmptyError>.parse_next(input).ok()? as usize;
    repeat(count, shape).fold(|| 0, |sum, shape: Shape| shape.fold(sum)).parse_next(input).ok()
}
