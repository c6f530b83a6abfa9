//! Real files in `tests/corpus`, and what the reference readers say about them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// A file of the corpus.
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// What is known about it.
    pub(crate) facts: Value,
}

fn folder(format: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(format)
}

/// What lets a program replace its own output: tests write one file after the other to one place.
pub(crate) fn force(args: &[&str]) -> &'static [&'static str] {
    match args {
        ["extract", ..] => &[],
        args if args.contains(&"-o") => &["--force"],
        _ => &[],
    }
}

/// Whether a file name has this ending.
pub(crate) fn has_ending(name: &str, ending: &str) -> bool {
    Path::new(name).extension().is_some_and(|it| it == ending)
}

/// One file by name.
pub(crate) fn file(format: &str, name: &str) -> Vec<u8> {
    fs::read(folder(format).join(name)).unwrap_or_else(|error| panic!("{format}/{name}: {error}"))
}

/// The files of a format that the real tools wrote.
pub(crate) fn samples(format: &str) -> Vec<Sample> {
    load(format, "", "expected.json")
}

/// Files that were damaged on purpose.
pub(crate) fn mutants(format: &str) -> Vec<Sample> {
    load(format, "negative/", "verdicts.json")
}

fn load(format: &str, sub: &str, list: &str) -> Vec<Sample> {
    let list = file(format, &format!("{sub}{list}"));
    let Value::Object(facts) = serde_json::from_slice(&list).unwrap() else {
        panic!("not an object")
    };
    assert!(!facts.is_empty());
    facts
        .into_iter()
        .map(|(name, facts)| Sample { bytes: file(format, &format!("{sub}{name}")), name, facts })
        .collect()
}

/// The byte ranges that were changed in a mutant.
pub(crate) fn changed(facts: &Value) -> Vec<(u64, u64)> {
    let ranges = facts["changed"].as_array().into_iter().flatten();
    ranges.map(|range| (range[0].as_u64().unwrap(), range[1].as_u64().unwrap())).collect()
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest as _, Sha256};
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Every single-byte change of the first `len` bytes of `file`: each bit, and all of them.
pub(crate) fn single_byte_changes(file: &[u8], len: usize) -> impl Iterator<Item = Vec<u8>> + '_ {
    let masks = [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff_u8];
    (0..len.min(file.len())).flat_map(move |at| {
        masks.into_iter().map(move |mask| {
            let mut changed = file.to_vec();
            changed[at] ^= mask;
            changed
        })
    })
}
