//! Checksums of the values of fields with `for_each`, which the items of the table keep.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Ident;

use super::item_numbers::names;
use super::parallel::stored;
use super::plan::{Plan, mark};
use super::slots::slots_with;
use crate::emit::local;
use crate::emit::walk::place_of;
use crate::model::{Field, Parallel};

/// The local with the places of the values of a field of the sequence.
pub(super) fn places_of(field: &Field<'_>) -> Ident {
    mark(field, "places")
}

/// The checksums of all values of a field, once these are written.
pub(super) fn computed(
    plan: &Plan<'_, '_>,
    index: usize,
    field: &Field<'_>,
    parallel: &Parallel<'_>,
) -> Option<TokenStream> {
    let (rt, sum) = (&plan.emitter.rt, parallel.sum.as_ref()?);
    let (digest, name, sums) = (&sum.digest, local(&field.name), mark(field, "sums"));
    let computed = if field.is_located() {
        let (slots, first) = slots_with(plan, index, field);
        quote!(#rt::parallel::slot_sums::<#digest>(__out, &#slots, #first, #name.len())?)
    } else {
        let places = places_of(field);
        quote!(#rt::parallel::sums::<#digest>(__out, &#places)?)
    };
    Some(quote!(let #sums = #computed;))
}

/// Puts the checksum of one value into its entry.
pub(super) fn put(
    plan: &Plan<'_, '_>,
    field: &Field<'_>,
    parallel: &Parallel<'_>,
) -> Option<TokenStream> {
    let (rt, sum) = (&plan.emitter.rt, parallel.sum.as_ref()?);
    let sums = mark(field, "sums");
    let (place, names) =
        (place_of(&sum.number, &stored(parallel, quote!((*__entry)))), names(field, &sum.number));
    let (span, digest) = (Span::call_site().located_at(sum.number.ends().1), &sum.digest);
    let place = quote_spanned!(span=> #rt::parallel::keeper::<<#digest as #rt::Digest>::Sum, _>(&mut #place));
    let put = quote! {
        if let __rt::Some(__sum) = #sums.get(__index) {
            let __place = #place;
            #rt::parallel::put_sum(__out, __at, (__place, #names), *__sum)?;
        }
    };
    // An item without a value keeps what it says.
    Some(if parallel.element.is_optional() { quote!(if __one.is_some() { #put }) } else { put })
}
