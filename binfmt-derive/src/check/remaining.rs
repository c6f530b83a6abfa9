//! `remaining` in the words of a field: the bytes that are left of its region.

use syn::Ident;

use crate::errors::Errors;
use crate::expr::Measure;
use crate::model::{Field, Model};

/// Where the field asks for the bytes that are left.
fn asked<'f>(field: &'f Field<'_>) -> Option<&'f Ident> {
    let exprs = [&field.words.len, &field.words.condition].into_iter().flatten();
    let mut measures = exprs.flat_map(|word| word.value.measures());
    measures.find(|(measure, _)| *measure == Measure::Remaining).map(|(_, name)| name)
}

/// A value ends where its region does, or its writer could not know what is left of it.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>, index: usize, field: &Field<'_>) {
    let Some(name) = asked(field) else { return };
    if let Some(align) = model.words.align_after.as_ref().filter(|_| model.words.len.is_none()) {
        errors.add(
            align.span,
            "padding behind the value would be part of what is `remaining`; give the type a `len`",
        );
    }
    if crate::steps::region_field(model).is_some_and(|known| index <= known) {
        errors.add(
            name.span(),
            "`remaining` is known behind the field that tells the `len` of the value",
        );
    }
}
