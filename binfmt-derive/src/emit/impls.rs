//! The impls of a type around the bodies that the other parts emit.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{GenericParam, Ident, Type, parse_quote};

use super::args::with_lifetime;
use super::write::valid::affords;
use super::{
    Emitter, Products, args_pattern, argument, enums, family, frame, layout, new, open, sizes,
    skip, text, unraw,
};
use crate::model::{Body, Kind};
use crate::parts::Part;

impl Emitter<'_> {
    /// An impl of a trait of the runtime.
    pub(super) fn implement(&self, of: &TokenStream, items: &TokenStream) -> TokenStream {
        let (rt, name) = (&self.rt, &self.model.input.ident);
        let generics = self.generics();
        let (impl_generics, _, bounds) = generics.split_for_impl();
        let (_, ty_generics, _) = self.model.input.generics.split_for_impl();
        quote! {
            #[automatically_derived]
            impl #impl_generics #rt::#of for #name #ty_generics #bounds { #items }
        }
    }

    /// All impls of a type that is no table.
    pub(super) fn impls(&self, products: Products) -> TokenStream {
        let lifetime = &self.lifetime;
        let lent = self.model.part.map(|part| self.lent(part, &products.write));
        let apart = self.calls_methods().then(|| self.apart(&products));
        let products = if apart.is_some() { self.calls_what_is_apart(products) } else { products };
        let wire = self.wire_items(products, apart.is_some());
        let wire = self.implement(&quote!(Wire<#lifetime>), &wire);
        let methods = self.computed_methods();
        let functions = self.own_functions();
        let extra = enums::extra_impls(self);
        let constructor = new::constructor(self);
        let format = self.implement(&quote!(BinFormat<#lifetime>), &TokenStream::new());
        let default_args = self.default_args();
        let family = family(self.model.input, &self.rt);
        quote!(#functions #lent #apart #extra #constructor #methods #wire #format #default_args #family)
    }

    /// The items of `Wire`.
    fn wire_items(&self, products: Products, apart: bool) -> TokenStream {
        let Products { walk, write, value, sizes: (min_size, fixed) } = products;
        let (rt, lifetime) = (&self.rt, &self.lifetime);
        let layout = layout::layout(self);
        // The layout of an enum with many names is large, but no stack ever holds it.
        let many = matches!(&self.model.body, Body::Enum { variants, .. } if variants.len() > 100)
            .then(|| quote!(#[allow(clippy::large_stack_arrays, reason = "it is a constant")]));
        let (shallow, open, frame) = (sizes::shallow(self), open::open(self), frame::frame(self));
        let inline = if apart { quote!(#[inline(always)]) } else { self.inline() };
        let parameters = self.model.parameters();
        let args_ty = self.args_ty();
        let names = (!parameters.is_empty()).then(|| {
            let names = parameters.iter().map(|parameter| text(&unraw(&parameter.name)));
            quote!(const PARAMETERS: &'static [&'static str] = &[#(#names),*];)
        });
        let (bind, affords) = (self.bound_args().filter(|_| !apart), affords(self));
        let value = value.map(|value| quote!(fn value(&self) -> #rt::Value<'_> { #value }));
        let write = match self.model.part {
            Some(part) => lends_itself(part),
            None => quote!(#bind #write),
        };
        // A type that nobody else sees is told where it is named, which is the first declared one.
        let declared = parameters.iter().find(|one| matches!(Kind::of(&one.ty), Kind::Nested));
        let at = declared.map_or_else(Span::call_site, |one| one.ty.span());
        let at = Span::call_site().located_at(at);
        let (head, end) = (quote_spanned!(at=> type Args =), quote_spanned!(at=> ;));
        quote! {
            #head #args_ty #end
            #many
            const WIRE: &'static #rt::Layout = #layout;
            const MIN_SIZE: usize = #min_size;
            const FIXED: bool = #fixed;
            const SHALLOW: bool = #shallow;
            const OPEN: #rt::Open = #open;
            #frame
            #names

            #inline
            fn walk<__O: #rt::Observer>(
                __cur: &mut #rt::Cursor<#lifetime>,
                __obs: &mut __O,
                __args: <Self as #rt::Wire<#lifetime>>::Args,
            ) -> __rt::Result<Self, #rt::Fault> {
                #bind
                #walk
            }

            #[inline]
            fn emit(
                &self,
                __out: &mut #rt::Writer<'_>,
                __args: <Self as #rt::Wire<#lifetime>>::Args,
            ) -> __rt::Result<(), #rt::Fault> {
                #write
            }

            #affords
            #value
        }
    }

    /// How the walk is built.
    pub(super) fn inline(&self) -> TokenStream {
        if self.model.has_tables() {
            // One function for all who walk such a value, where each of the others has a walk of its
            // own in place.
            return quote!(#[inline(never)]);
        }
        // Where nothing is optimized, a function has the locals of all that is walked in place.
        quote!(#[cfg_attr(debug_assertions, inline(never))] #[cfg_attr(not(debug_assertions), inline(always))])
    }

    /// The locals that hold the arguments.
    pub(super) fn bound_args(&self) -> Option<TokenStream> {
        let parameters = self.model.parameters();
        let args = args_pattern(parameters.iter().map(|parameter| argument(&parameter.name)));
        (!parameters.is_empty()).then(|| quote!(let #args = __args;))
    }

    /// The writer of the fields of a variant, which stay where they are.
    fn lent(&self, part: &Part, write: &TokenStream) -> TokenStream {
        let (rt, name, lender) = (&self.rt, &self.model.input.ident, &part.lent);
        let generics = self.generics();
        let (impl_generics, _, bounds) = generics.split_for_impl();
        let (_, ty_generics, _) = self.model.input.generics.split_for_impl();
        let mut lent = self.model.input.generics.clone();
        lent.params.insert(0, parse_quote!('_));
        let (_, lent, _) = lent.split_for_impl();
        let (args_ty, bind) = (self.args_ty(), self.bound_args());
        quote! {
            #[automatically_derived]
            impl #impl_generics #name #ty_generics #bounds {
                #[inline]
                fn __emit_lent(
                    __lent: &#lender #lent,
                    __out: &mut #rt::Writer<'_>,
                    __args: #args_ty,
                ) -> __rt::Result<(), #rt::Fault> {
                    #bind
                    #write
                }
            }
        }
    }

    /// The functions of all expressions, which every product calls.
    pub(super) fn own_functions(&self) -> Option<TokenStream> {
        let functions = self.functions.take();
        let name = &self.model.input.ident;
        let (generics, ty_generics, where_clause) = self.model.input.generics.split_for_impl();
        (!functions.is_empty()).then(|| {
            let traits = self.traits(&functions.iter().cloned().collect());
            quote! {
                #traits
                #[automatically_derived]
                #[doc(hidden)]
                impl #generics #name #ty_generics #where_clause { #(#functions)* }
            }
        })
    }

    /// The name of the static declaration, in the impls of the type: one that no constant of the user has.
    pub(crate) fn wire(&self) -> Ident {
        Ident::new(if self.model.is_table() { "__FLAT" } else { "__WIRE" }, Span::call_site())
    }

    /// The local with the static declaration, for the body of a writer.
    pub(super) fn own_layout(&self) -> TokenStream {
        let (rt, lifetime) = (&self.rt, &self.lifetime);
        quote!(let __wire = <Self as #rt::Wire<#lifetime>>::WIRE;)
    }

    /// The generics of the impls: with a lifetime, and bounds on every type parameter.
    pub(super) fn generics(&self) -> syn::Generics {
        let lifetime = &self.lifetime;
        let mut generics = self.model.input.generics.clone();
        if self.model.lifetime.is_none() {
            generics.params.insert(0, GenericParam::Lifetime(parse_quote!(#lifetime)));
        }
        let types = generics.type_params().map(|param| param.ident.clone());
        let types: Vec<Ident> = types.filter(|ty| skip::is_read(self.model, ty)).collect();
        for ty in types {
            let bound = self.parameter_bound(&ty);
            generics.make_where_clause().predicates.push(bound);
        }
        skip::ask_for_defaults(self.model, &mut generics);
        if let Some(bound) = &self.model.words.bound {
            generics.make_where_clause().predicates.extend(bound.value.iter().cloned());
        }
        generics
    }

    pub(super) fn args_ty(&self) -> TokenStream {
        let types: Vec<Type> = self
            .model
            .parameters()
            .iter()
            .map(|one| with_lifetime(&one.ty, &self.lifetime))
            .collect();
        match (types.as_slice(), &self.model.words.args) {
            ([one], _) => one.to_token_stream(),
            (types, args) => {
                let span = args.as_ref().map_or_else(Span::call_site, |args| args.span);
                quote_spanned!(span=> (#(#types),*))
            }
        }
    }

    fn default_args(&self) -> Option<TokenStream> {
        let defaults = self.model.parameters().iter().map(|parameter| parameter.default.as_ref());
        let values: Option<Vec<_>> =
            defaults.map(|default| default.map(|expr| self.constant(expr))).collect();
        let values = values?;
        let values = (!values.is_empty()).then(|| args_pattern(values.into_iter()));
        let (rt, lifetime) = (&self.rt, &self.lifetime);
        let items = quote!(fn default_args() -> <Self as #rt::Wire<#lifetime>>::Args { #values });
        Some(self.implement(&quote!(DefaultArgs<#lifetime>), &items))
    }
}

/// Writes the fields of a variant out of their own struct.
fn lends_itself(part: &Part) -> TokenStream {
    let lender = &part.lent;
    let own = part.members.iter().map(|(_, own)| quote!(#own: &self.#own));
    quote!(Self::__emit_lent(&#lender { #(#own),* }, __out, __args))
}
