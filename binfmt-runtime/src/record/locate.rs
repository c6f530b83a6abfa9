//! What a reader stopped at, found by a second walk that knows where it is.

use super::{Recorded, Recorder, recorded};
use crate::budget::Limits;
use crate::finding::{Error, Fault, Finding, Problem, Severity};
use crate::observe::Events;
use crate::text::Text;
use crate::{Cursor, Wire};

/// Keeps the first error.
#[derive(Default)]
struct First(Option<Finding>);

impl Events for First {
    fn finding(&mut self, finding: Finding) {
        if self.0.is_none() && finding.severity == Severity::Error {
            self.0 = Some(finding);
        }
    }
}

/// Walks again, with a recorder, to say why a reader stopped.
#[cold]
#[inline(never)]
pub(crate) fn locate<'a, T: Wire<'a>>(cur: Cursor<'a>, args: T::Args, fault: Fault) -> Error {
    locate_within::<T>(cur, Limits::for_input(cur.file().len()), args, fault)
}

/// [`locate`] for a walk that may cost so much.
#[cold]
#[inline(never)]
pub(crate) fn locate_within<'a, T: Wire<'a>>(
    cur: Cursor<'a>,
    limits: Limits,
    args: T::Args,
    fault: Fault,
) -> Error {
    locate_with(cur, limits, fault, &recorded::<T>(args))
}

/// What is the same for all types.
fn locate_with<'a>(
    mut cur: Cursor<'a>,
    limits: Limits,
    fault: Fault,
    value: &dyn Recorded<'a>,
) -> Error {
    let mut first = First::default();
    let mut recorder = Recorder::locating(&mut first, cur.file(), limits);
    let stopped = value.walk(&mut cur, &mut recorder).err();
    let found = first.0.unwrap_or_else(|| unexplained(stopped.unwrap_or(fault)));
    Error::new(found)
}

/// [`locate`] for a value in a `FlatBuffers` buffer, which no cursor leads to.
#[cold]
#[inline(never)]
pub(crate) fn locate_flat<'a, T: crate::FlatValue<'a>>(
    place: crate::flat::Place<'a>,
    file: &'a [u8],
) -> Error {
    let mut first = First::default();
    let mut recorder = Recorder::locating(&mut first, file, Limits::for_input(file.len()));
    let stopped = T::walk(place, &mut recorder).err().unwrap_or(Fault::at(0));
    Error::new(first.0.unwrap_or_else(|| unexplained(stopped)))
}

/// A range that does not lie in a file of `len` bytes.
pub(crate) fn outside(len: usize, range: &core::ops::Range<usize>) -> Finding {
    let problem = Problem {
        code: "range",
        class: crate::Class::Incomplete,
        start: range.start,
        end: range.end,
        what: format_args!("the range does not lie in the file"),
        expected: crate::Show::Uint(crate::ops::wide(len)),
        found: crate::Show::Uint(crate::ops::wide(range.end)),
    };
    Finding::new(Severity::Error, Text::default(), None, &problem)
}

/// The error of a hand-written walk that fails without saying why.
fn unexplained(fault: Fault) -> Finding {
    let problem = Problem {
        code: "malformed",
        class: crate::Class::Malformed,
        start: fault.offset,
        end: fault.offset,
        what: format_args!("the value cannot be read"),
        expected: crate::Show::Nothing,
        found: crate::Show::Nothing,
    };
    Finding::new(Severity::Error, Text::default(), None, &problem)
}
