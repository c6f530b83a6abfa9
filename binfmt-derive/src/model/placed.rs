//! Which fields share a place.

use super::{Field, Model};

/// The located fields of a section, or those without one, that have bytes of their own.
pub(crate) fn placed_in(model: &Model<'_>, section: Option<usize>) -> Vec<usize> {
    let is_placed = |field: &Field<'_>| field.is_located() && !field.is_view();
    let fields = model.fields().iter().enumerate().filter(|(_, field)| is_placed(field));
    let place = |field: &Field<'_>| Some(model.field(&field.one().words.place.as_ref()?.value)?.0);
    fields.filter(|(_, field)| place(field) == section).map(|(index, _)| index).collect()
}
