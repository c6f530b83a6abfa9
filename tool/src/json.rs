//! JSON Lines: how values are written.
//!
//! A reader of JSON may keep numbers as 64-bit floats, which hold integers exactly up to 2^53;
//! larger ones are given as decimal strings. Bytes are given in hexadecimal.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use binfmt_runtime::{Finding, NodeValue};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::names::is_invisible;

/// The largest integer that every JSON reader keeps exactly.
pub(crate) const EXACT: u64 = 1 << 53;

/// Writes one line.
pub fn line(out: &mut dyn Write, value: &Value) -> io::Result<()> {
    writeln!(out, "{}", escaped(&value.to_string()))
}

/// The same JSON, in which nothing changes how the text around it is shown: such characters stand in
/// strings alone.
pub(crate) fn escaped(json: &str) -> Cow<'_, str> {
    let hidden = |c: char| c.is_control() || is_invisible(c);
    if !json.contains(hidden) {
        return Cow::Borrowed(json);
    }
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if hidden(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string does not fail.
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(c);
        }
    }
    Cow::Owned(text)
}

/// A length in memory as a 64-bit number.
pub fn wide(len: usize) -> u64 {
    u64::try_from(len).unwrap_or(u64::MAX)
}

/// A number: as text where not every JSON reader keeps it exactly.
pub fn number(value: u64) -> Value {
    if value > EXACT { value.to_string().into() } else { value.into() }
}

/// A value as text shows it: numbers that are texts in JSON alone have no quotes.
pub fn plain(value: &Value) -> String {
    if let Value::Array(items) = value {
        let items: Vec<_> = items
            .iter()
            .map(|item| item.as_str().map_or_else(|| plain(item), str::to_owned))
            .collect();
        return format!("[{}]", items.join(","));
    }
    let number = value.as_str().filter(|text| text.parse::<i128>().is_ok());
    number.map_or_else(|| value.to_string(), str::to_owned)
}

fn signed(value: i64) -> Value {
    if value.unsigned_abs() > EXACT { value.to_string().into() } else { value.into() }
}

/// JSON has no word for numbers that are not finite.
fn float(value: f64) -> Value {
    serde_json::Number::from_f64(value).map_or_else(|| value.to_string().into(), Value::Number)
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The SHA-256 of some bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Key and value for a name that may be no text.
pub fn name(name: Option<&[u8]>) -> (&'static str, Value) {
    match name.map(|name| (name, std::str::from_utf8(name))) {
        None => ("name", Value::Null),
        Some((_, Ok(text))) => ("name", text.into()),
        Some((bytes, Err(_))) => ("name_hex", hex(bytes).into()),
    }
}

/// How many findings of one code are counted and not kept.
pub fn left_out(more: &binfmt_runtime::LeftOut) -> Value {
    json!({"severity": more.severity.name(), "code": more.code, "count": number(more.count)})
}

/// One finding of a validator.
pub fn finding(finding: &Finding) -> Value {
    let mut told = json!({
        "severity": finding.severity.name(),
        "code": finding.code,
        "path": finding.path.as_str(),
        "start": number(finding.start),
        "end": number(finding.end),
        "message": finding.message.as_str(),
    });
    if let Some(at) = finding.coded_at {
        told["coded_at"] = number(at);
    }
    told
}

pub(crate) fn node_value(value: &NodeValue) -> Value {
    match value {
        NodeValue::Group | NodeValue::Absent => Value::Null,
        NodeValue::Uint(value) => number(*value),
        NodeValue::Int(value) => signed(*value),
        NodeValue::Float(value) => float(*value),
        NodeValue::Bool(value) => (*value).into(),
        NodeValue::Bytes { head, len } if *len > wide(head.len()) => {
            json!({ "hex": hex(head), "len": number(*len) })
        }
        NodeValue::Bytes { head, .. } => hex(head).into(),
        NodeValue::Str(text) => text.as_str().into(),
        NodeValue::Enum { number: value, name } => json!({ "value": number(*value), "name": name }),
        NodeValue::Flags { bits, names } => json!({ "value": number(*bits), "names": names }),
        NodeValue::Items(count) => count.map_or(Value::Null, number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_hides_in_strings() {
        let value: Value = "a\u{202e}b\u{e0041}\u{85}ü".into();
        let text = value.to_string();
        assert_eq!(escaped(&text), r#""a\u202eb\udb40\udc41\u0085ü""#);
        assert_eq!(serde_json::from_str::<Value>(&escaped(&text)).unwrap(), value);
    }

    #[test]
    fn large_numbers_have_quotes_in_json_alone() {
        let shown = [number(7), number(u64::MAX), signed(i64::MIN), "a 7".into()];
        let shown = shown.map(|value| plain(&value));
        assert_eq!(shown, ["7", "18446744073709551615", "-9223372036854775808", "\"a 7\""]);
        assert_eq!(plain(&json!([number(u64::MAX), 2, "n"])), "[18446744073709551615,2,n]");
    }

    #[test]
    fn numbers_above_two_to_the_53_are_strings() {
        assert_eq!(number(9_007_199_254_740_992).to_string(), "9007199254740992");
        assert_eq!(number(9_007_199_254_740_993).to_string(), r#""9007199254740993""#);
        assert_eq!(number(u64::MAX).to_string(), r#""18446744073709551615""#);
        assert_eq!(signed(-9_007_199_254_740_992).to_string(), "-9007199254740992");
        assert_eq!(signed(i64::MIN).to_string(), r#""-9223372036854775808""#);
    }

    #[test]
    fn floats_that_json_lacks_are_strings() {
        assert_eq!(float(1.5).to_string(), "1.5");
        assert_eq!(float(f64::NAN).to_string(), r#""NaN""#);
        assert_eq!(float(f64::NEG_INFINITY).to_string(), r#""-inf""#);
    }

    #[test]
    fn long_bytes_are_cut_with_a_count() {
        let short = NodeValue::Bytes { head: vec![1, 0xab], len: 2 };
        let long = NodeValue::Bytes { head: vec![1, 0xab], len: 1 << 54 };
        assert_eq!(node_value(&short).to_string(), r#""01ab""#);
        assert_eq!(node_value(&long).to_string(), r#"{"hex":"01ab","len":"18014398509481984"}"#);
    }

    #[test]
    fn named_values_keep_their_number() {
        let kind = NodeValue::Enum { number: 2, name: Some("Elf") };
        let odd = NodeValue::Enum { number: 3, name: None };
        let flags = NodeValue::Flags { bits: 17, names: vec!["A", "B"] };
        assert_eq!(node_value(&kind).to_string(), r#"{"value":2,"name":"Elf"}"#);
        assert_eq!(node_value(&odd).to_string(), r#"{"value":3,"name":null}"#);
        assert_eq!(node_value(&flags).to_string(), r#"{"value":17,"names":["A","B"]}"#);
    }
}
