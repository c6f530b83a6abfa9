//! Rules between the words of one field, its type, and its neighbours.

use syn::Type;

use super::exprs::{self, Scope, Wanted};
use super::sizes::{no_padding_follows, nothing_follows, sizes, until};
use super::{
    alignment, by_hand, byte_tag, ends, fits, flat, limits, magic, map, never, no_order, parallel,
    prefix, presence, previous, remaining, set, signs, strings, texts, types, view,
};
use crate::errors::Errors;
use crate::model::is_parameter;
use crate::model::{Field, Kind, Model, parts, widest};

/// Checks the field at `index`.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>, index: usize, field: &Field<'_>) {
    let words = &field.words;
    if let Some(parallel) = &field.parallel {
        parallel::check(errors, model, index, parallel);
        if !parallel::is_misplaced(&parallel.element) {
            check(errors, model, index, &parallel.element);
        }
        return expressions(errors, model, index, field);
    }
    set::check(errors, model, field);
    if words.map.is_some() {
        map::check(errors, model, field);
    } else if words.with.is_none() {
        types::field(errors, model, field);
        sizes(errors, field);
        byte_order(errors, model, field);
    }
    prefix::check(errors, model, field);
    strings::check(errors, model, field);
    ends::check(errors, field);
    previous::check(errors, model, field);
    presence::field(errors, model, field);
    magic::field(errors, model, index, field);
    location(errors, model, index, field);
    view::check(errors, model, index, field);
    section(errors, field);
    padding(errors, field);
    nothing_follows(errors, model, index, field);
    no_padding_follows(errors, model, field);
    never::endless(errors, model, field);
    fits::two_lengths(errors, field);
    fits::half_a_unit(errors, field);
    fits::too_small(errors, field);
    never::no_null(errors, model, field);
    computed(errors, model, field);
    byte_tag::check(errors, model, field);
    until(errors, model, index, field);
    remaining::check(errors, model, index, field);
    flat::buffer(errors, model, index, field);
    expressions(errors, model, index, field);
    limits::check(errors, model, index, field);
}

/// Expressions see the fields before theirs; what follows the value sees its length too, and the
/// rules see its value.
pub(super) fn expressions(errors: &mut Errors, model: &Model<'_>, index: usize, field: &Field<'_>) {
    exprs::all(errors, model, field.exprs(index));
    by_hand::check(errors, &field.words);
    let rules = Scope { item: field.is_element, ..Scope::of_rules(index, field) };
    for rule in field.words.rules.iter().filter(|rule| !rule.limit) {
        let word = rule.kind.word();
        exprs::check(errors, model, word, &rule.condition, rules, Wanted::Condition);
        texts::text(errors, model, rule, rules);
    }
}

fn byte_order(errors: &mut Errors, model: &Model<'_>, field: &Field<'_>) {
    if field.words.keeper.is_some() {
        // It keeps bytes; of another type that is the mistake.
        return;
    }
    if magic::is_no_choice(model) {
        // Nothing tells the order of any number, which is said once, of the type.
        return;
    }
    let scalar = match field.kind {
        Kind::Scalar(scalar) | Kind::Auto(scalar, _) => Some(scalar),
        Kind::Seq(item) | Kind::Vec(item) | Kind::Array(item) => widest(item),
        Kind::Nested => widest(field.inner),
        _ => None,
    };
    match (scalar, field.order(model), &field.words.order) {
        (Some(scalar), None, _) if scalar.size > 1 => {
            let name = &field.name;
            let one = matches!(field.kind, Kind::Scalar(_) | Kind::Auto(..));
            let what = match field.kind {
                Kind::Nested => format!("a number of `{name}`"),
                _ if one => format!("`{name}`"),
                _ => format!("each item of `{name}`"),
            };
            let place = if model.words.endian.is_some() {
                "the field, which is read before the order of the type is known"
            } else {
                "the type or to the field"
            };
            no_order(errors, field.ty, &what, scalar.size, place);
        }
        (Some(scalar), _, Some(order)) if scalar.variable => {
            errors
                .add(order.span, "a number in an encoding of its own has no byte order; remove it");
        }
        (None, _, Some(order))
            if field.words.prefix.is_none()
                && !matches!(field.kind, Kind::Utf16)
                && !holds_parameter(model, field) =>
        {
            errors.add(order.span, "a byte order is for numbers; a declared type names its own");
        }
        _ => {}
    }
}

