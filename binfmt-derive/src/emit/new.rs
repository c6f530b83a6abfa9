//! `new`: a constructor of all that is not computed.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::{Ident, Member};

use super::{Emitter, local};
use crate::model::{Body, Field, Kind, scalar};
use crate::tokens::respanned;

/// The function `new`, which takes the free fields in their order.
pub(super) fn constructor(emitter: &Emitter<'_>) -> TokenStream {
    let model = emitter.model;
    let Body::Struct(fields) = &model.body else { return TokenStream::new() };
    let Some(word) = &model.words.new else { return TokenStream::new() };
    let derived = |index: usize| emitter.steps.iter().any(|step| step.target == index);
    let computed = |index: usize, field: &Field<'_>| {
        let words = &field.words;
        // A declared type may have no default.
        let has_default = match field.kind {
            Kind::Nested => false,
            Kind::Array(item) => scalar(item).is_some(),
            _ => true,
        };
        let made = has_default && field.made_by().is_some();
        let said = made || words.checksum.is_some() || field.byte_tag.is_some();
        said || derived(index) || matches!(field.kind, Kind::Auto(..))
    };
    // Whether a number is there is not computed.
    let free = |(index, field): &(usize, &Field<'_>)| {
        field.is_optional() || !computed(*index, field) && !is_reserved(field)
    };
    let all = || fields.iter().enumerate();
    let parameters = all().filter(free).map(|(_, field)| {
        let (name, ty) = (parameter(field), field.ty);
        quote!(#name: #ty)
    });
    let values = all().map(|(index, field)| {
        let (member, name) = (&field.member, parameter(field));
        if free(&(index, field)) {
            quote!(#member: #name)
        } else {
            let empty = empty(field);
            quote!(#member: #empty)
        }
    });
    let skipped = super::skip::members(emitter);
    let kept = super::skip::kept(model).map(|(name, ty)| quote!(#name: #ty));
    let parameters = parameters.chain(kept);
    // One place for all of the head, so that a function `new` of the user is told at the word.
    let at = Span::call_site().located_at(word.span);
    let (name, vis) = (&model.input.ident, respanned(model.input.vis.to_token_stream(), at));
    let (head, gives) = (quote_spanned!(at=> fn new), quote_spanned!(at=> -> Self));
    let mut generics = model.input.generics.clone();
    super::skip::ask_for_defaults(model, &mut generics);
    let (generics, ty_generics, bounds) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #generics #name #ty_generics #bounds {
            /// Makes a value of all that the writer does not compute.
            #[must_use]
            #[allow(dead_code, clippy::too_many_arguments, reason = "it has the fields of the declaration")]
            #vis #head(#(#parameters),*) #gives {
                Self { #(#values,)* #skipped }
            }
        }
    }
}

fn parameter(field: &Field<'_>) -> Ident {
    match &field.member {
        Member::Named(name) => name.clone(),
        Member::Unnamed(_) => local(&field.name),
    }
}

/// What a field holds that the writer computes; long arrays have no default, and their items do.
fn empty(field: &Field<'_>) -> TokenStream {
    match field.kind {
        Kind::Array(_) => {
            quote!(::core::array::from_fn(|_| ::core::default::Default::default()))
        }
        _ => quote!(::core::default::Default::default()),
    }
}

/// Whether a field holds bytes without a meaning.
fn is_reserved(field: &Field<'_>) -> bool {
    matches!(field.ty, syn::Type::Path(path)
        if path.path.segments.last().is_some_and(|last| last.ident == "Reserved" && !last.arguments.is_none()))
}
