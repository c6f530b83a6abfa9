//! `remaining`, the bytes left of the region, in the words of a field.

use super::Field;
use crate::expr::{Expr, Measure};

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
