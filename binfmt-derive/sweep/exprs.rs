//! Every kind of expression in every word that takes one: what a name can stand for, in all operations,
//! wherever the registry knows of an expression.

use std::fmt::Write as _;

use super::{Tried, share};
use crate::attr::{ROWS, Row};

/// What an expression may name. Where it is a name of a field, that stands in front of the one that is tried.
const OPERANDS: &[&str] = &[
    "n",
    "m",
    "signed",
    "far",
    "real",
    "leb",
    "long",
    "owned",
    "kind",
    "flags",
    "small.size",
    "small.wide",
    "truth",
    "head",
    "head.size",
    "head.kind",
    "head.small.size",
    "boxed.size",
    "shape",
    "maybe",
    "maybe_head",
    "maybe_head.size",
    "name",
    "title",
    "rows",
    "seq",
    "pair",
    "pair.0",
    "array",
    "room",
    "placed",
    "field",
    "it",
    "it.size",
    "index",
    "last",
    "last.size",
    "previous.size",
    "remaining",
    "value.size",
    "arg",
    "whole",
    "full",
    "twice",
    "LIMIT",
    "Kind::One",
    "7",
    "-1",
    "0x1_0000_0000",
    "true",
    "b\"ab\"",
    "\"ab\"",
    "self",
    "nothing",
];

/// What may be done with it, which is `X`.
const OPERATIONS: &[&str] = &[
    "X",
    "X + 1",
    "1 - X",
    "X - m",
    "X * 2",
    "2 * (X + 3)",
    "X / 2",
    "X % 4",
    "X << 1",
    "X & 3",
    "X | m",
    "-X",
    "min(X, n)",
    "max(m, X)",
    "align_up(X, 4)",
    "X or 0",
    "if X == 1 { 4 } else { 8 }",
    "if X { 4 } else { 8 }",
    "if n == 1 { X } else { 4 }",
    "function(X)",
    "function(X + 1)",
    "function(function(X))",
    "both(m, X)",
    "X.sized()",
    "len(X)",
    "count(X)",
    "start(X)",
    "end(X)",
    "tag(X)",
    "X == 1",
    "X == m",
    "X > signed",
    "!X",
    "X && truth",
    "X == Kind::One",
    "X == b\"ab\"",
    "X == \"ab\"",
    "X == function(n)",
    "X & 4 != 0",
];

/// The words with an expression, which is `E`, and what they stand on: a field, with its type.
const ON_FIELDS: &[(&str, &str)] = &[
    ("len = E", "&'a [u8]"),
    ("len = E", "Whole<'a>"),
    ("len = E, codec = Key(7)", "Encoded<Key, Item>"),
    ("count = E", "Vec<Item>"),
    ("count = E", "Seq<'a, u16>"),
    ("args(size = E)", "Sized"),
    ("count = 2, args(size = E)", "Vec<Sized>"),
    ("until_end, args(size = E)", "Seq<'a, Sized>"),
    ("align_after = E", "u16"),
    ("align_before = E", "u16"),
    ("pad_before = E", "Head"),
    ("pad_after = E", "u32"),
    ("pad_to = E", "u16"),
    ("at = E", "u16"),
    ("at = E, null = 0", "Option<Item>"),
    ("at = E, len = 2, place = room", "&'a [u8]"),
    ("at = E, base = head, until_next", "&'a [u8]"),
    ("until = E", "Vec<Item>"),
    ("until = E", "Seq<'a, Item>"),
    ("if = E", "Option<u16>"),
    ("flag = E", "Option<u16>"),
    ("since = E", "Option<u16>"),
    ("before = E", "Option<u16>"),
    ("calc = E", "u16"),
    ("calc = E", "Auto<u32>"),
    ("calc = E", "[u8; 2]"),
    ("calc = E", "Kind"),
    ("set(size = E)", "Head"),
    ("range = 1..=E", "u32"),
    ("range = E..", "i32"),
    ("one_of = [E]", "u16"),
    ("check(E, \"no\")", "u16"),
    ("error(E, \"no\")", "Vec<u8>"),
    ("warn(E, \"no {n}\")", "&'a [u8]"),
    ("note(E, \"no\")", "Head"),
    ("until_end, codec = Key(E)", "Encoded<Key, Item>"),
    ("for_each = rows, at = E", "Vec<u16>"),
    ("for_each = rows, len = E", "Vec<&'a [u8]>"),
    ("for_each = rows, at = it.place, if = E", "Vec<Option<u16>>"),
    ("for_each = rows, args(size = E)", "Vec<Sized>"),
    ("for_each = rows, at = it.place, set(it.size = E)", "Vec<Item>"),
    ("for_each = rows, at = it.place, set(size = E)", "Vec<Item>"),
    ("for_each = rows, at = it.place, align_before = E", "Vec<u16>"),
];