/// Whether a number may stand for the type of a field or of its items.
fn holds_parameter(model: &Model<'_>, field: &Field<'_>) -> bool {
    fn within(model: &Model<'_>, ty: &Type) -> bool {
        match ty {
            Type::Array(array) => within(model, &array.elem),
            _ => match parts(ty) {
                Some(parts) => parts.into_iter().any(|part| within(model, part)),
                None => is_parameter(model, ty),
            },
        }
    }
    match field.kind {
        Kind::Seq(item) | Kind::Vec(item) | Kind::Array(item) => within(model, item),
        _ => within(model, field.inner),
    }
}

/// The writer computes integers, and what functions give.
fn computed(errors: &mut Errors, model: &Model<'_>, field: &Field<'_>) {
    // What is converted is no number here, and that it takes no `calc` has been said.
    let Some(calc) = field.words.calc.as_ref().filter(|_| field.words.map.is_none()) else {
        return;
    };
    if field.named_tag().is_some() || field.made_by().is_some() {
        return;
    }
    let auto = matches!(field.kind, Kind::Auto(..));
    if !auto && field.kind.scalar().is_none_or(|scalar| !scalar.is_int()) {
        errors.add(calc.span, "`calc` computes integers, what a function gives: `calc = fan_out(names)`, and enums of numbers, bytes and texts that are a tag: `calc = tag(body)`");
    }
    if let Some(name) = signs::signed_in(model, &calc.value).filter(|_| !field.kind.is_signed()) {
        let message = format!(
            "the field holds no number below 0, and `{name}` may be one; give it to a function of your own"
        );
        errors.add_range(calc.value.ends(), message);
    }
}

fn location(errors: &mut Errors, model: &Model<'_>, index: usize, field: &Field<'_>) {
    let words = &field.words;
    if let (Some(at), Kind::Auto(..)) = (&words.at, field.kind) {
        errors.add(
            at.span,
            "an `Auto` lies in the sequence; make it a plain integer, or a field of a struct that lies at the offset",
        );
    }
    parallel::base(errors, model, index, field);
    if let Some(null) = &words.null
        && (null.value.base10_parse::<u64>().is_err() || !null.value.suffix().is_empty())
    {
        let message = if null.value.base10_digits().starts_with('-') {
            "no offset is negative; declare the number unsigned, where -1 of 32 bits is `null = 0xffff_ffff`"
        } else {
            "`null` is an offset, a plain number without a type: `null = 0`"
        };
        errors.add(null.value.span(), message);
    }
    if let Some(place) = words.place.as_ref().filter(|place| place.value != "around") {
        match model.field(&place.value) {
            Some((at, section)) if at < index && section.words.section.is_some() => {}
            Some((at, _)) if at < index => {
                errors.add(
                    place.value.span(),
                    format!("`{0}` is no section; add `section` to `{0}`", place.value),
                );
            }
            _ => exprs::field(
                errors,
                model,
                &place.value,
                Scope { own: Some(index), ..Scope::first(index) },
            ),
        }
    }
}

/// A section is bytes of the sequence that located fields are written over.
fn section(errors: &mut Errors, field: &Field<'_>) {
    if let Some(section) = &field.words.section
        && (!matches!(field.kind, Kind::Bytes { .. }) || field.is_optional())
    {
        errors.add(section.span, "a section is a field of bytes: `&'a [u8]` with `len = ..`");
    }
}

fn padding(errors: &mut Errors, field: &Field<'_>) {
    let words = &field.words;
    alignment(errors, words.align_before.as_ref());
    alignment(errors, words.align_after.as_ref());
    if let Some((span, wrong)) = words.fill.as_ref().and_then(|fill| fill.value.wrong()) {
        errors.add(span, wrong);
    }
}
