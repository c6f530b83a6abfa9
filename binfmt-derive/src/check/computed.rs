//! Rules about values that are not on the wire.

use syn::{Ident, Type};

use super::exprs::{self, Scope, Wanted};
use super::types;
use crate::attr::Computed;
use crate::errors::Errors;
use crate::expr::{Expr, Measure};
use crate::model::{Kind, Model, Numeric, option_argument, type_text};

const INTEGER: &str =
    "a computed number has a type of Rust, as `u32`; how it would be stored means nothing";

/// Checks all computed values of a type.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>) {
    for computed in &model.words.computed {
        let before = errors.is_empty();
        let (whole, wanted) = (Scope::all(model), wanted(errors, model, computed));
        exprs::check(errors, model, "computed", &computed.expr, whole, wanted);
        if wanted == Wanted::Anything && before == errors.is_empty() {
            copied(errors, computed, &computed.expr);
        }
        method(errors, model, computed);
    }
}

/// What a value of that type is computed as.
fn wanted(errors: &mut Errors, model: &Model<'_>, computed: &Computed) -> Wanted {
    if matches!(Kind::of(&computed.ty), Kind::Nested) {
        types::unreadable(errors, &computed.ty);
    }
    if option_argument(&computed.ty).is_some() {
        let message = "what cannot be computed is `None` already; write the type in the `Option`";
        errors.add_at(&computed.ty, message);
    }
    let copy = matches!(computed.expr, Expr::Name(_) | Expr::Field(..));
    if let (true, Type::Reference(reference), Some(own)) = (copy, &computed.ty, model.lifetime)
        && let Some(lifetime) = reference.lifetime.as_ref().filter(|one| one.ident == "static")
    {
        let message = format!("what a field holds borrows from the input, which is `{own}`");
        errors.add_at(lifetime, message);
    }
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

/// What is no number has a type of its own, which nothing is converted to.
fn copied(errors: &mut Errors, computed: &Computed, expr: &Expr) {
    let kind = Kind::of(&computed.ty);
    let borrowed = matches!(computed.ty, Type::Reference(_));
    let what = match expr {
        Expr::If(_, yes, no) => {
            copied(errors, computed, yes);
            return copied(errors, computed, no);
        }
        Expr::Text(_) if !borrowed || !matches!(kind, Kind::Text { .. }) => "a borrowed text",
        Expr::Bytes(_) if !borrowed || !matches!(kind, Kind::Bytes { .. }) => "borrowed bytes",
        Expr::Bool(..) | Expr::Not(_) => "a condition",
        Expr::Binary(_, op, _) if op.is_comparison() || op.is_logic() => "a condition",
        Expr::Int(..)
        | Expr::Negative(..)
        | Expr::Measure(..)
        | Expr::Builtin(..)
        | Expr::Binary(..) => "an integer",
        _ => return,
    };
    let (name, ty) = (&computed.name, type_text(&computed.ty));
    errors.add_range(
        expr.ends(),
        format!("this is {what} and `{name}` has the type `{ty}`; call a function of your own"),
    );
}

/// A method sees the struct and what it is given, and nothing of the file.
fn method(errors: &mut Errors, model: &Model<'_>, computed: &Computed) {
    let own = &computed.name;
    if own == "new" && model.words.new.is_some() {
        errors
            .add(own.span(), "the word `new` makes a function `new`; give this value another name");
    }
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
