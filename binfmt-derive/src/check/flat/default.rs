//! What stands for a field that a table does not store.

use syn::{Expr, Lit, LitInt, UnOp};

use crate::errors::Errors;
use crate::model::{Field, Kind, Numeric, Scalar, option_argument};

/// Absent, default and required exclude one another.
pub(super) fn presence(errors: &mut Errors, field: &Field<'_>) {
    let (words, name) = (&field.words, &field.name);
    let optional = option_argument(field.ty).is_some();
    if let Some(required) = &words.required
        && optional
    {
        errors.add(
            required.span,
            format!("`required` and `Option` contradict each other; give `{name}` its plain type"),
        );
    }
    if words.union.is_some() && !optional && words.required.is_none() {
        errors.add_at(
            field.ty,
            format!("nothing stands for an absent union; make `{name}` an `Option`, or `required`"),
        );
    }
    let Some(default) = &words.default else { return };
    if optional {
        errors.add(
            default.span,
            format!("an `Option` tells what is absent from what is default; remove the `default`, or give `{name}` its plain type"),
        );
        return;
    }
    let wrong = match field.kind {
        _ if words.union.is_some() => Some("a union has no default; make it an `Option`"),
        Kind::Scalar(scalar) => wrong_default(scalar, &default.value),
        Kind::Nested if !matches!(default.value, Expr::Path(_)) => {
            Some("the default of a named number is its name: `default = Kind::Code`")
        }
        Kind::Nested => None,
        _ => Some("only numbers have a declared default; absent texts and vectors are empty"),
    };
    if let Some(wrong) = wrong {
        errors.add_at(&default.value, wrong);
    }
}

/// Why a default is no value of a number's type.
fn wrong_default(scalar: Scalar, default: &Expr) -> Option<&'static str> {
    let (negative, literal) = match default {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => (true, &*unary.expr),
        other => (false, other),
    };
    let Expr::Lit(literal) = literal else {
        return if matches!(default, Expr::Path(_)) {
            None
        } else {
            Some("a default is a literal or a constant; write its value")
        };
    };
    match (scalar.numeric, &literal.lit) {
        (Numeric::Bool, Lit::Bool(_)) if !negative => None,
        (Numeric::Float, Lit::Float(_)) => None,
        (Numeric::Signed | Numeric::Unsigned, Lit::Int(int)) => {
            let fits = fits(scalar, negative, int);
            (!fits).then_some("the default does not fit into the field")
        }
        (Numeric::Bool, _) => Some("the default of a truth value is `true` or `false`"),
        (Numeric::Float, _) => Some("the default of a float has a point: `1.0`"),
        _ => Some("the default of an integer has no point and no quotes: `1`"),
    }
}

fn fits(scalar: Scalar, negative: bool, int: &LitInt) -> bool {
    let bits = u32::from(scalar.size).saturating_mul(8);
    let Ok(value) = int.base10_parse::<u128>() else { return false };
    let limit = match scalar.numeric {
        Numeric::Signed => 1_u128.checked_shl(bits.saturating_sub(1)).unwrap_or(0),
        _ => 1_u128.checked_shl(bits).unwrap_or(0),
    };
    match (scalar.numeric, negative) {
        (Numeric::Signed, true) => value <= limit,
        (_, true) => value == 0,
        _ => value < limit,
    }
}
