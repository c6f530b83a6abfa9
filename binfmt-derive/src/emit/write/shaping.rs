//! Numbers of entries that decide how their values are written: set before that, or guessed.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::item_numbers::put;
use super::item_sets;
use super::parallel::{bind, stored};
use super::plan::{Plan, mark};
use crate::derived::{EntryStep, entry_steps_in, is_step_known, sets_before, shape_exprs};
use crate::emit::local;
use crate::emit::walk::place_of;
use crate::model::{Field, Parallel};

/// A number of an entry that a size or a place tells, and that decides how values are written.
struct Shaping<'m> {
    step: EntryStep<'m>,
    /// Among those of one field, all of which are used before they are known.
    number: usize,
}

/// The numbers of its items that the shape of the values of a field names.
fn shaping<'m>(plan: &Plan<'_, 'm>, parallel: &Parallel<'_>) -> Vec<Shaping<'m>> {
    let model = plan.emitter.model;
    let steps = entry_steps_in(model, &parallel.table).into_iter();
    let steps = steps.filter(|step| shapes(parallel, step));
    steps.enumerate().map(|(number, step)| Shaping { step, number }).collect()
}

/// The numbers of an entry that the shape of its value names, as far as they are known before.
pub(super) fn known_entry(
    plan: &Plan<'_, '_>,
    index: usize,
    field: &Field<'_>,
    parallel: &Parallel<'_>,
) -> Option<TokenStream> {
    let model = plan.emitter.model;
    let (shaping, sets) = (shaping(plan, parallel), sets_before(model, parallel));
    if shaping.is_empty() && sets.is_empty() {
        return None;
    }
    let element = &parallel.element;
    let bind = bind(plan.emitter, parallel, &quote!(__one), &quote!(&__copy));
    let (mut known, mut others) = (TokenStream::new(), TokenStream::new());
    for Shaping { step, number } in &shaping {
        if !is_step_known(model, plan.ready, step) {
            let (place, guess) =
                (place_of(step.target, &stored(parallel, quote!(__copy))), guess(field, *number));
            known.extend(quote!(__out.guess_in(#guess.saturating_add(__index), &mut #place);));
        } else if step.field == index {
            known.extend(put(plan, field, element, step, &quote!(__copy)));
        } else {
            others.extend(put_of_another(plan, step));
        }
    }
    others.extend(sets.iter().map(|set| item_sets::put_before(plan, set)));
    let own = local(&element.name);
    let there = element.is_optional().then(|| quote!(if #own.is_some()));
    let known = (!known.is_empty()).then(|| quote!({ #bind #there { #known } }));
    Some(quote! {
        let mut __copy = ::core::clone::Clone::clone(__entry);
        { let __at = __out.pos(); #known #others }
        let __entry = &__copy;
    })
}

/// Sets a number that the value of another field tells, in the copy of an entry.
fn put_of_another(plan: &Plan<'_, '_>, step: &EntryStep<'_>) -> TokenStream {
    let emitter = plan.emitter;
    let field = emitter.model.fields().get(step.field);
    let Some((field, parallel)) = field.and_then(|field| Some((field, field.parallel.as_ref()?)))
    else {
        return TokenStream::new();
    };
    emitter.with_entry(field, || {
        let (element, name) = (&parallel.element, local(&field.name));
        let bind = bind(emitter, parallel, &quote!(__one), &quote!(&__copy));
        let put = put(plan, field, element, step, &quote!(__copy));
        let there = element.is_optional().then(|| quote!(if #name.is_some()));
        quote!(if let __rt::Some(__one) = #name.get(__index) { #bind #there { #put } })
    })
}

/// The local with the index of the guesses of one number in all entries.
fn guess(field: &Field<'_>, number: usize) -> Ident {
    mark(field, &format!("guess_{number}"))
}

/// Keeps track of the numbers of entries that are used before they are known.
pub(super) fn guesses(
    plan: &Plan<'_, '_>,
    field: &Field<'_>,
    parallel: &Parallel<'_>,
) -> TokenStream {
    let name = local(&field.name);
    let guessed = shaping(plan, parallel).into_iter();
    let guessed = guessed.filter(|one| !is_step_known(plan.emitter.model, plan.ready, &one.step));
    guessed
        .map(|Shaping { number, .. }| {
            let guess = guess(field, number);
            quote!(let #guess = __out.guesses(#name.len())?;)
        })
        .collect()
}

/// The fields that have used a number of the items before it is known, each with its guess.
pub(super) fn guessed_by(plan: &Plan<'_, '_>, step: &EntryStep<'_>, table: &Ident) -> Vec<Ident> {
    let model = plan.emitter.model;
    if is_step_known(model, plan.ready, step) {
        return Vec::new();
    }
    let fields = model.fields().iter();
    let fields = fields.filter_map(|field| Some((field, field.parallel.as_ref()?)));
    let fields = fields.filter(|(field, parallel)| parallel.table == *table && !field.is_view());
    let guess = |(field, parallel): (&Field<'_>, &Parallel<'_>)| {
        let shaping = shaping(plan, parallel);
        let own = |one: &&Shaping<'_>| {
            one.step.field == step.field && std::ptr::eq(one.step.target, step.target)
        };
        shaping.iter().find(own).map(|one| guess(field, one.number))
    };
    fields.filter_map(guess).collect()
}

/// Whether the shape of a value follows from the number that a step computes, or from what holds it.
fn shapes(parallel: &Parallel<'_>, step: &EntryStep<'_>) -> bool {
    shape_exprs(&parallel.element).into_iter().any(|(_, expr, _)| {
        expr.parts().iter().any(|(name, path)| step.target.overlaps((name, path)))
    })
}
