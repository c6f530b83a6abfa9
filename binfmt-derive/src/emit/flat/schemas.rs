//! A table that has several schemas: the number of its slots says which.

use proc_macro2::TokenStream;
use quote::quote;

use super::{layout, text, unraw};
use crate::emit::Emitter;
use crate::model::Variant;

/// All impls of an enum of schemas, which is a table itself.
pub(in crate::emit) fn emit(emitter: &Emitter<'_>, variants: &[Variant<'_>]) -> TokenStream {
    let (rt, lifetime) = (&emitter.rt, &emitter.lifetime);
    let (mut most, mut reads, mut puts) = (vec![], vec![], vec![]);
    let (mut values, mut layouts) = (vec![], vec![]);
    for (index, variant) in variants.iter().enumerate() {
        let (ident, name, ty) = (variant.ident, text(&unraw(variant.ident)), variant.ty);
        most.push(match &variant.words.slots {
            Some(slots) => {
                let slots = &slots.value;
                quote!(#slots)
            }
            None => quote!(::core::primitive::u16::MAX),
        });
        reads.push(quote! {
            #index => ::core::result::Result::Ok(Self::#ident(#rt::flat::walk::<#ty, __O>(__place, __obs)?))
        });
        puts.push(quote!(Self::#ident(__table) => #rt::FlatBuild::put(__table, __out, __at)));
        values.push(quote!(Self::#ident(_) => #rt::Value::Str(#name)));
        let entry = layout::entry(rt, &unraw(variant.ident), ty, &variant.doc, &variant.words.text);
        layouts.push(quote!(#entry.nested(|| <#ty as #rt::FlatValue<'_>>::FLAT)));
    }
    let layout = layout::whole(emitter, &quote!(Union), &layouts);
    let generics = emitter.generics();
    let (impl_generics, _, _) = generics.split_for_impl();
    let name = &emitter.model.input.ident;
    let (_, ty_generics, _) = emitter.model.input.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics #rt::FlatValue<#lifetime> for #name #ty_generics {
            const FLAT: &'static #rt::Layout = #layout;
            const SIZE: usize = 4;
            const ALIGN: usize = 4;
            const OFFSET: bool = true;
            const HAS_DEFAULT: bool = false;

            fn walk<__O: #rt::Observer>(
                __place: #rt::flat::Place<#lifetime>,
                __obs: &mut __O,
            ) -> ::core::result::Result<Self, #rt::Fault> {
                match #rt::flat::schema(__place, &[#(#most),*]) {
                    #(#reads,)*
                    _ => ::core::result::Result::Err(#rt::flat::unknown_schema(__place, __obs)),
                }
            }

            fn extent(__place: #rt::flat::Place<#lifetime>) -> usize {
                #rt::flat::table_end(__place)
            }

            fn absent() -> ::core::option::Option<Self> {
                ::core::option::Option::None
            }

            fn value(&self) -> #rt::Value<'_> {
                match self { #(#values),* }
            }
        }

        #[automatically_derived]
        impl #impl_generics #rt::FlatTable<#lifetime> for #name #ty_generics {}

        #rt::__flat_build! {
            #[automatically_derived]
            impl #impl_generics #rt::FlatBuild<#lifetime> for #name #ty_generics {
                fn put(
                    &self,
                    __out: &mut #rt::flat::Builder,
                    __at: usize,
                ) -> ::core::result::Result<usize, #rt::Error> {
                    match self { #(#puts),* }
                }
            }
        }
    }
}
