//! `FlatBuffers`: tables, unions, and what lies inline in a table.

mod build;
pub(super) mod schemas;

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::{Emitter, Site, layout, local, text, unraw, walk};
use crate::model::{Body, Field, Kind, Variant, type_text};

/// All impls of a table.
pub(super) fn table(emitter: &Emitter<'_>) -> TokenStream {
    let (model, lifetime) = (emitter.model, &emitter.lifetime);
    let walk = table_walk(emitter);
    let value = offset_value(emitter, &table_layout(emitter), &walk, None);
    let functions = emitter.own_functions();
    let build = build::table(emitter);
    let identifier = model.words.identifier.as_ref().map(|word| {
        let bytes = word.value.value();
        quote!(const IDENTIFIER: __rt::Option<[u8; 4]> = __rt::Some([#(#bytes),*]);)
    });
    let table = emitter.implement(&quote!(FlatTable<#lifetime>), &quote!(#identifier));
    quote!(#functions #value #table #build)
}

/// `FlatValue` of what an offset in a table leads to.
fn offset_value(
    emitter: &Emitter<'_>,
    layout: &TokenStream,
    walk: &TokenStream,
    value: Option<&TokenStream>,
) -> TokenStream {
    let (rt, lifetime) = (&emitter.rt, &emitter.lifetime);
    let value = value.map(|value| quote!(fn value(&self) -> #rt::Value<'_> { #value }));
    emitter.implement(
        &quote!(FlatValue<#lifetime>),
        &quote! {
            const FLAT: &'static #rt::Layout = #layout;

            #[inline(always)]
            fn walk<__O: #rt::Observer>(
                __place: #rt::flat::Place<#lifetime>,
                __obs: &mut __O,
            ) -> __rt::Result<Self, #rt::Fault> {
                #walk
            }

            #value
        },
    )
}

/// Reads the fields of a table.
fn table_walk(emitter: &Emitter<'_>) -> TokenStream {
    let (rt, model) = (&emitter.rt, emitter.model);
    let fields = model.fields();
    let count = fields.len();
    let reads = fields.iter().enumerate().map(|(index, field)| read(emitter, index, field));
    let reads: TokenStream = reads.collect();
    let names: Vec<Ident> = fields.iter().map(|field| local(&field.name)).collect();
    let rules = rules(emitter);
    let members = fields.iter().map(|field| &field.member);
    let skipped = super::skip::members(emitter);
    let made = match by_hand(emitter) {
        None if rules.is_empty() => quote!(__rt::Ok(Self { #(#members: #names?,)* #skipped })),
        None => quote! {
            #(let #names = #names?;)*
            #rules
            __rt::Ok(Self { #(#members: #names,)* #skipped })
        },
        Some(by_hand) => quote! {
            #(let #names = #names?;)*
            #rules
            let __value = Self { #(#members: #names,)* #skipped };
            #by_hand
            __rt::Ok(__value)
        },
    };
    quote! {
        let __table = #rt::flat::Table::open::<Self, __O>(__place, __obs)?;
        let mut __spans = #rt::place::Spans::<#count>::new(Self::__FLAT);
        #reads
        #made
    }
}

/// One field. What a validator found of it is looked at when all fields are there, so that it meets
/// them all; others stop at once.
fn read(emitter: &Emitter<'_>, index: usize, field: &Field<'_>) -> TokenStream {
    let (rt, words) = (&emitter.rt, &field.words);
    let (name, ty) = (local(&field.name), field.inner);
    let slot = words.slot.as_ref().map(|slot| &slot.value);
    let default = words.default.as_ref().map(|default| {
        let value = &default.value;
        quote!(, __rt::Some(#value))
    });
    let method = match (words.union.is_some(), field.is_optional(), words.required.is_some()) {
        (true, true, _) => quote!(union),
        (true, false, _) => quote!(required_union),
        (false, true, _) => quote!(optional),
        (false, false, true) => quote!(required),
        (false, false, false) if default.is_some() => quote!(plain),
        (false, false, false) => quote!(field),
    };
    let is_plain = method.to_string() == "plain";
    let stands = method.to_string() == "field" && matches!(field.kind, Kind::Nested);
    let stands = stands.then(|| quote!(const { #rt::flat::stands_for_absent::<#ty>() };));
    let default = default.filter(|_| is_plain);
    quote! {
        #stands
        let #name = __table.#method::<#ty, __O, _>(__obs, (#index, #slot), &mut __spans #default)?;
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
    let looked = walk::looked(&emitter.model.words.rules_path.as_ref()?.value);
    Some(quote! {
        if __O::RECORD {
            #rt::rules::run(__obs, Self::__FLAT, __spans.all(), __table.range(), |__rules| #looked);
        }
    })
}

/// The declaration of a table as data.
fn table_layout(emitter: &Emitter<'_>) -> TokenStream {
    let (rt, model) = (&emitter.rt, emitter.model);
    let fields = model.fields().iter().enumerate().map(|(index, field)| {
        let name = unraw(&field.name);
        let entry = layout::entry(rt, &name, &type_text(field.ty), &field.doc, &field.words.text);
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
    layout::declaration(emitter, &quote!(Table), &fields.collect::<Vec<_>>())
}

/// How many tables of a union are read in one place at most.
const INLINE: usize = 8;

/// All impls of a union.
pub(super) fn union(emitter: &Emitter<'_>, variants: &[Variant<'_>]) -> TokenStream {
    let (rt, lifetime) = (&emitter.rt, &emitter.lifetime);
    let walk = if variants.len() > INLINE { quote!(walk_apart) } else { quote!(walk) };
    let reads = variants.iter().map(|variant| {
        let ident = variant.ident;
        match (variant.ty, union_id(variant)) {
            (_, None) if variant.kept.is_some() => None,
            (Some(ty), Some(id)) => {
                Some(quote!(#id => __rt::Ok(Self::#ident(__member.#walk::<#ty, __O>(__obs)?))))
            }
            (_, id) => Some(quote!(#id => __member.empty(__obs).map(|()| Self::#ident))),
        }
    });
    let reads = reads.flatten();
    let other = variants.iter().find(|variant| variant.kept.is_some());
    let unknown = match other.map(|other| other.ident) {
        Some(ident) => quote!(__tag => __rt::Ok(Self::#ident(__tag))),
        None => quote!(_ => __rt::Err(#rt::flat::unknown_member(__member, __obs))),
    };
    let values = union_values(rt, variants);
    let layouts = variants.iter().map(|variant| {
        let entry = layout::variant(rt, variant);
        let nested = variant.ty.filter(|_| variant.words.id.is_some());
        let nested = nested.map(|ty| quote!(.nested(|| <#ty as #rt::FlatValue<'_>>::FLAT)));
        quote!(#entry #nested)
    });
    let layout = layout::declaration(emitter, &quote!(Union), &layouts.collect::<Vec<_>>());
    let build = build::union(emitter, variants);
    let union = emitter.implement(
        &quote!(FlatUnion<#lifetime>),
        &quote! {
            const FLAT: &'static #rt::Layout = #layout;

            #[inline(always)]
            fn walk<__O: #rt::Observer>(
                __member: #rt::flat::Member<#lifetime>,
                __obs: &mut __O,
            ) -> __rt::Result<Self, #rt::Fault> {
                match __member.tag {
                    #(#reads,)*
                    #unknown,
                }
            }

            fn value(&self) -> #rt::Value<'_> {
                match self { #(#values),* }
            }
        },
    );
    quote!(#union #build)
}

/// What an inspector shows of each member.
fn union_values(rt: &TokenStream, variants: &[Variant<'_>]) -> Vec<TokenStream> {
    let value = |variant: &Variant<'_>| {
        let (ident, name) = (variant.ident, text(&unraw(variant.ident)));
        match (variant.ty, union_id(variant)) {
            (_, None) if variant.kept.is_some() => quote! {
                Self::#ident(__tag) => #rt::Value::Enum {
                    number: ::core::primitive::u64::from(*__tag), name: __rt::None,
                }
            },
            (Some(_), Some(_)) => quote!(Self::#ident(_) => #rt::Value::Str(#name)),
            _ => quote!(Self::#ident => #rt::Value::Str(#name)),
        }
    };
    variants.iter().map(value).collect()
}

/// The tag of a member of a union.
fn union_id(variant: &Variant<'_>) -> Option<proc_macro2::Literal> {
    let (id, _) = variant.words.id.as_ref()?.value.number()?;
    Some(proc_macro2::Literal::u64_unsuffixed(id))
}

/// A declared type of fixed size as a value in a table: a named number or a struct.
pub(super) fn inline(emitter: &Emitter<'_>) -> TokenStream {
    let (rt, lifetime) = (&emitter.rt, &emitter.lifetime);
    let build = build::inline(emitter);
    let is_enum = matches!(emitter.model.body, Body::Enum { .. });
    let (align, absent) = if is_enum {
        let absent = quote! {
            const HAS_DEFAULT: bool = true;

            fn absent() -> __rt::Option<Self> { #rt::flat::enum_default() }
        };
        (quote!(<Self as #rt::Wire<#lifetime>>::MIN_SIZE), Some(absent))
    } else {
        (struct_align(emitter), None)
    };
    let value = emitter.implement(
        &quote!(FlatValue<#lifetime>),
        &quote! {
            const FLAT: &'static #rt::Layout = <Self as #rt::Wire<#lifetime>>::WIRE;
            const SIZE: usize = <Self as #rt::Wire<#lifetime>>::MIN_SIZE;
            const ALIGN: usize = #align;
            const OFFSET: bool = false;

            fn walk<__O: #rt::Observer>(
                __place: #rt::flat::Place<#lifetime>,
                __obs: &mut __O,
            ) -> __rt::Result<Self, #rt::Fault> {
                #rt::flat::inline(__place, __obs)
            }

            #absent

            fn value(&self) -> #rt::Value<'_> {
                #rt::Wire::value(self)
            }
        },
    );
    quote!(#value #build)
}

/// The alignment of a struct: that of its members, which must lie where they would lie in C.
fn struct_align(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    // Bit fields have the alignment of the number that they lie in.
    if let Some(storage) = &emitter.model.words.bits {
        let storage = &storage.value;
        return quote!(<#storage as #rt::Int>::SIZE);
    }
    let members = emitter.model.fields().iter().map(|field| {
        let ty = field.ty;
        let wire = quote!(<#ty as #rt::Wire<'_>>::MIN_SIZE);
        let items = match field.kind {
            Kind::Array(item) => crate::model::scalar(item),
            _ => None,
        };
        let (size, align) = match (field.kind, items) {
            (Kind::Scalar(scalar), _) => {
                let size = usize::from(scalar.size);
                (quote!(#size), quote!(#size))
            }
            (_, Some(scalar)) => {
                let align = usize::from(scalar.size);
                (wire, quote!(#align))
            }
            _ => {
                let flat = quote!(<#ty as #rt::FlatValue<'_>>);
                (quote!(#flat::SIZE), quote!(#flat::ALIGN))
            }
        };
        quote!((#size, #align))
    });
    quote!(#rt::flat::struct_align(&[#(#members),*]))
}

/// What a buffer is told about its root when it is read; written, it is its own bytes.
pub(super) fn root(emitter: &Emitter<'_>, root: &Ident, site: Site) -> TokenStream {
    let rt = &emitter.rt;
    match (emitter.model.field(root), site) {
        (Some((index, field)), Site::Walk) => {
            let value = local(&field.name);
            quote!(#rt::flat::Root::located(__spans.get(#index).0, #rt::ops::Widen::widen(#value)))
        }
        _ => quote!(#rt::flat::Root::default()),
    }
}
