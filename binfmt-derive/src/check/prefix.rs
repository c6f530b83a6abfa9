//! `prefix`: what it may be, and what it may stand with.

use super::{no_order, refuse, span};
use crate::errors::Errors;
use crate::model::{Field, Kind, Model, Numeric, scalar};

/// Checks the length or count that stands right before a field.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>, field: &Field<'_>) {
    let words = &field.words;
    let Some(prefix) = &words.prefix else { return };
    match scalar(&prefix.value) {
        Some(scalar) if scalar.numeric == Numeric::Unsigned => {
            if scalar.size > 1 && field.order(model).is_none() {
                let place = "the type or to the field";
                no_order(errors, &prefix.value, "the `prefix`", scalar.size, place);
            }
        }
        _ => errors.add_at(&prefix.value, "a `prefix` is an unsigned integer: `prefix = u32`"),
    }
    if words.with.is_some() {
        let why = "says how to read the field, and so does `with`; keep one";
        return refuse(errors, Some(prefix.span), "prefix", why);
    }
    if words.section.is_some() {
        let why = "has no place on a section; give it the `len` of a field before it";
        return refuse(errors, Some(prefix.span), "prefix", why);
    }
    let counts = field.kind.is_sequence();
    if !counts && !field.kind.is_bytes() && !matches!(field.kind, Kind::Nested) {
        let why = "tells the size of bytes, texts, sequences and declared types; remove it";
        return refuse(errors, Some(prefix.span), "prefix", why);
    }
    let what = if counts { "how many items there are" } else { "the size" };
    let others = [
        ("count", span(&words.count)),
        ("until", span(&words.until)),
        ("until_end", span(&words.until_end)),
        ("len", span(&words.len).filter(|_| !counts)),
    ];
    for (word, span) in others {
        refuse(errors, span, word, &format!("tells {what}, and so does `prefix`; keep one"));
    }
}
