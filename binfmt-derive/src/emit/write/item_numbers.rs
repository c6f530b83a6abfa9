//! Numbers of the items of a table that sizes and places of their values tell.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::measures::count_of;
use super::parallel::{bind, stored};
use super::plan::Plan;
use super::shaping::guessed_by;
use super::slots::{base, is_offset};
use super::terms::Terms;
use crate::derived::{EntryStep, Of};
use crate::emit::walk::place_of;
use crate::emit::{Emitter, local, strings, text, unraw};
use crate::expr::Expr;
use crate::model::{Field, Parallel};

/// Sets one number of an entry, whether its value is there or not.
pub(super) fn told_by(
    plan: &Plan<'_, '_>,
    field: &Field<'_>,
    parallel: &Parallel<'_>,
    step: &EntryStep<'_>,
) -> TokenStream {
    let element = &parallel.element;
    let own = local(&element.name);
    let bound = bind(plan.emitter, parallel, &quote!(__one), &quote!(&*__entry));
    let mut there = put(plan, field, element, step, &quote!((*__entry)));
    let guesses = guessed_by(plan, step, &parallel.table);
    let is_guessed = !guesses.is_empty();
    for guess in guesses {
        let place = place_of(step.target, &entry_of(field, quote!((*__entry))));
        let label = text(&field.label);
        there = quote! {
            let __guess = #guess.saturating_add(__index);
            let __used = __out.guessed(__guess, &#place);
            #there
            __out.learn_set(__guess, (__used, &#place), #label, __at)?;
        };
    }
    let there = quote!({ #bound #there });
    // Where an `if` says that there is no value, the number of the entry says something else.
    match &element.words.null {
        _ if !element.is_optional() => there,
        None => quote!(if { #bound #own.is_some() } { #there }),
        Some(null) if is_guessed => {
            let absent = put_absent(plan, field, step, &null.value);
            quote!(if { #bound #own.is_some() } { #there } else { #bound #absent })
        }
        Some(null) => {
            let put = put_if(plan, field, element, step, &null.value);
            quote!({ #bound #put })
        }
    }
}

/// Sets one number of an entry, whose value may be absent.
fn put_if(
    plan: &Plan<'_, '_>,
    field: &Field<'_>,
    element: &Field<'_>,
    step: &EntryStep<'_>,
    null: &impl ToTokens,
) -> TokenStream {
    let (own, measured) = (local(&element.name), measured(plan.emitter, element, step.solved.of));
    if is_offset(step.solved.of) {
        let measured = quote!(if #own.is_some() { #measured } else { __rt::Some(#null) });
        return put_measured(plan, field, step, &quote!((*__entry)), &measured);
    }
    // What is solved for a value means nothing without one.
    let absent = put_absent(plan, field, step, null);
    let there = put_measured(plan, field, step, &quote!((*__entry)), &measured);
    if Terms::of(plan.emitter, &step.solved).is_none() {
        let measured = quote!(if #own.is_some() { #measured } else { __rt::Some(0) });
        return put_measured(plan, field, step, &quote!((*__entry)), &measured);
    }
    quote!(if #own.is_some() { #there } else { #absent })
}

/// Sets one number of an entry whose value is there.
pub(super) fn put(
    plan: &Plan<'_, '_>,
    field: &Field<'_>,
    element: &Field<'_>,
    step: &EntryStep<'_>,
    entry: &TokenStream,
) -> TokenStream {
    put_measured(plan, field, step, entry, &measured(plan.emitter, element, step.solved.of))
}

/// Sets one number of an entry to what has been measured.
fn put_measured(
    plan: &Plan<'_, '_>,
    field: &Field<'_>,
    step: &EntryStep<'_>,
    entry: &TokenStream,
    measured: &TokenStream,
) -> TokenStream {
    let (emitter, rt) = (plan.emitter, &plan.emitter.rt);
    let label = text(&field.label);
    let place = place_of(step.target, &entry_of(field, entry.clone()));
    let (names, span) = (names(field, step.target), step.target.ends().1);
    let terms = Terms::of(emitter, &step.solved);
    let by = |function, value: &TokenStream| {
        super::set::put_by(&function, &label, &quote!(__at), (&place, &names), value, span)
    };
    let put = if terms.is_none() {
        by(quote!(#rt::parallel::put), measured)
    } else {
        let solved = terms.solved(rt, &label, measured, &place);
        let put = by(quote!(#rt::parallel::tell), &quote!(__solved));
        quote!(let __solved = __rt::Some(#solved); #put)
    };
    where_taken(emitter, step, put)
}

/// What is done with a number of a branch where that is taken.
fn where_taken(emitter: &Emitter<'_>, step: &EntryStep<'_>, put: TokenStream) -> TokenStream {
    match super::numbers::counts(emitter, &step.solved) {
        Some(counts) => quote!(if #counts { #put }),
        None => put,
    }
}

/// Sets one number of an entry whose value is not there.
fn put_absent(
    plan: &Plan<'_, '_>,
    field: &Field<'_>,
    step: &EntryStep<'_>,
    null: &impl ToTokens,
) -> TokenStream {
    let (emitter, rt) = (plan.emitter, &plan.emitter.rt);
    let label = text(&field.label);
    let place = place_of(step.target, &entry_of(field, quote!((*__entry))));
    let (names, span) = (names(field, step.target), step.target.ends().1);
    let terms = Terms::of(emitter, &step.solved);
    let null = quote!(__rt::Some::<u64>(#null));
    let value = match is_offset(step.solved.of) {
        true if terms.is_none() => null,
        true => {
            let solved = terms.solved(rt, &label, &null, &place);
            quote!(__rt::Some(#solved))
        }
        false => quote!(__rt::Some(0_u64)),
    };
    let set = quote!(#rt::parallel::tell);
    let put = super::set::put_by(&set, &label, &quote!(__at), (&place, &names), &value, span);
    where_taken(emitter, step, put)
}

/// An entry of the table of a field with `for_each`.
fn entry_of(field: &Field<'_>, entry: TokenStream) -> TokenStream {
    match &field.parallel {
        Some(parallel) => stored(parallel, entry),
        None => entry,
    }
}

/// What is measured of one value, an `Option<u64>`.
pub(super) fn measured(emitter: &Emitter<'_>, element: &Field<'_>, of: Of) -> TokenStream {
    let base = base(emitter, element);
    match of {
        Of::Len(_) if element.is_bytes() => {
            let len = super::measures::if_present(element, &strings::len(emitter, element));
            quote!(__rt::Some(#len))
        }
        Of::Len(_) if !element.is_located() => quote!(__rt::Some(*__slot)),
        Of::Len(_) => quote!(__rt::Some(__slot.size)),
        Of::Count(_) => {
            let count = count_of(emitter, element);
            quote!(__rt::Some(#count))
        }
        _ => quote!(__slot.offset_from(#base)),
    }
}

/// The names that lead to a number of `it`, from the type on.
pub(super) fn names(field: &Field<'_>, target: &Expr) -> TokenStream {
    let parallel = field.parallel.iter();
    let table = parallel.flat_map(|one| std::iter::once(&one.root).chain(&one.path)).map(unraw);
    let members = target.part().map(|(_, path)| crate::emit::member_names(&path));
    let names = table.chain(members.into_iter().flatten());
    quote!(&[#(#names),*])
}
