//! Checksums: compared by a validator.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::{Emitter, local, text, unraw};
use crate::attr::Checksum;
use crate::model::checksum::{Sum, all, over_decoded, over_file};
use crate::model::{Field, Kind};

/// The type in which a checksum is stored.
pub(super) fn stored<'m>(field: &Field<'m>) -> &'m syn::Type {
    match field.kind {
        Kind::Auto(_, ty) => ty,
        _ => field.inner,
    }
}

/// How the field keeps the checksum.
pub(super) fn kept(emitter: &Emitter<'_>, sum: &Checksum, field: &Field<'_>) -> TokenStream {
    let (rt, digest, ty) = (&emitter.rt, &sum.digest, stored(field));
    quote!(#rt::checksum::kept::<#digest, _, #ty>())
}

/// The local with a checksum over decoded bytes, once these are known.
pub(super) fn of_decoded(field: &Field<'_>) -> Ident {
    format_ident!("__digest_{}", unraw(&field.name))
}

/// The locals of all of these.
pub(super) fn locals(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let sums = all(emitter.model).into_iter().filter(|sum| sum.decoded.is_some());
    let local = |sum: Sum<'_>| {
        let (digest, field) = (&sum.checksum.digest, emitter.model.fields().get(sum.field)?);
        let computed = of_decoded(field);
        Some(quote!(let mut #computed = __rt::Option::<<#digest as #rt::Digest>::Sum>::None;))
    };
    sums.filter_map(local).collect()
}

/// What stands around a value in coded bytes that checksums cover decoded: whoever reads or writes
/// it keeps the decoded bytes, and these are summed.
pub(super) fn around_decoded(
    emitter: &Emitter<'_>,
    index: usize,
    keeper: &TokenStream,
) -> Option<(TokenStream, TokenStream)> {
    let sums = over_decoded(emitter.model, index);
    let rt = &emitter.rt;
    let summed = sums.iter().filter_map(|sum| {
        let (digest, field) = (&sum.checksum.digest, emitter.model.fields().get(sum.field)?);
        let computed = of_decoded(field);
        Some(quote!(#computed = __rt::Some(#rt::checksum::of_all::<#digest>(&__decoded));))
    });
    let behind = quote!(let __decoded = #keeper.take_decoded(); #(#summed)*);
    (!sums.is_empty()).then(|| (quote!(#keeper.keep_decoded();), behind))
}

/// Compares every checksum with the bytes that it covers, for a validator alone.
pub(super) fn verify(emitter: &Emitter<'_>) -> TokenStream {
    let model = emitter.model;
    let of_file = over_file(model).filter_map(|(index, sum)| {
        let field = model.fields().get(index)?;
        Some((field, verify_file(emitter, index, field, sum)))
    });
    let others = all(model).into_iter().filter_map(|sum| {
        let field = model.fields().get(sum.field)?;
        Some((field, verify_one(emitter, &sum, field)))
    });
    let checks = of_file.chain(others).map(|(field, check)| {
        let name = local(&field.name);
        if field.is_optional() {
            quote!(if let __rt::Some(__stored) = #name { #check })
        } else {
            quote!({ let __stored = #name; #check })
        }
    });
    let checks: TokenStream = checks.collect();
    if checks.is_empty() {
        checks
    } else {
        quote!(if __O::RECORD && __obs.walks_items() { #checks })
    }
}

/// Compares a checksum over the file.
fn verify_file(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    sum: &Checksum,
) -> TokenStream {
    let (rt, digest, kept) = (&emitter.rt, &sum.digest, kept(emitter, sum, field));
    let (place, stored) = (emitter.field_in_path(index), quote!(#kept.0(__stored)));
    quote! {
        #rt::checksum::verify_file::<#digest, _, __O>(
            __obs,
            #rt::walk::Claim::of(Self::__WIRE, #place, __spans.get(#index)),
            __cur.file(),
            #stored,
        );
    }
}

/// Compares a checksum over fields of the value, or over what one of them decodes to.
fn verify_one(emitter: &Emitter<'_>, sum: &Sum<'_>, field: &Field<'_>) -> TokenStream {
    let (rt, digest, index) = (&emitter.rt, &sum.checksum.digest, sum.field);
    let (kept, place) = (kept(emitter, sum.checksum, field), emitter.field_in_path(index));
    let stored = quote!(#kept.0(__stored));
    let claim = quote!(#rt::walk::Claim::of(Self::__WIRE, #place, __spans.get(#index)));
    if let Some(of) = sum.decoded.and_then(|of| emitter.model.fields().get(of)) {
        let (computed, of) = (of_decoded(field), text(&unraw(&of.name)));
        return quote! {
            #rt::checksum::verify_decoded::<#digest, _, __O>(
                __obs, #claim, #of, #computed, #stored,
            );
        };
    }
    let from = sum.first.map_or(quote!(__start), |first| quote!(__spans.get(#first).0));
    let to = sum.last.map_or(quote!(__value_end), |last| quote!(__spans.get(#last).1));
    let zeros = sum.zero.iter().map(|zero| quote!(__spans.get(#zero)));
    let except = sum.except.iter().map(|except| quote!(__spans.get(#except)));
    quote! {
        #rt::checksum::verify::<#digest, _, __O>(
            __obs,
            #claim,
            __cur.file(),
            (#from, #to),
            (&[#(#zeros),*], &[#(#except),*]),
            #stored,
        );
    }
}
