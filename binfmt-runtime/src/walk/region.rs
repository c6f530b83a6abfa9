//! Regions of known length, counts that must fit into them, and padding.

use super::{Claim, claims_too_much, ended, rest, short, size, size_in_front};
use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::observe::Observer;
use crate::ops::{gap, wide};
use crate::pattern::differs;
use crate::value::Value;
use crate::writer::Pattern;
use crate::{Cursor, Fill, Wire};

/// Limits the value that began at `start` to `len` bytes and leaves `cur` behind it.
///
/// `field` is the range of the field that tells the length.
#[inline(always)]
pub fn region<'a, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    start: usize,
    len: u64,
    claim: Claim,
) -> Result<Cursor<'a>, Fault> {
    let read = wide(cur.pos().wrapping_sub(start));
    let inner = len.checked_sub(read).and_then(|rest| cur.split(rest, Fill::Exact));
    match inner {
        Some(inner) => {
            cur.stepped = true;
            Ok(inner)
        }
        None => Err(wrong_region(cur, obs, start, len, claim)),
    }
}

#[inline(always)]
fn wrong_region<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    start: usize,
    len: u64,
    claim: Claim,
) -> Fault {
    if O::RECORD {
        report_wrong_region(cur, obs, start, len, claim)
    } else {
        Fault::at(claim.span.0)
    }
}

#[cold]
#[inline(never)]
fn report_wrong_region<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    start: usize,
    len: u64,
    claim: Claim,
) -> Fault {
    let read = wide(cur.pos().saturating_sub(start));
    let space = wide(cur.end().saturating_sub(start));
    let (start, end) = claim.name(obs, false);
    let (class, expected, what) = if len < read {
        (Class::Malformed, read, "the value claims fewer bytes than have been read of it")
    } else {
        (ended(cur).0, space, "the value claims more bytes than there are")
    };
    let (expected, found) = (Show::Uint(expected), Show::Uint(len));
    obs.fail(&Problem {
        code: "size",
        class,
        start,
        end,
        what: format_args!("{what}"),
        expected,
        found,
    })
}

/// Takes `len` bytes as the exact region of a field.
#[inline(always)]
pub fn sub<'a, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    len: u64,
    claim: Claim,
) -> Result<Cursor<'a>, Fault> {
    match cur.split(len, Fill::Exact) {
        Some(inner) => {
            cur.stepped = true;
            Ok(inner)
        }
        None => Err(claims_too_much(cur, obs, claim, len)),
    }
}

/// Takes as many bytes as an expression says as the exact region of a field.
#[inline(always)]
pub fn part<'a, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    len: Option<u64>,
    claim: Claim,
) -> Result<Cursor<'a>, Fault> {
    let len = size(obs, "len", len, claim)?;
    sub(cur, obs, len, claim)
}

/// Checks that as many items as a field claims can lie in the region.
#[inline(always)]
pub fn count<'a, T: Wire<'a>, O: Observer>(
    cur: &Cursor<'a>,
    obs: &mut O,
    count: u64,
    claim: Claim,
) -> Result<(), Fault> {
    let smallest = wide(T::MIN_SIZE);
    // An item without bytes costs at least as much as one of a byte.
    let most = match T::MIN_SIZE {
        0 => wide(cur.remaining()).saturating_add(obs.limits().left()),
        _ => wide(cur.remaining()),
    };
    match count.checked_mul(smallest.max(1)) {
        Some(len) if len <= most => Ok(()),
        _ => Err(too_many(cur, obs, count, smallest, claim)),
    }
}

#[inline(always)]
fn too_many<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    count: u64,
    smallest: u64,
    claim: Claim,
) -> Fault {
    if O::RECORD {
        report_too_many(cur, obs, count, smallest, claim)
    } else {
        Fault::at(claim.span.0)
    }
}

#[cold]
#[inline(never)]
fn report_too_many<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    count: u64,
    smallest: u64,
    claim: Claim,
) -> Fault {
    let (start, end) = claim.name(obs, true);
    let class = ended(cur).0;
    if smallest == 0 {
        let most = wide(cur.remaining()).saturating_add(obs.limits().left());
        return obs.fail(&Problem {
            code: "budget",
            class: Class::Malformed,
            start,
            end,
            what: format_args!(
                "there are more items without bytes than the budget of the walk pays"
            ),
            expected: Show::Uint(most),
            found: Show::Uint(count),
        });
    }
    obs.fail(&Problem {
        code: "count",
        class,
        start,
        end,
        what: format_args!(
            "{count} items of at least {smallest} bytes do not fit behind {:#x}",
            cur.pos()
        ),
        expected: Show::Uint(wide(cur.remaining())),
        found: count.checked_mul(smallest).map_or(Show::Nothing, Show::Uint),
    })
}

