//! Rules about `set`: fields of a nested value, or numbers of the items of a table.

use crate::errors::Errors;
use crate::expr::{Expr, Measure};
use crate::model::{Field, Kind, Model, encoded, is_lazy, is_parameter};

/// Checks what is set by the words of a field, or of one value of a field with `for_each`.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>, field: &Field<'_>) {
    if field.is_element {
        of_items(errors, model, field);
    } else {
        of_a_value(errors, model, field);
    }
}

/// `set` names fields of one declared value, each once.
fn of_a_value(errors: &mut Errors, model: &Model<'_>, field: &Field<'_>) {
    let Some(word) = &field.words.set else { return };
    if let Some((number, _)) = field.item_setters().first() {
        let message = "`it` is an item of the table that `for_each` names; it is known there alone";
        return errors.add_range(number.ends(), message);
    }
    let one = matches!(field.kind, Kind::Nested);
    let one = one && !is_parameter(model, field.inner);
    if !one || field.is_optional() || field.words.with.is_some() {
        errors.add(word.span, "`set` is for a field of a declared type that is always there");
    }
    for (index, (name, _)) in field.setters().iter().enumerate() {
        if field.setters().iter().take(index).any(|(earlier, _)| earlier == name) {
            errors.add(name.span(), format!("`{name}` is set twice; keep one"));
        }
    }
}

/// Beside a table, `set` names numbers of its items; what is set in one is set by one field.
fn of_items(errors: &mut Errors, model: &Model<'_>, element: &Field<'_>) {
    for (name, _) in element.setters() {
        errors.add(
            name.span(),
            format!("with `for_each`, numbers of the items are set; write `set(it.{name} = ..)`"),
        );
    }
    let Some((_, field)) = model.field(&element.name) else { return };
    let Some(table) = field.parallel.as_ref().map(|parallel| &parallel.table) else { return };
    let others = model.fields().iter().filter_map(|other| other.parallel.as_ref());
    let others = others.filter(|other| other.table == *table).map(|other| &*other.element);
    let mut before: Vec<&Expr> = Vec::new();
    for other in others {
        let own = std::ptr::eq(other, element);
        for (number, value) in other.item_setters() {
            if own && before.iter().any(|earlier| number.is_same(earlier)) {
                let number_text = number.rendered();
                errors.add_range(number.ends(), format!("`{number_text}` is set twice; keep one"));
            }
            if own {
                for (measure, name) in value.measures() {
                    measurable(errors, model, element, (measure, name));
                }
            }
            before.push(number);
        }
        if own {
            return;
        }
    }
}

/// What can be asked of the value of an item.
fn measurable(
    errors: &mut Errors,
    model: &Model<'_>,
    element: &Field<'_>,
    (measure, name): (Measure, &syn::Ident),
) {
    if model.value_of(name).is_none() {
        return;
    }
    let counted = element.kind.is_sequence() || matches!(element.kind, Kind::Array(_));
    let nested = matches!(element.kind, Kind::Nested) && element.words.with.is_none();
    let wrong = match measure {
        Measure::Len => return,
        Measure::Count if counted => return,
        Measure::Tag if nested && !is_lazy(element.inner) => return,
        Measure::Decoded if encoded(element.inner).is_some() => return,
        Measure::Count => "the value has no items to count; `len(value)` is its size in bytes",
        Measure::Tag => "the value has no tag; only enums that say `tag = ..` have one",
        Measure::Decoded => "the value has no decoded bytes; an `Encoded<C, T>` has some",
        Measure::Start | Measure::End | Measure::Remaining => {
            "where the value of an item lies is told by `at`; use a number of the item"
        }
    };
    errors.add(name.span(), wrong);
}
