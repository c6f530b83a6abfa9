//! Checksums: compared by a validator, computed by a writer in a pass before the real one.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Emitter, local, text, unraw};
use crate::checksum::{Sum, all, in_order};
use crate::errors::Errors;
use crate::model::{Field, Kind};

/// The type in which a checksum is stored.
fn stored<'m>(field: &Field<'m>) -> &'m syn::Type {
    match field.kind {
        Kind::Auto(_, ty) => ty,
        _ => field.inner,
    }
}

/// Compares every checksum with the bytes that it covers, for a validator alone.
pub(super) fn verify(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let mut checks = TokenStream::new();
    for sum in all(emitter.model) {
        let Some(field) = emitter.model.fields().get(sum.field) else { continue };
        let (digest, index) = (&sum.checksum.digest, sum.field);
        let range = match sum.covers {
            None => quote!((__start, __value_end)),
            Some((first, last)) => quote!((__spans.get(#first).0, __spans.get(#last).1)),
        };
        let zeros = sum.zero.iter().map(|zero| quote!(__spans.get(#zero)));
        let (name, ty) = (local(&field.name), stored(field));
        let place = if emitter.model.is_transparent() {
            quote!(::core::primitive::usize::MAX)
        } else {
            quote!(#index)
        };
        let check = quote! {
            #rt::checksum::verify::<#digest, #ty, __O>(
                __obs,
                #rt::walk::Claim::of(Self::WIRE, #place, __spans.get(#index)),
                __cur.file(),
                #range,
                &[#(#zeros),*],
                __stored,
            );
        };
        checks.extend(if field.is_optional() {
            quote!(if let ::core::option::Option::Some(__stored) = #name { #check })
        } else {
            quote!({ let __stored = #name; #check })
        });
    }
    if checks.is_empty() {
        checks
    } else {
        quote!(if __O::RECORD && __obs.walks_items() { #checks })
    }
}

/// Computes the checksums, each behind those that it covers.
pub(super) fn compute(emitter: &Emitter<'_>) -> TokenStream {
    let (rt, model) = (&emitter.rt, emitter.model);
    let mut all = TokenStream::new();
    // A circle has been reported already.
    for sum in in_order(&mut Errors::default(), model) {
        let Some(field) = model.fields().get(sum.field) else { continue };
        let (digest, bit, ty) = (&sum.checksum.digest, sum.bit, stored(field));
        let needed = crate::checksum::all(model)
            .iter()
            .filter(|other| sum.needs(model, other))
            .fold(0, |mask, other| mask | mask_of(other));
        let (name, shown) = (local(&field.name), text(&unraw(&field.name)));
        let computed = quote! {
            if __out.counts() || !__out.sums(#bit) {
                <#ty as #rt::checksum::Sum>::ZERO
            } else {
                let __here = ::core::mem::replace(&mut __out.origin, __origin);
                let __sum = #rt::checksum::compute::<#digest, #ty>(
                    __out, #shown, #bit, #needed,
                    |__out| #rt::Wire::emit(self, __out, __args),
                );
                __out.origin = __here;
                __sum?
            }
        };
        // Scalars are bound by value, all else by reference.
        all.extend(match (field.is_optional(), field.kind) {
            (true, _) => quote! {
                let __sum: #ty = if #name.is_some() { #computed } else { <#ty as #rt::checksum::Sum>::ZERO };
                let #name = &#name.as_ref().map(|_| __sum);
            },
            (false, Kind::Array(_)) => quote! { let __sum: #ty = #computed; let #name = &__sum; },
            (false, _) => quote!(let #name: #ty = #computed;),
        });
    }
    all
}

fn mask_of(sum: &Sum<'_>) -> u32 {
    1_u32.checked_shl(sum.bit).unwrap_or(0)
}

/// What the writer tells around the bytes of a field: which checksums begin and end to cover
/// them, and for which they count as zero.
pub(super) fn around(emitter: &Emitter<'_>, field: &Field<'_>) -> (TokenStream, TokenStream) {
    let Some((index, _)) = emitter.model.field(&field.name) else { return Default::default() };
    let (mut begin, mut end, mut zero) = (0, 0, 0);
    for sum in all(emitter.model) {
        let bit = mask_of(&sum);
        if let Some((first, last)) = sum.covers {
            begin |= if first == index { bit } else { 0 };
            end |= if last == index { bit } else { 0 };
        }
        zero |= if sum.zero.contains(&index) { bit } else { 0 };
    }
    let cover = |mask: u32, on: bool| (mask != 0).then(|| quote!(__out.cover(#mask, #on);));
    let blank = |on: bool| (zero != 0).then(|| quote!(__out.blank(#zero, #on);));
    let (begin, end) = (cover(begin, true), cover(end, false));
    let (blank_on, blank_off) = (blank(true), blank(false));
    (quote!(#begin #blank_on), quote!(#blank_off #end))
}

/// The same around the whole value.
pub(super) fn around_all(emitter: &Emitter<'_>) -> (TokenStream, TokenStream) {
    let whole = all(emitter.model).into_iter().filter(|sum| sum.covers.is_none());
    let mask = whole.fold(0, |mask, sum| mask | mask_of(&sum));
    if mask == 0 {
        return Default::default();
    }
    (quote!(__out.cover(#mask, true);), quote!(__out.cover(#mask, false);))
}
