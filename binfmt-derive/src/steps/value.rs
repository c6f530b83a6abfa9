//! What is stored for a field, out of its words.

use super::{Bytes, Ends, Items, Size, Stop, Value};
use crate::expr::Expr;
use crate::model::{Field, Kind, Numeric, is_byte};

/// What is stored for a field.
pub(super) fn value<'m>(field: &'m Field<'m>) -> Value<'m> {
    let words = &field.words;
    if let Some(map) = &words.map {
        return Value::Map(&map.value, size(field));
    }
    if let Some(with) = &words.with {
        return Value::With(&with.value, size(field));
    }
    if words.keeper.is_some() {
        return Value::Keeper;
    }
    match field.kind {
        Kind::Scalar(scalar) if scalar.numeric == Numeric::Bool => Value::Bool,
        Kind::Scalar(_) => Value::Number,
        Kind::Auto(_, ty) => Value::Auto(ty),
        Kind::Bytes { .. } | Kind::Text { .. } | Kind::Utf16 => Value::Bytes(Bytes {
            size: size(field),
            stop: match field.terminator() {
                Some(terminator) => Some(Stop::Terminator(terminator)),
                None => field.ends_at_nul().then_some(Stop::Nul),
            },
            cut: field.cut(),
        }),
        Kind::Seq(_) | Kind::Vec(_) => Value::Items(Items {
            lazy: matches!(field.kind, Kind::Seq(_)),
            ends: ends(field),
            slack: keeps_leftover(field),
            size: size(field),
        }),
        Kind::Array(item) if is_byte(item) => Value::ByteArray,
        Kind::Array(_) | Kind::Nested => Value::Nested(size(field)),
    }
}

fn size<'m>(field: &'m Field<'m>) -> Size<'m> {
    match (&field.words.len, &field.words.prefix) {
        (Some(len), _) => Size::Len(&len.value),
        (None, Some(_)) if !field.kind.is_sequence() => Size::Prefix,
        _ if field.words.until_codec.is_some() => Size::Codec,
        _ => Size::Rest,
    }
}

fn ends<'m>(field: &'m Field<'m>) -> Ends<'m> {
    let words = &field.words;
    let until = words.until.as_ref().map(|until| &until.value);
    match (&words.count, until) {
        _ if words.prefix.is_some() => Ends::Prefix,
        _ if words.terminator.is_some() => Ends::Before,
        (_, Some(until)) if field.until_last() => Ends::Last(until),
        (Some(count), _) => Ends::Count(&count.value),
        (None, Some(Expr::Binary(_, _, least))) => Ends::Remaining(Some(least)),
        _ => Ends::Remaining(None),
    }
}

/// Whether a sequence keeps what its items leave over.
fn keeps_leftover(field: &Field<'_>) -> bool {
    let mut overrides = field.words.level.iter().flat_map(|word| &word.value);
    overrides.any(|(code, _)| code.value() == "leftover")
}
