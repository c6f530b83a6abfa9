//! Items as a table, and their sums.

use std::io::{self, Write as _};

use crate::item::{Item, Measured};
use crate::output::{Out, printable};
use crate::ranges::covered;
use crate::table::{self, Side, Table};
use crate::{json, sizes};

pub(super) fn write(
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
