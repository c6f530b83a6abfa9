//! Texts from a file, cut and made safe for a page.

use binfmt_runtime::{NodeValue, Value};

use crate::inspect::shown;
use crate::output::printable;

/// How many bytes of JSON a value may take.
const LONGEST: usize = 96;

/// What kind of value it is, as the page colours it, and its text.
pub(super) fn of_value(value: &Value<'_>, children: u64) -> (char, String) {
    let (kind, value) = match value {
        Value::Group => ('g', NodeValue::Group),
        Value::Absent => ('-', NodeValue::Absent),
        Value::Bytes(_) => ('b', value.into()),
        // A text may be as long as the file.
        Value::Str(text) => ('s', NodeValue::Str(text.chars().take(LONGEST).collect())),
        Value::Utf16(text) => ('s', NodeValue::Str(text.chars().take(LONGEST).collect())),
        Value::Enum { .. } => ('e', value.into()),
        Value::Flags { .. } => ('f', value.into()),
        Value::Items(_) => ('i', value.into()),
        Value::Uint(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_) => ('n', value.into()),
    };
    (kind, cut(&shown(Some(&value), children), LONGEST))
}

/// A text from a file: nothing in it is invisible, and it is no longer than it may be.
pub(super) fn safe(text: &str, most: usize) -> String {
    cut(&printable(&text.chars().take(most).collect::<String>()), most)
}

/// The start of a text that takes no more than so many bytes in JSON.
fn cut(text: &str, most: usize) -> String {
    let mut left = most;
    let mut shown = String::new();
    for c in text.chars() {
        let bytes = match c {
            '"' | '\\' => 2,
            '<' => 6,
            c => c.len_utf8(),
        };
        let Some(rest) = left.checked_sub(bytes) else {
            shown.push('…');
            break;
        };
        left = rest;
        shown.push(c);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_and_show_everything() {
        let long = "<".repeat(1 << 20);
        let (kind, text) = of_value(&Value::Str(&long), 0);
        assert_eq!((kind, text), ('s', format!("\"{}…", "<".repeat(15))));
        assert_eq!(of_value(&Value::Str("a\u{202e}b\0"), 0).1, "\"a\\u{202e}b\\u{0}\"");
        assert_eq!(of_value(&Value::Items(None), 3), ('i', "3 items".to_owned()));
        assert_eq!(safe("a\u{e0041}b", 6), "a\\u{e…");
    }
}
