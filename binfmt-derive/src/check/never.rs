//! Declarations that no file fits, as far as constants and types alone say so.

use syn::Type;

use super::exprs::Wanted;
use super::types::named;
use crate::attr::{Purpose, Word};
use crate::errors::Errors;
use crate::expr::{Expr, Op};
use crate::model::{Field, Kind, Model, Numeric, Use, Variant, is_lazy, parts, type_text};

/// A size, a count or a place is not below 0.
pub(super) fn below_zero(errors: &mut Errors, one: &Use<'_>) {
    let is_size = matches!(one.role.purpose, Purpose::Derives | Purpose::Shape);
    if is_size && one.role.wanted == Wanted::Number && constant(one.expr).is_some_and(|n| n < 0) {
        errors.add_range(one.expr.ends(), format!("`{}` is never below 0", one.row.name));
    }
}

/// What an expression of literals alone is.
pub(super) fn constant(expr: &Expr) -> Option<i128> {
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

/// No number says that a value is absent, for what `at` makes of it is never what `null` says.
pub(super) fn no_null(errors: &mut Errors, model: &Model<'_>, field: &Field<'_>) {
    let words = &field.one().words;
    let (Some(at), Some(Word { value: null, .. })) = (&words.at, &words.null) else { return };
    let Ok(absent) = null.base10_parse::<u64>().map(i128::from) else { return };
    let Some(Sum { factor, more, number: Some(number) }) = Sum::of(&at.value) else { return };
    let is = |number: i128| factor.checked_mul(number)?.checked_add(more);
    let rest = absent.saturating_sub(more);
    if rest.checked_rem(factor) == Some(0)
        && rest.checked_div(factor).is_some_and(|n| fits(model, field, number, n))
    {
        return;
    }
    let message = match is(absent).filter(|_| fits(model, field, number, absent)) {
        Some(place) => format!(
            "`null` is compared with `at`, which no number makes {absent}; where the number itself is {absent}, write `null = {place}`"
        ),
        None => format!("`null` is compared with `at`, which no number makes {absent}"),
    };
    errors.add(null.span(), message);
}

/// `number * factor + more`.
struct Sum<'e> {
    factor: i128,
    more: i128,
    number: Option<&'e Expr>,
}

impl<'e> Sum<'e> {
    /// An expression that consists of constants and one number.
    fn of(expr: &'e Expr) -> Option<Self> {
        if let Some(more) = constant(expr) {
            return Some(Self { factor: 0, more, number: None });
        }
        let Expr::Binary(left, op, right) = expr else {
            let is_number = matches!(expr, Expr::Name(_) | Expr::Field(..));
            return is_number.then_some(Self { factor: 1, more: 0, number: Some(expr) });
        };
        let (left, right) = (Self::of(left)?, Self::of(right)?);
        let number = match (left.number, right.number) {
            (Some(_), Some(_)) => return None,
            (left, right) => left.or(right),
        };
        let each = |join: fn(i128, i128) -> Option<i128>| {
            Some((join(left.factor, right.factor)?, join(left.more, right.more)?))
        };
        let (factor, more) = match op {
            Op::Add => each(i128::checked_add)?,
            Op::Sub => each(i128::checked_sub)?,
            // One of them is a constant.
            Op::Mul => (
                left.factor
                    .checked_mul(right.more)?
                    .checked_add(left.more.checked_mul(right.factor)?)?,
                left.more.checked_mul(right.more)?,
            ),
            _ => return None,
        };
        Some(Self { factor, more, number })
    }
}

/// Whether a number can have this value, as far as its type is known here.
fn fits(model: &Model<'_>, field: &Field<'_>, number: &Expr, value: i128) -> bool {
    let Expr::Name(name) = number else { return u64::try_from(value).is_ok() };
    let own = model.field(&field.name).filter(|_| name == "it").map(|(_, own)| own);
    let item = own.and_then(|own| own.parallel.as_ref());
    let item = item.and_then(|parallel| model.entry_type(parallel)).map(Kind::of);
    let scalar = item.or(model.field(name).map(|(_, field)| field.kind)).and_then(Kind::scalar);
    match scalar.filter(|scalar| scalar.is_int() && !scalar.variable) {
        Some(scalar) if scalar.numeric == Numeric::Signed => true,
        Some(scalar) => {
            let bits = u32::from(scalar.size).saturating_mul(8);
            value >= 0 && value.checked_shr(bits).unwrap_or(0) == 0
        }
        None => u64::try_from(value).is_ok(),
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

/// What an earlier variant reads is never read as a later one of the same type.
pub(super) fn probed_twice(errors: &mut Errors, model: &Model<'_>, variants: &[Variant<'_>]) {
    if model.words.probe.is_none() {
        return;
    }
    let plain = variants.iter().filter(|one| one.words.args.is_none() && one.words.codec.is_none());
    let typed: Vec<_> = plain.filter_map(|one| Some((one.ident, one.ty?))).collect();
    for (index, (name, ty)) in typed.iter().enumerate() {
        let text = type_text(ty);
        let mut before = typed.iter().take(index);
        if let Some((first, _)) = before.find(|(_, other)| type_text(other) == text) {
            errors.add_at(
                ty,
                format!("`{first}` is read first and has this type, too, so `{name}` is never there; remove it, or give it a type of its own"),
            );
        }
    }
}
