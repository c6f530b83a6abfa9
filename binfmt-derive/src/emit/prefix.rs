//! The length or count that stands right before a field.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::{Emitter, Site, strings};
use crate::model::{Field, Kind, type_argument};

/// The number in a type of variable length, or the type itself.
pub(crate) fn number_type(stored: &Type) -> &Type {
    let Type::Path(path) = stored else { return stored };
    path.path.segments.last().and_then(|last| type_argument(&last.arguments)).unwrap_or(stored)
}

/// Reads the prefix into `__prefix`, and gives it the claim that errors name.
pub(super) fn read(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    ty: &Type,
) -> TokenStream {
    let (rt, order) = (&emitter.rt, emitter.order(field));
    let index = emitter.field_in_path(index);
    let claim = if field.is_element {
        quote!(#rt::walk::Claim { span: (__at, __cur.pos()), ..__row.claim(Self::WIRE, #index) })
    } else {
        quote!(#rt::walk::Claim::of(Self::WIRE, #index, (__at, __cur.pos())))
    };
    quote! {
        let __prefix = #rt::walk::prefix::<#ty, __O>(__cur, __obs, #order)?;
        let __claim = #claim;
        let __from = __cur.pos();
    }
}

/// Writes the prefix of `__value`, and the value itself as `value` does.
pub(super) fn write(emitter: &Emitter<'_>, field: &Field<'_>, value: TokenStream) -> TokenStream {
    let Some(prefix) = &field.words.prefix else { return value };
    let (rt, ty) = (&emitter.rt, &prefix.value);
    let (number, order) = (number_type(ty), emitter.order(field));
    if matches!(field.kind, Kind::Nested) {
        let args = emitter.field_args(field, Site::Write);
        return quote! {
            let __passed = #args;
            #rt::write::sized::<#number, #ty, _>(__out, __value, __passed, #order)?;
        };
    }
    let size = size(emitter, field);
    quote! {
        #rt::write::prefix::<#number, #ty>(__out, #size, #order)?;
        #value
    }
}

/// How long the prefix of `__value` will be.
pub(super) fn len(emitter: &Emitter<'_>, field: &Field<'_>) -> Option<TokenStream> {
    let (rt, ty) = (&emitter.rt, &field.words.prefix.as_ref()?.value);
    let (number, order, size) = (number_type(ty), emitter.order(field), size(emitter, field));
    Some(quote! {
        __out.measure(|__out| #rt::write::prefix::<#number, #ty>(__out, #size, #order))?
    })
}

/// What the prefix of bytes, a text or a sequence tells of `__value`.
fn size(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let rt = &emitter.rt;
    match field.kind {
        Kind::Seq(_) => quote!(__value.walk_count()),
        Kind::Vec(_) => quote!(#rt::ops::wide(__value.len())),
        _ => strings::len(emitter, field),
    }
}
