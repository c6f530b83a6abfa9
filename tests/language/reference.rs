//! The examples of the documentation.

use std::path::Path;

fn file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
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
