//! Every word on every form of field, alone and in pairs: each declaration is accepted, or refused
//! in words of the derive.
//!
//! With `SWEEP=path` the declarations that are accepted are written to that file, each in a module,
//! to be compiled by `scripts/words-sweep`: the compiler must take all of them.

use std::fmt::Write as _;
use std::panic;

use proc_macro2::{TokenStream, TokenTree};

/// What all declarations use.
const PRELUDE: &str = include_str!("prelude.rs");

/// A field by its words and its type.
const FIELDS: &[(&str, &str)] = &[
    ("", "u8"),
    ("", "u16"),
    ("", "i32"),
    ("", "f32"),
    ("", "bool"),
    ("", "U24"),
    ("", "Leb128<u32>"),
    ("", "Kind"),
    ("", "Flags"),
    ("", "Small"),
    ("calc = 3", "u16"),
    ("calc = 3", "Auto<u32>"),
    ("calc = 3", "Auto<Leb128<u32>>"),
    ("", "[u8; 4]"),
    ("", "[u16; 2]"),
    ("", "[Item; 2]"),
    ("len = n", "&'a [u8]"),
    ("len = n", "&'a str"),
    ("nul", "String"),
    ("prefix = u8", "Vec<u8>"),
    ("until_end", "Vec<u8>"),
    ("len = n", "Cow<'a, [u8]>"),
    ("len = 4", "Utf16<'a>"),
    ("count = n", "Vec<u16>"),
    ("count = n", "Vec<Item>"),
    ("until = last == 0", "Vec<u16>"),
    ("count = n", "Seq<'a, u16>"),
    ("until_end", "Seq<'a, Item>"),
    ("", "Item"),
    ("args(size = n)", "Sized"),
    ("len = n", "Whole<'a>"),
    ("", "Box<Item>"),
    ("len = n", "Lazy<'a, Item>"),
    ("", "(u8, u16)"),
    ("", "Reserved<4>"),
    ("len = n", "Blob<'a>"),
    ("if = n > 1", "Option<u16>"),
    ("at = m", "u16"),
    ("at = m, len = n", "&'a [u8]"),
    ("at = m, null = 0", "Option<Item>"),
    ("for_each = rows, at = it.place", "Vec<u16>"),
    ("for_each = rows, at = it.place, len = it.size", "Vec<&'a [u8]>"),
    ("section, len = n", "&'a [u8]"),
    ("map(u16, made_from, made_into)", "Made"),
    ("with = by_hand", "Made"),
    ("skip", "u16"),
    ("checksum(Total, over = m)", "u32"),
];

/// Words of fields, with values that make sense somewhere.
const WORDS: &[&str] = &[
    "little",
    "big",
    "magic = b\"AB\"",
    "magic = 3u16",
    "magic",
    "len = n",
    "len = 4",
    "len = remaining",
    "len = head.size",
    "align_after = 4",
    "args(size = n)",
    "args(size = head.size)",
    "check(n > 1, \"no\")",
    "check(head.size > m, \"no\")",
    "check(field_is(field), \"no {field:?}\")",
    "error(len(field) > 1, \"no\")",
    "warn(count(field) > 1, \"no\")",
    "note(start(field) > 1, \"no\")",
    "note(tag(field) > 1, \"no\")",
    "level(padding = note)",
    "bits = 3",
    "count = n",
    "count = 2",
    "until_end",
    "until = remaining < 4",
    "until = last == 0",
    "prefix = u16",
    "nul",
    "trim = 0",
    "calc = n + 1",
    "calc = len(rows)",
    "checksum(Total, over = m)",
    "at = m",
    "base = start",
    "base = head",
    "null = 0",
    "section",
    "place = room",
    "for_each = rows",
    "set(size = n)",
    "shared",
    "if = n > 1",
    "optional",
    "flag = n & 4",
    "since = 2",
    "before = 5",
    "pad_before = 2",
    "pad_before = n",
    "align_before = 4",
    "pad_after = 2",
    "pad_after = head.size",
    "pad_to = 8",
    "pad_to = n",
    "fill = 1",
    "range = 1..=9",
    "range = n..m",
    "one_of = [1, 2]",
    "one_of = [b\"ABCD\"]",
    "one_of = [\"ab\"]",
    "unique",
    "unique = place",
    "sorted_by = it",
    "map(u16, made_from, made_into)",
    "with = by_hand",
    "skip",
    "slot = 0",
    "default = 1",
    "required",
    "union",
    "root = m",
];

