//! Which fields a writer computes, going by the words of a declaration.

use alloc::vec::Vec;

use crate::layout::{FieldLayout, Layout, Shape};

/// Words whose number a writer may store in the field that they name.
const SOLVED: &[&str] = &["len", "count", "at", "pad_to", "tag", "flag", "root", "calc"];

/// Types, or variants, and their fields that a writer may compute. A size over several fields names fields that it
/// does not compute; those count as well, for the writer insists that they agree with the value.
pub(super) fn derived(layout: &'static Layout) -> Vec<(&'static str, &'static str)> {
    let mut all = Vec::new();
    for layout in layout.all() {
        let mut named =
            Named { layout, item: None, numbers: None, lets: Vec::new(), all: &mut all };
        for (word, value) in words(layout.words) {
            match word {
                "let" => named.lets.extend(inside(value)),
                // `name: Type = e, "text"`
                "computed" => named.lets.extend(inside(value).map(|(name, value)| {
                    (name.split(':').next().unwrap_or_default().trim(), value)
                })),
                _ => {}
            }
        }
        for (word, value) in words(layout.words) {
            named.word(word, value);
        }
        for field in layout.fields {
            named.field(field);
        }
    }
    let of_variants = of_variants(layout, &all);
    all.extend(of_variants);
    all
}

/// The same fields by the name of the variant that holds them, which is what stands in front of them.
fn of_variants(
    layout: &'static Layout,
    all: &[(&'static str, &'static str)],
) -> Vec<(&'static str, &'static str)> {
    let unions = layout.all().into_iter().filter(|layout| layout.shape == Shape::Union);
    let variants = unions.flat_map(|union| union.fields);
    let held = variants.filter_map(|variant| Some((variant.name, variant.nested?().name)));
    held.flat_map(|(variant, held)| {
        let fields = all.iter().filter(move |(of, _)| *of == held);
        fields.map(move |(_, field)| (variant, *field))
    })
    .collect()
}

struct Named<'n> {
    layout: &'static Layout,
    /// The table of a field with `for_each`.
    item: Option<&'static Layout>,
    /// That table, where its items are no declared type.
    numbers: Option<(&'static str, &'static str)>,
    lets: Vec<(&'static str, &'static str)>,
    all: &'n mut Vec<(&'static str, &'static str)>,
}

impl Named<'_> {
    fn field(&mut self, field: &'static FieldLayout) {
        let table = words(field.words)
            .find(|(word, _)| *word == "for_each")
            .and_then(|(_, table)| table_of(self.layout, table));
        let declared = table.filter(|(_, table)| !is_converted(table));
        self.item = declared.and_then(|(_, table)| table.nested).map(|nested| nested());
        // Of items that are numbers, or what functions of the user make, the whole table is told.
        let number = self.item.is_none_or(|item| item.shape == Shape::Scalar);
        self.numbers = table.filter(|_| number).map(|(holder, table)| (holder.name, table.name));
        for (word, value) in words(field.words) {
            match word {
                // What lies in a section is written over what the section holds there.
                "checksum" if self.item.is_some() => self.names(value, 4),
                "calc" | "checksum" | "section" => self.all.push((self.layout.name, field.name)),
                "set" if self.item.is_some() => {
                    inside(value).for_each(|(number, _)| self.names(number, 4));
                }
                "set" => {
                    let Some(nested) = field.nested else { continue };
                    let names = inside(value).map(|(name, _)| (nested().name, name));
                    self.all.extend(names);
                }
                _ => {}
            }
            // A writer compares a view with what lies there, and computes nothing for it.
            if !words(field.words).any(|(word, _)| word == "view") {
                self.word(word, value);
            }
        }
    }

    fn word(&mut self, word: &str, value: &'static str) {
        if SOLVED.contains(&word) {
            self.names(value, 4);
        }
    }

    /// Every field that an expression names.
    fn names(&mut self, expr: &'static str, depth: u8) {
        let name = |c: char| !c.is_ascii_alphanumeric() && c != '_';
        let mut after_it = false;
        for name in expr.split(name).filter(|name| !name.is_empty()) {
            let of = if core::mem::replace(&mut after_it, name == "it") {
                self.item
            } else {
                Some(self.layout)
            };
            if let Some(table) = self.numbers.filter(|_| name == "it") {
                self.all.push(table);
            }
            // A field without a name is `it.0` in an expression.
            let number = name.starts_with(|first: char| first.is_ascii_digit()).then_some(name);
            let is_field = |field: &&FieldLayout| {
                field.name == name || number.is_some() && field.name.strip_prefix('_') == number
            };
            if let Some(of) = of
                && let Some(field) = of.fields.iter().find(is_field)
            {
                self.all.push((of.name, field.name));
            }
            let meant = self.lets.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
            if let (Some(value), Some(depth)) = (meant, depth.checked_sub(1)) {
                self.names(value, depth);
            }
        }
    }
}

/// Whether functions of the user make the value.
fn is_converted(field: &FieldLayout) -> bool {
    words(field.words).any(|(word, _)| matches!(word, "map" | "with"))
}

/// A table, which may lie in another value, and the type that has it: `entries`, `groups.offsets`.
fn table_of(
    layout: &'static Layout,
    table: &str,
) -> Option<(&'static Layout, &'static FieldLayout)> {
    let mut holder = layout;
    let mut names = table.split('.').peekable();
    while let Some(name) = names.next() {
        let field = holder.fields.iter().find(|field| field.name == name)?;
        if names.peek().is_none() {
            return Some((holder, field));
        }
        holder = field.nested.map(|nested| nested())?;
    }
    None
}

/// The words of a declaration, each with what stands behind its `=` or in its parentheses.
fn words(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    parts(text).map(|part| {
        let end = part.find(['=', '(']).unwrap_or(part.len());
        let (word, value) = part.split_at_checked(end).unwrap_or((part, ""));
        (word.trim(), value.trim_start_matches('=').trim())
    })
}

/// `name = value` pairs in parentheses.
fn inside(list: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let list = list.trim().strip_prefix('(').unwrap_or(list);
    words(list.strip_suffix(')').unwrap_or(list))
}

/// What stands between the commas that are in no parentheses and in no text.
fn parts(text: &'static str) -> impl Iterator<Item = &'static str> {
    let (mut depth, mut quoted) = (0_u32, false);
    text.split(move |c| {
        match c {
            '"' => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth = depth.saturating_add(1),
            ')' | ']' | '}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0 && !quoted
    })
    .map(str::trim)
}
