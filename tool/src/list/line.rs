//! Items as one line of JSON, of which no more than one is in memory.

use std::io::{self, Write as _};

use serde_json::{Value, json};

use crate::driver::{Checked, Driver};
use crate::input::Input;
use crate::item::{Item, Measured};
use crate::json::escaped;
use crate::output::Out;
use crate::paths;

/// How many bytes are collected before they are written.
const BUFFER: usize = 1 << 16;

pub(super) fn write(
    input: &Input,
    driver: &dyn Driver,
    checked: &Checked,
    (items, measured): (&[Item<'_>], &[Measured]),
    totals: Vec<(&'static str, Value)>,
    out: &mut Out<'_>,
) -> io::Result<()> {
    let head = json!({ "file": input.name(), "format": driver.name(), "variant": checked.variant });
    let mut rest = json!({});
    for (key, value) in totals {
        rest[key] = value;
    }
    paths::put_exact(&mut rest, "file", input.path());
    let mut text = b"{".to_vec();
    fields(&head, &mut text)?;
    text.extend_from_slice(b",\"items\":[");
    for (index, (item, measured)) in items.iter().zip(measured).enumerate() {
        if index > 0 {
            text.push(b',');
        }
        text.extend_from_slice(escaped(&item.to_json(measured).to_string()).as_bytes());
        if text.len() >= BUFFER {
            out.write_file(&text)?;
            text.clear();
        }
    }
    text.push(b']');
    if rest.as_object().is_some_and(|rest| !rest.is_empty()) {
        text.push(b',');
        fields(&rest, &mut text)?;
    }
    text.extend_from_slice(b"}\n");
    out.write_file(&text)
}

/// What stands between the braces of an object.
fn fields(object: &Value, to: &mut Vec<u8>) -> io::Result<()> {
    let text = object.to_string();
    let inside = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
    to.write_all(escaped(inside).as_bytes())
}
