//! `binfmt schema`: how a format is declared.

use std::io;

use binfmt_runtime::{FieldLayout, Layout, RuleLayout, Severity, Shape};
use serde_json::{Map, Value, json};

use crate::args::SchemaArgs;
use crate::driver::Driver;
use crate::json;
use crate::output::{Out, Outcome, Trouble};
use crate::table::{Side, Table};
use crate::toolbox::Toolbox;
use crate::verb::Verb;

pub(crate) fn verb() -> Verb {
    Verb::new("schema", run)
}

fn run(args: &SchemaArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let chosen = args.format.as_deref().and_then(|name| toolbox.choose(&[], Some(name)));
    match (chosen, args.json) {
        (Some(driver), true) => json::line(out, &to_json(driver))?,
        (Some(driver), false) => {
            markdown(driver, out)?;
        }
        (None, true) => {
            for driver in toolbox.drivers() {
                json::line(out, &summary(driver).into())?;
            }
        }
        (None, false) => formats(toolbox, out.width()).write(out)?,
    }
    Ok(Outcome::Good)
}

/// The reference page.
pub(crate) fn markdown(driver: &dyn Driver, out: &mut dyn io::Write) -> io::Result<()> {
    out.write_all(driver.layout().to_markdown().as_bytes())?;
    by_hand(driver, out)
}

/// What files of the format are, in one line: where that is the doc comment, its first sentence.
pub(crate) fn about(driver: &dyn Driver) -> String {
    let (about, doc) = (driver.about(), driver.layout().doc.trim());
    if !doc.starts_with(about) {
        return about.to_owned();
    }
    let first = doc.split("\n\n").next().unwrap_or_default();
    let first = first.split_whitespace().collect::<Vec<_>>().join(" ");
    first.split(". ").next().unwrap_or_default().trim_end_matches('.').to_owned()
}

/// The rules that no declaration has, as the rest of the page lists those of a type.
fn by_hand(driver: &dyn Driver, out: &mut dyn io::Write) -> io::Result<()> {
    let rules = driver.rules().into_iter().flatten();
    let lines: Vec<String> = rules
        .map(|rule| {
            let spec = rule.spec.map(|spec| format!(" ({spec})")).unwrap_or_default();
            format!("- {} `{}`: {}{spec}", rule.severity.name(), rule.code, rule.text)
        })
        .collect();
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n## Rules between types\n\n{}", lines.join("\n"))
}

/// All formats, one a row.
fn formats(toolbox: &Toolbox, width: Option<usize>) -> Table {
    let mut table = Table::new(&[("format", Side::Left), ("type", Side::Left), ("", Side::Left)]);
    table.fit(width);
    for driver in toolbox.drivers() {
        let layout = driver.layout();
        let first = layout.doc.lines().next().unwrap_or_default();
        table.row(vec![
            driver.name().to_owned(),
            layout.full_name().into_owned(),
            first.to_owned(),
        ]);
    }
    table
}

/// The format and its outermost declaration.
fn summary(driver: &dyn Driver) -> Map<String, Value> {
    let layout = driver.layout();
    let mut line = Map::new();
    line.insert("format".to_owned(), driver.name().into());
    line.insert("root".to_owned(), layout.full_name().into());
    line.insert("doc".to_owned(), layout.doc.into());
    line
}

/// The whole declaration, every type once.
pub(crate) fn to_json(driver: &dyn Driver) -> Value {
    let mut line = summary(driver);
    let types: Vec<_> = driver.layout().all().into_iter().map(declaration).collect();
    line.insert("types".to_owned(), types.into());
    line.insert("codes".to_owned(), codes(driver).into());
    line.into()
}

/// Every code that findings of this format have, but those of the language, which any format has.
fn codes(driver: &dyn Driver) -> Vec<Value> {
    let mut codes = Vec::new();
    for layout in driver.layout().all() {
        for rule in layout.all_rules() {
            let source = layout.full_name();
            codes.push(code(rule.code, rule.severity, rule.text, layout.spec, &source));
        }
    }
    for rule in driver.rules().into_iter().flatten() {
        codes.push(code(rule.code, rule.severity, rule.text, rule.spec, "by hand"));
    }
    codes
}

fn code(code: &str, severity: Severity, text: &str, spec: Option<&str>, source: &str) -> Value {
    json!({
        "code": code,
        "severity": severity.name(),
        "text": text,
        "spec": spec,
        "source": source,
    })
}

fn declaration(layout: &'static Layout) -> Value {
    let shape = match layout.shape {
        Shape::Scalar => "scalar",
        Shape::Struct => "struct",
        Shape::Enum => "enum",
        Shape::Union => "union",
        Shape::Table => "table",
    };
    json!({
        "name": layout.full_name(),
        "shape": shape,
        "doc": layout.doc,
        "spec": layout.spec,
        "magic": json::hex(layout.magic),
        "words": layout.words,
        "fields": layout.fields.iter().map(|it| field(layout, it)).collect::<Vec<_>>(),
        "rules": layout.rules.iter().map(rule).collect::<Vec<_>>(),
    })
}

fn field(layout: &Layout, field: &FieldLayout) -> Value {
    let nested = field.nested.map(|nested| nested()).filter(|nested| nested.shape != Shape::Scalar);
    let mut field_json = json!({
        "name": field.name,
        "type": layout.type_of(field),
        "doc": field.doc,
        "words": field.words,
        "offset": field.offset,
        "size": field.size,
        "nested": nested.map(Layout::full_name),
        "rules": field.rules.iter().map(rule).collect::<Vec<_>>(),
    });
    if let (false, Some(keys)) = (field.stored, field_json.as_object_mut()) {
        keys.insert("stored".to_owned(), json!(false));
    }
    field_json
}

fn rule(rule: &RuleLayout) -> Value {
    json!({
        "code": rule.code,
        "severity": rule.severity.name(),
        "stops": rule.stops,
        "text": rule.text,
    })
}
