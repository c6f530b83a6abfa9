//! Structs of bit fields: one integer is read and taken apart, put together and written.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::{Emitter, Products, local, order, text, unraw, walk, write};
use crate::attr::First;
use crate::model::{Field, Storage};

/// The bodies of a struct of bit fields that lie in the integer, or in the bytes, `storage`.
pub(super) fn products(emitter: &Emitter<'_>, storage: &Type) -> Products {
    let rt = &emitter.rt;
    let bytes = match Storage::of(storage) {
        Some(Storage::Bytes(len)) => Some(len),
        _ => None,
    };
    let size = bytes.map_or_else(|| quote!(<#storage as #rt::Int>::SIZE), |len| quote!(#len));
    Products {
        walk: read(emitter, storage, bytes),
        write: emit(emitter, storage, bytes),
        value: quote!(#rt::Value::Group),
        sizes: (size, quote!(true)),
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

fn read(emitter: &Emitter<'_>, storage: &Type, bytes: Option<usize>) -> TokenStream {
    let (rt, model) = (&emitter.rt, emitter.model);
    let order = order(rt, model.words.order.as_ref().map(|order| order.value));
    let count = model.fields().len();
    let (load, take) = match bytes {
        Some(_) => (quote!(#rt::bits::load_bytes(__cur, __obs, #order)?), quote!(take_from_bytes)),
        None => (
            quote!((
                #rt::bits::load::<#storage, __O>(__cur, __obs, #order)?,
                <#storage as #rt::Int>::SIZE,
            )),
            quote!(take),
        ),
    };
    let ty = bytes.map(|_| quote!(: #storage));
    let fields = places(emitter).into_iter().enumerate().map(|(index, (field, shift, width))| {
        let (name, ty) = (local(&field.name), field.ty);
        let bits = if bytes.is_some() { quote!(&__bits) } else { quote!(__bits) };
        let rules = walk::rules(emitter, index, field, emitter.lowered.of(index));
        quote! {
            __obs.enter(Self::WIRE, #index, __start);
            __spans.set(#index, __start, __cur.pos());
            let #name = #rt::bits::#take::<#ty, __O>(__cur, __obs, #bits, #shift, #width)?;
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
        let __bits #ty = #load;
        #fields
        #rules
        #value
    }
}

fn emit(emitter: &Emitter<'_>, storage: &Type, bytes: Option<usize>) -> TokenStream {
    let (rt, model) = (&emitter.rt, emitter.model);
    let order = order(rt, model.words.order.as_ref().map(|order| order.value));
    let bindings = model.fields().iter().map(write::binding);
    let rules =
        model.fields().iter().map(|field| emitter.write_rules(Some(field), &field.words.rules));
    let whole = emitter.write_rules(None, &model.words.rules);
    let computed = model.words.computed.iter().map(|computed| emitter.write_computed(computed));
    let fields = places(emitter).into_iter().map(|(field, shift, width)| {
        let (name, member) = (text(&unraw(&field.name)), &field.member);
        let put = quote!(#rt::bits::put(__out, #name, &self.#member, #shift, #width)?);
        let in_bytes =
            quote!(#rt::bits::put_in_bytes(__out, &mut __bits, #name, &self.#member, #shift, #width)?;);
        if bytes.is_some() { in_bytes } else { quote!(| #put) }
    });
    let (made, store) = match bytes {
        Some(len) => (
            quote!(let mut __bits: #storage = [0; #len]; #(#fields)*),
            quote!(#rt::bits::store_bytes(__out, __bits, #order)),
        ),
        None => (
            quote!(let __bits = 0_u64 #(#fields)*;),
            quote!(#rt::bits::store::<#storage>(__out, __bits, #order)),
        ),
    };
    quote! {
        let __start = __out.pos();
        #(#bindings)*
        #(#rules)*
        #whole
        #(#computed)*
        #made
        #store
    }
}
