//! The numbers of one sum or comparison are all signed or all unsigned.

use syn::Ident;

use super::kinds::numeric;
use crate::errors::Errors;
use crate::expr::{Expr, Measure};
use crate::model::{Field, Model, Numeric};

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
        Expr::Builtin(_, args) => args.iter().find_map(|arg| signed_in(model, arg)),
        _ => None,
    }
}

/// Checks what the integers of a field are compared with by `range` and `one_of`.
pub(super) fn beside_field(
    errors: &mut Errors,
    model: &Model<'_>,
    field: &Field<'_>,
    value: &Expr,
) {
    const ALIKE: &str = "the numbers of one comparison are all signed or all unsigned";
    let Some(own) = field.kind.scalar() else { return };
    let (name, signed) = (&field.name, own.numeric == Numeric::Signed);
    for operand in operands(value) {
        match operand {
            Expr::Negative(..) if own.numeric == Numeric::Unsigned => {
                errors.add_range(value.ends(), format!("`{name}` is unsigned and never negative"));
            }
            Expr::Measure(measure, of) if signed => {
                let asked = asked(*measure, of);
                errors.add(of.span(), format!("`{name}` is signed and `{asked}` is not; {ALIKE}"));
            }
            Expr::Builtin(function, _) if signed && function == "align_up" => {
                let message =
                    format!("`{name}` is signed and what `align_up` gives is not; {ALIKE}");
                errors.add(function.span(), message);
            }
            Expr::Name(other) => {
                let numeric = numeric(model, other);
                let integer = matches!(numeric, Some(Numeric::Unsigned | Numeric::Signed));
                if integer && numeric != Some(own.numeric) {
                    let message =
                        format!("of `{name}` and `{other}` one is signed and one is not; {ALIKE}");
                    errors.add(other.span(), message);
                }
            }
            _ => {}
        }
    }
}

/// What an expression is computed of; what functions and conditions take is apart.
fn operands(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Binary(left, op, right) if !op.is_comparison() && !op.is_logic() => {
            [operands(left), operands(right)].concat()
        }
        Expr::If(_, yes, no) => [operands(yes), operands(no)].concat(),
        Expr::Builtin(name, args) if name == "min" || name == "max" => {
            args.iter().flat_map(operands).collect()
        }
        other => vec![other],
    }
}

/// A length, count or place as it is written.
fn asked(measure: Measure, of: &Ident) -> String {
    match measure {
        Measure::Remaining => "remaining".into(),
        other => format!("{}({of})", other.word()),
    }
}