/// The same on types.
const ON_TYPES: &[&str] = &[
    "len = E",
    "align_after = E",
    "endian = E",
    "version = E",
    "let(named = E), check(named == 1, \"no\")",
    "let(named = E), computed(other: u32 = named + 1, \"text\")",
    "computed(other: u32 = E, \"text\")",
    "computed(other: bool = E, \"text\")",
    "check(E, \"no\")",
    "error(E, \"no\")",
    "warn(E, \"no\")",
    "note(E, \"no {n}\")",
];

/// The same on bit fields, which have expressions of other bit fields.
const ON_BITS: &[&str] =
    &["check(E, \"no\")", "range = 1..=E", "computed(other: u16 = E, \"text\")", "calc = E"];

/// Words whose expressions are tried elsewhere: in unions, whose arguments are all that they can name.
const IN_UNIONS: &[&str] = &["tag", "id"];

/// The fields that an expression may name, in their order, with their words.
const FIELDS: &[(&str, &str, &str)] = &[
    ("n", "", "u8"),
    ("m", "", "u32"),
    ("signed", "", "i16"),
    ("far", "", "u64"),
    ("real", "", "f32"),
    ("leb", "", "Leb128<u32>"),
    ("long", "", "Vlq<4>"),
    ("owned", "", "Auto<u16>"),
    ("counted", "count = owned", "Vec<u8>"),
    ("kind", "", "Kind"),
    ("flags", "", "Flags"),
    ("small", "", "Small"),
    ("truth", "", "bool"),
    ("head", "", "Head"),
    ("boxed", "", "Box<Head>"),
    ("shape", "args(kind = 1)", "Shape"),
    ("maybe", "if = m > 3", "Option<u16>"),
    ("maybe_head", "if = m > 3", "Option<Head>"),
    ("name", "len = 2", "&'a [u8]"),
    ("title", "nul", "String"),
    ("rows", "count = 2", "Vec<Row>"),
    ("seq", "count = 2", "Seq<'a, Row>"),
    ("pair", "", "(u8, u16)"),
    ("array", "", "[u16; 2]"),
    ("room", "section, len = 8", "&'a [u8]"),
    ("placed", "at = m, len = 2, place = room", "&'a [u8]"),
];

/// Whether a name stands in a text.
fn has(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

/// The fields whose names stand in a text, and what those need.
fn named(text: &str) -> Vec<&'static (&'static str, &'static str, &'static str)> {
    let mut needed: Vec<bool> = FIELDS.iter().map(|(name, ..)| has(text, name)).collect();
    let wanted = |needed: &mut Vec<bool>, name: &str| {
        if let Some(index) = FIELDS.iter().position(|field| field.0 == name) {
            needed[index] = true;
        }
    };
    if has(text, "owned") {
        wanted(&mut needed, "counted");
    }
    if has(text, "placed") {
        wanted(&mut needed, "room");
    }
    if ["maybe", "maybe_head", "placed", "full", "twice"].iter().any(|name| has(text, name)) {
        wanted(&mut needed, "m");
    }
    FIELDS.iter().zip(needed).filter(|(_, needed)| *needed).map(|(field, _)| field).collect()
}

