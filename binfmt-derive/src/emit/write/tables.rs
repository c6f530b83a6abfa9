//! The tables of fields with `for_each`: the numbers that tell where the values lie, set when these are
//! written.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::item_sums;
use super::numbers::{Terms, count_of};
use super::parallel::{bind, entries_of, is_table, sizes_of};
use super::plan::{Plan, mark};
use super::slots::{base, is_offset, slots_with};
use crate::derived::{EntryStep, Of, Point, entry_steps, shape_exprs};
use crate::emit::walk::{condition, place_of};
use crate::emit::{Emitter, Site, local, strings, text, unraw};
use crate::expr::Expr;
use crate::model::{Field, Parallel};

/// The numbers of an entry that the shape of its value names, as far as they are known before.
pub(super) fn known_entry(
    plan: &Plan<'_, '_>,
    index: usize,
    field: &Field<'_>,
    parallel: &Parallel<'_>,
) -> Option<TokenStream> {
    let steps = entry_steps(plan.emitter.model);
    let steps: Vec<&EntryStep<'_>> =
        steps.iter().filter(|step| step.field == index && shapes(parallel, step)).collect();
    if steps.is_empty() {
        return None;
    }
    let element = &parallel.element;
    let bind = bind(plan.emitter, parallel, &quote!(__one), &quote!(&__copy));
    let mut known = TokenStream::new();
    for (number, step) in steps.iter().enumerate() {
        known.extend(if is_known(plan, element, step) {
            put(plan, field, element, step, &quote!(__copy))
        } else {
            let (place, guess) = (place_of(step.target, &quote!(__copy)), guess(field, number));
            quote!(#place = __out.guess(#guess.saturating_add(__index), #place);)
        });
    }
    let own = local(&element.name);
    let there = element.is_optional().then(|| quote!(if #own.is_some()));
    Some(quote! {
        let mut __copy = ::core::clone::Clone::clone(__entry);
        { let __at = __out.pos(); #bind #there { #known } }
        let __entry = &__copy;
    })
}

/// The local with the index of the guesses of one number in all entries.
fn guess(field: &Field<'_>, number: usize) -> Ident {
    mark(field, &format!("guess_{number}"))
}

/// Keeps track of the numbers of entries that are used before they are known.
pub(super) fn guesses(
    plan: &Plan<'_, '_>,
    index: usize,
    field: &Field<'_>,
    parallel: &Parallel<'_>,
) -> TokenStream {
    let steps = entry_steps(plan.emitter.model);
    let steps = steps.iter().filter(|step| step.field == index && shapes(parallel, step));
    let after_layout =
        steps.enumerate().filter(|(_, step)| !is_known(plan, &parallel.element, step));
    let name = local(&field.name);
    after_layout
        .map(|(number, _)| {
            let guess = guess(field, number);
            quote!(let #guess = __out.guesses(#name.len())?;)
        })
        .collect()
}

/// Whether the shape of a value names the number that a step computes.
fn shapes(parallel: &Parallel<'_>, step: &EntryStep<'_>) -> bool {
    shape_exprs(&parallel.element).into_iter().any(|(_, expr, _)| {
        let mut found = false;
        expr.walk(&mut |part| found |= part.is_same(step.target));
        found
    })
}

/// Whether a number of an entry is known before its value is written.
fn is_known(plan: &Plan<'_, '_>, element: &Field<'_>, step: &EntryStep<'_>) -> bool {
    let measured = match step.solved.of {
        Of::Len(_) => element.is_bytes(),
        Of::Count(_) => true,
        _ => false,
    };
    measured && plan.ready.terms(&step.solved) == Point::BEFORE
}

/// Plans to write the tables when all their numbers are known.
pub(super) fn plan(plan: &mut Plan<'_, '_>) {
    let emitter = plan.emitter;
    let model = emitter.model;
    let steps = entry_steps(model);
    for (table, field) in model.fields().iter().enumerate() {
        if !is_table(emitter, field) {
            continue;
        }
        let mut point = plan.ready.written(table);
        let (mut body, mut sums) = (TokenStream::new(), TokenStream::new());
        // A view looks at the items as they are written.
        let (views, others): (Vec<_>, Vec<_>) =
            model.fields().iter().enumerate().partition(|(_, other)| other.is_view());
        for (index, other) in others.into_iter().chain(views) {
            let Some(parallel) =
                other.parallel.as_ref().filter(|parallel| parallel.table == field.name)
            else {
                continue;
            };
            point = point.max(plan.ready.written(index));
            let own: Vec<&EntryStep<'_>> =
                steps.iter().filter(|step| step.field == index).collect();
            for step in &own {
                point = point.max(plan.ready.terms(&step.solved));
            }
            for expr in agreed(&parallel.element) {
                point = point.max(plan.ready.expr(expr));
            }
            if other.is_view() {
                let look = || super::view::of_entry(plan, index, other, parallel);
                body.extend(emitter.with_entry(other, look));
                continue;
            }
            sums.extend(item_sums::computed(plan, index, other, parallel));
            body.extend(emitter.with_entry(other, || set(plan, index, other, parallel, &own)));
        }
        let (rt, region, entries) = (&emitter.rt, mark(field, "region"), entries_of(&field.name));
        let (args, label) = (emitter.field_args(field, Site::Write), text(&unraw(&field.name)));
        let parts = super::used::parts(emitter, field);
        plan.at(point, quote! {{
            let __passed = #args;
            #sums
            #rt::parallel::write_over(__out, #region, (#label, #parts), &#entries[..], __passed, &mut |__out, __index, __entry| {
                let __at = __out.pos();
                #body
                ::core::result::Result::Ok(())
            })?;
        }});
    }
}

/// The expressions that are compared with what has been written.
fn agreed<'f>(element: &'f Field<'_>) -> impl Iterator<Item = &'f Expr> {
    let words = &element.words;
    let words = [&words.at, &words.len, &words.count, &words.condition];
    words.into_iter().flatten().map(|word| &word.value)
}

/// Sets the numbers of one entry, and looks whether those that nothing sets agree.
fn set(
    plan: &Plan<'_, '_>,
    index: usize,
    field: &Field<'_>,
    parallel: &Parallel<'_>,
    steps: &[&EntryStep<'_>],
) -> TokenStream {
    let emitter = plan.emitter;
    let element = &parallel.element;
    let (name, own) = (local(&field.name), local(&element.name));
    let slot = if field.is_located() {
        let (slots, first) = slots_with(plan, index, field);
        quote!(#slots.get(#first.saturating_add(__index)))
    } else {
        let sizes = sizes_of(field);
        quote!(#sizes.get(__index))
    };
    let bound = bind(emitter, parallel, &quote!(__one), &quote!(&*__entry));
    let mut shaping = 0_usize;
    let puts = steps.iter().map(|step| {
        let mut there = put(plan, field, element, step, &quote!((*__entry)));
        if shapes(parallel, step) {
            if !is_known(plan, element, step) {
                let (place, guess) =
                    (place_of(step.target, &quote!((*__entry))), guess(field, shaping));
                let label = text(&unraw(&field.name));
                there = quote! {
                    let __guess = #guess.saturating_add(__index);
                    let __used = __out.guess(__guess, #place);
                    #there
                    __out.learn(__guess, (__used, #place), #label, __at)?;
                };
            }
            shaping = shaping.saturating_add(1);
        }
        let there = quote!({ #bound #there });
        // Where an `if` says that there is no value, the number of the entry says something else.
        match &element.words.null {
            _ if !element.is_optional() => there,
            None => quote!(if { #bound #own.is_some() } { #there }),
            Some(null) => {
                let null = &null.value;
                let absent = put_absent(plan, field, step, &quote!(#null));
                quote!(if { #bound #own.is_some() } { #there } else { #absent })
            }
        }
    });
    let puts: TokenStream = puts.collect();
    let sum = item_sums::put(plan, field, parallel);
    let agree = agree(plan, field, parallel);
    quote! {
        if let (::core::option::Option::Some(__one), ::core::option::Option::Some(__slot)) =
            (#name.get(__index), #slot)
        {
            #puts
            #sum
            #bound
            #agree
        }
    }
}

/// Sets one number of an entry whose value is there.
fn put(
    plan: &Plan<'_, '_>,
    field: &Field<'_>,
    element: &Field<'_>,
    step: &EntryStep<'_>,
    entry: &TokenStream,
) -> TokenStream {
    let emitter = plan.emitter;
    let measured = measured(emitter, element, step.solved.of);
    let value = solved(emitter, field, step, &measured);
    let label = text(&unraw(&field.name));
    let place = place_of(step.target, entry);
    let value = quote!(::core::option::Option::Some(#value));
    let names = names(field, step.target);
    let put = super::set::put(
        emitter,
        &label,
        &quote!(__at),
        (&place, &names),
        &quote!(__solved),
        step.target.ends().1,
    );
    quote!(let __solved: ::core::option::Option<u64> = #value; #put)
}

/// Sets one number of an entry whose value is not there.
fn put_absent(
    plan: &Plan<'_, '_>,
    field: &Field<'_>,
    step: &EntryStep<'_>,
    null: &TokenStream,
) -> TokenStream {
    let emitter = plan.emitter;
    let value = if is_offset(step.solved.of) {
        solved(emitter, field, step, &quote!(::core::option::Option::Some(#null)))
    } else {
        quote!(0)
    };
    let (label, place) = (text(&unraw(&field.name)), place_of(step.target, &quote!((*__entry))));
    let value = quote!(::core::option::Option::Some(#value));
    let names = names(field, step.target);
    let span = step.target.ends().1;
    super::set::put(emitter, &label, &quote!(__at), (&place, &names), &value, span)
}

fn solved(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    step: &EntryStep<'_>,
    measured: &TokenStream,
) -> TokenStream {
    let label = text(&unraw(&field.name));
    let terms = Terms::of(emitter, &step.solved);
    terms.solve(&emitter.rt, &quote!(<u64>), &quote!(#label, __at), measured)
}

/// What is measured of one value, an `Option<u64>`.
fn measured(emitter: &Emitter<'_>, element: &Field<'_>, of: Of) -> TokenStream {
    let base = base(emitter, element);
    match of {
        Of::Len(_) if element.is_bytes() => {
            let len = super::numbers::if_present(element, &strings::len(emitter, element));
            quote!(::core::option::Option::Some(#len))
        }
        Of::Len(_) if !element.is_located() => quote!(::core::option::Option::Some(*__slot)),
        Of::Len(_) => quote!(::core::option::Option::Some(__slot.size)),
        Of::Count(_) => {
            let count = count_of(emitter, element);
            quote!(::core::option::Option::Some(#count))
        }
        _ => quote!(__slot.offset_from(#base)),
    }
}

/// The names that lead to a number of `it`, from the type on.
pub(super) fn names(field: &Field<'_>, target: &Expr) -> TokenStream {
    let table = field.parallel.as_ref().map(|parallel| unraw(&parallel.table)).unwrap_or_default();
    let members = target.part().map(|(_, path)| super::used::members(&path));
    let names = std::iter::once(table).chain(members.into_iter().flatten());
    quote!(&[#(#names),*])
}

/// What the entries say in the end must be so.
fn agree(plan: &Plan<'_, '_>, field: &Field<'_>, parallel: &Parallel<'_>) -> TokenStream {
    let (emitter, rt) = (plan.emitter, &plan.emitter.rt);
    let (element, label) = (&parallel.element, text(&unraw(&field.name)));
    let given = [
        ("at", &element.words.at, Of::Offset(0)),
        ("len", &element.words.len, Of::Len(0)),
        ("count", &element.words.count, Of::Count(0)),
    ];
    let mut all = TokenStream::new();
    for (word, expr, of) in given {
        let Some(expr) = expr else { continue };
        let call = emitter.size(word, &expr.value, Site::Write);
        let measured = measured(emitter, element, of);
        all.extend(quote! {
            #rt::write::agree(__out, #label, __at, #word, #call, #measured)?;
        });
    }
    let own = local(&element.name);
    if element.is_optional() {
        let null = element.words.null.as_ref().map(|null| {
            let (null, base) = (&null.value, base(emitter, element));
            quote!(#rt::write::not_null(__out, #label, __at, __slot.offset_from(#base), #null)?;)
        });
        all = quote!(if #own.is_some() { #all #null });
    }
    if element.words.condition.is_some() {
        let condition = condition(emitter, element, Site::Write);
        let exact = element.words.null.is_none();
        all.extend(
            quote!(#rt::write::presence(__out, #label, __at, #condition, #own.is_some(), #exact)?;),
        );
    }
    all
}
