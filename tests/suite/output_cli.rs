//! What the program prints is read by people: it fits the terminal, says the cause first, and does
//! not repeat itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use binfmt_formats::vpt::{Program, Table};
use binfmt_runtime::BinFormat as _;
use serde_json::Value;

/// Exit code, standard output and standard error, on a terminal of that width or on none.
fn run(args: &[&str], columns: Option<usize>) -> (i32, String, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_binfmt"));
    program.args(args).stdin(Stdio::null()).env_remove("COLUMNS");
    if let Some(columns) = columns {
        program.env("COLUMNS", columns.to_string());
    }
    let output = program.output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (output.status.code().unwrap(), out, err)
}

fn corpus(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(folder)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// One file of every kind: those with the most to show.
const FILES: [&str; 9] = [
    "pte/mlp_training_inline.pte",
    "pte/conv_channels_last_external.pte",
    "pte/mlp_xnnpack_inline_delegate.pte",
    "ptd/direct_all_dtypes.ptd",
    "rten/conv_conv0100.rten",
    "fatbin/host13.a",
    "fatbin/n13_ident_cmdline.fatbin",
    "fatbin/n13_concat_two.fatbin",
    "vpt/seed_two.vpt",
];

#[test]
fn lines_fit_the_terminal() {
    for name in FILES {
        let file = corpus(name);
        for verb in [&["list"][..], &["list", "--bytes", "--hash"], &["inspect"], &["scan"]] {
            for columns in [80, 100, 200] {
                let args = [verb, &[text(&file)]].concat();
                let (_, out, _) = run(&args, Some(columns));
                assert!(!out.is_empty(), "{args:?}");
                for line in out.lines() {
                    assert!(line.chars().count() <= columns, "{args:?} {columns}: {line}");
                }
            }
        }
    }
}

#[test]
fn lines_about_formats_fit_the_terminal() {
    let model = corpus("rten/conv_conv0100.rten");
    for args in [&["schema"][..], &["metadata", text(&model)], &["identify", text(&model)]] {
        let (code, out, _) = run(args, Some(80));
        assert_eq!(code, 0);
        assert!(!out.is_empty() && out.lines().all(|line| line.chars().count() <= 80), "{out}");
    }
}

#[test]
fn what_has_no_room_is_named_and_whole_elsewhere() {
    let file = corpus("pte/conv_channels_last_external.pte");
    let (_, narrow, _) = run(&["list", text(&file)], Some(80));
    assert!(narrow.contains("(no room for: ") && narrow.contains('…'), "{narrow}");
    let (_, whole, _) = run(&["list", text(&file)], None);
    assert!(!whole.contains("(no room for") && !whole.contains('…'), "{whole}");
    let (_, json, _) = run(&["list", "--json", text(&file)], Some(80));
    let json: Value = serde_json::from_str(&json).unwrap();
    for item in json["items"].as_array().unwrap() {
        assert!(whole.contains(item["path"].as_str().unwrap()), "{item}");
    }
    // A digest is asked for, so everything else gives way to it.
    let (_, hashed, _) = run(&["list", "--hash", text(&file)], Some(100));
    let digest = json["items"][1]["path"].as_str().map(|_| 64).unwrap();
    let has_digest = |line: &str| line.split_whitespace().any(|word| word.len() == digest);
    assert!(hashed.lines().any(has_digest), "{hashed}");
}

#[test]
fn the_width_is_explained() {
    let (code, help, _) = run(&["--help"], None);
    assert_eq!(code, 0);
    assert!(help.contains("COLUMNS") && help.contains("Without a terminal"), "{help}");
}

/// A file of 500 segments that is cut in front of all of them.
fn cut(folder: &Path) -> PathBuf {
    let whole = fs::read(corpus("ptd/direct_many_keys_500.ptd")).unwrap();
    let base =
        usize::try_from(binfmt_formats::ptd::Ptd::parse(&whole).unwrap().segment_base_offset);
    let path = folder.join("cut.ptd");
    fs::write(&path, &whole[..base.unwrap() + 8]).unwrap();
    path
}

#[test]
fn the_cause_comes_first_and_what_follows_is_counted() {
    let dir = tempfile::tempdir().unwrap();
    let path = cut(dir.path());
    let (code, out, _) = run(&["validate", text(&path)], None);
    assert_eq!(code, 1);
    let findings: Vec<_> = out.lines().filter(|line| line.starts_with("  error")).collect();
    assert!(findings[0].contains("the file ends before its segments do"), "{}", findings[0]);
    assert!(findings.len() < 50, "{out}");
    assert!(out.contains(" more [") && out.contains("--all tells them"), "{out}");
    for verb in ["list", "inspect"] {
        let (code, _, err) = run(&[verb, text(&path)], None);
        let errors: Vec<_> = err.lines().collect();
        assert_eq!(code, 1);
        assert!(errors[0].contains("the file ends before its segments do"), "{}", errors[0]);
        assert!(errors.len() < 50 && err.contains("`validate --all` tells them"), "{err}");
    }
}

#[test]
fn every_finding_can_be_had() {
    let dir = tempfile::tempdir().unwrap();
    let path = cut(dir.path());
    let (code, out, _) = run(&["validate", "--all", text(&path)], None);
    let count = out.lines().filter(|line| line.starts_with("  error")).count();
    assert_eq!(code, 1);
    let (_, json, _) = run(&["validate", "--all", "--json", text(&path)], None);
    let json: Value = serde_json::from_str(&json).unwrap();
    let errors = json["findings"].as_array().unwrap();
    let errors = errors.iter().filter(|finding| finding["severity"] == "error").count();
    assert!(count > 400 && errors == count, "{count} {errors}");
    assert_eq!((&json["format"], &json["verdict"]), (&"ptd".into(), &"invalid".into()));
    // More of one code than a report keeps: a padding behind each program is not zero.
    let programs: Vec<_> = (0..3000).map(|_| Program::plain(b"name", b"\xee")).collect();
    let mut bytes = Table::new(7, &programs).to_vec().unwrap();
    for at in 0..bytes.len() {
        if bytes[at] == 0xee && bytes[at + 5] == 0 {
            bytes[at + 5] = 0xaa;
        }
    }
    let path = dir.path().join("padding.vpt");
    fs::write(&path, bytes).unwrap();
    let told = |args: &[&str]| {
        let json = run(&[args, &["--json", text(&path)]].concat(), None).1;
        let json: Value = serde_json::from_str(&json).unwrap();
        json["findings"].as_array().unwrap().len()
    };
    assert_eq!(told(&["validate"]), 1000);
    assert_eq!(told(&["validate", "--all"]), 3000);
}

#[test]
fn models_name_what_goes_in_and_comes_out() {
    let shown = |name: &str| run(&["list", text(&corpus(name))], None).1;
    let rten = shown("rten/conv_conv0100.rten");
    assert!(rten.contains("\ninputs: ") && rten.contains("\noutputs: "), "{rten}");
    assert!(rten.contains("\nby_operator: Conv 1"), "{rten}");
    let pte = shown("pte/mlp.pte");
    assert!(pte.contains("\nforward inputs: f32[1,4]\n"), "{pte}");
    assert!(pte.contains("\nforward operators: aten::permute_copy.out"), "{pte}");
}

#[test]
fn shared_bytes_count_once_in_totals() {
    for name in ["pte/mlp.pte", "ptd/direct_shared_segment.ptd", "ptd/direct_two_tensors.ptd"] {
        let file = corpus(name);
        let (_, out, _) = run(&["list", "--bytes", text(&file)], None);
        let total = out.lines().find(|line| line.contains(" items, ")).unwrap();
        let words: Vec<_> = total.split(' ').collect();
        let stored: u64 = words[2].parse().unwrap();
        assert!(stored < fs::metadata(&file).unwrap().len(), "{name}: {total}");
        let (_, json, _) = run(&["scan", "--json", text(&file)], None);
        let summary: Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
        assert_eq!(summary["summary"]["stored_size"], stored, "{name}: {total}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn libraries_without_device_code_are_no_error() {
    let program = env!("CARGO_BIN_EXE_binfmt");
    let device = corpus("fatbin/host13.o");
    let (code, out, err) = run(&["validate", program, text(&device)], None);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.starts_with(&format!("{program}: nothing\n")), "{out}");
    assert!(out.contains("valid (fatbin, elf)"), "{out}");
}

#[test]
fn a_damaged_file_is_not_said_to_have_nothing_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("cut.fatbin"), folder.path().join("out"));
    let whole = fs::read(corpus("fatbin/n13_multi.fatbin")).unwrap();
    fs::write(&file, &whole[..200]).unwrap();
    let (code, _, err) = run(&["extract", text(&file), "-o", text(&out)], None);
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("items[0].size"), "{err}");
    assert!(!err.contains("nothing in this file"), "{err}");
}
