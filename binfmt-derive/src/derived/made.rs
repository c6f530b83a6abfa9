//! Values that are no numbers and that functions give: what such a function may be given.

use super::uses_set;
use crate::errors::Errors;
use crate::model::{Field, Model};

/// A function that gives what is no number is asked before anything is computed.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>, known: &[usize]) {
    for (own, field) in model.fields().iter().enumerate() {
        let Some(expr) = field.made_by() else { continue };
        let is_table = |other: &Field<'_>| {
            other.parallel.as_ref().is_some_and(|parallel| parallel.root == field.name)
        };
        if !field.setters().is_empty() || model.fields().iter().any(is_table) {
            errors.add_range(
                expr.ends(),
                format!(
                    "a function gives all of `{}`, so no number is set in it; remove the `calc`",
                    field.name
                ),
            );
        }
        let named = expr.names().into_iter().filter_map(|name| Some((name, model.field(name)?)));
        for (name, (index, of)) in named {
            let is_later = of.made_by().is_some() && index > own;
            let is_set = uses_set(model, expr).any(|used| used.field == index);
            if known.contains(&index) || is_later || is_set {
                errors.add(
                    name.span(),
                    format!("`{name}` is computed, and the function that gives `{}` is asked before; name fields that nothing computes, or that are given in front of it", field.name),
                );
            }
        }
    }
}
