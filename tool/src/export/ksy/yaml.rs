//! Trees of values as YAML.

use std::fmt::Write as _;

use serde_json::Value;

/// A tree in block style.
pub(super) fn yaml(value: &Value) -> String {
    let mut text = String::new();
    block(&mut text, value, 0);
    text
}

fn block(text: &mut String, value: &Value, indent: usize) {
    let margin = " ".repeat(indent);
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                // Writing to a string does not fail.
                let _ = write!(text, "{margin}{}:", scalar(key));
                behind(text, value, indent);
            }
        }
        Value::Array(list) => {
            for value in list {
                let mut item = String::new();
                block(&mut item, value, indent.saturating_add(2));
                let _ = write!(text, "{margin}- {}", item.trim_start());
            }
        }
        value => {
            let _ = writeln!(text, "{margin}{}", plain(value));
        }
    }
}

/// What stands behind a key.
fn behind(text: &mut String, value: &Value, indent: usize) {
    let deeper = indent.saturating_add(2);
    match value {
        Value::Object(map) if map.is_empty() => text.push_str(" {}\n"),
        Value::Array(list) if list.is_empty() => text.push_str(" []\n"),
        Value::Array(list) if list.iter().all(Value::is_number) => {
            let list: Vec<_> = list.iter().map(plain).collect();
            let _ = writeln!(text, " [{}]", list.join(", "));
        }
        Value::Object(_) | Value::Array(_) => {
            text.push('\n');
            block(text, value, deeper);
        }
        Value::String(lines) if lines.contains('\n') => {
            text.push_str(" |\n");
            for line in lines.lines() {
                let line = format!("{}{line}", " ".repeat(deeper));
                let _ = writeln!(text, "{}", line.trim_end());
            }
        }
        value => {
            let _ = writeln!(text, " {}", plain(value));
        }
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), scalar)
}

/// A text that is read as that text, and not as a number or something else.
fn scalar(text: &str) -> String {
    let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let means_something = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    if is_word && !means_something.contains(&text.to_ascii_lowercase().as_str()) {
        return text.to_owned();
    }
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn trees_are_blocks() {
        let tree = json!({
            "meta": {"id": "a", "endian": "le", "title": "no"},
            "seq": [{"id": "x", "contents": [1, 2]}, {"id": "z", "size": "a ? 1 : 2", "doc": "a\n\nb"}],
            "enums": {},
            "more": {"1": "one"},
        });
        let text = "\
meta:
  id: a
  endian: le
  title: \"no\"
seq:
  - id: x
    contents: [1, 2]
  - id: z
    size: \"a ? 1 : 2\"
    doc: |
      a

      b
enums: {}
more:
  \"1\": one
";
        assert_eq!(yaml(&tree), text);
    }
}
