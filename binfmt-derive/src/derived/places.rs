//! Places that no number is computed from: they follow from other numbers, and the value must lie there.

use syn::{Ident, Member};

use super::linear::{Solved, flatten, scaled};
use super::order::uses_set;
use super::{Of, Point, Ready, Source, Step};
use crate::errors::Errors;
use crate::expr::{Expr, Measure, Op};
use crate::model::{Field, Kind, Model, Space, sharers};

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
        // What a branch may say otherwise, as of a value without bytes, is where the value has to lie.
        && telling(model, index).all(|set| branch_of(set, field).has_branch())
        && !sharers(model, field).into_iter().any(|(other, _)| solved(other))
}

/// Whether the place of a field is what `set` puts into another value: it names a number that is told where the
/// field begins.
pub(crate) fn is_set_place(model: &Model<'_>, index: usize) -> bool {
    telling(model, index).next().is_some()
}

/// What `set` puts into other values that tells where a field begins.
fn telling<'m>(model: &'m Model<'_>, index: usize) -> impl Iterator<Item = &'m Expr> {
    let field = model.fields().get(index).filter(|field| field.parallel.is_none());
    let field = field.and_then(|field| Some((&field.name, &field.words.at.as_ref()?.value)));
    field.into_iter().flat_map(move |(own, at)| {
        let set = uses_set(model, at).filter_map(|used| {
            let (_, expr) = model.fields().get(used.field)?.setters().get(used.number)?;
            Some(expr)
        });
        let starts = move |(measure, name)| measure == Measure::Start && name == own;
        set.filter(move |&expr: &&'m Expr| expr.measures().into_iter().any(starts))
    })
}

/// What an expression says where a field is there: one of its branches, as far as the condition of the field tells.
fn branch_of<'e>(expr: &'e Expr, field: &Field<'_>) -> &'e Expr {
    let Expr::If(condition, yes, no) = expr else { return expr };
    let own = field.words.condition.as_ref();
    let is_taken = |holds| {
        asks_for(condition, &field.name, holds)
            || own.is_some_and(|own| own.value.implies(condition, holds))
    };
    match (is_taken(true), is_taken(false)) {
        (true, _) => branch_of(yes, field),
        (_, true) => branch_of(no, field),
        _ => expr,
    }
}

/// Whether a condition is that a field is there, or that it is not.
fn asks_for(condition: &Expr, name: &Ident, is_there: bool) -> bool {
    match condition {
        Expr::Not(condition) => asks_for(condition, name, !is_there),
        Expr::Method(of, method, _) => {
            let asked = if is_there { "is_some" } else { "is_none" };
            method == asked && matches!(&**of, Expr::Name(of) if of == name)
        }
        _ => false,
    }
}

/// The place of such a field, solved for the one number in another value that tells it.
pub(crate) fn set_place<'m>(model: &'m Model<'_>, index: usize) -> Option<Solved<'m>> {
    let at =
        &model.fields().get(index).filter(|_| is_set_place(model, index))?.words.at.as_ref()?.value;
    let mut used = uses_set(model, at);
    let (one, None) = (used.next()?, used.next()) else { return None };
    let (member, _) = model.fields().get(one.field)?.setters().get(one.number)?;
    let is_number = |(name, path): (&Ident, Vec<&Member>)| {
        *name == *one.name && matches!(path.as_slice(), [Member::Named(last)] if last == member)
    };
    let holds = |expr: &Expr| expr.parts().into_iter().any(is_number);
    scaled(at, Of::Offset(index), &holds, &|expr| expr.part().is_some_and(is_number))
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

/// The field that the place of another one counts from, and with which it moves: the place is that one, and more.
/// Both lie in one region, whose values lie where their numbers say, one behind the other. A leader has none
/// itself.
pub(crate) fn leader(model: &Model<'_>, steps: &[Step<'_>], index: usize) -> Option<usize> {
    let field = model.fields().get(index).filter(|field| !field.is_view())?;
    let at = &field.one().words.at.as_ref()?.value;
    let place = |field: &Field<'_>| field.one().words.place.as_ref().map(|one| one.value.clone());
    let base = |field: &Field<'_>| field.one().words.base.as_ref().map(|one| one.value.clone());
    let beside = |other: &Field<'_>| other.is_located() && place(other) == place(field);
    let space = Space::of(model, field);
    let section = space.section().and_then(|index| model.fields().get(index));
    let elsewhere =
        section.is_some_and(|section| section.is_open() || section.words.grow.is_some());
    if elsewhere || space == Space::Around {
        return None;
    }
    let told = steps.iter().filter_map(|step| match &step.source {
        Source::Solved(Solved { of: Of::Offset(told), taken_off: false, .. }) => Some(*told),
        _ => None,
    });
    let tells = |index: &usize| set_place(model, *index).is_some_and(|solved| !solved.taken_off);
    let told = told.chain((0..model.fields().len()).filter(tells));
    told.into_iter().filter(|leads| *leads != index).find(|leads| {
        let Some(other) = model.fields().get(*leads) else { return false };
        let single = other.parallel.is_none() && beside(other) && base(other) == base(field);
        // Those of one place do not lead to one another.
        let leads_to = |own: &Expr| is_behind(at, own) && !is_behind(own, at);
        single
            && other.words.at.as_ref().is_some_and(|own| leads_to(&own.value))
            && leader(model, steps, *leads).is_none()
    })
}

/// Whether a place counts from another one, or is aligned from there on.
fn is_behind(at: &Expr, other: &Expr) -> bool {
    match (at, other) {
        (Expr::Builtin(name, args), _) if name == "align_up" => {
            args.first().is_some_and(|sum| is_behind(sum, other))
        }
        (Expr::If(condition, yes, no), Expr::If(same, other_yes, other_no)) => {
            condition.is_equal(same) && is_behind(yes, other_yes) && is_behind(no, other_no)
        }
        (Expr::If(_, yes, no), _) => is_behind(yes, other) && is_behind(no, other),
        _ => {
            let (mut terms, mut others) = (Vec::new(), Vec::new());
            flatten(at, true, &mut terms);
            flatten(other, true, &mut others);
            let added = |terms: &[(bool, &'_ Expr)]| terms.iter().all(|(added, _)| *added);
            let others = others.iter().filter(|(added, _)| *added).map(|(_, term)| *term);
            added(&terms) && is_no_less(terms.iter().map(|(_, term)| *term).collect(), others)
        }
    }
}

/// Whether a sum of numbers has all terms of another one; one constant stands for those that are lower.
fn is_no_less<'e>(mut terms: Vec<&'e Expr>, others: impl Iterator<Item = &'e Expr>) -> bool {
    let others: Vec<&Expr> = others.collect();
    let constant = |term: &Expr| if let Expr::Int(number, _) = term { *number } else { 0 };
    let sum =
        |terms: &[&Expr]| terms.iter().fold(0_u64, |sum, term| sum.saturating_add(constant(term)));
    if sum(&terms) < sum(&others) {
        return false;
    }
    others.iter().filter(|other| !matches!(other, Expr::Int(..))).all(|other| {
        let found = terms.iter().position(|term| is_same(term, other));
        found.map(|found| terms.swap_remove(found)).is_some()
    })
}

/// Whether two terms are the same, with their factors in any order.
fn is_same(term: &Expr, other: &Expr) -> bool {
    let swapped = match (term, other) {
        (Expr::Binary(left, Op::Mul, right), Expr::Binary(first, Op::Mul, second)) => {
            left.is_equal(second) && right.is_equal(first)
        }
        _ => false,
    };
    swapped || term.is_equal(other)
}

/// Whether a term is the length of what a field lies in: its section, or the value.
fn is_end(model: &Model<'_>, steps: &[Step<'_>], field: &Field<'_>, term: &Expr) -> bool {
    match (term, &field.words.place) {
        (Expr::Measure(Measure::Len, name), Some(place)) => *name == place.value,
        // A number that tells that length.
        (_, Some(place)) => {
            let section = model.field(&place.value).map(|(_, section)| section);
            section
                .and_then(|section| section.words.len.as_ref())
                .is_some_and(|len| !term.names().is_empty() && len.value.is_equal(term))
        }
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
