//! Every word on every form of type, field and variant, alone and in pairs, and every kind of expression in
//! every word: each declaration is accepted, or refused in words of the derive.
//!
//! With `SWEEP=path` the declarations that are accepted are written to files in that folder, each in a
//! module, to be compiled by `scripts/words-sweep`: the compiler must take all of them. `scripts/words-laws`
//! runs the laws on them (`laws.rs`).

use std::collections::HashSet;
use std::fmt::Write as _;
use std::panic;
use std::path::PathBuf;

use proc_macro2::{TokenStream, TokenTree};

mod exprs;
mod two;
mod words;

use words::{FIELDS, OF_TYPES, OF_VARIANTS, TYPES, UNIONS, VARIANTS, WORDS};

/// What all declarations use.
const PRELUDE: &str = include_str!("prelude.rs");

/// What all declarations derive.
const DERIVES: &str = "#[derive(BinFormat, Debug, Clone, PartialEq)]";

/// How many declarations stand in one file, for the compiler's memory.
const IN_A_FILE: usize = 1_500;

/// A declaration around one field.
fn around(words: &str, ty: &str) -> String {
    let bin = if words.is_empty() { String::new() } else { format!("#[bin({words})] ") };
    format!(
        "{DERIVES}\n\
         #[bin(little, version = n)]\n\
         struct Demo<'a> {{ n: u8, m: u32, truth: bool, head: Head, #[bin(args(kind = 1))] shape: Shape, \
         #[bin(count = 2)] rows: Vec<Row>, #[bin(section, len = 8)] room: &'a [u8], \
         #[bin(since = 2)] new: Option<u8>, {bin}field: {ty} }}\n"
    )
}

/// The declaration with one more word, also inside an `Option` where the word makes one.
fn with_words(own: &str, more: &[&str], ty: &str) -> String {
    let words = joined(own, more);
    around(&words, &in_an_option(&words, ty))
}

/// The type of a field with words: an `Option` where one of them makes one.
fn in_an_option(words: &str, ty: &str) -> String {
    let absent = ["if =", "optional", "flag =", "since =", "before =", "null ="];
    let makes_option =
        words.split(", ").any(|word| absent.iter().any(|start| word.starts_with(start)));
    match (makes_option, ty.strip_prefix("Vec<").filter(|_| words.starts_with("for_each"))) {
        (true, Some(rest)) if !rest.starts_with("Option<") => {
            format!("Vec<Option<{}>>", rest.strip_suffix('>').unwrap_or(rest))
        }
        (true, None) if !ty.starts_with("Option<") => format!("Option<{ty}>"),
        _ => ty.to_owned(),
    }
}

/// Words beside one another.
fn joined(own: &str, more: &[&str]) -> String {
    let words = [own].into_iter().chain(more.iter().copied()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(", ")
}

/// A type with more words.
fn of_type(words: &str, more: &[&str], rest: &str) -> String {
    format!("{DERIVES}\n#[bin({})]\n{rest}\n", joined(words, more))
}

/// A union with one variant more, which has these words.
fn of_variant(words: &str, rest: &str, of_variant: &str, variant: &str) -> String {
    let bin = if of_variant.is_empty() { String::new() } else { format!("#[bin({of_variant})] ") };
    let rest = rest.replace('@', &format!("{bin}{variant}"));
    // A lifetime that nothing uses is a mistake in any struct.
    let rest = if rest.matches("'a").count() == 1 { rest.replace("<'a>", "") } else { rest };
    of_type(words, &[], &rest)
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
    let without = declaration.replace(DERIVES, "");
    // What does not even parse is a mistake of the sweep.
    let input: syn::DeriveInput = syn::parse_str(&without).expect(declaration);
    let tokens = panic::catch_unwind(|| crate::expand::expand(&input));
    let mut found = Vec::new();
    mistakes(tokens.unwrap_or_else(|_| panic!("the derive panics at\n{declaration}")), &mut found);
    for message in &found {
        assert!(!message.contains("__"), "{message} is about generated code, at\n{declaration}");
    }
    found
}

/// What has been tried: what is accepted, once, and how much is refused.
#[derive(Default)]
struct Tried {
    accepted: Vec<String>,
    known: HashSet<String>,
    refused: usize,
}

impl Tried {
    fn try_one(&mut self, declaration: &str) {
        if !self.known.insert(declaration.to_owned()) {
            return;
        }
        if expand(declaration).is_empty() {
            self.accepted.push(declaration.to_owned());
        } else {
            self.refused += 1;
        }
    }

    /// Writes what is accepted to files of this name, where they are asked for; how much that is, and
    /// how much is refused.
    fn finish(self, name: &str) -> (usize, usize) {
        if let Some(folder) = std::env::var_os("SWEEP").map(PathBuf::from) {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("prelude.rs"), PRELUDE).unwrap();
            for (number, part) in self.accepted.chunks(IN_A_FILE).enumerate() {
                let mut text = String::new();
                for (index, declaration) in part.iter().enumerate() {
                    writeln!(text, "mod case_{index} {{\nuse crate::prelude::*;\n{declaration}}}")
                        .unwrap();
                }
                std::fs::write(folder.join(format!("{name}_{number}.rs")), text).unwrap();
            }
        }
        (self.accepted.len(), self.refused)
    }
}

