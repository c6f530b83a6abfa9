//! Rules about arguments that follow from the item before.

use syn::Ident;

use super::exprs::Scope;
use super::types::named;
use crate::errors::Errors;
use crate::expr::Expr;
use crate::model::{Field, Kind, Model, is_before, is_lazy};

/// Checks the arguments of a field that have an `or`.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>, field: &Field<'_>) {
    let is_table = |other: &Field<'_>| {
        other.parallel.as_ref().is_some_and(|parallel| parallel.root == field.name)
    };
    let is_linked = matches!(field.kind, Kind::Seq(_)) && named(field.inner, "LinkedSeq");
    if is_linked && !field.has_previous() && !field.is_element {
        errors.add_at(field.inner, "the items of a `LinkedSeq` are given what the item before says, `args(running = previous.status or 0)`; without that this is a `Seq<'a, T>`");
    }
    for (or, next) in field.previous_arguments() {
        let own = [format!("__previous_{}", field.name), format!("__given_{}", field.name)];
        let wrong = match field.kind {
            _ if field.is_element => {
                "values beside a table are not known to each other; use `it` and `index`"
            }
            Kind::Seq(_) if !is_linked => {
                "a `Seq` cannot carry the item before with it; make it a `LinkedSeq<'a, T>`, or a `Vec`"
            }
            // Who checks names has said that nothing is measured of the item before.
            Kind::Seq(_) | Kind::Vec(_) if measured(next, &own) => continue,
            Kind::Seq(_) | Kind::Vec(_)
                if !next.names().iter().any(|name| own.iter().any(|own| *name == own)) =>
            {
                "`or` stands behind a part of the item before: `previous.status or 0`"
            }
            Kind::Seq(_) | Kind::Vec(_) if model.fields().iter().any(is_table) => {
                "the items of a table that `for_each` names are written at once; they have no item before them"
            }
            Kind::Seq(_) => {
                carried(errors, next, &own);
                continue;
            }
            Kind::Vec(_) => continue,
            Kind::Array(_) => {
                "the items of an array are not known to each other; make it a `Vec` with a `count`"
            }
            _ if is_lazy(field.inner) => {
                "what is lazy is one value, which has no item before it; declare a type around the items, `#[bin(until_end, args(..))] items: LinkedSeq<'a, T>`, and make that lazy"
            }
            _ => "`or` stands behind a part of the item before, and this field has no items",
        };
        errors.add(or.span(), wrong);
    }
}

/// `or` joins what names the item before and what the first item has in its place: in `args` all of the
/// argument, in the sizes of values beside a table a part between parentheses. Elsewhere nothing more need be said
/// of the expression.
pub(super) fn is_misplaced(errors: &mut Errors, word: &str, expr: &Expr, scope: Scope) -> bool {
    let is_argument = word == "args" && expr.before_or().is_some();
    let in_sizes = scope.item && matches!(word, "len" | "count");
    let mut is_misplaced = false;
    expr.walk(&mut |part| {
        let Some((next, or)) = part.before_or().filter(|_| !is_argument) else { return };
        if !in_sizes {
            is_misplaced = true;
            errors.add(or.span(), "`or` joins what the item before says and what the first one has: in `len` and `count` of a field with `for_each`, `(previous.end or 0)`, and around all of an argument, `args(from = previous.end or 0)`");
        } else if !next.names().into_iter().any(is_before) {
            errors.add(or.span(), "`or` stands behind what the item before says: `(previous.end or 0)`");
        }
    });
    is_misplaced
}

/// Whether something is measured of the item before, as in `tag(previous)`.
fn measured(next: &Expr, [own, _]: &[String; 2]) -> bool {
    next.measures().into_iter().any(|(_, name)| name == own.as_str() || name == "previous")
}

/// A lazy sequence takes nothing with it that is known here alone.
fn carried(errors: &mut Errors, next: &Expr, own: &[String; 2]) {
    let names = next.names().into_iter().filter(|name| own.iter().all(|own| *name != own));
    let measured = next.measures().into_iter().map(|(_, name)| name);
    for name in names.chain(measured) {
        errors.add(name.span(), not_carried(name));
    }
}

fn not_carried(name: &Ident) -> String {
    format!(
        "a lazy sequence cannot carry `{name}` with it, beside the item before; pass it as an argument of its own, which the items compute with, or make it a `Vec`"
    )
}
