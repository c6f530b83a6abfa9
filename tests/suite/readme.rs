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

/// A promise is as good as its test, so every test that is named must be there.
#[test]
fn promises_about_hostile_files_have_their_tests() {
    let security = text("SECURITY.md");
    let (promises, _) = security.split_once("## Limits").unwrap();
    let mut count = 0;
    for row in promises.lines().filter(|line| line.starts_with("| ") && !line.contains("| tests")) {
        let named: Vec<_> = row
            .split('`')
            .filter(|word| word.contains("::"))
            .filter_map(|word| word.split_once("::"))
            .collect();
        assert!(!named.is_empty(), "no test: {row}");
        for (module, name) in named {
            let folder = match module.split('/').next() {
                Some("damage" | "language") => "tests",
                _ => "tests/suite",
            };
            let source = text(&format!("{folder}/{module}.rs"));
            let found = source.contains(&format!("fn {name}()"));
            assert!(found, "{module}::{name} is not there");
            count += 1;
        }
    }
    assert!(count > 20, "{count} tests are named");
}

#[test]
fn limits_are_those_that_are_promised() {
    use binfmt_formats::fatbin::payload;
    use binfmt_runtime::Limits;

    let text = text("SECURITY.md");
    assert_eq!(payload::DEFAULT_LIMIT, 256 << 20);
    for line in [
        format!("| {} | `Limits::MAX_DEPTH` |", Limits::MAX_DEPTH),
        format!("| {} KiB | `Limits::MAX_STACK` |", Limits::MAX_STACK / 1024),
        "| 256 MiB; `--max-decoded` | `payload::DEFAULT_LIMIT` |".to_owned(),
    ] {
        assert!(text.contains(&line), "{line}");
    }
    let mut limits = Limits::for_input(1000);
    assert_eq!(limits.spend(8 * 1000 + 64), Some(()));
    assert_eq!(limits.spend(1), None);
}
