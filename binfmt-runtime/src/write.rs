//! The steps that generated writers are made of.

use crate::Wire;
use crate::finding::{Fault, Show};
use crate::int::{Int, Order};
use crate::ops::{Widen, align_up, invert, wide};
use crate::writer::Writer;

/// Stores bytes at `at` in a run of plain fields that is written at once.
#[inline(always)]
pub fn store_bytes<const N: usize>(bytes: &[u8; N], run: &mut [u8], at: usize) {
    if let Some(room) = run.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        *room = *bytes;
    }
}

/// The value of a size or offset expression.
#[inline(always)]
pub fn size(out: &mut Writer<'_>, word: &'static str, value: Option<u64>) -> Result<u64, Fault> {
    match value {
        Some(value) => Ok(value),
        None => Err(out.overflow(word)),
    }
}

/// Sets one bit of a field, or takes it away.
#[inline(always)]
pub fn bit<T: TryFrom<u64> + Widen<Wide = u64>>(
    out: &mut Writer<'_>,
    field: &'static str,
    bits: T,
    bit: u64,
    set: bool,
) -> Result<T, Fault> {
    let bits = bits.widen();
    convert(out, field, Some(if set { bits | bit } else { bits & !bit }))
}

/// The magic that a value keeps must be one of those of its type.
pub fn magic_of<const N: usize>(
    out: &mut Writer<'_>,
    field: &'static str,
    kept: &[u8; N],
    known: &[[u8; N]],
) -> Result<(), Fault> {
    if known.contains(kept) {
        return Ok(());
    }
    out.enter(field);
    let what = format_args!("the magic is none of those declared");
    Err(out.fail("magic", what, Show::Nothing, Show::bytes(kept)))
}

/// A computed value in the type of its field.
#[inline(always)]
pub fn convert<T: TryFrom<u64>>(
    out: &mut Writer<'_>,
    field: &'static str,
    value: Option<u64>,
) -> Result<T, Fault> {
    match value.and_then(|value| T::try_from(value).ok()) {
        Some(value) => Ok(value),
        None => Err(too_wide(out, field, value, size_of::<T>())),
    }
}

#[cold]
fn too_wide(out: &mut Writer<'_>, field: &'static str, value: Option<u64>, size: usize) -> Fault {
    out.enter(field);
    let found = value.map_or(Show::Nothing, Show::Uint);
    out.fail(
        "overflow",
        format_args!("the value does not fit into {size} bytes"),
        Show::Nothing,
        found,
    )
}

/// Solves `field * mul + add - sub == measured` for a derived field.
#[inline(always)]
pub fn solve<T: TryFrom<u64>>(
    out: &mut Writer<'_>,
    field: &'static str,
    measured: u64,
    mul: Option<u64>,
    add: &[Option<u64>],
    sub: &[Option<u64>],
) -> Result<T, Fault> {
    let sum =
        |terms: &[Option<u64>]| terms.iter().try_fold(0_u64, |sum, term| sum.checked_add((*term)?));
    let value = match (mul, sum(add), sum(sub)) {
        (Some(mul), Some(add), Some(sub)) => invert(measured, mul, add, sub),
        _ => None,
    };
    match value {
        Some(value) => convert(out, field, Some(value)),
        None => Err(unsolvable(out, field, measured)),
    }
}

#[cold]
fn unsolvable(out: &mut Writer<'_>, field: &'static str, measured: u64) -> Fault {
    out.enter(field);
    let what = format_args!("no stored value stands for this size, count or offset");
    out.fail("derived", what, Show::Nothing, Show::Uint(measured))
}

