//! What an observer is told of a value.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::{Field, Kind, is_byte};

/// Tells the observer that a field has been read.
pub(super) fn leave(rt: &TokenStream, field: &Field<'_>) -> TokenStream {
    let bytes = match field.kind {
        Kind::Bytes { .. } => true,
        Kind::Array(item) => is_byte(item),
        _ => false,
    };
    if bytes && field.words.with.is_none() && field.words.map.is_none() {
        return quote!(__obs.leave_bytes(__end, &__value););
    }
    let shown = shown(rt, field);
    quote!(if __O::RECORD { __obs.leave(__end, &#shown); })
}

/// What an inspector shows of `__value`.
pub(super) fn shown(rt: &TokenStream, field: &Field<'_>) -> TokenStream {
    if field.words.with.is_some() || field.words.map.is_some() {
        return quote!(#rt::Value::Bytes(__cur.range(__at, __end)));
    }
    match field.kind {
        Kind::Bytes { .. } => quote!(#rt::Value::Bytes(&__value)),
        Kind::Array(item) if is_byte(item) => quote!(#rt::Value::Bytes(&__value)),
        Kind::Text { .. } => quote!(#rt::Value::Str(&__value)),
        Kind::Utf16 => quote!(#rt::Value::Utf16(__value)),
        Kind::Seq(_) => quote!(__value.value()),
        Kind::Vec(_) => {
            quote!(#rt::Value::Items(::core::option::Option::Some(#rt::ops::wide(__value.len()))))
        }
        Kind::Auto(_, ty) => quote!(<#ty as #rt::Wire<'_>>::value(&__value)),
        _ => {
            let ty = field.inner;
            quote!(<#ty as #rt::Wire<'_>>::value(&__value))
        }
    }
}
