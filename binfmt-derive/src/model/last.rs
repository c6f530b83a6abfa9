//! `last`, the item that has just been read, in the `until` of a sequence.

use quote::format_ident;
use syn::{Ident, Type};

use super::{Field, Kind, Model};
use crate::expr::Expr;

/// Gives `last` a name that tells whose item it is, and that no field has.
pub(super) fn name(until: &mut Expr, field: &Ident) {
    until.rename(&mut |name| {
        if name == "last" {
            *name = format_ident!("__last_{field}", span = name.span());
        }
    });
}

/// The field whose last item, or whose item before, a name stands for, or what that was given.
pub(crate) fn item_of(name: &str) -> Option<&str> {
    ["__last_", "__previous_", "__given_"].iter().find_map(|of| name.strip_prefix(of))
}

impl Model<'_> {
    /// Whether a name stands for an item of what has none, which has been told already.
    pub(crate) fn is_misplaced_last(&self, name: &Ident) -> bool {
        item_of(&name.to_string()).is_some() && self.last_item(name).is_none()
    }

    /// The field of whose items a name stands for one.
    pub(crate) fn field_of_item(&self, name: &Ident) -> Option<&Field<'_>> {
        self.field_named(item_of(&name.to_string())?)
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
        let field = self.field_of_item(name)?;
        match field.kind {
            Kind::Vec(item) | Kind::Seq(item) => Some(item),
            _ => None,
        }
    }
}
