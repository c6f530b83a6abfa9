//! What tells where a field of variable size ends.

use super::exprs::{self, Scope, Wanted};
use super::{flat, refuse, span, types};
use crate::errors::Errors;
use crate::expr::{Expr, Op};
use crate::model::{Field, Kind, Model, is_lazy};

/// Every part of variable size needs a size, and only one.
pub(super) fn sizes(errors: &mut Errors, field: &Field<'_>) {
    let words = &field.words;
    if field.kind.is_bytes() {
        byte_sizes(errors, field);
    } else if field.kind.is_sequence() {
        item_sizes(errors, field);
    } else {
        let why = "is for sequences: `Seq<'a, T>` or `Vec<T>`";
        refuse(errors, span(&words.count), "count", why);
        refuse(errors, span(&words.until), "until", why);
        let other = flat::is_buffer(field) || types::named(field.inner, "Blob");
        if !is_lazy(field.inner) && !other {
            let why = "is for bytes, texts, sequences and lazy values";
            refuse(errors, span(&words.until_end), "until_end", why);
        } else if is_lazy(field.inner)
            && words.len.is_none()
            && words.until_end.is_none()
            && words.prefix.is_none()
        {
            no_size(errors, field);
        }
        if !matches!(field.kind, Kind::Nested) {
            refuse(
                errors,
                span(&words.len),
                "len",
                "has no meaning on a field of fixed size; remove it",
            );
        }
    }
    if let (Some(_), Some(second)) = (&words.len, &words.until_end) {
        errors.add(second.span, "`len` and `until_end` exclude each other; keep one");
    }
}

fn byte_sizes(errors: &mut Errors, field: &Field<'_>) {
    let words = &field.words;
    refuse(errors, span(&words.count), "count", "counts items; for bytes use `len = ..`");
    refuse(
        errors,
        span(&words.until),
        "until",
        "ends a sequence of items; for bytes use `len = ..` or `until_end`",
    );
    let other = span(&words.prefix).or(span(&words.nul));
    let sizes =
        [other, span(&words.len), span(&words.until_end), span(&words.count), span(&words.until)];
    if sizes.iter().all(Option::is_none) {
        no_size(errors, field);
    }
}

fn no_size(errors: &mut Errors, field: &Field<'_>) {
    let nul = if field.kind.is_bytes() { ", `nul`" } else { "" };
    errors.add_at(
        field.inner,
        format!("`{}` needs a size: `len = ..`, `prefix = ..`{nul} or `until_end`", field.name),
    );
}

fn item_sizes(errors: &mut Errors, field: &Field<'_>) {
    let words = &field.words;
    let ends = [span(&words.count), span(&words.until_end), span(&words.until)];
    if ends.iter().all(Option::is_none) && words.len.is_none() && words.prefix.is_none() {
        let name = &field.name;
        errors.add_at(
            field.inner,
            format!(
                "`{name}` needs an end: `count = ..`, `prefix = ..`, `len = ..` or `until_end`"
            ),
        );
    }
    if let Some(second) = ends.into_iter().flatten().nth(1) {
        errors.add(second, "`count`, `until` and `until_end` exclude each other; keep one");
    }
}

/// What runs to the end of the region leaves nothing for what comes after it.
pub(super) fn nothing_follows(
    errors: &mut Errors,
    model: &Model<'_>,
    index: usize,
    field: &Field<'_>,
) {
    let words = &field.words;
    // Where one of two optional fields is there, the other one may follow it.
    if field.is_located() || field.is_optional() || words.len.is_some() || words.with.is_some() {
        return;
    }
    let greedy = match (&words.until_end, &words.until) {
        (Some(until_end), _) => Some(("until_end", until_end.span)),
        // The items of a `Vec` are read at once, so what they leave is there for others.
        (None, Some(until)) if matches!(field.kind, Kind::Seq(_)) => Some(("until", until.span)),
        _ => None,
    };
    let Some((word, at)) = greedy else { return };
    let after = [
        ("nul", span(&words.nul)),
        ("pad_after", span(&words.pad_after)),
        ("pad_to", span(&words.pad_to)),
    ];
    for (other, span) in after.into_iter().filter_map(|(other, span)| Some((other, span?))) {
        errors.add(
            span,
            format!(
                "`{other}` cannot follow `{word}`, which takes everything; give the field a `len`"
            ),
        );
    }
    let next = model.fields().iter().skip(index + 1).find(|next| !next.is_located());
    if let Some(next) = next {
        let next = &next.name;
        errors.add(at, format!("`{word}` takes everything, so `{next}` cannot follow; use `len`, or move the field to the end"));
    }
}

/// An `until` is about the bytes that are left, or about the last item; a lazy sequence cannot carry
/// the latter with it.
pub(super) fn until(errors: &mut Errors, model: &Model<'_>, index: usize, field: &Field<'_>) {
    let words = &field.words;
    let Some(until) = &words.until else { return };
    if field.until_last() {
        if matches!(field.kind, Kind::Seq(_)) {
            errors.add_range(
                until.value.ends(),
                "a lazy sequence cannot carry a condition with it; make it a `Vec`",
            );
            return;
        }
        let before = Scope { located: field.is_located(), own: Some(index), ..Scope::first(index) };
        exprs::check(errors, model, "until", &until.value, before, Wanted::Condition);
    } else if !is_remaining_below(&until.value) {
        errors.add_range(
            until.value.ends(),
            "`until` is about the bytes that are left or the last item: `until = remaining < 16`, `until = last == 0`",
        );
    } else if matches!(&until.value, Expr::Binary(_, _, right) if matches!(**right, Expr::Int(0, _)))
    {
        errors
            .add_range(until.value.ends(), "fewer than 0 bytes are never left; write `until_end`");
    }
}

fn is_remaining_below(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Binary(left, Op::Lt, right)
            if matches!(&**left, Expr::Name(name) if name == "remaining")
                && matches!(&**right, Expr::Int(..) | Expr::Path(_))
    )
}
