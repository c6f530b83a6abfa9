//! What is computed before located fields have their places, because their sizes depend on it.

use syn::Ident;

use super::{Of, Solved, Source, Step, told_by, uses};
use crate::attr::{Args, Word};
use crate::errors::Errors;
use crate::expr::{Expr, Measure};
use crate::model::{Field, Kind, Model};

/// The computed fields that located fields are told or padded by, and what those need, by their
/// indices. A plain field that is known only with the places is told as it is stored.
pub(crate) fn early(model: &Model<'_>, steps: &[Step<'_>]) -> Vec<usize> {
    let asked = asked(model).into_iter().map(|(index, _)| needed(model, steps, index));
    let known = asked.filter(|needed| needed.iter().all(|step| !needs_places(model, step)));
    known.flatten().map(|step| step.target).collect()
}

/// The steps that compute a field and what it needs.
fn needed<'s, 'm>(model: &Model<'_>, steps: &'s [Step<'m>], field: usize) -> Vec<&'s Step<'m>> {
    let mut needed: Vec<&Step<'_>> = Vec::new();
    let mut waiting = vec![field];
    while let Some(index) = waiting.pop() {
        let step = steps.iter().find(|step| step.target == index);
        if let Some(step) = step.filter(|_| needed.iter().all(|step| step.target != index)) {
            needed.push(step);
            waiting.extend(uses(model, step));
        }
    }
    needed
}

/// Tells of fields that would have to be known before the places that they depend on.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>, steps: &[Step<'_>]) {
    for (index, name) in asked(model) {
        let auto = model.fields().get(index).filter(|field| matches!(field.kind, Kind::Auto(..)));
        let needed = needed(model, steps, index);
        if auto.is_some() && needed.iter().any(|step| needs_places(model, step)) {
            errors.add(
                name.span(),
                format!("`{name}` is computed when located fields have their places, and the size of this one depends on it; make it a plain integer, or name another one"),
            );
        }
    }
}

/// The fields that the sizes and alignments of located fields depend on, each where it is named.
fn asked<'m>(model: &'m Model<'_>) -> Vec<(usize, &'m Ident)> {
    let located = model.fields().iter().filter(|field| field.is_located()).map(Field::one);
    let exprs: Vec<&Expr> = located.flat_map(exprs).collect();
    let of_field = |name: &'m Ident| Some((model.field(name)?.0, name));
    let names = exprs.iter().flat_map(|expr| expr.names()).filter_map(of_field);
    let lens = exprs.iter().flat_map(|expr| expr.measures());
    let lens = lens.filter(|(measure, _)| *measure == Measure::Len);
    let told = lens.flat_map(|(_, name)| {
        let told = model.field(name).map(|(_, field)| told_by(model, field)).unwrap_or_default();
        told.into_iter().map(move |index| (index, name))
    });
    names.chain(told).collect()
}

/// The expressions that the size of a located field depends on, and its alignment.
fn exprs<'m>(field: &'m Field<'_>) -> Vec<&'m Expr> {
    let words = &field.words;
    let pads = [&words.pad_before, &words.pad_after, &words.align_before, &words.align_after];
    let mut exprs: Vec<&Expr> = pads.into_iter().flatten().map(|word| &word.value).collect();
    if let Some(Word { value: Args::Passed(list), .. }) = &words.args {
        exprs.extend(list.iter().map(|(_, expr)| expr));
    }
    exprs
}

/// Whether a field cannot be computed before located fields have their places.
fn needs_places(model: &Model<'_>, step: &Step<'_>) -> bool {
    match &step.source {
        Source::Calc(expr) => expr.measures().iter().any(|(measure, _)| measure.is_place()),
        Source::Solved(Solved { of, .. }) => match of {
            Of::Whole | Of::Offset(_) => true,
            Of::Len(index) => {
                model.fields().get(*index).is_some_and(|field| field.words.section.is_some())
            }
            Of::Count(_) | Of::PadTo(_) => false,
        },
    }
}
