//! `previous`, the item before: in the arguments of a sequence, `previous.status or 0`, and of a table in what
//! says how long the values beside it are, `it - (previous or 0)`.

use quote::format_ident;
use syn::{Ident, Index, Member};

use super::Field;
use crate::attr::{Args, Words};
use crate::expr::{Expr, OR};

/// What the item before is called that stands in front of the one which a value lies beside.
const BEFORE: &str = "__before";

/// Gives `previous` a name that tells whose item it is, and that no field has: one of its own where an
/// argument is asked for, `previous.sum`, which is what that item was given.
pub(super) fn name(args: &mut Args, field: &Ident) {
    let names: Vec<Ident> = args.passed().iter().map(|(name, _)| name.clone()).collect();
    for arg in args.passed_mut() {
        if let Some(next) = arg.before_or_mut() {
            next.replace(&mut |part| given(part, &names, field));
            next.rename(&mut |name| {
                if name == "previous" {
                    *name = format_ident!("__previous_{field}", span = name.span());
                }
            });
        }
    }
}

/// Gives `previous` a name of its own in the sizes of values beside a table.
pub(super) fn name_in_sizes(words: &mut Words) {
    let sizes = [&mut words.len, &mut words.count].into_iter().flatten();
    for size in sizes {
        size.value.replace(&mut |part| {
            if let Some(next) = part.before_or_mut() {
                next.rename(&mut |name| {
                    if name == "previous" {
                        *name = Ident::new(BEFORE, name.span());
                    }
                });
            }
        });
    }
}

/// Whether a name stands for the item of a table in front of the one which a value lies beside.
pub(crate) fn is_before(name: &Ident) -> bool {
    name == BEFORE
}

impl Expr {
    /// `a` of `a or b`, which names the item before, and its `or`.
    pub(crate) fn before_or(&self) -> Option<(&Self, &Ident)> {
        match self {
            Self::Builtin(or, parts) if or == OR => Some((parts.first()?, or)),
            _ => None,
        }
    }

    fn before_or_mut(&mut self) -> Option<&mut Self> {
        match self {
            Self::Builtin(or, parts) if or == OR => parts.first_mut(),
            _ => None,
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
        args.filter_map(|(_, expr)| expr.before_or().map(|(next, or)| (or, next)))
    }

    /// Where the size of a value beside a table names the item before.
    pub(crate) fn sizes_name_before(&self) -> Option<&Ident> {
        let sizes = [&self.words.len, &self.words.count].into_iter().flatten();
        sizes.flat_map(|size| size.value.names()).find(|name| is_before(name))
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
