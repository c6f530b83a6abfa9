//! `previous`, the item before, in the arguments of a sequence: `previous.status or 0`.

use quote::format_ident;
use syn::Ident;

use super::Field;
use crate::expr::{Expr, OR};

/// Gives `previous` a name that tells whose item it is, and that no field has.
pub(super) fn name(args: Vec<&mut Expr>, field: &Ident) {
    for arg in args {
        if let Expr::Builtin(or, parts) = arg
            && or == OR
            && let Some(next) = parts.first_mut()
        {
            next.rename(&mut |name| {
                if name == "previous" {
                    *name = format_ident!("__previous_{field}", span = name.span());
                }
            });
        }
    }
}

impl Field<'_> {
    /// The arguments that follow from the item before: the whole, and the part that names the item.
    pub(crate) fn previous_arguments(&self) -> impl Iterator<Item = (&Ident, &Expr)> {
        let args = self.words.args.iter().flat_map(|args| args.value.passed());
        args.filter_map(|(_, expr)| match expr {
            Expr::Builtin(or, parts) if or == OR => Some((or, parts.first()?)),
            _ => None,
        })
    }

    /// Whether the items have to be read one after the other.
    pub(crate) fn has_previous(&self) -> bool {
        self.previous_arguments().next().is_some()
    }
}
