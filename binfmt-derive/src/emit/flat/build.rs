//! Writing tables into a new buffer.

use proc_macro2::TokenStream;
use quote::quote;

use super::union_id;
use crate::attr::Word;
use crate::emit::write::binding;
use crate::emit::{Emitter, text, unraw};
use crate::expr::Expr;
use crate::model::{Field, Variant};

/// How a table is written: its vtable with the fields that are stored, then what they hold.
pub(super) fn table(emitter: &Emitter<'_>) -> TokenStream {
    let parts = emitter.model.fields().iter().filter_map(|field| parts(emitter, field));
    let (parts, rules) = (parts.collect::<Vec<_>>(), rules(emitter));
    implement(emitter, &quote!(#rules __out.table::<Self>(&mut [#(#parts),*])))
}

/// The parts of a table that a field takes: what is its default need not be stored.
fn parts(emitter: &Emitter<'_>, field: &Field<'_>) -> Option<TokenStream> {
    let (words, member, name) = (&field.words, &field.member, text(&unraw(&field.name)));
    let slot = &words.slot.as_ref()?.value;
    let rt = &emitter.rt;
    let part = quote!(#rt::flat::Part);
    let optional = field.is_optional();
    let held = if optional { quote!(self.#member.as_ref()) } else { quote!(&self.#member) };
    if words.union.is_some() {
        let held = if optional { held } else { quote!(__rt::Some(#held)) };
        return Some(quote! {
            #part::tag(#name, #slot - 1, #held), #part::union(#name, #slot, #held)
        });
    }
    let part = match &words.default {
        _ if optional => quote!(#part::optional(#name, #slot, #held)),
        _ if words.required.is_some() => quote!(#part::required(#name, #slot, #held)),
        Some(default) => {
            let default = &default.value;
            quote!(#part::unless(#name, #slot, #held, &#default))
        }
        None => quote!(#part::field(#name, #slot, #held)),
    };
    let items = match &words.align_before {
        Some(Word { value: Expr::Int(align, _), .. }) => Some(quote!(.with_items_on(#align))),
        _ => None,
    };
    Some(quote!(#part #items))
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
                puts.push(quote!(Self::#ident => __out.empty_table()));
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
