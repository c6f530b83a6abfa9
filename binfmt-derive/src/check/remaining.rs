//! `remaining` in the words of a field: the bytes that are left of its region.

use syn::Ident;

use super::span;
use crate::errors::Errors;
use crate::expr::{Expr, Measure};
use crate::model::{Field, Model};

/// Where the field asks for the bytes that are left.
fn referenced<'f>(field: &'f Field<'_>) -> Option<&'f Ident> {
    let exprs = [&field.words.len, &field.words.condition].into_iter().flatten();
    let mut measures = exprs.flat_map(|word| word.value.measures());
    measures.find(|(measure, _)| *measure == Measure::Remaining).map(|(_, name)| name)
}

/// What stands behind the value is left of the region, too, and so is its prefix.
fn takes_all(errors: &mut Errors, field: &Field<'_>) {
    let words = &field.words;
    let Some(len) = words.len.as_ref().filter(|len| matches!(len.value, Expr::Measure(..))) else {
        return;
    };
    let around = [
        ("prefix", span(&words.prefix).filter(|_| !field.kind.is_sequence())),
        ("nul", span(&words.nul).filter(|_| field.has_nul())),
        ("pad_after", span(&words.pad_after)),
    ];
    if let Some((word, _)) = around.into_iter().find(|(_, span)| span.is_some()) {
        errors.add_range(
            len.value.ends(),
            format!("`remaining` counts the bytes of `{word}`, too; take them off: `len = remaining - 4`"),
        );
    }
}

/// A value ends where its region does, or its writer could not know what is left of it.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>, index: usize, field: &Field<'_>) {
    let Some(name) = referenced(field) else { return };
    takes_all(errors, field);
    if field.asks_in_condition() && field.asks_behind_padding() {
        errors.add(
            name.span(),
            "`if` asks what is left in front of the padding or the magic, and `len` behind it; declare a type for the value, with its `len`",
        );
    }
    if let Some(align) = model.words.align_after.as_ref().filter(|_| model.words.len.is_none()) {
        errors.add(
            align.span,
            "padding behind the value would be part of what is `remaining`; give the type a `len`",
        );
    }
    if model.unlimited_fields().is_some_and(|known| index < known) {
        errors.add(
            name.span(),
            "`remaining` is known behind the field that tells the `len` of the value",
        );
    }
}
