//! The steps that generated writers are made of.

mod given;
mod padded;
mod rule;
mod solve;
mod tags;

use crate::Wire;
use crate::finding::{Fault, Show};
use crate::int::{Int, Order};
use crate::ops::{Wide, Widen, to_show, wide};
use crate::setter::Settable;
use crate::writer::{Ahead, Writer};

pub use crate::writer::{Given, GivenAnything, GivenNumber};
pub use given::{arguments, kept_argument, passed, with, with_given};
pub use padded::{Sizes, padded};
pub use rule::{broken, rule, shown_rule, unless_left};
#[cfg(feature = "alloc")]
pub(crate) use solve::solve_down_to;
pub use solve::{
    above_0, below_0, bits_of, solve, solve_scaled, solve_signed, solve_taken_off, with_sign_of,
};
pub use tags::{kept_tag, tag, tag_of_bytes, tag_of_parts};

/// Stores bytes at `at` in a run of plain fields that is written at once.
#[inline(always)]
pub fn store_bytes<const N: usize>(bytes: &[u8; N], run: &mut [u8], at: usize) {
    if let Some(space) = run.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        *space = *bytes;
    }
}

/// The value of a size or offset expression.
#[inline(always)]
pub fn size(out: &mut Writer<'_>, word: &'static str, value: Option<u64>) -> Result<u64, Fault> {
    match value {
        Some(value) => Ok(value),
        None => out.unknown(word),
    }
}

/// Sets one bit of a field, or takes it away; the number keeps its form.
#[inline(always)]
pub fn bit<T: Settable<Wide = u64> + Copy>(
    out: &mut Writer<'_>,
    field: &'static str,
    bits: T,
    bit: u64,
    set: bool,
) -> Result<T, Fault> {
    let number = bits.in_wide();
    let number = if set { number | bit } else { number & !bit };
    bits.replaced(i128::from(number)).ok_or_else(|| {
        out.enter(field);
        out.overflow("flag")
    })
}

