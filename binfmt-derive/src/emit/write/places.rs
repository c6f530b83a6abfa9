//! Values whose place follows from numbers, none of which is computed from it.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, format_ident, quote};

use super::early_measures as early;
use super::measures::{if_present, measure_of};
use super::plan::{Plan, mark};
use super::slots::{led_by, slot_offset};
use crate::derived::{Computed, Point, computed_place, leader, uses_set};
use crate::emit::expr::measured;
use crate::emit::{Emitter, Site, local, strings, text, unraw};
use crate::expr::{Expr, Measure};
use crate::model::{Field, Kind, Space};
use crate::steps::Base;

/// When the place of a field is known, if no number is computed from it.
pub(super) fn of(plan: &Plan<'_, '_>, index: usize) -> Option<Computed> {
    computed_place(plan.emitter.model, plan.ready, plan.emitter.steps, index)
}

/// The offset at which such a value is placed, an `Option<u64>`.
pub(super) fn stored(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> Option<TokenStream> {
    if field.is_element {
        return None;
    }
    Some(match of(plan, index)? {
        Computed::Before => plan.emitter.size("at", &field.words.at.as_ref()?.value, Site::Write),
        Computed::After { .. } => mark(field, "floor").to_token_stream(),
    })
}

/// Whether such a value lies behind all others beside it.
pub(super) fn is_last(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> bool {
    !field.is_element && of(plan, index) == Some(Computed::After { from_end: true })
}

/// Takes places that are known too late as they were stored, or as an earlier pass has learned them: those that
/// are taken before anything is computed.
pub(super) fn guesses(plan: &Plan<'_, '_>) -> TokenStream {
    let all = late(plan).into_iter().filter(|(point, _)| *point == Point::BEFORE);
    let guesses: TokenStream = all.map(|(_, guess)| guess).collect();
    let (held, measures) = (held(plan), early::guesses(plan));
    quote!(#held #measures #guesses)
}

/// Keeps numbers as they were read that are computed anew before a place is taken as it was stored.
fn held(plan: &Plan<'_, '_>) -> TokenStream {
    let model = plan.emitter.model;
    let places = model.fields().iter().enumerate().filter_map(|(index, field)| {
        let at = &field.words.at.as_ref().filter(|_| field.parallel.is_none())?.value;
        let point = match of(plan, index) {
            Some(Computed::After { .. }) => guessed(plan, field, at),
            None if measures_late(plan, index, at) => plan.ready.places(Space::of(model, field)),
            Some(Computed::Before) | None => return None,
        };
        Some(computed_anew(plan, at, point))
    });
    let mut names: Vec<&syn::Ident> = places.flatten().map(|field| &field.name).collect();
    names.sort();
    names.dedup();
    let held = names.into_iter().map(|name| {
        let (held, number) = (held_number(name), local(name));
        quote!(let #held = #number;)
    });
    held.collect()
}

fn held_number(name: &syn::Ident) -> syn::Ident {
    format_ident!("__held_{}", unraw(name))
}

/// Numbers of a place that the value holds, and that are computed anew before a point.
fn computed_anew<'p>(plan: &'p Plan<'_, '_>, at: &Expr, point: Point) -> Vec<&'p Field<'p>> {
    let is_computed = |index: usize| plan.emitter.steps.iter().any(|step| step.target == index);
    let fields = at.names().into_iter().filter_map(|name| plan.emitter.model.field(name));
    let anew = fields.filter(|(index, field)| {
        !is_auto(field) && is_computed(*index) && plan.ready.target(*index) <= point
    });
    anew.map(|(_, field)| field).collect()
}

/// Plans to take the others.
pub(super) fn plan(plan: &mut Plan<'_, '_>) {
    for (point, guess) in late(plan).into_iter().filter(|(point, _)| *point > Point::BEFORE) {
        plan.at(point, guess);
    }
}

fn late(plan: &Plan<'_, '_>) -> Vec<(Point, TokenStream)> {
    let fields = plan.emitter.model.fields().iter().enumerate();
    let late = fields.filter(|(index, field)| {
        field.parallel.is_none() && matches!(of(plan, *index), Some(Computed::After { .. }))
    });
    let guesses = late.filter_map(|(_, field)| {
        let at = &field.words.at.as_ref()?.value;
        let point = guessed(plan, field, at);
        let (guess, floor) = (mark(field, "placed"), mark(field, "floor"));
        let stored = knows_measures(plan, at, point).then(|| as_read(plan, (field, at), point));
        let stored = stored.flatten().unwrap_or_else(|| quote!(__rt::None));
        let known = if led_by(plan.emitter, field).is_some() {
            let apart = mark(field, "apart");
            quote!(let (#apart, #floor) = (__out.learned(#guess), #stored);)
        } else {
            quote!(let #floor = #stored; let #floor = __out.guess_place(#guess, #floor);)
        };
        let guess = quote!(let #guess = __out.guesses(1)?; #known);
        Some((point, guess))
    });
    guesses.collect()
}

/// When such a place is taken as it was stored: when it is known where the fields begin and end that it counts from,
/// and what the value does not hold of its numbers.
fn guessed(plan: &Plan<'_, '_>, field: &Field<'_>, at: &Expr) -> Point {
    let (model, ready) = (plan.emitter.model, plan.ready);
    let point = ready.places(Space::of(model, field));
    let is_known = |name: &syn::Ident| match model.field(name) {
        Some((index, field)) if is_auto(field) => ready.target(index) <= point,
        _ => true,
    };
    let known = at.names().into_iter().all(is_known) && uses_set(model, at).next().is_none();
    if known { point } else { Point::BEFORE }
}

/// That a value moves with another one, of which slot number it is: how far it lies behind that, where its place
/// follows from numbers and an earlier pass has found it.
pub(super) fn led(plan: &Plan<'_, '_>, field: &Field<'_>) -> Option<TokenStream> {
    let led = super::slots::led(plan.emitter, field, Site::Write)?;
    let index = plan.emitter.model.field(&field.name).map(|(index, _)| index);
    let found = mark(field, "apart");
    let apart = match index.and_then(|index| of(plan, index)) {
        Some(Computed::After { .. }) => Some(quote!(.apart(#found))),
        _ => None,
    };
    Some(quote!(#led #apart))
}

/// The place as it was read, if all numbers that it follows from are kept in the value or known at a point. A section
/// has the length that it was read with until it ends; a measure that is not known is what an earlier pass has found.
pub(super) fn as_read(
    plan: &Plan<'_, '_>,
    (field, at): (&Field<'_>, &Expr),
    point: Point,
) -> Option<TokenStream> {
    let (emitter, model) = (plan.emitter, plan.emitter.model);
    let is_known = |name: &&syn::Ident| {
        let computed = |index: usize| point > Point::BEFORE && plan.ready.target(index) <= point;
        model.field(name).is_none_or(|(index, field)| !is_auto(field) || computed(index))
    };
    if !at.names().iter().all(is_known) {
        return None;
    }
    let mut numbers = TokenStream::new();
    for number in computed_anew(plan, at, point) {
        let (held, number) = (held_number(&number.name), local(&number.name));
        numbers.extend(quote!(let #number = #held;));
    }
    let (mut guessed, mut found) = (TokenStream::new(), TokenStream::new());
    for (measure, name) in at.measures() {
        let local = measured(measure, name);
        match known_measure(plan, measure, name, point) {
            Some(value) => numbers.extend(quote!(let #local: u64 = #value;)),
            None => {
                let early = early::found(measure, name);
                guessed.extend(quote!(#early,));
                found.extend(quote!(__rt::Some(#local),));
            }
        }
    }
    let call = emitter.size("at", at, Site::Write);
    let floor = if is_inner(emitter, field) { quote!(floor) } else { quote!(outer_floor) };
    let read = quote!({ #numbers __out.#floor(#call) });
    if found.is_empty() {
        return Some(read);
    }
    Some(quote!(match (#guessed) { (#found) => #read, _ => __rt::None }))
}

/// Whether all measures that a place asks for are known at a point.
fn knows_measures(plan: &Plan<'_, '_>, at: &Expr, point: Point) -> bool {
    at.measures()
        .into_iter()
        .all(|(measure, name)| known_measure(plan, measure, name, point).is_some())
}

/// A measure that a place asks for, if it is known at a point.
pub(super) fn known_measure(
    plan: &Plan<'_, '_>,
    measure: Measure,
    name: &syn::Ident,
    point: Point,
) -> Option<TokenStream> {
    let (emitter, (other, field)) = (plan.emitter, plan.emitter.model.field(name)?);
    let section = field.words.section.is_some();
    let held = || if_present(field, &strings::len(emitter, field));
    match measure {
        Measure::Len if section => Some(held()),
        Measure::End if section && Point::begun(other) <= point => {
            let start = measure_of(emitter, Measure::Start, field);
            let held = held();
            Some(quote!(#start.saturating_add(#held)))
        }
        _ if plan.ready.measure(measure, other) <= point => {
            Some(measure_of(emitter, measure, field))
        }
        _ => None,
    }
}

fn is_auto(field: &Field<'_>) -> bool {
    matches!(field.kind, Kind::Auto(..))
}

/// A stored place, as far as it is to be kept.
pub(super) fn kept(emitter: &Emitter<'_>, field: &Field<'_>, stored: &TokenStream) -> TokenStream {
    let place = if is_inner(emitter, field) { quote!(stored_place) } else { quote!(outer_place) };
    quote!(__out.#place(#stored))
}

/// Whether offsets count from what is inside the value, and so stay where all of it moves.
fn is_inner(emitter: &Emitter<'_>, field: &Field<'_>) -> bool {
    if counts_from_measure(field) {
        return true;
    }
    let index = emitter.model.field(&field.name).map(|(index, _)| index);
    match index.and_then(|index| emitter.lowered.place(index)).map(|place| place.base) {
        Some(Base::Start | Base::Field(_)) => true,
        Some(Base::Origin) => emitter.model.words.origin.is_some(),
        Some(Base::File) | None => false,
    }
}

/// Whether an offset counts from where a field begins or ends, as in `at = start(rel) + rel`.
pub(super) fn counts_from_measure(field: &Field<'_>) -> bool {
    let measures = field.words.at.iter().flat_map(|at| at.value.measures());
    measures.into_iter().any(|(measure, _)| matches!(measure, Measure::Start | Measure::End))
}

/// Whether a place asks for measures that are known only behind it.
pub(super) fn measures_late(plan: &Plan<'_, '_>, index: usize, at: &Expr) -> bool {
    at.measures().into_iter().any(|(measure, name)| {
        let field = plan.emitter.model.field(name);
        field.is_some_and(|(other, _)| plan.ready.measure(measure, other) > plan.ready.comes(index))
    })
}

/// Where the value has been placed that such a value moves with, counted from the base of both.
fn leading(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> Option<TokenStream> {
    led_by(plan.emitter, field)?;
    let (model, steps) = (plan.emitter.model, plan.emitter.steps);
    let leader = leader(model, steps, index)?;
    Some(slot_offset(plan, leader, model.fields().get(leader)?))
}

/// Learns where such a value has to lie, where that was not known.
pub(super) fn learned(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> TokenStream {
    let (Some(Computed::After { .. }), Some(at)) = (of(plan, index), &field.words.at) else {
        return TokenStream::new();
    };
    let (guess, floor) = (mark(field, "placed"), mark(field, "floor"));
    let (label, begin) = (text(&field.label), mark(field, "at"));
    let call = plan.emitter.size("at", &at.value, Site::Write);
    if let Some(leader) = leading(plan, index, field) {
        let own = slot_offset(plan, index, field);
        return quote!(__out.learn_distance(#guess, #leader, (#own, #call), #label, #begin)?;);
    }
    quote!(__out.learn_place(#guess, (#floor, #call), #label, #begin)?;)
}
