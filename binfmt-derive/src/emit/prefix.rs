//! The length or count that stands right before a field.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::Emitter;
use crate::model::Field;

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
        quote!(#rt::walk::Claim {
            field: #index, span: (__at, __cur.pos()), exact: true, ..__entry.item.claim
        })
    } else {
        quote!(#rt::walk::Claim::of(Self::__WIRE, #index, (__at, __cur.pos())))
    };
    quote! {
        let __prefix = #rt::walk::prefix::<#ty, __O>(__cur, __obs, #order)?;
        let __claim = #claim;
        let __from = __cur.pos();
    }
}
