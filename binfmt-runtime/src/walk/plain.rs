//! Plain fields: numbers and short arrays of bytes with nothing around them.
//!
//! Most of most formats is such fields, so what is generated for them is small: a recorder is told of
//! a run of them by one call, and reads them for itself; then they are read without it.

use super::short;
use crate::Cursor;
use crate::finding::Fault;
use crate::int::{Int as _, Order, Plain};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::place::Spans;
use crate::value::Value;

/// Reads a run of plain fields, from the field `first` on; a recorder is told of each.
///
/// `shapes` has a letter for every field, as in the `struct` of Python: `bhiq` and `BHIQ` are
/// integers with and without a sign, `f` and `d` floats, and `12s` is an array of 12 bytes.
#[inline(always)]
pub fn run<'a, const N: usize, const FIELDS: usize, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    spans: &mut Spans<FIELDS>,
    first: usize,
    shapes: &'static str,
    order: Order,
) -> Result<&'a [u8; N], Fault> {
    if O::RECORD {
        let layout = spans.layout();
        obs.run(*cur, spans.from(first), layout, first, shapes, order)?;
    }
    match cur.take_array::<N>() {
        Some(run) => Ok(run),
        None => Err(Fault::at(cur.pos())),
    }
}

/// The number at `at` of a run.
#[inline(always)]
pub fn load<T: Plain>(run: &[u8], at: usize, order: Order) -> T {
    T::load(run, at, order)
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
    mut shapes: &str,
    order: Order,
) -> Result<(), Fault> {
    for (field, span) in (first..).zip(spans) {
        let Some((shape, rest)) = next_shape(shapes) else { break };
        shapes = rest;
        let start = cur.pos();
        obs.enter(layout, field, start);
        let Some(value) = take(shape, &mut cur, order) else {
            return Err(short(&cur, obs, shape.1));
        };
        *span = (start, cur.pos());
        obs.leave(cur.pos(), &value);
    }
    Ok(())
}

/// The letter of the first field, and how many bytes it has.
fn next_shape(shapes: &str) -> Option<((char, u64), &str)> {
    let rest = shapes.trim_start_matches(|c: char| c.is_ascii_digit());
    let letter = rest.chars().next()?;
    let size = match letter {
        'b' | 'B' => 1,
        'h' | 'H' => 2,
        'i' | 'I' | 'f' => 4,
        'q' | 'Q' | 'd' => 8,
        _ => shapes.strip_suffix(rest)?.parse().ok()?,
    };
    Some(((letter, size), rest.get(1..)?))
}

fn take<'a>((letter, size): (char, u64), cur: &mut Cursor<'a>, order: Order) -> Option<Value<'a>> {
    Some(match letter {
        'B' => Value::Uint(u8::take(cur, order)?.into()),
        'H' => Value::Uint(u16::take(cur, order)?.into()),
        'I' => Value::Uint(u32::take(cur, order)?.into()),
        'Q' => Value::Uint(u64::take(cur, order)?),
        'b' => Value::Int(i8::take(cur, order)?.into()),
        'h' => Value::Int(i16::take(cur, order)?.into()),
        'i' => Value::Int(i32::take(cur, order)?.into()),
        'q' => Value::Int(i64::take(cur, order)?),
        'f' => Value::Float(f32::take(cur, order)?.into()),
        'd' => Value::Float(f64::take(cur, order)?),
        _ => Value::Bytes(cur.take(size)?),
    })
}

#[cfg(test)]
mod tests {
    use super::next_shape;

    #[test]
    fn shapes_are_read_one_by_one() {
        let (mut rest, mut found) = ("BI12sqd0s", [('_', 0); 6]);
        for one in &mut found {
            let (shape, behind) = next_shape(rest).unwrap();
            (*one, rest) = (shape, behind);
        }
        assert_eq!(found, [('B', 1), ('I', 4), ('s', 12), ('q', 8), ('d', 8), ('s', 0)]);
        assert_eq!(next_shape(rest), None);
    }
}
