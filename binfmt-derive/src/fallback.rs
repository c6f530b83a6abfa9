//! Stub impls for a declaration with mistakes, so that nothing but those is reported.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::{Data, DeriveInput, GenericParam, parse_quote};

use crate::attr::{self, Args, Place};
use crate::emit::{args_pattern, family, text, unraw};
use crate::errors::Errors;
use crate::model::Kind;
use crate::tokens::borrowing;

/// The mistakes, and impls that satisfy whoever uses the type.
pub(crate) fn emit(input: &DeriveInput, errors: Errors) -> TokenStream {
    // Mistakes in these words have been told already.
    let words = attr::read(&mut Errors::default(), Place::Type, &input.attrs);
    let runtime = words.krate.as_ref().map(|word| word.value.to_token_stream());
    let runtime = runtime.unwrap_or_else(|| quote!(::binfmt_runtime));
    let rt = quote!(#runtime::__private);
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
    let stub = |of: TokenStream, items: TokenStream| {
        quote! {
            #[automatically_derived]
            impl #impl_generics #rt::#of #name #ty_generics #where_clause { #items }
        }
    };
    let args = words.args.as_ref().map(|word| &word.value);
    let parameters = args.map(Args::declared).unwrap_or_default();
    let mut stubs = vec![
        stub(quote!(Wire<#lifetime> for), wire(&rt, &lifetime, parameters)),
        stub(quote!(BinFormat<#lifetime> for), quote!()),
    ];
    if parameters.iter().all(|parameter| parameter.default.is_some()) {
        let items = quote!(
            fn default_args() -> Self::Args {
                ::core::unreachable!()
            }
        );
        stubs.push(stub(quote!(DefaultArgs<#lifetime> for), items));
    }
    if matches!(&input.data, Data::Enum(_)) {
        stubs.extend(numbers().map(|(of, items)| stub(of, items)));
    }
    if is_flat(input) {
        stubs.push(stub(quote!(FlatValue<#lifetime> for), flat_value(&rt, &lifetime)));
        stubs.push(stub(quote!(FlatTable<#lifetime> for), quote!()));
        stubs.push(stub(quote!(FlatUnion<#lifetime> for), flat_union(&rt, &lifetime)));
        let (put, put_union) = builders(&rt);
        let build = stub(quote!(FlatBuild<#lifetime> for), put);
        let build_union = stub(quote!(flat::FlatBuildUnion<#lifetime> for), put_union);
        stubs.push(quote!(#rt::__flat_build! { #build #build_union }));
    }
    let family = family(input, &rt);
    quote!(#mistakes #(#stubs)* #family)
}

/// Traits and items of numbers, flags and tags, which may stand in expressions of other declarations.
fn numbers() -> [(TokenStream, TokenStream); 3] {
    let widen = quote!(
        type Wide = u64;
        fn widen(self) -> u64 {
            ::core::unreachable!()
        }
    );
    let tag = quote!(
        fn tag(&self) -> u64 {
            ::core::unreachable!()
        }
    );
    [(quote!(Named for), named()), (quote!(ops::Widen for &), widen), (quote!(Tagged for), tag)]
}

/// The items of who makes new buffers, of a table and of a union.
fn builders(rt: &TokenStream) -> (TokenStream, TokenStream) {
    let put = quote! {
        fn put(
            &self,
            _: &mut #rt::flat::Builder,
            _: usize,
        ) -> ::core::result::Result<usize, #rt::Error> {
            ::core::unreachable!()
        }
    };
    let put_union = quote! {
        fn tag(&self) -> u8 {
            ::core::unreachable!()
        }
        fn put(
            &self,
            _: &mut #rt::flat::Builder,
        ) -> ::core::result::Result<usize, #rt::Error> {
            ::core::unreachable!()
        }
    };
    (put, put_union)
}

fn wire(rt: &TokenStream, lifetime: &syn::Lifetime, parameters: &[attr::Parameter]) -> TokenStream {
    // What borrows from nothing, or cannot be copied, has been told.
    let types = parameters.iter().map(|parameter| match &parameter.ty {
        syn::Type::Reference(reference) if reference.lifetime.is_none() => {
            let inner = &reference.elem;
            quote!(&#lifetime #inner)
        }
        ty if Kind::of(ty).is_copied() => borrowing(ty.to_token_stream(), lifetime),
        _ => quote!(()),
    });
    let args = args_pattern(types);
    let names = parameters.iter().map(|parameter| text(&unraw(&parameter.name)));
    quote! {
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
}

fn named() -> TokenStream {
    quote! {
        type Number = u8;
        fn of_number(_: u8) -> ::core::option::Option<Self> { ::core::unreachable!() }
        fn numbered(&self) -> (u8, ::core::option::Option<&'static str>) { ::core::unreachable!() }
    }
}

/// Whether other tables may use the type: it is a table, a union or a struct of them.
fn is_flat(input: &DeriveInput) -> bool {
    input.attrs.iter().any(|attr| {
        attr.meta.require_list().is_ok_and(|list| list.tokens.to_string().contains("flatbuffer"))
    })
}

fn flat_value(rt: &TokenStream, lifetime: &syn::Lifetime) -> TokenStream {
    quote! {
        const FLAT: &'static #rt::Layout = &#rt::Layout::scalar("");
        fn walk<__O: #rt::Observer>(
            _: #rt::flat::Place<#lifetime>,
            _: &mut __O,
        ) -> ::core::result::Result<Self, #rt::Fault> {
            ::core::unreachable!()
        }
        fn absent() -> ::core::option::Option<Self> { ::core::unreachable!() }
        fn value(&self) -> #rt::Value<'_> { ::core::unreachable!() }
    }
}

fn flat_union(rt: &TokenStream, lifetime: &syn::Lifetime) -> TokenStream {
    quote! {
        const FLAT: &'static #rt::Layout = &#rt::Layout::scalar("");
        fn walk<__O: #rt::Observer>(
            _: #rt::flat::Member<#lifetime>,
            _: &mut __O,
        ) -> ::core::result::Result<Self, #rt::Fault> {
            ::core::unreachable!()
        }
        fn value(&self) -> #rt::Value<'_> { ::core::unreachable!() }
    }
}
