//! Declarations that no file fits, as far as constants and types alone say so.

use syn::Type;

use super::exprs::Wanted;
use super::types::named;
use crate::attr::{Purpose, Word};
use crate::errors::Errors;
use crate::expr::{Expr, Op};
use crate::model::{Field, Model, Use, is_lazy, parts};

/// A size, a count or a place is not below 0.
pub(super) fn below_zero(errors: &mut Errors, one: &Use<'_>) {
    let is_size = matches!(one.role.purpose, Purpose::Derives | Purpose::Shape);
    if is_size && one.role.wanted == Wanted::Number && constant(one.expr).is_some_and(|n| n < 0) {
        errors.add_range(one.expr.ends(), format!("`{}` is never below 0", one.row.name));
    }
}

/// What an expression of literals alone is.
fn constant(expr: &Expr) -> Option<i128> {
    match expr {
        Expr::Int(value, _) => Some(i128::from(*value)),
        Expr::Negative(value, _) => Some(i128::from(*value)),
        Expr::Binary(left, op, right) => {
            let (left, right) = (constant(left)?, constant(right)?);
            match op {
                Op::Add => left.checked_add(right),
                Op::Sub => left.checked_sub(right),
                Op::Mul => left.checked_mul(right),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A value that always holds one of its own type has no end.
pub(super) fn endless(errors: &mut Errors, model: &Model<'_>, field: &Field<'_>) {
    let words = &field.words;
    let is_read =
        words.with.is_none() && words.map.is_none() && !field.is_view() && !field.is_element;
    if is_read && !field.is_optional() && is_or_holds(field.inner, &model.input.ident.to_string()) {
        errors.add_at(
            field.inner,
            format!("every `{}` holds another one, without an end; make it optional (`if`, `null`, `optional`), or a variant of an enum", model.input.ident),
        );
    }
}

fn is_or_holds(ty: &Type, own: &str) -> bool {
    match parts(ty) {
        // Nobody has to read what is lazy.
        Some(_) if is_lazy(ty) => false,
        Some(parts) => parts.into_iter().any(|part| is_or_holds(part, own)),
        None => named(ty, own) || named(ty, "Self"),
    }
}

/// A number does not fit into a region of fewer bytes.
pub(super) fn too_small(errors: &mut Errors, field: &Field<'_>) {
    let Some(Word { value, .. }) = &field.words.pad_to else { return };
    let size = field.kind.scalar().filter(|scalar| !scalar.variable).map(|scalar| scalar.size);
    if let (Some(size), Some(room)) = (size, constant(value))
        && room < i128::from(size)
        && !field.is_optional()
    {
        let name = &field.name;
        errors.add_range(
            value.ends(),
            format!("`{name}` has {size} bytes and does not fit into this"),
        );
    }
}

/// The numbers of a type do not fit into the bytes that it has.
pub(super) fn too_short(errors: &mut Errors, model: &Model<'_>) {
    let Some(Word { value, .. }) = &model.words.len else { return };
    let needed = model
        .fields()
        .iter()
        .filter(|field| !field.is_optional() && !field.is_located() && field.words.skip.is_none());
    let needed = needed.filter_map(|field| field.kind.scalar()).filter(|one| !one.variable);
    let needed = needed.map(|scalar| usize::from(scalar.size)).fold(0, usize::saturating_add);
    if let (Some(room), Ok(needed)) = (constant(value), i128::try_from(needed))
        && room < needed
    {
        errors.add_range(
            value.ends(),
            format!("the numbers of the type have {needed} bytes, and do not fit into this"),
        );
    }
}
