//! Sums with one number in them, solved for that.

use super::convert;
use crate::finding::{Fault, Show};
use crate::ops::{Widen, invert};
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
        None => Err(unsolvable(out, field, at, measured)),
    }
}

/// Solves `add - sub - field * mul == measured` for a derived field.
pub fn solve_taken_off<T: TryFrom<u64>>(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    measured: Option<u64>,
    (mul, add, sub): Terms<'_>,
) -> Result<T, Fault> {
    let left = sum(add).zip(sum(sub)).and_then(|(add, sub)| add.checked_sub(sub));
    let taken = left.zip(measured).and_then(|(left, measured)| left.checked_sub(measured));
    match taken.zip(mul).and_then(|(taken, mul)| invert(taken, mul, 0, 0)) {
        Some(value) => convert(out, field, at, Some(value)),
        None => Err(unsolvable(out, field, at, measured)),
    }
}

/// The same for a number that may be negative, `taken_off` or not.
pub fn solve_signed<T: TryFrom<i64>>(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    measured: Option<u64>,
    taken_off: bool,
    (mul, add, sub): Terms<'_>,
) -> Result<T, Fault> {
    let value = match (measured, mul, sum(add), sum(sub)) {
        (Some(measured), Some(mul), Some(add), Some(sub)) => {
            let given = i128::from(add).saturating_sub(sub.into());
            let times = i128::from(measured).saturating_sub(given);
            let times = if taken_off { times.saturating_neg() } else { times };
            let whole = times.checked_rem(mul.into()) == Some(0);
            times.checked_div(mul.into()).filter(|_| whole)
        }
        _ => None,
    };
    let value = value.and_then(|value| i64::try_from(value).ok());
    match value.and_then(|value| T::try_from(value).ok()) {
        Some(value) => Ok(value),
        None => Err(unsolvable(out, field, at, measured)),
    }
}

/// The number that stands for what has been measured in the innermost of some sums, of which some are taken
/// off; with a factor of 0 it stands for nothing, and stays what is `held`.
pub fn solve_scaled<H: Widen>(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    measured: Option<u64>,
    sums: &[(bool, Terms<'_>)],
    held: H,
) -> Result<u64, Fault>
where
    u64: TryFrom<H::Wide>,
{
    let mut value = measured;
    for (taken_off, terms) in sums {
        if terms.0 == Some(0) {
            let held = u64::try_from(held.widen()).ok();
            return solve(out, field, at, held, (Some(1), &[], &[]));
        }
        let solved = if *taken_off {
            solve_taken_off(out, field, at, value, *terms)
        } else {
            solve(out, field, at, value, *terms)
        };
        value = Some(solved?);
    }
    solve(out, field, at, value, (Some(1), &[], &[]))
}

#[inline(always)]
fn sum(terms: &[Option<u64>]) -> Option<u64> {
    terms.iter().try_fold(0_u64, |sum, term| sum.checked_add((*term)?))
}

#[cold]
fn unsolvable(out: &mut Writer<'_>, field: &'static str, at: u64, measured: Option<u64>) -> Fault {
    out.enter(field);
    let what = format_args!("no stored value stands for this size, count or offset");
    let measured = measured.map_or(Show::Nothing, Show::Uint);
    out.fail_at(at, "derived", what, Show::Nothing, measured)
}
