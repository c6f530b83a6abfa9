//! Enums of shapes: told apart by a tag, by a magic or by reading.

mod tags;

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use syn::{Ident, Member, Type};

use super::write::valid::of_any_lifetime;
use super::{Emitter, Products, Site, local, magic, magic_array, text, unraw};
use crate::attr::{Magic, Word};
use crate::model::{Variant, encoded, takes_arguments, takes_order, variant_magics};
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
        by_magic(emitter, variants)
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
            match self { #(#writes)* }
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
    let kept = keeps_a_magic(emitter, variant).then(|| {
        let choice = list(&variant_magics(emitter.model, variant));
        let bytes = if keeps_a_byte(variant) { quote!(&[*__kept]) } else { quote!(__kept) };
        quote!(#rt::union::put_magic(__out, #bytes, #choice)?;)
    });
    let magic = own_magic(emitter, variant).map(|magic| {
        let bytes = magic_array(emitter.model, &magic.value);
        if emitter.model.has_ordered_magics() {
            quote!(__out.put(&#rt::ops::in_order(#bytes, __out.order))?;)
        } else {
            quote!(__out.put(&#bytes)?;)
        }
    });
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
        if takes_the_rest(ty) && !ends {
            quote!(#emit #rt::write::ends(__out, "0", 1)?;)
        } else if takes_order(emitter.model, ty) {
            quote!(__out.enter("0"); #emit __out.leave();)
        } else {
            emit
        }
    });
    let pattern = pattern(variant);
    let ahead = stays_itself(emitter, variants, variant);
    quote!(#pattern => { #agree #ahead #kept #magic #value })
}

/// Whether a value that no word of a variant ends is as long as its region.
fn takes_the_rest(ty: &Type) -> bool {
    encoded(ty).is_some() || ["FlatBuffer", "Blob"].iter().any(|name| takes_arguments(ty, name))
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

/// Insists that a reader takes what is written of a variant for that variant and for no earlier one.
fn stays_itself(
    emitter: &Emitter<'_>,
    variants: &[Variant<'_>],
    variant: &Variant<'_>,
) -> TokenStream {
    let (rt, words) = (&emitter.rt, &emitter.model.words);
    if words.probe.is_some() {
        return probed(emitter, variants, variant);
    }
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
    let (own, mut others) = (list(&own), list(&earlier));
    if emitter.model.has_ordered_magics() {
        let big: Vec<Vec<u8>> =
            earlier.iter().map(|bytes| bytes.iter().rev().copied().collect()).collect();
        let big = list(&big);
        others = quote!(match __out.order {
            #rt::Order::Big => #big,
            #rt::Order::Little => #others,
        });
    }
    let peek = words
        .peek
        .as_ref()
        .map_or_else(|| quote!(0), |peek| quote::ToTokens::to_token_stream(&peek.value));
    quote!(__out.ahead(#peek, #rt::Ahead::Variant(#own, #others))?;)
}

/// Magics as a list of bytes.
fn list(magics: &[Vec<u8>]) -> TokenStream {
    let magics = magics.iter().map(|bytes| quote!(&[#(#bytes),*]));
    quote!(&[#(#magics),*])
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

/// Whether a variant holds the one of its magics that was read.
fn keeps_a_magic(emitter: &Emitter<'_>, variant: &Variant<'_>) -> bool {
    variant.words.magics.is_some() && emitter.model.words.peek.is_none()
}

/// Whether that is a single byte, and no array.
fn keeps_a_byte(variant: &Variant<'_>) -> bool {
    variant.kept.is_some_and(|kept| matches!(kept, Type::Path(_)))
}

/// The magic in front of the value; one that is peeked at is a part of the value.
fn own_magic<'v>(emitter: &Emitter<'_>, variant: &'v Variant<'_>) -> Option<&'v Word<Magic>> {
    variant.words.magic.as_ref().filter(|_| emitter.model.words.peek.is_none())
}

/// The variant whose magic is there, in one `match`; the last one may have none.
fn by_magic(emitter: &Emitter<'_>, variants: &[Variant<'_>]) -> TokenStream {
    let rt = &emitter.rt;
    let mut fallback = quote!(__rt::Err(#rt::walk::no_variant(__cur, __obs)));
    let mut known = Vec::new();
    for variant in variants {
        let read = read_variant(emitter, variant);
        let magics = variant_magics(emitter.model, variant);
        match magics.is_empty() {
            true => fallback = read,
            false => known.push((magics, read, variant)),
        }
    }
    let peek = emitter.model.words.peek.as_ref().map(|peek| &peek.value);
    let number = match peek {
        Some(_) => None,
        None => one_number(known.iter().flat_map(|(magics, ..)| magics)),
    };
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
        quote! {
            #(#patterns)|* => {
                #step
                #read
            }
        }
    });
    let begin = match (&number, peek) {
        (Some(ty), _) if emitter.model.has_ordered_magics() => {
            quote!(#rt::union::peek_in_order::<#ty>(__cur))
        }
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
        let read = read_variant(emitter, variant);
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
