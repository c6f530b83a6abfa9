//! The steps that generated walks are made of.

mod claim;
mod magic;
mod plain;
mod region;
mod rule;
mod value;

use crate::Cursor;
use crate::finding::{Class, Fault, Problem, Show};
use crate::int::{Int, Order};
use crate::observe::Observer;
use crate::ops::wide;

pub use claim::Claim;
#[cfg(feature = "alloc")]
pub(crate) use claim::Trail;
pub use magic::{magic, magic_of, order_of, there};
pub(crate) use plain::record;
pub use plain::{load, load_bytes, run};
pub use region::{
    align, count, fill, finish, finish_region, pad, padded, padding_left, part, region, sub,
};
pub(crate) use region::{leftover, unkept};
pub(crate) use rule::declared;
pub use rule::{About, Found, Shown, check, found, weigh};
#[cfg(feature = "alloc")]
pub(crate) use value::calculated_as;
pub(crate) use value::unknown_arguments;
pub use value::{
    arguments, calculated, no_variant, nul, of_absent, other_made, other_tag, prefix, set, unknown,
    with,
};

/// Refuses, behind one comparison, an input that is too short for the fixed part of a value.
///
/// A recorder does not ask: it goes on to the field where the input ends.
#[inline(always)]
pub fn need<O: Observer>(cur: &Cursor<'_>, len: usize) -> Result<(), Fault> {
    if !O::RECORD && cur.remaining() < len {
        return Err(Fault::at(cur.pos()));
    }
    Ok(())
}

/// The input ends before `needed` bytes.
#[inline(always)]
pub fn short<O: Observer>(cur: &Cursor<'_>, obs: &mut O, needed: u64) -> Fault {
    if O::RECORD { report_short(cur, obs, needed) } else { Fault::at(cur.pos()) }
}

#[cold]
#[inline(never)]
fn report_short<O: Observer>(cur: &Cursor<'_>, obs: &mut O, needed: u64) -> Fault {
    let (class, what) = ended(cur);
    obs.fail(&Problem {
        code: "end",
        class,
        start: cur.pos(),
        end: cur.end(),
        what: format_args!("the {what} ends here"),
        expected: Show::Uint(needed),
        found: Show::Uint(wide(cur.remaining())),
    })
}

/// What ends where `cur` does: more input might come, but a region stays as long as it is.
pub(crate) fn ended(cur: &Cursor<'_>) -> (Class, &'static str) {
    if cur.bounded { (Class::Malformed, "region") } else { (Class::Incomplete, "input") }
}

/// Reads an integer, a float or a truth value.
#[inline(always)]
pub fn int<T: Int, O: Observer>(
    cur: &mut Cursor<'_>,
    obs: &mut O,
    order: Order,
) -> Result<T, Fault> {
    T::read(cur, obs, order, true)
}

/// Reads an integer that the writer computes anew.
#[inline(always)]
pub fn auto<T: Int, O: Observer>(
    cur: &mut Cursor<'_>,
    obs: &mut O,
    order: Order,
) -> Result<T, Fault> {
    T::read(cur, obs, order, false)
}

/// A field claims more bytes than there are.
#[inline(always)]
pub fn claims_too_much<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    claim: Claim,
    needed: u64,
) -> Fault {
    if O::RECORD {
        report_claims_too_much(cur, obs, claim, needed)
    } else {
        Fault::at(claim.span.0)
    }
}

#[cold]
#[inline(never)]
fn report_claims_too_much<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    claim: Claim,
    needed: u64,
) -> Fault {
    let (start, end) = claim.name(obs, true);
    obs.fail(&Problem {
        code: "size",
        class: ended(cur).0,
        start,
        end,
        what: format_args!("the field claims more bytes than are left behind {:#x}", cur.pos()),
        expected: Show::Uint(wide(cur.remaining())),
        found: Show::Uint(needed),
    })
}

/// Reads as many bytes as a field claims.
#[inline(always)]
pub fn bytes<'a, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    len: u64,
    claim: Claim,
) -> Result<&'a [u8], Fault> {
    match cur.take(len) {
        Some(bytes) => Ok(bytes),
        None => Err(claims_too_much(cur, obs, claim, len)),
    }
}

