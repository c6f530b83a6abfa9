//! Rules about fields whose bytes belong to others.

use crate::attr::Nul;
use crate::errors::Errors;
use crate::model::{Field, Kind, Model, encoded, is_lazy, scalar};

/// Checks a field with `view`, or one value of several.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>, index: usize, field: &Field<'_>) {
    let Some(view) = &field.words.view else { return };
    if let Some(wrong) = wrong(field) {
        errors.add(view.span, wrong);
    }
    if let Some(nul) = field.words.nul.as_ref().filter(|nul| matches!(nul.value, Nul::Optional)) {
        errors.add(nul.span, "what stands behind an optional NUL is written with it, and a `view` is not written; declare a type with the text, and view that");
    }
    if let Some(until) = &field.words.until {
        errors.add_range(
            until.value.ends(),
            "a `view` ends with a constant or has a size: `until = b'|'`, `len = ..`, `count = ..`",
        );
    }
    for one in field.exprs(index) {
        let names = one.expr.names().into_iter();
        let sum = names.filter_map(|name| Some((name, model.field(name)?.1)));
        for (name, _) in sum.filter(|(_, named)| named.words.checksum.is_some()) {
            errors.add(name.span(), format!("`{name}` is a checksum, which is computed last, and what a `view` says is compared before; name another field"));
        }
    }
}

/// What cannot be compared with the bytes that lie there.
fn wrong(field: &Field<'_>) -> Option<&'static str> {
    let declared = match field.kind {
        Kind::Seq(item) | Kind::Vec(item) | Kind::Array(item) => scalar(item).is_none(),
        Kind::Nested => encoded(field.inner).is_some() || is_lazy(field.inner),
        _ => false,
    };
    declared.then_some(
        "a `view` is of bytes, a text, numbers or one declared type; declare a type with these values, and view that",
    )
}

/// A table whose items others set is written, and a view is not.
pub(super) fn table(errors: &mut Errors, name: &syn::Ident, table: &Field<'_>) -> bool {
    if table.is_view() {
        errors.add(name.span(), format!("`{name}` is a `view`, and the numbers of a table are written; declare a type with the table and its values, and view that"));
    }
    table.is_view()
}
