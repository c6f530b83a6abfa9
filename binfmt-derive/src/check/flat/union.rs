//! Unions of tables.

use crate::check::types::{self, named};
use crate::errors::Errors;
use crate::model::{Model, Variant};

pub(super) fn member(errors: &mut Errors, model: &Model<'_>, variant: &Variant<'_>) {
    let (words, name) = (&variant.words, variant.ident);
    match (&words.id, &words.other) {
        (Some(_), Some(_)) => {}
        (None, None) => {
            errors.add(
                name.span(),
                format!("`{name}` needs its tag: `id = 1`; or `other` for all that have none"),
            );
        }
        (None, Some(other)) => {
            if variant.ty.is_some() || !variant.kept.is_some_and(|ty| named(ty, "u8")) {
                errors.add(other.span, format!("the `other` variant keeps the tag: `{name}(u8)`"));
            }
        }
        (Some(id), None) => {
            match id.value.number() {
                Some((1..=255, _)) => {}
                Some((_, span)) => {
                    errors.add(span, "the tag of a union is 1 to 255; 0 says that there is none");
                }
                None => errors.add(
                    id.span,
                    "a union of tables has one plain number for each variant: `id = 1`",
                ),
            }
            types::variant(errors, model, variant);
        }
    }
}

pub(super) fn ids(errors: &mut Errors, variants: &[Variant<'_>]) {
    let mut seen: Vec<u64> = Vec::new();
    for id in variants.iter().filter_map(|variant| variant.words.id.as_ref()) {
        let Some((number, span)) = id.value.number() else { continue };
        if seen.contains(&number) {
            errors.add(span, format!("an earlier variant has the tag {number}"));
        }
        seen.push(number);
    }
    if let Some(second) = variants.iter().filter_map(|variant| variant.words.other.as_ref()).nth(1)
    {
        errors.add(second.span, "duplicate `other`; keep one");
    }
}
