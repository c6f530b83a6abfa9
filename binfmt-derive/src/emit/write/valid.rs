//! Levels that make an error of what a writer keeps: what is written is validated.

use proc_macro2::TokenStream;
use quote::quote;

use crate::attr::{Parameter, Weight};
use crate::emit::Emitter;
use crate::model::Model;

/// Insists that what is written of the value is valid, where a `level` makes errors of findings that stop
/// no writer.
pub(super) fn valid(emitter: &Emitter<'_>) -> Option<TokenStream> {
    let (rt, model) = (&emitter.rt, emitter.model);
    let mut weights = model.all_words().flat_map(|words| &words.level).flat_map(|word| &word.value);
    if !weights.any(|(_, weight)| *weight == Weight::Error) || !outlives(model) {
        return None;
    }
    let name = &model.input.ident;
    let lifetime = model.lifetime.map(|_| quote!(<'_>));
    Some(quote! {
        #rt::write::valid(__out, move |__cur| {
            #rt::write::is_valid::<#name #lifetime>(__cur, __args)
        })?;
    })
}

/// Whether the type and its arguments live as long as the list of what readers must find: a type that others fill in,
/// and arguments that borrow, do not.
pub(in crate::emit) fn outlives(model: &Model<'_>) -> bool {
    let lives = |parameter: &Parameter| match &parameter.ty {
        syn::Type::Path(path) => {
            path.path.segments.iter().all(|segment| segment.arguments.is_none())
        }
        _ => false,
    };
    let generics = &model.input.generics;
    generics.type_params().next().is_none()
        && generics.const_params().next().is_none()
        && model.parameters().iter().all(lives)
}
