//! The steps that generated walks are made of.

use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::int::{Int, Order};
use crate::observe::Observer;
use crate::ops::wide;
use crate::{Cursor, Fill};

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
    if O::RECORD { tell_short(cur, obs, needed) } else { Fault::at(cur.pos()) }
}

#[cold]
#[inline(never)]
fn tell_short<O: Observer>(cur: &Cursor<'_>, obs: &mut O, needed: u64) -> Fault {
    obs.fail(&Problem {
        code: "end",
        class: Class::Incomplete,
        start: cur.pos(),
        end: cur.end(),
        what: format_args!("the input ends here"),
        expected: Show::Uint(needed),
        found: Show::Uint(wide(cur.remaining())),
    })
}

/// Reads an integer, a float or a truth value.
#[inline(always)]
pub fn int<T: Int, O: Observer>(
    cur: &mut Cursor<'_>,
    obs: &mut O,
    order: Order,
) -> Result<T, Fault> {
    match T::take(cur, order) {
        Some(value) => Ok(value),
        None => Err(short(cur, obs, wide(T::SIZE))),
    }
}

/// The field whose value a size, count or offset came from.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// The declaration that the field is part of.
    pub layout: &'static crate::Layout,
    /// Its index.
    pub field: usize,
    /// Its byte range.
    pub span: (usize, usize),
}

/// A field claims more bytes than there are.
#[inline(always)]
pub fn claims_too_much<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    claim: Claim,
    needed: u64,
) -> Fault {
    if O::RECORD { tell_claims_too_much(cur, obs, claim, needed) } else { Fault::at(claim.span.0) }
}

