//! What tells where a field of variable size ends.

use proc_macro2::Span;
use syn::Ident;

use super::exprs::{self, Scope, Wanted};
use super::{keywords, span};
use crate::attr::{Terminator, TerminatorRole};
use crate::errors::Errors;
use crate::expr::{Expr, Measure, Op};
use crate::model::{Field, Kind, Model, Space, encoded, is_lazy, placed_in};

/// Every part of variable size needs a size.
pub(super) fn sizes(errors: &mut Errors, field: &Field<'_>) {
    let (ends, need): (&[&str], _) = if field.kind.is_bytes() {
        let ends = &["prefix", "nul", "len", "until_end", "until_next", "count", "until"];
        (ends, "a size: `len = ..`, `prefix = ..`, `nul`, `until = ..` or `until_end`")
    } else if field.kind.is_sequence() {
        let ends = &["count", "until_end", "until_next", "until", "len", "prefix"];
        (ends, "an end: `count = ..`, `prefix = ..`, `len = ..` or `until_end`")
    } else if encoded(field.inner).is_some() {
        (
            &["len", "until_end", "until_next", "until_codec", "prefix"],
            "a size: `len = ..`, `prefix = ..`, `until_end` or, of a codec that ends by itself, `until_codec`",
        )
    } else if is_lazy(field.inner) {
        (
            &["len", "until_end", "until_next", "prefix"],
            "a size: `len = ..`, `prefix = ..` or `until_end`",
        )
    } else {
        return;
    };
    if ends.iter().all(|word| field.words.given(word).is_none()) {
        errors.add_at(field.inner, format!("`{}` needs {need}", field.name));
    }
}

