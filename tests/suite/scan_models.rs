//! `binfmt scan` on models inside other files.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::corpus::{self, Sample};

/// The containers that are found in a file, and the exit code.
fn scanned(bytes: &[u8]) -> (Vec<Value>, Option<i32>) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("firmware.bin");
    fs::write(&path, bytes).unwrap();
    let mut scan = Command::new(env!("CARGO_BIN_EXE_binfmt"));
    let output = scan.args(["scan", "--json"]).arg(&path).stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut lines: Vec<Value> = lines.collect();
    assert!(lines.pop().unwrap()["summary"].is_object());
    (lines, output.status.code())
}

/// Format, offset and size.
fn places(found: &[Value]) -> Vec<(String, u64, u64)> {
    let number = |value: &Value| value.as_u64().unwrap();
    let place = |one: &Value| {
        let format = one["format"].as_str().unwrap().to_owned();
        (format, number(&one["offset"]), number(&one["size"]))
    };
    found.iter().map(place).collect()
}

/// Models that say where they end: programs with a header, tensor data, and `RTen` of version 2.
fn models() -> Vec<(&'static str, Sample)> {
    let of =
        |format: &'static str| corpus::samples(format).into_iter().map(move |one| (format, one));
    let all = of("pte").chain(of("ptd")).chain(of("rten"));
    all.filter(|(format, sample)| match *format {
        "pte" => sample.bytes.get(8..12) == Some(b"eh00"),
        "ptd" => true,
        _ => sample.bytes.starts_with(b"RTEN"),
    })
    .collect()
}

#[test]
fn models_are_found_inside_other_files() {
    let (mut firmware, mut expected) = (vec![0xa5; 100], Vec::new());
    for (format, sample) in models() {
        firmware.extend_from_slice(&[0xa5; 64]);
        firmware.resize(firmware.len().next_multiple_of(64), 0xa5);
        // Text that only looks like a beginning.
        firmware.extend_from_slice(b"....ET12....eh00RTENFT01....FH01ET12");
        firmware.resize(firmware.len().next_multiple_of(64), 0xa5);
        let wide = |len: usize| u64::try_from(len).unwrap();
        expected.push((format.to_owned(), wide(firmware.len()), wide(sample.bytes.len())));
        firmware.extend_from_slice(&sample.bytes);
    }
    let (found, code) = scanned(&firmware);
    let found = places(&found);
    assert_eq!(found.len(), expected.len());
    for (found, (format, at, len)) in found.iter().zip(expected) {
        assert_eq!((&found.0, found.1), (&format, at));
        // Padding behind the last segment is part of nothing.
        assert!(found.2 <= len && found.2 + 4096 > len, "{found:?}: {len}");
    }
    assert_eq!(code, Some(0));
}

#[test]
fn what_takes_bytes_is_counted_once() {
    let sample = corpus::file("rten", "mlp_v2.rten");
    let (found, _) = scanned(&sample);
    let entries = found[0]["entries"].as_array().unwrap();
    let rten = corpus::samples("rten").into_iter().find(|one| one.name == "mlp_v2.rten").unwrap();
    assert_eq!(json!(entries.len()), rten.facts["node_counts"]["constant"]);
    assert!(entries.iter().all(|entry| entry["kind"] == "constant"));
}

#[test]
fn damaged_models_are_not_found() {
    for (format, sample) in models() {
        let half = &sample.bytes[..sample.bytes.len() / 2];
        let inside = [&[0; 64], half].concat();
        assert_eq!(scanned(&inside), (vec![], Some(1)), "{format}: {}", sample.name);
        let (found, code) = scanned(half);
        assert_eq!((found, code), (vec![], Some(1)), "{format}: {}", sample.name);
    }
}
