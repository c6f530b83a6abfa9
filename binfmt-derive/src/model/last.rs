//! `last`, the item that has just been read, in the `until` of a sequence.

use quote::format_ident;
use syn::{Ident, Type};

use super::{Kind, Model};
use crate::expr::Expr;

/// Gives `last` a name that tells whose item it is, and that no field has.
pub(super) fn name(until: &mut Expr, field: &Ident) {
    until.rename(&mut |name| {
        if name == "last" {
            *name = format_ident!("__last_{field}", span = name.span());
        }
    });
}

impl Model<'_> {
    /// Whether a name stands for an item of what has none, which has been told already.
    pub(crate) fn is_misplaced_last(&self, name: &Ident) -> bool {
        let name_text = name.to_string();
        let item = name_text.starts_with("__last_") || name_text.starts_with("__previous_");
        item && self.last_item(name).is_none()
    }

    /// The type of the item that a name in an `until`, or in the arguments of items, stands for, of the value
    /// that one in a `set` does, and of what a variant keeps.
    pub(crate) fn last_item(&self, name: &Ident) -> Option<&Type> {
        if let Some(kept) = self.kept_by(name) {
            return Some(kept);
        }
        if let Some(value) = self.value_of(name) {
            return Some(value.inner);
        }
        if let Some(parallel) = self.group_of(name) {
            return self.group_type(parallel);
        }
        let name = name.to_string();
        let of = name.strip_prefix("__last_").or_else(|| name.strip_prefix("__previous_"))?;
        let field = self.field_named(of)?;
        match field.kind {
            Kind::Vec(item) | Kind::Seq(item) => Some(item),
            _ => None,
        }
    }
}
