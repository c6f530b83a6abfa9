//! Arguments of functions, which have an order, and of types, which have names.

use super::exprs;
use crate::attr::{Args, Words};
use crate::errors::Errors;
use crate::expr::Expr;

/// Checks the arguments that a field or a variant passes.
pub(super) fn check(errors: &mut Errors, words: &Words) {
    let Some(args) = &words.args else { return };
    exprs::passed_twice(errors, &args.value);
    let by_hand = words.with.is_some() || words.map.is_some();
    match &args.value {
        Args::Values(list) if !by_hand => {
            if let Some(first) = list.first() {
                errors.add(first.span(), "an argument is given as `name = value`");
            }
        }
        Args::Passed(list) if by_hand => {
            let named = |(name, value): &&(syn::Ident, Expr)| !matches!(value, Expr::Name(own) if own == name);
            if let Some((name, _)) = list.iter().find(named) {
                let message = if words.map.is_some() {
                    "the functions of `map` take their arguments in order and without names: `args(key, n * 2)`; the type that it stores is given none"
                } else {
                    "functions take their arguments in order and without names: `args(key, n * 2)`"
                };
                errors.add(name.span(), message);
            }
        }
        _ => {}
    }
}
