//! `map`: the stored type, and the words that say how to read a field in another way.

use super::{no_order, types};
use crate::errors::Errors;
use crate::model::{Field, Kind, Model, widest};

/// Checks a field that functions of the user convert.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>, field: &Field<'_>) {
    let Some(map) = &field.words.map else { return };
    types::stored(errors, &map.value.stored);
    let widest = widest(&map.value.stored);
    if let Some(widest) = widest.filter(|widest| widest.size > 1 && field.order(model).is_none()) {
        let what = format!("what is stored for `{}`", field.name);
        no_order(errors, &map.value.stored, &what, widest.size, "the type or to the field");
    }
    if let (Some(order), None) = (&field.words.order, widest) {
        errors.add(order.span, "a byte order is for numbers; a declared type names its own");
    }
    if matches!(Kind::of(field.inner), Kind::Auto(..)) {
        errors.add_at(field.ty, "an `Auto` is an integer that the writer computes; remove `map`");
    }
}
