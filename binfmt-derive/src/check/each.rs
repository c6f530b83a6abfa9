//! Rules about `for_each`, the words that go with it, and `it`.

use super::exprs::Scope;
use super::{exprs, refuse, span};
use crate::errors::Errors;
use crate::model::{Each, Field, Kind, Model};

/// Checks a field with `for_each` at `index`; its values are checked like fields.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>, index: usize, each: &Each<'_>) {
    table(errors, model, index, each);
    let words = &each.element.words;
    if words.at.is_none() {
        errors.add(
            each.table.span(),
            "`for_each` is for values at offsets; say where each lies: `at = it.offset`",
        );
    }
    let why = "has no meaning with `for_each`, whose values lie apart; remove it";
    for (span, word) in [
        (span(&words.section), "section"),
        (span(&words.calc), "calc"),
        (span(&words.until), "until"),
        (span(&words.checksum), "checksum"),
        (span(&words.optional), "optional"),
        (span(&words.flag), "flag"),
        (span(&words.since), "since"),
        (span(&words.before), "before"),
        (span(&words.keeper), "magic"),
    ] {
        refuse(errors, span, word, why);
    }
    let (limits, why) =
        (&words.limits, "is a rule about items; put it on the table, or on their type");
    refuse(errors, span(&limits.range), "range", why);
    refuse(errors, span(&limits.one_of), "one_of", why);
    refuse(errors, span(&limits.unique), "unique", why);
    refuse(errors, span(&limits.sorted_by), "sorted_by", why);
}

/// Whether a value has words of fields in the sequence; more need not be said about them.
pub(super) fn is_misplaced(element: &Field<'_>) -> bool {
    let words = &element.words;
    words.optional.is_some()
        || words.flag.is_some()
        || words.since.is_some()
        || words.before.is_some()
        || words.keeper.is_some()
}

/// The table is an earlier sequence of items that can be set.
fn table(errors: &mut Errors, model: &Model<'_>, index: usize, each: &Each<'_>) {
    let name = &each.table;
    match model.field(name) {
        Some((at, table)) if at < index => {
            let sequence = matches!(table.kind, Kind::Seq(_) | Kind::Vec(_) | Kind::Array(_));
            if !sequence || table.is_optional() || table.each.is_some() {
                errors.add(
                    name.span(),
                    format!("`{name}` is no table; `for_each` names a field of type `Seq`, `Vec` or an array"),
                );
            }
        }
        _ => {
            let scope = Scope { own: Some(index), ..Scope::first(index) };
            exprs::field(errors, model, name, scope);
        }
    }
}

/// `shared` goes with bytes that lie at offsets, for only bytes are compared.
pub(super) fn shared(errors: &mut Errors, field: &Field<'_>) {
    let one = field.one();
    if !one.is_located() {
        refuse(
            errors,
            span(&one.words.shared),
            "shared",
            "belongs to a located field; add `at = ..`",
        );
    } else if !one.kind.is_bytes() {
        refuse(
            errors,
            span(&one.words.shared),
            "shared",
            "is for bytes and texts, which the writer compares",
        );
    }
}

/// What offsets count from: the file, this value, or the start of an earlier field.
pub(super) fn base(errors: &mut Errors, model: &Model<'_>, index: usize, field: &Field<'_>) {
    let Some(base) = &field.words.base else { return };
    let name = &base.value;
    if name == "file" || name == "start" {
        return;
    }
    match model.field(name) {
        Some((at, other)) if at < index => {
            let place = field.words.place.as_ref().and_then(|place| model.field(&place.value));
            if other.is_located() || other.is_optional() {
                errors.add(
                    name.span(),
                    format!("`{name}` may lie anywhere or nowhere; offsets count from a field of the sequence that is always there"),
                );
            } else if place.is_some_and(|(section, _)| section < at) {
                errors.add(
                    name.span(),
                    format!("`{name}` lies behind the section; offsets into it count from a field before it"),
                );
            }
        }
        Some(_) => {
            let scope = Scope { own: Some(index), ..Scope::first(index) };
            exprs::field(errors, model, name, scope);
        }
        None => errors.add(
            name.span(),
            "`base` is `file`, `start`, this value, or an earlier field; without it offsets count from the enclosing `origin`",
        ),
    }
}

/// `set` names fields of one declared value, each once.
pub(super) fn set(errors: &mut Errors, model: &Model<'_>, field: &Field<'_>) {
    let Some(word) = &field.words.set else { return };
    let one = matches!(field.kind, Kind::Nested) && !field.is_element;
    if !one || field.is_optional() || field.words.with.is_some() {
        errors.add(word.span, "`set` is for a field of a declared type that is always there");
    }
    for (index, (name, expr)) in field.setters().iter().enumerate() {
        let whole = Scope::whole(model);
        exprs::check(errors, model, "set", expr, whole, exprs::Wanted::Number);
        if field.setters().iter().take(index).any(|(earlier, _)| earlier == name) {
            errors.add(name.span(), format!("`{name}` is set twice; keep one"));
        }
    }
}
