//! What types and functions are given for a value that they write.

use crate::finding::{Fault, Show};
use crate::pass::Pass;
use crate::writer::Writer;

/// Arguments, if they could be computed and fit.
#[inline(always)]
pub fn arguments<T>(out: &mut Writer<'_>, arguments: Option<T>) -> Result<T, Fault> {
    match arguments {
        Some(arguments) => Ok(arguments),
        None => Err(no_arguments(out)),
    }
}

#[cold]
fn no_arguments(out: &mut Writer<'_>) -> Fault {
    let what = format_args!("an argument cannot be computed from the values of the fields");
    out.fail("size", what, Show::Nothing, Show::Nothing)
}

/// What a function that writes a value is given; while numbers are found out, one that cannot be computed, or does not
/// fit, is 0.
#[inline]
pub fn passed<P, V: Pass<P>>(out: &Writer<'_>, value: &V) -> Option<P> {
    value.pass().or_else(|| if out.takes_any() { value.pass_any() } else { None })
}

/// What a function of the user has written, which may say that it cannot.
#[inline(always)]
pub fn with(written: Result<(), Fault>, out: &mut Writer<'_>) -> Result<(), Fault> {
    written.map_err(|_| unwritable(out))
}

/// The same of a function that is given arguments: while numbers are found out, it may refuse those that the value holds
/// in their places, and writes when they are known.
#[inline]
pub fn with_given(
    out: &mut Writer<'_>,
    write: impl FnOnce(&mut Writer<'_>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let before = out.around();
    match write(out) {
        Err(_) if out.takes_any() && out.around() == before => {
            out.forget_refusal();
            Ok(())
        }
        written => with(written, out),
    }
}

/// The first reason counts, where the function has given one.
#[cold]
fn unwritable(out: &mut Writer<'_>) -> Fault {
    out.fail("with", format_args!("the field cannot be written"), Show::Nothing, Show::Nothing)
}

/// A value keeps an argument, which must be what its writer is passed.
#[inline(always)]
pub fn kept_argument(out: &mut Writer<'_>, field: &'static str, same: bool) -> Result<(), Fault> {
    if same || !out.checks() {
        return Ok(());
    }
    out.enter(field);
    let what = format_args!("the value keeps another argument than it is passed");
    Err(out.fail("args", what, Show::Nothing, Show::Nothing))
}
