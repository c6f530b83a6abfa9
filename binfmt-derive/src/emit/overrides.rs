//! `level(..)`: a table for the recorder, and what the findings of one field weigh.

use proc_macro2::TokenStream;
use quote::quote;

use super::Emitter;
use crate::attr::{Weight, Words};
use crate::model::Field;
use crate::model::limits::ItemRule;

fn severity(rt: &TokenStream, weight: Weight) -> TokenStream {
    match weight {
        Weight::Error => quote!(#rt::Severity::Error),
        Weight::Warning => quote!(#rt::Severity::Warning),
        Weight::Note | Weight::Off => quote!(#rt::Severity::Note),
    }
}

/// The severity overrides of a type or a field as data, if there are any.
pub(super) fn table(rt: &TokenStream, words: &Words) -> Option<TokenStream> {
    let overrides = words.level.as_ref()?.value.iter().map(|(code, weight)| {
        let severity = match weight {
            Weight::Off => quote!(__rt::None),
            weight => {
                let severity = severity(rt, *weight);
                quote!(__rt::Some(#severity))
            }
        };
        quote!((#code, #severity))
    });
    Some(quote!(&[#(#overrides),*]))
}

/// What `unique` or `sorted_by` of a field weighs.
pub(super) fn weight_of_items(field: &Field<'_>, rule: &ItemRule<'_>) -> Weight {
    let mut overrides = field.words.level.iter().flat_map(|word| &word.value);
    let own = overrides.find(|(code, _)| code.value() == rule.word());
    own.map_or(Weight::Error, |(_, weight)| *weight)
}

/// The same as data.
pub(super) fn of_items(rt: &TokenStream, field: &Field<'_>, rule: &ItemRule<'_>) -> TokenStream {
    severity(rt, weight_of_items(field, rule))
}

/// Steps of a walk beside a field, whose findings its overrides weigh.
pub(super) fn about(emitter: &Emitter<'_>, field: &Field<'_>, steps: TokenStream) -> TokenStream {
    if steps.is_empty() || field.words.level.is_none() {
        return steps;
    }
    let Some((index, _)) = emitter.model.field(&field.name) else { return steps };
    quote! {
        __obs.about(Self::__WIRE, #index);
        #steps
        __obs.about(Self::__WIRE, ::core::primitive::usize::MAX);
    }
}
