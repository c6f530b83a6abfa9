//! A summary as tables and as JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};

use binfmt_formats::summary::{
    Delegated, Dim, Facet, Function, Group, Method, Piece, Port, Summary,
};
use serde_json::{Map, Value, json};

use crate::driver::{Checked, Driver};
use crate::input::Input;
use crate::json::number;
use crate::output::printable;
use crate::paths;
use crate::sizes;
use crate::table::{Side, Table};

/// How many characters of a name a table shows.
const NAME: usize = 40;

/// What is shown, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style<'s> {
    /// The tables; all that have something to say, if there are none.
    pub(super) facets: &'s [Facet],
    /// How many rows a table has.
    pub(super) top: usize,
    /// Whether sizes are exact.
    pub(super) exact: bool,
    /// How long lines may be.
    pub(super) width: Option<usize>,
}

/// Tables, then what the file can do.
pub(super) fn text(summary: &Summary, style: &Style<'_>, out: &mut dyn Write) -> io::Result<()> {
    for facet in Facet::ALL {
        let groups = summary.by(facet);
        let says = groups.iter().any(|group| group.name.is_some());
        let wanted = if style.facets.is_empty() { says } else { style.facets.contains(&facet) };
        if wanted && facet == Facet::Name {
            largest(summary, style, out)?;
        } else if wanted {
            grouped(facet, &groups, summary.len, style, out)?;
        }
    }
    if !style.facets.is_empty() {
        return Ok(());
    }
    for function in &summary.methods {
        method(function, style, out)?;
    }
    functions(&summary.functions, style, out)
}

fn grouped(
    facet: Facet,
    groups: &[Group],
    len: u64,
    style: &Style<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut table = Table::new(&[
        (facet.name(), Side::Left),
        ("pieces", Side::Right),
        ("bytes", Side::Right),
        ("%", Side::Right),
    ]);
    table.fit(style.width);
    for group in groups.iter().take(style.top) {
        table.row(vec![
            group.name.as_deref().map_or_else(|| "(none)".to_owned(), shortened),
            group.count.to_string(),
            sizes::shown(group.bytes, style.exact),
            sizes::percent(group.bytes, len),
        ]);
    }
    writeln!(out)?;
    table.write(out)?;
    let rest = groups.get(style.top.min(groups.len())..).unwrap_or_default();
    more(rest.len(), rest.iter().map(|group| group.bytes).sum(), style, out)
}

/// The tensors, programs and blobs with names.
fn largest(summary: &Summary, style: &Style<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new(&[
        ("name", Side::Left),
        ("type", Side::Left),
        ("shape", Side::Left),
        ("arch", Side::Left),
        ("bytes", Side::Right),
        ("%", Side::Right),
    ]);
    table.fit(style.width);
    let pieces = summary.largest();
    for Piece { len, facts, .. } in pieces.iter().take(style.top) {
        table.row(vec![
            facts.name.as_deref().map(shortened).unwrap_or_default(),
            facts.dtype.unwrap_or_default().to_owned(),
            facts.shape.as_deref().map(shape).unwrap_or_default(),
            facts.arch.as_deref().map(printable).unwrap_or_default(),
            sizes::shown(*len, style.exact),
            sizes::percent(*len, summary.len),
        ]);
    }
    writeln!(out)?;
    table.write(out)?;
    let rest = pieces.get(style.top.min(pieces.len())..).unwrap_or_default();
    more(rest.len(), rest.iter().map(|piece| piece.len).sum(), style, out)
}

/// What tables leave out.
fn more(count: usize, bytes: u64, style: &Style<'_>, out: &mut dyn Write) -> io::Result<()> {
    if count == 0 {
        return Ok(());
    }
    writeln!(out, "and {count} more with {}", sizes::in_words(bytes, style.exact))
}