/// A declaration around one field.
fn around(words: &str, ty: &str) -> String {
    let bin = if words.is_empty() { String::new() } else { format!("#[bin({words})] ") };
    format!(
        "#[derive(BinFormat, Debug, Clone, PartialEq)]\n\
         #[bin(little, version = n)]\n\
         struct Demo<'a> {{ n: u8, m: u32, head: Head, #[bin(count = 2)] rows: Vec<Row>, \
         #[bin(section, len = 8)] room: &'a [u8], #[bin(since = 2)] new: Option<u8>, {bin}field: {ty} }}\n"
    )
}

/// The declaration with one more word, also inside an `Option` where the word makes one.
fn with_words(own: &str, more: &[&str], ty: &str) -> String {
    let absent = ["if =", "optional", "flag =", "since =", "before =", "null ="];
    let makes_option = more.iter().any(|word| absent.iter().any(|start| word.starts_with(start)));
    let ty = match (makes_option, ty.strip_prefix("Vec<").filter(|_| own.starts_with("for_each"))) {
        (true, Some(rest)) => format!("Vec<Option<{}>>", rest.strip_suffix('>').unwrap_or(rest)),
        (true, None) if !ty.starts_with("Option<") => format!("Option<{ty}>"),
        _ => ty.to_owned(),
    };
    let words: Vec<&str> =
        [own].iter().chain(more).copied().filter(|word| !word.is_empty()).collect();
    around(&words.join(", "), &ty)
}

/// The texts of all mistakes in an expansion.
fn mistakes(tokens: TokenStream, found: &mut Vec<String>) {
    let mut is_error = false;
    for tree in tokens {
        match tree {
            TokenTree::Ident(ident) => is_error = ident == "compile_error",
            TokenTree::Group(group) if is_error => {
                is_error = false;
                found.push(group.stream().to_string());
            }
            TokenTree::Group(group) => mistakes(group.stream(), found),
            _ => {}
        }
    }
}

/// Expands a declaration: its mistakes.
fn expand(declaration: &str) -> Vec<String> {
    let without = declaration.replace("#[derive(BinFormat, Debug, Clone, PartialEq)]", "");
    let input: syn::DeriveInput = syn::parse_str(&without).expect(declaration);
    let tokens = panic::catch_unwind(|| crate::expand::expand(&input));
    let mut found = Vec::new();
    mistakes(tokens.unwrap_or_else(|_| panic!("the derive panics at\n{declaration}")), &mut found);
    for message in &found {
        assert!(!message.contains("__"), "{message} is about generated code, at\n{declaration}");
    }
    found
}

/// Collects what is accepted, each in a module of its own.
struct Tried {
    file: String,
    accepted: usize,
    refused: usize,
}

impl Tried {
    fn try_one(&mut self, declaration: &str) {
        if !expand(declaration).is_empty() {
            self.refused += 1;
            return;
        }
        self.accepted += 1;
        let index = self.accepted;
        writeln!(self.file, "mod case_{index} {{\nuse crate::prelude::*;\n{declaration}}}")
            .unwrap();
    }

    fn finish(self, name: &str) -> (usize, usize) {
        if let Some(folder) = std::env::var_os("SWEEP") {
            let folder = std::path::PathBuf::from(folder);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("prelude.rs"), PRELUDE).unwrap();
            std::fs::write(folder.join(name), self.file).unwrap();
        }
        (self.accepted, self.refused)
    }
}

fn none() -> Tried {
    Tried { file: String::new(), accepted: 0, refused: 0 }
}

#[test]
fn every_word_on_every_field_is_taken_or_refused_in_our_words() {
    let mut all = none();
    for (own, ty) in FIELDS {
        all.try_one(&with_words(own, &[], ty));
        for word in WORDS {
            all.try_one(&with_words(own, &[word], ty));
        }
    }
    let (accepted, refused) = all.finish("fields.rs");
    assert!(accepted > 400 && refused > 400, "{accepted} accepted, {refused} refused");
}

#[test]
fn pairs_of_words_are_taken_or_refused_in_our_words() {
    let mut all = none();
    let part = std::env::var("PAIRS").ok().and_then(|part| part.parse().ok()).unwrap_or(997_usize);
    let mut count = 0_usize;
    for (own, ty) in FIELDS {
        for (index, first) in WORDS.iter().enumerate() {
            for second in WORDS.iter().skip(index + 1) {
                count += 1;
                if count.is_multiple_of(part) {
                    all.try_one(&with_words(own, &[first, second], ty));
                }
            }
        }
    }
    let (accepted, refused) = all.finish("pairs.rs");
    assert!(accepted > 4 && refused > 40, "{accepted} accepted, {refused} refused");
}
