//! `binfmt list`: what is in a file.

use std::cmp::Reverse;
use std::io::{self, Write as _};

use clap::ValueEnum;
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::args::ListArgs;
use crate::driver::{Checked, Driver, Options};
use crate::filter::{Filter, Matched};
use crate::input::Input;
use crate::item::{Item, Measured};
use crate::names::Names;
use crate::nest;
use crate::output::{self, Out, Outcome, Trouble, printable};
use crate::ranges::covered;
use crate::table::{self, Side, Table};
use crate::toolbox::Toolbox;
use crate::verb::Verb;
use crate::{json, paths, sizes, validate};

pub(crate) fn verb() -> Verb {
    Verb::new("list", run)
}

fn run(args: &ListArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let input = Input::open(&args.file)?;
    let options = Options { decode: args.check, ..args.decode.options() };
    let show = Show {
        json: args.json,
        hash: args.hash,
        check: args.check,
        bytes: args.bytes,
        sort: args.sort,
        filter: Filter(args.filter.clone()),
    };
    let mut matched = Matched::default();
    let outcome =
        nest::each(&input, toolbox, args.read.format.as_deref(), &mut |input, driver| {
            list(input, driver, &options, (&show, &mut matched), out)
        })?;
    Ok(outcome.max(matched.tell(&input, &show.filter)))
}

/// What to show, and how.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
struct Show {
    json: bool,
    hash: bool,
    /// Whether payloads are decoded.
    check: bool,
    /// Whether sizes are exact.
    bytes: bool,
    sort: Option<Sort>,
    filter: Filter,
}

/// What items are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sort {
    /// The largest first
    Size,
    /// By name, then by path
    Name,
    /// By the place in the file
    Offset,
}

/// Sorts items with what was measured of them.
fn sort(items: Vec<Item<'_>>, measured: Vec<Measured>, by: Sort) -> (Vec<Item<'_>>, Vec<Measured>) {
    let mut both: Vec<_> = items.into_iter().zip(measured).collect();
    match by {
        Sort::Size => both.sort_by_key(|(item, _)| Reverse(item.stored_size)),
        Sort::Offset => both.sort_by_key(|(item, _)| item.offset),
        Sort::Name => both.sort_by(|(a, _), (b, _)| (&a.name, &a.path).cmp(&(&b.name, &b.path))),
    }
    both.into_iter().unzip()
}

