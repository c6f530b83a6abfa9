//! Rules about the constants that end bytes, texts and items.

use super::{refuse, span};
use crate::attr::{Constant, Order, TerminatorRole};
use crate::errors::Errors;
use crate::expr::Expr;
use crate::model::{Field, Kind, Numeric};

/// Checks the constant that ends a field.
pub(super) fn check(errors: &mut Errors, field: &Field<'_>) {
    let words = &field.words;
    let Some(word) = &words.terminator else { return };
    let why = "tells where the field ends, and so does a constant behind `until`; keep one";
    refuse(errors, span(&words.len), "len", why);
    refuse(errors, span(&words.count), "count", why);
    if words.section.is_some() && word.value.role != TerminatorRole::PeekedLast {
        errors.add(word.span, "the values in a section may hold these bytes too; a section ends in front of the last ones: `until = peek_last(b\"..\")`");
    }
    let wrong = match field.kind {
        Kind::Utf16 => Some("a UTF-16 text ends with a `nul`, or has a `len` or a `prefix`"),
        Kind::Bytes { .. } | Kind::Text { .. } => of_bytes(field),
        Kind::Vec(_) => of_items(field),
        Kind::Seq(_) => Some("a lazy sequence cannot carry a constant with it; make it a `Vec`"),
        // That `until` has no meaning on others has been said.
        _ => None,
    };
    if let Some(wrong) = wrong {
        errors.add(word.span, wrong);
    }
}

const NO_BYTE: &str = "bytes end with a byte, 0 to 255, or with several: `until = b\"\\r\\n\"`";

fn of_bytes(field: &Field<'_>) -> Option<&'static str> {
    let terminator = field.terminator()?;
    let least = field.words.least.as_ref().map(|least| &least.value);
    if least.is_some_and(|least| !matches!(least, Expr::Int(1, _))) {
        return Some("bytes end with the constant or with their region: `|| remaining < 1`");
    }
    let kept = terminator.role == TerminatorRole::Kept;
    let is_text = matches!(field.kind, Kind::Text { .. });
    let bytes = match &terminator.constant {
        Constant::Negative(_) => return Some(NO_BYTE),
        Constant::Number(number) if *number > 0xff => {
            return Some(NO_BYTE);
        }
        _ => field.terminator_bytes(Order::Little),
    };
    if bytes.is_empty() {
        return Some("an empty constant is found at once");
    }
    (is_text && kept && core::str::from_utf8(&bytes).is_err())
        .then_some("a text that ends with these bytes is no UTF-8")
}

fn of_items(field: &Field<'_>) -> Option<&'static str> {
    let terminator = field.terminator()?;
    if terminator.role == TerminatorRole::PeekedLast {
        return Some("items are read one after the other; `peek_last` ends bytes");
    }
    if terminator.role == TerminatorRole::Kept {
        return Some("the item that ends the others is one of them: `until = last == 0`");
    }
    match (field.item_number(), &terminator.constant) {
        (Some(number), _) if number.variable || !number.is_int() => {
            Some("these items end with one of them: `until = last == 0`")
        }
        (Some(_), Constant::Bytes(_)) => {
            Some("items that are numbers end with a number of their type: `until = 0`")
        }
        (Some(number), Constant::Number(value)) => {
            let bits = u32::from(number.size).saturating_mul(8);
            let most = u64::MAX >> 64_u32.saturating_sub(bits);
            (*value > most).then_some("no item is this number")
        }
        (Some(number), Constant::Negative(value)) => {
            let bits = u32::from(number.size).saturating_mul(8);
            let least = i64::MIN >> 64_u32.saturating_sub(bits);
            (number.numeric != Numeric::Signed || *value < least)
                .then_some("no item is this number")
        }
        (None, Constant::Number(_) | Constant::Negative(_)) => {
            Some("items that are no numbers end with bytes: `until = b\"END\"`")
        }
        (None, Constant::Bytes(bytes)) => {
            bytes.value().is_empty().then_some("an empty constant is found at once")
        }
    }
}
