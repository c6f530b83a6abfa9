//! `remaining`, the bytes left of the region, in the words of a field.

use super::Field;
use crate::expr::{Expr, Measure};

impl Field<'_> {
    /// Whether its length asks what is left behind the padding or the magic in front of it.
    pub(crate) fn asks_behind_padding(&self) -> bool {
        let words = &self.words;
        let has_before =
            words.pad_before.is_some() || words.align_before.is_some() || words.magic.is_some();
        has_before && words.len.as_ref().is_some_and(|len| asks(&len.value))
    }

    /// Whether its condition asks what is left.
    pub(crate) fn asks_in_condition(&self) -> bool {
        self.words.condition.as_ref().is_some_and(|condition| asks(&condition.value))
    }
}

fn asks(expr: &Expr) -> bool {
    expr.measures().into_iter().any(|(measure, _)| measure == Measure::Remaining)
}

/// Ties every `remaining` to the field in whose words it stands.
pub(super) fn name(fields: &mut [Field<'_>]) {
    for field in fields.iter_mut() {
        if field.is_located() {
            continue;
        }
        let name = field.name.clone();
        let words = [&mut field.words.len, &mut field.words.condition];
        for word in words.into_iter().flatten() {
            word.value.replace(&mut |expr| {
                let Expr::Name(word) = expr else { return };
                if word == "remaining" {
                    let mut field = name.clone();
                    field.set_span(word.span());
                    *expr = Expr::Measure(Measure::Remaining, field);
                }
            });
        }
    }
}
