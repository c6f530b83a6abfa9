//! Bytes and texts: what ends them, what is cut off them, how long they are.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Emitter, Site};
use crate::model::{Field, Kind};
use crate::steps::Bytes;

/// Reads bytes or a text out of `raw`, the bytes that its size tells.
pub(super) fn read(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    bytes: &Bytes<'_>,
    raw: &TokenStream,
) -> TokenStream {
    let (rt, inner, order) = (&emitter.rt, field.inner, emitter.order(field));
    let raw = match (bytes.until_nul, field.kind) {
        (true, Kind::Utf16) => quote!(#rt::strings::until_wide_nul(__cur, __obs)?),
        (true, _) => quote!(#rt::strings::until_nul(__cur, __obs)?),
        (false, _) => raw.clone(),
    };
    let fill = bytes.trim.map(proc_macro2::Literal::u16_unsuffixed);
    let value = match (field.kind, fill) {
        (Kind::Bytes { .. }, None) => raw,
        (Kind::Bytes { .. }, Some(fill)) => quote!(#rt::strings::cut(#raw, #fill)),
        (Kind::Text { .. }, None) => {
            quote!({ let __bytes = #raw; #rt::walk::text(__cur, __obs, __bytes)? })
        }
        (Kind::Text { .. }, Some(fill)) => {
            quote!({ let __bytes = #raw; #rt::strings::cut_text(__cur, __obs, __bytes, #fill)? })
        }
        (_, fill) => {
            let fill = fill.map_or_else(|| quote!(__rt::None), |fill| quote!(__rt::Some(#fill)));
            quote!({ let __bytes = #raw; #rt::Utf16::read(__cur, __obs, __bytes, #order, #fill)? })
        }
    };
    match field.kind {
        Kind::Bytes { owned: true } | Kind::Text { owned: true } => {
            quote!(<#inner as ::core::convert::From<_>>::from(#value))
        }
        _ => value,
    }
}

/// Writes `__value`, bytes or a text.
pub(super) fn write(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let (rt, order) = (&emitter.rt, emitter.order(field));
    let bytes = match field.kind {
        Kind::Text { .. } => quote!(__value.as_bytes()),
        _ => quote!(&__value[..]),
    };
    let wide = matches!(field.kind, Kind::Utf16);
    let check = field.ends_at_nul().then(|| {
        if wide {
            quote!(__value.no_nul(__out)?;)
        } else {
            quote!(#rt::strings::no_nul(__out, #bytes)?;)
        }
    });
    let (Some(fill), Some(len)) = (fill(field), &field.words.len) else {
        let put =
            if wide { quote!(__value.put(__out, #order)?;) } else { quote!(__out.put(#bytes)?;) };
        return quote!(#check #put);
    };
    let call = emitter.size("len", &len.value, Site::Write);
    let put = if wide {
        quote!(__value.put_filled(__out, #order, __size, #fill)?;)
    } else {
        quote!(#rt::strings::filled(__out, #bytes, __size, #fill)?;)
    };
    quote!({ let __size = #rt::write::size(__out, "len", #call)?; #put })
}

/// The encoded length of `__value`, bytes or a text, with the fill that is cut when it is read.
pub(super) fn len(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let len = match field.kind {
        Kind::Utf16 => quote!(__value.encoded_len()),
        _ => quote!(#rt::ops::wide(__value.len())),
    };
    let (Some(_), Some(width)) = (&field.words.trim, &field.words.len) else { return len };
    let call = emitter.size("len", &width.value, Site::Write);
    quote!(#rt::strings::width(#len, #call))
}

/// The fill that is cut off the end, as a literal.
fn fill(field: &Field<'_>) -> Option<proc_macro2::Literal> {
    let fill: u16 = field.words.trim.as_ref()?.value.base10_parse().ok()?;
    Some(proc_macro2::Literal::u16_unsuffixed(fill))
}

/// How many bytes the NUL behind a string has.
pub(super) fn nul_size(field: &Field<'_>) -> usize {
    match (&field.words.nul, field.kind) {
        (None, _) => 0,
        (Some(_), Kind::Utf16) => 2,
        (Some(_), _) => 1,
    }
}
