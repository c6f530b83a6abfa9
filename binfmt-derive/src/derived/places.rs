//! Places that no number is computed from: they follow from other numbers, and the value must lie there.

use super::linear::{Solved, flatten};
use super::{Of, Point, Ready, Source, Step, sharers};
use crate::errors::Errors;
use crate::expr::{Expr, Measure, Op};
use crate::model::{Field, Kind, Model};

/// When a writer knows such a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Computed {
    /// Before anything is written beside the value.
    Before,
    /// When all has been written: it is taken as it was stored, and the value is written again where
    /// that was wrong. What counts from the end of what it lies in lies behind all else.
    After { from_end: bool },
}

/// Whether the place of a field follows from numbers, none of which is computed from it.
pub(crate) fn is_computed_place(model: &Model<'_>, steps: &[Step<'_>], index: usize) -> bool {
    let Some(field) = model.fields().get(index) else { return false };
    let solved = |index: usize| {
        steps.iter().any(
            |step| matches!(&step.source, Source::Solved(solved) if solved.of == Of::Offset(index)),
        )
    };
    field.words.at.is_some()
        && !field.is_view()
        && !sharers(model, field).into_iter().any(|(other, _)| solved(other))
}

/// When the place of a field is known that no number is computed from.
pub(crate) fn computed_place(
    model: &Model<'_>,
    ready: &Ready<'_>,
    steps: &[Step<'_>],
    index: usize,
) -> Option<Computed> {
    let field = model.fields().get(index).filter(|_| is_computed_place(model, steps, index))?;
    let at = &field.words.at.as_ref()?.value;
    if ready.expr(at) <= ready.comes(index) {
        return Some(Computed::Before);
    }
    let mut terms = Vec::new();
    flatten(at, true, &mut terms);
    let from_end = |(added, term): (bool, &Expr)| added && is_end(model, steps, field, term);
    Some(Computed::After { from_end: terms.into_iter().any(from_end) })
}

/// The field that the place of another one counts from, and with which it moves: the place is a sum of the
/// number that tells the place of that one, and of what is not less than is added there. Both lie in one
/// region, in which no values share places.
pub(crate) fn leader(model: &Model<'_>, steps: &[Step<'_>], index: usize) -> Option<usize> {
    let field = model.fields().get(index).filter(|_| is_computed_place(model, steps, index))?;
    let at = &field.words.at.as_ref()?.value;
    let place = |field: &Field<'_>| field.one().words.place.as_ref().map(|one| one.value.clone());
    let base = |field: &Field<'_>| field.words.base.as_ref().map(|one| one.value.clone());
    let beside = |other: &Field<'_>| other.is_located() && place(other) == place(field);
    if model.fields().iter().any(|other| beside(other) && other.one().words.shared.is_some()) {
        return None;
    }
    let led = steps.iter().filter_map(|step| match &step.source {
        Source::Solved(solved) if solved.ascends() && solved.when.is_empty() => {
            Some((step.target, solved))
        }
        _ => None,
    });
    led.into_iter().find_map(|(target, solved)| {
        let Of::Offset(leader) = solved.of else { return None };
        let (number, other) = (model.fields().get(target)?, model.fields().get(leader)?);
        let single = other.parallel.is_none() && beside(other) && base(other) == base(field);
        (single && is_behind(at, &number.name, solved)).then_some(leader)
    })
}

/// Whether a place counts from the one that a number tells, in the same units, or is aligned from there on.
fn is_behind(at: &Expr, number: &syn::Ident, led: &Solved<'_>) -> bool {
    if let Expr::Builtin(name, args) = at {
        return name == "align_up" && args.first().is_some_and(|sum| is_behind(sum, number, led));
    }
    let mut terms = Vec::new();
    flatten(at, true, &mut terms);
    let is_number = |term: &Expr| matches!(term, Expr::Name(name) if name == number);
    let counts = |term: &Expr| match (led.mul, term) {
        (None, term) => is_number(term),
        (Some(mul), Expr::Binary(left, Op::Mul, right)) => {
            is_number(left) && right.is_equal(mul) || is_number(right) && left.is_equal(mul)
        }
        _ => false,
    };
    let added: Vec<&Expr> = terms.iter().map(|(_, term)| *term).collect();
    terms.iter().all(|(added, _)| *added)
        && added.iter().any(|term| counts(term))
        && is_no_less(added, &led.add)
}

/// Whether a sum of numbers has all terms of another one; one constant stands for those that are lower.
fn is_no_less(mut terms: Vec<&Expr>, others: &[&Expr]) -> bool {
    let constant = |term: &Expr| if let Expr::Int(number, _) = term { *number } else { 0 };
    let sum =
        |terms: &[&Expr]| terms.iter().fold(0_u64, |sum, term| sum.saturating_add(constant(term)));
    if sum(&terms) < sum(others) {
        return false;
    }
    others.iter().filter(|other| !matches!(other, Expr::Int(..))).all(|other| {
        let found = terms.iter().position(|term| term.is_equal(other));
        found.map(|found| terms.swap_remove(found)).is_some()
    })
}

/// Whether a term is the length of what a field lies in: its section, or the value.
fn is_end(model: &Model<'_>, steps: &[Step<'_>], field: &Field<'_>, term: &Expr) -> bool {
    match (term, &field.words.place) {
        (Expr::Measure(Measure::Len, name), Some(place)) => *name == place.value,
        (Expr::Name(name), None) => steps.iter().any(|step| {
            matches!(&step.source, Source::Solved(solved) if solved.of == Of::Total)
                && model.fields().get(step.target).is_some_and(|field| field.name == *name)
        }),
        _ => false,
    }
}

/// A place that is counted from an end, or from which something is taken off, follows from what the value
/// keeps: else nobody knows where it lay in its section, and where it grows, the bytes in front of it
/// would be written over.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>, ready: &Ready<'_>, steps: &[Step<'_>]) {
    for (index, field) in model.fields().iter().enumerate() {
        let (Some(at), Some(place)) = (&field.words.at, &field.words.place) else { continue };
        let Some(Computed::After { from_end }) = computed_place(model, ready, steps, index) else {
            continue;
        };
        let mut terms = Vec::new();
        flatten(&at.value, true, &mut terms);
        if !from_end && terms.iter().all(|(added, _)| *added) {
            continue;
        }
        let (own, section) = (&field.name, &place.value);
        let lost = format!(
            "so that a writer does not know where `{own}` lay in `{section}`, and what lies in front of it would be written over"
        );
        for name in at.value.names() {
            if model.field(name).is_some_and(|(_, other)| matches!(other.kind, Kind::Auto(..))) {
                errors.add(
                    name.span(),
                    format!(
                        "`{name}` is not kept in the value, {lost}; make `{name}` a plain integer"
                    ),
                );
            }
        }
        for (measure, name) in at.value.measures() {
            let Some((other, measured)) = model.field(name) else { continue };
            let held = measured.words.section.is_some() && measure == Measure::Len;
            if !held && ready.measure(measure, other) > Point::BEFORE {
                let measure = measure.word();
                errors.add(name.span(), format!("`{measure}({name})` is known when that has been written, {lost}; name a plain integer that says it"));
            }
        }
    }
}