/// What the function of a `calc` gives for a field that is no number; what is `held` counts for nothing.
pub fn made<T: PartialEq>(
    out: &mut Writer<'_>,
    field: &'static str,
    held: &T,
    made: Option<T>,
) -> Result<T, Fault> {
    let at = out.pos();
    let Some(made) = made else {
        out.enter(field);
        return Err(out.overflow("calc"));
    };
    out.computed_as(&[field], at, *held == made)?;
    Ok(made)
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

/// A computed value in the type of its field, which is written at `at`.
#[inline(always)]
pub fn convert<T: TryFrom<W>, W: Wide>(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    value: Option<W>,
) -> Result<T, Fault> {
    match value.and_then(|value| T::try_from(value).ok()) {
        Some(value) => Ok(value),
        None => unfit(out, field, at, value),
    }
}

/// A number that follows from itself is what it was computed as when it is computed again.
#[inline(always)]
pub fn stays<T: PartialEq + Widen>(
    out: &mut Writer<'_>,
    (field, at): (&'static str, u64),
    (number, again): (T, T),
) -> Result<(), Fault> {
    if number == again || !out.checks() {
        return Ok(());
    }
    let (number, again) = (to_show(number.widen()), to_show(again.widen()));
    Err(moves(out, &[field], at, (number, again)))
}

/// A number is another one each time that it is computed.
#[cold]
pub(crate) fn moves(
    out: &mut Writer<'_>,
    names: &[&'static str],
    at: u64,
    (number, again): (Show, Show),
) -> Fault {
    let what = format_args!("the number follows from itself, and is another one each time");
    for name in names {
        out.enter(name);
    }
    out.fail_at(at, "unsettled", what, number, again)
}

/// It cannot be computed, or does not fit; while numbers are found out, 0 is as good.
#[cold]
fn unfit<T: TryFrom<W>, W: Wide>(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    value: Option<W>,
) -> Result<T, Fault> {
    let zero = out.takes_any().then(|| T::try_from(W::ZERO).ok()).flatten();
    let found = value.map_or(Show::Nothing, to_show);
    zero.ok_or_else(|| too_wide(out, field, at, found, size_of::<T>()))
}

#[cold]
pub(crate) fn too_wide(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    found: Show,
    size: usize,
) -> Fault {
    out.enter_told(field);
    let what = match found {
        Show::Nothing => {
            format_args!("the value cannot be computed from those that it follows from")
        }
        _ if size == 1 => format_args!("the value does not fit into 1 byte"),
        _ => format_args!("the value does not fit into {size} bytes"),
    };
    out.fail_at(at, "overflow", what, Show::Nothing, found)
}

/// Writes the length or count that stands right before a field.
#[inline(always)]
pub fn prefix<N, P>(out: &mut Writer<'_>, size: u64, order: Order) -> Result<(), Fault>
where
    N: TryFrom<u64>,
    P: Int + From<N>,
{
    let at = out.pos();
    let number = convert::<N, _>(out, "prefix", at, Some(size))?;
    P::from(number).put(out, order)
}

/// How many bytes the prefix of a value of that size takes.
pub fn prefix_len<N: TryFrom<u64>, P: Int + From<N>>(size: u64) -> u64 {
    N::try_from(size).map_or(0, |size| wide(P::from(size).width()))
}

/// Writes a value behind its length, and returns that.
#[inline(always)]
pub fn sized<'a, N, P, T>(
    out: &mut Writer<'_>,
    value: &T,
    args: T::Args,
    order: Order,
) -> Result<u64, Fault>
where
    N: TryFrom<u64>,
    P: Int + From<N>,
    T: Wire<'a>,
{
    let at = out.pos();
    let least = convert::<N, _>(out, "prefix", at, Some(0))?;
    let hole = out.hole::<P>(P::from(least))?;
    let start = out.pos();
    let region = out.open();
    value.emit(out, args)?;
    out.close(region);
    let len = out.pos().saturating_sub(start);
    let number = convert::<N, _>(out, "prefix", at, Some(len))?;
    out.set(hole, P::from(number), order)?;
    Ok(len)
}

/// Insists that a validator finds no error in the value that begins here, whose `level` makes one of
/// what writers keep: reserved bytes, a longer form of a number, a gap.
#[cfg(feature = "alloc")]
pub fn valid(
    out: &mut Writer<'_>,
    valid: impl Fn(&mut crate::Cursor<'_>) -> bool + 'static,
) -> Result<(), Fault> {
    out.ahead(0, Ahead::Valid(alloc::boxed::Box::new(valid))).map(drop)
}

/// Without memory for a report, nobody knows.
#[cfg(not(feature = "alloc"))]
pub fn valid(
    _: &mut Writer<'_>,
    _: impl Fn(&mut crate::Cursor<'_>) -> bool + 'static,
) -> Result<(), Fault> {
    Ok(())
}

/// Whether a validator finds no error in the value at `cur`.
#[cfg(feature = "alloc")]
pub fn is_valid<'a, T: Wire<'a>>(cur: &crate::Cursor<'a>, args: T::Args) -> bool {
    let limits = crate::budget::Limits::for_input(cur.file().len());
    let report = crate::report::validate::<T>(*cur, limits, args);
    // What follows the value is not its own.
    report.is_ok()
        || report
            .findings()
            .iter()
            .all(|finding| finding.severity != crate::Severity::Error || finding.code == "trailing")
}

/// The same, which nobody asks.
#[cfg(not(feature = "alloc"))]
pub fn is_valid<'a, T: Wire<'a>>(_: &crate::Cursor<'a>, _: T::Args) -> bool {
    true
}

/// A condition and the presence of its field must agree.
#[inline(always)]
pub fn presence(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    (condition, present): (bool, bool),
    exact: bool,
) -> Result<(), Fault> {
    out.trace((usize::from(present), 0));
    let agree = condition == present || (condition && !exact);
    if agree { Ok(()) } else { wrong_presence(out, field, at, condition, present) }
}

#[cold]
#[inline(never)]
fn wrong_presence(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    condition: bool,
    present: bool,
) -> Result<(), Fault> {
    if !out.checks() {
        return Ok(());
    }
    out.enter_told(field);
    let word = |there| Show::Word(if there { "a value" } else { "no value" });
    let what = format_args!("the field disagrees with its condition");
    Err(out.fail_at(at, "presence", what, word(condition), word(present)))
}

/// A field that is there must not lie where it would be read as absent.
#[inline(always)]
pub fn not_null(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    offset: Option<u64>,
    null: u64,
) -> Result<(), Fault> {
    if offset == Some(null) { null_offset(out, field, at, null) } else { Ok(()) }
}

#[cold]
#[inline(never)]
fn null_offset(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    offset: u64,
) -> Result<(), Fault> {
    if !out.checks() {
        return Ok(());
    }
    out.enter_told(field);
    let what = format_args!("the field lies at the offset that stands for its absence");
    Err(out.fail_at(at, "null", what, Show::Nothing, Show::Uint(offset)))
}

/// Fewer than `least` bytes must lie behind what has been written of its region, or a reader would
/// take them for a part of the field.
pub fn ends(out: &mut Writer<'_>, field: &'static str, least: usize) -> Result<(), Fault> {
    out.enter(field);
    out.ahead(0, Ahead::Fewer(wide(least)))?;
    out.leave();
    Ok(())
}

/// A field that is absent must not be followed by what begins like it.
pub fn absent(out: &mut Writer<'_>, field: &'static str, magics: Ahead) -> Result<(), Fault> {
    out.enter(field);
    out.ahead(0, magics)?;
    out.leave();
    Ok(())
}

/// A size that the struct stores must be the real one. Where nothing is derived from it, the size of what a draft
/// holds is told by nothing else: padding may follow, up to the same end.
#[inline(always)]
pub fn agree(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    word: &'static str,
    (stored, measured): (Option<u64>, Option<u64>),
) -> Result<(), Fault> {
    out.trace((0, measured.unwrap_or(u64::MAX)));
    if stored == measured && stored.is_some() {
        Ok(())
    } else {
        disagree(out, (field, at), (word, ""), (stored, measured))
    }
}

/// The same of a size or place that counts from the end of a section.
#[inline(never)]
pub fn agree_in_section(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    words: (&'static str, &'static str),
    (stored, measured): (Option<u64>, Option<u64>),
) -> Result<(), Fault> {
    out.trace((0, measured.unwrap_or(u64::MAX)));
    if stored == measured && stored.is_some() {
        Ok(())
    } else {
        disagree(out, (field, at), words, (stored, measured))
    }
}

#[cold]
#[inline(never)]
fn disagree(
    out: &mut Writer<'_>,
    (field, at): (&'static str, u64),
    (word, section): (&'static str, &'static str),
    (stored, measured): (Option<u64>, Option<u64>),
) -> Result<(), Fault> {
    if !out.checks() {
        return Ok(());
    }
    out.enter_told(field);
    let [expected, found] =
        [stored, measured].map(|number| number.map_or(Show::Nothing, Show::Uint));
    if stored.is_none() {
        let what = format_args!(
            "the `{word}` of the field, with the numbers that are written, is below 0 or too large, or a step of it is"
        );
        return Err(out.fail_at(at, "derived", what, expected, found));
    }
    let what = format_args!("the `{word}` of the field disagrees with its value");
    if section.is_empty() {
        return Err(out.fail_at(at, "derived", what, expected, found));
    }
    // It does not get shorter by itself: nobody knows which of its bytes nothing leads to any more.
    if out.is_compact() {
        return Err(out.fail_at(at, "derived", what, expected, found));
    }
    let what = format_args!(
        "{what}; the section `{section}` keeps the bytes that it was read with: take some out of it, or write `compact()`"
    );
    Err(out.fail_at(at, "derived", what, expected, found))
}
