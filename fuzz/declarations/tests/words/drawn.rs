//! The words of made-up declarations, each with its value and what it stands on.

use std::collections::BTreeSet;

use super::grammar::model::{Field, Kind, Type};
use super::grammar::of_seed;
use super::shape::shapes;

/// What was drawn of all words.
#[derive(Default)]
pub struct Drawn {
    /// Words, and the form of a type or a field that they stand on.
    pub on: BTreeSet<(String, &'static str)>,
    /// Words, and the shapes of their values.
    pub shapes: BTreeSet<(String, String)>,
    /// What a field with `for_each` and its table are like.
    pub items: BTreeSet<&'static str>,
}

/// What some thousand declarations have.
pub fn drawn() -> Drawn {
    let mut drawn = Drawn::default();
    for seed in (1..1000).flat_map(|batch| (0..5).map(move |number| (batch << 10) + number)) {
        let declaration = of_seed(seed);
        let reached = declaration.reached_names();
        let types = declaration.types.iter().filter(|ty| reached.contains(&ty.name));
        types.for_each(|ty| drawn.of_type(ty));
    }
    drawn
}

impl Drawn {
    fn of_type(&mut self, ty: &Type) {
        let words: Vec<_> = ty.words.iter().flat_map(|text| split(text)).collect();
        let has = |word: &str| words.iter().any(|(name, _)| name == word);
        let form = match &ty.kind {
            Kind::Struct(_) if has("flatbuffer") && !has("inline") => "Table",
            Kind::Struct(_) if has("bits") => "Bits",
            Kind::Struct(_) => "Struct",
            Kind::Union { .. } if has("flatbuffer") => "Tables",
            Kind::Union { .. } => "Shapes",
            Kind::Numbers { .. } => "Numbers",
        };
        let args = words.iter().filter(|(name, _)| name == "args").flat_map(|(_, list)| {
            let list = list.trim_matches(['(', ')']).split(", ");
            list.filter_map(|arg| arg.split(':').next().map(str::to_owned)).collect::<Vec<_>>()
        });
        let args: Vec<String> = args.collect();
        self.add(&words, form, &args);
        match &ty.kind {
            Kind::Struct(fields) => {
                let on = match form {
                    "Table" => "TableSlot",
                    "Bits" => "BitField",
                    _ => "Sequence",
                };
                fields.iter().for_each(|field| self.of_field(field, fields, on, &args));
            }
            Kind::Union { variants, .. } => {
                for variant in variants {
                    let words: Vec<_> = variant.words.iter().flat_map(|text| split(text)).collect();
                    self.add(&words, form, &args);
                }
            }
            Kind::Numbers { several, other, .. } => {
                let words = [("id", *several, "9..=12 | 100.."), ("other", *other, "")];
                let words = words.into_iter().filter(|(_, is_there, _)| *is_there);
                let words = words.map(|(word, _, value)| (word.to_owned(), value.to_owned()));
                self.add(&words.collect::<Vec<_>>(), form, &args);
            }
        }
    }

    fn of_field(&mut self, field: &Field, all: &[Field], on: &'static str, args: &[String]) {
        let words = field.presence.iter().chain(&field.words).flat_map(|text| split(text));
        let words: Vec<_> = words.collect();
        let table = words.iter().find(|(word, _)| word == "for_each").map(|(_, path)| path);
        let Some(table) = table else { return self.add(&words, on, args) };
        self.add(&words, "Element", args);
        let (outer, inner) =
            table.split_once('.').map_or((table.as_str(), false), |(a, _)| (a, true));
        let Some(outer) = all.iter().find(|field| field.name == outer) else { return };
        let is_list = outer.ty.starts_with("Vec<");
        let is_array = outer.ty.starts_with('[');
        self.items.insert(match (inner, is_list, is_array, outer.presence.is_empty()) {
            (false, true, _, true) => "a list",
            (false, true, _, false) => "a list that may be absent",
            (false, _, true, true) => "an array",
            (false, _, true, false) => "an array that may be absent",
            (true, true, ..) => "a table in each item of a list",
            (true, _, true, _) => "a table in each item of an array",
            (true, _, _, true) => "a table in another value",
            (true, _, _, false) => "a table in a value that may be absent",
            _ => "something else",
        });
    }

    fn add(&mut self, words: &[(String, String)], on: &'static str, args: &[String]) {
        for (word, value) in words {
            self.on.insert((word.clone(), on));
            let shapes = shapes(value, args).into_iter();
            self.shapes.extend(shapes.map(|shape| (word.clone(), shape)));
        }
    }
}

/// The words of an attribute, each with its value: behind `=`, or in parentheses with them.
pub fn split(text: &str) -> Vec<(String, String)> {
    let (mut parts, mut depth, mut quoted, mut from) = (Vec::new(), 0, false, 0);
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '"' if before != '\\' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
        before = c;
    }
    parts.push(&text[from..]);
    let word = |part: &str| {
        let part = part.trim();
        let end = part.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(part.len());
        let (word, value) = part.split_at(end);
        (word.to_owned(), value.trim_start().trim_start_matches("= ").to_owned())
    };
    parts.into_iter().map(word).collect()
}
