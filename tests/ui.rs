//! Declarations with one mistake each: every message is ours, lies on the smallest span, and comes
//! alone. What only the compiler can see, types and traits, is in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Cases in which the compiler has the word: its words are those of one version.
const OF_THE_COMPILER: &str = "traits";

#[test]
fn mistakes_are_explained() {
    let cases = trybuild::TestCases::new();
    let all = entries(&root()).into_iter();
    for folder in all.filter(|folder| !folder.ends_with(OF_THE_COMPILER) || is_known_compiler()) {
        cases.compile_fail(folder.join("*.rs"));
    }
}

/// Whether the compiler is the one that `rust-version` names.
fn is_known_compiler() -> bool {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(compiler).arg("--version").output().unwrap();
    let known = format!("rustc {}.", env!("CARGO_PKG_RUST_VERSION"));
    String::from_utf8_lossy(&version.stdout).starts_with(&known)
}

fn root() -> PathBuf {
    Path::new("tests/ui").to_owned()
}

#[test]
fn every_message_belongs_to_a_declaration() {
    let folders = entries(&root());
    let files: Vec<PathBuf> = folders.iter().flat_map(|folder| entries(folder)).collect();
    assert!(files.len() > 2 * 45, "{} files are no collection", files.len());
    for file in files {
        let other = file.with_extension(if file.extension().is_some_and(|ext| ext == "rs") {
            "stderr"
        } else {
            "rs"
        });
        assert!(other.is_file(), "{} has no {}", file.display(), other.display());
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let list =
        std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    list.map(|entry| entry.unwrap().path()).collect()
}
