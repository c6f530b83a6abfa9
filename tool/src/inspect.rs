//! `binfmt inspect`: every field with its place.

mod tree;

use std::collections::HashMap;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use binfmt_runtime::NodeValue;

use crate::args::InspectArgs;
use crate::driver::{Driver, Options, Part};
use crate::input::Input;
use crate::output::{self, Out, Outcome, Trouble, printable};
use crate::pattern::Shown;
use crate::rows::{Choice, Row, rows};
use crate::table::{Side, Table};
use crate::toolbox::Toolbox;
use crate::type_names::human;
use crate::verb::Verb;
use crate::{json, nest, validate};

pub(crate) use tree::write_json;

pub(crate) fn verb() -> Verb {
    Verb::new("inspect", run)
}

fn run(args: &InspectArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let input = Input::open(&args.file)?;
    let hex = args.hex || out.width().is_some_and(|width| width >= WIDE);
    let style = if args.json { Form::Json } else { Form::Lines { docs: args.docs, hex } };
    let choice = Choice { patterns: args.path.as_slice(), depth: args.depth, contents: false };
    let options = args.check.options();
    let mut told = 0_u64;
    let outcome =
        nest::each(&input, toolbox, args.read.format.as_deref(), &mut |input, driver| {
            inspect(input, driver, &options, (style, choice, &mut told), out)
        })?;
    if told == 0 && !args.path.is_empty() && outcome < Outcome::Trouble {
        output::error(&format!("{}: no field has that path", input.name()));
        return Ok(outcome.max(Outcome::Bad));
    }
    Ok(outcome)
}

/// Where there is so much room in a line, bytes are shown too.
const WIDE: usize = 120;

#[derive(Clone, Copy, Debug)]
enum Form {
    Json,
    Lines { docs: bool, hex: bool },
}

