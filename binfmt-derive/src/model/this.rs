//! `value`, the one that belongs to an item, in what is set in the item: `set(it.lines = count(value))`.

use quote::format_ident;
use syn::Ident;
use syn::ext::IdentExt as _;

use super::{Field, Model};
use crate::expr::Expr;

const PREFIX: &str = "__value_";

/// Gives `value` a name that tells whose it is, and that no field has.
pub(super) fn name(exprs: Vec<&mut Expr>, field: &Ident) {
    for expr in exprs {
        expr.replace(&mut |expr| {
            if let Expr::Name(name) | Expr::Measure(_, name) = expr
                && name == "value"
            {
                *name = format_ident!("{PREFIX}{field}", span = name.span());
            }
        });
    }
}

/// The name of the field, if a name stands for one of its values.
pub(super) fn field_of(name: &str) -> Option<&str> {
    name.strip_prefix(PREFIX)
}

/// Whether a name stands for the value of an item.
pub(crate) fn is_value(name: &Ident) -> bool {
    field_of(&name.to_string()).is_some()
}

impl Model<'_> {
    /// What a name that stands for the value of an item is declared as.
    pub(crate) fn value_of(&self, name: &Ident) -> Option<&Field<'_>> {
        let name = name.to_string();
        let of = field_of(&name)?;
        let field = self.fields().iter().find(|field| field.name.unraw() == of)?;
        field.parallel.as_ref().map(|parallel| &*parallel.element)
    }
}
