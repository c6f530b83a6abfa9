//! What a value turns out to be: strings, computed fields, variants.

use super::short;
use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::int::{Int, Order};
use crate::layout::ANY_NUMBER;
use crate::observe::Observer;
use crate::ops::{Wide, Widen, show_number, to_show};
use crate::value::Value;
use crate::{Cursor, Layout};

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
    if O::RECORD { report_no_nul(start, obs, found) } else { Fault::at(start) }
}

#[cold]
#[inline(never)]
fn report_no_nul<O: Observer>(start: usize, obs: &mut O, found: u8) -> Fault {
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

/// Reads the length or count that stands right before a field.
#[inline(always)]
pub fn prefix<T: Int + Widen<Wide = u64>, O: Observer>(
    cur: &mut Cursor<'_>,
    obs: &mut O,
    order: Order,
) -> Result<u64, Fault> {
    obs.enter_extra("prefix", cur.pos());
    let number = T::read(cur, obs, order, false)?.widen();
    obs.leave(cur.pos(), &Value::Uint(number));
    Ok(number)
}

/// A field is not what it is computed from.
fn differs<O: Observer>(obs: &mut O, (start, end): (usize, usize), expected: Show, found: Show) {
    obs.note(
        Severity::Error,
        &Problem {
            code: "derived",
            class: Class::Invalid,
            start,
            end,
            what: format_args!("the stored value disagrees with what it is computed from"),
            expected,
            found,
        },
    );
}

/// A field is not the tag that it is computed from.
pub fn other_tag<O: Observer>(obs: &mut O, range: (usize, usize)) {
    differs(obs, range, Show::Nothing, Show::Nothing);
}

/// A field is not what its function gives, if that gives anything.
pub fn other_made<O: Observer>(obs: &mut O, range: (usize, usize), is_same: Option<bool>) {
    compared(obs, range, is_same, (Show::Nothing, Show::Nothing));
}

/// Compares a number with what it is computed from. What no number of the field can be, from `least` to
/// `most`, could not be written, and so stays an error whatever a `level` says.
pub fn calculated<O: Observer, W: Wide>(
    obs: &mut O,
    range: (usize, usize),
    expected: Option<W>,
    found: W,
    (least, most): (W, W),
) {
    let fits = expected.filter(|expected| (least..=most).contains(expected));
    let same = fits.map(|expected| expected == found);
    compared(obs, range, same, (expected.map_or(Show::Nothing, to_show), to_show(found)));
}

/// The same of a number of another type, which may be none here.
pub(crate) fn calculated_as<O: Observer>(
    obs: &mut O,
    range: (usize, usize),
    (expected, found): (Option<i128>, Option<i128>),
    (least, most): (i128, i128),
) {
    let fits = expected.filter(|expected| (least..=most).contains(expected));
    let shown = (show_number(expected), show_number(found));
    compared(obs, range, fits.map(|_| fits == found), shown);
}

/// Whether a number is the `same` as what it is computed from, if that fits into it.
fn compared<O: Observer>(
    obs: &mut O,
    range: (usize, usize),
    same: Option<bool>,
    (expected, found): (Show, Show),
) {
    match same {
        Some(true) => {}
        Some(false) => differs(obs, range, expected, found),
        None => unfit(obs, range, expected, found),
    }
}

/// No number of the field is what it is computed from.
fn unfit<O: Observer>(obs: &mut O, (start, end): (usize, usize), expected: Show, found: Show) {
    obs.note(
        Severity::Error,
        &Problem {
            code: "overflow",
            class: Class::Invalid,
            start,
            end,
            what: format_args!("what the field is computed from gives nothing that fits into it"),
            expected,
            found,
        },
    );
}

/// A field of a nested value disagrees with what the writer would set it to.
///
/// Its own range is known where all before it has a fixed size; else it is that of the value.
pub fn set<O: Observer>(
    obs: &mut O,
    (layout, field, member): (&'static Layout, usize, &'static str),
    range: (usize, usize),
    numbers: (Option<i128>, Option<i128>),
) {
    let depth = obs.depth();
    obs.reopen(layout, field);
    let (mut range, mut bounds) = (range, ANY_NUMBER);
    if let Some(nested) = layout.field(field).nested {
        let nested = nested();
        let own = nested.fields.iter().position(|other| other.name == member);
        obs.reopen(nested, own.unwrap_or(usize::MAX));
        if let Some(own) = own.map(|own| nested.field(own)) {
            bounds = own.bounds();
            if let Some((offset, size)) = own.offset.zip(own.size) {
                let start = range.0.saturating_add(offset);
                range = (start, start.saturating_add(size));
            }
        }
    }
    calculated_as(obs, range, numbers, bounds);
    obs.close(depth);
}

/// A field tells the size of another one that is not there.
pub fn of_absent<O: Observer>(
    obs: &mut O,
    range: (usize, usize),
    expected: u64,
    found: Option<u64>,
) {
    if found == Some(expected) {
        return;
    }
    obs.note(
        Severity::Warning,
        &Problem {
            code: "canonical",
            class: Class::Invalid,
            start: range.0,
            end: range.1,
            what: format_args!(
                "what tells the place or size of a field that is not there is not kept"
            ),
            expected: Show::Uint(expected),
            found: found.map_or(Show::Nothing, Show::Uint),
        },
    );
}

/// A number that a closed enum does not know.
#[inline(always)]
pub fn unknown<O: Observer>(cur: &Cursor<'_>, obs: &mut O, size: usize, found: u64) -> Fault {
    if O::RECORD {
        report_unknown(cur, obs, size, found)
    } else {
        Fault::at(cur.pos().saturating_sub(size))
    }
}

#[cold]
#[inline(never)]
fn report_unknown<O: Observer>(cur: &Cursor<'_>, obs: &mut O, size: usize, found: u64) -> Fault {
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
    if O::RECORD { report_no_variant(cur, obs) } else { Fault::at(cur.pos()) }
}

#[cold]
#[inline(never)]
fn report_no_variant<O: Observer>(cur: &Cursor<'_>, obs: &mut O) -> Fault {
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
    if O::RECORD { report_unreadable(cur, obs, fault) } else { Fault::at(fault.offset) }
}

#[cold]
#[inline(never)]
fn report_unreadable<O: Observer>(cur: &Cursor<'_>, obs: &mut O, fault: Fault) -> Fault {
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

/// Arguments, if they could be computed and fit.
#[inline(always)]
pub fn arguments<T, O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    arguments: Option<T>,
) -> Result<T, Fault> {
    match arguments {
        Some(arguments) => Ok(arguments),
        None => Err(no_arguments(cur, obs)),
    }
}

#[cold]
#[inline(never)]
fn no_arguments<O: Observer>(cur: &Cursor<'_>, obs: &mut O) -> Fault {
    obs.fail(&unknown_arguments(cur))
}

/// What a value is given cannot be computed.
pub(crate) fn unknown_arguments(cur: &Cursor<'_>) -> Problem<'static> {
    Problem {
        code: "size",
        class: Class::Malformed,
        start: cur.pos(),
        end: cur.pos(),
        what: format_args!("an argument cannot be computed from the stored values"),
        expected: Show::Nothing,
        found: Show::Nothing,
    }
}
