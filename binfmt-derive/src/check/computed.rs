//! Rules about values that are not on the wire.

use syn::{Ident, Type};

use super::exprs::{self, Scope, Wanted};
use crate::attr::Computed;
use crate::errors::Errors;
use crate::expr::Measure;
use crate::model::{Kind, Model, Numeric};

const INTEGER: &str =
    "a computed number has a type of Rust, as `u32`; how it would be stored means nothing";

/// Checks all computed values of a type.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>) {
    for computed in &model.words.computed {
        let (whole, wanted) = (Scope::all(model), wanted(errors, computed));
        exprs::check(errors, model, "computed", &computed.expr, whole, wanted);
        method(errors, model, computed);
    }
}

/// What a value of that type is computed as.
fn wanted(errors: &mut Errors, computed: &Computed) -> Wanted {
    if let Type::Reference(reference) = &computed.ty
        && reference.lifetime.is_none()
    {
        errors.add_at(&computed.ty, "a reference here needs the lifetime of the type: `&'a str`");
    }
    let kind = Kind::of(&computed.ty);
    match kind.scalar() {
        Some(scalar) if matches!(kind, Kind::Scalar(_)) => match scalar.numeric {
            Numeric::Bool => Wanted::Condition,
            Numeric::Float => Wanted::Anything,
            Numeric::Unsigned | Numeric::Signed => {
                if !scalar.is_rust() {
                    errors.add_at(&computed.ty, INTEGER);
                }
                Wanted::Number
            }
        },
        Some(_) => {
            errors.add_at(&computed.ty, INTEGER);
            Wanted::Anything
        }
        None => {
            if !matches!(kind, Kind::Nested | Kind::Text { .. } | Kind::Bytes { .. }) {
                errors.add_at(
                    &computed.ty,
                    "a computed value is a number, a condition, a text, bytes or a declared type",
                );
            }
            Wanted::Anything
        }
    }
}

/// A method sees the struct and what it is given, and nothing of the file.
fn method(errors: &mut Errors, model: &Model<'_>, computed: &Computed) {
    let own = &computed.name;
    for name in computed.expr.names() {
        let Some((_, field)) = model.field(name) else { continue };
        if matches!(field.kind, Kind::Auto(..)) {
            unknown(errors, own, name, &format!("`{name}` is in the file alone"));
        }
    }
    for (measure, name) in computed.expr.measures() {
        let Some((_, field)) = model.field(name) else { continue };
        let what = match measure {
            Measure::Count | Measure::Tag => continue,
            Measure::Len if field.is_bytes() && field.cut().is_none() => continue,
            Measure::Len => format!("`len({name})` is known when `{name}` is written"),
            Measure::Decoded => format!("`decoded_len({name})` is known when `{name}` is written"),
            Measure::Start | Measure::End => format!("the file tells where `{name}` lies"),
            Measure::Remaining => "the file tells what is `remaining`".to_owned(),
        };
        unknown(errors, own, name, &what);
    }
}

fn unknown(errors: &mut Errors, own: &Ident, name: &Ident, what: &str) {
    errors.add(
        name.span(),
        format!("{what}, and the method `{own}` sees only the struct; use plain fields, or a name of `let`"),
    );
}
