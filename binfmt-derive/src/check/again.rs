//! Rules about what a writer reads again when it has written it: it can only read types that are known then.

use crate::attr::Weight;
use crate::errors::Errors;
use crate::model::Model;

/// What no writer makes, whatever the value holds.
const NEVER_WRITTEN: &[&str] = &["padding", "derived", "checksum", "trailing"];

/// Refuses what a writer would have to look at, and cannot: a file that no reader takes would be written.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>) {
    if model.outlives() {
        return;
    }
    let why = if model.input.generics.type_params().next().is_some() {
        "type parameters"
    } else {
        "arguments that borrow"
    };
    let levels = model.all_words().flat_map(|words| &words.level).flat_map(|word| &word.value);
    for (code, weight) in levels {
        if *weight == Weight::Error && !NEVER_WRITTEN.contains(&code.value().as_str()) {
            errors.add(
                code.span(),
                format!("a writer reads the value again to look at this, and cannot in a type with {why}; write the `level` on a field that holds the value, in a type without"),
            );
        }
    }
    if let Some(probe) = &model.words.probe {
        errors.add(
            probe.span,
            format!("a writer reads the value again to see which variant it is, and cannot in a type with {why}; declare an enum without, or tell the variants apart by `magic` or `tag`"),
        );
    }
}
