//! Variants that are told apart by the magic in front of them, or by one that is peeked at.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Ident, Type};

use super::{apart, read_apart, read_variant};
use crate::emit::{Emitter, magic_array};
use crate::model::{Variant, variant_magics};

/// The variant whose magic is there, in one `match`; the last one may have none.
pub(super) fn walk(emitter: &Emitter<'_>, variants: &[Variant<'_>]) -> TokenStream {
    let rt = &emitter.rt;
    let peek = emitter.model.words.peek.as_ref().map(|peek| &peek.value);
    let at = peek.map_or_else(|| quote!(0), ToTokens::to_token_stream);
    let ordered = emitter.model.has_ordered_magics();
    let all: Vec<_> =
        variants.iter().flat_map(|variant| variant_magics(emitter.model, variant)).collect();
    let all = list(&all);
    let mut fallback = quote!(__rt::Err(#rt::union::no_magic(__cur, __obs, (#at, #all, #ordered))));
    let mut known = Vec::new();
    for variant in variants {
        let magics = variant_magics(emitter.model, variant);
        if magics.is_empty() {
            fallback = read_apart(emitter, variant);
        } else {
            known.push((magics, read_variant(emitter, variant), variant));
        }
    }
    let number = one_number(known.iter().flat_map(|(magics, ..)| magics));
    // What is peeked at is compared as bytes, unless the order around tells which these are.
    let number = number.filter(|_| peek.is_none() || ordered);
    let arms = known.iter().map(|(magics, read, variant)| {
        let len = magics.iter().map(Vec::len).max().unwrap_or(0);
        let keep = match (keeps_a_magic(emitter, variant), keeps_a_byte(variant)) {
            (false, _) => None,
            (true, false) => Some(quote!(let __tag =)),
            (true, true) => Some(quote!(let [__tag] =)),
        };
        let step = peek
            .is_none()
            .then(|| quote!(#keep #rt::union::known_magic::<__O, #len>(__cur, __obs)?;));
        let patterns = match (byte_range(magics), number.is_some()) {
            (Some((low, high)), true) => vec![quote!(__rt::Some(#low..=#high))],
            (Some((low, high)), false) => vec![quote!([#low..=#high, ..])],
            (None, true) => {
                magics.iter().map(|one| little(one)).map(|one| quote!(__rt::Some(#one))).collect()
            }
            (None, false) => magics.iter().map(|one| quote!([#(#one,)* ..])).collect(),
        };
        let read = apart(emitter, &quote!(#step #read));
        quote!(#(#patterns)|* => #read,)
    });
    let begin = match (&number, peek) {
        (Some(ty), _) if ordered => quote!(#rt::union::peek_in_order::<#ty>(__cur, #at)),
        (Some(ty), _) => quote!(#rt::union::peek::<#ty>(__cur)),
        (None, Some(at)) => quote!(#rt::walk::behind(__cur, #at)),
        (None, None) => quote!(__cur.rest()),
    };
    quote! {
        match #begin {
            #(#arms)*
            _ => #fallback,
        }
    }
}

/// The first and the last of magics that are all bytes of a range.
fn byte_range(magics: &[Vec<u8>]) -> Option<(u8, u8)> {
    let bytes = magics.iter().map(|one| <[u8; 1]>::try_from(one.as_slice()).map(|[byte]| byte));
    let bytes: Vec<u8> = bytes.collect::<Result<_, _>>().ok()?;
    let ([low, .., high], true) =
        (bytes.as_slice(), bytes.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1])))
    else {
        return None;
    };
    Some((*low, *high))
}

/// The integer type that has room for exactly every magic.
fn one_number<'k>(known: impl Iterator<Item = &'k Vec<u8>>) -> Option<Ident> {
    let mut lens = known.map(Vec::len);
    let len = lens.next()?;
    let whole = matches!(len, 1 | 2 | 4 | 8) && lens.all(|other| other == len);
    whole.then(|| format_ident!("u{}", len.saturating_mul(8)))
}

/// The number that bytes are, lowest first.
fn little(bytes: &[u8]) -> Literal {
    let value = bytes.iter().rev().fold(0_u64, |value, byte| (value << 8) | u64::from(*byte));
    Literal::u64_unsuffixed(value)
}

/// Insists that a reader takes what is written of a variant for that variant and for no earlier one.
pub(super) fn stays_itself(
    emitter: &Emitter<'_>,
    variants: &[Variant<'_>],
    variant: &Variant<'_>,
) -> TokenStream {
    let (rt, words) = (&emitter.rt, &emitter.model.words);
    let own = variant_magics(emitter.model, variant);
    let earlier = variants.iter().take_while(|other| other.ident != variant.ident);
    let earlier: Vec<Vec<u8>> =
        earlier.flat_map(|other| variant_magics(emitter.model, other)).collect();
    // A magic in front that is written tells the variant, unless it is the beginning of an earlier one.
    let begins = |other: &Vec<u8>| own.iter().any(|own| other.starts_with(own));
    let begins_another = earlier.iter().any(begins);
    let given = words.tag.is_some() || (!own.is_empty() && words.peek.is_none() && !begins_another);
    if given || (earlier.is_empty() && own.is_empty()) {
        return TokenStream::new();
    }
    let (own, others) = (in_order(emitter, &own), in_order(emitter, &earlier));
    let peek = words.peek.as_ref().map_or_else(|| quote!(0), |peek| peek.value.to_token_stream());
    quote!(__out.ahead(#peek, #rt::Ahead::Variant(#own, #others))?;)
}

/// Writes the magic in front of the value of a variant, which is one of its own.
pub(super) fn put(emitter: &Emitter<'_>, variant: &Variant<'_>) -> Option<TokenStream> {
    let (rt, model) = (&emitter.rt, emitter.model);
    if model.words.peek.is_some() {
        return None;
    }
    if variant.words.magics.is_some() {
        let choice = list(&variant_magics(model, variant));
        let bytes = if keeps_a_byte(variant) { quote!(&[*__kept]) } else { quote!(__kept) };
        return Some(quote!(#rt::union::put_magic(__out, #bytes, #choice)?;));
    }
    let bytes = magic_array(model, &variant.words.magic.as_ref()?.value);
    let ordered = model.has_ordered_magics();
    let bytes = if ordered { quote!(#rt::ops::in_order(#bytes, __out.order)) } else { bytes };
    Some(quote!(__out.put(&#bytes)?;))
}

/// Magics as a list of bytes, which the order around turns if they are numbers in it.
fn in_order(emitter: &Emitter<'_>, magics: &[Vec<u8>]) -> TokenStream {
    let (rt, little) = (&emitter.rt, list(magics));
    if magics.is_empty() || !emitter.model.has_ordered_magics() {
        return little;
    }
    let big = magics.iter().map(|bytes| bytes.iter().rev().copied().collect());
    let big = list(&big.collect::<Vec<_>>());
    quote!(match __out.order {
        #rt::Order::Big => #big,
        #rt::Order::Little => #little,
    })
}

/// Magics as a list of bytes.
fn list(magics: &[Vec<u8>]) -> TokenStream {
    let magics = magics.iter().map(|bytes| quote!(&[#(#bytes),*]));
    quote!(&[#(#magics),*])
}

/// Whether a variant holds the one of its magics that was read.
fn keeps_a_magic(emitter: &Emitter<'_>, variant: &Variant<'_>) -> bool {
    variant.words.magics.is_some() && emitter.model.words.peek.is_none()
}

/// Whether that is a single byte, and no array.
fn keeps_a_byte(variant: &Variant<'_>) -> bool {
    variant.kept.is_some_and(|kept| matches!(kept, Type::Path(_)))
}
