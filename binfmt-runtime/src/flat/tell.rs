//! What is wrong with a buffer, in words; all of it off the fast path.

use super::{Flaw, Place};
use crate::finding::{Class, Error, Fault, Problem, Severity, Show};
use crate::observe::{Limits, Observer};
use crate::{Finding, Text};

/// A place that cannot be read: `size` bytes were wanted there.
#[inline(always)]
pub(super) fn flawed<O: Observer>(place: Place<'_>, obs: &mut O, flaw: Flaw, size: usize) -> Fault {
    if O::RECORD { tell_flawed(place, obs, flaw, size) } else { Fault::at(place.pos) }
}

#[cold]
#[inline(never)]
fn tell_flawed<O: Observer>(place: Place<'_>, obs: &mut O, flaw: Flaw, size: usize) -> Fault {
    problem(place, flaw, size, |problem| obs.fail(problem))
}

/// The same, where nobody watches.
#[cold]
#[inline(never)]
pub(super) fn error(place: Place<'_>, flaw: Flaw, size: usize) -> Error {
    problem(place, flaw, size, |problem| {
        Error::new(Finding::new(Severity::Error, Text::default(), None, problem))
    })
}

fn problem<R>(
    place: Place<'_>,
    flaw: Flaw,
    size: usize,
    tell: impl FnOnce(&Problem<'_>) -> R,
) -> R {
    let (code, what, expected, found) = match flaw {
        Flaw::Outside => {
            ("size", "the buffer ends here", Show::Uint(crate::ops::wide(size)), Show::Nothing)
        }
        Flaw::Misaligned(align) => (
            "align",
            "this does not lie on a multiple of its alignment, counted from the start of the buffer",
            Show::Uint(crate::ops::wide(align)),
            Show::Nothing,
        ),
        Flaw::Points(offset) => (
            "offset",
            "the offset points out of the buffer",
            Show::Nothing,
            Show::Uint(u64::from(offset)),
        ),
    };
    // What is misplaced may lie anywhere, but a range lies in the file.
    let (len, start) = (place.buf.file.len(), place.shown());
    tell(&Problem {
        code,
        class: Class::Malformed,
        start,
        end: start.saturating_add(size).min(len),
        what: format_args!("{what}"),
        expected,
        found,
    })
}

/// Something else that stops a reader, over a range of bytes.
#[inline(always)]
pub(super) fn stop<O: Observer>(
    obs: &mut O,
    code: &'static str,
    span: (usize, usize),
    what: &'static str,
    found: Show,
) -> Fault {
    if O::RECORD { tell_stop(obs, code, span, what, found) } else { Fault::at(span.0) }
}

#[cold]
#[inline(never)]
fn tell_stop<O: Observer>(
    obs: &mut O,
    code: &'static str,
    (start, end): (usize, usize),
    what: &'static str,
    found: Show,
) -> Fault {
    obs.fail(&Problem {
        code,
        class: Class::Malformed,
        start,
        end,
        what: format_args!("{what}"),
        expected: Show::Nothing,
        found,
    })
}

/// Has the walk pay for what it goes on to read.
#[inline(always)]
pub(super) fn pay<O: Observer>(
    obs: &mut O,
    pos: usize,
    spend: impl FnOnce(&mut Limits) -> Option<()>,
) -> Result<(), Fault> {
    let spent = O::RECORD && obs.limits().is_flat_spent();
    match spend(obs.limits()) {
        Some(()) => Ok(()),
        None => Err(too_much(obs, pos, !spent)),
    }
}

/// Offsets lead to the same bytes too often; told once, for every table after that would say it.
#[cold]
#[inline(never)]
fn too_much<O: Observer>(obs: &mut O, pos: usize, first: bool) -> Fault {
    let what = "offsets lead to the same tables again and again, or to too many";
    if first { stop(obs, "budget", (pos, pos), what, Show::Nothing) } else { Fault::at(pos) }
}

/// A table inside as many as there may be.
#[cold]
#[inline(never)]
pub(super) fn too_deep<O: Observer>(place: Place<'_>, obs: &mut O) -> Fault {
    let most = Show::Uint(u64::from(Limits::MAX_DEPTH));
    stop(obs, "depth", (place.pos, place.pos), "tables nest too deeply", most)
}

/// A table without a vtable.
#[cold]
#[inline(never)]
pub(super) fn no_vtable<O: Observer>(place: Place<'_>, obs: &mut O) -> Fault {
    match place.number() {
        Ok((back, _)) => stop(
            obs,
            "vtable",
            (place.pos, place.pos.saturating_add(4)),
            "this does not lead to a vtable in the buffer",
            Show::Int(i64::from(back.cast_signed())),
        ),
        Err(flaw) => flawed(place, obs, flaw, 4),
    }
}
