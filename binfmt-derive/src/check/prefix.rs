//! `prefix`: what it may be, and what it may stand with.

use super::{no_order, refuse, span};
use crate::errors::Errors;
use crate::model::{Field, Model, Numeric, scalar};

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
    if !field.kind.is_sequence() {
        let why = "tells where the field ends, and so does `prefix`; keep one";
        refuse(errors, span(&words.len), "len", why);
    }
}
