//! Measures that stored places ask for and that are known only behind the values: a pass that finds them out tells
//! the next one, which keeps the places.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::measures::{if_present, measure_of};
use super::plan::Plan;
use super::{places, slots};
use crate::emit::{strings, unraw};
use crate::expr::Measure;

/// The local with what an earlier pass has found, an `Option<u64>`.
pub(super) fn found(measure: Measure, name: &Ident) -> Ident {
    format_ident!("__early_{}_{}", measure.word(), unraw(name))
}

/// The local with its index in the book.
fn number(measure: Measure, name: &Ident) -> Ident {
    format_ident!("__guess_{}_{}", measure.word(), unraw(name))
}

/// Takes such measures as an earlier pass has found them.
pub(super) fn guesses(plan: &Plan<'_, '_>) -> TokenStream {
    let all = all(plan).into_iter().map(|(measure, name)| {
        let (number, early) = (number(measure, &name), found(measure, &name));
        quote!(let #number = __out.guesses(1)?; let #early = __out.guess_place(#number, __rt::None);)
    });
    all.collect()
}

/// Plans to tell the next pass what they are.
pub(super) fn plan(plan: &mut Plan<'_, '_>) {
    for (measure, name) in all(plan) {
        let Some((index, field)) = plan.emitter.model.field(&name) else { continue };
        let (number, early) = (number(measure, &name), found(measure, &name));
        let measured = measure_of(plan.emitter, measure, field);
        let measured = as_held(plan, measure, index, &measured);
        let point = plan.ready.measure(measure, index);
        plan.at(
            point,
            quote!({ let __measured = #measured; __out.learn_measure(#number, (#early, __measured)); }),
        );
    }
}

/// Where a field would be if the sections in front of it had the bytes that they hold, and no more: a place counts
/// from there, and would move with each byte that its section grows.
fn as_held(
    plan: &Plan<'_, '_>,
    measure: Measure,
    index: usize,
    measured: &TokenStream,
) -> TokenStream {
    let (emitter, fields) = (plan.emitter, plan.emitter.model.fields());
    let follows = fields.get(index).is_some_and(|field| !field.is_located());
    let sections = fields.iter().take(index).filter(|field| {
        let is_place = matches!(measure, Measure::Start | Measure::End);
        is_place && follows && field.words.section.is_some() && !field.is_located()
    });
    let grown = sections.map(|section| {
        let held = if_present(section, &strings::len(emitter, section));
        let written = measure_of(emitter, Measure::Len, section);
        quote!(.saturating_sub(#written.saturating_sub(#held)))
    });
    quote!(#measured #(#grown)*)
}

/// All of them, each once.
fn all(plan: &Plan<'_, '_>) -> Vec<(Measure, Ident)> {
    let mut all: Vec<(Measure, Ident)> = Vec::new();
    for (index, field) in plan.emitter.model.fields().iter().enumerate() {
        let Some(place) = plan.emitter.lowered.place(index) else { continue };
        if !slots::keeps_late(plan, field.one()) {
            continue;
        }
        let point = plan.ready.places(place.space);
        for (measure, name) in place.at.measures() {
            let is_known = places::known_measure(plan, measure, name, point).is_some();
            if !is_known && !all.iter().any(|known| *known == (measure, name.clone())) {
                all.push((measure, name.clone()));
            }
        }
    }
    all
}
