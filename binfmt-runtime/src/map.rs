//! Conversions of the user between what is stored and what a field is.

use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::observe::Observer;
use crate::ops::{Widen, wide};
use crate::writer::{self, Writer};
use crate::{Cursor, Wire};

/// What a conversion gives: a value, or one that may be missing.
#[diagnostic::on_unimplemented(
    message = "a function of `map` gives `{Self}`, and not `{T}`",
    label = "gives `{Self}`",
    note = "the first function gives what the field is, the second one what is stored; each may give an `Option` or a `Result` of it"
)]
pub trait Outcome<T> {
    /// The value, if there is one.
    fn value(self) -> Option<T>;
}

impl<T> Outcome<T> for T {
    #[inline(always)]
    fn value(self) -> Option<T> {
        Some(self)
    }
}

impl<T> Outcome<T> for Option<T> {
    #[inline(always)]
    fn value(self) -> Self {
        self
    }
}

impl<T, E> Outcome<T> for Result<T, E> {
    #[inline(always)]
    fn value(self) -> Option<T> {
        self.ok()
    }
}

/// What a conversion gives, if it gives something.
#[inline(always)]
pub fn given<T>(outcome: impl Outcome<T>) -> Option<T> {
    outcome.value()
}

/// The value of a field from what has just been read of it.
#[inline(always)]
pub fn read<T, O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    start: usize,
    value: Option<T>,
) -> Result<T, Fault> {
    match value {
        Some(value) => Ok(value),
        None => Err(no_value(cur, obs, start)),
    }
}

#[inline(always)]
fn no_value<O: Observer>(cur: &Cursor<'_>, obs: &mut O, start: usize) -> Fault {
    if O::RECORD { report_no_value(cur, obs, start) } else { Fault::at(start) }
}

#[cold]
#[inline(never)]
fn report_no_value<O: Observer>(cur: &Cursor<'_>, obs: &mut O, start: usize) -> Fault {
    obs.fail(&Problem {
        code: "map",
        class: Class::Malformed,
        start,
        end: cur.pos(),
        what: format_args!("what is stored stands for no value of the field"),
        expected: Show::Nothing,
        found: Show::bytes(cur.range(start, cur.pos())),
    })
}

/// Says that a value would be stored in another way than it was; it is `again` when it is converted.
pub fn kept<'a, S: Wire<'a>, O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    start: usize,
    again: Option<&S>,
    args: S::Args,
) {
    let stored = cur.range(start, cur.pos());
    // What cannot be written alone may still be written with the rest.
    let is_kept = again.is_some_and(|again| {
        writer::is_written_as(cur, start, stored, &mut |out| again.emit(out, args)).unwrap_or(true)
    });
    if !is_kept {
        note_not_kept(cur, obs, "canonical", start);
    }
}

/// The same of a value that functions of the user read and write (`with`).
pub fn kept_by_hand<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    start: usize,
    write: &mut dyn FnMut(&mut Writer<'_>) -> Result<(), Fault>,
) {
    let stored = cur.range(start, cur.pos());
    if !writer::is_written_as(cur, start, stored, write).unwrap_or(true) {
        note_not_kept(cur, obs, "with", start);
    }
}

/// A value that is converted: readers must get one of what is stored, and where it is a number, the same.
#[derive(Debug)]
pub struct Back<'v, T>(pub &'v T);

/// It is a number.
pub trait NumberBack<T> {
    /// Whether that is the same number.
    fn is(&self, again: &T) -> bool;
}

impl<T: Widen<Wide: PartialEq>> NumberBack<T> for Back<'_, T> {
    #[inline(always)]
    fn is(&self, again: &T) -> bool {
        again.widen() == self.0.widen()
    }
}

/// It is another value, of which nothing is known.
pub trait AnyBack<T> {
    /// Nobody compares them.
    fn is(&self, again: &T) -> bool;
}

impl<T> AnyBack<T> for &Back<'_, T> {
    #[inline(always)]
    fn is(&self, _: &T) -> bool {
        true
    }
}

/// What is stored at `at` must be what a reader converts to the value, where readers will see it.
#[inline(always)]
pub fn gives_back<T>(
    out: &mut Writer<'_>,
    at: u64,
    again: impl FnOnce() -> Option<T>,
    is_same: impl FnOnce(&T) -> bool,
) -> Result<(), Fault> {
    if !out.rules() {
        return Ok(());
    }
    match again() {
        Some(again) if is_same(&again) => Ok(()),
        Some(_) => Err(refused(out, at, "what is stored for this number stands for another one")),
        None => Err(refused(out, at, "what is stored for this value stands for none")),
    }
}

#[cold]
fn refused(out: &mut Writer<'_>, at: u64, what: &str) -> Fault {
    out.fail_at(at, "map", format_args!("{what}"), Show::Nothing, Show::Nothing)
}

fn note_not_kept<O: Observer>(cur: &Cursor<'_>, obs: &mut O, code: &'static str, start: usize) {
    obs.note(
        Severity::Warning,
        &Problem {
            code,
            class: Class::Invalid,
            start,
            end: cur.pos(),
            what: format_args!("the value is stored in a way that is not kept"),
            expected: Show::Nothing,
            found: Show::bytes(cur.range(start, cur.pos())),
        },
    );
}

/// What is to be stored for the value of a field. While numbers are found out there may be `None` where a conversion is
/// `given` arguments, for it may refuse those that the value holds in their places; the least that it takes stands there
/// then.
pub fn write<'a, S: Wire<'a>>(
    out: &mut Writer<'_>,
    stored: Option<S>,
    given: bool,
) -> Result<Option<S>, Fault> {
    if stored.is_none() {
        if !given || !out.takes_any() {
            return Err(cannot_be_stored(out));
        }
        out.repeat(0, wide(S::MIN_SIZE))?;
    }
    Ok(stored)
}

#[cold]
fn cannot_be_stored(out: &mut Writer<'_>) -> Fault {
    let what = format_args!("the value cannot be stored");
    out.fail("map", what, Show::Nothing, Show::Nothing)
}
