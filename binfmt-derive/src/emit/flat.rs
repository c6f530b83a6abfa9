//! `FlatBuffers`: tables, unions, and what lies inline in a table.

mod build;
pub(super) mod schemas;

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::{Emitter, Site, layout, local, text, unraw, walk};
use crate::model::{Body, Field, Kind, Variant};

/// All impls of a table.
pub(super) fn table(emitter: &Emitter<'_>) -> TokenStream {
    let (rt, model, lifetime) = (&emitter.rt, emitter.model, &emitter.lifetime);
    let count = model.fields().len();
    let reads = model.fields().iter().enumerate().map(|(index, field)| read(emitter, index, field));
    let reads: TokenStream = reads.collect();
    let names: Vec<Ident> = model.fields().iter().map(|field| local(&field.name)).collect();
    let rules = rules(emitter);
    let members = model.fields().iter().map(|field| &field.member);
    let skipped = super::skip::members(model);
    let members = quote!(#(#members: #names,)* #skipped);
    let by_hand = by_hand(emitter);
    let layout = table_layout(emitter);
    let functions = emitter.own_functions();
    let build = build::table(emitter);
    let generics = emitter.generics();
    let (impl_generics, _, _) = generics.split_for_impl();
    let name = &model.input.ident;
    let (_, ty_generics, _) = model.input.generics.split_for_impl();
    let identifier = model.words.identifier.as_ref().map(|word| {
        let bytes = word.value.value();
        quote! {
            const IDENTIFIER: ::core::option::Option<[u8; 4]> =
                ::core::option::Option::Some([#(#bytes),*]);
        }
    });
    quote! {
        #functions

        #[automatically_derived]
        impl #impl_generics #rt::FlatValue<#lifetime> for #name #ty_generics {
            const FLAT: &'static #rt::Layout = #layout;
            const SIZE: usize = 4;
            const ALIGN: usize = 4;
            const OFFSET: bool = true;
            const HAS_DEFAULT: bool = false;

            #[inline(always)]
            fn walk<__O: #rt::Observer>(
                __place: #rt::flat::Place<#lifetime>,
                __obs: &mut __O,
            ) -> ::core::result::Result<Self, #rt::Fault> {
                let __table = #rt::flat::Table::open(__place, __obs, Self::FLAT)?;
                let mut __spans = #rt::place::Spans::<#count>::new(Self::FLAT);
                #reads
                #(let #names = #names?;)*
                #rules
                let __value = Self { #members };
                #by_hand
                ::core::result::Result::Ok(__value)
            }

            fn extent(__place: #rt::flat::Place<#lifetime>) -> usize {
                #rt::flat::table_end(__place)
            }

            fn absent() -> ::core::option::Option<Self> {
                ::core::option::Option::None
            }

            fn value(&self) -> #rt::Value<'_> {
                #rt::Value::Group
            }
        }

        #[automatically_derived]
        impl #impl_generics #rt::FlatTable<#lifetime> for #name #ty_generics {
            #identifier
        }

        #build
    }
}

