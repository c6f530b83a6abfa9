//! Bytes and texts: what ends them, what is cut off them, how long they are.

use proc_macro2::TokenStream;
use quote::quote;

use super::write::widths_in_units;
use super::{Emitter, Site, terminator};
use crate::attr::{Order, TerminatorRole};
use crate::model::{Cut, Field, Kind};
use crate::steps::{Bytes, Stop};

/// Reads bytes or a text out of `raw`, the bytes that its size tells.
pub(super) fn read(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    bytes: &Bytes<'_>,
    raw: &TokenStream,
) -> TokenStream {
    let (rt, inner, order) = (&emitter.rt, field.inner, emitter.order(field));
    let raw = match (bytes.stop, field.kind) {
        (Some(Stop::Nul), Kind::Utf16) => quote!(#rt::strings::until_wide_nul(__cur, __obs)?),
        (Some(Stop::Nul), _) => quote!(#rt::strings::until_nul(__cur, __obs)?),
        (Some(Stop::Terminator(terminator)), _)
            if terminator.role == TerminatorRole::PeekedLast =>
        {
            let bytes = terminator::bytes(emitter, field);
            quote!(#rt::terminator::until_last(__cur, __obs, #bytes)?)
        }
        (Some(Stop::Terminator(terminator)), _) => {
            let bytes = terminator::bytes(emitter, field);
            let kept = terminator.role == TerminatorRole::Kept;
            if field.is_bytes_or_end() {
                quote!(#rt::terminator::until_or_end(__cur, #bytes, #kept))
            } else {
                quote!(#rt::terminator::until(__cur, __obs, #bytes, #kept)?)
            }
        }
        (None, _) => raw.clone(),
    };
    let fill = fill(field);
    let value = match (field.kind, fill) {
        (Kind::Bytes { .. }, _) if bytes.cut == Some(Cut::Nul) => {
            quote!({ let __bytes = #raw; #rt::strings::before_nul(__cur, __obs, __bytes) })
        }
        (Kind::Text { .. }, _) if bytes.cut == Some(Cut::Nul) => {
            quote!({ let __bytes = #raw; #rt::strings::text_before_nul(__cur, __obs, __bytes)? })
        }
        (_, _) if bytes.cut == Some(Cut::Nul) => {
            quote!({ let __bytes = #raw; #rt::Utf16::read_before_nul(__cur, __obs, __bytes, #order)? })
        }
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
            quote!(#rt::strings::owned::<#inner, _, __O>(#value, __obs))
        }
        _ => value,
    }
}

/// Whether nothing is cut off the bytes of a field.
pub(super) fn is_whole(field: &Field<'_>) -> bool {
    fill(field).is_none()
}

/// Writes `__value`, bytes or a text.
pub(super) fn write(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let (rt, order) = (&emitter.rt, emitter.order(field));
    let bytes = match field.kind {
        Kind::Text { .. } => quote!(__value.as_bytes()),
        _ => quote!(&__value[..]),
    };
    let wide = matches!(field.kind, Kind::Utf16);
    let terminator = terminator::check(emitter, field, &bytes);
    let no_nul = field.ends_at_nul() || field.cut() == Some(Cut::Nul);
    let check = no_nul.then(|| {
        if wide {
            quote!(__value.no_nul(__out)?;)
        } else {
            quote!(#rt::strings::no_nul(__out, #bytes)?;)
        }
    });
    let (Some(fill), Some(len)) = (fill(field), &field.words.len) else {
        let put =
            if wide { quote!(__value.put(__out, #order)?;) } else { quote!(__out.put(#bytes)?;) };
        return quote!(#check #terminator #put);
    };
    let call = emitter.size("len", &len.value, Site::Write);
    let put = if wide {
        quote!(__value.put_filled(__out, #order, __size, #fill)?;)
    } else {
        quote!(#rt::strings::filled(__out, #bytes, __size, #fill)?;)
    };
    quote!({ #check let __size = #rt::write::size(__out, "len", #call)?; #put })
}

/// The encoded length of `__value`, bytes or a text, with the fill that is cut when it is read.
pub(super) fn len(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let len = match field.kind {
        Kind::Utf16 => quote!(__value.encoded_len()),
        _ => quote!(#rt::ops::wide(__value.len())),
    };
    let (Some(_), Some(width)) = (field.cut(), &field.words.len) else { return len };
    let call = emitter.size("len", &width.value, Site::Write);
    let width = quote!(#rt::strings::width(#len, #call));
    match widths_in_units(emitter, field) {
        Some(sizes) => quote!(#rt::write::padded(#width, 1, __rt::None, #sizes)),
        None => width,
    }
}

/// The fill of a fixed width, as a literal.
fn fill(field: &Field<'_>) -> Option<proc_macro2::Literal> {
    let fill = match field.cut()? {
        Cut::Fill(fill) => fill,
        Cut::Nul => 0,
    };
    Some(proc_macro2::Literal::u16_unsuffixed(fill))
}

/// How many bytes the NUL or the terminator behind a string has.
pub(super) fn nul_size(field: &Field<'_>) -> usize {
    match (field.has_nul(), field.kind, field.terminator()) {
        (true, Kind::Utf16, _) => 2,
        (true, ..) => 1,
        (_, _, Some(terminator)) if terminator.role == TerminatorRole::Follows => {
            field.terminator_bytes(Order::Little).len()
        }
        _ => 0,
    }
}
