//! Rules of a declaration, which stop a writer.

use core::fmt::Arguments;

use crate::finding::{Fault, Show};
use crate::layout::Layout;
use crate::walk::declared;
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
    if !field.is_empty() {
        out.enter(field);
    }
    out.fail_at(at, code, what, Show::Nothing, Show::Nothing)
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
    // Whether rules are looked at is asked where one is broken: elsewhere it would be asked of each.
    if holds == Some(true) { Ok(()) } else { constant(out, layout, rule, at) }
}

#[cold]
#[inline(never)]
fn constant(
    out: &mut Writer<'_>,
    layout: &'static Layout,
    rule: (usize, usize),
    at: u64,
) -> Result<(), Fault> {
    let text = declared(layout, rule).text;
    unless_left(out, layout, rule, at, format_args!("{text}"))
}

/// A rule of a field does not hold, which stops a writer that looks at rules.
#[cold]
#[inline(never)]
pub fn unless_left(
    out: &mut Writer<'_>,
    layout: &'static Layout,
    rule: (usize, usize),
    at: u64,
    text: Arguments<'_>,
) -> Result<(), Fault> {
    if !out.checks() {
        return Ok(());
    }
    Err(broken(out, layout.field(rule.0).name, at, declared(layout, rule).code, text))
}
