//! Numbers, texts and bytes in tables.

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
        let (len, first) =
            place.counted().map_err(|flaw| tell::flawed(place, obs, flaw, Self::SIZE))?;
        match first.buf.bytes(first.pos, len) {
            Some(bytes) => Ok(bytes),
            None => Err(too_long(place, obs, len)),
        }
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
        let bytes = <&'a [u8]>::walk(place, obs)?;
        let spent = obs.limits().is_flat_spent();
        if obs.limits().spend_flat(crate::ops::wide(bytes.len() >> 4)).is_none() {
            return Err(tell::spent(obs, place.pos, !spent));
        }
        let start = place.pos.saturating_add(4);
        let end = start.saturating_add(bytes.len());
        let text = core::str::from_utf8(bytes).map_err(|error| {
            let span = (start.saturating_add(error.valid_up_to()), end);
            let found = Show::bytes(bytes.get(error.valid_up_to()..).unwrap_or_default());
            tell::stop(obs, "utf8", span, "the text is not UTF-8", found)
        })?;
        if place.buf.array(end) == Some([0]) {
            return Ok(text);
        }
        let end_of_nul = end.saturating_add(1).min(place.buf.file.len());
        let what = "the text does not end with a NUL";
        Err(tell::stop(obs, "nul", (end.min(end_of_nul), end_of_nul), what, Show::Nothing))
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

/// A text or vector that claims more than the buffer has.
pub(super) fn too_long<O: Observer>(place: Place<'_>, obs: &mut O, len: usize) -> Fault {
    let span = (place.pos, place.pos.saturating_add(4));
    let what = "the length reaches out of the buffer";
    tell::stop(obs, "size", span, what, Show::Uint(crate::ops::wide(len)))
}

/// Where the table at `place` ends, as far as it holds its fields itself.
pub fn table_end(place: Place<'_>) -> usize {
    super::Table::at(place).map_or(place.pos, |table| table.range().1)
}
