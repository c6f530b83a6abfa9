//! `previous`, the item before, in the arguments of a sequence: `previous.status or 0`.

use quote::format_ident;
use syn::{Ident, Index, Member};

use super::Field;
use crate::attr::Args;
use crate::expr::{Expr, OR};

/// Gives `previous` a name that tells whose item it is, and that no field has: one of its own where an
/// argument is asked for, `previous.sum`, which is what that item was given.
pub(super) fn name(args: &mut Args, field: &Ident) {
    let names: Vec<Ident> = args.passed().iter().map(|(name, _)| name.clone()).collect();
    for arg in args.passed_mut() {
        if let Expr::Builtin(or, parts) = arg
            && or == OR
            && let Some(next) = parts.first_mut()
        {
            next.replace(&mut |part| given(part, &names, field));
            next.rename(&mut |name| {
                if name == "previous" {
                    *name = format_ident!("__previous_{field}", span = name.span());
                }
            });
        }
    }
}

/// Whether a name stands for what the item before was given.
pub(crate) fn is_given(name: &Ident) -> bool {
    name.to_string().starts_with("__given_")
}

/// `previous.sum` of the argument `sum` becomes a part of what the item before was given.
fn given(part: &mut Expr, names: &[Ident], field: &Ident) {
    if let Expr::Field(inner, member) = part
        && let (Expr::Name(previous), Member::Named(name)) = (&mut **inner, &mut *member)
        && previous == "previous"
        && let Some(index) = names.iter().position(|argument| argument == name)
    {
        *previous = format_ident!("__given_{field}", span = previous.span());
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        *member = Member::Unnamed(Index { index, span: name.span() });
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

    /// Whether an item is given something that follows from what the one before was given.
    pub(crate) fn has_given(&self) -> bool {
        self.previous_arguments().any(|(_, next)| next.names().into_iter().any(is_given))
    }

    /// Whether the items have to be read one after the other.
    pub(crate) fn has_previous(&self) -> bool {
        self.previous_arguments().next().is_some()
    }
}