#[cold]
#[inline(never)]
fn tell_claims_too_much<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    claim: Claim,
    needed: u64,
) -> Fault {
    obs.blame(claim.layout, claim.field);
    obs.fail(&Problem {
        code: "size",
        class: Class::Incomplete,
        start: claim.span.0,
        end: claim.span.1,
        what: format_args!("the field claims more bytes than there are behind {:#x}", cur.pos()),
        expected: Show::Uint(needed),
        found: Show::Uint(wide(cur.remaining())),
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
fn not_utf8<O: Observer>(cur: &Cursor<'_>, obs: &mut O, bytes: &[u8], valid: usize) -> Fault {
    if O::RECORD {
        tell_not_utf8(cur, obs, bytes, valid)
    } else {
        Fault::at(cur.pos().saturating_sub(bytes.len()).saturating_add(valid))
    }
}

#[cold]
#[inline(never)]
fn tell_not_utf8<O: Observer>(cur: &Cursor<'_>, obs: &mut O, bytes: &[u8], valid: usize) -> Fault {
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

/// Reads a constant.
#[inline(always)]
pub fn magic<O: Observer, const N: usize>(
    cur: &mut Cursor<'_>,
    obs: &mut O,
    expected: [u8; N],
) -> Result<(), Fault> {
    let start = cur.pos();
    match cur.take_array::<N>() {
        Some(found) if *found == expected => Ok(()),
        Some(found) => Err(wrong_magic(start, obs, &expected, found)),
        None => Err(short(cur, obs, wide(N))),
    }
}

#[inline(always)]
fn wrong_magic<O: Observer>(start: usize, obs: &mut O, expected: &[u8], found: &[u8]) -> Fault {
    if O::RECORD { tell_wrong_magic(start, obs, expected, found) } else { Fault::at(start) }
}

#[cold]
#[inline(never)]
fn tell_wrong_magic<O: Observer>(
    start: usize,
    obs: &mut O,
    expected: &[u8],
    found: &[u8],
) -> Fault {
    obs.fail(&Problem {
        code: "magic",
        class: Class::Malformed,
        start,
        end: start.saturating_add(found.len()),
        what: format_args!("the magic is wrong"),
        expected: Show::bytes(expected),
        found: Show::bytes(found),
    })
}

/// A size, count or offset of the declaration cannot be computed.
#[inline(always)]
pub fn overflow<O: Observer>(obs: &mut O, word: &'static str, claim: Claim) -> Fault {
    if O::RECORD { tell_overflow(obs, word, claim) } else { Fault::at(claim.span.0) }
}

#[cold]
#[inline(never)]
fn tell_overflow<O: Observer>(obs: &mut O, word: &'static str, claim: Claim) -> Fault {
    obs.blame(claim.layout, claim.field);
    obs.fail(&Problem {
        code: "size",
        class: Class::Malformed,
        start: claim.span.0,
        end: claim.span.1,
        what: format_args!("`{word}` cannot be computed from the stored values"),
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
    if O::RECORD { tell_wrong_region(cur, obs, start, len, claim) } else { Fault::at(claim.span.0) }
}

#[cold]
#[inline(never)]
fn tell_wrong_region<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    start: usize,
    len: u64,
    claim: Claim,
) -> Fault {
    let read = wide(cur.pos().saturating_sub(start));
    let space = wide(cur.end().saturating_sub(start));
    obs.reopen(claim.layout, claim.field);
    let (start, end) = claim.span;
    let (class, expected, found) = if len < read {
        (Class::Malformed, Show::Uint(read), Show::Uint(len))
    } else {
        (Class::Incomplete, Show::Uint(len), Show::Uint(space))
    };
    let what = match class {
        Class::Malformed => "the value claims to be shorter than what has been read of it",
        _ => "the value claims more bytes than there are",
    };
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

/// Checks that as many items as a field claims can lie in the region.
#[inline(always)]
pub fn count<'a, T: crate::Wire<'a>, O: Observer>(
    cur: &Cursor<'a>,
    obs: &mut O,
    count: u64,
    claim: Claim,
) -> Result<(), Fault> {
    // An item of no bytes still counts as one, so that no claim costs more than the input.
    let smallest = wide(T::MIN_SIZE.max(1));
    match count.checked_mul(smallest) {
        Some(len) if len <= wide(cur.remaining()) => Ok(()),
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
        tell_too_many(cur, obs, count, smallest, claim)
    } else {
        Fault::at(claim.span.0)
    }
}

#[cold]
#[inline(never)]
fn tell_too_many<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    count: u64,
    smallest: u64,
    claim: Claim,
) -> Fault {
    obs.blame(claim.layout, claim.field);
    obs.fail(&Problem {
        code: "count",
        class: Class::Incomplete,
        start: claim.span.0,
        end: claim.span.1,
        what: format_args!(
            "{count} items of at least {smallest} bytes do not fit behind {:#x}",
            cur.pos()
        ),
        expected: count.checked_mul(smallest).map_or(Show::Nothing, Show::Uint),
        found: Show::Uint(wide(cur.remaining())),
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
    fill: u8,
) -> Result<(), Fault> {
    match cur.take(len) {
        Some(padding) => {
            if O::RECORD {
                look_at_padding(cur.pos(), obs, padding, fill);
            }
            Ok(())
        }
        None => Err(short(cur, obs, len)),
    }
}

fn look_at_padding<O: Observer>(end: usize, obs: &mut O, padding: &[u8], fill: u8) {
    let Some(first) = padding.iter().position(|byte| *byte != fill) else { return };
    obs.note(
        Severity::Warning,
        &Problem {
            code: "padding",
            class: Class::Invalid,
            start: end.saturating_sub(padding.len()).saturating_add(first),
            end,
            what: format_args!("the padding is not its fill and is not kept"),
            expected: Show::Hex(u64::from(fill)),
            found: Show::bytes(padding.get(first..).unwrap_or_default()),
        },
    );
}

/// How many bytes lead from `distance` bytes behind the start of a value to the next multiple of
/// `align`.
#[inline(always)]
pub fn gap(distance: usize, align: u64) -> Option<u64> {
    let distance = wide(distance);
    if align.is_power_of_two() {
        return Some(distance.wrapping_neg() & align.wrapping_sub(1));
    }
    crate::ops::align_up(distance, align)?.checked_sub(distance)
}

/// Takes the room of a padded field: its value and the padding behind it.
#[inline(always)]
pub fn room<'a, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    len: u64,
    claim: Claim,
) -> Result<Cursor<'a>, Fault> {
    match cur.split(len, Fill::Open) {
        Some(room) => Ok(room),
        None => Err(claims_too_much(cur, obs, claim, len)),
    }
}

/// Looks at what a value leaves of its room.
#[inline(always)]
pub fn padding_left<O: Observer>(room: &mut Cursor<'_>, obs: &mut O, fill: u8) {
    if O::RECORD {
        let padding = rest(room);
        look_at_padding(room.pos(), obs, padding, fill);
    }
}

/// Reads the NUL that ends a string.
#[inline(always)]
pub fn nul<O: Observer>(cur: &mut Cursor<'_>, obs: &mut O) -> Result<(), Fault> {
    let start = cur.pos();
    match cur.take_array::<1>() {
        Some([0]) => Ok(()),
        Some([found]) => Err(no_nul(start, obs, *found)),
        None => Err(short(cur, obs, 1)),
    }
}

#[inline(always)]
fn no_nul<O: Observer>(start: usize, obs: &mut O, found: u8) -> Fault {
    if O::RECORD { tell_no_nul(start, obs, found) } else { Fault::at(start) }
}

#[cold]
#[inline(never)]
fn tell_no_nul<O: Observer>(start: usize, obs: &mut O, found: u8) -> Fault {
    obs.fail(&Problem {
        code: "nul",
        class: Class::Malformed,
        start,
        end: start.saturating_add(1),
        what: format_args!("the string does not end with a NUL"),
        expected: Show::Hex(0),
        found: Show::Hex(u64::from(found)),
    })
}

/// A derived field disagrees with what it is derived from.
pub fn derived<O: Observer>(obs: &mut O, range: (usize, usize), expected: Option<u64>, found: u64) {
    if expected == Some(found) {
        return;
    }
    obs.note(
        Severity::Error,
        &Problem {
            code: "derived",
            class: Class::Invalid,
            start: range.0,
            end: range.1,
            what: format_args!("the stored value disagrees with what it is computed from"),
            expected: expected.map_or(Show::Nothing, Show::Uint),
            found: Show::Uint(found),
        },
    );
}

/// A field tells the size of another one that is not there.
pub fn of_absent<O: Observer>(obs: &mut O, range: (usize, usize), claimed: Option<u64>) {
    if claimed == Some(0) {
        return;
    }
    obs.note(
        Severity::Warning,
        &Problem {
            code: "canonical",
            class: Class::Invalid,
            start: range.0,
            end: range.1,
            what: format_args!("the size of a field that is not there is not kept"),
            expected: Show::Uint(0),
            found: claimed.map_or(Show::Nothing, Show::Uint),
        },
    );
}

/// A number that a closed enum does not know.
#[inline(always)]
pub fn unknown<O: Observer>(cur: &Cursor<'_>, obs: &mut O, size: usize, found: u64) -> Fault {
    if O::RECORD {
        tell_unknown(cur, obs, size, found)
    } else {
        Fault::at(cur.pos().saturating_sub(size))
    }
}

#[cold]
#[inline(never)]
fn tell_unknown<O: Observer>(cur: &Cursor<'_>, obs: &mut O, size: usize, found: u64) -> Fault {
    obs.fail(&Problem {
        code: "value",
        class: Class::Malformed,
        start: cur.pos().saturating_sub(size),
        end: cur.pos(),
        what: format_args!("the value is none of those declared"),
        expected: Show::Nothing,
        found: Show::Hex(found),
    })
}

/// No variant begins with the bytes that are there.
#[inline(always)]
pub fn no_variant<O: Observer>(cur: &Cursor<'_>, obs: &mut O) -> Fault {
    if O::RECORD { tell_no_variant(cur, obs) } else { Fault::at(cur.pos()) }
}

#[cold]
#[inline(never)]
fn tell_no_variant<O: Observer>(cur: &Cursor<'_>, obs: &mut O) -> Fault {
    obs.fail(&Problem {
        code: "variant",
        class: Class::Malformed,
        start: cur.pos(),
        end: cur.pos().saturating_add(cur.remaining().min(8)),
        what: format_args!("no variant begins like this"),
        expected: Show::Nothing,
        found: Show::bytes(cur.rest().get(..8).unwrap_or(cur.rest())),
    })
}

/// Reads a field through a hand-written function.
pub fn with<'a, T, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    read: impl FnOnce(&mut Cursor<'a>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let before = *cur;
    read(cur).map_err(|fault| unreadable(&before, obs, fault))
}

#[inline(always)]
fn unreadable<O: Observer>(cur: &Cursor<'_>, obs: &mut O, fault: Fault) -> Fault {
    if O::RECORD { tell_unreadable(cur, obs, fault) } else { Fault::at(fault.offset) }
}

#[cold]
#[inline(never)]
fn tell_unreadable<O: Observer>(cur: &Cursor<'_>, obs: &mut O, fault: Fault) -> Fault {
    obs.fail(&Problem {
        code: "with",
        class: Class::Malformed,
        start: fault.offset,
        end: cur.end().max(fault.offset),
        what: format_args!("the field cannot be read"),
        expected: Show::Nothing,
        found: Show::Nothing,
    })
}

/// A computed argument in the type that it has.
#[inline(always)]
pub fn argument<T: TryFrom<u64>, O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    value: Option<u64>,
) -> Result<T, Fault> {
    match value.and_then(|value| T::try_from(value).ok()) {
        Some(value) => Ok(value),
        None => Err(no_argument(cur, obs, value)),
    }
}

#[cold]
#[inline(never)]
fn no_argument<O: Observer>(cur: &Cursor<'_>, obs: &mut O, value: Option<u64>) -> Fault {
    obs.fail(&Problem {
        code: "size",
        class: Class::Malformed,
        start: cur.pos(),
        end: cur.pos(),
        what: format_args!("an argument cannot be computed from the stored values"),
        expected: Show::Nothing,
        found: value.map_or(Show::Nothing, Show::Uint),
    })
}
