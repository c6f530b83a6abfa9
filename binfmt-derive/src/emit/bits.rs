//! Structs of bit fields: one integer is read and taken apart, put together and written.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::{Emitter, Products, local, order, text, unraw, walk, write};
use crate::attr::First;
use crate::model::Field;

/// The bodies of a struct of bit fields in the integer `storage`.
pub(super) fn products(emitter: &Emitter<'_>, storage: &Type) -> Products {
    let rt = &emitter.rt;
    Products {
        walk: read(emitter, storage),
        write: emit(emitter, storage),
        value: quote!(#rt::Value::Group),
        sizes: (quote!(<#storage as #rt::Int>::SIZE), quote!(true)),
    }
}

/// Each field with its lowest bit and its width.
fn places<'m>(emitter: &Emitter<'m>) -> Vec<(&'m Field<'m>, u32, u32)> {
    let width = |field: &Field<'_>| {
        field.words.width.as_ref().and_then(|width| width.value.base10_parse().ok()).unwrap_or(0)
    };
    let fields = emitter.model.fields();
    let mut above: u32 = fields.iter().map(width).sum();
    let mut below = 0;
    let highest_first =
        emitter.model.words.first.as_ref().is_some_and(|first| first.value == First::Highest);
    let place = |field| {
        let width = width(field);
        above -= width;
        let shift = if highest_first { above } else { below };
        below += width;
        (field, shift, width)
    };
    fields.iter().map(place).collect()
}

fn read(emitter: &Emitter<'_>, storage: &Type) -> TokenStream {
    let (rt, model) = (&emitter.rt, emitter.model);
    let order = order(rt, model.words.order.as_ref().map(|order| order.value));
    let count = model.fields().len();
    let fields = places(emitter).into_iter().enumerate().map(|(index, (field, shift, width))| {
        let (name, ty) = (local(&field.name), field.ty);
        let rules = walk::rules(emitter, index, field, emitter.lowered.of(index));
        quote! {
            __obs.enter(Self::WIRE, #index, __start);
            __spans.set(#index, __start, __cur.pos());
            let #name = #rt::bits::take::<#ty, __O>(__cur, __obs, __bits, #shift, #width)?;
            if __O::RECORD { __obs.leave(__cur.pos(), &#rt::BitField::rendered(&#name)); }
            #rules
        }
    });
    let fields: TokenStream = fields.collect();
    let rules = emitter.type_rules();
    let value = walk::construct(emitter);
    quote! {
        let __start = __cur.pos();
        let mut __spans = #rt::place::Spans::<#count>::new(Self::WIRE);
        let __bits = (
            #rt::bits::load::<#storage, __O>(__cur, __obs, #order)?,
            <#storage as #rt::Int>::SIZE,
        );
        #fields
        #rules
        #value
    }
}

fn emit(emitter: &Emitter<'_>, storage: &Type) -> TokenStream {
    let (rt, model) = (&emitter.rt, emitter.model);
    let order = order(rt, model.words.order.as_ref().map(|order| order.value));
    let bindings = model.fields().iter().map(write::binding);
    let rules =
        model.fields().iter().map(|field| emitter.write_rules(Some(field), &field.words.rules));
    let whole = emitter.write_rules(None, &model.words.rules);
    let computed = model.words.computed.iter().map(|computed| emitter.write_computed(computed));
    let fields = places(emitter).into_iter().map(|(field, shift, width)| {
        let (name, member) = (text(&unraw(&field.name)), &field.member);
        quote!(#rt::bits::put(__out, #name, &self.#member, #shift, #width)?)
    });
    quote! {
        let __start = __out.pos();
        #(#bindings)*
        #(#rules)*
        #whole
        #(#computed)*
        let __bits = 0_u64 #(| #fields)*;
        #rt::bits::store::<#storage>(__out, __bits, #order)
    }
}
