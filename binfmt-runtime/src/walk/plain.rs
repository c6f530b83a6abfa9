//! Plain fields: numbers and short arrays of bytes with nothing around them.
//!
//! Most of most formats is such fields, so what is generated for them is small: a recorder is told of
//! a run of them by one call, and reads them for itself; then they are read without it.

use super::short;
use crate::Cursor;
use crate::finding::Fault;
use crate::int::{Int, Order};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::ops::wide;
use crate::value::Value;

/// What a plain field is.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the types of Rust")]
pub enum PlainKind {
    U8,
    U16,
    U32,
    U64,
    I8,
    I16,
    I32,
    I64,
    F32,
    F64,
    /// An array of so many bytes.
    Bytes(usize),
}

impl PlainKind {
    fn size(self) -> usize {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::I64 | Self::F64 => 8,
            Self::Bytes(len) => len,
        }
    }

    fn take<'a>(self, cur: &mut Cursor<'a>, order: Order) -> Option<Value<'a>> {
        Some(match self {
            Self::U8 => Value::Uint(u8::take(cur, order)?.into()),
            Self::U16 => Value::Uint(u16::take(cur, order)?.into()),
            Self::U32 => Value::Uint(u32::take(cur, order)?.into()),
            Self::U64 => Value::Uint(u64::take(cur, order)?),
            Self::I8 => Value::Int(i8::take(cur, order)?.into()),
            Self::I16 => Value::Int(i16::take(cur, order)?.into()),
            Self::I32 => Value::Int(i32::take(cur, order)?.into()),
            Self::I64 => Value::Int(i64::take(cur, order)?),
            Self::F32 => Value::Float(f32::take(cur, order)?.into()),
            Self::F64 => Value::Float(f64::take(cur, order)?),
            Self::Bytes(len) => Value::Bytes(cur.take(wide(len))?),
        })
    }
}

/// The bytes at `at` of a run.
#[inline(always)]
pub fn load_bytes<const N: usize>(run: &[u8], at: usize) -> [u8; N] {
    run.get(at..).and_then(<[u8]>::first_chunk).copied().unwrap_or([0; N])
}

/// What a recorder makes of plain fields that follow one another, from the field `first` on.
pub(crate) fn record<O: Observer>(
    mut cur: Cursor<'_>,
    obs: &mut O,
    spans: &mut [(usize, usize)],
    (layout, first): (&'static Layout, usize),
    fields: &[PlainKind],
    order: Order,
) -> Result<(), Fault> {
    for ((plain, field), span) in fields.iter().zip(first..).zip(spans) {
        let start = cur.pos();
        obs.enter(layout, field, start);
        let Some(value) = plain.take(&mut cur, order) else {
            return Err(short(&cur, obs, wide(plain.size())));
        };
        *span = (start, cur.pos());
        obs.leave(cur.pos(), &value);
    }
    Ok(())
}
