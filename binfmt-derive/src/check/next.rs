//! Rules about regions in which a value ends where the next one begins, and in which they are placed downwards.

use crate::errors::Errors;
use crate::model::{Field, Model, Space, placed_in};

/// Checks the regions in which such values lie.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>) {
    for space in Space::all(model) {
        let inside = placed_in(model, space);
        let fields = inside.iter().filter_map(|index| Some((*index, model.fields().get(*index)?)));
        let fields: Vec<(usize, &Field<'_>)> = fields.collect();
        let section = space.section().and_then(|index| model.fields().get(index));
        if section.is_some_and(|section| section.words.grow.is_some()) {
            for (_, field) in &fields {
                downwards(errors, field);
            }
        }
        if let Some((first, ends)) = fields.iter().find(|(_, field)| field.goes_to_next()) {
            for (_, field) in &fields {
                beside(errors, model, field, (*first, ends));
            }
        }
    }
}

/// A value that is placed downwards has a size before it has a place.
fn downwards(errors: &mut Errors, field: &Field<'_>) {
    if let Some(word) = &field.one().words.align_after {
        errors.add(word.span, "a value is placed downwards by its size, and what this leaves behind it follows from its place; use `align_before`, `pad_to` or a type with `align_after`");
    }
}

/// What lies beside a value that ends where the next one begins.
fn beside(
    errors: &mut Errors,
    model: &Model<'_>,
    field: &Field<'_>,
    (first, ends): (usize, &Field<'_>),
) {
    let (words, ends) = (&field.one().words, &ends.name);
    let section = words.place.as_ref().and_then(|place| model.field(&place.value));
    if let Some(grow) = section.and_then(|(_, section)| section.words.grow.as_ref())
        && field.goes_to_next()
    {
        errors.add(grow.span, format!("the values of `{ends}` go up to the next one, and so lie one behind the other from where the first is; remove `grow`"));
    }
    if !field.goes_to_next() {
        for word in [&words.align_before, &words.align_after].into_iter().flatten() {
            errors.add(word.span, format!("an alignment leaves bytes that would be read as a part of `{ends}`, which goes up to the next value; declare a type for the value, with its padding"));
        }
    }
    let table = field.parallel.as_ref().map(|parallel| &parallel.root);
    let place = [&words.at, &words.condition].into_iter().flatten();
    let named = place.flat_map(|word| word.value.names()).chain(table);
    for name in named {
        if model.field(name).is_some_and(|(index, _)| index > first) {
            errors.add(name.span(), format!("`{name}` tells where a value begins, and is read behind `{ends}`, which ends there; move it in front of `{ends}`"));
        }
    }
}