/// Checks that nothing is left in an exact region.
#[inline(always)]
pub fn finish<O: Observer>(cur: &Cursor<'_>, obs: &mut O) -> Result<(), Fault> {
    if cur.remaining() == 0 {
        return Ok(());
    }
    obs.broken(&leftover(cur))
}

/// Bytes are left at the end of an exact region.
pub(crate) fn leftover(cur: &Cursor<'_>) -> Problem<'static> {
    Problem {
        code: "leftover",
        class: Class::Malformed,
        start: cur.pos(),
        end: cur.end(),
        what: format_args!("bytes are left in the region"),
        expected: Show::Uint(0),
        found: Show::Uint(wide(cur.remaining())),
    }
}

/// Skips padding of `len` bytes; a recorder looks at it.
#[inline(always)]
pub fn pad<O: Observer>(
    cur: &mut Cursor<'_>,
    obs: &mut O,
    len: u64,
    fill: impl Pattern,
) -> Result<(), Fault> {
    match cur.take(len) {
        Some(padding) => {
            if O::RECORD {
                look_at_padding(cur.pos(), obs, padding, fill);
            }
            Ok(())
        }
        None => {
            obs.enter_extra("padding", cur.pos());
            Err(short(cur, obs, len))
        }
    }
}

/// Padding of as many bytes as an expression says.
#[inline(always)]
pub fn fill<O: Observer>(
    cur: &mut Cursor<'_>,
    obs: &mut O,
    (word, size): (&'static str, Option<u64>),
    claim: Claim,
    fill: impl Pattern,
) -> Result<(), Fault> {
    let size = size_in_front(obs, word, size, claim)?;
    pad(cur, obs, size, fill)
}

/// Padding up to an alignment, which counts from `distance` bytes before.
#[inline(always)]
pub fn align<O: Observer>(
    cur: &mut Cursor<'_>,
    obs: &mut O,
    (word, size, distance): (&'static str, Option<u64>, usize),
    claim: Claim,
    fill: impl Pattern,
) -> Result<(), Fault> {
    let size = size_in_front(obs, word, size, claim)?;
    let gap = size_in_front(obs, word, gap(signed(distance), size), claim)?;
    pad(cur, obs, gap, fill)
}

/// A distance that may have wrapped, however wide an offset in memory is.
#[inline(always)]
fn signed(distance: usize) -> u64 {
    if distance > usize::MAX >> 1 {
        wide(distance.wrapping_neg()).wrapping_neg()
    } else {
        wide(distance)
    }
}

fn look_at_padding<O: Observer>(end: usize, obs: &mut O, padding: &[u8], fill: impl Pattern) {
    if padding.is_empty() {
        return;
    }
    obs.enter_extra("padding", end.saturating_sub(padding.len()));
    if let Some(first) = differs(padding, fill.bytes()) {
        wrong_padding(end, obs, padding, first, fill.shown());
    }
    obs.leave(end, &Value::Bytes(padding));
}

/// Looks at zeros that are part of a value and are not kept.
#[cold]
pub(crate) fn unkept<O: Observer>(end: usize, obs: &mut O, padding: &[u8]) {
    if let Some(first) = padding.iter().position(|byte| *byte != 0) {
        wrong_padding(end, obs, padding, first, Show::Hex(0));
    }
}

fn wrong_padding<O: Observer>(
    end: usize,
    obs: &mut O,
    padding: &[u8],
    first: usize,
    expected: Show,
) {
    obs.note(
        Severity::Warning,
        &Problem {
            code: "padding",
            class: Class::Invalid,
            start: end.saturating_sub(padding.len()).saturating_add(first),
            end,
            what: format_args!("the padding is not its fill and is not kept"),
            expected,
            found: Show::bytes(padding.get(first..).unwrap_or_default()),
        },
    );
}

/// Takes as many bytes as an expression says for a value and the padding behind it.
#[inline(always)]
pub fn padded<'a, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    len: Option<u64>,
    claim: Claim,
) -> Result<Cursor<'a>, Fault> {
    let len = size(obs, "pad_to", len, claim)?;
    match cur.split(len, Fill::Open) {
        Some(region) => Ok(region),
        None => Err(claims_too_much(cur, obs, claim, len)),
    }
}

/// Looks at what a value leaves of its region.
#[inline(always)]
pub fn padding_left<O: Observer>(padded_region: &mut Cursor<'_>, obs: &mut O, fill: impl Pattern) {
    if O::RECORD {
        let padding = rest(padded_region);
        look_at_padding(padded_region.pos(), obs, padding, fill);
    }
}

/// Checks that a value fills the region that it lies in, which its fields count on.
#[inline(always)]
pub fn finish_region<O: Observer>(cur: &mut Cursor<'_>, obs: &mut O) -> Result<(), Fault> {
    finish(cur, obs)?;
    // What is left has been named.
    cur.skip_all();
    Ok(())
}
