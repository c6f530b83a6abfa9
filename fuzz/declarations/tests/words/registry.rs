//! What the reference and the registry of the derive say of words.

use std::collections::BTreeSet;

/// The reference, whose tables are made from the registry of words.
const REFERENCE: &str = include_str!("../../../../binfmt-derive/README.md");

/// The registry itself, of which the reference does not tell what words may stand on.
const REGISTRY: &str = include_str!("../../../../binfmt-derive/src/attr/table.rs");

/// What rules are about: any condition.
const ANY: &str = "(condition, \"text\")";

/// The forms that a word may stand on where its row says nothing.
const PLAIN: &[&str] = &["Struct", "Sequence", "Element"];
const TYPES: &[&str] = &["Struct", "Bits", "Numbers", "Shapes", "Table", "Tables", "Schemas"];
const FIELDS: &[&str] = &["Sequence", "Element", "BitField", "TableSlot"];
const RULES: &[&str] = &["Struct", "Bits", "Table", "Sequence", "Element", "BitField", "TableSlot"];

/// A row of the registry.
#[derive(Debug)]
pub struct Row {
    pub word: &'static str,
    /// What it may stand on.
    pub on: Vec<&'static str>,
    /// Whether its value is an expression.
    pub is_expr: bool,
    /// Whether that is a number.
    pub is_number: bool,
}

/// Every row.
pub fn rows() -> Vec<Row> {
    let start = REGISTRY.find("\nregistry! {").expect("the registry");
    let text = &REGISTRY[start..];
    let mut begins: Vec<(usize, bool)> = Vec::new();
    for (begin, is_rule) in [("word(\"", false), ("rule(\"", true)] {
        begins.extend(text.match_indices(begin).map(|(at, _)| (at, is_rule)));
    }
    begins.sort_unstable();
    let ends = begins.iter().skip(1).map(|(at, _)| *at).chain([text.len()]);
    begins.iter().zip(ends).map(|((at, is_rule), end)| row(&text[*at..end], *is_rule)).collect()
}

fn row(text: &'static str, is_rule: bool) -> Row {
    let word = text.split('"').nth(1).expect("a name");
    let places = ["type", "field", "variant"];
    let places = places.into_iter().filter(|place| text.contains(&format!(".on_{place}(")));
    let places: Vec<_> = places.collect();
    let list = text.split_once(".forms(").map(|(_, rest)| rest);
    let mut on: Vec<&str> = match list {
        Some(rest) if rest.starts_with("Form::TYPES") => TYPES.to_vec(),
        Some(rest) if rest.starts_with("Form::FIELDS") => FIELDS.to_vec(),
        Some(rest) => {
            let list = rest.trim_start_matches("&[").split(']').next().unwrap_or_default();
            list.split(", ").collect()
        }
        None if is_rule => RULES.to_vec(),
        None => PLAIN.to_vec(),
    };
    // A form of a type counts where the word may stand on one, or on a variant of it.
    let of_types = places.iter().any(|place| *place != "field");
    on.retain(|form| if TYPES.contains(form) { of_types } else { places.contains(&"field") });
    let role =
        text.split_once(".expr(").map(|(_, rest)| rest.split(')').next().unwrap_or_default());
    let is_number = role.is_some_and(|role| role.contains("Number")) && word != "set";
    Row { word, on, is_expr: is_rule || role.is_some(), is_number }
}

/// The words in the tables of the reference.
pub fn words() -> BTreeSet<&'static str> {
    cells().into_iter().map(|(word, _)| word).collect()
}

/// The values of words that the tables of the reference show, as they are written there.
pub fn shown() -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    for (word, cell) in cells() {
        let cell = cell.replace("\\|", "|");
        let code = cell.split('`').skip(1).step_by(2);
        for value in
            code.filter(|code| code.starts_with("= ") || code.starts_with('(') && *code != ANY)
        {
            // Names here that are words elsewhere.
            let value = value.trim_start_matches("= ").replace("first..=last", "from..=to");
            all.push((word, value));
        }
    }
    all
}

/// The words of the tables, each with what it means.
fn cells() -> Vec<(&'static str, &'static str)> {
    let mut in_table = false;
    let mut cells = Vec::new();
    for line in REFERENCE.lines() {
        in_table = line == "| word | meaning | without it |" || (in_table && line.starts_with('|'));
        let cell = line.strip_prefix("| `").and_then(|rest| rest.split_once("` | "));
        cells.extend(cell.filter(|_| in_table));
    }
    cells
}
