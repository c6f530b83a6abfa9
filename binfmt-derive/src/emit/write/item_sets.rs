//! Numbers of items that `set` of a field with `for_each` computes.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::item_numbers::{measured as measured_of, names};
use super::measures::count_of;
use super::parallel::{bind, stored};
use super::plan::{Plan, mark};
use super::set;
use crate::derived::{EntrySet, Of};
use crate::emit::expr::{ToBeSet, at_type, measured};
use crate::emit::walk::place_of;
use crate::emit::{Emitter, Site, local, text};
use crate::expr::{Expr, Measure};
use crate::model::{Field, Kind, Parallel};

/// Sets one number of an entry, if its value, `__one`, is there.
pub(super) fn put(plan: &Plan<'_, '_>, one: &EntrySet<'_>, entry: &TokenStream) -> TokenStream {
    let (emitter, rt) = (plan.emitter, &plan.emitter.rt);
    let Some((field, parallel)) = beside(emitter, one) else { return TokenStream::new() };
    emitter.with_entry(field, || {
        let element = &parallel.element;
        let bound = bind(emitter, parallel, &quote!(__one), &quote!(&#entry));
        let (label, names) = (text(&field.label), names(field, one.number));
        let may_set = may_set(emitter, parallel, one.number);
        let measures = measures(emitter, field, element, one.value);
        let (call, what) = emitter.to_be_set(one.value, Site::Write);
        let (at, place) = (quote!(__at), place_of(one.number, &stored(parallel, entry.clone())));
        let span = one.number.ends().1;
        let set = match what {
            ToBeSet::Number => quote!(#rt::parallel::tell),
            ToBeSet::Tag => quote!(#rt::setter::set_tag),
            ToBeSet::Truth => quote!(#rt::setter::set_truth),
        };
        let put = set::put_by(&set, &label, &at, (&place, &names), &quote!(__computed), span);
        let put = quote!(#measures let __computed = #call; #put);
        let own = local(&element.name);
        let put = match element.kind {
            _ if element.is_optional() => {
                quote!(if let __rt::Some(__this) = #own.as_ref() { #put })
            }
            Kind::Scalar(_) => quote!(let __this = &#own; #put),
            _ => quote!(let __this = #own; #put),
        };
        quote!({ #may_set #bound #put })
    })
}

/// The same in the copy of an entry that decides how a value is written.
pub(super) fn put_before(plan: &Plan<'_, '_>, one: &EntrySet<'_>) -> TokenStream {
    let Some((field, _)) = beside(plan.emitter, one) else { return TokenStream::new() };
    let (name, put) = (local(&field.name), put(plan, one, &quote!(__copy)));
    quote!(if let __rt::Some(__one) = #name.get(__index) { #put })
}

fn beside<'m>(
    emitter: &Emitter<'m>,
    one: &EntrySet<'_>,
) -> Option<(&'m Field<'m>, &'m Parallel<'m>)> {
    let field = emitter.model.fields().get(one.field)?;
    Some((field, field.parallel.as_ref()?))
}

/// What an expression asks of the value of an item.
fn measures(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    element: &Field<'_>,
    value: &Expr,
) -> TokenStream {
    let rt = &emitter.rt;
    let own = value.measures().into_iter();
    let own = own.filter(|(_, name)| emitter.model.value_of(name).is_some());
    let local = own.map(|(measure, name)| {
        let local = measured(measure, name);
        let is = match measure {
            Measure::Count => count_of(emitter, element),
            Measure::Tag => at_type(element, quote!(#rt::Tagged::tag(__this))),
            Measure::Decoded => {
                let decoded = decoded_of(field);
                quote!(#decoded.get(__index).copied().unwrap_or_default())
            }
            _ => {
                let len = measured_of(emitter, element, Of::Len(0));
                quote!(#len.unwrap_or_default())
            }
        };
        quote!(let #local: u64 = #is;)
    });
    local.collect()
}

/// The type of the items computes nothing that is set in them.
fn may_set(emitter: &Emitter<'_>, parallel: &Parallel<'_>, number: &Expr) -> Option<TokenStream> {
    let (rt, ty) = (&emitter.rt, emitter.model.entry_type(parallel)?);
    let first = crate::emit::member_names(&number.part()?.1).into_iter().next()?;
    Some(quote!(const { #rt::ops::may_set(<#ty as #rt::Wire<'_>>::WIRE, #first) };))
}

/// The local with how many bytes each value has before it is encoded.
fn decoded_of(field: &Field<'_>) -> Ident {
    mark(field, "decoded_of_each")
}

/// Whether what is set in items asks how many bytes each value has before it is encoded.
fn asks_decoded(element: &Field<'_>) -> bool {
    let measures = element.item_setters().iter().flat_map(|(_, value)| value.measures());
    measures.into_iter().any(|(measure, _)| measure == Measure::Decoded)
}

/// Space for how many bytes each value has before it is encoded.
pub(super) fn decoded(emitter: &Emitter<'_>, field: &Field<'_>) -> Option<TokenStream> {
    let (rt, name, decoded) = (&emitter.rt, local(&field.name), decoded_of(field));
    (field.parallel.is_some() && asks_decoded(field.one()))
        .then(|| quote!(let mut #decoded = #rt::parallel::zeros(#name.len());))
}

/// Keeps how many bytes the value that has just been written has before it is encoded.
pub(super) fn keep_decoded(field: &Field<'_>, element: &Field<'_>) -> Option<TokenStream> {
    let decoded = decoded_of(field);
    asks_decoded(element).then(|| {
        quote!(if let __rt::Some(__decoded) = #decoded.get_mut(__index) {
            *__decoded = __out.decoded_len();
        })
    })
}
