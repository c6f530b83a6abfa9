//! `value`, the one that belongs to an item, in what is set in the item: `set(it.lines = count(value))`.

use quote::format_ident;
use syn::Ident;

use super::{Field, Model, Parallel, is_before};
use crate::expr::Expr;

const PREFIX: &str = "__value_";
const GROUP: &str = "__group_";

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

/// Does the same with `group`, what holds the table of an item: `if = group.flags >> index & 1 != 0`; where
/// that can only be the field `own`, it is called that.
pub(super) fn group(exprs: Vec<&mut Expr>, field: &Ident, own: Option<&Ident>) {
    for expr in exprs {
        expr.rename(&mut |name| {
            if name == "group" {
                let span = name.span();
                let named = || format_ident!("{GROUP}{field}");
                *name = own.cloned().unwrap_or_else(named);
                name.set_span(span);
            }
        });
    }
}

/// Whether a name stands for what holds the table of an item.
pub(crate) fn is_group(name: &Ident) -> bool {
    name.to_string().starts_with(GROUP)
}

/// Whether a name stands for an item of a table: that of the value, or the one in front of it.
pub(crate) fn is_entry(name: &Ident) -> bool {
    name == "it" || is_before(name)
}

/// Whether a name stands for an item of a table, or for something about it.
pub(crate) fn is_item(name: &Ident) -> bool {
    is_entry(name) || name == "index" || is_group(name)
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
    /// The field whose values lie beside the items of what a name stands for.
    pub(crate) fn group_of(&self, name: &Ident) -> Option<&Parallel<'_>> {
        let name = name.to_string();
        let of = name.strip_prefix(GROUP)?;
        self.field_named(of)?.parallel.as_ref()
    }

    /// What a name that stands for the value of an item is declared as.
    pub(crate) fn value_of(&self, name: &Ident) -> Option<&Field<'_>> {
        let name = name.to_string();
        let of = field_of(&name)?;
        let field = self.field_named(of)?;
        field.parallel.as_ref().map(|parallel| &*parallel.element)
    }
}