fn inspect(
    input: &Input,
    driver: &dyn Driver,
    options: &Options,
    (form, choice, told): (Form, Choice<'_>, &mut u64),
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    if let (Form::Lines { .. }, Some(_)) = (form, input.inner()) {
        writeln!(out, "{}:", out.name(&input.name(), 1))?;
    }
    for part in driver.parts(input, options) {
        if out.is_closed() {
            break;
        }
        *told = told.saturating_add(match form {
            Form::Json => write_json((input, &part), driver, options, choice, out)?,
            Form::Lines { docs, hex } => {
                let shown = ((input, &part), (docs, hex));
                write_lines(shown, driver, options, choice, out)?
            }
        });
    }
    out.flush()?;
    Ok(validate::tell_errors(&input.name(), &driver.validate(input, options)))
}

/// How many rows are aligned together.
const BATCH: usize = 4096;

fn write_lines(
    ((input, part), (docs, hex)): ((&Input, &Part), (bool, bool)),
    driver: &dyn Driver,
    options: &Options,
    choice: Choice<'_>,
    out: &mut Out<'_>,
) -> io::Result<u64> {
    if !part.name.is_empty() {
        writeln!(out, "{}:", printable(&part.name))?;
    }
    let mut table = Table::new(&[
        ("offset", Side::Left),
        ("size", Side::Right),
        ("bytes", Side::Left),
        ("field", Side::Left),
        ("type", Side::Left),
        ("value", Side::Left),
        ("meaning", Side::Left),
    ]);
    table.fit(out.width());
    table.shorten("field", 24);
    table.shorten("type", 8);
    // The start of a value says more than its end, so lines end where the terminal does.
    table.spare(&["type"]);
    let (mut told, mut text, mut types) = (0_u64, Vec::new(), Types::default());
    let mut tell = |row: &Row| {
        told = told.saturating_add(1);
        if out.is_closed() {
            return Ok(());
        }
        add(&mut table, input, row, (docs, hex), &mut types);
        if table.len() < BATCH {
            return Ok(());
        }
        table.write_batch(&mut text)?;
        let written = out.write_text(&text);
        text.clear();
        written
    };
    rows((input, part), driver, options, choice, &mut tell)?;
    if told > 0 {
        table.write(&mut text)?;
        out.write_text(&text)?;
    }
    Ok(told)
}

/// The names of types that were shown: there are few, and each stands in many rows.
#[derive(Default)]
struct Types(HashMap<&'static str, String>);

impl Types {
    fn name(&mut self, ty: &'static str) -> &str {
        self.0.entry(ty).or_insert_with(|| human(ty))
    }
}

/// Adds the line of a field.
fn add(table: &mut Table, file: &[u8], row: &Row, (docs, hex): (bool, bool), types: &mut Types) {
    table.cell(format_args!("{:#010x}", row.start));
    table.cell(row.end.saturating_sub(row.start));
    table.cell(if hex && row.children == 0 { hex_of(file, row) } else { String::new() });
    let indent = 2 * row.depth.min(1 << 12);
    match row.path.last() {
        None => table.cell(format_args!("{:indent$}{}", "", row.ty)),
        Some(_) if row.depth == 0 => table.cell(Shown(&row.path)),
        Some(step) => table.cell(format_args!("{:indent$}{step}", "")),
    }
    table.cell(if row.path.is_empty() || row.ty.is_empty() { "" } else { types.name(row.ty) });
    match &row.value {
        Some(NodeValue::Uint(value @ ..0x1_0000)) => table.cell(value),
        value => table.cell(shown(value.as_ref(), row.children)),
    }
    let doc = row.doc.lines().next().unwrap_or_default().trim();
    table.cell(if docs { printable(doc) } else { String::new() });
}

/// The first bytes of a field, coloured by what they are.
fn hex_of(file: &[u8], row: &Row) -> String {
    const SHOWN: usize = 8;
    let range = usize::try_from(row.start).ok().zip(usize::try_from(row.end).ok());
    let bytes = range.and_then(|(start, end)| file.get(start..end)).unwrap_or_default();
    let hex = bytes.iter().take(SHOWN).map(|byte| {
        let color = match byte {
            0 => AnsiColor::BrightBlack,
            byte if byte.is_ascii_whitespace() || byte.is_ascii_control() => AnsiColor::Green,
            byte if byte.is_ascii() => AnsiColor::Cyan,
            _ => AnsiColor::Yellow,
        };
        let style: Style = color.on_default();
        format!("{style}{byte:02x}{style:#}")
    });
    let more = (bytes.len() > SHOWN).then(|| "..".to_owned());
    hex.chain(more).collect::<Vec<_>>().join(" ")
}

/// The value of a field on one line.
pub(crate) fn shown(value: Option<&NodeValue>, children: u64) -> String {
    match value {
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
        Some(NodeValue::Items(count)) => match count.unwrap_or(children) {
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

    fn written(bytes: &[u8], form: Form) -> (Outcome, String) {
        let mut text = Vec::new();
        let outcome = inspect(
            &input(bytes),
            &Fake,
            &OPTIONS,
            (form, Choice::default(), &mut 0),
            &mut Out::new(&mut text),
        )
        .unwrap();
        (outcome, String::from_utf8(text).unwrap())
    }

    #[test]
    fn fields_are_aligned_lines() {
        let (outcome, text) = written(GOOD, Form::Lines { docs: true, hex: false });
        assert_eq!(outcome, Outcome::Good);
        assert_eq!(
            text,
            "\
offset      size  field    type           value           meaning
0x00000000    11  Boxes
0x00000004     7    boxes  list of Boxed  2 items         What is in it.
0x00000005     3      [0]                 61 62 63 \"abc\"
0x00000009     2      [1]                 64 65 \"de\"
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
        let (outcome, text) = written(&GOOD[..GOOD.len() - 1], Form::Json);
        assert_eq!(outcome, Outcome::Bad);
        assert!(text.starts_with("{\"name\":\"\",\"type\":\"Boxes\",\"start\":0,"), "{text}");
        assert!(text.contains("\"damaged\":true"), "{text}");
    }
}
