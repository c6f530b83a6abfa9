//! Rules of a declaration, which stop a writer.

use core::fmt::Arguments;

use crate::finding::{Fault, Show};
use crate::layout::Layout;
use crate::walk::{Found, declared};
use crate::writer::Writer;

/// A rule of the declaration does not hold for what is written at `at`.
#[cold]
#[inline(never)]
pub fn broken(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    code: &'static str,
    what: Arguments<'_>,
) -> Fault {
    broken_by(out, field, (at, code), what, Found::Nothing)
}

fn broken_by(
    out: &mut Writer<'_>,
    field: &'static str,
    (at, code): (u64, &'static str),
    what: Arguments<'_>,
    found: Found<'_>,
) -> Fault {
    if !field.is_empty() {
        out.enter(field);
    }
    out.fail_at(at, code, what, Show::Nothing, found.into())
}

/// A rule of a field, by its number among those of the field, which must hold for what is written at `at`.
#[inline(always)]
pub fn rule(
    out: &mut Writer<'_>,
    layout: &'static Layout,
    rule: (usize, usize),
    at: u64,
    holds: Option<bool>,
) -> Result<(), Fault> {
    shown_rule(out, layout, rule, at, holds, ())
}

/// The same; where it does not hold, `found` shows what is there.
#[inline(always)]
pub fn shown_rule<'f>(
    out: &mut Writer<'_>,
    layout: &'static Layout,
    rule: (usize, usize),
    at: u64,
    holds: Option<bool>,
    found: impl Into<Found<'f>>,
) -> Result<(), Fault> {
    // Whether rules are looked at is asked where one is broken: elsewhere it would be asked of each.
    if holds == Some(true) { Ok(()) } else { constant(out, layout, rule, at, found) }
}

/// What is found is made here, for numbers stay in registers up to here.
#[cold]
#[inline(never)]
fn constant<'f>(
    out: &mut Writer<'_>,
    layout: &'static Layout,
    rule: (usize, usize),
    at: u64,
    found: impl Into<Found<'f>>,
) -> Result<(), Fault> {
    let text = declared(layout, rule).text;
    unless_left(out, layout, rule, at, format_args!("{text}"), found)
}

/// A rule of a field does not hold, which stops a writer that looks at rules.
#[cold]
#[inline(never)]
pub fn unless_left<'f>(
    out: &mut Writer<'_>,
    layout: &'static Layout,
    rule: (usize, usize),
    at: u64,
    text: Arguments<'_>,
    found: impl Into<Found<'f>>,
) -> Result<(), Fault> {
    if !out.checks() {
        return Ok(());
    }
    let (field, code) = (layout.field(rule.0).name, declared(layout, rule).code);
    Err(broken_by(out, field, (at, code), text, found.into()))
}
