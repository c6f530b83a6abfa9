//! What an expert writes: one `match`, one bounds check for each value.

use super::shapes;
use crate::fold;
use crate::race::Writer;

macro_rules! make {
    ($($tag:tt $magic:tt $name:ident { $($field:ident: $ty:ident),* })*) => {
        /// A value.
        #[derive(Debug, Clone, Copy)]
        enum Shape {
            $($name { $($field: $ty),* },)*
        }

        impl Shape {
            /// Takes the next value.
            #[inline(always)]
            #[allow(clippy::inline_always, reason = "as if the match stood where it is used")]
            fn take(file: &mut &[u8]) -> Option<Self> {
                let (tag, rest) = file.split_first()?;
                match tag {
                    $($tag => {
                        const LEN: usize = 0 $(+ size_of::<$ty>())*;
                        let (bytes, rest) = rest.split_first_chunk::<LEN>()?;
                        *file = rest;
                        let mut bytes = &bytes[..];
                        $(let $field = $ty::from_le_bytes(*bytes.split_off_chunk()?);)*
                        Some(Self::$name { $($field),* })
                    })*
                    _ => None,
                }
            }

            #[inline(always)]
            #[allow(clippy::inline_always, reason = "every contestant pays the same for it")]
            fn fold(&self, sum: u64) -> u64 {
                match *self {
                    $(Self::$name { $($field),* } => fold::numbers(sum, $tag, &[$(u64::from($field)),*]),)*
                }
            }

            fn len(&self) -> usize {
                match self {
                    $(Self::$name { .. } => 1 $(+ size_of::<$ty>())*,)*
                }
            }

            fn write(&self, out: &mut Vec<u8>) {
                match *self {
                    $(Self::$name { $($field),* } => {
                        out.push($tag);
                        $(out.extend_from_slice(&$field.to_le_bytes());)*
                    })*
                }
            }
        }
    };
}

shapes!(make);

/// The first bytes of a slice, which then begins behind them.
trait SplitOff {
    fn split_off_chunk<const N: usize>(&mut self) -> Option<&[u8; N]>;
}

impl SplitOff for &[u8] {
    #[inline(always)]
    fn split_off_chunk<const N: usize>(&mut self) -> Option<&[u8; N]> {
        let (chunk, rest) = self.split_first_chunk()?;
        *self = rest;
        Some(chunk)
    }
}

/// Walks all values.
#[inline(always)]
#[allow(clippy::inline_always, reason = "as if the loop stood where it is used")]
fn walk(file: &[u8], mut each: impl FnMut(Shape)) -> Option<()> {
    let rest = file.strip_prefix(b"UNIO")?;
    let (count, mut rest) = rest.split_first_chunk()?;
    let count = u32::from_le_bytes(*count) as usize;
    if count > rest.len() {
        return None;
    }
    for _ in 0..count {
        each(Shape::take(&mut rest)?);
    }
    Some(())
}

/// Reads all values.
pub fn read(file: &[u8]) -> Option<u64> {
    let mut sum = 0;
    walk(file, |shape| sum = shape.fold(sum))?;
    Some(sum)
}

/// Reads all values into a `Vec`.
pub fn own(file: &[u8]) -> Option<u64> {
    let mut shapes = Vec::new();
    walk(file, |shape| shapes.push(shape))?;
    Some(shapes.iter().fold(0, |sum, shape| shape.fold(sum)))
}

/// Whether all values can be read.
pub fn is_valid(file: &[u8]) -> Option<u64> {
    walk(file, |_| ()).map(|()| 1)
}

/// Writes the values again.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let mut shapes = Vec::new();
    walk(file, |shape| shapes.push(shape))?;
    Some(Box::new(move || {
        let mut out = Vec::with_capacity(8 + shapes.iter().map(Shape::len).sum::<usize>());
        out.extend_from_slice(b"UNIO");
        out.extend_from_slice(&u32::try_from(shapes.len()).ok()?.to_le_bytes());
        shapes.iter().for_each(|shape| shape.write(&mut out));
        Some(out)
    }))
}
