//! The constants that end bytes, texts and items.

use proc_macro2::TokenStream;
use quote::quote;

use super::Emitter;
use super::walk::remaining;
use crate::attr::{Order, TerminatorRole};
use crate::model::{ByteOrder, Field, Numeric};

/// The bytes of the constant that ends a field, which outlive the value.
pub(super) fn bytes(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let bytes = |order| {
        let bytes = field.terminator_bytes(order);
        quote!(&[#(#bytes),*])
    };
    let (little, big) = (bytes(Order::Little), bytes(Order::Big));
    match field.order(emitter.model) {
        Some(ByteOrder::Fixed(order)) => bytes(order),
        Some(ByteOrder::Dynamic) if field.item_number().is_some_and(|number| number.size > 1) => {
            quote!((match __order { #rt::Order::Little => #little, #rt::Order::Big => #big } as &[u8]))
        }
        _ => little,
    }
}

/// The end of items in front of a constant, or where fewer bytes are left than one more needs.
pub(super) fn before(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let bytes = bytes(emitter, field);
    let least = match &field.words.least {
        Some(least) => remaining(emitter, Some(&least.value)),
        None => quote!(0),
    };
    quote!(Before(#bytes, #least))
}

/// Looks whether the value of a string has its terminator in itself.
pub(super) fn check(emitter: &Emitter<'_>, field: &Field<'_>, value: &TokenStream) -> TokenStream {
    let Some(terminator) = field.terminator() else { return TokenStream::new() };
    let (rt, bytes) = (&emitter.rt, bytes(emitter, field));
    let or_end = field.words.least.is_some();
    match terminator.role {
        TerminatorRole::PeekedLast => TokenStream::new(),
        TerminatorRole::Kept if or_end => {
            quote!(#rt::terminator::is_last_or_end(__out, #value, #bytes)?;)
        }
        TerminatorRole::Peeked if or_end => {
            quote!(#rt::terminator::is_behind_or_end(__out, #value, #bytes)?;)
        }
        TerminatorRole::Kept => quote!(#rt::terminator::is_last(__out, #value, #bytes)?;),
        _ => quote!(#rt::terminator::is_behind(__out, #value, #bytes)?;),
    }
}

/// Writes the terminator behind the value, or has it looked for where it must follow.
pub(super) fn behind(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let Some(terminator) = field.terminator() else { return TokenStream::new() };
    let (rt, bytes) = (&emitter.rt, bytes(emitter, field));
    match terminator.role {
        TerminatorRole::Follows => quote!(__out.put(#bytes)?;),
        TerminatorRole::Kept => TokenStream::new(),
        // What follows bytes is looked at with them.
        TerminatorRole::Peeked if field.is_bytes_or_end() => TokenStream::new(),
        TerminatorRole::Peeked => match &field.words.least {
            Some(least) => {
                let least = remaining(emitter, Some(&least.value));
                quote!(#rt::terminator::comes_or(__out, #bytes, #least)?;)
            }
            None => quote!(__out.ahead(0, #rt::Ahead::Comes(#bytes))?;),
        },
        TerminatorRole::PeekedLast => quote!(__out.ahead(0, #rt::Ahead::Last(#bytes))?;),
    }
}

/// Writes the items in front of a terminator, which none of them is or begins with.
pub(super) fn items(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let rt = &emitter.rt;
    if let Some(least) = &field.words.least {
        let (bytes, least) = (bytes(emitter, field), remaining(emitter, Some(&least.value)));
        return quote!(#rt::vec::emit_before_or(__value, __out, __passed, #least, #bytes)?;);
    }
    let Some(number) = field.item_number() else {
        let bytes = bytes(emitter, field);
        return quote!(#rt::vec::emit_before(__value, __out, __passed, #bytes)?;);
    };
    let bytes = field.terminator_bytes(Order::Little);
    let negative =
        number.numeric == Numeric::Signed && bytes.last().is_some_and(|high| *high > 0x7f);
    let mut wide = if negative { [0xff; 8] } else { [0; 8] };
    for (to, from) in wide.iter_mut().zip(bytes) {
        *to = from;
    }
    let last = u64::from_le_bytes(wide);
    quote! {
        #rt::vec::emit_unlike(__value, __out, __passed, |__item| {
            #rt::ops::to_bits(#rt::ops::Widen::widen(*__item)) == #last
        })?;
    }
}