/// One field. What a validator found of it is looked at when all fields are there, so that it meets
/// them all; others stop at once.
fn read(emitter: &Emitter<'_>, index: usize, field: &Field<'_>) -> TokenStream {
    let (rt, lifetime, words) = (&emitter.rt, &emitter.lifetime, &field.words);
    let (name, ty) = (local(&field.name), field.inner);
    let slot = words.slot.as_ref().map(|slot| &slot.value);
    let method = match (words.union.is_some(), field.is_optional(), words.required.is_some()) {
        (true, true, _) => quote!(union),
        (true, false, _) => quote!(required_union),
        (false, true, _) => quote!(optional),
        (false, false, true) => quote!(required),
        (false, false, false) => quote!(plain),
    };
    let default = (words.union.is_none() && !field.is_optional() && words.required.is_none())
        .then(|| match &words.default {
            Some(default) => {
                let value = &default.value;
                quote!(, ::core::option::Option::Some(#value))
            }
            None => {
                let known = matches!(field.kind, Kind::Nested).then(|| {
                    quote!(const { #rt::flat::stands_for_absent(<#ty as #rt::FlatValue<'_>>::HAS_DEFAULT) };)
                });
                quote!(, { #known <#ty as #rt::FlatValue<#lifetime>>::absent() })
            }
        });
    quote! {
        let #name = __table.#method::<#ty, __O, _>(
            __obs,
            (#index, #slot),
            &mut __spans
            #default
        )?;
    }
}

/// The rules of all fields and of the table.
fn rules(emitter: &Emitter<'_>) -> TokenStream {
    let model = emitter.model;
    let fields = model.fields().iter().enumerate();
    let mut all: TokenStream = fields
        .map(|(index, field)| walk::rules(emitter, index, field, emitter.lowered.of(index)))
        .collect();
    all.extend(emitter.type_rules());
    all
}

fn by_hand(emitter: &Emitter<'_>) -> Option<TokenStream> {
    let rt = &emitter.rt;
    let path = &emitter.model.words.rules_path.as_ref()?.value;
    Some(quote! {
        if __O::RECORD {
            #rt::rules::run(__obs, Self::FLAT, __spans.all(), __table.range(), |__rules| #path(&__value, __rules));
        }
    })
}

/// The declaration of a table as data.
fn table_layout(emitter: &Emitter<'_>) -> TokenStream {
    let (rt, model) = (&emitter.rt, emitter.model);
    let fields = model.fields().iter().enumerate().map(|(index, field)| {
        let name = unraw(&field.name);
        let entry = layout::entry(rt, &name, Some(field.ty), &field.doc, &field.words.text);
        let size = match field.kind {
            Kind::Scalar(scalar) => {
                let size = usize::from(scalar.size);
                Some(quote!(.size(#size)))
            }
            _ => None,
        };
        let of = field.inner;
        let as_trait =
            if field.words.union.is_some() { quote!(FlatUnion) } else { quote!(FlatValue) };
        let nested = matches!(field.kind, Kind::Nested)
            .then(|| quote!(.nested(|| <#of as #rt::#as_trait<'_>>::FLAT)));
        let rules = layout::rules(emitter, Some((index, field)));
        let rules = rules.map(|rules| quote!(.rules(#rules)));
        quote!(#entry #size #nested #rules)
    });
    layout::whole(emitter, &quote!(Table), &fields.collect::<Vec<_>>())
}

/// How many tables of a union are read in one place at most.
const INLINE: usize = 8;

/// All impls of a union.
pub(super) fn union(emitter: &Emitter<'_>, variants: &[Variant<'_>]) -> TokenStream {
    let (rt, lifetime) = (&emitter.rt, &emitter.lifetime);
    let mut unknown =
        quote!(_ => ::core::result::Result::Err(#rt::flat::unknown_member(__member, __obs)));
    let (mut reads, mut values, mut layouts) = (Vec::new(), Vec::new(), Vec::new());
    let walk = if variants.len() > INLINE { quote!(walk_apart) } else { quote!(walk) };
    for variant in variants {
        let (ident, name) = (variant.ident, text(&unraw(variant.ident)));
        let id = variant.words.id.as_ref().and_then(|id| id.value.number());
        let id = id.map(|(id, _)| proc_macro2::Literal::u64_unsuffixed(id));
        let mut nested = None;
        match (variant.ty, id) {
            (_, None) if variant.kept.is_some() => {
                unknown = quote!(__tag => ::core::result::Result::Ok(Self::#ident(__tag)));
                values.push(quote! {
                    Self::#ident(__tag) => #rt::Value::Enum {
                        number: ::core::primitive::u64::from(*__tag), name: ::core::option::Option::None,
                    }
                });
            }
            (Some(ty), Some(id)) => {
                reads.push(quote! {
                    #id => ::core::result::Result::Ok(Self::#ident(__member.#walk::<#ty, __O>(__obs)?))
                });
                values.push(quote!(Self::#ident(_) => #rt::Value::Str(#name)));
                nested = Some(quote!(.nested(|| <#ty as #rt::FlatValue<'_>>::FLAT)));
            }
            (_, id) => {
                reads.push(quote!(#id => __member.empty(__obs).map(|()| Self::#ident)));
                values.push(quote!(Self::#ident => #rt::Value::Str(#name)));
            }
        }
        let entry =
            layout::entry(rt, &unraw(variant.ident), variant.ty, &variant.doc, &variant.words.text);
        layouts.push(quote!(#entry #nested));
    }
    let build = build::union(emitter, variants);
    let layout = layout::whole(emitter, &quote!(Union), &layouts);
    let generics = emitter.generics();
    let (impl_generics, _, _) = generics.split_for_impl();
    let name = &emitter.model.input.ident;
    let (_, ty_generics, _) = emitter.model.input.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics #rt::FlatUnion<#lifetime> for #name #ty_generics {
            const FLAT: &'static #rt::Layout = #layout;

            #[inline(always)]
            fn walk<__O: #rt::Observer>(
                __member: #rt::flat::Member<#lifetime>,
                __obs: &mut __O,
            ) -> ::core::result::Result<Self, #rt::Fault> {
                match __member.tag {
                    #(#reads,)*
                    #unknown,
                }
            }

            fn value(&self) -> #rt::Value<'_> {
                match self { #(#values),* }
            }
        }

        #build
    }
}

/// A declared type of fixed size as a value in a table: a named number or a struct.
pub(super) fn inline(emitter: &Emitter<'_>) -> TokenStream {
    let (rt, model, lifetime) = (&emitter.rt, emitter.model, &emitter.lifetime);
    let generics = emitter.generics();
    let (impl_generics, _, bounds) = generics.split_for_impl();
    let name = &model.input.ident;
    let (_, ty_generics, _) = model.input.generics.split_for_impl();
    let build = build::inline(emitter);
    let is_enum = matches!(model.body, Body::Enum { .. });
    let align = if is_enum {
        quote!(<Self as #rt::Wire<#lifetime>>::MIN_SIZE)
    } else {
        struct_align(emitter)
    };
    let absent = if is_enum {
        quote!(#rt::flat::enum_default())
    } else {
        quote!(::core::option::Option::None)
    };
    quote! {
        #[automatically_derived]
        impl #impl_generics #rt::FlatValue<#lifetime> for #name #ty_generics #bounds {
            const FLAT: &'static #rt::Layout = <Self as #rt::Wire<#lifetime>>::WIRE;
            const SIZE: usize = <Self as #rt::Wire<#lifetime>>::MIN_SIZE;
            const ALIGN: usize = #align;
            const OFFSET: bool = false;
            const HAS_DEFAULT: bool = #is_enum;

            fn walk<__O: #rt::Observer>(
                __place: #rt::flat::Place<#lifetime>,
                __obs: &mut __O,
            ) -> ::core::result::Result<Self, #rt::Fault> {
                #rt::flat::inline(__place, __obs)
            }

            fn absent() -> ::core::option::Option<Self> {
                #absent
            }

            fn value(&self) -> #rt::Value<'_> {
                #rt::Wire::value(self)
            }
        }

        #build
    }
}

/// The alignment of a struct: that of its members, which must lie where they would lie in C.
fn struct_align(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let members = emitter.model.fields().iter().map(|field| {
        let ty = field.ty;
        let scalar = match field.kind {
            Kind::Scalar(scalar) => Some((scalar.size, quote!(1))),
            Kind::Array(item) => crate::model::scalar(item)
                .map(|scalar| (scalar.size, quote!(<#ty as #rt::Wire<'_>>::MIN_SIZE))),
            _ => None,
        };
        match (field.kind, scalar) {
            (Kind::Scalar(scalar), _) => {
                let size = usize::from(scalar.size);
                quote!((#size, #size))
            }
            (_, Some((align, size))) => {
                let align = usize::from(align);
                quote!((#size, #align))
            }
            _ => quote!((<#ty as #rt::FlatValue<'_>>::SIZE, <#ty as #rt::FlatValue<'_>>::ALIGN)),
        }
    });
    quote!(#rt::flat::struct_align(&[#(#members),*]))
}

/// What a buffer is told about its root when it is read; written, it is its own bytes.
pub(super) fn root(emitter: &Emitter<'_>, root: &Ident, site: Site) -> TokenStream {
    let rt = &emitter.rt;
    match (emitter.model.field(root), site) {
        (Some((index, field)), Site::Walk) => {
            let value = local(&field.name);
            quote!(#rt::flat::Root::told(__spans.get(#index).0, #rt::ops::Widen::widen(#value)))
        }
        _ => quote!(#rt::flat::Root::default()),
    }
}