fn method(method: &Method, style: &Style<'_>, out: &mut dyn Write) -> io::Result<()> {
    let name = if method.name.is_empty() { "graph" } else { &method.name };
    writeln!(out, "\n{}", printable(name))?;
    let ports = |out: &mut dyn Write, word: &str, ports: &[Port]| -> io::Result<()> {
        for port in ports.iter().take(style.top) {
            writeln!(out, "  {word}  {}", self::port(port))?;
        }
        match ports.len().saturating_sub(style.top) {
            0 => Ok(()),
            more => writeln!(out, "  {word}  and {more} more"),
        }
    };
    ports(out, "takes", &method.inputs)?;
    ports(out, "gives", &method.outputs)?;
    let planned: u64 = method.planned.iter().fold(0, |sum, size| sum.saturating_add(*size));
    if !method.planned.is_empty() {
        let size = sizes::in_words(planned, style.exact);
        writeln!(out, "  wants  {size} of memory, in {}", counted(method.planned.len(), "buffer"))?;
    }
    if !method.operators.is_empty() {
        wrapped("calls", operators(&method.operators, style.top), out)?;
    }
    for Delegated { backend, bytes, operators: nodes } in &method.delegates {
        let size = bytes.map_or_else(
            || "not in the file".to_owned(),
            |bytes| sizes::in_words(bytes, style.exact),
        );
        let nodes = match nodes {
            Some(nodes) => operators(nodes, style.top),
            None => vec!["a blob that only this backend can open".to_owned()],
        };
        let head = format!("{}, {size}", shortened(backend));
        wrapped("runs ", [head].into_iter().chain(nodes).collect(), out)?;
    }
    Ok(())
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A list behind a word, on as many lines as it takes.
fn wrapped(word: &str, list: Vec<String>, out: &mut dyn Write) -> io::Result<()> {
    const MOST: usize = 80;
    let mut line = format!("  {word}  ");
    let indent = line.len();
    let mut list = list.into_iter().peekable();
    while let Some(mut part) = list.next() {
        if list.peek().is_some() {
            part.push(',');
        }
        if line.len() > indent && line.chars().count() + part.chars().count() >= MOST {
            writeln!(out, "{}", line.trim_end())?;
            line = " ".repeat(indent);
        }
        line.push_str(&part);
        line.push(' ');
    }
    writeln!(out, "{}", line.trim_end())
}

fn operators(operators: &[(String, u64)], top: usize) -> Vec<String> {
    let shown = operators.iter().take(top);
    let mut shown: Vec<_> =
        shown.map(|(name, count)| format!("{count} {}", shortened(name))).collect();
    if let Some(more) = operators.len().checked_sub(top).filter(|more| *more > 0) {
        shown.push(format!("and {more} more"));
    }
    shown
}

pub(crate) fn port(port: &Port) -> String {
    let mut text =
        port.name.as_deref().map(|name| format!("{} ", shortened(name))).unwrap_or_default();
    text.push_str(port.dtype.unwrap_or(&port.kind));
    match &port.shape {
        Some(dims) => text.push_str(&shape(dims)),
        None if port.kind == "tensor" => text.push_str(" of any shape"),
        None => {}
    }
    let sizes = port.shape.iter().flatten().all(|dim| matches!(dim, Dim::Size(_)));
    if port.is_dynamic && port.shape.is_some() && sizes {
        text.push_str(" at most");
    }
    if let Some(value) = &port.value {
        text.push_str(" = ");
        text.push_str(&printable(value));
    }
    text
}

fn shape(dims: &[impl ToString]) -> String {
    let dims: Vec<_> = dims.iter().map(|dim| printable(&dim.to_string())).collect();
    format!("[{}]", dims.join(","))
}

/// The functions of GPU code: those of one name together, as they are the same for several devices.
fn functions(functions: &[Function], style: &Style<'_>, out: &mut dyn Write) -> io::Result<()> {
    if functions.is_empty() {
        return Ok(());
    }
    let mut by_name: BTreeMap<&str, (u64, Vec<&str>, bool)> = BTreeMap::new();
    for function in functions {
        let (bytes, archs, is_kernel) = by_name.entry(&function.name).or_default();
        *bytes = bytes.saturating_add(function.len);
        archs.push(&function.arch);
        *is_kernel |= function.is_kernel;
    }
    let mut all: Vec<_> = by_name.into_iter().collect();
    all.sort_by_key(|(_, (bytes, ..))| std::cmp::Reverse(*bytes));
    let mut table = Table::new(&[
        ("function", Side::Left),
        ("", Side::Left),
        ("arch", Side::Left),
        ("code", Side::Right),
    ]);
    table.fit(style.width);
    for (name, (bytes, archs, is_kernel)) in all.iter().take(style.top) {
        let arch = match &archs[..] {
            [one] => printable(one),
            many => counted(many.len(), "device"),
        };
        let kind = if *is_kernel { "kernel" } else { "" };
        table.row(vec![shortened(name), kind.to_owned(), arch, sizes::shown(*bytes, style.exact)]);
    }
    writeln!(out)?;
    table.write(out)?;
    let rest = all.get(style.top.min(all.len())..).unwrap_or_default();
    more(rest.len(), rest.iter().map(|(_, (bytes, ..))| bytes).sum(), style, out)
}

/// A name as tables show it: its start and its end.
fn shortened(name: &str) -> String {
    let name = printable(name);
    let count = name.chars().count();
    if count <= NAME {
        return name;
    }
    let head: String = name.chars().take(NAME / 2).collect();
    let tail: String = name.chars().skip(count - (NAME / 2 - 2)).collect();
    format!("{head}..{tail}")
}

/// The whole summary.
pub(super) fn json(
    input: &Input,
    driver: &dyn Driver,
    checked: &Checked,
    summary: &Summary,
) -> Value {
    let by: Map<_, _> = Facet::ALL
        .into_iter()
        .map(|facet| (facet.name().to_owned(), groups(&summary.by(facet))))
        .collect();
    let mut line = json!({
        "file": input.name(),
        "format": driver.name(),
        "variant": checked.variant,
        "bytes": number(summary.len),
        "by": by,
        "largest": summary.largest().into_iter().map(piece).collect::<Vec<_>>(),
        "methods": summary.methods.iter().map(method_json).collect::<Vec<_>>(),
        "functions": summary.functions.iter().map(function).collect::<Vec<_>>(),
        "unread": summary.unread,
    });
    paths::put_exact(&mut line, "file", input.path());
    line
}

fn groups(groups: &[Group]) -> Value {
    let group = |group: &Group| {
        json!({
            "name": group.name,
            "bytes": number(group.bytes),
            "pieces": number(group.count),
        })
    };
    groups.iter().map(group).collect()
}

fn piece(Piece { offset, len, facts }: &Piece) -> Value {
    json!({
        "name": facts.name,
        "offset": number(*offset),
        "bytes": number(*len),
        "purpose": facts.purpose.name(),
        "type": facts.dtype,
        "shape": facts.shape,
        "place": facts.place,
        "arch": facts.arch,
        "codec": facts.codec,
        "methods": facts.methods,
        "operators": facts.operators,
        "delegates": facts.delegates,
    })
}

fn function(function: &Function) -> Value {
    json!({
        "name": function.name,
        "path": function.path,
        "arch": function.arch,
        "bytes": number(function.len),
        "kernel": function.is_kernel,
    })
}

fn counts(counts: &[(String, u64)]) -> Value {
    counts.iter().map(|(name, count)| json!({"name": name, "count": number(*count)})).collect()
}

fn method_json(method: &Method) -> Value {
    let delegate = |it: &Delegated| {
        json!({
            "backend": it.backend,
            "bytes": it.bytes.map(number),
            "operators": it.operators.as_deref().map(counts),
        })
    };
    json!({
        "name": method.name,
        "inputs": method.inputs.iter().map(port_json).collect::<Vec<_>>(),
        "outputs": method.outputs.iter().map(port_json).collect::<Vec<_>>(),
        "planned": method.planned.iter().map(|size| number(*size)).collect::<Vec<_>>(),
        "operators": counts(&method.operators),
        "delegates": method.delegates.iter().map(delegate).collect::<Vec<_>>(),
    })
}

fn port_json(port: &Port) -> Value {
    let dim = |dim: &Dim| match dim {
        Dim::Size(size) => number(*size),
        Dim::Named(name) => name.as_str().into(),
    };
    let shape = port.shape.as_ref().map(|dims| dims.iter().map(dim).collect::<Vec<_>>());
    json!({
        "name": port.name,
        "kind": port.kind,
        "type": port.dtype,
        "shape": shape,
        "dynamic": port.is_dynamic,
        "value": port.value,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_keep_both_ends() {
        let name = format!("a{}z", "b".repeat(100));
        let short = shortened(&name);
        assert_eq!(short.chars().count(), NAME);
        assert!(short.starts_with("abb") && short.ends_with("bbz"), "{short}");
        assert_eq!(shortened("a\u{1b}[2J"), "a\\u{1b}[2J");
    }

    #[test]
    fn ports_are_described_in_a_word() {
        let tensor = |shape: Option<Vec<Dim>>, is_dynamic| Port {
            name: Some("x".to_owned()),
            kind: "tensor".to_owned(),
            dtype: Some("f32"),
            shape,
            is_dynamic,
            value: None,
        };
        let named = vec![Dim::Named("n".to_owned()), Dim::Size(4)];
        for (value, text) in [
            (tensor(Some(named), true), "x f32[n,4]"),
            (tensor(Some(vec![Dim::Size(8)]), true), "x f32[8] at most"),
            (tensor(None, true), "x f32 of any shape"),
            (
                Port { kind: "int".to_owned(), value: Some("7".to_owned()), ..Port::default() },
                "int = 7",
            ),
        ] {
            assert_eq!(port(&value), text);
        }
    }
}
