//! What the writer sets, and what is stored there, as numbers that are compared.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::expr::ToBeSet;
use crate::emit::{Emitter, Site};
use crate::expr::Expr;

/// Defines `__computed` and `__found`, of which each may be none, for the number at `place`.
pub(super) fn both(emitter: &Emitter<'_>, expr: &Expr, place: &TokenStream) -> TokenStream {
    let rt = &emitter.rt;
    let (call, what) = emitter.to_be_set(expr, Site::Walk);
    let number = quote!(::core::primitive::i128::from);
    let stored = quote!((&#rt::setter::Stored(&#place)));
    let computed = match what {
        ToBeSet::Number | ToBeSet::Truth => quote!(#call.map(#number)),
        ToBeSet::Tag => quote!(#stored.as_tag(#call)),
    };
    let found = match what {
        ToBeSet::Number | ToBeSet::Tag => quote!(#stored.number(__computed)),
        ToBeSet::Truth => quote!(__rt::Some(#number(#place))),
    };
    quote! {
        let (__computed, __found) = {
            use #rt::setter::{AnyStored as _, NumberStored as _};
            let __computed = #computed;
            (__computed, #found)
        };
    }
}
