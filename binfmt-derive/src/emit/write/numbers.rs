//! The numbers that the writer computes, each at the point at which it is known.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::Type;

use super::bases;
use super::measures::{count_of, len_of, len_of_bytes, measure_of};
use super::padded::{padded_to, told_sizes};
use super::plan::{Plan, is_codec, mark, stored_type};
use super::slots;
use super::terms::Terms;
use crate::derived::{Of, Point, Solved, Source, Step, told, told_alike, users};
use crate::emit::expr::measured;
use crate::emit::walk::is_kept;
use crate::emit::{Emitter, Site, local, text};
use crate::expr::{Expr, Measure};
use crate::model::{Field, Kind, number_type, sharers};
use crate::steps::all_measures;

/// Plans all measures that expressions ask for.
pub(super) fn plan(plan: &mut Plan<'_, '_>) {
    let model = plan.emitter.model;
    for (measure, field) in all_measures(model) {
        let Some((index, _)) = model.field(&field.name) else { continue };
        let name = measured(measure, &field.name);
        let value = if measure == Measure::Start && field.is_located() {
            slots::place(plan, index, field)
        } else {
            measure_of(plan.emitter, measure, field)
        };
        plan.at(plan.ready.measure(measure, index), quote!(let #name: u64 = #value;));
    }
    bases::plan(plan);
    for index in plan.as_stored.clone() {
        let Some(field) = model.fields().get(index) else { continue };
        let (guess, name) = (mark(field, "guess"), local(&field.name));
        plan.at(
            Point::BEFORE,
            quote! {
                let #guess = __out.guesses(1)?;
                let #name = __out.guess(#guess, #name);
            },
        );
    }
}

/// Plans the computation of a field.
pub(super) fn step(plan: &mut Plan<'_, '_>, step: &Step<'_>) {
    let value = compute(plan, step, true);
    let known = plan.ready.target(step.target);
    plan.at(known, value);
    let Some(field) = plan.emitter.model.fields().get(step.target) else { return };
    let is_auto = matches!(field.kind, Kind::Auto(..));
    let (name, label) = (local(&field.name), text(&field.label));
    let (at, held) = (mark(field, "at"), plan.emitter.held(&field.member));
    let report = match &step.source {
        Source::Calc(_) if is_auto && !field.is_optional() && !is_codec(field) => {
            quote!(__out.derives_number(#at, #name);)
        }
        _ if is_auto || settles(plan, step.target, field) => return,
        _ if field.is_optional() => {
            quote!(__out.derived_if_there(&[#label], #at, (#held, *#name))?;)
        }
        _ if is_codec(field) => quote!(__out.computed(&[#label], #at, (#held, #name))?;),
        _ => quote!(__out.derived(&[#label], #at, (#held, #name))?;),
    };
    plan.at(known.max(Point::begun(step.target)), report);
}

/// Computes the number of a step and, if it was missing, stores it.
pub(super) fn compute(plan: &Plan<'_, '_>, step: &Step<'_>, fills: bool) -> TokenStream {
    let emitter = plan.emitter;
    let Some(field) = emitter.model.fields().get(step.target) else { return TokenStream::new() };
    let (name, label) = (local(&field.name), text(&field.label));
    let (stored, at) = (stored_type(field), mark(field, "at"));
    let ty = number_type(stored);
    let value = number(plan, step, field);
    let bound = if field.is_optional() {
        let value = if matches!(field.kind, Kind::Auto(..)) && field.is_variable() {
            quote!(<#stored>::new(#value))
        } else if field.is_variable() {
            quote!(<#stored>::new(#value).in_place_of(__held))
        } else {
            value
        };
        quote! {
            let #name = &match #name {
                __rt::Some(__held) => __rt::Some(#value),
                __rt::None => __rt::None,
            };
        }
    } else if !field.is_variable() {
        quote!(let #name: #ty = #value;)
    } else if matches!(field.kind, Kind::Auto(..)) {
        quote!(let #name = <#stored>::new(#value);)
    } else {
        quote!(let #name = <#stored>::new(#value).in_place_of(&#name);)
    };
    if !fills {
        return bound;
    }
    let set = plan.ready.is_hole(step.target).then(|| set(plan, step.target, field));
    let learn = bases::learn(plan, step.target, field);
    if !plan.as_stored.contains(&step.target) {
        return quote!(#bound #set #learn);
    }
    let (used, guess) = (mark(field, "used"), mark(field, "guess"));
    quote! {
        let #used = #name;
        #bound
        #set
        __out.learn(#guess, (#used, #name), #label, #at)?;
        #learn
    }
}

/// What a field is computed as, in the type of its number.
fn number(plan: &Plan<'_, '_>, step: &Step<'_>, field: &Field<'_>) -> TokenStream {
    let emitter = plan.emitter;
    let (rt, name, label) = (&emitter.rt, local(&field.name), text(&field.label));
    let (stored, at) = (stored_type(field), mark(field, "at"));
    let expr = match &step.source {
        Source::Calc(expr) => expr,
        Source::Solved(solved) => {
            let value = solved_value(plan, field, number_type(stored), solved);
            return where_it_counts(emitter, field, solved, value);
        }
    };
    let own = expr.names().into_iter().any(|other| *other == field.name);
    let zero = match field.kind {
        Kind::Auto(..) if own && !field.is_optional() => {
            Some(quote!(let #name = <#stored as ::core::default::Default>::default();))
        }
        _ => None,
    };
    let number = calculated(emitter, field, expr);
    if !own || field.is_optional() || field.is_variable() {
        return quote!({ #zero #number });
    }
    quote! {{
        #zero
        let #name = #number;
        let __again = #number;
        #rt::write::stays(__out, (#label, #at), (#name, __again))?;
        #name
    }}
}

/// What a `calc` gives, in the type of the number.
pub(super) fn calculated(emitter: &Emitter<'_>, field: &Field<'_>, expr: &Expr) -> TokenStream {
    let (rt, label, at) = (&emitter.rt, text(&field.label), mark(field, "at"));
    let ty = number_type(stored_type(field));
    let call = if field.kind.is_signed() {
        emitter.signed("calc", expr, Site::Write)
    } else {
        emitter.size("calc", expr, Site::Write)
    };
    quote!(#rt::write::convert::<#ty, _>(__out, #label, #at, #call)?)
}

/// Stores a number that was missing.
fn set(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> TokenStream {
    let emitter = plan.emitter;
    let (hole, name, order) = (mark(field, "hole"), local(&field.name), emitter.order(field));
    if field.is_optional() {
        return quote! {
            if let __rt::Some(__value) = #name { __out.set(#hole, *__value, #order)?; }
        };
    }
    if is_codec(field) {
        let value = super::value::plain(emitter, field);
        return quote! {
            __out.write_over(#hole, &mut |__out| {
                let __value = #name;
                #value
                __rt::Ok(())
            })?;
        };
    }
    if settles(plan, index, field) {
        let (held, label) = (plan.emitter.held(&field.member), text(&field.label));
        return quote!(__out.settle(#hole, (#held, #name), #order, #label)?;);
    }
    if plan.is_in_run(index) {
        let known = mark(field, "known");
        return quote!(__out.set_in_run(#hole, (#known, #name), #order)?;);
    }
    quote!(__out.set(#hole, #name, #order)?;)
}

/// Whether a number that was missing is mostly what the value holds, and has been written as that.
fn settles(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> bool {
    plan.ready.is_hole(index)
        && plan.is_in_run(index)
        && !plan.as_stored.contains(&index)
        && !matches!(field.kind, Kind::Auto(..))
}

/// A number of a branch, which stays as it is where that is not taken or has no value to tell of.
fn where_it_counts(
    emitter: &Emitter<'_>,
    target: &Field<'_>,
    solved: &Solved<'_>,
    value: TokenStream,
) -> TokenStream {
    let Some(counts) = counts(emitter, solved) else { return value };
    let held = held_number(target);
    quote!(if #counts { #value } else { #held })
}

/// Whether the branch of a number is taken, and there is what it tells of; `None` where it has none.
pub(super) fn counts(emitter: &Emitter<'_>, solved: &Solved<'_>) -> Option<TokenStream> {
    let taken = taken(emitter, solved, Site::Write)?;
    let told = solved.of.field().and_then(|index| emitter.model.fields().get(index));
    // A place says that nothing is there.
    let says = |told: &&Field<'_>| slots::is_offset(solved.of) && told.words.null.is_some();
    let there = told.filter(|told| told.is_optional() && !says(told)).map(|told| {
        let all = told_alike(emitter.model, solved.of).into_iter();
        let mut names = all.map(|one| local(&one.name));
        let one = names.next().unwrap_or_else(|| local(&told.name));
        let others: Vec<_> = names.collect();
        if others.is_empty() {
            quote!(#one.is_some() &&)
        } else {
            quote!((#one.is_some() #(|| #others.is_some())*) &&)
        }
    });
    Some(quote!(#there #taken))
}

/// Whether the branch of a number is taken; `None` where it has none.
pub(super) fn taken(emitter: &Emitter<'_>, solved: &Solved<'_>, site: Site) -> Option<TokenStream> {
    let holds = solved.when.iter().map(|(condition, wanted)| {
        let call = emitter.condition("if", condition, site);
        quote!(#call == __rt::Some(#wanted))
    });
    (!solved.when.is_empty()).then(|| quote!(#(#holds)&&*))
}

/// The number that a field of the struct holds.
pub(super) fn held_number(target: &Field<'_>) -> TokenStream {
    let name = local(&target.name);
    match (target.is_optional(), target.is_variable()) {
        (true, true) => quote!(__held.get()),
        (true, false) => quote!(*__held),
        (false, true) => quote!(#name.get()),
        (false, false) => quote!(#name),
    }
}

fn solved_value(
    plan: &Plan<'_, '_>,
    target: &Field<'_>,
    ty: &Type,
    solved: &Solved<'_>,
) -> TokenStream {
    let emitter = plan.emitter;
    let (rt, label) = (&emitter.rt, text(&target.label));
    let at = mark(target, "at");
    let held = match target.kind {
        _ if target.is_optional() => quote!(*__held),
        // What is not in the struct holds nothing.
        Kind::Auto(..) => quote!(0_u64),
        _ => local(&target.name).to_token_stream(),
    };
    let solve = |solved: &Solved<'_>, value: &TokenStream| {
        let terms = Terms::of(emitter, solved);
        terms.solve(rt, ty, (&quote!(#label, #at), &held), value)
    };
    let users = users(emitter.model, target, solved.of);
    // What belongs to a field that is not there is 0; several that exclude one another may share it.
    if users.iter().all(|user| user.is_optional()) && !users.is_empty() {
        let mut value = quote!(::core::default::Default::default());
        if let Some(kept) = is_kept(emitter, target, &users, Site::Write) {
            let stored = held_number(target);
            value = quote!(if #kept { #stored } else { #value });
        }
        for user in users.iter().rev() {
            let Some((index, _)) = emitter.model.field(&user.name) else { continue };
            // Each may tell of it in its own way; that which it is solved for may use other numbers, too.
            let own = told(index, user, target);
            let solved =
                own.as_ref().filter(|_| solved.of.field() != Some(index)).unwrap_or(solved);
            let measured = match solved.of {
                Of::Count(_) => count_of(emitter, user),
                _ => len_of(emitter, user),
            };
            let name = local(&user.name);
            let solved = solve(solved, &quote!(__rt::Some(#measured)));
            value = quote!(if #name.is_some() { #solved } else { #value });
        }
        return value;
    }
    let value = solve(solved, &source_value(plan, target, solved.of));
    if let Of::Offset(index) = solved.of {
        return of_place(emitter, target, index, value);
    }
    let Of::PadTo(index) = solved.of else { return value };
    let padded = emitter.model.fields().get(index).filter(|field| field.is_optional());
    let Some(padded) = padded.map(|field| local(&field.name)) else { return value };
    // What is not there has no region, and no number tells that of one.
    let held = if matches!(target.kind, Kind::Auto(..)) {
        quote!(::core::default::Default::default())
    } else {
        held_number(target)
    };
    quote!(if #padded.is_some() { #value } else { #held })
}

/// The number of a place: 0 where nothing lies there, unless a place says so.
fn of_place(
    emitter: &Emitter<'_>,
    target: &Field<'_>,
    index: usize,
    value: TokenStream,
) -> TokenStream {
    let Some(field) = emitter.model.fields().get(index) else { return value };
    let sharers = sharers(emitter.model, field).into_iter().map(|(_, sharer)| sharer);
    let sharers: Vec<&Field<'_>> = sharers.collect();
    if field.words.null.is_some() || !sharers.iter().all(|sharer| sharer.is_optional()) {
        return value;
    }
    let mut absent = quote!(::core::default::Default::default());
    if let Some(kept) = is_kept(emitter, target, &sharers, Site::Write) {
        let stored = held_number(target);
        absent = quote!(if #kept { #stored } else { #absent });
    }
    let names = sharers.iter().map(|sharer| local(&sharer.name));
    quote!(if #(#names.is_some())||* { #value } else { #absent })
}

/// What a number is derived from, as an `Option<u64>`.
fn source_value(plan: &Plan<'_, '_>, target: &Field<'_>, of: Of) -> TokenStream {
    let emitter = plan.emitter;
    let some = |value: TokenStream| quote!(__rt::Some(#value));
    let field = of.field().and_then(|index| Some((index, emitter.model.fields().get(index)?)));
    match (of, field) {
        (Of::Total, _) => quote!(__end.checked_sub(__start)),
        (Of::Count(_), Some((_, field))) => some(count_of(emitter, field)),
        (Of::Len(_), Some((_, field))) => some(len_of(emitter, field)),
        (Of::PadTo(_), Some((_, field))) if field.is_bytes() => {
            let (align, stored) = padded_to(emitter, target, field);
            let (rt, len) = (&emitter.rt, len_of_bytes(emitter, field));
            let sizes = told_sizes(emitter, field);
            some(quote!(#rt::write::padded(#len, #align, #stored, #sizes)))
        }
        (Of::PadTo(_), Some((_, field))) => some(mark(field, "padded").to_token_stream()),
        (Of::Offset(index), _) => slots::offset(plan, index),
        _ => some(quote!(0)),
    }
}

/// The point at which a sum and what it is compared with are known.
pub(super) fn both(plan: &Plan<'_, '_>, expr: &Expr, measured: Point) -> Point {
    plan.ready.expr(expr).max(measured)
}
