//! Checksums: compared by a validator.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Emitter, local};
use crate::model::checksum::{all, over_file};
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
    for (index, sum) in over_file(emitter.model) {
        let Some(field) = emitter.model.fields().get(index) else { continue };
        let (digest, name, ty) = (&sum.digest, local(&field.name), stored(field));
        let place = emitter.field_in_path(index);
        let check = quote! {
            #rt::checksum::verify_file::<#digest, #ty, __O>(
                __obs,
                #rt::walk::Claim::of(Self::WIRE, #place, __spans.get(#index)),
                __cur.file(),
                __stored,
            );
        };
        checks.extend(if field.is_optional() {
            quote!(if let ::core::option::Option::Some(__stored) = #name { #check })
        } else {
            quote!({ let __stored = #name; #check })
        });
    }
    for sum in all(emitter.model) {
        let Some(field) = emitter.model.fields().get(sum.field) else { continue };
        let (digest, index) = (&sum.checksum.digest, sum.field);
        let from = sum.first.map_or(quote!(__start), |first| quote!(__spans.get(#first).0));
        let to = sum.last.map_or(quote!(__value_end), |last| quote!(__spans.get(#last).1));
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
                (#from, #to),
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
