//! Rules about expressions: the names that are known where one stands.

use syn::Ident;

use super::{keywords, kinds, never, previous};
use crate::attr::Args;
pub(super) use crate::attr::Wanted;
use crate::errors::{Errors, did_you_mean};
use crate::expr::{Expr, Measure};
pub(super) use crate::model::Scope;
use crate::model::{Body, Field, Kind, Model, Use, encoded, is_entry, is_lazy};

/// Checks one expression of `word`.
pub(super) fn check(
    errors: &mut Errors,
    model: &Model<'_>,
    word: &str,
    expr: &Expr,
    scope: Scope,
    wanted: Wanted,
) {
    if expr.names().into_iter().any(|name| model.is_misplaced_last(name)) {
        return;
    }
    if quoted(errors, word, expr, wanted) {
        return;
    }
    keywords::expr(errors, model, expr, scope);
    if previous::is_misplaced(errors, word, expr, scope) {
        return;
    }
    for name in expr.names() {
        // A `warn` or a `note` stops no writer.
        if let Some((index, section)) = model.field(name)
            && !matches!(word, "warn" | "note")
            && section.holds_values(model, index)
        {
            errors.add(
                name.span(),
                format!("`{name}` is a section, whose bytes are written with the values in it; name those, or `len({name})`"),
            );
            continue;
        }
        let known = model.parameters().iter().any(|parameter| parameter.name == *name);
        if word == "set" && scope.item && is_all_values(model, name, scope) {
            let message =
                format!("`{name}` is the values of all items; that of this one is `value`");
            errors.add(name.span(), message);
        } else if let ("endian", false, Some(order)) = (word, known, order_named(model, name)) {
            errors.add(name.span(), format!("a byte order is an `Order`; write `{order}`"));
        } else if !known && model.last_item(name).is_none() {
            field(errors, model, name, scope);
        }
    }
    for (name, members) in expr.parts() {
        let is_encoded = |(_, field): (usize, &Field<'_>)| encoded(field.inner).is_some();
        if !members.is_empty() && model.field(name).is_some_and(is_encoded) {
            errors.add(
                name.span(),
                format!("`{name}` has its parts in decoded bytes, which nothing outside can name; a rule about them stands in their type"),
            );
        }
    }
    measures(errors, model, word, expr, scope);
    upper_case(errors, model, expr);
    kinds::check(errors, model, (word, scope), expr, wanted);
}

/// An expression that is written as a string, as other crates have it.
fn quoted(errors: &mut Errors, word: &str, expr: &Expr, wanted: Wanted) -> bool {
    let Expr::Text(text) = expr else { return false };
    if wanted == Wanted::Anything && !matches!(word, "endian" | "tag") {
        return false;
    }
    let inside = text.value();
    let instead = match word {
        "endian" if inside == "little" || inside == "big" => inside,
        "check" | "error" | "warn" | "note" => format!("{word}({inside}, \"..\")"),
        _ => format!("{word} = {inside}"),
    };
    errors.add(text.span(), format!("an expression is no string; write `{instead}`"));
    true
}

/// Checks what an expression measures: fields that are known, and can be measured.
fn measures(errors: &mut Errors, model: &Model<'_>, word: &str, expr: &Expr, scope: Scope) {
    for (measure, name) in expr.measures() {
        if measure == Measure::Remaining || model.value_of(name).is_some() {
            continue;
        }
        if scope.item && model.field(name).is_none() && (name == "it" || name == "index") {
            let message = format!(
                "`{name}` has no `{}` here; a number in the item may tell it: `it.size`",
                measure.word()
            );
            errors.add(name.span(), message);
            continue;
        }
        field(errors, model, name, Scope { values: scope.measures, ..scope });
        let is_told = word == "set" && !scope.item && measure == Measure::Start;
        if !(is_told && has_a_place(model, name)) {
            measurable(errors, model, measure, name);
        }
    }
}

/// The constant that is meant by the word for a byte order.
fn order_named(model: &Model<'_>, name: &Ident) -> Option<&'static str> {
    let field = model.field(name).is_some();
    match name.to_string().as_str() {
        "big" if !field => Some("Order::Big"),
        "little" if !field => Some("Order::Little"),
        _ => None,
    }
}

/// Whether a name is that of the field whose word it stands in.
fn is_all_values(model: &Model<'_>, name: &Ident, scope: Scope) -> bool {
    model.field(name).is_some_and(|(index, _)| Some(index) == scope.own)
}

/// Checks the expressions of some words, but for those of rules and of `until`.
pub(super) fn all<'m>(errors: &mut Errors, model: &Model<'_>, uses: impl Iterator<Item = Use<'m>>) {
    for one in uses.filter(|one| !one.row.is_rule() && one.row.name != "until") {
        let wanted = match one.row.name {
            "set" if model.is_condition(one.expr) => Wanted::Condition,
            _ => one.role.wanted,
        };
        check(errors, model, one.row.name, one.expr, one.scope(model), wanted);
        never::below_zero(errors, &one);
    }
}

/// Arguments that are passed twice.
pub(super) fn passed_twice(errors: &mut Errors, args: &Args) {
    let list = args.passed();
    for (index, (name, _)) in list.iter().enumerate() {
        if list.iter().take(index).any(|(earlier, _)| earlier == name) {
            errors.add(name.span(), format!("argument `{name}` is passed twice; keep one"));
        }
    }
}

/// A name must be that of a field which has been read.
pub(super) fn field(errors: &mut Errors, model: &Model<'_>, name: &Ident, scope: Scope) {
    match model.field(name) {
        Some((_, field)) if field.is_located() && !scope.located => {
            errors.add(
                name.span(),
                format!("`{name}` lies at an offset and is read after the sequence; nothing in the sequence can use it"),
            );
        }
        Some((index, _)) if index < scope.values => {}
        Some((index, _)) if Some(index) == scope.own => {
            errors.add(
                name.span(),
                format!("`{name}` is this field itself and is not known yet; use fields before it"),
            );
        }
        Some(_) => {
            errors.add(name.span(), format!("`{name}` is read later; move it before this field"));
        }
        None if (name == "index" || is_entry(name)) && scope.item => {}
        None if name == "it" => {
            let own = scope.own.and_then(|own| model.fields().get(own));
            errors.add(
                name.span(),
                if own.is_some_and(|own| own.parallel.is_some()) {
                    "a rule here is about all values, and `it` is one item; put the rule on the type of the items or of the values"
                } else {
                    "`it` is an item of the table that `for_each` names; it is known there alone"
                },
            );
        }
        None if name == "previous" && scope.item => {
            errors.add(
                name.span(),
                "the item before is known in `len` and `count`, beside what the first value has in its place: `it.end - (previous.end or 0)`",
            );
        }
        None => errors.add(name.span(), unknown(model, name)),
    }
}

/// What is said of a name that is no field here.
fn unknown(model: &Model<'_>, name: &Ident) -> String {
    let is_argument = model.parameters().iter().any(|parameter| parameter.name == *name);
    let is_kept = name == "_0" && model.fields().first().is_some_and(|first| first.name == "_1");
    let said = match name.to_string().as_str() {
        "previous" => {
            "the item before is known in the `args` of a `Vec` or a `LinkedSeq`, beside what the first item is given: `previous.status or 0`; a part of it, and nothing that is measured of it"
        }
        "remaining" => {
            "`remaining` is known in `until`, and in `len` and `if` of fields that follow one another"
        }
        "last" => {
            "`last` is the item that was read last, and known in `until` alone: `until = last == 0`"
        }
        "index" => {
            "`index` is the number of a value beside a table that `for_each` names; items of a `Vec` count themselves, with an argument: `args(number = previous.number + 1 or 0)`"
        }
        _ if is_kept => {
            "`_0` is the tag that the variant keeps, which has several parts or is borrowed; name the arguments of the enum that it is made of"
        }
        _ => "",
    };
    if !said.is_empty() {
        return said.to_owned();
    }
    if is_argument {
        return format!(
            "`{name}` is an argument, of which nothing is measured; pass its length, or how many there are, as an argument of its own"
        );
    }
    if model.skipped.iter().any(|field| field.name == *name) {
        return format!("`{name}` is not on the wire, so nothing can use it; remove its `skip`");
    }
    let fields = model.fields().iter().map(|field| field.name.to_string());
    let parameters = model.parameters().iter().map(|parameter| parameter.name.to_string());
    let known: Vec<String> = fields.chain(parameters).collect();
    let hint = did_you_mean(&name.to_string(), known.iter().map(String::as_str));
    let is_part = name.to_string().starts_with('_');
    if hint.is_empty() && !is_part && matches!(model.body, Body::Union(_)) {
        return format!(
            "there is no argument `{name}`; an enum is given what is in front of it: `args({name}: u8)`, and `args({name})` on its field"
        );
    }
    format!("there is no field or argument `{name}`{hint}")
}

/// `count` goes with what has items, `start` with what follows from the fields before it.
fn measurable(errors: &mut Errors, model: &Model<'_>, measure: Measure, name: &Ident) {
    let problem = model.field(name).and_then(|(_, field)| not_measurable(measure, name, field));
    if let Some(problem) = problem {
        errors.add(name.span(), problem);
    }
}

/// Whether a field is one value that is written at an offset, so that another value may be told where.
fn has_a_place(model: &Model<'_>, name: &Ident) -> bool {
    let field = model.field(name).map(|(_, field)| field);
    field.is_some_and(|field| field.is_located() && field.parallel.is_none() && !field.is_view())
}

/// Why a field has no such measure.
fn not_measurable(measure: Measure, name: &Ident, field: &Field<'_>) -> Option<String> {
    let has_items = field.kind.is_sequence() || matches!(field.kind, Kind::Array(_));
    Some(match measure {
        _ if field.parallel.is_some() && measure != Measure::Count => {
            if field.is_located() {
                format!(
                    "the values of `{name}` lie apart, so they have no length or place as a whole; `count({name})` is their number"
                )
            } else {
                format!(
                    "`{name}` is one value for each item of a table; put table and values into a type of their own, and ask for the length of that"
                )
            }
        }
        Measure::Len if field.is_view() && !field.is_bytes() => {
            format!(
                "`{name}` is a view of bytes that others write; ask for the length of their field"
            )
        }
        Measure::Count if field.parallel.as_ref().is_some_and(|one| one.inner) => {
            format!(
                "nothing tells how many items there are beside `{name}`, for their table may be absent or lies in other values; ask for something else"
            )
        }
        Measure::Count if !has_items => {
            format!("`{name}` has no items to count; `len({name})` is its size in bytes")
        }
        Measure::Tag if is_lazy(field.inner) => {
            format!(
                "`{name}` is lazy, so that nothing has read its tag; keep the tag in a field of its own"
            )
        }
        Measure::Tag if !matches!(field.kind, Kind::Nested) || field.words.with.is_some() => {
            format!("`{name}` has no tag; only enums that say `tag = ..` have one")
        }
        Measure::Decoded if encoded(field.inner).is_none() => {
            format!("`{name}` has no decoded bytes; an `Encoded<C, T>` has some")
        }
        Measure::Start if field.is_located() => {
            format!("`{name}` starts at its `at`; use that")
        }
        Measure::End if field.is_located() => {
            format!("`{name}` lies at an offset; its end is that of its `at` and `len({name})`")
        }
        _ => return None,
    })
}

/// A name in upper case reads as a constant, so a field cannot have one and be used.
fn upper_case(errors: &mut Errors, model: &Model<'_>, expr: &Expr) {
    expr.walk(&mut |expr| {
        if let Expr::Path(path) = expr
            && let Some(name) = path.get_ident()
            && model.field(name).is_some()
        {
            errors.add(
                name.span(),
                format!("`{name}` reads as a constant here; give the field a name in lower case"),
            );
        }
    });
}
