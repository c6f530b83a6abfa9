//! What the README shows is what the repository does.

use std::fs;
use std::path::Path;

#[path = "../../examples/tour.rs"]
#[expect(dead_code, reason = "an example is a program of its own")]
mod tour;

fn text(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The first block of a language in the README.
fn block(language: &str) -> String {
    let readme = text("README.md");
    let (_, rest) = readme.split_once(&format!("```{language}\n")).unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

#[test]
fn the_declaration_is_that_of_the_tour() {
    assert!(
        text("examples/tour.rs").contains(&block("rust")),
        "README.md and examples/tour.rs differ"
    );
}

#[test]
fn the_report_is_that_of_the_tour() {
    assert_eq!(tour::damaged_report().unwrap(), block("text"));
}

#[test]
fn the_tests_are_run_as_the_readme_says() {
    assert!(text(".ci/run").contains(block("sh").lines().last().unwrap()));
}
