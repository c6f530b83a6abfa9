//! `set` and `diff`, as users call them.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::Value;

fn corpus(file: &str) -> String {
    format!("{}/tests/corpus/{file}", env!("CARGO_MANIFEST_DIR"))
}

#[track_caller]
fn exits(code: i32, args: &[&str]) -> (String, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_binfmt"));
    let output = program.args(args).stdin(Stdio::null()).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert_eq!(output.status.code(), Some(code), "{args:?}: {out}{err}");
    (out, err)
}

#[test]
fn values_are_set_and_all_else_follows() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out").to_string_lossy().into_owned();
    let file = corpus("vpt/seed_two.vpt");
    for len in [0, 1, 4, 5, 6, 12, 13, 300] {
        let name = "61".repeat(len);
        let change = format!("programs[0].name=0x{name}");
        exits(0, &["set", &file, &change, "vendor_id=0x11235814", "-o", &out, "--force"]);
        exits(0, &["validate", &out]);
        assert_eq!(exits(0, &["get", &out, "programs[0].name"]).0.trim(), name);
        assert_eq!(exits(0, &["get", &out, "programs[0].name_len"]).0.trim(), len.to_string());
        let (told, _) = exits(1, &["diff", "--fields", &file, &out]);
        let changed = told.lines().filter(|line| line.starts_with("~ ")).count();
        assert_eq!(changed, 2, "{told}");
    }
    let bytes = dir.path().join("bytes");
    fs::write(&bytes, b"main2").unwrap();
    let change = format!("programs[1].name=@{}", bytes.display());
    exits(2, &["set", &file, &change, "-o", &out]);
    exits(0, &["set", &file, &change, "-o", &out, "--force"]);
    assert_eq!(exits(0, &["get", &out, "programs[1].name", "--raw"]).0, "main2");
    // Checksums and numbers of any order are set, too.
    let container = corpus("fatbin/n13_multi.fatbin");
    exits(0, &["set", &container, "items[0].entries[1].arch=90", "-o", &out, "--force"]);
    exits(0, &["validate", &out]);
}

/// A name lies in the strings of the header of its entry, and moves all behind it: options, the payload and
/// further entries, each of which counts from where it begins.
#[test]
fn names_of_entries_get_any_length() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out").to_string_lossy().into_owned();
    let mut changed = 0;
    for file in fs::read_dir(corpus("fatbin")).unwrap() {
        let file = file.unwrap().path();
        if file.extension().is_none_or(|extension| extension != "fatbin") {
            continue;
        }
        let file = file.to_string_lossy().into_owned();
        let path = "items[0].entries[0].name";
        let got = Command::new(env!("CARGO_BIN_EXE_binfmt")).args(["get", &file, path]).output();
        let got = String::from_utf8(got.unwrap().stdout).unwrap();
        if got.trim().is_empty() || got.trim() == "(absent)" || changed >= 12 {
            continue;
        }
        changed += 1;
        for len in [1, 7, 8, 15, 40, 300] {
            let name = "61".repeat(len);
            if name == got.trim() {
                continue;
            }
            exits(0, &["set", &file, &format!("{path}=0x{name}"), "-o", &out, "--force"]);
            assert_eq!(exits(0, &["get", &out, path]).0.trim(), name, "{file}");
            exits(0, &["validate", &out]);
            let (told, _) = exits(1, &["diff", "--fields", &file, &out]);
            let fields: Vec<_> = told.lines().filter(|line| line.starts_with("~ ")).collect();
            // The name, and the strings that it lies in.
            assert!(fields.len() == 2 && fields[0].contains(".strings: "), "{file}: {told}");
        }
    }
    assert!(changed > 3, "{changed} files have such a name");
}

#[test]
fn what_cannot_be_set_is_refused_and_nothing_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out").to_string_lossy().into_owned();
    let file = corpus("vpt/seed_two.vpt");
    for (change, why) in [
        ("size=7", "computed by the writer"),
        ("program_count=1", "computed by the writer"),
        ("programs[0].name_len=4", "computed by the writer"),
        ("vendor_id=x", "is no number"),
        ("vendor_id=0x100000000", "does not fit"),
        ("programs=1", "has fields of its own"),
        ("programs[0].name=zz", "no hexadecimal"),
        ("programs[7].name=00", "no field has the path"),
        ("magic=0x00000000", "magic"),
        ("version.major=9", "version"),
    ] {
        let (_, error) = exits(1, &["set", &file, change, "-o", &out]);
        assert!(error.contains(why), "{change}: {error}");
        assert!(!dir.path().join("out").exists(), "{change}");
    }
    for wrong in ["vendor_id", "programs[*].name=00", "a[=1", "vendor_id=@gone"] {
        exits(2, &["set", &file, wrong, "-o", &out]);
    }
    exits(1, &["set", &corpus("vpt/negative/count_3.vpt"), "vendor_id=1", "-o", &out]);
    exits(2, &["set", "gone", "a=1", "-o", &out]);
    assert!(!dir.path().join("out").exists());
}

#[test]
fn differences_are_told_by_path() {
    let (one, two) = (corpus("vpt/seed_two.vpt"), corpus("vpt/many_200.vpt"));
    assert_eq!(exits(0, &["diff", &one, &one]), (String::new(), String::new()));
    let (text, _) = exits(1, &["diff", "--fields", &one, &two]);
    assert!(text.contains("+ programs[") && !text.contains("size"), "{text}");
    assert!(text.lines().last().unwrap().contains("--derived tells"), "{text}");
    let (text, _) = exits(1, &["diff", "--derived", &one, &two]);
    assert!(text.contains("~ size: 88 becomes"), "{text}");
    let (line, _) = exits(1, &["diff", "--fields", "--json", &one, &two]);
    let line: Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&line["same"], &line["format"]), (&false.into(), &"vpt".into()));
    assert!(line["changes"].as_array().unwrap().len() > 100);
    let (_, error) = exits(1, &["diff", &one, &corpus("fatbin/n13_multi.fatbin")]);
    assert!(error.contains("of the format `vpt`"), "{error}");
    exits(1, &["diff", &one, &corpus("vpt/expected.json")]);
    exits(2, &["diff", &one, "gone"]);
}
