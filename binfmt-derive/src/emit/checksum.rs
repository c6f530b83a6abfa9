//! Checksums: compared by a validator.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::Ident;

use super::{Emitter, local};
use crate::checksum::{Sum, all};
use crate::model::{Field, Kind};

/// The type in which a checksum is stored.
fn stored<'m>(field: &Field<'m>) -> &'m syn::Type {
    match field.kind {
        Kind::Auto(_, ty) => ty,
        _ => field.inner,
    }
}

/// Where a field lies without the padding around it. What is known of a located field besides is
/// the place that it takes, padding included.
fn own_span(emitter: &Emitter<'_>, index: usize) -> TokenStream {
    match own_local(emitter, index) {
        Some(own) => own.to_token_stream(),
        None => quote!(__spans.get(#index)),
    }
}

/// The local with the bytes of a located field that a checksum names.
pub(super) fn own_local(emitter: &Emitter<'_>, index: usize) -> Option<Ident> {
    emitter.lowered.place(index)?;
    let names = |sum: &Sum<'_>| {
        sum.covers.is_some_and(|(first, last)| first == index || last == index)
            || sum.zero.contains(&index)
    };
    all(emitter.model).iter().any(names).then(|| format_ident!("__own_{index}"))
}

/// The locals of [`own_local`], before anything is read: what is absent covers nothing.
pub(super) fn own_locals(emitter: &Emitter<'_>) -> TokenStream {
    let fields = 0..emitter.model.fields().len();
    let locals = fields.filter_map(|index| own_local(emitter, index));
    locals.map(|own| quote!(let mut #own = (0_usize, 0_usize);)).collect()
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
            Some((first, last)) => {
                let (first, last) = (own_span(emitter, first), own_span(emitter, last));
                quote!((#first.0, #last.1))
            }
        };
        let zeros = sum.zero.iter().map(|zero| own_span(emitter, *zero));
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
