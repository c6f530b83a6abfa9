//! `level(padding = note)`: what findings weigh.

use syn::parse::ParseStream;
use syn::{Ident, LitStr, Token, parenthesized};

use super::Place;
use super::words::list;
use crate::errors::{Errors, did_you_mean};

/// Codes with what their findings weigh.
pub(crate) type Levels = Vec<(LitStr, Weight)>;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    Error,
    Warning,
    Note,
}

/// The findings of the walk itself that stop no reader.
const BUILT_IN: &[&str] = &[
    "ambiguous",
    "canonical",
    "checksum",
    "derived",
    "gap",
    "overlap",
    "padding",
    "region",
    "reserved",
    "trailing",
    "unkept",
];

/// Findings of one field, and what keeps them from being an error.
const ON_FIELDS: &[&str] = &["leftover", "unique", "sorted_by"];

const EXAMPLE: &str = "level(padding = note)";

/// Reads what stands behind the word.
pub(super) fn levels(
    errors: &mut Errors,
    place: Place,
    input: ParseStream<'_>,
    word: &Ident,
) -> syn::Result<Levels> {
    list(input, word, EXAMPLE)?;
    let inner;
    parenthesized!(inner in input);
    if inner.is_empty() {
        return Err(syn::Error::new(word.span(), "there are no codes in `level()`; remove it"));
    }
    let mut levels: Levels = Vec::new();
    while !inner.is_empty() {
        let code = code(place, &inner)?;
        if !inner.peek(Token![=]) {
            return Err(syn::Error::new(
                code.span(),
                format!("a level is given as in `{EXAMPLE}`"),
            ));
        }
        inner.parse::<Token![=]>()?;
        let weight = weight(&inner)?;
        if levels.iter().any(|(other, _)| other.value() == code.value()) {
            errors.add(code.span(), format!("duplicate `{}`; keep one", code.value()));
        }
        if code.value() == "leftover" && weight != Weight::Warning {
            errors.add(
                code.span(),
                "bytes that are left over and kept are a warning: `leftover = warning`",
            );
        }
        levels.push((code, weight));
        if !inner.is_empty() {
            inner.parse::<Token![,]>().map_err(|_| {
                syn::Error::new(inner.span(), "a comma is missing between two levels")
            })?;
        }
    }
    Ok(levels)
}

/// A finding by its name, or a rule by its code as a text.
fn code(place: Place, input: ParseStream<'_>) -> syn::Result<LitStr> {
    if input.peek(LitStr) {
        return input.parse();
    }
    let name: Ident = input.parse().map_err(|error| {
        syn::Error::new(error.span(), format!("a level is given as in `{EXAMPLE}`"))
    })?;
    let text = name.to_string();
    let on_field = ON_FIELDS.contains(&text.as_str());
    if BUILT_IN.contains(&text.as_str()) || (on_field && place == Place::Field) {
        return Ok(LitStr::new(&text, name.span()));
    }
    let message = if on_field {
        format!("`{text}` is about one field; put the `level` there")
    } else {
        let known = BUILT_IN.iter().chain(ON_FIELDS).copied();
        let hint = did_you_mean(&text, known);
        format!("`{text}` stops readers or is unknown, so its level cannot be changed{hint}")
    };
    Err(syn::Error::new(name.span(), message))
}

fn weight(input: ParseStream<'_>) -> syn::Result<Weight> {
    let name: Option<Ident> = input.parse().ok();
    match name.as_ref().map(ToString::to_string).as_deref() {
        Some("error") => Ok(Weight::Error),
        Some("warning") => Ok(Weight::Warning),
        Some("note") => Ok(Weight::Note),
        _ => Err(syn::Error::new(
            name.map_or_else(|| input.span(), |name| name.span()),
            "a level is `error`, `warning` or `note`",
        )),
    }
}
