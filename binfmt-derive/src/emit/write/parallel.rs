//! Fields with `for_each`: a slot for every value, and how it is written.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::item_sets::keep_decoded;
use super::item_sums::places_of;
use super::piece::located;
use super::plan::{Plan, mark};
use super::shaping::{guesses, known_entry};
use super::slots::slot_of_each;
use crate::emit::frame::of_values;
use crate::emit::walk::{groups, items_of};
use crate::emit::{Emitter, local, text, unraw};
use crate::model::{Field, Kind, Parallel};

/// The entries of all tables.
pub(super) fn entries(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let mut all = TokenStream::new();
    for table in emitter.model.fields().iter().filter(|field| is_table(emitter, field)) {
        let (name, entries) = (local(&table.name), entries_of(&table.name));
        all.extend(match table.kind {
            Kind::Seq(_) => {
                let label = text(&table.label);
                quote!(let #entries = #rt::parallel::of_seq(__out, #label, #name)?;)
            }
            _ => quote!(let #entries = &#name[..];),
        });
    }
    let mut known: Vec<&Ident> = Vec::new();
    for field in emitter.model.fields() {
        let Some(parallel) = &field.parallel else { continue };
        if parallel.inner && !known.contains(&&parallel.table) {
            known.push(&parallel.table);
            all.extend(inside(emitter, parallel));
        }
        let (name, entries, label) =
            (local(&field.name), entries_of(&parallel.table), text(&field.label));
        all.extend(quote!(#rt::parallel::same_count(__out, #label, #entries.len(), #name.len())?;));
    }
    all
}

/// The items of the tables that lie in other values.
fn inside(emitter: &Emitter<'_>, parallel: &Parallel<'_>) -> Option<TokenStream> {
    let (rt, entries) = (&emitter.rt, entries_of(&parallel.table));
    let (_, holder) = emitter.model.field(&parallel.root)?;
    let name = local(&holder.name);
    let groups = groups(parallel, holder, &quote!(*#name), false);
    let items = items_of(emitter, parallel, &quote!(__group), false);
    Some(quote!(let #entries = #rt::parallel::inside(#groups, |__group| #items);))
}

/// Whether tables with a value for every item lie in this field.
pub(super) fn holds_tables(emitter: &Emitter<'_>, field: &Field<'_>) -> bool {
    let mut parallel = emitter.model.fields().iter().filter_map(|other| other.parallel.as_ref());
    !field.is_element && parallel.any(|parallel| parallel.is_inside(field))
}

/// An entry itself, as an expression that can be assigned to.
pub(super) fn stored(parallel: &Parallel<'_>, entry: TokenStream) -> TokenStream {
    if parallel.inner { quote!(#entry.value) } else { entry }
}

/// Whether some field has a value for every item of this one.
pub(super) fn is_table(emitter: &Emitter<'_>, field: &Field<'_>) -> bool {
    let mut parallel = emitter.model.fields().iter().filter_map(|other| other.parallel.as_ref());
    !field.is_element && parallel.any(|parallel| parallel.root == field.name && !parallel.inner)
}

/// The local with the entries of a table.
pub(super) fn entries_of(table: &Ident) -> Ident {
    format_ident!("__entries_{}", unraw(table))
}

/// The local with the number of the first slot of a field.
pub(super) fn first_of(field: &Field<'_>) -> Ident {
    mark(field, "first")
}

/// Binds one value and its entry the way the rest of the body sees a field and an argument.
pub(super) fn bind(
    emitter: &Emitter<'_>,
    parallel: &Parallel<'_>,
    value: &TokenStream,
    entry: &TokenStream,
) -> TokenStream {
    let name = local(&parallel.element.name);
    let by_value =
        matches!(parallel.element.kind, Kind::Scalar(_)) && !parallel.element.is_optional();
    let value = if by_value { quote!(*#value) } else { quote!(#value) };
    let rt = &emitter.rt;
    if parallel.inner {
        return quote! {
            let #name = #value;
            let __a_it = &(#entry).value;
            let __group = (#entry).group;
            let __entry_index = (#entry).index;
        };
    }
    let scalar = emitter.model.entry_type(parallel).and_then(crate::model::scalar).is_some();
    let entry = if scalar { quote!(*#entry) } else { quote!(#entry) };
    quote!(let #name = #value; let __a_it = #entry; let __entry_index = #rt::ops::wide(__index);)
}

/// Adds a slot for every value of a field to the others.
pub(super) fn add_slots(
    plan: &Plan<'_, '_>,
    field: &Field<'_>,
    parallel: &Parallel<'_>,
    slots: &Ident,
) -> TokenStream {
    let (name, entries, first) = (local(&field.name), entries_of(&parallel.table), first_of(field));
    let bind = bind(plan.emitter, parallel, &quote!(__one), &quote!(__entry));
    let (like, tell) = plan.emitter.with_entry(field, || slot_of_each(plan, &parallel.element));
    let index = plan.emitter.model.field(&field.name).map_or(0, |(index, _)| index);
    let guesses = guesses(plan, field, parallel);
    let known = aligned_by_item(&parallel.element)
        .then(|| plan.emitter.with_entry(field, || known_entry(plan, index, field, parallel)));
    let known = known.flatten();
    let rt = &plan.emitter.rt;
    quote! {
        let #first = #slots.len();
        #guesses
        #rt::parallel::add_slots(__out, &mut #slots, #like, #name.len(), &mut |__out, __index, __slot| {
            if let (__rt::Some(__entry), __rt::Some(__one)) = (#entries.get(__index), #name.get(__index)) {
                #known
                #bind
                #tell
            }
            __rt::Ok(())
        })?;
    }
}

/// Whether an item tells where its value may lie.
fn aligned_by_item(element: &Field<'_>) -> bool {
    let words = [&element.words.align_before, &element.words.align_after];
    let mut exprs = words.into_iter().flatten().flat_map(|word| word.value.names());
    exprs.any(|name| name == "it")
}

/// Writes the values of a field of the sequence, one behind the other, and keeps their sizes.
pub(super) fn in_sequence(
    plan: &Plan<'_, '_>,
    index: usize,
    field: &Field<'_>,
    parallel: &Parallel<'_>,
) -> TokenStream {
    let rt = &plan.emitter.rt;
    let (name, entries, sizes) = (local(&field.name), entries_of(&parallel.table), sizes_of(field));
    let guesses = guesses(plan, field, parallel);
    let (mut there, mut absent) = (quote!(#sizes.push(__size);), quote!(#sizes.push(0);));
    let places = parallel.sum.is_some().then(|| {
        let places = places_of(field);
        there.extend(quote!(#places.push((__before, __before.saturating_add(__size)));));
        absent.extend(quote!(#places.push((0, 0));));
        quote!(let mut #places = #rt::parallel::written_places(#name.len());)
    });
    let absent = quote!(else { #absent });
    let value = value(plan, index, field, parallel, &there, &absent);
    let (from, to) = if plan.is_marked(index) {
        let (from, to) = (mark(field, "from"), mark(field, "to"));
        (quote!(#from = __out.pos();), quote!(#to = __out.pos();))
    } else {
        (TokenStream::new(), TokenStream::new())
    };
    quote! {
        #guesses
        #from
        let mut #sizes = #rt::parallel::sizes(#name.len());
        #places
        for (__index, (__entry, __one)) in #entries.iter().zip(#name.iter()).enumerate() {
            #value
        }
        #to
    }
}

/// The local with the sizes of the values of a field of the sequence.
pub(super) fn sizes_of(field: &Field<'_>) -> Ident {
    mark(field, "sizes")
}

/// Writes the value whose slot comes next, if it is one of this field.
pub(super) fn write_next(
    plan: &Plan<'_, '_>,
    index: usize,
    field: &Field<'_>,
    parallel: &Parallel<'_>,
) -> TokenStream {
    let rt = &plan.emitter.rt;
    let (name, entries, first) = (local(&field.name), entries_of(&parallel.table), first_of(field));
    let there = quote!(return __rt::Ok(__size););
    let value = value(plan, index, field, parallel, &there, &TokenStream::new());
    quote! {
        if let __rt::Some(__index) = #rt::parallel::index(__id, #first, #name.len())
            && let (__rt::Some(__one), __rt::Some(__entry)) =
                (#name.get(__index), #entries.get(__index))
        {
            #value
        }
    }
}

/// Writes one value, and does what is to be done behind it, or where it is `absent`.
fn value(
    plan: &Plan<'_, '_>,
    index: usize,
    field: &Field<'_>,
    parallel: &Parallel<'_>,
    there: &TokenStream,
    absent: &TokenStream,
) -> TokenStream {
    let emitter = plan.emitter;
    let (rt, own) = (&emitter.rt, local(&parallel.element.name));
    let piece = emitter.with_entry(field, || located(plan, index, &parallel.element));
    let known = emitter.with_entry(field, || known_entry(plan, index, field, parallel));
    let bind = bind(emitter, parallel, &quote!(__one), &quote!(__entry));
    let kept = keep_decoded(field, &parallel.element);
    let stack = of_values(emitter, &parallel.element);
    let piece = quote! {
        let __outer = #rt::parallel::descend(__out, #stack)?;
        #piece
        #rt::parallel::ascend(__out, __outer);
    };
    let write = if parallel.element.is_optional() {
        quote!(if let __rt::Some(__value) = #own { #piece #kept #there } #absent)
    } else {
        quote!(let __value = #own; #piece #kept #there)
    };
    quote! {
        let __item = #rt::ops::wide(__index);
        #known
        #bind
        #write
    }
}
