//! Enums of numbers, and other types that stand for a number in expressions.

use proc_macro2::TokenStream;
use quote::quote;

use syn::Ident;

use super::unions::Constants;
use super::{Emitter, Products, order, text, unraw};
use crate::model::{Body, Kept, Named, Numeric, Scalar};

/// An enum of numbers.
pub(crate) fn numbers(
    emitter: &Emitter<'_>,
    repr: Scalar,
    kept: &[Kept<'_>],
    other: Option<&Ident>,
) -> Products {
    let rt = &emitter.rt;
    let fixed = order(rt, emitter.model.words.order.as_ref().map(|order| order.value));
    let (read_order, write_order) = if emitter.model.inherits() {
        (quote!(__cur.order), quote!(__out.order))
    } else {
        (fixed.clone(), fixed)
    };
    let size = usize::from(repr.size);
    let put = match other {
        _ if !kept.is_empty() => quote!(#rt::named::put_kept(__out, self, __order)),
        Some(_) => quote!(#rt::named::put(__out, self, __order)),
        None => quote!(#rt::Int::put(#rt::Named::number(self), __out, __order)),
    };
    Products {
        walk: quote!({
            let __order = #read_order;
            #rt::named::read::<Self, __O>(__cur, __obs, __order)
        }),
        write: quote!({
            let __order = #write_order;
            #put
        }),
        value: Some(quote!(#rt::named::value(self))),
        sizes: (quote!(#size), quote!(true)),
    }
}

/// The number of an enum value; numbers and flags may stand in expressions.
pub(crate) fn extra_impls(emitter: &Emitter<'_>) -> TokenStream {
    let (rt, name) = (&emitter.rt, &emitter.model.input.ident);
    match &emitter.model.body {
        Body::Enum { repr, repr_ty, variants, kept, other } => {
            let named = named(rt, repr_ty, variants, kept, *other);
            let wide = if repr.numeric == Numeric::Signed { quote!(i64) } else { quote!(u64) };
            let widen = widen(emitter, &wide, &quote!(#rt::Named::number(self)));
            quote! {
                #[automatically_derived]
                impl #rt::Named for #name { #named }
                #widen
            }
        }
        Body::Struct(fields) if emitter.model.words.bitflags.is_some() => {
            let (ty, member) = fields.first().map(|field| (field.ty, &field.member)).unzip();
            widen(emitter, &quote!(<#ty as #rt::ops::Widen>::Wide), &quote!(self.#member))
        }
        Body::Union(variants) => super::unions::tagged(emitter, variants),
        Body::Struct(_) => TokenStream::new(),
    }
}

/// The items of `Named`: numbers and their names.
fn named(
    rt: &TokenStream,
    repr_ty: &Ident,
    variants: &[Named<'_>],
    kept: &[Kept<'_>],
    other: Option<&Ident>,
) -> TokenStream {
    let (mut found, mut numbered) = (Vec::new(), Vec::new());
    for Named { ident, number, .. } in variants {
        let name = text(&unraw(ident));
        found.push(quote!(__number if __number == #number => __rt::Some(Self::#ident)));
        numbered.push(quote!(Self::#ident => (#number, __rt::Some(#name))));
    }
    let mut constants = Constants::of(rt);
    for Kept { ident, words, .. } in kept {
        let name = text(&unraw(ident));
        let ids = constants.pattern(words, &quote!(#repr_ty));
        found.push(quote!(__number @ (#ids) => __rt::Some(Self::#ident(__number))));
        numbered.push(quote!(Self::#ident(__number) => (*__number, __rt::Some(#name))));
    }
    let constants = constants.tokens;
    match other {
        Some(ident) => {
            found.push(quote!(__number => __rt::Some(Self::#ident(__number))));
            numbered.push(quote!(Self::#ident(__number) => (*__number, __rt::None)));
        }
        None => found.push(quote!(_ => __rt::None)),
    }
    quote! {
        type Number = #repr_ty;

        #[inline(always)]
        fn of_number(__number: #repr_ty) -> __rt::Option<Self> {
            #constants
            match __number { #(#found),* }
        }

        #[inline(always)]
        fn numbered(&self) -> (#repr_ty, __rt::Option<&'static str>) {
            match self { #(#numbered),* }
        }
    }
}

/// The impl by which a reference to a value stands for `number` in expressions.
fn widen(emitter: &Emitter<'_>, wide: &TokenStream, number: &TokenStream) -> TokenStream {
    let (rt, name) = (&emitter.rt, &emitter.model.input.ident);
    quote! {
        #[automatically_derived]
        #[doc(hidden)]
        impl #rt::ops::Widen for &#name {
            type Wide = #wide;

            #[inline(always)]
            fn widen(self) -> #wide {
                #rt::ops::Widen::widen(#number)
            }
        }
    }
}
