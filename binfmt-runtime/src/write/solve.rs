//! Sums with one number in them, solved for that.

use super::convert;
use crate::finding::{Fault, Show};
use crate::ops::invert;
use crate::setter::{Settable, Target};
use crate::writer::Writer;

/// What stands beside a number: a factor, what is added and what is taken off.
pub(super) type Terms<'t> = (Option<u64>, &'t [Option<u64>], &'t [Option<u64>]);

/// Solves `field * mul + add - sub == measured` for a derived field.
#[inline(always)]
pub fn solve<T: TryFrom<u64>>(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    measured: Option<u64>,
    (mul, add, sub): Terms<'_>,
) -> Result<T, Fault> {
    let value = match (measured, mul, sum(add), sum(sub)) {
        (Some(measured), Some(mul), Some(add), Some(sub)) => invert(measured, mul, add, sub),
        _ => None,
    };
    match value {
        Some(value) => convert(out, field, at, Some(value)),
        None => {
            let value = unsolvable(out, field, at, measured)?;
            convert(out, field, at, u64::try_from(value).ok())
        }
    }
}

/// Solves `add - sub - field * mul == measured` for a derived field.
pub fn solve_taken_off<T: TryFrom<u64>>(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    measured: Option<u64>,
    terms: Terms<'_>,
) -> Result<T, Fault> {
    let value = solve_down_to(out, field, at, measured, (0, true), terms)?;
    convert(out, field, at, u64::try_from(value).ok())
}

/// The same for a number that may be negative, `taken_off` or not.
pub fn solve_signed<T: TryFrom<i64>>(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    measured: Option<u64>,
    taken_off: bool,
    terms: Terms<'_>,
) -> Result<T, Fault> {
    let value = solve_down_to(out, field, at, measured, (u64::MAX, taken_off), terms)?;
    match i64::try_from(value).ok().and_then(|value| T::try_from(value).ok()) {
        Some(value) => Ok(value),
        None => {
            let value = unsolvable(out, field, at, measured)?;
            convert(out, field, at, i64::try_from(value).ok())
        }
    }
}

/// The number itself, so far below 0 at most.
pub(crate) fn solve_down_to(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    measured: Option<u64>,
    (lowest, taken_off): (u64, bool),
    terms: Terms<'_>,
) -> Result<i128, Fault> {
    let value = measured.and_then(|measured| solved(measured.into(), taken_off, terms));
    not_below(value, lowest).map_or_else(|| unsolvable(out, field, at, measured), Ok)
}

/// The number that stands for what has been measured in the innermost of some sums, of which some are taken
/// off, so far below 0 at most; with a factor of 0 it stands for nothing, and stays what is `held`.
pub fn solve_scaled<T: Target>(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    (measured, lowest): (Option<u64>, u64),
    sums: &[(bool, Terms<'_>)],
    held: &T,
) -> Result<i128, Fault>
where
    <T::Number as Settable>::Wide: Into<i128>,
{
    if sums.iter().any(|(_, (mul, ..))| *mul == Some(0)) {
        return Ok(held.told().map_or(0, |held| held.in_wide().into()));
    }
    let value = sums.iter().try_fold(measured.map(i128::from), |value, (taken_off, terms)| {
        Some(Some(solved(value?, *taken_off, *terms)?))
    });
    not_below(value.flatten(), lowest).map_or_else(|| unsolvable(out, field, at, measured), Ok)
}

/// Those of the bits of a number, so many from one on, that one of several fields holds.
pub fn bits_of(number: i128, shift: u32, count: u32) -> i128 {
    let number = number.checked_shr(shift).unwrap_or(0);
    let above = number.checked_shr(count).and_then(|above| above.checked_shl(count)).unwrap_or(0);
    number ^ above
}

/// The number in one sum.
fn solved(sum_of: i128, taken_off: bool, (mul, add, sub): Terms<'_>) -> Option<i128> {
    let given = i128::from(sum(add)?).saturating_sub(sum(sub)?.into());
    let times = sum_of.saturating_sub(given);
    let times = if taken_off { times.saturating_neg() } else { times };
    let mul = i128::from(mul?);
    let whole = times.checked_rem(mul) == Some(0);
    times.checked_div(mul).filter(|_| whole)
}

/// A number without its sign, with that of the one which a field holds, if that is there.
pub fn with_sign_of<T: Target>(number: i128, held: &T) -> i128
where
    <T::Number as Settable>::Wide: Into<i128>,
{
    let is_negative = held.told().is_some_and(|held| held.in_wide().into() < 0);
    if is_negative { number.saturating_neg() } else { number }
}

/// What a number is above 0.
pub fn above_0(number: Option<i128>) -> Option<u64> {
    u64::try_from(number?.max(0)).ok()
}

/// What a number is below 0.
pub fn below_0(number: Option<i128>) -> Option<u64> {
    u64::try_from(number?.min(0).unsigned_abs()).ok()
}

fn not_below(value: Option<i128>, lowest: u64) -> Option<i128> {
    let least = i128::from(lowest).saturating_neg();
    value.filter(|value| *value >= least)
}

#[inline(always)]
fn sum(terms: &[Option<u64>]) -> Option<u64> {
    terms.iter().try_fold(0_u64, |sum, term| sum.checked_add((*term)?))
}

/// No number stands for it; while numbers are found out, 0 is as good.
#[cold]
fn unsolvable(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    measured: Option<u64>,
) -> Result<i128, Fault> {
    if out.takes_any() {
        return Ok(0);
    }
    out.enter_told(field);
    let what = format_args!("no stored value stands for this size, count or offset");
    let measured = measured.map_or(Show::Nothing, Show::Uint);
    Err(out.fail_at(at, "derived", what, Show::Nothing, measured))
}
