//! The pipeline, from a declaration to its impls.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Type};

use crate::errors::Errors;
use crate::parts::{self, Part};
use crate::{check, derived, emit, fallback, model};

/// Expands a declaration, or reports every mistake in it.
pub(crate) fn expand(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let is_number = |ty: &Type| model::scalar(ty).is_some();
    let Some((rest, parts)) = parts::take(&mut errors, input, &is_number) else {
        return one(&mut errors, input, &[], None).unwrap_or_else(|| fallback::emit(input, errors));
    };
    let structs = parts.iter().map(Part::structs);
    let mut all = quote!(#(#structs)*);
    for part in &parts {
        all.extend(one(&mut errors, &part.input, &[], Some(part)));
    }
    all.extend(one(&mut errors, &rest, &parts, None));
    if errors.is_empty() { quote!(const _: () = { #all };) } else { fallback::emit(input, errors) }
}

/// The impls of one type; `None` if there are mistakes in it.
fn one(
    errors: &mut Errors,
    input: &DeriveInput,
    parts: &[Part],
    part: Option<&Part>,
) -> Option<TokenStream> {
    let mut own = Errors::default();
    let model = model::read(&mut own, input, parts, part);
    let code = model.and_then(|model| {
        if own.is_empty() {
            check::check(&mut own, &model);
        }
        let steps = own.is_empty().then(|| derived::steps(&mut own, &model))?;
        own.is_empty().then(|| emit::emit(&model, &steps))
    });
    errors.join(own);
    code
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    /// All mistakes of a declaration, in order.
    fn mistakes(input: &syn::DeriveInput) -> String {
        super::expand(input).to_string()
    }

    #[test]
    fn reports_all_mistakes_of_a_declaration_at_once() {
        let text = mistakes(&parse_quote! {
            struct Demo {
                #[bin(cuont = 3)]
                first: u8,
                second: u16,
                #[bin(pad_to = 1.5)]
                third: u8,
            }
        });
        for part in ["did you mean `count`?", "this literal has no place"] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
    }

    #[test]
    fn a_plain_field_expands_to_few_lines() {
        let one: syn::DeriveInput = parse_quote! { #[bin(little)] struct Demo { a: u32 } };
        let two: syn::DeriveInput = parse_quote! { #[bin(little)] struct Demo { a: u32, b: u32 } };
        let tokens = |input| {
            super::expand(input).into_iter().map(|tree| tree.to_string().len()).sum::<usize>()
        };
        let per_field = tokens(&two) - tokens(&one);
        assert!(per_field < 2_000, "one more field expands to {per_field} characters");
    }
}
