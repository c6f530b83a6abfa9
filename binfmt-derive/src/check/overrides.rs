//! Rules about `level`: each names something that the declaration can find.

use crate::attr::RuleKind;
use crate::errors::Errors;
use crate::model::{Field, Kind, Model};

/// Checks the severity overrides of a type and of its fields.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>) {
    let fields = model.fields().iter().map(|field| (Some(field), &field.words));
    for (field, words) in fields.chain([(None, &model.words)]) {
        for (code, _) in words.level.iter().flat_map(|word| &word.value) {
            let value = code.value();
            if let Some(field) = field {
                on_field(errors, field, code.span(), &value);
            }
            own_rule(errors, model, code.span(), &value);
        }
    }
}

fn on_field(errors: &mut Errors, field: &Field<'_>, span: proc_macro2::Span, code: &str) {
    let words = &field.words;
    let message = match code {
        "leftover" if !matches!((&words.until, field.kind), (Some(_), Kind::Seq(_))) => {
            "`level(leftover = ..)` keeps what `until` leaves over; it goes on a `Seq` with `until`"
        }
        "unique" if words.unique.is_none() => "nothing here is `unique`; remove the level",
        "sorted_by" if words.sorted_by.is_none() => {
            "nothing here has `sorted_by`; remove the level"
        }
        "checksum"
            if words.checksum.is_none()
                && !matches!(
                    field.kind,
                    Kind::Nested | Kind::Seq(_) | Kind::Vec(_) | Kind::Array(_)
                ) =>
        {
            "nothing here has a `checksum`; remove the level"
        }
        _ => return,
    };
    errors.add(span, message);
}

/// A rule of the type itself says by its word what it weighs.
fn own_rule(errors: &mut Errors, model: &Model<'_>, span: proc_macro2::Span, code: &str) {
    let fields = model.fields().iter().flat_map(|field| &field.words.rules);
    let mut rules = model.words.rules.iter().chain(fields);
    let own = rules.find(|rule| rule.code.as_ref().is_some_and(|own| own.value() == code));
    if let Some(rule) = own {
        let word = if rule.kind == RuleKind::Note { "warn" } else { "note" };
        errors.add(
            span,
            format!(
                "this is a rule of this type; write another word for `{}` there: `{word}(..)`",
                rule.kind.word()
            ),
        );
    }
}
