//! Constants that values begin with, and the byte orders that follow from them.

use proc_macro2::TokenStream;
use quote::quote;

use super::expr::Wanted;
use super::{Emitter, Site, local, order};
use crate::attr::{Endian, Magic, Order};
use crate::model::{ByteOrder, Field, Model, alternatives, bytes_in, magic_bytes};

/// The magic of a variant as an array of bytes.
pub(crate) fn magic_array(model: &Model<'_>, magic: &Magic) -> TokenStream {
    let bytes = magic_bytes(model, magic).unwrap_or_default();
    quote!([#(#bytes),*])
}

/// A magic in a byte order that may be known only when the file is read.
fn ordered(rt: &TokenStream, magic: &Magic, order: Option<ByteOrder>) -> TokenStream {
    let fixed = match order {
        Some(ByteOrder::Fixed(order)) => Some(order),
        _ => None,
    };
    let bytes = bytes_in(magic, fixed).unwrap_or_default();
    match (magic, order) {
        (Magic::Int(_), Some(ByteOrder::Dynamic)) => {
            quote!(#rt::ops::in_order([#(#bytes),*], __order))
        }
        _ => quote!([#(#bytes),*]),
    }
}

/// The magic of a field, in the order of its numbers.
pub(crate) fn field_magic(emitter: &Emitter<'_>, field: &Field<'_>) -> Option<TokenStream> {
    Some(magic_at(emitter, Some(field), &field.words.magic.as_ref()?.value))
}

/// The magic of a field as a constant that outlives the value.
pub(crate) fn field_magics(emitter: &Emitter<'_>, field: &Field<'_>) -> Option<TokenStream> {
    let magic = &field.words.magic.as_ref()?.value;
    let rt = &emitter.rt;
    let bytes = |order| {
        let bytes = bytes_in(magic, Some(order)).unwrap_or_default();
        quote!(&[&[#(#bytes),*]])
    };
    let (little, big) = (bytes(Order::Little), bytes(Order::Big));
    Some(match (magic, field.order(emitter.model)) {
        (Magic::Int(_), Some(ByteOrder::Dynamic)) => {
            quote!(match __order { #rt::Order::Little => #little, #rt::Order::Big => #big })
        }
        (_, Some(ByteOrder::Fixed(order))) => bytes(order),
        _ => little,
    })
}

/// The magic of a struct.
pub(crate) fn type_magic(emitter: &Emitter<'_>) -> Option<TokenStream> {
    Some(magic_at(emitter, None, &emitter.model.words.magic.as_ref()?.value))
}

/// A magic in front of a field or of the whole value, in the byte order there.
pub(crate) fn magic_at(
    emitter: &Emitter<'_>,
    field: Option<&Field<'_>>,
    magic: &Magic,
) -> TokenStream {
    let model = emitter.model;
    let order = field.map_or_else(|| model.order_at(0), |field| field.order(model));
    ordered(&emitter.rt, magic, order)
}

/// The magics that a type has a choice of, as an array of arrays.
pub(crate) fn choice(model: &Model<'_>) -> TokenStream {
    let all = alternatives(model).into_iter().map(|(bytes, _)| quote!([#(#bytes),*]));
    quote!(&[#(#all),*])
}

/// The byte order that the value tells, once it is known.
pub(crate) fn dynamic_order(emitter: &Emitter<'_>, site: Site) -> Option<TokenStream> {
    let rt = &emitter.rt;
    let value = match &emitter.model.words.endian.as_ref()?.value {
        Endian::Inherit if site == Site::Walk => quote!(__cur.order),
        Endian::Inherit => quote!(__out.order),
        Endian::Magic => {
            let keeper = local(&emitter.model.fields().first()?.name);
            let big = alternatives(emitter.model)
                .into_iter()
                .filter(|(_, order)| *order == Some(Order::Big))
                .map(|(bytes, _)| quote!([#(#bytes),*]));
            let keeper = if site == Site::Walk { quote!(&#keeper) } else { quote!(#keeper) };
            quote!(#rt::walk::order_of(#keeper, &[#(#big),*]))
        }
        Endian::Computed(expr) => {
            let call = emitter.called("endian", expr, Wanted::Order, site);
            quote!(#rt::ops::order(#call))
        }
    };
    let around = emitter.model.fixes_order_around().then(|| match site {
        Site::Walk => quote!(__cur.order = __order;),
        Site::Write => quote!(__out.order = __order;),
    });
    let trace = (site == Site::Write).then(|| quote!(__out.trace_order(__order);));
    Some(quote!(let __order: #rt::Order = #value; #trace #around))
}

/// Makes the order of the type known to the values in it, and what takes that back.
pub(crate) fn around(emitter: &Emitter<'_>, place: &TokenStream) -> (TokenStream, TokenStream) {
    if !emitter.model.fixes_order_around() {
        return (TokenStream::new(), TokenStream::new());
    }
    let set = emitter.model.words.order.as_ref().map(|word| {
        let order = order(&emitter.rt, Some(word.value));
        quote!(#place.order = #order;)
    });
    (quote!(let __around = #place.order; #set), quote!(#place.order = __around;))
}
