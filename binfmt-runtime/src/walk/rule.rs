//! Rules of a declaration, looked at when what they speak of has been read.

use core::fmt::Arguments;

use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::layout::Layout;
use crate::observe::Observer;

/// What a rule speaks of: a field, or without one the whole value, and its byte range.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The declaration, and the index of the field.
    pub field: Option<(&'static Layout, usize)>,
    /// The byte range.
    pub span: (usize, usize),
}

impl About {
    /// A rule about a whole value.
    #[inline(always)]
    pub fn value(start: usize, end: usize) -> Self {
        Self { field: None, span: (start, end) }
    }
}

/// A rule that stops a reader, and whether it holds.
#[inline(always)]
pub fn check<O: Observer>(
    obs: &mut O,
    holds: Option<bool>,
    about: About,
    code: &'static str,
    what: Arguments<'_>,
    found: impl FnOnce() -> Show,
) -> Result<(), Fault> {
    if holds == Some(true) {
        return Ok(());
    }
    if !O::RECORD {
        return obs.broken(&problem(about, code, what, Show::Nothing));
    }
    let depth = obs.depth();
    open(obs, about);
    obs.broken(&problem(about, code, what, found()))?;
    obs.close(depth);
    Ok(())
}

/// A rule that stops nobody, and whether it holds.
#[inline(always)]
pub fn weigh<O: Observer>(
    obs: &mut O,
    holds: Option<bool>,
    about: About,
    (code, severity): (&'static str, Severity),
    what: Arguments<'_>,
    found: impl FnOnce() -> Show,
) {
    if holds != Some(true) {
        let depth = obs.depth();
        open(obs, about);
        obs.note(severity, &problem(about, code, what, found()));
        obs.close(depth);
    }
}

fn open<O: Observer>(obs: &mut O, about: About) {
    if let Some((layout, field)) = about.field {
        obs.reopen(layout, field);
    }
}

#[inline(always)]
fn problem<'p>(about: About, code: &'static str, what: Arguments<'p>, found: Show) -> Problem<'p> {
    let (start, end) = about.span;
    Problem { code, class: Class::Invalid, start, end, what, expected: Show::Nothing, found }
}
