//! Stub impls for a declaration with mistakes, so that nothing but those is reported.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, GenericParam, parse_quote};

use crate::errors::Errors;

/// The mistakes, and impls that satisfy whoever uses the type.
pub(crate) fn emit(input: &DeriveInput, errors: Errors) -> TokenStream {
    let mistakes = errors.into_result().err().map(|error| error.to_compile_error());
    let name = &input.ident;
    let mut generics = input.generics.clone();
    let lifetime = generics.lifetimes().next().map(|param| param.lifetime.clone());
    let lifetime = lifetime.unwrap_or_else(|| {
        generics.params.insert(0, GenericParam::Lifetime(parse_quote!('__bin)));
        parse_quote!('__bin)
    });
    let (impl_generics, _, _) = generics.split_for_impl();
    let (_, ty_generics, where_clause) = input.generics.split_for_impl();
    quote! {
        #mistakes

        #[automatically_derived]
        impl #impl_generics ::binfmt_runtime::Wire<#lifetime> for #name #ty_generics #where_clause {
            type Args = ();
            const WIRE: &'static ::binfmt_runtime::Layout = &::binfmt_runtime::Layout::scalar("");
            const MIN_SIZE: usize = 0;
            const FIXED: bool = false;
            fn walk<__O: ::binfmt_runtime::Observer>(
                _: &mut ::binfmt_runtime::Cursor<#lifetime>,
                _: &mut __O,
                _: (),
            ) -> ::core::result::Result<Self, ::binfmt_runtime::Fault> {
                ::core::unreachable!()
            }
            fn emit<__B: ::binfmt_runtime::Backend>(
                &self,
                _: &mut ::binfmt_runtime::Writer<__B>,
                _: (),
            ) -> ::core::result::Result<(), ::binfmt_runtime::Fault> {
                ::core::unreachable!()
            }
        }

        #[automatically_derived]
        impl #impl_generics ::binfmt_runtime::BinFormat<#lifetime> for #name #ty_generics #where_clause {}

        #[automatically_derived]
        impl #impl_generics ::binfmt_runtime::DefaultArgs<#lifetime> for #name #ty_generics #where_clause {
            fn default_args() {}
        }
    }
}
