//! What may be below 0 of the numbers of an expression.

use super::kinds::numeric;
use crate::expr::Expr;
use crate::model::{Model, Numeric};

/// A signed number that others are added to, or the like; what functions take is apart.
pub(super) fn signed_in(model: &Model<'_>, expr: &Expr) -> Option<String> {
    match expr {
        Expr::Name(name) => {
            (numeric(model, name) == Some(Numeric::Signed)).then(|| name.to_string())
        }
        Expr::Negative(value, _) => Some(value.to_string()),
        Expr::Binary(left, op, right) if !op.is_comparison() && !op.is_logic() => {
            signed_in(model, left).or_else(|| signed_in(model, right))
        }
        Expr::If(_, yes, no) => signed_in(model, yes).or_else(|| signed_in(model, no)),
        Expr::Builtin(name, args) if name != "abs" => {
            args.iter().find_map(|arg| signed_in(model, arg))
        }
        _ => None,
    }
}
