//! Fields that are in the struct alone.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Ident, Type};

use super::{Emitter, argument, text, unraw};
use crate::model::{Field, Model};
use crate::tokens::{mention, respanned};

/// The members of a struct that are not read.
pub(super) fn members(emitter: &Emitter<'_>) -> TokenStream {
    let model = emitter.model;
    let members = model.skipped.iter().map(|field| {
        let member = &field.member;
        let value = match model.kept_argument(field) {
            Some(kept) => argument(&kept.name).to_token_stream(),
            None => value(&emitter.rt, field),
        };
        quote!(#member: #value,)
    });
    members.collect()
}

/// The arguments that fields keep, as parameters of a function, and the locals that hold them.
pub(super) fn kept<'m>(model: &'m Model<'_>) -> impl Iterator<Item = (Ident, &'m Type)> {
    let kept = model.skipped.iter().filter_map(|field| model.kept_argument(field));
    kept.map(|argument_| (argument(&argument_.name), &argument_.ty))
}

/// The arguments of a writer must be those that fields keep: a reader would keep others.
pub(super) fn compare_kept(emitter: &Emitter<'_>) -> TokenStream {
    let (rt, model) = (&emitter.rt, emitter.model);
    let kept = model.skipped.iter().filter_map(|field| Some((field, model.kept_argument(field)?)));
    let compared = kept.map(|(field, kept)| {
        let (held, name) = (emitter.held(&field.member), text(&unraw(&field.name)));
        let given = argument(&kept.name);
        quote!(#rt::write::kept_argument(__out, #name, #held == #given)?;)
    });
    compared.collect()
}

/// What a field holds that is not read.
fn value(rt: &TokenStream, field: &Field<'_>) -> TokenStream {
    let (ty, rt) = (field.ty, respanned(rt.clone(), field.ty.span()));
    match &field.words.default {
        Some(default) => default.value.to_token_stream(),
        None => quote_spanned!(ty.span()=> #rt::wanted::skipped::<#ty>()),
    }
}

/// Asks for a default of every type made with type parameters that a field holds which is not read.
pub(super) fn ask_for_defaults(model: &Model<'_>, generics: &mut syn::Generics) {
    let fields = model.skipped.iter().filter(|field| field.words.default.is_none());
    for ty in fields.map(|field| field.ty) {
        if model.input.generics.type_params().any(|parameter| mentions(ty, &parameter.ident)) {
            let bound = syn::parse_quote!(#ty: ::core::default::Default);
            generics.make_where_clause().predicates.push(bound);
        }
    }
}

/// Whether values of a type parameter are read: it is not one of skipped fields alone.
pub(super) fn is_read(model: &Model<'_>, parameter: &Ident) -> bool {
    let mut skipped = model.skipped.iter();
    let skipped = skipped.any(|field| mentions(field.ty, parameter));
    !skipped || model.fields().iter().any(|field| mentions(field.ty, parameter))
}

/// Whether a type is made with a type parameter.
pub(super) fn mentions(ty: &Type, parameter: &Ident) -> bool {
    mention(ty.to_token_stream(), &parameter.to_string())
}
