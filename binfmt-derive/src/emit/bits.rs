//! Structs of bit fields: one integer is read and taken apart, put together and written.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::{Emitter, Products, local, order, overrides, text, unraw, walk, write};
use crate::attr::First;
use crate::model::{Field, Storage};
use crate::tokens::mention;

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
        value: None,
        sizes: (size, quote!(true)),
    }
}

/// Where a bit field lies, and the paddings around it: the lowest bit and the width of each.
struct Place<'m> {
    field: &'m Field<'m>,
    before: (u32, u32),
    own: (u32, u32),
    after: (u32, u32),
}

fn places<'m>(emitter: &Emitter<'m>) -> Vec<Place<'m>> {
    let fields = emitter.model.fields();
    let all = fields.iter().map(Field::widths);
    let mut above: u32 = all.map(|widths| widths.before + widths.own + widths.after).sum();
    let mut below = 0;
    let highest_first =
        emitter.model.words.first.as_ref().is_some_and(|first| first.value == First::Highest);
    let mut next = |width| {
        above -= width;
        let shift = if highest_first { above } else { below };
        below += width;
        (shift, width)
    };
    let place = |field: &'m Field<'m>| {
        let widths = field.widths();
        let (before, own) = (next(widths.before), next(widths.own));
        Place { field, before, own, after: next(widths.after) }
    };
    fields.iter().map(place).collect()
}

/// Looks at a padding, if there is one.
fn padding(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    in_bytes: bool,
    (shift, width): (u32, u32),
) -> TokenStream {
    if width == 0 {
        return TokenStream::new();
    }
    let rt = &emitter.rt;
    let look = if in_bytes {
        quote!(#rt::bits::padding_in_bytes(__cur, __obs, &__bits, (__start, #shift, #width));)
    } else {
        quote!(#rt::bits::padding(__cur, __obs, __bits, (__start, #shift, #width));)
    };
    overrides::about(emitter, field, look)
}

/// Takes a field out of what has been read.
fn own(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    take: &TokenStream,
    bits: &TokenStream,
) -> TokenStream {
    let (rt, name, ty) = (&emitter.rt, local(&field.name), field.ty);
    let leave = |value| quote!(if __O::RECORD { __obs.leave(__cur.pos(), &#value); });
    let Some(constant) = field.constant_bits() else {
        let leave = leave(quote!(#rt::BitField::rendered(&#name)));
        return quote! {
            let #name = #take::<#ty, __O>(__cur, __obs, #bits)?;
            #leave
        };
    };
    let leave = leave(quote!(#rt::Value::Uint(#constant)));
    quote! {
        let __found = #take::<u64, __O>(__cur, __obs, #bits)?;
        #rt::bits::constant(__obs, (__start, __cur.pos()), __found, #constant)?;
        #leave
        let #name = ();
    }
}

/// The byte order of the integer: its own, or that of what `around` is in.
fn order_of(emitter: &Emitter<'_>, around: &TokenStream) -> TokenStream {
    if emitter.model.inherits() {
        return quote!(#around.order);
    }
    order(&emitter.rt, emitter.model.words.order.as_ref().map(|order| order.value))
}

fn read(emitter: &Emitter<'_>, storage: &Type, bytes: Option<usize>) -> TokenStream {
    let (rt, model) = (&emitter.rt, emitter.model);
    let order = order_of(emitter, &quote!(__cur));
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
    let fields = places(emitter).into_iter().enumerate().map(|(index, place)| {
        let (field, (shift, width)) = (place.field, place.own);
        let before = padding(emitter, field, bytes.is_some(), place.before);
        let after = padding(emitter, field, bytes.is_some(), place.after);
        let bits = if bytes.is_some() { quote!(&__bits) } else { quote!(__bits) };
        let rules = walk::rules(emitter, index, field, emitter.lowered.of(index));
        let own = own(emitter, field, &quote!(#rt::bits::#take), &quote!(#bits, #shift, #width));
        quote! {
            #before
            __obs.enter(Self::__WIRE, #index, __start);
            __spans.set(#index, __start, __cur.pos());
            #own
            #after
            #rules
        }
    });
    let fields: TokenStream = fields.collect();
    let rules = emitter.type_rules();
    let value = walk::construct(emitter);
    quote! {
        let __start = __cur.pos();
        let mut __spans = #rt::place::Spans::<#count>::new(Self::__WIRE);
        let __bits #ty = #load;
        #fields
        #rules
        #value
    }
}

fn emit(emitter: &Emitter<'_>, storage: &Type, bytes: Option<usize>) -> TokenStream {
    let (rt, model) = (&emitter.rt, emitter.model);
    let order = order_of(emitter, &quote!(__out));
    let bindings = model.fields().iter().map(|field| write::binding(emitter, field));
    let rules =
        model.fields().iter().map(|field| emitter.write_rules(Some(field), &field.words.rules));
    let whole = emitter.write_rules(None, &model.words.rules);
    let computed = model.words.computed.iter().map(|computed| emitter.write_computed(computed));
    let fields = places(emitter).into_iter().map(|Place { field, own: (shift, width), .. }| {
        let (name, member) = (text(&unraw(&field.name)), &field.member);
        let value = match field.constant_bits() {
            None => quote!(self.#member),
            Some(constant) => quote!(#constant),
        };
        if bytes.is_some() {
            quote!(#rt::bits::put_in_bytes(__out, &mut __bits, #name, &#value, #shift, #width)?;)
        } else {
            quote!(| #rt::bits::put(__out, #name, &#value, #shift, #width)?)
        }
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
    let rules: TokenStream = rules.collect();
    let wire = mention(rules.clone(), "__wire").then(|| emitter.own_layout());
    quote! {
        #wire
        let __start = __out.pos();
        #(#bindings)*
        #rules
        #whole
        #(#computed)*
        #made
        #store
    }
}
