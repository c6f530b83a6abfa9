//! `binfmt list`: what is in a file.

use std::io::{self, Write};

use rayon::prelude::*;
use serde_json::{Value, json};

use crate::args::ListArgs;
use crate::driver::{Checked, Driver, Options};
use crate::input::Input;
use crate::item::{Item, Measured};
use crate::names::Names;
use crate::output::{self, Out, Outcome, Trouble, printable};
use crate::ranges::covered;
use crate::table::{Side, Table};
use crate::toolbox::Toolbox;
use crate::verb::Verb;
use crate::{json, validate};

pub(crate) fn verb() -> Verb {
    Verb::new("list", run)
}

fn run(args: &ListArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let input = Input::open(&args.file)?;
    let Some(driver) = toolbox.choose(&input, args.read.format.as_deref()) else {
        return Ok(validate::unrecognised(&input));
    };
    let options = args.decode.options();
    list(&input, driver, &options, Show { json: args.json, hash: args.hash }, out)
}

#[derive(Clone, Copy, Debug)]
struct Show {
    json: bool,
    hash: bool,
}

fn list(
    input: &Input,
    driver: &dyn Driver,
    options: &Options,
    show: Show,
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    let items = Names::give_all(driver.list(input, &input.stem(), options));
    let measured: Vec<_> = items.par_iter().map(|item| item.measure(show.hash)).collect();
    let checked = driver.validate(input, options);
    if show.json {
        let summary = driver.summary(input, options);
        json::line(out, &to_json(input, driver, &checked, (&items, &measured), summary))?;
    } else {
        write_table(&items, &measured, out)?;
        write_summary(&driver.summary(input, options), out)?;
    }
    out.flush()?;
    Ok(validate::tell_errors(&input.name(), &checked).max(tell_undecoded(input, &items, &measured)))
}