/// Reads as many bytes as an expression says.
#[inline(always)]
pub fn sized<'a, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    len: Option<u64>,
    claim: Claim,
) -> Result<&'a [u8], Fault> {
    if O::RECORD {
        return recorded_sized(cur, obs, len, claim);
    }
    match len {
        Some(len) => bytes(cur, obs, len, claim),
        None => Err(Fault::at(claim.span.0)),
    }
}

/// One instance for all fields.
#[inline(never)]
fn recorded_sized<'a, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    len: Option<u64>,
    claim: Claim,
) -> Result<&'a [u8], Fault> {
    let len = size(obs, "len", len, claim)?;
    bytes(cur, obs, len, claim)
}

/// Reads everything up to the end of the region.
#[inline(always)]
pub fn rest<'a>(cur: &mut Cursor<'a>) -> &'a [u8] {
    let rest = cur.rest();
    cur.take(wide(rest.len())).unwrap_or_default()
}

/// Reads UTF-8 text.
#[inline(always)]
pub fn text<'a, O: Observer>(
    cur: &Cursor<'a>,
    obs: &mut O,
    bytes: &'a [u8],
) -> Result<&'a str, Fault> {
    core::str::from_utf8(bytes).map_err(|error| not_utf8(cur, obs, bytes, error.valid_up_to()))
}

#[inline(always)]
pub(crate) fn not_utf8<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    bytes: &[u8],
    valid: usize,
) -> Fault {
    if O::RECORD {
        report_not_utf8(cur, obs, bytes, valid)
    } else {
        Fault::at(cur.pos().saturating_sub(bytes.len()).saturating_add(valid))
    }
}

#[cold]
#[inline(never)]
fn report_not_utf8<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    bytes: &[u8],
    valid: usize,
) -> Fault {
    let start = cur.pos().saturating_sub(bytes.len()).saturating_add(valid);
    obs.fail(&Problem {
        code: "utf8",
        class: Class::Malformed,
        start,
        end: cur.pos(),
        what: format_args!("the text is not UTF-8"),
        expected: Show::Nothing,
        found: Show::bytes(bytes.get(valid..).unwrap_or_default()),
    })
}

/// What stands `at` bytes behind the cursor, which does not move.
#[inline(always)]
pub fn behind<'a>(cur: &Cursor<'a>, at: usize) -> &'a [u8] {
    cur.rest().get(at..).unwrap_or_default()
}

/// Reads an array of bytes.
#[inline(always)]
pub fn array<O: Observer, const N: usize>(
    cur: &mut Cursor<'_>,
    obs: &mut O,
) -> Result<[u8; N], Fault> {
    match cur.take_array::<N>() {
        Some(bytes) => Ok(*bytes),
        None => Err(short(cur, obs, wide(N))),
    }
}

/// A size, count or offset of the declaration cannot be computed.
#[inline(always)]
pub fn overflow<O: Observer>(obs: &mut O, word: &'static str, claim: Claim) -> Fault {
    if O::RECORD { report_overflow(obs, word, claim, true) } else { Fault::at(claim.span.0) }
}

#[cold]
#[inline(never)]
fn report_overflow<O: Observer>(
    obs: &mut O,
    word: &'static str,
    claim: Claim,
    in_place: bool,
) -> Fault {
    let (start, end) = claim.name(obs, in_place);
    let (class, what) = if claim.incomplete {
        (Class::Incomplete, "asks for more bytes than are left: the input ends here")
    } else {
        (Class::Malformed, "cannot be computed from the stored values")
    };
    obs.fail(&Problem {
        code: "size",
        class,
        start,
        end,
        what: format_args!("`{word}` {what}"),
        expected: Show::Nothing,
        found: Show::Nothing,
    })
}

/// The value of a size, count or offset expression.
#[inline(always)]
pub fn size<O: Observer>(
    obs: &mut O,
    word: &'static str,
    value: Option<u64>,
    claim: Claim,
) -> Result<u64, Fault> {
    match value {
        Some(value) => Ok(value),
        None => Err(overflow(obs, word, claim)),
    }
}

/// The same of the size of a whole value, or of the place of a field, in front of which no field is open.
#[inline(always)]
pub fn size_in_front<O: Observer>(
    obs: &mut O,
    word: &'static str,
    value: Option<u64>,
    claim: Claim,
) -> Result<u64, Fault> {
    match value {
        Some(value) => Ok(value),
        // The field of the claim is one of the value that is open, not of the one around it.
        None if O::RECORD => Err(report_overflow(obs, word, claim, false)),
        None => Err(Fault::at(claim.span.0)),
    }
}