/// A reader takes padding behind the value for a part of what reads all that is left.
pub(super) fn no_padding_follows(errors: &mut Errors, model: &Model<'_>, field: &Field<'_>) {
    let words = &field.words;
    let Some(align) = model.words.align_after.as_ref().filter(|_| model.words.len.is_none()) else {
        return;
    };
    let sized = words.len.is_some() || words.prefix.is_some() || words.with.is_some();
    let greedy = words.until_end.is_some() || (words.until.is_some() && !field.until_last());
    if greedy && !sized && !field.is_located() {
        let name = &field.name;
        errors.add(
            align.span,
            format!("padding behind the value would be read as a part of `{name}`, which takes all that is left; give the type a `len`"),
        );
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
    nothing_lies_behind(errors, model, field);
    no_number_follows(errors, model, index, field);
    if words.len.is_some() || words.with.is_some() {
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
        // What lies at an offset may have a region of its own.
        ("pad_to", span(&words.pad_to).filter(|_| !field.is_located())),
    ];
    for (other, span) in after.into_iter().filter_map(|(other, span)| Some((other, span?))) {
        errors.add(
            span,
            format!(
                "`{other}` cannot follow `{word}`, which takes everything; give the field a `len`"
            ),
        );
    }
    // Where one of two optional fields is there, the other one may follow it.
    if field.is_located() || field.is_optional() {
        return;
    }
    let next = model.fields().iter().skip(index + 1).find(|next| !next.is_located());
    if let Some(next) = next {
        let next = &next.name;
        let (word, way) = match word {
            "until" => ("`until` of a `Seq`", "make it a `Vec`, which leaves the rest, use `len`"),
            _ => ("`until_end`", "use `len`"),
        };
        errors.add(at, format!("{word} takes everything, so `{next}` cannot follow; {way}, or move the field to the end"));
    }
}

/// A number behind a value that takes all that is left is never there.
fn no_number_follows(errors: &mut Errors, model: &Model<'_>, index: usize, field: &Field<'_>) {
    let Some(len) = field.words.len.as_ref().filter(|len| {
        let takes_all = matches!(len.value, Expr::Measure(Measure::Remaining, _));
        takes_all && !field.is_located() && !field.is_optional()
    }) else {
        return;
    };
    let mut next = model.fields().iter().skip(index + 1).filter(|next| !next.is_located());
    let is_number = |next: &&Field<'_>| next.kind.scalar().is_some() && !next.is_optional();
    if let Some(next) = next.find(is_number) {
        let name = &next.name;
        errors.add(
            len.span,
            format!("`len = remaining` takes everything, so `{name}` cannot follow; take off what follows: `len = remaining - 4`, or move the field to the end"),
        );
    }
}

/// Located fields without a section lie behind the sequence, where a reader would take them for a part of a
/// field that takes everything.
fn nothing_lies_behind(errors: &mut Errors, model: &Model<'_>, field: &Field<'_>) {
    let words = &field.words;
    if field.is_located() || field.is_optional() || words.with.is_some() {
        return;
    }
    let greedy = match (&words.until_end, &words.len) {
        (Some(until_end), None) => Some(("until_end", until_end.span)),
        (None, Some(len)) if matches!(len.value, Expr::Measure(Measure::Remaining, _)) => {
            Some(("len = remaining", len.span))
        }
        _ => None,
    };
    let Some((word, at)) = greedy else { return };
    let Some(behind) = placed_in(model, Space::Behind).first().map(|index| &model.fields()[*index])
    else {
        return;
    };
    let (name, behind) = (&field.name, &behind.name);
    let way = if words.section.is_some() {
        format!("put it into the section: `place = {name}`")
    } else {
        format!("use `len`, or make `{name}` a `section` and say `place = {name}` of `{behind}`")
    };
    errors.add(at, format!("`{word}` takes everything, so `{behind}` cannot lie behind it; {way}"));
}

/// An `until` is about the bytes that are left, or about the last item; a lazy sequence cannot carry
/// the latter with it.
pub(super) fn until(errors: &mut Errors, model: &Model<'_>, index: usize, field: &Field<'_>) {
    let words = &field.words;
    if let Some(least) = &words.least {
        keywords::remaining(errors, model, index, least.span);
    }
    if let Some(span) = until_of_another_kind(field).filter(|_| field.is_element) {
        errors.add(
            span,
            "values of `for_each` that end by themselves are bytes and texts in front of a constant (`until = b'|'`, `until = kept(b'|')`); declare a type for a list or for what `peek` ends",
        );
        return;
    }
    let Some(until) = &words.until else { return };
    if field.kind.is_bytes() {
        let message = if least_behind_a_constant(&until.value) {
            "nothing keeps whether the constant is there; write `kept(b'|') || remaining < 1`, so that it is a part of the value, or `peek(b'|') || remaining < 1`, so that it is one of what follows"
        } else {
            "bytes and texts end with a constant: `until = b'|'`, `until = b\"\\r\\n\"`; else write `len = ..` or `until_end`"
        };
        errors.add_range(until.value.ends(), message);
    } else if field.until_last() {
        if matches!(field.kind, Kind::Seq(_)) {
            errors.add_range(
                until.value.ends(),
                "a lazy sequence cannot carry a condition with it; make it a `Vec`",
            );
            return;
        }
        if let (Some(_), Some(pad_to)) = (&words.least, &words.pad_to) {
            errors.add(
                pad_to.span,
                "the fill behind the items is what `remaining` counts; give the field a `len`, or declare a type around it that has the padding",
            );
        }
        if until.value.names().iter().any(|name| **name == "remaining") {
            errors.add_range(
                until.value.ends(),
                "beside a condition on the last item, `remaining` stands once, behind `||`: `until = last == 0 || remaining < 4`",
            );
            return;
        }
        let before = Scope { located: field.is_located(), own: Some(index), ..Scope::first(index) };
        exprs::check(errors, model, "until", &until.value, before, Wanted::Condition);
    } else if let Some((remaining, least)) = remaining_below(&until.value) {
        keywords::remaining(errors, model, index, remaining.span());
        if matches!(least, Expr::Int(0, _)) {
            errors.add_range(
                until.value.ends(),
                "fewer than 0 bytes are never left; write `until_end`",
            );
        }
    } else {
        errors.add_range(
            until.value.ends(),
            "`until` is about the bytes that are left, the last item or a constant: `until = remaining < 16`, `until = last == 0`, `until = b\"END\"`",
        );
    }
}

/// Where an `until` stands that ends values which lie in the sequence alone.
fn until_of_another_kind(element: &Field<'_>) -> Option<Span> {
    let words = &element.words;
    let (span, ends) = match (&words.terminator, &words.until) {
        (Some(word), _) => {
            let role = &word.value.role;
            let by_itself = matches!(role, TerminatorRole::Follows | TerminatorRole::Kept);
            (word.span, by_itself && words.least.is_none())
        }
        (None, Some(word)) => (word.span, false),
        (None, None) => return None,
    };
    (!ends || !element.is_bytes()).then_some(span)
}

/// Whether a condition is `b'|' || remaining < 1`.
fn least_behind_a_constant(until: &Expr) -> bool {
    let Expr::Binary(left, Op::Or, right) = until else { return false };
    let is_constant = |expr: &Expr| {
        let role = Terminator::of(expr).map(|one| one.role);
        role == Some(TerminatorRole::Follows)
    };
    let is_rest = |expr: &Expr| remaining_below(expr).is_some();
    (is_constant(left) && is_rest(right)) || (is_rest(left) && is_constant(right))
}

/// The word and the number in `remaining < 4`.
fn remaining_below(expr: &Expr) -> Option<(&Ident, &Expr)> {
    let Expr::Binary(left, Op::Lt, least) = expr else { return None };
    match (&**left, &**least) {
        (Expr::Name(name), least @ (Expr::Int(..) | Expr::Path(_))) if name == "remaining" => {
            Some((name, least))
        }
        _ => None,
    }
}
