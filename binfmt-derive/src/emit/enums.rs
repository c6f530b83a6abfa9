//! Enums: named numbers, and unions told apart by a magic or by reading.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Emitter, Products, Site, magic_array, order, text, unraw};
use crate::model::{Body, Numeric, Variant};

/// An enum of numbers.
pub(crate) fn numbers(emitter: &Emitter<'_>) -> Products {
    let rt = &emitter.rt;
    let Body::Enum { repr, .. } = &emitter.model.body else { return empty() };
    let order = order(rt, emitter.model.words.order.as_ref().map(|order| order.value));
    let size = usize::from(repr.size);
    Products {
        walk: quote!(#rt::bits::named::<Self, __O>(__cur, __obs, #order)),
        write: quote!(#rt::Int::put(#rt::Named::number(self), __out, #order)),
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
        _ => TokenStream::new(),
    }
}

/// One of several shapes.
pub(crate) fn union(emitter: &Emitter<'_>, variants: &[Variant<'_>]) -> Products {
    let rt = &emitter.rt;
    let walk = if emitter.model.words.probe.is_some() {
        probe(emitter, variants)
    } else {
        by_magic(emitter, variants)
    };
    let writes = variants.iter().map(|variant| {
        let ident = variant.ident;
        let magic = variant.words.magic.as_ref().map(|magic| {
            let bytes = magic_array(emitter.model, &magic.value);
            quote!(__out.put(&#bytes)?;)
        });
        let args = emitter.passed_args(
            variant.ty,
            variant.words.args.as_ref().map(|args| &args.value),
            Site::Write,
        );
        match variant.ty {
            Some(_) => {
                quote!(Self::#ident(__value) => {
                    #magic
                    let __passed = #args;
                    #rt::Wire::emit(__value, __out, __passed)?;
                })
            }
            None => quote!(Self::#ident => { #magic }),
        }
    });
    let names = variants.iter().map(|variant| {
        let (ident, name) = (variant.ident, text(&unraw(variant.ident)));
        let pattern =
            if variant.ty.is_some() { quote!(Self::#ident(_)) } else { quote!(Self::#ident) };
        quote!(#pattern => #rt::Value::Str(#name))
    });
    let sizes = variants.iter().map(|variant| {
        let magic = variant
            .words
            .magic
            .as_ref()
            .and_then(|magic| super::magic_bytes(emitter.model, &magic.value));
        let magic = magic.map_or(0, |bytes| bytes.len());
        match variant.ty {
            Some(ty) => quote!(<#ty as #rt::Wire<'_>>::MIN_SIZE.saturating_add(#magic)),
            None => quote!(#magic),
        }
    });
    Products {
        walk,
        write: quote! {
            match self { #(#writes)* }
            ::core::result::Result::Ok(())
        },
        value: quote!(match self { #(#names),* }),
        sizes: (quote!(#rt::ops::least(&[#(#sizes),*])), quote!(false)),
    }
}

/// The variant whose magic is there; the last one may have none.
fn by_magic(emitter: &Emitter<'_>, variants: &[Variant<'_>]) -> TokenStream {
    let rt = &emitter.rt;
    let mut branches = TokenStream::new();
    let mut fallback = quote!(::core::result::Result::Err(#rt::walk::no_variant(__cur, __obs)));
    for variant in variants {
        let read = read_variant(emitter, variant);
        match &variant.words.magic {
            Some(magic) => {
                let bytes = magic_array(emitter.model, &magic.value);
                branches.extend(quote! {
                    if __cur.rest().starts_with(&#bytes) {
                        #rt::walk::magic(__cur, __obs, #bytes)?;
                        return #read;
                    }
                });
            }
            None => fallback = read,
        }
    }
    quote! { #branches #fallback }
}

fn read_variant(emitter: &Emitter<'_>, variant: &Variant<'_>) -> TokenStream {
    let ident = variant.ident;
    let args = emitter.passed_args(
        variant.ty,
        variant.words.args.as_ref().map(|args| &args.value),
        Site::Walk,
    );
    match variant.ty {
        Some(ty) => {
            quote!({
                let __passed = #args;
                ::core::result::Result::Ok(Self::#ident(__obs.nested::<#ty>(__cur, __passed)?))
            })
        }
        None => quote!(::core::result::Result::Ok(Self::#ident)),
    }
}

/// The variant that reads best.
fn probe(emitter: &Emitter<'_>, variants: &[Variant<'_>]) -> TokenStream {
    let rt = &emitter.rt;
    let tries = variants.iter().enumerate().filter_map(|(index, variant)| {
        let ty = variant.ty?;
        let args = emitter.passed_args(
            variant.ty,
            variant.words.args.as_ref().map(|args| &args.value),
            Site::Walk,
        );
        Some(quote! {
            if __O::RECORD || !__probe.passed() {
                let __passed = #args;
                __probe.variant::<#ty, __O>(#index, __cur, __obs, __passed);
            }
        })
    });
    let reads = variants.iter().enumerate().map(|(index, variant)| {
        let read = read_variant(emitter, variant);
        quote!(#index => #read)
    });
    quote! {
        let mut __probe = #rt::Probe::default();
        #(#tries)*
        match __probe.choose(__cur, __obs)? {
            #(#reads,)*
            _ => ::core::result::Result::Err(#rt::walk::no_variant(__cur, __obs)),
        }
    }
}
