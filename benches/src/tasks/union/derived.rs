//! The declaration, borrowed and owned.

use binfmt_runtime::{Auto, BinFormat, Seq};

use super::shapes;
use crate::fold;
use crate::race::Writer;

macro_rules! make {
    ($($tag:tt $magic:tt $name:ident { $($field:ident: $ty:ident),* })*) => {
        $(
            #[derive(BinFormat, Debug, Clone, Copy)]
            #[bin(little)]
            struct $name {
                $($field: $ty,)*
            }
        )*

        #[derive(BinFormat, Debug, Clone, Copy)]
        #[bin(little)]
        enum Shape {
            $(#[bin(magic = $magic)] $name($name),)*
        }

        impl Shape {
            #[inline(always)]
            #[allow(clippy::inline_always, reason = "every contestant pays the same for it")]
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

#[derive(BinFormat, Debug, Clone)]
#[bin(little, magic = b"UNIO")]
struct Union<'a> {
    #[allow(dead_code, reason = "on the wire alone")]
    count: Auto<u32>,
    #[bin(count = count)]
    shapes: Seq<'a, Shape>,
}

#[derive(BinFormat, Debug, Clone)]
#[bin(little, magic = b"UNIO")]
struct Owned {
    #[allow(dead_code, reason = "on the wire alone")]
    count: Auto<u32>,
    #[bin(count = count)]
    shapes: Vec<Shape>,
}

/// Reads all values.
pub fn read(file: &[u8]) -> Option<u64> {
    let union = Union::parse(file).ok()?;
    let mut sum = 0;
    for shape in &union.shapes {
        sum = shape.ok()?.fold(sum);
    }
    Some(sum)
}

/// Reads all values into a `Vec`.
pub fn own(file: &[u8]) -> Option<u64> {
    let union = Owned::parse(file).ok()?;
    Some(union.shapes.iter().fold(0, |sum, shape| shape.fold(sum)))
}

/// Whether all values can be read.
pub fn is_valid(file: &[u8]) -> Option<u64> {
    Union::is_valid(file).then_some(1)
}

/// Whether there are no findings.
pub fn validate(file: &[u8]) -> Option<u64> {
    Union::validate(file).findings().is_empty().then_some(1)
}

/// Writes the values again.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let union = Owned::parse(file).ok()?;
    Some(Box::new(move || union.to_vec().ok()))
}
