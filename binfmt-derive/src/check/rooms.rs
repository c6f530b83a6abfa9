//! A number may be the place of several values, of which one is there: all of them in one room.

use crate::errors::Errors;
use crate::model::{Model, Space, sharers};

/// Checks that values at one number lie in the same section, or all behind the sequence.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>) {
    for field in model.fields() {
        let Some(at) = field.words.at.as_ref().filter(|_| field.is_located() && !field.is_view())
        else {
            continue;
        };
        let space = Space::of(model, field);
        let sharers = sharers(model, field).into_iter();
        let mut before = sharers.take_while(|(_, other)| other.name != field.name);
        let elsewhere = before.find(|(_, other)| Space::of(model, other) != space);
        if let Some((_, other)) = elsewhere {
            let name = &other.name;
            errors.add(
                at.span,
                format!("`{name}` lies at this number, too, and not in the same section, so the writer has two places for it; give each a number of its own"),
            );
        }
    }
}
