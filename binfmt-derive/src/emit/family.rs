//! The type with another lifetime, for code that is generic over the files it reads.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, GenericParam, Lifetime};

/// The family of a type: none with type parameters, which may have lifetimes of their own.
pub(crate) fn family(input: &DeriveInput, rt: &TokenStream) -> Option<TokenStream> {
    if input.generics.type_params().next().is_some() {
        return None;
    }
    let at = Lifetime::new("'__at", proc_macro2::Span::call_site());
    let name = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let arguments: Vec<TokenStream> = input
        .generics
        .params
        .iter()
        .map(|param| match param {
            GenericParam::Const(param) => {
                let name = &param.ident;
                quote!(#name)
            }
            _ => quote!(#at),
        })
        .collect();
    Some(quote! {
        #[automatically_derived]
        impl #impl_generics #rt::Family for #name #ty_generics #where_clause {
            type At<#at> = #name<#(#arguments),*>;
        }
    })
}
