//! `level(padding = note)`: what findings weigh.

use syn::parse::ParseStream;
use syn::{Ident, LitStr, Token};

use super::Place;
use super::value::{Reading, Value, separated};
use crate::errors::did_you_mean;

/// Codes with what their findings weigh.
pub(crate) type Overrides = Vec<(LitStr, Weight)>;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    Error,
    Warning,
    Note,
    /// Not told at all.
    Off,
}

/// The findings of the walk itself that stop no reader.
const BUILT_IN: &[&str] = &[
    "ambiguous",
    "canonical",
    "checksum",
    "derived",
    "gap",
    "overlap",
    "overlong",
    "padding",
    "region",
    "reserved",
    "trailing",
    "unkept",
];

/// Findings of one field, and what keeps them from being an error.
const ON_FIELDS: &[&str] = &["leftover", "unique", "sorted_by"];

impl Value for Overrides {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        let inner = at.list("there are no codes in `level()`; remove it")?;
        let mut seen: Vec<String> = Vec::new();
        separated(&inner, "a comma is missing between two levels", |input| {
            let code = code(at, input)?;
            if !input.peek(Token![=]) {
                let message = format!("a level is given as in `{}`", at.example);
                return Err(syn::Error::new(code.span(), message));
            }
            input.parse::<Token![=]>()?;
            let weight = weight(input)?;
            let name = code.value();
            if seen.contains(&name) {
                at.errors.add(code.span(), format!("duplicate `{name}`; keep one"));
            }
            if name == "leftover" && weight != Weight::Warning {
                at.errors.add(
                    code.span(),
                    "bytes that are left over and kept are a warning: `leftover = warning`",
                );
            }
            if matches!(name.as_str(), "unique" | "sorted_by") && weight == Weight::Off {
                let message = format!("a rule that nobody is told of is none; remove `{name}`");
                at.errors.add(code.span(), message);
            }
            seen.push(name);
            Ok((code, weight))
        })
    }
}

/// A finding by its name, or a rule by its code as a text.
fn code(at: &Reading<'_>, input: ParseStream<'_>) -> syn::Result<LitStr> {
    if input.peek(LitStr) {
        return input.parse();
    }
    let name: Ident = input.parse().map_err(|error| {
        syn::Error::new(error.span(), format!("a level is given as in `{}`", at.example))
    })?;
    let text = name.to_string();
    let on_field = ON_FIELDS.contains(&text.as_str());
    if BUILT_IN.contains(&text.as_str()) || (on_field && at.place == Place::Field) {
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
        Some("off") => Ok(Weight::Off),
        _ => Err(syn::Error::new(
            name.map_or_else(|| input.span(), |name| name.span()),
            "a level is `error`, `warning`, `note` or `off`",
        )),
    }
}
