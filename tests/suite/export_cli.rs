//! `binfmt export`, as users call it. What other programs make of it is checked by
//! `tests/reference/export`.

use std::fs;
use std::io::Read as _;
use std::process::{Command, Stdio};

use crate::called::exits;

const FORMATS: [&str; 8] = ["fatbin", "pte", "bpte", "ptd", "vpt", "elf", "xnnpack", "rten"];

#[test]
fn page_and_json_are_those_of_the_schema() {
    for format in FORMATS {
        let page = exits(0, &["export", format, "--to", "md"]).0;
        assert_eq!(page, exits(0, &["schema", format]).0, "{format}");
        let json = exits(0, &["export", format, "--to", "json"]).0;
        let line = exits(0, &["schema", format, "--json"]).0;
        let [json, line] =
            [json, line].map(|text| serde_json::from_str::<serde_json::Value>(&text).unwrap());
        assert_eq!(json, line, "{format}");
    }
}

#[test]
fn magics_name_what_tells_files_apart() {
    for (format, line) in [
        ("fatbin", "0\tstring\tP\\xedU\\xba\tfatbin: NVIDIA device code (fat binaries)"),
        ("pte", "4\tstring\tET12\t"),
        ("ptd", "4\tstring\tFT01\t"),
        ("vpt", "0\tstring\t\\xd9\\x3e\\x5cg\t"),
        ("rten", "0\tstring\tRTEN\t"),
        ("elf", "0\tstring\t\\x7fELF\t"),
    ] {
        let text = exits(0, &["export", format, "--to", "magic"]).0;
        assert!(text.contains(line), "{format}: {text}");
        assert!(text.lines().all(|line| line.starts_with('#') || !line.ends_with('\t')), "{text}");
    }
    // Version 1 of RTen files begins with nothing of its own, and the file says so.
    assert!(
        exits(0, &["export", "rten", "--to", "magic"])
            .0
            .contains("# What is a Bare has no constant")
    );
}

#[test]
fn what_kaitai_cannot_say_is_named_twice() {
    for format in FORMATS {
        let (text, said) = exits(0, &["export", format, "--to", "ksy"]);
        assert!(text.contains(&format!("\nmeta:\n  id: {format}\n")), "{format}");
        for line in said.lines() {
            let named = line.strip_prefix("warning: ").unwrap();
            assert!(text.contains(&format!("\n#   {named}\n")), "{format}: {named}");
        }
        // In all of them something follows from code of Rust, from tables or from what lies elsewhere.
        assert!(!said.is_empty(), "{format}");
    }
    let fatbin = exits(0, &["export", "fatbin", "--to", "ksy"]).0;
    assert!(fatbin.contains("switch-on: variant") && fatbin.contains("padded_len - "), "{fatbin}");
}

#[test]
fn output_is_a_file_that_is_not_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vpt.magic");
    let name = path.to_string_lossy().into_owned();
    let args = ["export", "vpt", "--to", "magic", "-o", &name];
    assert_eq!(exits(0, &args), (String::new(), String::new()));
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text, exits(0, &args[..4]).0);
    fs::write(&path, "mine").unwrap();
    assert!(exits(2, &args).1.contains("--force"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    exits(0, &["export", "vpt", "--to", "magic", "-o", &name, "--force"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn wrong_usage_says_what_there_is() {
    assert!(exits(2, &["export", "frob", "--to", "md"]).1.contains("fatbin"));
    assert!(exits(2, &["export", "vpt", "--to", "frob"]).1.contains("magic"));
    assert!(exits(2, &["export", "vpt"]).1.contains("--to"));
    let mut program = Command::new(env!("CARGO_BIN_EXE_binfmt"))
        .args(["export", "pte", "--to", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(program.stdout.take());
    let mut said = String::new();
    program.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!((program.wait().unwrap().code(), said.as_str()), (Some(0), ""));
}
