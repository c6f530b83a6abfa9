//! Declarations with one mistake each: every message is ours, lies on the smallest span, and comes
//! alone.

use std::path::{Path, PathBuf};

#[test]
fn mistakes_are_explained() {
    trybuild::TestCases::new().compile_fail("tests/ui/*/*.rs");
}

#[test]
fn every_message_belongs_to_a_declaration() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let folders = entries(&root);
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
