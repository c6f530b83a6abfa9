//! A table that has several schemas: the number of its slots says which.

use proc_macro2::TokenStream;
use quote::quote;

use super::{build, layout, offset_value, text, unraw};
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
            #index => __rt::Ok(Self::#ident(#rt::flat::walk::<#ty, __O>(__place, __obs)?))
        });
        puts.push(quote!(Self::#ident(__table) => #rt::FlatBuild::put(__table, __out, __at)));
        values.push(quote!(Self::#ident(_) => #rt::Value::Str(#name)));
        let entry = layout::variant(rt, variant);
        layouts.push(quote!(#entry.nested(|| <#ty as #rt::FlatValue<'_>>::FLAT)));
    }
    let walk = quote! {
        match #rt::flat::schema(__place, &[#(#most),*]) {
            #(#reads,)*
            _ => __rt::Err(#rt::flat::unknown_schema(__place, __obs)),
        }
    };
    let layout = layout::declaration(emitter, &quote!(Union), &layouts);
    let value = quote!(match self { #(#values),* });
    let value = offset_value(emitter, &layout, &walk, Some(&value));
    let table = emitter.implement(&quote!(FlatTable<#lifetime>), &TokenStream::new());
    let build = build::implement(emitter, &quote!(match self { #(#puts),* }));
    quote!(#value #table #build)
}
