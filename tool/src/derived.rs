//! Which fields a writer computes, as far as the words of a declaration say it.

use std::collections::{HashMap, HashSet};

use binfmt_runtime::{FieldLayout, Layout, Shape};

use crate::words::{Words, parts};

/// The words whose expressions a writer turns round: it computes what they name.
const COMPUTING: [&str; 3] = ["count", "len", "at"];

/// The names of the fields of a type that its writer computes.
pub(crate) fn names(layout: &'static Layout) -> HashSet<&'static str> {
    let fields = shapes(layout).into_iter().flat_map(|layout| layout.fields);
    let is_derived = |field: &&FieldLayout| {
        let is_auto = field.ty.starts_with("Auto<");
        // Of a section some bytes may belong to no value.
        (field.computed || !field.stored || is_auto) && !is_section(field.words)
    };
    fields.filter(is_derived).map(|field| field.name).collect()
}

/// What a writer computes in the items of tables, for values that lie beside them: the names of the
/// tables, each with those of the fields, `it` for the items themselves.
pub(crate) fn in_tables(layout: &'static Layout) -> HashMap<&'static str, HashSet<&'static str>> {
    let mut tables: HashMap<_, HashSet<_>> = HashMap::new();
    for field in shapes(layout).into_iter().flat_map(|layout| layout.fields) {
        let words = Words::of(field.words);
        let Some(table) = words.get("for_each") else { continue };
        let names = tables.entry(table).or_default();
        for expression in COMPUTING.iter().filter_map(|word| words.get(word)) {
            names.extend(of_item(expression));
        }
        names.extend(numbers_of_items(&words));
    }
    tables
}

/// The numbers of an item that an expression names: `offset` of `it.offset`, and `it` where that is the number.
fn of_item(expression: &'static str) -> Vec<&'static str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let numbers = expression.match_indices("it").filter_map(|(at, it)| {
        let (before, behind) = (expression.get(..at)?, expression.get(at + it.len()..)?);
        let whole = !before.ends_with(|c| is_part(c) || c == '.') && !behind.starts_with(is_part);
        whole.then(|| match behind.trim_start().strip_prefix('.') {
            Some(part) => identifiers(part).first().copied().unwrap_or(it),
            None => it,
        })
    });
    numbers.collect()
}

/// The numbers of items in `set(it.size = ..)` and `checksum(Crc32, it.sum)`, by the names of their
/// first parts; `it` for the items themselves.
fn numbers_of_items(words: &Words<'static>) -> Vec<&'static str> {
    let sums = words.all("checksum").filter_map(|list| parts(list, ',').last().copied());
    let part = |number: &'static str| {
        let mut parts = number.trim().split('.');
        (parts.next() == Some("it")).then(|| parts.next().unwrap_or("it"))
    };
    let set = assignments(words).map(|(number, _)| number);
    set.chain(sums).filter_map(part).collect()
}

/// The numbers that `set` sets, each with what to.
fn assignments<'w>(words: &Words<'w>) -> impl Iterator<Item = (&'w str, &'w str)> {
    let all = words.all("set").flat_map(|list| parts(list, ','));
    all.filter_map(|one| one.split_once('=')).map(|(number, value)| (number.trim(), value))
}

