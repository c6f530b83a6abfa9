//! What is wrong with a buffer, in words; all of it off the fast path.

use super::{Buf, FlatValue, Flaw, Near, Place};
use crate::budget::Limits;
use crate::finding::{Class, Error, Fault, Problem, Severity, Show};
use crate::observe::Observer;
use crate::place::Visited;
use crate::{Finding, Text};

/// A place that cannot be read: `size` bytes were wanted there.
#[inline(always)]
pub(super) fn flawed<O: Observer>(place: Place<'_>, obs: &mut O, flaw: Flaw, size: usize) -> Fault {
    if O::RECORD { report_flawed(place, obs, flaw, size) } else { Fault::at(place.offset()) }
}

#[cold]
#[inline(never)]
fn report_flawed<O: Observer>(place: Place<'_>, obs: &mut O, flaw: Flaw, size: usize) -> Fault {
    problem(place, flaw, size, |problem| obs.fail(problem))
}

/// Why the value at a position cannot be read, or the item of a vector.
///
/// The parts of a place are told one by one: a place itself would have to stand in memory, on the
/// path of those who can read.
#[cold]
#[inline(never)]
pub(super) fn why<'a, T: FlatValue<'a>>(
    file: &'a [u8],
    at: usize,
    pos: usize,
    near: Near,
    is_item: bool,
) -> Error {
    let place = Buf { file, at, near }.place(pos.wrapping_add(near.skew()));
    match place.item::<T>() {
        Err(flaw) if is_item => problem(place, flaw, T::SIZE, |problem| {
            Error::new(Finding::new(Severity::Error, Text::default(), None, problem))
        }),
        Ok(target) if is_item => crate::record::locate_flat::<T>(target, file),
        _ => crate::record::locate_flat::<T>(place, file),
    }
}

fn problem<R>(
    place: Place<'_>,
    flaw: Flaw,
    size: usize,
    report: impl FnOnce(&Problem<'_>) -> R,
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
    report(&Problem {
        code,
        class: Class::Malformed,
        start: place.reported_offset(),
        end: place.end(size),
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
    if O::RECORD { report_stop(obs, code, span, what, found) } else { Fault::at(span.0) }
}

#[cold]
#[inline(never)]
fn report_stop<O: Observer>(
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
    place: Place<'_>,
    spend: impl FnOnce(&mut Limits) -> Option<()>,
) -> Result<(), Fault> {
    match spend(obs.limits()) {
        Some(()) => Ok(()),
        None => {
            let pos = place.offset();
            Err(crate::place::spent(obs, (pos, pos), Visited::Here))
        }
    }
}

/// What is wrong where tables nest too deeply, and the bound.
pub(super) fn depth(near: Near) -> (&'static str, u32) {
    if near.is_deep() {
        ("tables nest too deeply", Limits::MAX_DEPTH)
    } else {
        ("tables nest too deeply for so many bytes of stack", Limits::MAX_STACK)
    }
}

/// A table inside as many as there may be.
#[inline(always)]
pub(super) fn too_deep<O: Observer>(place: Place<'_>, obs: &mut O) -> Fault {
    let (what, most) = depth(place.buf.near);
    let pos = place.offset();
    stop(obs, "depth", (pos, pos), what, Show::Uint(u64::from(most)))
}

/// A table without a vtable.
#[inline(always)]
pub(super) fn no_vtable<O: Observer>(place: Place<'_>, obs: &mut O) -> Fault {
    match place.number() {
        Ok((back, _)) => stop(
            obs,
            "vtable",
            (place.offset(), place.offset().saturating_add(4)),
            "this does not lead to a vtable in the buffer",
            Show::Int(i64::from(back.cast_signed())),
        ),
        Err(flaw) => flawed(place, obs, flaw, 4),
    }
}