/// Writes the length or count that stands right before a field.
#[inline(always)]
pub fn prefix<N, P>(out: &mut Writer<'_>, size: u64, order: Order) -> Result<(), Fault>
where
    N: TryFrom<u64>,
    P: Int + From<N>,
{
    let number = convert::<N>(out, "prefix", Some(size))?;
    P::from(number).put(out, order)
}

/// Writes a value behind its length.
pub fn sized<'a, N, P, T>(
    out: &mut Writer<'_>,
    value: &T,
    args: T::Args,
    order: Order,
) -> Result<(), Fault>
where
    N: TryFrom<u64>,
    P: Int + From<N>,
    T: Wire<'a>,
{
    if out.counts() && !P::VARIABLE {
        out.skip(wide(P::SIZE));
        return value.emit(out, args);
    }
    if out.patches() && !P::VARIABLE {
        let place = out.pos();
        prefix::<N, P>(out, 0, order)?;
        let start = out.pos();
        value.emit(out, args)?;
        let size = convert::<N>(out, "prefix", Some(out.pos().saturating_sub(start)))?;
        return out.patch(place, P::from(size), order);
    }
    let size = out.measure(|out| value.emit(out, args))?;
    prefix::<N, P>(out, size, order)?;
    if out.counts() {
        // The value has just been counted.
        out.skip(size);
        return Ok(());
    }
    value.emit(out, args)
}

/// The room for a padded field: at least `stored` bytes, more if it needs more.
pub fn padded(len: u64, align: u64, stored: Option<u64>) -> u64 {
    match stored {
        Some(stored) if stored >= len => stored,
        _ => align_up(len, align).unwrap_or(len),
    }
}

/// The tag that tells a variant must be one of that variant.
#[inline(always)]
pub fn tag(out: &mut Writer<'_>, agrees: bool, expected: u64, found: u64) -> Result<(), Fault> {
    // While sizes are counted, the tag may not be computed yet.
    if agrees || out.counts() {
        return Ok(());
    }
    Err(wrong_tag(out, expected, found))
}

#[cold]
fn wrong_tag(out: &mut Writer<'_>, expected: u64, found: u64) -> Fault {
    let what = format_args!("the tag stands for another variant");
    out.fail("tag", what, Show::Hex(expected), Show::Hex(found))
}

/// A condition and the presence of its field must agree.
#[inline(always)]
pub fn presence(
    out: &mut Writer<'_>,
    field: &'static str,
    condition: bool,
    present: bool,
    exact: bool,
) -> Result<(), Fault> {
    let agree = condition == present || (condition && !exact);
    if agree { Ok(()) } else { Err(wrong_presence(out, field, condition, present)) }
}

#[cold]
fn wrong_presence(
    out: &mut Writer<'_>,
    field: &'static str,
    condition: bool,
    present: bool,
) -> Fault {
    out.enter(field);
    let word = |there| Show::Word(if there { "a value" } else { "no value" });
    let what = format_args!("the field disagrees with its condition");
    out.fail("presence", what, word(condition), word(present))
}

/// A field that is there must not lie where it would be read as absent.
#[inline(always)]
pub fn not_null(
    out: &mut Writer<'_>,
    field: &'static str,
    offset: u64,
    null: u64,
) -> Result<(), Fault> {
    if offset == null { Err(null_offset(out, field, offset)) } else { Ok(()) }
}

#[cold]
fn null_offset(out: &mut Writer<'_>, field: &'static str, offset: u64) -> Fault {
    out.enter(field);
    let what = format_args!("the field lies at the offset that stands for its absence");
    out.fail("null", what, Show::Nothing, Show::Uint(offset))
}

/// A size that the struct stores must be the real one.
#[inline(always)]
pub fn agree(
    out: &mut Writer<'_>,
    field: &'static str,
    word: &'static str,
    stored: Option<u64>,
    measured: u64,
) -> Result<(), Fault> {
    if stored == Some(measured) {
        Ok(())
    } else {
        Err(disagree(out, field, word, stored, measured))
    }
}

#[cold]
fn disagree(
    out: &mut Writer<'_>,
    field: &'static str,
    word: &'static str,
    stored: Option<u64>,
    measured: u64,
) -> Fault {
    out.enter(field);
    let expected = stored.map_or(Show::Nothing, Show::Uint);
    let what = format_args!("the `{word}` of the field disagrees with its value");
    out.fail("derived", what, expected, Show::Uint(measured))
}

/// What was counted must be what was written.
#[inline(always)]
pub fn settled(out: &mut Writer<'_>, counted: u64) -> Result<(), Fault> {
    if out.pos() == counted { Ok(()) } else { Err(unsettled(out, counted)) }
}

#[cold]
fn unsettled(out: &mut Writer<'_>, counted: u64) -> Fault {
    let what = format_args!("the value changed its size while it was written");
    let found = Show::Uint(out.pos());
    out.fail("unsettled", what, Show::Uint(counted), found)
}
