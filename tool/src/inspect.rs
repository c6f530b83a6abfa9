//! `binfmt inspect`: every field with its place.

use std::io::{self, Write};

use binfmt_runtime::{Node, NodeValue};
use serde_json::Value;

use crate::args::InspectArgs;
use crate::driver::{Driver, Options, Part};
use crate::input::Input;
use crate::output::{Out, Outcome, Trouble, printable};
use crate::table::{Side, Table};
use crate::toolbox::Toolbox;
use crate::verb::Verb;
use crate::{json, validate};

pub(crate) fn verb() -> Verb {
    Verb::new("inspect", run)
}

fn run(args: &InspectArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let input = Input::open(&args.file)?;
    let Some(driver) = toolbox.choose(&input, args.read.format.as_deref()) else {
        return Ok(validate::unrecognised(&input));
    };
    let style = if args.json { Style::Json } else { Style::Lines { docs: args.docs } };
    inspect(&input, driver, &args.check.options(), style, out)
}

#[derive(Clone, Copy, Debug)]
enum Style {
    Json,
    Lines { docs: bool },
}

fn inspect(
    input: &Input,
    driver: &dyn Driver,
    options: &Options,
    style: Style,
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    for part in driver.inspect(input, options) {
        match style {
            Style::Json => json::line(out, &part_to_json(&part))?,
            Style::Lines { docs } => write_lines(&part, docs, out)?,
        }
    }
    out.flush()?;
    Ok(validate::tell_errors(&input.name(), &driver.validate(input, options)))
}

fn part_to_json(part: &Part) -> Value {
    let mut value = json::node(&part.tree.root);
    if part.tree.left_out > 0 {
        value["left_out"] = part.tree.left_out.into();
    }
    if !part.name.is_empty() {
        value["name"] = part.name.as_str().into();
    }
    value
}

fn write_lines(part: &Part, docs: bool, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new(&[
        ("offset", Side::Left),
        ("size", Side::Right),
        ("field", Side::Left),
        ("type", Side::Left),
        ("value", Side::Left),
        ("meaning", Side::Left),
    ]);
    if !part.name.is_empty() {
        writeln!(out, "{}:", printable(&part.name))?;
    }
    add_rows(&mut table, &part.tree.root, 0, docs);
    table.write(out)?;
    if part.tree.left_out > 0 {
        writeln!(out, "and {} more fields and items", part.tree.left_out)?;
    }
    Ok(())
}

fn add_rows(table: &mut Table, node: &Node, depth: usize, docs: bool) {
    let name = if depth == 0 { node.ty } else { &node.name };
    table.row(vec![
        format!("{:#010x}", node.start),
        node.end.saturating_sub(node.start).to_string(),
        format!("{}{name}", "  ".repeat(depth)),
        if depth == 0 { String::new() } else { node.ty.to_owned() },
        shown(node),
        if docs {
            printable(node.doc.lines().next().unwrap_or_default().trim())
        } else {
            String::new()
        },
    ]);
    for child in &node.children {
        add_rows(table, child, depth + 1, docs);
    }
}

/// The value of a field on one line.
fn shown(node: &Node) -> String {
    match &node.value {
        None => "(damaged)".to_owned(),
        Some(NodeValue::Group) => String::new(),
        Some(NodeValue::Absent) => "(absent)".to_owned(),
        Some(NodeValue::Uint(value)) => shown_number(*value),
        Some(NodeValue::Int(value)) => value.to_string(),
        Some(NodeValue::Float(value)) => value.to_string(),
        Some(NodeValue::Bool(value)) => value.to_string(),
        Some(NodeValue::Bytes { head, len }) => shown_bytes(head, *len),
        Some(NodeValue::Str(text)) => format!("\"{}\"", printable(text)),
        Some(NodeValue::Enum { number, name: Some(name) }) => format!("{name} ({number})"),
        Some(NodeValue::Enum { number, name: None }) => format!("unknown ({number:#x})"),
        Some(NodeValue::Flags { bits, names }) if names.is_empty() => format!("{bits:#x}"),
        Some(NodeValue::Flags { bits, names }) => format!("{bits:#x} ({})", names.join(" | ")),
        Some(NodeValue::Items(count)) => match count.unwrap_or(json::wide(node.children.len())) {
            1 => "1 item".to_owned(),
            count => format!("{count} items"),
        },
    }
}

/// Small numbers are counts and sizes, large ones rather bit patterns.
fn shown_number(value: u64) -> String {
    if value < 0x1_0000 { value.to_string() } else { format!("{value} ({value:#x})") }
}

fn shown_bytes(head: &[u8], len: u64) -> String {
    let shown = head.get(..16).unwrap_or(head);
    let hex: Vec<_> = shown.iter().map(|byte| format!("{byte:02x}")).collect();
    let hex = hex.join(" ");
    if len > json::wide(shown.len()) {
        format!("{hex} ..")
    } else if !shown.is_empty() && shown.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        format!("{hex} \"{}\"", String::from_utf8_lossy(shown))
    } else {
        hex
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{Fake, GOOD, OPTIONS, input};

    fn written(bytes: &[u8], style: Style) -> (Outcome, String) {
        let mut text = Vec::new();
        let outcome =
            inspect(&input(bytes), &Fake, &OPTIONS, style, &mut Out::new(&mut text)).unwrap();
        (outcome, String::from_utf8(text).unwrap())
    }

    #[test]
    fn fields_are_aligned_lines() {
        let (outcome, text) = written(GOOD, Style::Lines { docs: true });
        assert_eq!(outcome, Outcome::Good);
        assert_eq!(
            text,
            "\
offset      size  field    type        value    meaning
0x00000000    11  Boxes
0x00000004     7    boxes  Vec<Boxed>  2 items  What is in it.
"
        );
    }

    #[test]
    fn bytes_are_shown_with_their_text() {
        assert_eq!(shown_bytes(b"main", 4), "6d 61 69 6e \"main\"");
        assert_eq!(shown_bytes(b"a\n", 2), "61 0a");
        assert_eq!(shown_bytes(b"main", 5), "6d 61 69 6e ..");
        assert_eq!(shown_bytes(b"", 0), "");
    }

    #[test]
    fn damaged_file_is_shown_and_told() {
        let (outcome, text) = written(&GOOD[..GOOD.len() - 1], Style::Json);
        assert_eq!(outcome, Outcome::Bad);
        assert!(text.starts_with("{\"name\":\"\",\"type\":\"Boxes\",\"start\":0,"), "{text}");
        assert!(text.contains("\"damaged\":true"), "{text}");
    }
}
