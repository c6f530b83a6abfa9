//! Conversions of the user between what is stored and what a field is.

use crate::Cursor;
use crate::coded::{Coded, Encoding, Number};
use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::observe::Observer;
use crate::ops::Widen;
use crate::writer::Writer;

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

/// A number of which comparisons do not tell all that is stored.
pub trait Form {
    /// Whether the same bytes are stored for the other one.
    fn is_stored_as(&self, other: &Self) -> bool;
}

impl<E: Encoding, T> Form for Coded<E, T>
where
    T: Number + Widen<Wide = E::Wide>,
{
    fn is_stored_as(&self, other: &Self) -> bool {
        let (mut own, mut others) = ([0; 16], [0; 16]);
        self.bytes(&mut own) == other.bytes(&mut others)
    }
}

/// Says that a value would be stored in another way than it was.
pub fn kept<S: PartialEq, O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    start: usize,
    stored: &S,
    again: Option<&S>,
) {
    if again != Some(stored) {
        note_not_kept(cur, obs, start);
    }
}

/// Says that a number would be stored in another way, or another form, than it was.
pub fn kept_in_form<S: Form, O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    start: usize,
    stored: &S,
    again: Option<&S>,
) {
    if !again.is_some_and(|again| again.is_stored_as(stored)) {
        note_not_kept(cur, obs, start);
    }
}

fn note_not_kept<O: Observer>(cur: &Cursor<'_>, obs: &mut O, start: usize) {
    obs.note(
        Severity::Warning,
        &Problem {
            code: "canonical",
            class: Class::Invalid,
            start,
            end: cur.pos(),
            what: format_args!("the value is stored in a way that is not kept"),
            expected: Show::Nothing,
            found: Show::bytes(cur.range(start, cur.pos())),
        },
    );
}

/// What is to be stored for the value of a field.
pub fn write<S>(out: &mut Writer<'_>, stored: Option<S>) -> Result<S, Fault> {
    match stored {
        Some(stored) => Ok(stored),
        None => Err(cannot_be_stored(out)),
    }
}

#[cold]
fn cannot_be_stored(out: &mut Writer<'_>) -> Fault {
    let what = format_args!("the value cannot be stored");
    out.fail("map", what, Show::Nothing, Show::Nothing)
}
