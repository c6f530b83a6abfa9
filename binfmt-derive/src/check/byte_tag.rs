//! Rules about bytes and texts that are computed from a tag.

use super::exprs::{self, Scope, Wanted};
use crate::errors::Errors;
use crate::model::{Field, Model};

/// Checks the value whose tag a field is.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>, field: &Field<'_>) {
    let Some(word) = &field.byte_tag else { return };
    exprs::check(errors, model, "calc", &word.value, Scope::all(model), Wanted::Anything);
    let of = field.tag_of_bytes().and_then(|name| model.field(name).map(|(_, of)| (name, of)));
    if let Some((name, of)) = of
        && of.is_optional()
    {
        errors.add(
            name.span(),
            format!("`{name}` may be absent, and then has no tag; compute it for a value that is always there, or keep the tag in a plain field"),
        );
    }
}
