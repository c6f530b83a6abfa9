//! Enums of shapes: told apart by a tag, by a magic or by reading.

mod magics;
mod tags;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, Member, Type};

use super::write::valid::of_any_lifetime;
use super::{Emitter, Products, Site, local, magic, text, unraw};
use crate::model::{Variant, encoded, takes_order, variant_magics};
use crate::parts::Part;

pub(super) use self::tags::Constants;
pub(crate) use self::tags::tagged;

/// One of several shapes.
pub(crate) fn union(emitter: &Emitter<'_>, variants: &[Variant<'_>]) -> Products {
    let rt = &emitter.rt;
    let words = &emitter.model.words;
    let walk = if words.probe.is_some() {
        probe(emitter, variants)
    } else if words.tag.is_some() {
        tags::walk(emitter, variants)
    } else {
        magics::walk(emitter, variants)
    };
    let tag = tags::written(emitter, variants);
    let writes = variants.iter().map(|variant| write_variant(emitter, variants, variant));
    let names = variants.iter().map(|variant| {
        let (ident, name) = (variant.ident, text(&unraw(variant.ident)));
        quote!(Self::#ident { .. } => #rt::Value::Str(#name))
    });
    let sizes = variants.iter().map(|variant| least_size(emitter, variant));
    let (set_order, take_back) = magic::around(emitter, &quote!(__cur));
    let walk = if set_order.is_empty() {
        walk
    } else {
        quote! { #set_order let __read = { #walk }; #take_back __read }
    };
    let (set_order, take_back) = magic::around(emitter, &quote!(__out));
    Products {
        walk,
        write: quote! {
            #set_order
            #tag
            match self { #(#writes,)* }?;
            #take_back
            __rt::Ok(())
        },
        value: Some(quote!(match self { #(#names),* })),
        sizes: (quote!(#rt::ops::least(&[#(#sizes),*])), quote!(false)),
    }
}

/// The arm that writes a variant.
fn write_variant(
    emitter: &Emitter<'_>,
    variants: &[Variant<'_>],
    variant: &Variant<'_>,
) -> TokenStream {
    let rt = &emitter.rt;
    let agree = tags::agree(emitter, variants, variant);
    let magic = magics::put(emitter, variant);
    let args = emitter.variant_args(variant, Site::Write);
    let value = variant.ty.map(|ty| {
        let ends = variant.words.until_codec.is_some();
        let emit = emitter.emitted(ends);
        let emit = match variant.part {
            Some(part) => lend(part, ty),
            None => emit,
        };
        let emit = quote!(let __passed = #args; #emit);
        // What has no fields of its own is a part of the variant; what takes the rest of the region ends it.
        if encoded(ty).is_some() && !ends {
            quote!(#emit #rt::write::ends(__out, "", 1)?;)
        } else {
            emit
        }
    });
    let pattern = pattern(variant);
    let ahead = match &emitter.model.words.probe {
        Some(_) => probed(emitter, variants, variant),
        None => magics::stays_itself(emitter, variants, variant),
    };
    let write = quote!(#agree #ahead #magic #value);
    if write.is_empty() {
        return quote!(#pattern => __rt::Ok(()));
    }
    // In a function of its own, as a variant is read.
    quote!(#pattern => #rt::union::written(__out, |__out| { #write __rt::Ok(()) }))
}

/// The smallest size of a variant.
fn least_size(emitter: &Emitter<'_>, variant: &Variant<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let in_front = emitter.model.words.peek.is_none();
    let magics = variant_magics(emitter.model, variant).into_iter().filter(|_| in_front);
    let magic = magics.map(|bytes| bytes.len()).min().unwrap_or(0);
    match variant.ty {
        Some(ty) => quote!(<#ty as #rt::Wire<'_>>::MIN_SIZE.saturating_add(#magic)),
        None => quote!(#magic),
    }
}

/// Where a reader tries one variant after the other, what is written is read to see which it takes.
fn probed(emitter: &Emitter<'_>, variants: &[Variant<'_>], variant: &Variant<'_>) -> TokenStream {
    let (rt, model) = (&emitter.rt, emitter.model);
    let (name, ident) = (&model.input.ident, variant.ident);
    let first = variants.first().is_some_and(|first| first.ident == ident);
    if first || !model.outlives() {
        return TokenStream::new();
    }
    let ty = of_any_lifetime(model);
    quote! {
        #rt::union::reads(__out, move |__cur, __limits| {
            #rt::union::reads_as::<#ty>(__cur, __limits, __args, |__read| {
                ::core::matches!(__read, #name::#ident { .. })
            })
        })?;
    }
}

/// Binds what a variant holds.
fn pattern(variant: &Variant<'_>) -> TokenStream {
    let ident = variant.ident;
    if let Some(part) = variant.part {
        let kept = variant.kept.map(|_| quote!(0: __kept,));
        let members = part.members.iter().map(|(member, _)| member);
        let locals = members.clone().map(lent);
        return quote!(Self::#ident { #kept #(#members: #locals),* });
    }
    match (variant.kept, variant.ty) {
        (None, None) => quote!(Self::#ident),
        (None, Some(_)) => quote!(Self::#ident(__value)),
        (Some(_), None) => quote!(Self::#ident(__kept)),
        (Some(_), Some(_)) => quote!(Self::#ident(__kept, __value)),
    }
}

/// The local variable that refers to a field of a variant.
fn lent(member: &Member) -> Ident {
    match member {
        Member::Named(name) => local(name),
        Member::Unnamed(index) => format_ident!("__f_{}", index.index),
    }
}

/// Writes the fields of a variant.
fn lend(part: &Part, ty: &Type) -> TokenStream {
    let lender = &part.lent;
    let own = part.members.iter().map(|(_, own)| own);
    let locals = part.members.iter().map(|(member, _)| lent(member));
    quote!(<#ty>::__emit_lent(&#lender { #(#own: #locals),* }, __out, __passed)?;)
}

/// A variant out of the tag that it keeps and its value.
fn construct(variant: &Variant<'_>, value: &TokenStream) -> TokenStream {
    let ident = variant.ident;
    let Some(part) = variant.part else {
        let kept = variant.kept.map(|_| quote!(__tag,));
        return quote!(Self::#ident(#kept #value));
    };
    let kept = variant.kept.map(|_| quote!(0: __tag,));
    let members = part.members.iter().map(|(member, own)| quote!(#member: __value.#own));
    quote!({
        let __value = #value;
        Self::#ident { #kept #(#members),* }
    })
}

/// Reads a variant.
fn read_variant(emitter: &Emitter<'_>, variant: &Variant<'_>) -> TokenStream {
    let ident = variant.ident;
    let args = emitter.variant_args(variant, Site::Walk);
    let rt = &emitter.rt;
    let value = variant.ty.map(|ty| {
        let (walked, part) = emitter.walked(ty, variant.words.until_codec.is_some());
        let read = quote!({
            let __passed = #args;
            __obs.nested::<#walked>(__cur, __passed)? #part
        });
        if !takes_order(emitter.model, ty) {
            return quote!({
                let __from = __cur.pos();
                let __value = #read;
                #rt::union::show(__cur, __obs, __from, &__value);
                __value
            });
        }
        quote!({
            __obs.enter_extra("0", __cur.pos());
            let __value = #read;
            if __O::RECORD {
                __obs.leave(__cur.pos(), &<#ty as #rt::Wire<'_>>::value(&__value));
            }
            __value
        })
    });
    let read = match (value, variant.kept) {
        (Some(value), _) => construct(variant, &value),
        (None, Some(_)) => quote!(Self::#ident(__tag)),
        (None, None) => quote!(Self::#ident),
    };
    quote!(__rt::Ok(#read))
}

/// Reads a variant in a function of its own: without optimization, the values of all variants would lie on the
/// stack beside each other.
fn apart(emitter: &Emitter<'_>, read: &TokenStream) -> TokenStream {
    let rt = &emitter.rt;
    quote!(#rt::union::variant(__cur, __obs, |__cur, __obs| { #read }))
}

/// The same of what is more than a name.
fn read_apart(emitter: &Emitter<'_>, variant: &Variant<'_>) -> TokenStream {
    let read = read_variant(emitter, variant);
    if variant.ty.is_some() { apart(emitter, &read) } else { read }
}

/// The variant that reads best.
fn probe(emitter: &Emitter<'_>, variants: &[Variant<'_>]) -> TokenStream {
    let rt = &emitter.rt;
    let tries = variants.iter().enumerate().filter_map(|(index, variant)| {
        let ty = variant.ty?;
        let (ty, part) = emitter.walked(ty, variant.words.until_codec.is_some());
        let read = construct(variant, &quote!(__value #part));
        let args = emitter.variant_args(variant, Site::Walk);
        Some(quote! {
            let __passed = #args;
            if let __rt::Some(__value) =
                __probe.variant::<#ty, __O>(#index, __cur, __obs, __passed)
            {
                break '__probe __rt::Ok(#read);
            }
        })
    });
    let reads = variants.iter().enumerate().map(|(index, variant)| {
        let read = read_apart(emitter, variant);
        quote!(#index => #read)
    });
    quote! {
        '__probe: {
            let mut __probe = #rt::Probe::default();
            #(#tries)*
            match __probe.choose(__cur, __obs)? {
                #(#reads,)*
                _ => __rt::Err(#rt::walk::no_variant(__cur, __obs)),
            }
        }
    }
}
