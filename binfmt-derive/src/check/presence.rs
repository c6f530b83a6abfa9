//! Rules about the words that say whether a field is there.

use super::span;
use crate::attr::Words;
use crate::errors::Errors;
use crate::expr::{Expr, Op};
use crate::model::{Field, Kind, Model, Numeric, encoded, option_argument};

/// The words that make a field optional, the one that a person wrote first.
fn says_absent(words: &Words) -> [(&'static str, Option<proc_macro2::Span>); 6] {
    let own = span(&words.flag).is_none() && span(&words.since).or(span(&words.before)).is_none();
    [
        ("flag", span(&words.flag)),
        ("since", span(&words.since)),
        ("before", span(&words.before)),
        ("optional", span(&words.optional)),
        ("if", span(&words.condition).filter(|_| own)),
        ("null", span(&words.null)),
    ]
}

/// A field that may be absent is an `Option`, and no other is one.
pub(super) fn field(errors: &mut Errors, model: &Model<'_>, field: &Field<'_>) {
    let words = &field.words;
    let absent = says_absent(words).into_iter().find_map(|(word, span)| Some((word, span?)));
    match (option_argument(field.ty), absent) {
        (None, Some((word, span))) => {
            let ty = crate::model::type_text(field.ty);
            errors.add(
                span,
                format!("a field with `{word}` may be absent; make its type `Option<{ty}>`"),
            );
        }
        (Some(_), None) if words.with.is_none() => {
            let how =
                if field.is_located() { "add `null = 0` or `if = ..`" } else { "add `if = ..`" };
            errors.add_at(field.ty, format!("nothing says when the `Option` is there; {how}"));
        }
        _ => {}
    }
    optional(errors, field);
    flag(errors, model, field);
}

/// What is looked for is a magic, right where the field before it ends.
fn optional(errors: &mut Errors, field: &Field<'_>) {
    let words = &field.words;
    let Some(optional) = &words.optional else { return };
    if words.magic.is_some() {
        return;
    }
    let inside = matches!(field.inner, syn::Type::Tuple(_)) || encoded(field.inner).is_some();
    let by_hand = words.with.is_some() || words.map.is_some();
    if !matches!(field.kind, Kind::Nested) || by_hand || inside {
        errors.add(
            optional.span,
            "`optional` looks for a magic; give the field one: `magic = b\"..\"`",
        );
    } else if let Some(prefix) = &words.prefix {
        errors.add(
            prefix.span,
            "`prefix` stands before the magic of the type, which `optional` looks for; give the field a magic: `magic = b\"..\"`",
        );
    }
}

/// The writer sets the bit, so nothing else may compute it.
fn flag(errors: &mut Errors, model: &Model<'_>, field: &Field<'_>) {
    let (Some(word), Some(flag)) = (&field.words.flag, &field.flag) else {
        return;
    };
    let bits = &model.fields()[flag.index];
    let name = &bits.name;
    let at = word.value.span();
    let number = match bits.kind {
        Kind::Scalar(scalar) => {
            scalar.numeric == Numeric::Unsigned && matches!(word.value, Expr::Binary(..))
        }
        Kind::Nested => matches!(word.value, Expr::Field(..) | Expr::Not(_)),
        _ => false,
    };
    if matches!(bits.kind, Kind::Auto(..)) {
        let message = format!("the other bits of `{name}` would get lost; make it a plain number");
        errors.add(at, message);
    } else if bits.is_optional() && matches!(bits.kind, Kind::Scalar(_)) {
        let zero = if flag.inverted { "==" } else { "!=" };
        let bit = match &flag.bit {
            Expr::Int(bit, _) => bit.to_string(),
            _ => "..".into(),
        };
        let message = format!(
            "`{name}` may be absent, and `flag` sets a bit of what is always there; write `if = {name} & {bit} {zero} 0`"
        );
        errors.add(at, message);
    } else if bits.is_optional() || bits.words.with.is_some() || !number {
        errors.add(at, format!("`{name}` has no such bit; `flag` takes one of an unsigned number (`flags & 4`) or of `bitflags` (`flags.NAME`)"));
    } else if bits.words.calc.is_some() {
        errors.add(at, format!("`{name}` has a `calc`, and `flag` sets a bit of it; keep one"));
    }
    if let (Expr::Int(value, span), Kind::Scalar(scalar)) = (&flag.bit, bits.kind) {
        let high = value.checked_shr(u32::from(scalar.size).saturating_mul(8));
        let fits = scalar.variable || high.is_none_or(|high| high == 0);
        if !value.is_power_of_two() || !fits {
            errors.add(*span, format!("a `flag` is one bit of `{name}`: 1, 2, 4 and so on"));
        }
    }
}

/// A version that no field asks for, and fields that never are there.
pub(super) fn version(errors: &mut Errors, model: &Model<'_>) {
    let gated = |field: &Field<'_>| field.words.since.is_some() || field.words.before.is_some();
    if let Some(version) = &model.words.version
        && !model.fields().iter().any(gated)
    {
        errors.add(version.span, "no field has a `since` or `before`; remove the `version`");
    }
    for words in model.fields().iter().map(|field| &field.words) {
        if let (Some(since), Some(before)) = (&words.since, &words.before)
            && let (Expr::Int(since, _), Expr::Int(end, span)) = (&since.value, &before.value)
            && since >= end
        {
            errors.add(*span, "the field is never there; `before` must be above `since`");
        }
        for word in [&words.since, &words.before].into_iter().flatten() {
            if !matches!(
                word.value,
                Expr::Int(..) | Expr::Path(_) | Expr::Binary(_, Op::BitOr | Op::Shl, _)
            ) {
                errors.add_range(word.value.ends(), "a version is a number or a constant");
            }
        }
    }
}