fn to_json(
    input: &Input,
    driver: &dyn Driver,
    checked: &Checked,
    (items, measured): (&[Item<'_>], &[Measured]),
    summary: Vec<(&'static str, Value)>,
) -> Value {
    let items: Vec<_> =
        items.iter().zip(measured).map(|(item, measured)| item.to_json(measured)).collect();
    let mut line = json!({ "file": input.name(), "format": driver.name(), "variant": checked.variant, "items": items });
    for (key, value) in summary {
        line[key] = value;
    }
    line
}

/// What the format says about the whole file: `sizes: program 1448, constants 292`.
fn write_summary(summary: &[(&'static str, Value)], out: &mut dyn Write) -> io::Result<()> {
    for (key, value) in summary {
        let parts = match value {
            Value::Null => continue,
            Value::Object(parts) if parts.is_empty() => continue,
            Value::Object(parts) => {
                parts.iter().map(|(name, part)| format!("{name} {}", json::plain(part))).collect()
            }
            value => vec![json::plain(value)],
        };
        writeln!(out, "{key}: {}", printable(&parts.join(", ")))?;
    }
    Ok(())
}

fn write_table(items: &[Item<'_>], measured: &[Measured], out: &mut dyn Write) -> io::Result<()> {
    let extra = extra_columns(items);
    let mut columns = vec![("path", Side::Left), ("kind", Side::Left)];
    columns.extend(extra.iter().map(|heading| (*heading, Side::Left)));
    columns.extend([("name", Side::Left), ("offset", Side::Left)]);
    columns.extend([("stored", Side::Right), ("size", Side::Right), ("sha256", Side::Left)]);
    let mut table = Table::new(&columns);
    for (item, measured) in items.iter().zip(measured) {
        let mut row = vec![printable(&item.path), item.kind.clone()];
        row.extend(extra.iter().map(|heading| item.column(heading)));
        row.extend([
            item.shown_name(),
            format!("{:#x}", item.offset),
            if item.is_file { item.stored_size.to_string() } else { String::new() },
        ]);
        let size = measured.size.as_ref().map_or_else(|_| "?".to_owned(), u64::to_string);
        row.push(if item.is_file { size } else { String::new() });
        row.push(measured.sha256.clone().unwrap_or_default());
        table.row(row);
    }
    if !items.is_empty() {
        table.write(out)?;
    }
    writeln!(out, "{}", totals(items, measured))
}

/// The headings that items bring along, each once.
fn extra_columns(items: &[Item<'_>]) -> Vec<&'static str> {
    let mut headings: Vec<&'static str> = Vec::new();
    for (heading, _) in items.iter().flat_map(|item| &item.columns) {
        if !headings.contains(heading) {
            headings.push(heading);
        }
    }
    headings
}

/// What there is of each kind, if there are several, and of all of them.
fn totals(items: &[Item<'_>], measured: &[Measured]) -> String {
    let mut kinds: Vec<&str> = Vec::new();
    for item in items {
        if !kinds.contains(&item.kind.as_str()) {
            kinds.push(&item.kind);
        }
    }
    let of_kind = |kind: &&str| {
        let pairs = items.iter().zip(measured).filter(|(item, _)| item.kind == **kind);
        let (count, stored, size) = total(pairs);
        format!("{kind}: {count}, {stored} bytes stored, {size} bytes decoded\n")
    };
    let by_kind: String = kinds.iter().filter(|_| kinds.len() > 1).map(of_kind).collect();
    let (count, stored, size) = total(items.iter().zip(measured));
    let plural = if count == 1 { "" } else { "s" };
    format!("{by_kind}{count} item{plural}, {stored} bytes stored, {size} bytes decoded")
}

/// How many items, their stored bytes, and how many these are when decoded. Bytes that several items
/// share, as a segment and the data in it do, count once.
fn total<'i, 'f: 'i>(
    items: impl Iterator<Item = (&'i Item<'f>, &'i Measured)>,
) -> (usize, u64, u64) {
    let (mut count, mut decoded, mut runs, mut plain) = (0, 0_u64, Vec::new(), Vec::new());
    for (item, measured) in items {
        count += 1;
        let (run, size) = ((item.offset, item.stored_size), measured.size.as_ref().ok());
        runs.push(run);
        match size {
            Some(size) if *size == item.stored_size => plain.push(run),
            size => decoded = decoded.saturating_add(size.copied().unwrap_or(0)),
        }
    }
    (count, covered(&mut runs), covered(&mut plain).saturating_add(decoded))
}

/// Says on stderr which items cannot be decoded.
fn tell_undecoded(input: &Input, items: &[Item<'_>], measured: &[Measured]) -> Outcome {
    let message = |(item, measured): (&Item<'_>, &Measured)| {
        let error = measured.size.as_ref().err()?;
        Some(printable(&format!("{}: {}: {error}", input.name(), item.path)))
    };
    output::errors(items.iter().zip(measured).filter_map(message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{BROKEN, Fake, GOOD, OPTIONS, input};

    fn written(bytes: &[u8], show: Show) -> (Outcome, String) {
        let mut text = Vec::new();
        let outcome = list(&input(bytes), &Fake, &OPTIONS, show, &mut Out::new(&mut text)).unwrap();
        (outcome, String::from_utf8(text).unwrap())
    }

    #[test]
    fn table_has_totals() {
        let (outcome, text) = written(GOOD, Show { json: false, hash: false });
        assert_eq!(outcome, Outcome::Good);
        assert_eq!(
            text,
            "\
path      kind  arch  offset  stored  size
boxes[0]  box   none  0x5          3     3
boxes[1]  box   none  0x9          2     2
2 items, 5 bytes stored, 5 bytes decoded
"
        );
    }

    #[test]
    fn json_is_one_line_with_digests() {
        let (_, text) = written(GOOD, Show { json: true, hash: true });
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["format"], "fake");
        assert_eq!(value["variant"], "v1");
        assert_eq!(value["items"][1]["offset"], 9);
        assert_eq!(value["items"][1]["sha256"].as_str().map(str::len), Some(64));
        assert_eq!(text.lines().count(), 1);
    }

    #[test]
    fn damaged_file_is_listed_as_far_as_it_goes() {
        let (outcome, text) = written(&GOOD[..GOOD.len() - 1], Show { json: false, hash: false });
        assert_eq!(outcome, Outcome::Bad);
        assert!(text.ends_with("1 item, 3 bytes stored, 3 bytes decoded\n"), "{text}");
    }

    #[test]
    fn undecodable_item_has_no_size() {
        let (outcome, text) = written(BROKEN, Show { json: false, hash: false });
        assert_eq!(outcome, Outcome::Bad);
        assert!(text.contains("     1     ?\n"), "{text}");
    }
}
