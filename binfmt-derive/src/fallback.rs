//! Stub impls for a declaration with mistakes, so that nothing but those is reported.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::{Data, DeriveInput, GenericParam, parse_quote};

use crate::attr::{self, Args, Place, Word};
use crate::emit::{args_pattern, text, unraw};
use crate::errors::Errors;

/// The mistakes, and impls that satisfy whoever uses the type.
pub(crate) fn emit(input: &DeriveInput, errors: Errors) -> TokenStream {
    // Mistakes in these words have been told already.
    let words = attr::read(&mut Errors::default(), Place::Type, &input.attrs);
    let runtime = words.krate.as_ref().map(|word| word.value.to_token_stream());
    let rt = runtime.unwrap_or_else(|| quote!(::binfmt_runtime));
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
    // Numbers and flags may stand in expressions of other declarations.
    let widen = matches!(&input.data, Data::Enum(_)).then(|| {
        quote! {
            #[automatically_derived]
            impl #impl_generics #rt::Named for #name #ty_generics #where_clause {
                type Number = u8;
                fn of_number(_: u8) -> ::core::option::Option<Self> {
                    ::core::unreachable!()
                }
                fn number(&self) -> u8 {
                    ::core::unreachable!()
                }
                fn name(&self) -> ::core::option::Option<&'static str> {
                    ::core::unreachable!()
                }
            }

            #[automatically_derived]
            impl #impl_generics #rt::ops::Widen for &#name #ty_generics #where_clause {
                type Wide = u64;
                fn widen(self) -> u64 {
                    ::core::unreachable!()
                }
            }
        }
    });
    let parameters = match &words.args {
        Some(Word { value: Args::Declared(parameters), .. }) => parameters.as_slice(),
        _ => &[],
    };
    let args = args_pattern(parameters.iter().map(|parameter| &parameter.ty));
    let names = parameters.iter().map(|parameter| text(&unraw(&parameter.name)));
    let default_args = parameters.iter().all(|parameter| parameter.default.is_some()).then(|| {
        quote! {
            #[automatically_derived]
            impl #impl_generics #rt::DefaultArgs<#lifetime> for #name #ty_generics #where_clause {
                fn default_args() -> Self::Args {
                    ::core::unreachable!()
                }
            }
        }
    });
    let tables = flat(input, &rt, &lifetime, &generics);
    let tagged = matches!(&input.data, Data::Enum(_)).then(|| {
        quote! {
            #[automatically_derived]
            impl #impl_generics #rt::Tagged for #name #ty_generics #where_clause {
                fn tag(&self) -> u64 {
                    ::core::unreachable!()
                }
            }
        }
    });
    quote! {
        #mistakes

        #[automatically_derived]
        impl #impl_generics #rt::Wire<#lifetime> for #name #ty_generics #where_clause {
            type Args = #args;
            const WIRE: &'static #rt::Layout = &#rt::Layout::scalar("");
            const MIN_SIZE: usize = 0;
            const FIXED: bool = false;
            const PARAMETERS: &'static [&'static str] = &[#(#names),*];
            fn walk<__O: #rt::Observer>(
                _: &mut #rt::Cursor<#lifetime>,
                _: &mut __O,
                _: Self::Args,
            ) -> ::core::result::Result<Self, #rt::Fault> {
                ::core::unreachable!()
            }
            fn emit(
                &self,
                _: &mut #rt::Writer<'_>,
                _: Self::Args,
            ) -> ::core::result::Result<(), #rt::Fault> {
                ::core::unreachable!()
            }
        }

        #[automatically_derived]
        impl #impl_generics #rt::BinFormat<#lifetime> for #name #ty_generics #where_clause {}

        #default_args
        #widen
        #tables
        #tagged
    }
}

/// What other tables use of a table, a union or a struct.
fn flat(
    input: &DeriveInput,
    rt: &TokenStream,
    lifetime: &syn::Lifetime,
    generics: &syn::Generics,
) -> Option<TokenStream> {
    let word = |attr: &syn::Attribute| {
        attr.meta.require_list().is_ok_and(|list| list.tokens.to_string().contains("flatbuffer"))
    };
    if !input.attrs.iter().any(word) {
        return None;
    }
    let name = &input.ident;
    let (impl_generics, _, _) = generics.split_for_impl();
    let (_, ty_generics, where_clause) = input.generics.split_for_impl();
    Some(quote! {
        #[automatically_derived]
        impl #impl_generics #rt::FlatValue<#lifetime> for #name #ty_generics #where_clause {
            const FLAT: &'static #rt::Layout = &#rt::Layout::scalar("");
            const SIZE: usize = 4;
            const ALIGN: usize = 4;
            const OFFSET: bool = true;
            fn walk<__O: #rt::Observer>(
                _: #rt::flat::Place<#lifetime>,
                _: &mut __O,
            ) -> ::core::result::Result<Self, #rt::Fault> {
                ::core::unreachable!()
            }
            fn absent() -> ::core::option::Option<Self> {
                ::core::unreachable!()
            }
            fn value(&self) -> #rt::Value<'_> {
                ::core::unreachable!()
            }
        }

        #[automatically_derived]
        impl #impl_generics #rt::FlatTable<#lifetime> for #name #ty_generics #where_clause {}

        #[automatically_derived]
        impl #impl_generics #rt::FlatUnion<#lifetime> for #name #ty_generics #where_clause {
            const FLAT: &'static #rt::Layout = &#rt::Layout::scalar("");
            fn walk<__O: #rt::Observer>(
                _: #rt::flat::Member<#lifetime>,
                _: &mut __O,
            ) -> ::core::result::Result<Self, #rt::Fault> {
                ::core::unreachable!()
            }
            fn value(&self) -> #rt::Value<'_> {
                ::core::unreachable!()
            }
        }
    })
}