/// The numbers inside of the value of a field that are computed for what lies beside it:
/// `set(size = len(data))`.
pub(crate) fn set_inside(of: &'static str) -> Vec<&'static str> {
    let words = Words::of(of);
    let names = assignments(&words).filter_map(|(number, _)| number.split('.').next());
    names.filter(|name| *name != "it").collect()
}

/// The numbers inside of the value of a field that are set by how long another field is.
pub(crate) fn lengths_set(of: &'static str, measured: &str) -> Vec<&'static str> {
    let words = Words::of(of);
    let len = format!("len({measured})");
    let told = assignments(&words).filter(|(_, value)| value.contains(&len));
    told.map(|(number, _)| number).collect()
}

/// Whether numbers of a type have a form of their own, as those of variable length have.
pub(crate) fn is_coded(ty: &str) -> bool {
    ["Leb128<", "Coded<"].iter().any(|name| ty.contains(name))
}

/// The type of the number in front of a field.
pub(crate) fn prefix(of: &'static str) -> &'static str {
    Words::of(of).get("prefix").unwrap_or_default()
}

/// Whether a number is computed from another field: `calc = len(name) + 1`.
pub(crate) fn is_calculated(of: &'static str, from: &str) -> bool {
    Words::of(of).get("calc").is_some_and(|calc| identifiers(calc).contains(&from))
}

/// Whether a number is computed from where something lies.
pub(crate) fn is_place(of: &'static str) -> bool {
    let calc = Words::of(of).get("calc").unwrap_or_default();
    ["start(", "end("].iter().any(|place| calc.contains(place))
}

/// What the offset of a field counts from.
pub(crate) fn base(of: &'static str) -> Option<&'static str> {
    Words::of(of).get("base")
}

/// Whether offsets inside of values of a type count from where these begin.
pub(crate) fn is_origin(layout: &'static Layout) -> bool {
    Words::of(layout.words).has("origin")
}

/// Whether values at offsets lie in the bytes of a field.
pub(crate) fn is_section(of: &'static str) -> bool {
    Words::of(of).has("section")
}

/// Of several names that a length is computed from, those that tell of nothing else in the type.
pub(crate) fn alone(layout: Option<&'static Layout>, names: &[&'static str]) -> Vec<&'static str> {
    let fields = layout.into_iter().flat_map(|layout| layout.fields);
    let words = fields.map(|field| Words::of(field.words));
    let told = words.flat_map(|words| COMPUTING.map(|word| words.get(word))).flatten();
    let told: HashSet<_> =
        told.map(identifiers).filter(|names| names.len() == 1).flatten().collect();
    let all = names.iter().copied();
    all.filter(|name| names.len() == 1 || !told.contains(name)).collect()
}

/// What the length of a field or type is computed from: the names in its `len`.
pub(crate) fn lengths(of: &'static str) -> Vec<&'static str> {
    Words::of(of).get("len").map(identifiers).unwrap_or_default()
}

/// What the items of a list beside a table are long: the table, and the names in the `len`.
pub(crate) fn beside(of: &'static str) -> Option<(&'static str, Vec<&'static str>)> {
    let words = Words::of(of);
    Some((words.get("for_each")?, words.get("len").map(of_item).unwrap_or_default()))
}

/// Whether the size of such an item counts from what the item before says.
pub(crate) fn counts_from_previous(of: &'static str) -> bool {
    let words = Words::of(of);
    let sizes = ["len", "count"].into_iter().filter_map(|word| words.get(word));
    sizes.flat_map(identifiers).any(|name| name == "previous")
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
    let words = Words::of(of);
    let at = words.get("at")?;
    let unit = at.split('*').nth(1).and_then(|unit| unit.trim().trim_end_matches(')').parse().ok());
    Some(Located {
        table: words.get("for_each"),
        at: identifiers(at),
        len: lengths(of),
        unit: unit.filter(|unit| *unit > 0).unwrap_or(1),
    })
}

/// What a field or type is padded to, in bytes.
pub(crate) fn alignment(of: &'static str) -> Option<u64> {
    Words::of(of).get("align_after")?.parse().ok().filter(|bytes| *bytes > 0)
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
    #[bin(little, len = size + 8, computed(twice: u32 = place * 2))]
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
        assert_eq!(names, HashSet::from(["size", "count", "place", "twice"]));
        assert_eq!(set_inside("len = 4, set(a = len(x), b.c = 1)"), ["a", "b"]);
        assert_eq!(lengths("little, len = size + 8"), ["size"]);
        assert_eq!(lengths("len = f(a) * 2, count = b"), ["a"]);
        assert_eq!(beside("for_each = sizes, len = it"), Some(("sizes", vec!["it"])));
        assert_eq!(beside("for_each = t, len = it.size"), Some(("t", vec!["size"])));
        let ends = "for_each = t, len = it.end - (previous.end or first)";
        assert_eq!(beside(ends), Some(("t", vec!["end"])));
        assert!(counts_from_previous(ends) && !counts_from_previous("len = it.end"));
        assert!(counts_from_previous("for_each = t, count = it - (previous or 0)"));
        let numbers = |text| numbers_of_items(&Words::of(text));
        assert_eq!(numbers("set(it.a = f(it.x, 1), it.b.c = len(value)), len = it.d"), ["a", "b"]);
        assert_eq!(numbers("checksum(Crc32, it.sum), set(it = index)"), ["it", "sum"]);
        assert!(numbers("set(size = len(it)), checksum(Crc32, over = it)").is_empty());
        let located = located("for_each = t, at = it.at * 512, len = it.size").unwrap();
        assert_eq!((located.table, located.unit), (Some("t"), 512));
        assert_eq!((located.at, located.len), (vec!["it", "at"], vec!["it", "size"]));
    }
}
