//! Levels that make an error of what a writer keeps: what is written is validated.

use proc_macro2::TokenStream;
use quote::quote;

use crate::attr::Weight;
use crate::emit::Emitter;
use crate::model::Model;

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