fn list(
    input: &Input,
    driver: &dyn Driver,
    options: &Options,
    (show, matched): (&Show, &mut Matched),
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    let mut items = Names::give_all(driver.list(input, &input.stem(), options));
    let all = items.len();
    items.retain(|item| show.filter.takes(item, input));
    matched.add(all, items.len());
    if items.is_empty() && all > 0 {
        return Ok(validate::tell_errors(&input.name(), &driver.validate(input, options)));
    }
    let measure = |item: &Item<'_>| item.measure(show.check, show.hash);
    let mut measured: Vec<_> = items.par_iter().map(measure).collect();
    if let Some(by) = show.sort {
        (items, measured) = sort(items, measured, by);
    }
    let checked = driver.validate(input, options);
    if show.json {
        let summary = driver.totals(input, options);
        json::line(out, &to_json(input, driver, &checked, (&items, &measured), summary))?;
    } else {
        let what = format_line(input, driver, &checked, show.bytes);
        writeln!(out, "{}: {what}", out.name(&input.name(), what.chars().count() + 2))?;
        write_table(&items, &measured, (show.bytes, input.len()), out)?;
        write_notes(&items, out)?;
        write_summary(&driver.totals(input, options), show.bytes, out)?;
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
    paths::put_exact(&mut line, "file", input.path());
    line
}

/// What the file is: `pte (header-32), 2.4 KiB`.
fn format_line(input: &Input, driver: &dyn Driver, checked: &Checked, exact: bool) -> String {
    let variant = checked.variant.as_deref();
    let variant = variant.map_or_else(String::new, |variant| format!(" ({variant})"));
    let size = sizes::in_words(json::wide(input.len()), exact);
    printable(&format!("{}{variant}, {size}", driver.name()))
}

/// What goes into an item and comes out of it, and what it does.
fn write_notes(items: &[Item<'_>], out: &mut Out<'_>) -> io::Result<()> {
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
fn write_summary(
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

fn write_table(
    items: &[Item<'_>],
    measured: &[Measured],
    (exact, file): (bool, usize),
    out: &mut Out<'_>,
) -> io::Result<()> {
    let extra = extra_columns(items);
    let mut columns = vec![("path", Side::Left), ("kind", Side::Left)];
    columns.extend(extra.iter().map(|heading| (*heading, Side::Left)));
    columns.extend([("name", Side::Left), ("offset", Side::Left)]);
    columns.extend([("stored", Side::Right), ("%", Side::Right), ("size", Side::Right)]);
    columns.push(("sha256", Side::Left));
    let mut table = Table::new(&columns);
    fit(&mut table, &extra, out.width());
    let is_decoded = |(item, measured): (&Item<'_>, &Measured)| {
        item.is_file && measured.size.as_ref() != Ok(&item.stored_size)
    };
    let decoded = items.iter().zip(measured).any(is_decoded);
    for (item, measured) in items.iter().zip(measured) {
        let mut row = vec![printable(&item.path), item.kind.clone()];
        row.extend(extra.iter().map(|heading| cell(item, heading)));
        row.extend([item.shown_name(), format!("{:#x}", item.offset)]);
        let size = measured.size.as_ref();
        let size = size.map_or_else(|_| "?".to_owned(), |size| sizes::shown(*size, exact));
        let sizes = [
            sizes::shown(item.stored_size, exact),
            sizes::percent(item.stored_size, json::wide(file)),
            if decoded { size } else { String::new() },
        ];
        row.extend(sizes.map(|size| if item.is_file { size } else { String::new() }));
        row.push(measured.sha256.clone().unwrap_or_default());
        table.row(row);
    }
    if !items.is_empty() {
        table.write(out)?;
    }
    let left_out = table.left_out();
    if !left_out.is_empty() {
        let line = format!("(no room for: {})", left_out.join(", "));
        table::wrap(&line, out.line_width(), out)?;
    }
    writeln!(out, "{}", totals(items, measured, exact))
}

/// What gives way where lines are short: paths and names lose their middle, then columns go that say
/// the least.
fn fit(table: &mut Table, extra: &[&str], width: Option<usize>) {
    table.fit(width);
    table.shorten("path", 20);
    table.shorten("name", 12);
    table.shorten("kind", 8);
    for heading in extra {
        table.shorten(heading, 10);
    }
    let rest = |heading: &&&str| !matches!(**heading, "arch" | "type" | "codec");
    let mut spare: Vec<&str> = extra.iter().rev().filter(rest).copied().collect();
    spare.extend(["offset", "codec", "%", "name", "kind", "type", "arch", "size", "stored"]);
    table.spare(&spare);
}

/// The headings that items bring along, each once; type and shape of a tensor are one.
fn extra_columns(items: &[Item<'_>]) -> Vec<&'static str> {
    let mut headings: Vec<&'static str> = Vec::new();
    for (heading, _) in items.iter().flat_map(|item| &item.columns) {
        let heading = if matches!(*heading, "dtype" | "shape") { "type" } else { *heading };
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    headings
}

fn cell(item: &Item<'_>, heading: &str) -> String {
    match heading {
        "type" => format!("{}{}", item.column("dtype"), item.column("shape")),
        heading => item.column(heading),
    }
}

/// What there is of each kind, if there are several, and of all of them.
fn totals(items: &[Item<'_>], measured: &[Measured], exact: bool) -> String {
    let words = |bytes| sizes::in_words(bytes, exact);
    let mut kinds: Vec<&str> = Vec::new();
    for item in items {
        if !kinds.contains(&item.kind.as_str()) {
            kinds.push(&item.kind);
        }
    }
    let of_kind = |kind: &&str| {
        let pairs = items.iter().zip(measured).filter(|(item, _)| item.kind == **kind);
        let (count, stored, size) = total(pairs);
        format!("{kind}: {count}, {} stored, {} decoded\n", words(stored), words(size))
    };
    let by_kind: String = kinds.iter().filter(|_| kinds.len() > 1).map(of_kind).collect();
    let (count, stored, size) = total(items.iter().zip(measured));
    let plural = if count == 1 { "" } else { "s" };
    let (stored, size) = (words(stored), words(size));
    format!("{by_kind}{count} item{plural}, {stored} stored, {size} decoded")
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

    fn written(bytes: &[u8], show: &Show) -> (Outcome, String) {
        let mut text = Vec::new();
        let (input, mut matched) = (input(bytes), Matched::default());
        let mut out = Out::new(&mut text);
        let outcome = list(&input, &Fake, &OPTIONS, (show, &mut matched), &mut out).unwrap();
        let outcome = outcome.max(matched.tell(&input, &show.filter));
        (outcome, String::from_utf8(text).unwrap())
    }

    #[test]
    fn table_has_totals() {
        let (outcome, text) =
            written(GOOD, &Show { json: false, hash: false, check: true, ..Show::default() });
        assert_eq!(outcome, Outcome::Good);
        assert_eq!(
            text,
            "\
test.box: fake (v1), 11 bytes
path      kind  arch  offset  stored      %
boxes[0]  box   none  0x5          3  27.3%
boxes[1]  box   none  0x9          2  18.2%
2 items, 5 bytes stored, 5 bytes decoded
"
        );
    }

    #[test]
    fn json_is_one_line_with_digests() {
        let (_, text) =
            written(GOOD, &Show { json: true, hash: true, check: true, ..Show::default() });
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["format"], "fake");
        assert_eq!(value["variant"], "v1");
        assert_eq!(value["items"][1]["offset"], 9);
        assert_eq!(value["items"][1]["sha256"].as_str().map(str::len), Some(64));
        assert_eq!(text.lines().count(), 1);
    }

    #[test]
    fn damaged_file_is_listed_as_far_as_it_goes() {
        let (outcome, text) = written(
            &GOOD[..GOOD.len() - 1],
            &Show { json: false, hash: false, check: true, ..Show::default() },
        );
        assert_eq!(outcome, Outcome::Bad);
        assert!(text.ends_with("1 item, 3 bytes stored, 3 bytes decoded\n"), "{text}");
    }

    #[test]
    fn undecodable_item_has_no_size() {
        let (outcome, text) =
            written(BROKEN, &Show { json: false, hash: false, check: true, ..Show::default() });
        assert_eq!(outcome, Outcome::Bad);
        assert!(text.contains(" 10.0%     ?\n"), "{text}");
    }

    #[test]
    fn items_are_filtered_and_sorted() {
        let of = |filter: &str, sort| Show {
            filter: Filter(vec![filter.to_owned()]),
            sort,
            ..Show::default()
        };
        let (_, text) = written(GOOD, &of("boxes[1]", None));
        assert!(!text.contains("boxes[0]") && text.contains("boxes[1]"), "{text}");
        assert_eq!(written(GOOD, &of("boxes[2]", None)), (Outcome::Bad, String::new()));
        let (_, text) = written(b"BOXS\x01a\x02bc", &of("*", Some(Sort::Size)));
        assert!(text.find("boxes[1]") < text.find("boxes[0]"), "{text}");
    }

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
