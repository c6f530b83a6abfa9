//! Numbers of the items of a table that tell of their values: what a validator compares, and what is not kept.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Ident;

use super::parallel::item_in;
use super::set_to;
use crate::derived::{Of, entry_steps};
use crate::emit::expr::{at_type, measured};
use crate::emit::{Emitter, Site, member_names, unraw};
use crate::expr::{Expr, Measure};
use crate::model::{Field, Kind};

/// Numbers of an item that tell of a value which is not there get lost when it is written.
pub(super) fn claims_of_absent(emitter: &Emitter<'_>, field: usize) -> TokenStream {
    let rt = &emitter.rt;
    let Some(one) = emitter.model.fields().get(field).map(Field::one) else {
        return TokenStream::new();
    };
    // Without a null offset an item keeps what it says.
    let Some(null) = &one.words.null else { return TokenStream::new() };
    let bits = held_bits(emitter, field);
    let (offsets, others): (Vec<_>, Vec<_>) = entry_steps(emitter.model, field)
        .into_iter()
        .partition(|step| matches!(step.solved.of, Of::Offset(_)));
    let mut all: Vec<TokenStream> = others
        .iter()
        .map(|step| {
            let call = emitter.size("claim", step.target, Site::Walk);
            quote!(#rt::parallel::of_absent(__obs, &__entry.item, 0, #call);)
        })
        .collect();
    // Where a condition says that there is no value, the offset may say anything.
    if let (Some(at), Some(_), false) = (&one.words.at, &one.words.condition, offsets.is_empty()) {
        let (null, call) = (&null.value, emitter.size("at", &at.value, Site::Walk));
        all.push(quote!(#rt::parallel::of_absent(__obs, &__entry.item, #null, #call);));
    }
    quote!(if __O::RECORD { #(#all)* #bits })
}

/// A number of the item that has bits which another one holds is written without them.
fn held_bits(emitter: &Emitter<'_>, field: usize) -> TokenStream {
    let rt = &emitter.rt;
    let steps = entry_steps(emitter.model, field);
    let parts = steps.iter().filter_map(|step| {
        let count = step.solved.bits?.count?;
        let told = number_of(emitter, field, step.target);
        let call = emitter.size("claim", step.target, Site::Walk);
        Some(quote!(#rt::parallel::compare_bits(__obs, &__entry.item, #told, #call, #count);))
    });
    parts.collect()
}

/// Compares the checksum that an item keeps with that of the value that has just been read.
pub(super) fn sum(emitter: &Emitter<'_>, field: usize) -> TokenStream {
    let parallel = emitter.model.fields().get(field).and_then(|field| field.parallel.as_ref());
    let Some(sum) = parallel.and_then(|parallel| parallel.sum.as_ref()) else {
        return TokenStream::new();
    };
    let (rt, digest, told) = (&emitter.rt, &sum.digest, number_of(emitter, field, &sum.number));
    let (item, number) = (item(emitter, field), place_of(&sum.number, &quote!((*__item))));
    // Another type than that of the checksum is told where the number is named.
    let span = Span::call_site().located_at(sum.number.ends().1);
    let stored =
        quote_spanned!(span=> #rt::parallel::stored::<<#digest as #rt::Digest>::Sum, _>(#number));
    quote! {
        if __O::RECORD && __obs.walks_items() {
            let __whole = (__at, __cur.pos());
            #item
            let __stored = #stored;
            let __number = (&__entry.item, #told);
            #rt::parallel::verify::<#digest, __O>(__obs, __cur.file(), __whole, __stored, __number);
        }
    }
}

/// Compares what is set in an item with what it stores, when its value has just been read.
pub(super) fn sets(emitter: &Emitter<'_>, field: usize) -> TokenStream {
    let model = emitter.model;
    let Some(own) = model.fields().get(field) else { return TokenStream::new() };
    let (rt, element) = (&emitter.rt, own.one());
    let all = element.item_setters().iter().map(|(number, value)| {
        let told = number_of(emitter, field, number);
        let both = set_to::both(emitter, value, &place_of(number, &quote!((*__item))));
        quote! {
            #both
            #rt::parallel::compare(__obs, &__entry.item, #told, __computed, __found);
        }
    });
    let mut all: TokenStream = all.collect();
    all.extend(held_bits(emitter, field));
    if all.is_empty() {
        return all;
    }
    let (measures, item) = (measures(emitter, element), item(emitter, field));
    quote! {
        if __O::RECORD && __obs.walks_items() {
            #item
            let __this = &__value;
            #measures
            #all
        }
    }
}

/// The item by its type, which nothing before may have told the compiler.
fn item(emitter: &Emitter<'_>, field: usize) -> Option<TokenStream> {
    let parallel = emitter.model.fields().get(field)?.parallel.as_ref()?;
    let item = item_in(parallel);
    if parallel.inner {
        return Some(quote!(let __item = &#item;));
    }
    let ty = emitter.model.entry_type(parallel)?;
    Some(quote!(let __item: &#ty = &#item;))
}

/// What the expressions of a `set` ask of the value that has just been read, but for its length.
fn measures(emitter: &Emitter<'_>, element: &Field<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let mut all = TokenStream::new();
    for (measure, name) in asked(emitter, element) {
        let local = measured(measure, name);
        let is = match measure {
            Measure::Count if matches!(element.kind, Kind::Seq(_)) => {
                quote!(__this.counted(__obs)?)
            }
            Measure::Count => quote!(#rt::ops::wide(__this.len())),
            Measure::Tag => at_type(element, quote!(#rt::Tagged::tag(__this))),
            Measure::Decoded => quote!(#rt::encoded::decoded_len(__this)),
            _ => continue,
        };
        all.extend(quote!(let #local: u64 = #is;));
    }
    all
}

/// What the expressions of a `set` ask of the value of an item, each once.
fn asked<'f>(emitter: &Emitter<'_>, element: &'f Field<'_>) -> Vec<(Measure, &'f Ident)> {
    let mut all = Vec::new();
    let measures = element.item_setters().iter().flat_map(|(_, value)| value.measures());
    for one in measures.filter(|(_, name)| emitter.model.value_of(name).is_some()) {
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
}

/// Keeps the length of the value of an item, where a `set` asks for it.
pub(super) fn len_of_value(
    emitter: &Emitter<'_>,
    element: &Field<'_>,
    prefixed: bool,
) -> Option<TokenStream> {
    let mut asked = asked(emitter, element).into_iter();
    let (measure, name) = asked.find(|(measure, _)| *measure == Measure::Len)?;
    let (rt, local) = (&emitter.rt, measured(measure, name));
    let from = if prefixed { quote!(__from) } else { quote!(__at) };
    Some(quote!(let #local: u64 = #rt::ops::wide(__cur.pos().wrapping_sub(#from));))
}

/// A number of the item, as findings name it.
fn number_of(emitter: &Emitter<'_>, field: usize, number: &Expr) -> TokenStream {
    let rt = &emitter.rt;
    let parallel = emitter.model.fields().get(field).and_then(|field| field.parallel.as_ref());
    let path = parallel.iter().flat_map(|parallel| &parallel.path).map(unraw);
    let members = number.part().map(|(_, members)| members).unwrap_or_default();
    let names = member_names(&members);
    quote!(const { &#rt::parallel::Names { path: &[#(#path),*], names: &[#(#names),*] } })
}

/// The place that a number of `it` has in an entry.
pub(in crate::emit) fn place_of(expr: &Expr, entry: &TokenStream) -> TokenStream {
    match expr {
        Expr::Field(inner, member) => {
            let inner = place_of(inner, entry);
            quote!(#inner.#member)
        }
        _ => entry.clone(),
    }
}