/// One in so many is tried: what the variable says, or as many as a test has time for.
fn share(variable: &str, default: usize) -> impl FnMut() -> bool {
    let share =
        std::env::var(variable).ok().and_then(|share| share.parse().ok()).unwrap_or(default);
    let mut count = 0_usize;
    move || {
        count += 1;
        count.is_multiple_of(share)
    }
}

#[test]
fn every_word_on_every_field_is_taken_or_refused_in_our_words() {
    let mut all = Tried::default();
    for (own, ty) in FIELDS {
        all.try_one(&with_words(own, &[], ty));
        for word in WORDS {
            all.try_one(&with_words(own, &[word], ty));
        }
    }
    let (accepted, refused) = all.finish("fields");
    assert!(accepted > 400 && refused > 400, "{accepted} accepted, {refused} refused");
}

#[test]
fn pairs_of_words_are_taken_or_refused_in_our_words() {
    let mut all = Tried::default();
    let mut is_tried = share("PAIRS", 997);
    for (own, ty) in FIELDS {
        for (index, first) in WORDS.iter().enumerate() {
            for second in WORDS.iter().skip(index + 1) {
                if is_tried() {
                    all.try_one(&with_words(own, &[first, second], ty));
                }
            }
        }
    }
    let (accepted, refused) = all.finish("pairs");
    assert!(accepted > 4 && refused > 40, "{accepted} accepted, {refused} refused");
}

#[test]
fn every_word_on_every_type_is_taken_or_refused_in_our_words() {
    let mut all = Tried::default();
    for (own, rest) in TYPES {
        all.try_one(&of_type(own, &[], rest));
        for word in OF_TYPES {
            all.try_one(&of_type(own, &[word], rest));
            all.try_one(&of_type(word, &[], rest));
        }
    }
    let mut is_tried = share("PAIRS", 17);
    for (own, rest) in TYPES {
        for (index, first) in OF_TYPES.iter().enumerate() {
            for second in OF_TYPES.iter().skip(index + 1) {
                if is_tried() {
                    all.try_one(&of_type(own, &[first, second], rest));
                }
            }
        }
    }
    let (accepted, refused) = all.finish("types");
    assert!(accepted > 100 && refused > 400, "{accepted} accepted, {refused} refused");
}

#[test]
fn every_word_on_every_variant_is_taken_or_refused_in_our_words() {
    let mut all = Tried::default();
    for (words, rest) in UNIONS {
        for variant in VARIANTS {
            for own in OF_VARIANTS {
                all.try_one(&of_variant(words, rest, own, variant));
            }
        }
    }
    let (accepted, refused) = all.finish("variants");
    assert!(accepted > 100 && refused > 400, "{accepted} accepted, {refused} refused");
}
