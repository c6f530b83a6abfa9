//! The generated code. Everything here reads the model alone.

mod args;
mod bits;
mod checksum;
mod enums;
mod expr;
mod flat;
mod layout;
mod levels;
mod limits;
mod magic;
mod map;
mod new;
mod open;
mod plain;
mod prefix;
mod rule;
mod skip;
mod strings;
mod unions;
mod walk;
mod write;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{GenericParam, Ident, Lifetime, LitStr, Type, parse_quote};

use crate::attr::Order;
use crate::derived::Step;
use crate::model::{Body, Field, Model};
use crate::steps::{self, Steps};

pub(crate) use args::{is_parameter, takes_order};
pub(crate) use magic::{alternatives, keeper_type, magic_array, magic_bytes, magic_len};
pub(crate) use rule::placeholders;

/// What every part of the emission needs.
pub(crate) struct Emitter<'m> {
    pub(crate) model: &'m Model<'m>,
    pub(crate) steps: &'m [Step<'m>],
    /// What happens to the bytes of the declaration, in order.
    pub(crate) lowered: Steps<'m>,
    /// What generated code calls the interface that the runtime has for it.
    pub(crate) rt: TokenStream,
    pub(crate) lifetime: Lifetime,
    /// Expression functions, emitted once and called by every product.
    functions: RefCell<Vec<TokenStream>>,
    emitted: RefCell<HashMap<*const crate::expr::Expr, Ident>>,
    /// The optional field whose value, and not whose `Option`, the expression at hand is about.
    opened: RefCell<Option<Ident>>,
    /// The type of the items that `it` stands for, within the words of a field with `for_each`.
    row: Cell<Option<&'m Type>>,
}

/// All impls of one declared type.
pub(crate) fn emit<'m>(model: &'m Model<'m>, steps: &'m [Step<'m>]) -> TokenStream {
    let krate = match &model.words.krate {
        Some(path) => path.value.to_token_stream(),
        None => quote!(::binfmt_runtime),
    };
    let lifetime = model.lifetime.cloned().unwrap_or_else(|| parse_quote!('__bin));
    let emitter = Emitter {
        model,
        steps,
        lowered: steps::lower(model),
        rt: quote!(__rt),
        lifetime,
        functions: RefCell::default(),
        emitted: RefCell::default(),
        opened: RefCell::default(),
        row: Cell::new(None),
    };
    let impls = impls(&emitter);
    quote! {
        #[allow(
            clippy::trivially_copy_pass_by_ref, clippy::ptr_arg, clippy::ref_option, clippy::ref_option_ref,
            unused_mut, unused_variables,
            reason = "one shape of code for every declaration"
        )]
        const _: () = {
            use #krate::__private as __rt;
            #impls
        };
    }
}

