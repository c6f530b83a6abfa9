//! Rules about arguments that follow from the item before.

use crate::errors::Errors;
use crate::model::{Field, Kind, Model};

/// Checks the arguments of a field that have an `or`.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>, field: &Field<'_>) {
    let is_table = |other: &Field<'_>| {
        other.parallel.as_ref().is_some_and(|parallel| parallel.root == field.name)
    };
    for (or, next) in field.previous_arguments() {
        let own = format!("__previous_{}", field.name);
        let wrong = match field.kind {
            _ if field.is_element => {
                "values beside a table are not known to each other; use `it` and `index`"
            }
            Kind::Seq(_) => "a lazy sequence cannot carry the item before with it; make it a `Vec`",
            Kind::Vec(_) if !next.names().iter().any(|name| **name == own) => {
                "`or` stands behind a part of the item before: `previous.status or 0`"
            }
            Kind::Vec(_) if model.fields().iter().any(is_table) => {
                "the items of a table that `for_each` names are written at once; they have no item before them"
            }
            Kind::Vec(_) => continue,
            _ => "`or` stands behind a part of the item before, and this field has no items",
        };
        errors.add(or.span(), wrong);
    }
}
