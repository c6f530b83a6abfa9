//! Enums of numbers, and other types that stand for a number in expressions.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Emitter, Products, order, text, unraw};
use crate::model::{Body, Numeric};

/// An enum of numbers.
pub(crate) fn numbers(emitter: &Emitter<'_>) -> Products {
    let rt = &emitter.rt;
    let Body::Enum { repr, repr_ty, variants, other } = &emitter.model.body else { return empty() };
    let fixed = order(rt, emitter.model.words.order.as_ref().map(|order| order.value));
    let (read_order, write_order) = if emitter.model.inherits() {
        (quote!(__cur.order), quote!(__out.order))
    } else {
        (fixed.clone(), fixed)
    };
    let size = usize::from(repr.size);
    let reads = variants.iter().map(|named| {
        let (ident, number) = (named.ident, named.number);
        quote!(__number if __number == #number => ::core::result::Result::Ok(Self::#ident))
    });
    let fallback = match other {
        Some(ident) => quote!(__number => ::core::result::Result::Ok(Self::#ident(__number))),
        None => quote! {
            __number => {
                let __found = #rt::ops::to_bits(#rt::ops::Widen::widen(__number));
                ::core::result::Result::Err(#rt::walk::unknown(__cur, __obs, #size, __found))
            }
        },
    };
    let names = variants.iter().map(|named| {
        let (ident, name) = (named.ident, text(&unraw(named.ident)));
        quote!(Self::#ident => ::core::option::Option::Some(#name))
    });
    let unnamed = other.map(|ident| quote!(Self::#ident(_) => ::core::option::Option::None,));
    Products {
        walk: quote! {
            let __order = #read_order;
            match #rt::walk::int::<#repr_ty, __O>(__cur, __obs, __order)? {
                #(#reads,)*
                #fallback
            }
        },
        write: quote! {
            let __order = #write_order;
            #rt::Int::put(self.__bin_number(), __out, __order)
        },
        value: quote! {
            #rt::Value::Enum {
                number: #rt::ops::to_bits(#rt::ops::Widen::widen(self.__bin_number())),
                name: match self { #(#names,)* #unnamed },
            }
        },
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
            let numbers = variants.iter().map(|named| {
                let (ident, number) = (named.ident, named.number);
                quote!(Self::#ident => #number)
            });
            let unknown = other.map(|ident| quote!(Self::#ident(__number) => *__number,));
            quote! {
                #[automatically_derived]
                impl #name {
                    #[doc(hidden)]
                    #[inline(always)]
                    #[allow(clippy::trivially_copy_pass_by_ref, reason = "an enum need not be `Copy`")]
                    fn __bin_number(&self) -> #repr_ty {
                        match self { #(#numbers,)* #unknown }
                    }
                }

                #[automatically_derived]
                impl #rt::ops::Widen for &#name {
                    type Wide = #wide;

                    #[inline(always)]
                    fn widen(self) -> #wide {
                        #rt::ops::Widen::widen(self.__bin_number())
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