/// A declaration with what the words need in front of the field that has them.
fn around(of_type: &str, words: &str, ty: &str) -> String {
    let all = format!("{of_type} {words}");
    let mut fields = String::new();
    for (name, words, ty) in named(&all) {
        let bin = if words.is_empty() { String::new() } else { format!("#[bin({words})] ") };
        let _ = write!(fields, "{bin}{name}: {ty}, ");
    }
    let bin = if words.is_empty() { String::new() } else { format!("#[bin({words})] ") };
    let mut more = String::new();
    for (name, text) in [
        ("arg", "args(arg: u16 = 3, whole: Head = Head::default())"),
        ("full", "computed(full: u32 = m, \"text\")"),
        ("twice", "let(twice = m * 2)"),
    ] {
        if has(&all, name) || (name == "arg" && has(&all, "whole")) {
            let _ = write!(more, ", {text}");
        }
    }
    let of_type = if of_type.is_empty() { String::new() } else { format!(", {of_type}") };
    let lifetime = if format!("{fields}{ty}").contains("'a") { "<'a>" } else { "" };
    let derives = super::DERIVES;
    format!(
        "{derives}\n#[bin(little{more}{of_type})]\nstruct Demo{lifetime} {{ {fields}{bin}field: {ty} }}\n"
    )
}

/// A declaration of bit fields.
fn bits(words: &str) -> String {
    let (of_type, of_field) = if words.starts_with("computed") {
        (format!(", {words}"), "bits = 4".to_owned())
    } else {
        (String::new(), format!("bits = 4, {words}"))
    };
    let derives = super::DERIVES;
    format!(
        "{derives}\n#[bin(bits = u32, lsb, little{of_type}, args(arg: u16 = 3))]\nstruct Demo {{ #[bin(bits = 8)] n: u8, \
         #[bin(bits = 8)] m: u16, #[bin(bits = 1)] truth: bool, #[bin(bits = 4)] kind: Kind, #[bin(bits = 7)] signed: i8, #[{of_field}] field: u8 }}\n",
        of_field = format_args!("bin({of_field})"),
    )
}

/// A union that is told apart by a tag, and by a condition of it.
fn union(tag: &str, condition: &str) -> String {
    let derives = super::DERIVES;
    format!(
        "{derives}\n#[bin(little, tag = {tag}, args(n: u8, m: u32, signed: i16, kind: Kind, head: Head, truth: bool, pair: (u8, u16)))]\n\
         enum Demo {{ #[bin(id = 1 if {condition})] One(u8), #[bin(other)] Two(u16) }}\n"
    )
}

/// Every expression of every operand.
fn exprs() -> impl Iterator<Item = String> {
    OPERANDS.iter().flat_map(|operand| OPERATIONS.iter().map(|form| form.replace('X', operand)))
}

#[test]
fn every_expression_in_every_word_is_taken_or_refused_in_our_words() {
    let fields = ON_FIELDS.iter().flat_map(|(words, ty)| {
        exprs().map(move |expr| around("", &words.replace('E', &expr), ty))
    });
    let types = ON_TYPES
        .iter()
        .flat_map(|words| exprs().map(|expr| around(&words.replace('E', &expr), "", "u16")));
    let of_bits =
        ON_BITS.iter().flat_map(|words| exprs().map(|expr| bits(&words.replace('E', &expr))));
    let unions = exprs().flat_map(|expr| [union(&expr, "n > 1"), union("n", &expr)]);
    let mut is_tried = share("EXPRS", 199);
    let mut tried = Tried::default();
    for declaration in fields.chain(types).chain(of_bits).chain(unions).filter(|_| is_tried()) {
        tried.try_one(&declaration);
    }
    let (accepted, refused) = tried.finish("exprs");
    assert!(accepted > 40 && refused > 100, "{accepted} accepted, {refused} refused");
}

#[test]
fn every_word_with_an_expression_is_swept() {
    let words: Vec<&str> =
        ON_FIELDS.iter().map(|(words, _)| *words).chain(ON_TYPES.iter().copied()).collect();
    // The word itself with an expression behind it, and not another one that ends as it does.
    let tries = |words: &str, name: &str| {
        words.split(", ").filter_map(|word| word.strip_prefix(name)).any(|value| {
            value.starts_with([' ', '('])
                && value.split(|c: char| !c.is_alphanumeric()).any(|part| part == "E")
        })
    };
    let has = |row: &Row| {
        IN_UNIONS.contains(&row.name) || words.iter().any(|words| tries(words, row.name))
    };
    let missing: Vec<&str> =
        ROWS.iter().filter(|row| row.expr.is_some() && !has(row)).map(|row| row.name).collect();
    assert!(missing.is_empty(), "no expression is tried in {missing:?}");
}
