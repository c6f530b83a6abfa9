//! Rules about `range`, `one_of`, `unique` and `sorted_by`.

use proc_macro2::Span;

use super::exprs::{self, Scope, Wanted};
use crate::attr::{Choice, Range};
use crate::errors::Errors;
use crate::expr::Expr;
use crate::model::limits::item_rules;
use crate::model::{
    Field, Kind, Model, Numeric, Scalar, array_of_bytes, is_byte, number_type, scalar,
};

/// Checks the words of a field that limit what it may hold.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>, index: usize, field: &Field<'_>) {
    let limits = &field.words;
    let located = field.is_located();
    let scope = Scope { located, own: Some(index), ..Scope::first(index) };
    if let Some(range) = &limits.range {
        range_of(errors, model, field, range.span, &range.value, scope);
    }
    if let Some(one_of) = &limits.one_of {
        choices(errors, model, field, one_of.span, &one_of.value, scope);
    }
    if let Some(calc) = &limits.calc {
        out_of_reach(errors, field, &calc.value, 0);
    }
    if model.words.bits.is_none() {
        items(errors, field);
    }
}

/// What is compared must be an integer, or a declared type that stands for one.
fn is_number(kind: Kind<'_>) -> bool {
    matches!(kind, Kind::Nested) || kind.scalar().is_some_and(Scalar::is_int)
}

fn range_of(
    errors: &mut Errors,
    model: &Model<'_>,
    field: &Field<'_>,
    word: Span,
    range: &Range,
    scope: Scope,
) {
    if !is_number(field.kind) {
        let float = field.kind.scalar().is_some_and(|scalar| scalar.numeric == Numeric::Float);
        let instead = if float { "; call a function of your own in a `check`" } else { "" };
        errors.add(word, format!("`range` is for integers, and this field is none{instead}"));
        return;
    }
    let before = errors.is_empty();
    for end in range.low.iter().chain(&range.high) {
        exprs::check(errors, model, "range", end, scope, Wanted::Number);
    }
    if before && !errors.is_empty() {
        return;
    }
    if let Some(message) = says_nothing(field, range) {
        return errors.add_range(range.ends, message);
    }
    // The end of an open range is one more than the last number.
    let more = i128::from(!range.closed);
    for (end, more) in
        range.low.iter().map(|low| (low, 0)).chain(range.high.iter().map(|high| (high, more)))
    {
        out_of_reach(errors, field, end, more);
    }
}

pub(super) fn literal(value: &Expr) -> Option<i128> {
    match value {
        Expr::Int(value, _) => Some(i128::from(*value)),
        Expr::Negative(value, _) => Some(i128::from(*value)),
        _ => None,
    }
}

/// The least and the greatest number that a field can hold.
pub(super) fn bounds(field: &Field<'_>) -> Option<(i128, i128)> {
    let of = match field.kind {
        Kind::Auto(_, ty) => ty,
        _ => field.inner,
    };
    // A number with an encoding of its own has the range of the number, however long it is.
    let scalar = scalar(number_type(of)).or(field.kind.scalar())?;
    let bits = match field.widths().own {
        0 => u32::from(scalar.size) * 8,
        own => own.min(64),
    };
    Some(bounds_of(scalar, bits))
}

/// The least and the greatest number of so many bits.
pub(super) fn bounds_of(scalar: Scalar, bits: u32) -> (i128, i128) {
    match scalar.numeric {
        Numeric::Signed => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
        _ => (0, (1_i128 << bits) - 1),
    }
}

/// A range in which every value of the field lies, or none.
fn says_nothing(field: &Field<'_>, range: &Range) -> Option<String> {
    let known = |end: &Option<Expr>| end.as_ref().map(literal);
    let (low, high) = (known(&range.low), known(&range.high));
    let high = match high {
        Some(Some(high)) if !range.closed => Some(Some(high - 1)),
        other => other,
    };
    let everything = || Some("every value lies in this range; remove it".into());
    let (least, most) = match bounds(field) {
        Some(bounds) => bounds,
        None if low.is_none() && high.is_none() => return everything(),
        None => (i128::MIN, i128::MAX),
    };
    let low = low.unwrap_or(Some(least))?;
    let high = high.unwrap_or(Some(most))?;
    if low <= least && high >= most {
        return everything();
    }
    if low > high {
        return Some("no value lies in this range; put the smaller end first".into());
    }
    (low > most || high < least).then(|| "no value of this field lies in this range".into())
}

