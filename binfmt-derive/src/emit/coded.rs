//! Values in coded bytes whose codec says where these end.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::Type;

use super::Emitter;
use crate::model::encoded;

impl Emitter<'_> {
    /// The type that is walked for a value of a type, and what of it is the value: coded bytes that end
    /// by themselves are walked as such.
    pub(super) fn walked(&self, ty: &Type, ends: bool) -> (TokenStream, TokenStream) {
        let rt = &self.rt;
        match encoded(ty).filter(|_| ends) {
            Some((codec, inner)) => (quote!(#rt::encoded::Ending<#codec, #inner>), quote!(.0)),
            None => (ty.to_token_stream(), TokenStream::new()),
        }
    }

    /// Writes `__value`, which is given what is `__passed`.
    pub(super) fn emitted(&self, ends: bool) -> TokenStream {
        let rt = &self.rt;
        if ends {
            quote!(#rt::encoded::emit_ending(__value, __out, __passed)?;)
        } else {
            quote!(#rt::Wire::emit(__value, __out, __passed)?;)
        }
    }
}
