//! Which fields a writer computes, as far as the words of a declaration say it.

use std::collections::{HashMap, HashSet};

use binfmt_runtime::{FieldLayout, Layout, Shape};

/// The words whose expressions a writer turns round: it computes what they name.
const COMPUTING: [&str; 3] = ["count", "len", "at"];

/// The names of the fields of a type that its writer computes.
pub(crate) fn names(layout: &'static Layout) -> HashSet<&'static str> {
    shapes(layout).into_iter().flat_map(of_struct).collect()
}

/// What a writer computes in the items of tables, for values that lie beside them: the names of the
/// tables, each with those of the fields, `it` for the items themselves.
pub(crate) fn in_tables(layout: &'static Layout) -> HashMap<&'static str, HashSet<&'static str>> {
    let mut tables: HashMap<_, HashSet<_>> = HashMap::new();
    for field in shapes(layout).into_iter().flat_map(|layout| layout.fields) {
        let Some((_, table)) = words(field.words).find(|(word, _)| *word == "for_each") else {
            continue;
        };
        let computing = words(field.words).filter(|(word, _)| COMPUTING.contains(word));
        for names in computing.map(|(_, expression)| identifiers(expression)) {
            let whole = names == ["it"];
            let names = names.into_iter().filter(|name| whole || *name != "it");
            tables.entry(table).or_default().extend(names);
        }
        for name in words(field.words).flat_map(numbers_of_items) {
            tables.entry(table).or_default().insert(name);
        }
    }
    tables
}

/// The numbers of items in `set(it.size = ..)` and `checksum(Crc32, it.sum)`, by the names of their
/// first parts; `it` for the items themselves.
fn numbers_of_items((word, expression): (&'static str, &'static str)) -> Vec<&'static str> {
    let (name, first) = word.split_once('(').unwrap_or((word, ""));
    let others = expression.split(',').filter_map(|part| part.split_once('=').map(|(to, _)| to));
    let numbers: Vec<&str> = match name {
        "set" => std::iter::once(first).chain(others).collect(),
        "checksum" => first.trim_end_matches(')').rsplit(',').take(1).collect(),
        _ => Vec::new(),
    };
    let part = |number: &'static str| {
        let mut parts = number.trim().split('.');
        (parts.next() == Some("it")).then(|| parts.next().unwrap_or("it"))
    };
    numbers.into_iter().filter_map(part).collect()
}

