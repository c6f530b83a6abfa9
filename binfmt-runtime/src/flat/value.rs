//! Numbers, texts and bytes in tables.

use super::{FlatValue, Place, report};
use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::value::Value;

macro_rules! numbers {
    ($($ty:ident $value:ident($to:ty);)*) => {
        $(impl<'a> FlatValue<'a> for $ty {
            const FLAT: &'static Layout = &Layout::scalar(stringify!($ty));
            const SIZE: usize = size_of::<$ty>();
            const ALIGN: usize = size_of::<$ty>();
            const OFFSET: bool = false;
            const HAS_DEFAULT: bool = true;
            const PLAIN: bool = true;

            #[inline(always)]
            fn walk<O: Observer>(place: Place<'a>, obs: &mut O) -> Result<Self, Fault> {
                match place.rest.first_chunk() {
                    Some(bytes) => Ok(Self::from_le_bytes(*bytes)),
                    None => Err(report::flawed(place, obs, super::Flaw::Outside, Self::SIZE)),
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
    const HAS_DEFAULT: Self = true;
    const OFFSET: Self = false;
    const PLAIN: Self = true;
    const SIZE: usize = 1;
    const FLAT: &'static Layout = &Layout::scalar("bool");

    #[inline(always)]
    fn walk<O: Observer>(place: Place<'a>, obs: &mut O) -> Result<Self, Fault> {
        let byte = u8::walk(place, obs)?;
        if O::RECORD && byte > 1 {
            obs.note(
                Severity::Warning,
                &Problem {
                    code: "value",
                    class: Class::Invalid,
                    start: place.offset(),
                    end: place.end(1),
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
    const HAS_DEFAULT: bool = true;
    const FLAT: &'static Layout = &Layout::scalar("bytes");

    #[inline(always)]
    fn walk<O: Observer>(place: Place<'a>, obs: &mut O) -> Result<Self, Fault> {
        let (bytes, _) = counted(place, obs)?;
        obs.passes(bytes.len());
        Ok(bytes)
    }

    #[inline]
    fn end(&self, place: Place<'a>) -> usize {
        place.offset().saturating_add(4).saturating_add(self.len())
    }

    fn extent(place: Place<'a>) -> usize {
        place.end(stored_len(place, 1))
    }

    fn absent() -> Option<Self> {
        Some(&[])
    }

    fn value(&self) -> Value<'_> {
        Value::Bytes(self)
    }
}

impl<'a> FlatValue<'a> for &'a str {
    const HAS_DEFAULT: bool = true;
    const FLAT: &'static Layout = &Layout::scalar("text");

    #[inline(always)]
    fn walk<O: Observer>(place: Place<'a>, obs: &mut O) -> Result<Self, Fault> {
        if O::RECORD {
            return recorded_text(place, obs);
        }
        let text = if place.is_aligned(4) { text(place.rest) } else { None };
        let text = text.ok_or(Fault::at(place.offset()))?;
        pay_text(place, obs, text.len())?;
        obs.passes(text.len());
        Ok(text)
    }

    #[inline]
    fn end(&self, place: Place<'a>) -> usize {
        place.offset().saturating_add(5).saturating_add(self.len())
    }

    fn extent(place: Place<'a>) -> usize {
        place.end(stored_len(place, 1).saturating_add(1))
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
fn counted<'a, O: Observer>(place: Place<'a>, obs: &mut O) -> Result<(&'a [u8], &'a [u8]), Fault> {
    let (len, behind) = place.number().map_err(|flaw| report::flawed(place, obs, flaw, 4))?;
    let len = usize::try_from(len).unwrap_or(usize::MAX);
    behind.rest.split_at_checked(len).ok_or_else(|| too_long(place, obs, len))
}

/// How many bytes a text or vector takes with its length, if it has the items that it claims.
pub(super) fn stored_len(place: Place<'_>, size: usize) -> usize {
    let count = place.rest.first_chunk().map_or(0, |count| u32::from_le_bytes(*count));
    usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(size).saturating_add(4)
}

/// The text at the front of some bytes, with its length in front and a NUL behind.
fn text(bytes: &[u8]) -> Option<&str> {
    let (len, bytes) = bytes.split_first_chunk()?;
    let len = usize::try_from(u32::from_le_bytes(*len)).ok()?;
    let (text, rest) = bytes.split_at_checked(len)?;
    if rest.first() != Some(&0) {
        return None;
    }
    core::str::from_utf8(text).ok()
}

#[inline(always)]
fn pay_text<O: Observer>(place: Place<'_>, obs: &mut O, len: usize) -> Result<(), Fault> {
    if !obs.walks_items() {
        return Ok(());
    }
    report::pay(obs, place, |limits| limits.spend(crate::ops::wide(len >> 4)))
}

/// Reads a text, and tells what is wrong with it.
#[inline(never)]
fn recorded_text<'a, O: Observer>(place: Place<'a>, obs: &mut O) -> Result<&'a str, Fault> {
    let (bytes, rest) = counted(place, obs)?;
    pay_text(place, obs, bytes.len())?;
    let start = place.offset().saturating_add(4);
    let end = start.saturating_add(bytes.len());
    let text = core::str::from_utf8(bytes).map_err(|error| {
        let span = (start.saturating_add(error.valid_up_to()), end);
        let found = Show::bytes(bytes.get(error.valid_up_to()..).unwrap_or_default());
        report::stop(obs, "utf8", span, "the text is not UTF-8", found)
    })?;
    if rest.first() == Some(&0) {
        return Ok(text);
    }
    let span = (end, end.saturating_add(rest.len().min(1)));
    Err(report::stop(obs, "nul", span, "the text does not end with a NUL", Show::Nothing))
}

/// A text or vector that claims more than the buffer has.
#[inline(always)]
pub(super) fn too_long<O: Observer>(place: Place<'_>, obs: &mut O, len: usize) -> Fault {
    let span = (place.offset(), place.offset().saturating_add(4));
    let what = "the length reaches out of the buffer";
    report::stop(obs, "size", span, what, Show::Uint(crate::ops::wide(len)))
}

/// Where the table at `place` ends, as far as it holds its fields itself.
pub fn table_end(place: Place<'_>) -> usize {
    super::Table::end(place).unwrap_or(place.offset())
}
