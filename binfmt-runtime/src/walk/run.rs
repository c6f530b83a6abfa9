//! Runs of plain numbers and byte arrays: taken at once, and told to a recorder field by field.
//!
//! Most of most formats is such runs, so what is generated for them is small: the recorder goes
//! through them with a table, one letter for each number, as Python's `struct` names them.

use crate::Cursor;
use crate::finding::Fault;
use crate::int::{Order, Plain};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::ops::wide;
use crate::value::Value;

/// Plain fields that follow one another.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The declaration that they are part of.
    pub layout: &'static Layout,
    /// The first of them.
    pub first: usize,
    /// What each of them is: one of `BHIQbhiqfd`, or `s` and a length for an array of bytes.
    pub letters: &'static [u8],
    /// The byte order of all of them.
    pub order: Order,
}

/// Takes the `N` bytes of a run, and tells the observer of its fields.
#[inline(always)]
pub fn run<'a, O: Observer, const N: usize>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    spans: &mut [(usize, usize)],
    run: &Run,
) -> Result<&'a [u8; N], Fault> {
    if O::RECORD {
        let start = cur.rest();
        obs.run(cur, spans, run)?;
        // All of it has been read.
        return start.first_chunk().ok_or(Fault::at(cur.pos()));
    }
    cur.take_array().ok_or(Fault::at(cur.pos()))
}

/// The number at `at` of a run.
#[inline(always)]
pub fn load<T: Plain, O: Observer>(run: &[u8], at: usize, order: Order) -> T {
    if O::RECORD { T::load_apart(run, at, order) } else { T::load(run, at, order) }
}

/// The bytes at `at` of a run.
#[inline(always)]
pub fn load_array<const N: usize>(run: &[u8], at: usize) -> [u8; N] {
    match run.get(at..).and_then(<[u8]>::first_chunk) {
        Some(bytes) => *bytes,
        None => [0; N],
    }
}

/// What a recorder makes of a run.
pub(crate) fn record<O: Observer>(
    cur: &mut Cursor<'_>,
    obs: &mut O,
    spans: &mut [(usize, usize)],
    run: &Run,
) -> Result<(), Fault> {
    let mut spans = spans.iter_mut();
    let mut letters = run.letters.iter();
    let mut fields = run.first..;
    while let (Some(letter), Some(field)) = (letters.next(), fields.next()) {
        let start = cur.pos();
        obs.enter(run.layout, field, start);
        let value = match letter {
            b'B' => value::<u8, O>(cur, obs, run.order),
            b'H' => value::<u16, O>(cur, obs, run.order),
            b'I' => value::<u32, O>(cur, obs, run.order),
            b'Q' => value::<u64, O>(cur, obs, run.order),
            b'b' => value::<i8, O>(cur, obs, run.order),
            b'h' => value::<i16, O>(cur, obs, run.order),
            b'i' => value::<i32, O>(cur, obs, run.order),
            b'q' => value::<i64, O>(cur, obs, run.order),
            b's' => bytes(cur, obs, letters.next().copied()),
            b'f' => value::<f32, O>(cur, obs, run.order),
            _ => value::<f64, O>(cur, obs, run.order),
        }?;
        obs.leave(cur.pos(), &value);
        if let Some(span) = spans.next() {
            *span = (start, cur.pos());
        }
    }
    Ok(())
}

fn value<T: Plain, O: Observer>(
    cur: &mut Cursor<'_>,
    obs: &mut O,
    order: Order,
) -> Result<Value<'static>, Fault> {
    match T::take(cur, order) {
        Some(number) => Ok(number.shown()),
        None => Err(super::short(cur, obs, wide(T::SIZE))),
    }
}

fn bytes<'a, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    len: Option<u8>,
) -> Result<Value<'a>, Fault> {
    let len = u64::from(len.unwrap_or(0));
    match cur.take(len) {
        Some(bytes) => Ok(Value::Bytes(bytes)),
        None => Err(super::short(cur, obs, len)),
    }
}
