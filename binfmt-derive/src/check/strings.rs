//! Rules about the ends of bytes and texts.

use super::no_order;
use crate::errors::Errors;
use crate::model::{Cut, Field, Kind, Model};

/// Checks what is cut off a width, and the byte order of a text of two bytes a unit.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>, field: &Field<'_>) {
    let words = &field.words;
    if matches!(field.kind, Kind::Utf16) && field.order(model).is_none() {
        let what = format!("each unit of `{}`", field.name);
        no_order(errors, field.ty, &what, 2, "the type or to the field");
    }
    if let Some(trim) = &words.trim {
        let most = if matches!(field.kind, Kind::Utf16) { 0xffff } else { 0xff };
        let fill = trim.value.0.base10_parse::<u64>();
        if fill.is_ok_and(|fill| fill > most)
            || trim.value.0.base10_parse::<u64>().is_err()
            || !trim.value.0.suffix().is_empty()
        {
            errors
                .add(trim.value.0.span(), format!("`trim` is one unit of the string: 0 to {most}"));
        }
    }
    let Some(cut) = field.cut() else { return };
    let Some(len) = &words.len else {
        if let (Cut::Nul, Some(nul)) = (cut, &words.nul) {
            errors.add(nul.span, "`nul = optional` ends a string of a fixed width; add `len = 16`");
        }
        return;
    };
    let auto = len.value.names().into_iter().find(|name| {
        model.field(name).is_some_and(|(_, field)| matches!(field.kind, Kind::Auto(..)))
    });
    if let Some(name) = auto {
        errors.add(
            name.span(),
            format!("`{name}` is not in the struct, so the width that was read would not be kept; make it a plain integer"),
        );
    }
}
