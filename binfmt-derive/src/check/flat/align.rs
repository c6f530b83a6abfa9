//! Alignment of what a slot leads to.

use crate::attr::Word;
use crate::errors::Errors;
use crate::expr::Expr;
use crate::model::{Field, Kind};

use crate::check::types::named;

/// Only what lies elsewhere in the buffer can be moved to a multiple; a number lies in its table.
pub(super) fn check(errors: &mut Errors, field: &Field<'_>) {
    let Some(Word { value, span }) = &field.words.align_before else { return };
    let is_vector =
        matches!(field.kind, Kind::Bytes { .. } | Kind::Text { .. }) || named(field.inner, "FbVec");
    if !is_vector {
        errors.add(
            *span,
            "in a table, `align_before` is for bytes, texts and vectors, which lie elsewhere in the buffer; remove it",
        );
        return;
    }
    match value {
        Expr::Int(..) => crate::check::alignment(errors, field.words.align_before.as_ref()),
        _ => errors.add(*span, "in a table, an alignment is a plain number: `align_before = 16`"),
    }
}
