//! Enums of numbers, and other types that stand for a number in expressions.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Emitter, Products, order, text, unraw};
use crate::model::{Body, Numeric};

/// An enum of numbers.
pub(crate) fn numbers(emitter: &Emitter<'_>) -> Products {
    let rt = &emitter.rt;
    let Body::Enum { repr, other, .. } = &emitter.model.body else { return empty() };
    let fixed = order(rt, emitter.model.words.order.as_ref().map(|order| order.value));
    let (read_order, write_order) = if emitter.model.inherits() {
        (quote!(__cur.order), quote!(__out.order))
    } else {
        (fixed.clone(), fixed)
    };
    let size = usize::from(repr.size);
    let put = if other.is_some() {
        quote!(#rt::bits::put_named(__out, self, __order))
    } else {
        quote!(#rt::Int::put(#rt::Named::number(self), __out, __order))
    };
    Products {
        walk: quote!({
            let __order = #read_order;
            #rt::bits::named::<Self, __O>(__cur, __obs, __order)
        }),
        write: quote!({
            let __order = #write_order;
            #put
        }),
        value: quote!(#rt::bits::named_value(self)),
        sizes: (quote!(#size), quote!(true)),
    }
}

fn empty() -> Products {
    let nothing = TokenStream::new();
    Products {
        walk: nothing.clone(),
        write: nothing.clone(),
        value: nothing.clone(),
        sizes: (nothing.clone(), nothing),
    }
}

/// The number of an enum value; numbers and flags may stand in expressions.
pub(crate) fn extra_impls(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let name = &emitter.model.input.ident;
    match &emitter.model.body {
        Body::Enum { repr, repr_ty, variants, other } => {
            let wide = if repr.numeric == Numeric::Signed { quote!(i64) } else { quote!(u64) };
            let all = || variants.iter().map(|named| (named.ident, named.number));
            let found = all().map(|(ident, number)| {
                quote!(__number if __number == #number => ::core::option::Option::Some(Self::#ident))
            });
            let numbers = all().map(|(ident, number)| quote!(Self::#ident => #number));
            let names = all().map(|(ident, _)| {
                let name = text(&unraw(ident));
                quote!(Self::#ident => ::core::option::Option::Some(#name))
            });
            let (kept, unknown, unnamed) = match other {
                Some(ident) => (
                    quote!(__number => ::core::option::Option::Some(Self::#ident(__number))),
                    Some(quote!(Self::#ident(__number) => *__number,)),
                    Some(quote!(Self::#ident(_) => ::core::option::Option::None,)),
                ),
                None => (quote!(_ => ::core::option::Option::None), None, None),
            };
            quote! {
                #[automatically_derived]
                impl #rt::Named for #name {
                    type Number = #repr_ty;

                    #[inline(always)]
                    fn of_number(__number: #repr_ty) -> ::core::option::Option<Self> {
                        match __number { #(#found,)* #kept }
                    }

                    #[inline(always)]
                    fn number(&self) -> #repr_ty {
                        match self { #(#numbers,)* #unknown }
                    }

                    fn name(&self) -> ::core::option::Option<&'static str> {
                        match self { #(#names,)* #unnamed }
                    }
                }

                #[automatically_derived]
                impl #rt::ops::Widen for &#name {
                    type Wide = #wide;

                    #[inline(always)]
                    fn widen(self) -> #wide {
                        #rt::ops::Widen::widen(#rt::Named::number(self))
                    }
                }
            }
        }
        Body::Struct(_) if emitter.model.words.bitflags.is_some() => {
            let ty = emitter.model.fields().first().map(|field| field.ty);
            let member = emitter.model.fields().first().map(|field| &field.member);
            quote! {
                #[automatically_derived]
                impl #rt::ops::Widen for &#name {
                    type Wide = <#ty as #rt::ops::Widen>::Wide;

                    #[inline(always)]
                    fn widen(self) -> Self::Wide {
                        #rt::ops::Widen::widen(self.#member)
                    }
                }
            }
        }
        Body::Union(variants) => super::unions::tagged(emitter, variants),
        Body::Struct(_) => TokenStream::new(),
    }
}
