//! Writing tables into a new buffer.

use proc_macro2::TokenStream;
use quote::quote;
use syn::LitInt;

use super::union_id;
use crate::attr::Word;
use crate::emit::write::binding;
use crate::emit::{Emitter, text, unraw};
use crate::expr::Expr;
use crate::model::{Field, Variant};

/// How a table is written: its vtable with the fields that are stored, then what they hold.
pub(super) fn table(emitter: &Emitter<'_>) -> TokenStream {
    let (rt, fields) = (&emitter.rt, emitter.model.fields());
    let mut parts = Vec::new();
    let mut puts = Vec::new();
    for field in fields {
        let (member, name) = (&field.member, text(&unraw(&field.name)));
        let Some(slot) = &field.words.slot else { continue };
        let slot = &slot.value;
        let optional = field.is_optional();
        let value = if optional { quote!(self.#member.as_ref()) } else { quote!(&self.#member) };
        let index = parts.len();
        if let Some(Word { value: Expr::Int(align, _), .. }) = &field.words.align_before {
            puts.push(quote!(__out.align(__parts[#index], #align)?;));
        }
        if field.words.union.is_some() {
            let value = if optional { value } else { quote!(__rt::Some(#value)) };
            let next = index + 1;
            parts.push(quote!(#rt::flat::Part::tag(#slot - 1, #value.is_some())));
            parts.push(quote!(#rt::flat::Part::union(#slot, #value.is_some())));
            puts.push(quote!(__out.union(#name, (__parts[#index], __parts[#next]), #value)?;));
        } else if optional {
            parts.push(quote!(#rt::flat::Part::optional(#slot, #value)));
            puts.push(quote!(__out.optional(#name, __parts[#index], #value)?;));
        } else {
            parts.push(part(emitter, field, slot, &value));
            puts.push(quote!(__out.field(#name, __parts[#index], #value)?;));
        }
    }
    let (count, rules) = (parts.len(), rules(emitter));
    implement(
        emitter,
        &quote! {
            #rules
            let mut __parts: [#rt::flat::Part; #count] = [#(#parts),*];
            let __at = __out.table(&mut __parts)?;
            #(#puts)*
            __rt::Ok(__at)
        },
    )
}

/// What a reader of the table would stop at, or a validator call an error, is not written.
fn rules(emitter: &Emitter<'_>) -> Option<TokenStream> {
    let model = emitter.model;
    let fields = model.fields().iter().map(|field| (Some(field), &field.words.rules));
    let all = fields
        .chain([(None, &model.words.rules)])
        .flat_map(|(field, rules)| (0..rules.len()).map(move |index| (field, rules, index)));
    let all = all.map(|(field, rules, index)| emitter.built_rule(field, rules, index));
    let all: TokenStream = all.collect();
    let bindings = model.fields().iter().map(|field| binding(emitter, field));
    (!all.is_empty()).then(|| quote!({ #(#bindings)* #all }))
}

/// `FlatBuild`, for whoever may allocate.
pub(super) fn implement(emitter: &Emitter<'_>, put: &TokenStream) -> TokenStream {
    let (rt, lifetime) = (&emitter.rt, &emitter.lifetime);
    let build = emitter.implement(
        &quote!(FlatBuild<#lifetime>),
        &quote! {
            fn put(&self, __out: &mut #rt::Builder, __at: usize) -> #rt::Built {
                #put
            }
        },
    );
    quote!(#rt::__flat_build! { #build })
}

/// The part of a table that a field takes: what is its default need not be stored.
fn part(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    slot: &LitInt,
    value: &TokenStream,
) -> TokenStream {
    let rt = &emitter.rt;
    match &field.words.default {
        _ if field.words.required.is_some() => quote!(#rt::flat::Part::of(#slot, #value, true)),
        Some(default) => {
            let default = &default.value;
            quote!(#rt::flat::Part::unless(#slot, #value, &#default))
        }
        None => quote!(#rt::flat::Part::field(#slot, #value)),
    }
}

/// How a union is written.
pub(super) fn union(emitter: &Emitter<'_>, variants: &[Variant<'_>]) -> TokenStream {
    let (rt, lifetime) = (&emitter.rt, &emitter.lifetime);
    let (mut tags, mut puts) = (Vec::new(), Vec::new());
    for variant in variants {
        let ident = variant.ident;
        match (variant.ty, union_id(variant)) {
            (_, None) if variant.kept.is_some() => {
                tags.push(quote!(Self::#ident(__tag) => *__tag));
                puts.push(quote!(Self::#ident(_) => __rt::Err(#rt::flat::unknown_union())));
            }
            (Some(_), Some(id)) => {
                tags.push(quote!(Self::#ident(_) => #id));
                puts.push(quote!(Self::#ident(__value) => #rt::FlatBuild::put(__value, __out, 0)));
            }
            (_, id) => {
                tags.push(quote!(Self::#ident => #id));
                puts.push(quote!(Self::#ident => __out.table(&mut [])));
            }
        }
    }
    let build = emitter.implement(
        &quote!(flat::FlatBuildUnion<#lifetime>),
        &quote! {
            fn tag(&self) -> u8 {
                match self { #(#tags),* }
            }

            fn put(&self, __out: &mut #rt::Builder) -> #rt::Built {
                match self { #(#puts),* }
            }
        },
    );
    quote!(#rt::__flat_build! { #[doc(hidden)] #build })
}

/// How a named number or a struct is written.
pub(super) fn inline(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    implement(emitter, &quote!(#rt::flat::put_inline(self, __out, __at)))
}
