//! Rules about open sections, in which the values of other types lie, too.

use crate::errors::Errors;
use crate::model::{Field, Kind, Model, Space};

/// Checks the sections that are open, and the fields that lie in such a section of a value around.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>) {
    let open = model.fields().iter().filter(|field| field.is_open());
    for section in open.skip(1).filter_map(|field| field.words.section.as_ref()) {
        errors.add(
            section.span,
            "a type has one open section; declare a type for the other one and for what lies there",
        );
    }
    if let Some(own) = model.fields().iter().find(|field| field.is_open()) {
        model.fields().iter().for_each(|field| elsewhere(errors, field, own));
    }
    for field in model.fields() {
        if let Some(grow) = field.words.grow.as_ref().filter(|_| field.is_open()) {
            errors.add(grow.span, "what lies in an open section is placed one behind the other, upwards; remove `grow`, or declare the values in a section of their own");
        }
        if field.is_located() && !field.is_view() && lies_among_others(model, field) {
            located(errors, model, field);
        }
    }
}

/// The closest open section around a field is that of its own type.
fn elsewhere(errors: &mut Errors, field: &Field<'_>, own: &Field<'_>) {
    let around = field.one().words.place.as_ref().filter(|place| place.value == "around");
    if let Some(around) = around {
        let own = &own.name;
        errors.add(
            around.span,
            format!("the open section around is `{own}`, that of this type; write `place = {own}`, or declare a type without one for what lies farther out"),
        );
    }
}

/// Whether values of other types lie where the field does.
fn lies_among_others(model: &Model<'_>, field: &Field<'_>) -> bool {
    match Space::of(model, field) {
        Space::Section(section) => model.fields().get(section).is_some_and(Field::is_open),
        Space::Around => true,
        Space::Behind => false,
    }
}

fn located(errors: &mut Errors, model: &Model<'_>, field: &Field<'_>) {
    let words = &field.one().words;
    if let Some(next) = words.until_next.as_ref() {
        errors.add(
            next.span,
            "in an open section nobody knows where the next value begins; give the value a length",
        );
    }
    let Some(at) = &words.at else { return };
    for name in at.value.names() {
        if model.field(name).is_some_and(|(_, other)| matches!(other.kind, Kind::Auto(..))) {
            errors.add(name.span(), format!("what lies in an open section keeps its place, which an `Auto` does not say; make `{name}` a plain integer"));
        }
    }
}