fn impls(emitter: &Emitter<'_>) -> TokenStream {
    let model = emitter.model;
    if model.is_table() {
        return flat::table(emitter);
    }
    if let Some(variants) = model.schemas() {
        return flat::schemas::emit(emitter, variants);
    }
    if let (true, Body::Union(variants)) = (model.is_flat_union(), &model.body) {
        return flat::union(emitter, variants);
    }
    let products = match &model.body {
        Body::Struct(_) if let Some(storage) = &model.words.bits => {
            bits::products(emitter, &storage.value)
        }
        Body::Struct(_) => Products {
            walk: walk::emit(emitter),
            write: write::emit(emitter),
            value: walk::value(emitter),
            sizes: layout::sizes(emitter),
        },
        Body::Enum { .. } => enums::numbers(emitter),
        Body::Union(variants) => unions::union(emitter, variants),
    };
    let inline = model.words.flatbuffer.is_some().then(|| flat::inline(emitter));
    let impls = emitter.impls(products);
    quote!(#impls #inline)
}

/// The bodies of the trait's items.
pub(crate) struct Products {
    pub(crate) walk: TokenStream,
    pub(crate) write: TokenStream,
    pub(crate) value: TokenStream,
    /// `MIN_SIZE` and `FIXED`.
    pub(crate) sizes: (TokenStream, TokenStream),
}

impl Emitter<'_> {
    fn impls(&self, products: Products) -> TokenStream {
        let Products { walk, write, value, sizes: (min_size, fixed) } = products;
        let (rt, lifetime, name) = (&self.rt, &self.lifetime, &self.model.input.ident);
        let (_, ty_generics, _) = self.model.input.generics.split_for_impl();
        let generics = self.generics();
        let (impl_generics, _, bounds) = generics.split_for_impl();
        let layout = layout::layout(self);
        // The layout of an enum with many names is large, but no stack ever holds it.
        let many = matches!(&self.model.body, Body::Enum { variants, .. } if variants.len() > 100)
            .then(|| quote!(#[allow(clippy::large_stack_arrays, reason = "it is a constant")]));
        let shallow = layout::shallow(self);
        let open = open::open(self);
        let parameters = self.model.parameters().iter();
        let names: Vec<_> = parameters.map(|parameter| text(&unraw(&parameter.name))).collect();
        let parameters = (!names.is_empty())
            .then(|| quote!(const PARAMETERS: &'static [&'static str] = &[#(#names),*];));
        let args_ty = self.args_ty();
        let args =
            args_pattern(self.model.parameters().iter().map(|parameter| argument(&parameter.name)));
        let bind = (!names.is_empty()).then(|| quote!(let #args = __args;));
        let default_args = self.default_args();
        let functions = self.own_functions();
        let extra = enums::extra_impls(self);
        let constructor = new::constructor(self);
        quote! {
            #functions
            #extra
            #constructor

            #[automatically_derived]
            impl #impl_generics #rt::Wire<#lifetime> for #name #ty_generics #bounds {
                type Args = #args_ty;
                #many
                const WIRE: &'static #rt::Layout = #layout;
                const MIN_SIZE: usize = #min_size;
                const FIXED: bool = #fixed;
                const SHALLOW: bool = #shallow;
                const OPEN: bool = #open;
                #parameters

                #[inline(always)]
                fn walk<__O: #rt::Observer>(
                    __cur: &mut #rt::Cursor<#lifetime>,
                    __obs: &mut __O,
                    __args: Self::Args,
                ) -> __rt::Result<Self, #rt::Fault> {
                    #bind
                    #walk
                }

                #[inline]
                fn emit(
                    &self,
                    __out: &mut #rt::Writer<'_>,
                    __args: Self::Args,
                ) -> __rt::Result<(), #rt::Fault> {
                    #bind
                    #write
                }

                fn value(&self) -> #rt::Value<'_> {
                    #value
                }
            }

            #[automatically_derived]
            impl #impl_generics #rt::BinFormat<#lifetime> for #name #ty_generics #bounds {}

            #default_args
        }
    }

    /// The functions of all expressions, which every product calls.
    fn own_functions(&self) -> Option<TokenStream> {
        let functions = self.functions.take();
        let name = &self.model.input.ident;
        let (generics, ty_generics, where_clause) = self.model.input.generics.split_for_impl();
        (!functions.is_empty()).then(|| {
            quote! {
                #[automatically_derived]
                #[doc(hidden)]
                impl #generics #name #ty_generics #where_clause { #(#functions)* }
            }
        })
    }

    /// The name of the static declaration, in the impls of the type.
    pub(crate) fn wire(&self) -> Ident {
        Ident::new(if self.model.is_table() { "FLAT" } else { "WIRE" }, Span::call_site())
    }

    /// The generics of the impls: with a lifetime, and bounds on every type parameter.
    fn generics(&self) -> syn::Generics {
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
        if let Some(bound) = &self.model.words.bound {
            generics.make_where_clause().predicates.extend(bound.value.iter().cloned());
        }
        generics
    }

    fn args_ty(&self) -> TokenStream {
        let types: Vec<&Type> =
            self.model.parameters().iter().map(|parameter| &parameter.ty).collect();
        match (types.as_slice(), &self.model.words.args) {
            ([one], _) => one.to_token_stream(),
            (types, args) => {
                let span = args.as_ref().map_or_else(Span::call_site, |args| args.span);
                quote_spanned!(span=> (#(#types),*))
            }
        }
    }

    fn default_args(&self) -> Option<TokenStream> {
        let parameters = self.model.parameters();
        let mut values = Vec::new();
        for parameter in parameters {
            values.push(self.constant(parameter.default.as_ref()?));
        }
        let values = (!values.is_empty()).then(|| args_pattern(values.into_iter()));
        let (rt, lifetime, name) = (&self.rt, &self.lifetime, &self.model.input.ident);
        let (_, ty_generics, _) = self.model.input.generics.split_for_impl();
        let generics = self.generics();
        let (impl_generics, _, bounds) = generics.split_for_impl();
        Some(quote! {
            #[automatically_derived]
            impl #impl_generics #rt::DefaultArgs<#lifetime> for #name #ty_generics #bounds {
                fn default_args() -> Self::Args { #values }
            }
        })
    }

    /// The runtime's `Option` of a fill byte.
    pub(crate) fn fill(field: &Field<'_>) -> TokenStream {
        let fill = field
            .words
            .fill
            .as_ref()
            .and_then(|fill| fill.value.base10_parse::<u8>().ok())
            .unwrap_or(0);
        quote!(#fill)
    }
}

/// Where an expression stands, and so what its names are bound to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Site {
    /// Values that have just been read.
    Walk,
    /// References to the fields of `self`.
    Write,
}

/// The local variable that holds a field.
pub(crate) fn local(name: &Ident) -> Ident {
    format_ident!("__f_{}", unraw(name))
}

/// The local variable that holds an argument.
pub(crate) fn argument(name: &Ident) -> Ident {
    format_ident!("__a_{}", unraw(name))
}

pub(crate) fn unraw(name: &Ident) -> String {
    syn::ext::IdentExt::unraw(name).to_string()
}

pub(crate) fn order(rt: &TokenStream, order: Option<Order>) -> TokenStream {
    match order {
        Some(Order::Big) => quote!(#rt::BE),
        _ => quote!(#rt::LE),
    }
}

/// Nothing, one thing, or a tuple.
pub(crate) fn args_pattern<T: ToTokens>(parts: impl Iterator<Item = T>) -> TokenStream {
    let parts: Vec<T> = parts.collect();
    match parts.as_slice() {
        [one] => one.to_token_stream(),
        _ => quote!((#(#parts),*)),
    }
}

/// A type as its author would write it.
pub(crate) fn type_text(ty: &Type) -> String {
    let text = ty.to_token_stream().to_string();
    let mut out = String::new();
    for c in text.chars() {
        let tight = matches!(c, '>' | ',' | ';' | ']' | ')') || (c == '<' && out.ends_with(' '));
        if tight && out.ends_with(' ') {
            out.pop();
        }
        if !(c == ' ' && out.ends_with(['<', '&', '[', '(', ':'])) {
            out.push(c);
        }
    }
    out.replace(" ::", "::").replace("<' ", "<'")
}

/// A string literal.
pub(crate) fn text(value: &str) -> LitStr {
    LitStr::new(value, Span::call_site())
}
