//! What stands below a table: what items do, and what the file is made of.

use std::io;

use serde_json::Value;

use crate::item::Item;
use crate::output::{Out, printable};
use crate::{json, sizes, table};

/// What goes into an item and comes out of it, and what it does.
pub(super) fn write(items: &[Item<'_>], out: &mut Out<'_>) -> io::Result<()> {
    for item in items {
        for (key, value) in &item.details {
            let (true, Value::Array(parts)) = (NOTES.contains(key), value) else { continue };
            if !parts.is_empty() {
                let parts: Vec<_> = parts.iter().map(described).collect();
                let name = item.shown_name();
                let line = format!("{name} {key}: {}", printable(&parts.join(", ")));
                table::wrap(&line, out.line_width(), out)?;
            }
        }
    }
    Ok(())
}

/// The details that text shows too.
const NOTES: [&str; 4] = ["inputs", "outputs", "operators", "delegates"];

/// A value with its type: `x f32[1,4]`, or `int 7`.
fn described(value: &Value) -> String {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let plain = |value: &Value| value.as_str().map_or_else(|| json::plain(value), str::to_owned);
    match (value.get("dtype"), value.get("shape"), text("kind")) {
        (None, None, Some(kind)) => {
            let of = value.get("value").map(|value| format!(" {}", json::plain(value)));
            format!("{kind}{}", of.unwrap_or_default())
        }
        (None, None, None) => plain(value),
        (dtype, shape, _) => {
            let shape = shape.and_then(Value::as_array).map_or_else(String::new, |shape| {
                let sizes: Vec<_> = shape.iter().map(plain).collect();
                format!("[{}]", sizes.join(","))
            });
            let name = text("name").map(|name| format!("{name} ")).unwrap_or_default();
            let dtype = dtype.and_then(Value::as_str).unwrap_or_default();
            format!("{name}{dtype}{shape}")
        }
    }
}

/// What the format says about the whole file: `sizes: program 1448, constants 292`.
pub(super) fn write_totals(
    summary: &[(&'static str, Value)],
    exact: bool,
    out: &mut Out<'_>,
) -> io::Result<()> {
    let shown = |key: &str, value: &Value| match value.as_u64() {
        Some(bytes) if matches!(key, "sizes" | "by_dtype") => sizes::shown(bytes, exact),
        _ => json::plain(value),
    };
    for (key, value) in summary {
        let parts = match value {
            Value::Null => continue,
            Value::Object(parts) if parts.is_empty() => continue,
            Value::Array(parts) if parts.is_empty() => continue,
            Value::Object(parts) => {
                parts.iter().map(|(name, part)| format!("{name} {}", shown(key, part))).collect()
            }
            Value::Array(parts) => parts.iter().map(described).collect(),
            value => vec![shown(key, value)],
        };
        let line = format!("{key}: {}", printable(&parts.join(", ")));
        table::wrap(&line, out.line_width(), out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_described_in_a_word() {
        for (value, text) in [
            (json!({"kind": "tensor", "dtype": "f32", "shape": [1, 4]}), "f32[1,4]"),
            (json!({"name": "x", "dtype": null, "shape": ["n", 4]}), "x [n,4]"),
            (json!({"kind": "int", "value": 7}), "int 7"),
            (json!("aten::add.out"), "aten::add.out"),
        ] {
            assert_eq!(described(&value), text);
        }
    }
}
