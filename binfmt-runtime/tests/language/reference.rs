//! The words and examples of the documentation.

use std::collections::BTreeSet;
use std::path::Path;

fn file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The words that the derive knows, as its source lists them.
fn words() -> BTreeSet<String> {
    let source = file("binfmt-derive/src/attr.rs");
    let list =
        source.split("fn words(self)").nth(1).and_then(|rest| rest.split("\n    }\n").next());
    let parts = list.expect("the list of words").split('"').skip(1).step_by(2);
    parts.map(str::to_owned).collect()
}

/// The words that have a row in the reference.
fn rows() -> BTreeSet<String> {
    let text = file("binfmt-derive/README.md");
    let rows = text
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next().map(str::to_owned));
    rows.collect()
}

#[test]
fn every_word_has_a_row_in_the_reference_and_no_other_has() {
    let words = words();
    assert!(words.len() >= 35 && words.contains("pad_to"), "{words:?}");
    assert_eq!(rows(), words);
}

/// Code without its line breaks and indentation.
fn flat(code: &str) -> String {
    let lines = code.lines().filter(|line| !line.starts_with("use "));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_example_is_a_declaration_that_is_tested() {
    let compiled = flat(include_str!("examples.rs"));
    let text = file("binfmt-derive/README.md");
    let examples: Vec<&str> = text.split("```").skip(1).step_by(2).collect();
    assert!(examples.len() > 5, "{} examples", examples.len());
    for example in examples {
        assert!(compiled.contains(&flat(example)), "{example}");
    }
}