fn of_struct(layout: &'static Layout) -> HashSet<&'static str> {
    let mut names = HashSet::new();
    let of_fields = layout.fields.iter().flat_map(|field| words(field.words));
    for (word, expression) in of_fields.chain(words(layout.words)) {
        if COMPUTING.contains(&word) {
            names.extend(identifiers(expression));
        }
    }
    names.retain(|name| layout.fields.iter().any(|field| field.name == *name));
    let computed = |field: &&FieldLayout| {
        let is_word = |(word, _): (&str, &str)| word == "calc" || word.starts_with("checksum");
        field.ty.starts_with("Auto<") || words(field.words).any(is_word)
    };
    names.extend(layout.fields.iter().filter(computed).map(|field| field.name));
    names
}

/// What the length of a field or type is computed from: the names in its `len`.
pub(crate) fn lengths(of: &'static str) -> Vec<&'static str> {
    let lens = words(of).filter(|(word, _)| *word == "len");
    lens.flat_map(|(_, expression)| identifiers(expression)).collect()
}

/// What the items of a list beside a table are long: the table, and the names in the `len`.
pub(crate) fn beside(of: &'static str) -> Option<(&'static str, Vec<&'static str>)> {
    let (_, table) = words(of).find(|(word, _)| *word == "for_each")?;
    let lens = words(of).filter(|(word, _)| *word == "len");
    let names: Vec<_> = lens.flat_map(|(_, expression)| identifiers(expression)).collect();
    let alone = names == ["it"];
    Some((table, names.into_iter().filter(|name| alone || *name != "it").collect()))
}

/// Where a field lies that stands not in the sequence.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Located {
    /// The table whose items tell it.
    pub(crate) table: Option<&'static str>,
    /// The names in its offset, and in its length.
    pub(crate) at: Vec<&'static str>,
    pub(crate) len: Vec<&'static str>,
    /// How many bytes an offset counts.
    pub(crate) unit: usize,
}

/// What says where a field lies, if an offset does.
pub(crate) fn located(of: &'static str) -> Option<Located> {
    let expression =
        |wanted| words(of).find(|(word, _)| *word == wanted).map(|(_, expression)| expression);
    let at = expression("at")?;
    let unit = at.split('*').nth(1).and_then(|unit| unit.trim().trim_end_matches(')').parse().ok());
    Some(Located {
        table: expression("for_each"),
        at: identifiers(at),
        len: expression("len").map(identifiers).unwrap_or_default(),
        unit: unit.filter(|unit| *unit > 0).unwrap_or(1),
    })
}

/// What a field or type is padded to, in bytes.
pub(crate) fn alignment(of: &'static str) -> Option<u64> {
    let (_, bytes) = words(of).find(|(word, _)| *word == "align_after")?;
    bytes.parse().ok().filter(|bytes| *bytes > 0)
}

/// A type, or what a value of it may be: fields of variants stand where those of a struct would.
pub(crate) fn shapes(layout: &'static Layout) -> Vec<&'static Layout> {
    let variants = layout.fields.iter().filter(|_| layout.shape == Shape::Union);
    [layout].into_iter().chain(variants.filter_map(|variant| declared(Some(variant)))).collect()
}

/// The declared type of a field: what numbers, texts and bytes have none of.
pub(crate) fn declared(field: Option<&'static FieldLayout>) -> Option<&'static Layout> {
    field?.nested.map(|nested| nested()).filter(|layout| layout.shape != Shape::Scalar)
}

/// The words of a declaration, each with what stands behind its `=`.
fn words(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let (mut parts, mut depth, mut quoted, mut start) = (Vec::new(), 0_u32, false, 0);
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth = depth.saturating_add(1),
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(text.get(start..at).unwrap_or_default());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts.into_iter().map(|part| {
        let (word, expression) = part.split_once('=').unwrap_or((part, ""));
        (word.trim(), expression.trim())
    })
}

/// The names in an expression, those of functions left out.
fn identifiers(expression: &'static str) -> Vec<&'static str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut names = Vec::new();
    let mut rest = expression;
    while let Some(start) = rest.find(is_part) {
        let from = rest.get(start..).unwrap_or_default();
        let end = from.find(|c| !is_part(c)).unwrap_or(from.len());
        let (name, behind) = from.split_at(end);
        if !behind.starts_with('(') && name.starts_with(|c: char| !c.is_ascii_digit()) {
            names.push(name);
        }
        rest = behind;
    }
    names
}

#[cfg(test)]
mod tests {
    use binfmt_runtime::{Auto, BinFormat};

    use super::*;

    #[derive(BinFormat)]
    #[bin(little, len = size + 8)]
    #[expect(dead_code, reason = "only the declaration is looked at")]
    struct Blob<'a> {
        size: u32,
        #[bin(check(version == 1, "version {version}, (of) many"))]
        version: u16,
        count: Auto<u8>,
        place: u32,
        #[bin(count = count)]
        items: Vec<u16>,
        #[bin(at = place, len = 4)]
        data: &'a [u8],
    }

    #[test]
    fn computed_fields_are_those_that_words_name() {
        let names = names(<Blob<'_> as BinFormat<'_>>::LAYOUT);
        assert_eq!(names, HashSet::from(["size", "count", "place"]));
        assert_eq!(lengths("little, len = size + 8"), ["size"]);
        assert_eq!(lengths("len = f(a) * 2, count = b"), ["a"]);
        assert_eq!(beside("for_each = sizes, len = it"), Some(("sizes", vec!["it"])));
        assert_eq!(beside("for_each = t, len = it.size"), Some(("t", vec!["size"])));
        let numbers = |text| words(text).flat_map(numbers_of_items).collect::<Vec<_>>();
        assert_eq!(numbers("set(it.a = f(it.x, 1), it.b.c = len(value)), len = it.d"), ["a", "b"]);
        assert_eq!(numbers("checksum(Crc32, it.sum), set(it = index)"), ["sum", "it"]);
        assert!(numbers("set(size = len(it)), checksum(Crc32, over = it)").is_empty());
        let located = located("for_each = t, at = it.at * 512, len = it.size").unwrap();
        assert_eq!((located.table, located.unit), (Some("t"), 512));
        assert_eq!((located.at, located.len), (vec!["it", "at"], vec!["it", "size"]));
    }
}
