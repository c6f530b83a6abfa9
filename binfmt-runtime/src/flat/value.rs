//! Numbers, texts and bytes in tables.

use core::str::Utf8Error;

use super::{FlatValue, Place, tell};
use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::value::Value;

macro_rules! numbers {
    ($($ty:ident $value:ident($to:ty);)*) => {
        $(impl<'a> FlatValue<'a> for $ty {
            const WIRE: &'static Layout = &Layout::scalar(stringify!($ty));
            const SIZE: usize = size_of::<$ty>();
            const ALIGN: usize = size_of::<$ty>();
            const OFFSET: bool = false;
            const PLAIN: bool = true;

            #[inline]
            fn walk<O: Observer>(place: Place<'a>, obs: &mut O) -> Result<Self, Fault> {
                match place.buf.array(place.pos) {
                    Some(bytes) => Ok(Self::from_le_bytes(bytes)),
                    None => Err(tell::flawed(place, obs, super::Flaw::Outside, Self::SIZE)),
                }
            }

            fn absent() -> Option<Self> {
                Some(Self::default())
            }

            fn value(&self) -> Value<'_> {
                Value::$value(<$to>::from(*self))
            }
        })*
    };
}

numbers! {
    u8 Uint(u64);
    u16 Uint(u64);
    u32 Uint(u64);
    u64 Uint(u64);
    i8 Int(i64);
    i16 Int(i64);
    i32 Int(i64);
    i64 Int(i64);
    f32 Float(f64);
    f64 Float(f64);
}

impl<'a> FlatValue<'a> for bool {
    const ALIGN: usize = 1;
    const OFFSET: Self = false;
    const PLAIN: Self = true;
    const SIZE: usize = 1;
    const WIRE: &'static Layout = &Layout::scalar("bool");

    #[inline]
    fn walk<O: Observer>(place: Place<'a>, obs: &mut O) -> Result<Self, Fault> {
        let byte = u8::walk(place, obs)?;
        if O::RECORD && byte > 1 {
            obs.note(
                Severity::Warning,
                &Problem {
                    code: "value",
                    class: Class::Invalid,
                    start: place.pos,
                    end: place.pos.saturating_add(1),
                    what: format_args!("a truth value is 0 or 1; this reads as true"),
                    expected: Show::Nothing,
                    found: Show::Uint(u64::from(byte)),
                },
            );
        }
        Ok(byte != 0)
    }

    fn absent() -> Option<Self> {
        Some(false)
    }

    fn value(&self) -> Value<'_> {
        Value::Bool(*self)
    }
}

impl<'a> FlatValue<'a> for &'a [u8] {
    const ALIGN: usize = 4;
    const OFFSET: bool = true;
    const SIZE: usize = 4;
    const WIRE: &'static Layout = &Layout::scalar("bytes");

    #[inline]
    fn walk<O: Observer>(place: Place<'a>, obs: &mut O) -> Result<Self, Fault> {
        Ok(counted(place, obs)?.0)
    }

    #[inline]
    fn end(&self, place: Place<'a>) -> usize {
        place.pos.saturating_add(4).saturating_add(self.len())
    }

    fn extent(place: Place<'a>) -> usize {
        let len = place.buf.u32(place.pos).and_then(|len| usize::try_from(len).ok());
        place.pos.saturating_add(4).saturating_add(len.unwrap_or(0)).min(place.buf.file.len())
    }

    fn absent() -> Option<Self> {
        Some(&[])
    }

    fn value(&self) -> Value<'_> {
        Value::Bytes(self)
    }
}

impl<'a> FlatValue<'a> for &'a str {
    const ALIGN: usize = 4;
    const OFFSET: bool = true;
    const SIZE: usize = 4;
    const WIRE: &'static Layout = &Layout::scalar("text");

    #[inline]
    fn walk<O: Observer>(place: Place<'a>, obs: &mut O) -> Result<Self, Fault> {
        let (bytes, rest) = counted(place, obs)?;
        if obs.walks_items() {
            let cost = crate::ops::wide(bytes.len() >> 4);
            tell::pay(obs, place.pos, |limits| limits.spend_flat(cost))?;
        }
        match core::str::from_utf8(bytes) {
            Ok(text) if rest.first() == Some(&0) => Ok(text),
            text => Err(no_text(place, obs, bytes, text.err())),
        }
    }

    #[inline]
    fn end(&self, place: Place<'a>) -> usize {
        place.pos.saturating_add(5).saturating_add(self.len())
    }

    fn extent(place: Place<'a>) -> usize {
        <&'a [u8]>::extent(place).saturating_add(1).min(place.buf.file.len())
    }

    fn absent() -> Option<Self> {
        Some("")
    }

    fn value(&self) -> Value<'_> {
        Value::Str(self)
    }
}

/// The bytes of a text or vector of bytes, and what lies behind them.
#[inline]
fn counted<'a, O: Observer>(
    place: Place<'a>,
    obs: &mut O,
) -> Result<(&'a [u8], &'a [u8]), Fault> {
    let (len, rest) = place.counted().map_err(|flaw| tell::flawed(place, obs, flaw, 4))?;
    rest.split_at_checked(len).ok_or_else(|| too_long(place, obs, len))
}

/// Bytes that are no text, or have no NUL behind them.
#[cold]
fn no_text<O: Observer>(
    place: Place<'_>,
    obs: &mut O,
    bytes: &[u8],
    error: Option<Utf8Error>,
) -> Fault {
    let start = place.pos.saturating_add(4);
    let end = start.saturating_add(bytes.len());
    let Some(error) = error else {
        let end_of_nul = end.saturating_add(1).min(place.buf.file.len());
        let what = "the text does not end with a NUL";
        return tell::stop(obs, "nul", (end.min(end_of_nul), end_of_nul), what, Show::Nothing);
    };
    let span = (start.saturating_add(error.valid_up_to()), end);
    let found = Show::bytes(bytes.get(error.valid_up_to()..).unwrap_or_default());
    tell::stop(obs, "utf8", span, "the text is not UTF-8", found)
}

/// A text or vector that claims more than the buffer has.
#[cold]
pub(super) fn too_long<O: Observer>(place: Place<'_>, obs: &mut O, len: usize) -> Fault {
    let span = (place.pos, place.pos.saturating_add(4));
    let what = "the length reaches out of the buffer";
    tell::stop(obs, "size", span, what, Show::Uint(crate::ops::wide(len)))
}

/// Where the table at `place` ends, as far as it holds its fields itself.
pub fn table_end(place: Place<'_>) -> usize {
    super::Table::end(place).unwrap_or(place.pos)
}
