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
        if field.is_element {
            return quote!(#rt::parallel::leave(__obs, __cur, &#rt::Value::Bytes(&__value)););
        }
        return quote!(__obs.leave_bytes(__cur.pos(), &__value););
    }
    let rendered = match field.kind {
        _ if field.words.with.is_some() || field.words.map.is_some() => {
            quote!(#rt::Value::Bytes(__cur.range(__at, __cur.pos())))
        }
        Kind::Text { .. } => quote!(#rt::Value::Str(&__value)),
        Kind::Utf16 => quote!(#rt::Value::Utf16(__value)),
        Kind::Seq(_) => quote!(__value.value()),
        Kind::Vec(_) => quote!(#rt::Value::Items(__rt::Some(#rt::ops::wide(__value.len())))),
        _ if field.is_element => quote!(#rt::Wire::value(&__value)),
        _ => return quote!(#rt::place::leave(__cur, __obs, &__value);),
    };
    if field.is_element {
        return quote!(if __O::RECORD { #rt::parallel::leave(__obs, __cur, &#rendered); });
    }
    quote!(if __O::RECORD { __obs.leave(__cur.pos(), &#rendered); })
}
