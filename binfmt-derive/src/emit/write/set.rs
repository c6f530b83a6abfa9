//! `set`: what the writer puts into the fields of a nested value.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::emit::expr::Wanted;
use crate::emit::{Emitter, Site, local, text, unraw};

/// Copies every nested value of which fields are set, and sets them, unless sizes are only counted.
pub(super) fn set(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let mut all = TokenStream::new();
    for field in emitter.model.fields().iter().filter(|field| !field.setters().is_empty()) {
        let (name, shown) = (local(&field.name), text(&unraw(&field.name)));
        let copy = format_ident!("__set_{}", unraw(&field.name));
        let setters = field.setters().iter().map(|(member, expr)| {
            let function = emitter.function("set", expr, Wanted::Size);
            let call = emitter.call(&function, Site::Write);
            quote!(#copy.#member = #rt::write::convert(__out, #shown, #call)?;)
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
