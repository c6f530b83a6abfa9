//! What is written is read again: where a `level` makes an error of what a writer keeps, and where readers may
//! have to pay too much.

use proc_macro2::TokenStream;
use quote::quote;

use crate::attr::Weight;
use crate::emit::Emitter;
use crate::model::{Body, Field, Kind, Model};

/// Insists that what is written of the value is valid, where a `level` makes errors of findings that stop
/// no writer.
pub(super) fn valid(emitter: &Emitter<'_>) -> Option<TokenStream> {
    let (rt, model) = (&emitter.rt, emitter.model);
    let mut weights = model.all_words().flat_map(|words| &words.level).flat_map(|word| &word.value);
    if !weights.any(|(_, weight)| *weight == Weight::Error) || !model.outlives() {
        return None;
    }
    let ty = of_any_lifetime(model);
    Some(quote! {
        #rt::write::valid(__out, move |__cur| #rt::write::is_valid::<#ty>(__cur, __args))?;
    })
}

/// Asks a reader whether it pays for what has been written: one of any lifetime, as `Wire` itself has none. What has
/// nothing inside that readers pay for is not asked.
pub(in crate::emit) fn affords(emitter: &Emitter<'_>) -> Option<TokenStream> {
    let (rt, model) = (&emitter.rt, emitter.model);
    let is_free = |field: &Field<'_>| {
        let plain = matches!(
            field.kind,
            Kind::Scalar(_) | Kind::Auto(..) | Kind::Bytes { .. } | Kind::Text { .. }
        );
        // The last of several ends is searched in all that is left.
        plain && !field.is_located() && field.words.terminator.is_none()
    };
    let is_free = matches!(&model.body, Body::Struct(fields) if fields.iter().all(is_free));
    if is_free || model.part.is_some() || !model.outlives() {
        return None;
    }
    let (ty, args) = (of_any_lifetime(model), emitter.args_ty());
    Some(quote! {
        fn affords(__cur: #rt::Cursor<'_>, __limits: #rt::Limits, __args: #args) -> #rt::Affords {
            #rt::affords::<#ty>(__cur, __limits, __args)
        }
    })
}

/// The type with any lifetime, and the lengths that others fill in.
pub(in crate::emit) fn of_any_lifetime(model: &Model<'_>) -> TokenStream {
    let name = &model.input.ident;
    let lifetime = model.lifetime.map(|_| quote!('_,));
    let lengths: Vec<_> = model.input.generics.const_params().map(|param| &param.ident).collect();
    if lifetime.is_none() && lengths.is_empty() {
        return quote!(#name);
    }
    quote!(#name<#lifetime #(#lengths),*>)
}