fn choices(
    errors: &mut Errors,
    model: &Model<'_>,
    field: &Field<'_>,
    word: Span,
    list: &[Choice],
    scope: Scope,
) {
    let bytes = match field.kind {
        Kind::Bytes { .. } => true,
        Kind::Array(item) => is_byte(item),
        _ => false,
    };
    let text = matches!(field.kind, Kind::Text { .. });
    if !bytes && !text && !is_number(field.kind) {
        errors.add(word, "`one_of` is for integers, enums, bytes and texts; this field is none");
        return;
    }
    for (index, Choice { value, text: spelled }) in list.iter().enumerate() {
        let wanted = match value {
            Expr::Bytes(_) if !bytes => None,
            Expr::Text(_) if !text => None,
            Expr::Bytes(_) | Expr::Text(_) => Some(()),
            _ => (!bytes && !text).then_some(()),
        };
        if wanted.is_none() {
            let what = match (bytes, text) {
                (true, _) => "bytes: `b\"AB\"`",
                (_, true) => "texts: `\"ab\"`",
                _ => "numbers or named ones",
            };
            errors.add_range(value.ends(), format!("the values of this field are {what}"));
        } else if bytes || text || matches!(field.kind, Kind::Nested) {
            exprs::check(errors, model, "one_of", value, scope, Wanted::Anything);
            if let (Expr::Bytes(bytes), Some(len)) = (value, array_of_bytes(field.inner))
                && bytes.value().len() != len
            {
                let own = bytes.value().len();
                let message = format!("the field has {len} bytes and this value has {own}");
                errors.add(bytes.span(), message);
            }
        } else {
            exprs::check(errors, model, "one_of", value, scope, Wanted::Number);
            out_of_reach(errors, field, value, 0);
        }
        if list.iter().take(index).any(|earlier| earlier.text == *spelled) {
            errors.add_range(value.ends(), format!("`{spelled}` is listed twice; keep one"));
        }
    }
}

/// A number that the field cannot hold, nor one that is so much less.
fn out_of_reach(errors: &mut Errors, field: &Field<'_>, value: &Expr, more: i128) {
    if let (Some(number), Some((least, most))) = (literal(value), bounds(field))
        && (number < least || number > most.saturating_add(more))
    {
        let message = match field.widths().own {
            0 => format!("a `{}` is never {number}", crate::model::type_text(field.inner)),
            own => format!("a field of {own} bits is never {number}"),
        };
        errors.add_range(value.ends(), message);
    }
}

/// `unique` and `sorted_by` compare items that can be read again.
fn items(errors: &mut Errors, field: &Field<'_>) {
    for rule in item_rules(&field.words) {
        let word = rule.word();
        let (Kind::Seq(item) | Kind::Vec(item) | Kind::Array(item)) = field.kind else {
            errors.add(
                rule.span,
                if field.kind.is_bytes() {
                    format!("`{word}` compares items, and this field is bytes or a text, which have none; a `Seq<'a, u8>` has")
                } else {
                    format!("`{word}` compares items; it goes on a `Seq`, a `Vec` or an array")
                },
            );
            continue;
        };
        if field.words.with.is_some() {
            errors.add(
                rule.span,
                format!(
                    "`{word}` reads the items again, which `with` does not know how to; keep one"
                ),
            );
        }
        let Some(scalar) = scalar(item) else { continue };
        if scalar.numeric == Numeric::Float {
            errors.add(rule.span, format!("floats have no order, so `{word}` cannot compare them"));
        } else if let Some(key) = rule.key {
            errors.add_range(
                key.ends(),
                format!(
                    "the items are numbers and have no fields; write `{}`",
                    if rule.unique { "unique" } else { "sorted_by = it" }
                ),
            );
        }
    }
}
