//! `set`: what the writer puts into the fields of a nested value.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Ident, LitStr};

use crate::emit::expr::Wanted;
use crate::emit::{Emitter, Site, local, text, unraw};

/// Copies every nested value of which fields are set, and sets them, unless sizes are only counted.
pub(super) fn set(emitter: &Emitter<'_>) -> TokenStream {
    let mut all = TokenStream::new();
    for field in emitter.model.fields().iter().filter(|field| !field.setters().is_empty()) {
        let (name, shown) = (local(&field.name), text(&unraw(&field.name)));
        let copy = format_ident!("__set_{}", unraw(&field.name));
        let setters = field.setters().iter().map(|(member, expr)| {
            let function = emitter.function("set", expr, Wanted::Size);
            let call = emitter.call(&function, Site::Write);
            put(emitter, &shown, &quote!(#copy.#member), &call, member.span())
        });
        let (ty, setters) = (field.ty, quote!(#(#setters)*));
        all.extend(quote! {
            let mut #copy = <#ty as ::core::clone::Clone>::clone(#name);
            if !__out.counts() { #setters }
            let #name = &#copy;
        });
    }
    all
}

/// Sets the number at `place`; what cannot be set is told at `span`, where it is named.
pub(super) fn put(
    emitter: &Emitter<'_>,
    shown: &LitStr,
    place: &TokenStream,
    value: &TokenStream,
    span: Span,
) -> TokenStream {
    let rt = &emitter.rt;
    let at = Ident::new("__place", span.resolved_at(Span::call_site()));
    quote! {{
        let __number: ::core::option::Option<::core::primitive::u64> = #value;
        let #at = &mut #place;
        #rt::setter::set(__out, #shown, #at, __number)?;
    }}
}
