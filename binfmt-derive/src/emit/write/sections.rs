//! What located values lie in: the bytes of a section, and how long it is.

use proc_macro2::TokenStream;
use quote::quote;

use super::padded::sizes_in_units;
use super::parallel::{holds_tables, is_table};
use super::plan::{Plan, mark};
use super::presence::is_flagged;
use crate::derived::{Of, Solved, Source, Step, computes};
use crate::emit::{Emitter, Site, local, text};
use crate::expr::{Expr, Measure};
use crate::model::{Field, Space, placed_in};

/// The region of a section, or of what lies behind the sequence.
pub(super) fn region(plan: &Plan<'_, '_>, section: Option<(usize, &Field<'_>)>) -> TokenStream {
    let rt = &plan.emitter.rt;
    let (mut kept, mut fixed) = (quote!(__rt::None), quote!(__rt::None));
    let fill = section.map_or_else(|| quote!(0), |(_, field)| Emitter::fill(field));
    if let Some((index, field)) = section {
        kept = kept_bytes(plan, index, field);
        fixed = fixed_length(plan, index, field);
    }
    quote!(#rt::place::SlotRegion { start: __start, kept: #kept, fill: #fill, fixed: #fixed })
}

/// The sections in which values lie, whose bytes are not those that the value holds.
fn changed<'m>(emitter: &Emitter<'m>) -> impl Iterator<Item = &'m Field<'m>> {
    let model = emitter.model;
    let sections = model.fields().iter().enumerate();
    let sections = sections.filter(|(index, field)| field.holds_values(model, *index));
    sections.map(|(_, field)| field)
}

/// Whether the value has such sections.
pub(super) fn holds_values(emitter: &Emitter<'_>) -> bool {
    changed(emitter).next().is_some()
}

/// Insists that such a section is written as the value holds it where an expression around the value uses it.
pub(super) fn as_held(plan: &Plan<'_, '_>) -> TokenStream {
    let rt = &plan.emitter.rt;
    let compared = changed(plan.emitter).map(|field| {
        let (from, to) = (mark(field, "from"), mark(field, "to"));
        let (name, label) = (local(&field.name), text(&field.label));
        quote!(#rt::place::as_held(__out, (#label, #from, #to), &#name[..])?;)
    });
    compared.collect()
}

/// The bytes of a section, an `Option`.
fn kept_bytes(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> TokenStream {
    let name = local(&field.name);
    let kept = quote!(&#name[..]);
    let kept = if has_free_length(plan, index, field) { quote!(__out.kept(#kept)) } else { kept };
    quote!(__rt::Some(#kept))
}

/// The length of a section that has it, whatever lies in it, an `Option<u64>`: the writer computes nothing that
/// tells it.
fn fixed_length(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> TokenStream {
    let (rt, name) = (&plan.emitter.rt, local(&field.name));
    let own = field.words.len.as_ref().map(|len| &len.value);
    let whole = plan.emitter.model.words.len.as_ref().map(|len| &len.value);
    match own.filter(|len| !asks_what_is_left(len)) {
        Some(len) if is_given(plan, index, len) => plan.emitter.size("len", len, Site::Write),
        None if !has_free_length(plan, index, field)
            && whole.is_some_and(|len| is_given(plan, index, len)) =>
        {
            quote!(__rt::Some(#rt::ops::wide(#name.len())))
        }
        _ => quote!(__rt::None),
    }
}

fn asks_what_is_left(len: &Expr) -> bool {
    len.measures().iter().any(|(what, _)| *what == Measure::Remaining)
}

/// Whether an expression is made of nothing but constants, arguments, what the value holds and what is known before
/// the section of sizes: nothing that lies in it decides what it is.
fn is_given(plan: &Plan<'_, '_>, section: usize, expr: &Expr) -> bool {
    let (emitter, model) = (plan.emitter, plan.emitter.model);
    let is_held = |index: usize, field: &Field<'_>| {
        let mut steps = emitter.steps.iter().filter(|step| step.target == index);
        let follows_from_given = |source: &Source<'_>| match source {
            Source::Calc(calc) => {
                !calc.names().contains(&&field.name) && is_given(plan, section, calc)
            }
            Source::Solved(solved) => {
                matches!(solved.of, Of::Count(_) | Of::Len(_))
                    && plan.ready.target(index) <= plan.ready.comes(section)
            }
        };
        steps.all(|step| follows_from_given(&step.source))
            && field.setters().is_empty()
            && !is_table(emitter, field)
            && !holds_tables(emitter, field)
            && !is_flagged(model.fields(), index)
    };
    let known = |name| match model.field(name) {
        Some((index, field)) => is_held(index, field),
        None => model.parameters().iter().any(|parameter| parameter.name == *name),
    };
    expr.measures().is_empty() && expr.names().into_iter().all(known)
}

/// Fills a section that has grown up to a length that its number can tell, which counts in units.
pub(super) fn whole_units(
    plan: &Plan<'_, '_>,
    section: Option<(usize, &Field<'_>)>,
) -> Option<(TokenStream, TokenStream)> {
    let (index, field) = section?;
    let sizes = sizes_in_units(plan.emitter, in_units(plan, index).into_iter())?;
    let (rt, name, fill) = (&plan.emitter.rt, local(&field.name), Emitter::fill(field));
    let from = quote!(let __from = (__out.pos(), #name.len()););
    Some((from, quote!(#rt::place::fill_up(__out, __from, #sizes, #fill)?;)))
}

/// The numbers that count the length of a section in units, where fill may follow what lies in it.
fn in_units<'p>(plan: &'p Plan<'_, '_>, index: usize) -> Vec<&'p Solved<'p>> {
    let fields = plan.emitter.model.fields();
    let mut inside = placed_in(plan.emitter.model, Space::Section(index)).into_iter();
    let takes_rest = |other: usize| {
        let field = fields.get(other).map(Field::one);
        field.is_some_and(|one| {
            one.goes_to_next() || super::slots::takes_rest(plan.emitter, other, one).is_some()
        })
    };
    if fields.get(index).is_none_or(|field| field.words.grow.is_some()) || inside.any(takes_rest) {
        return Vec::new();
    }
    let counts = |solved: &&Solved<'_>| {
        let is_known = plan.ready.terms(solved) <= plan.ready.places(Space::Section(index));
        solved.of == Of::Len(index) && solved.mul.is_some() && !solved.taken_off && is_known
    };
    plan.emitter.steps.iter().filter_map(Step::solved).filter(counts).collect()
}

/// Whether a section may be as long as what lies in it: a number is computed from its length, or it goes
/// up to an end that moves with it.
fn has_free_length(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> bool {
    let (model, steps) = (plan.emitter.model, plan.emitter.steps);
    let rest = match &field.words.len {
        Some(len) => asks_what_is_left(&len.value),
        None => field.words.until_end.is_some(),
    };
    if rest {
        return model.words.len.is_none() || computes(steps, Of::Total);
    }
    // What a number counts in units is filled up to a whole number of them.
    let mut solved = steps.iter().filter_map(Step::solved);
    let told = solved.any(|solved| solved.of == Of::Len(index) && solved.mul.is_none());
    field.words.len.is_none() || told || !in_units(plan, index).is_empty()
}
