//! `inspect`, `get`, `identify`, `completions` and `man`, as users call them.

use std::fs;
use std::process::Command;

use crate::called::{binfmt, exits};

/// The path of a file of the corpus.
fn corpus(file: &str) -> String {
    format!("{}/tests/corpus/{file}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn fields_are_chosen_by_path_and_depth() {
    let file = corpus("vpt/seed_two.vpt");
    let (shown, _) = exits(0, &["inspect", &file, "--path", "programs[1]", "--depth", "1"]);
    let fields: Vec<_> = shown.lines().skip(1).map(|line| &line[18..]).collect();
    assert!(fields[0].starts_with("programs[1]"), "{shown}");
    assert!(fields[1..].iter().all(|field| field.starts_with("  ")), "{shown}");
    assert!(!shown.contains("programs[0]"));
    let (shown, _) = exits(0, &["inspect", &file, "--depth", "0"]);
    assert_eq!(shown.lines().count(), 2);
    let (_, error) = exits(1, &["inspect", &file, "--path", "programs[9]"]);
    assert!(error.contains("no field has that path"), "{error}");
    let (_, error) = exits(2, &["inspect", &file, "--path", "programs["]);
    assert!(error.contains("no `]`"), "{error}");
    let (tree, _) = exits(0, &["inspect", &file, "--json", "--path", "programs[*]"]);
    let trees: Vec<serde_json::Value> =
        tree.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((trees.len(), &trees[1]["name"]), (2, &"programs[1]".into()));
}

#[test]
fn bytes_are_shown_where_there_is_room() {
    let file = corpus("vpt/seed_two.vpt");
    let shown = |columns: &str, more: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_binfmt"));
        let output = program.arg("inspect").arg(&file).args(more).env("COLUMNS", columns).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    let longest = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(shown("200", &[]).starts_with("offset      size  bytes"));
    assert!(!shown("80", &[]).starts_with("offset      size  bytes"));
    assert!(shown("100", &["--hex"]).starts_with("offset      size  bytes"));
    assert!(longest(&shown("40", &[])) <= 40);
}

#[test]
fn values_are_got_by_path() {
    let file = corpus("vpt/seed_two.vpt");
    assert_eq!(exits(0, &["get", &file, "program_count"]).0, "2\n");
    let (names, _) = exits(0, &["get", &file, "programs[*].name"]);
    assert_eq!(names.lines().count(), 2);
    assert!(names.starts_with("programs[0].name\t"), "{names}");
    let raw = binfmt(&["get", &file, "magic", "--raw"]).stdout;
    assert_eq!(raw, fs::read(&file).unwrap()[..4]);
    for (code, path) in [(1, "programs[7]"), (1, "frob"), (2, "a[b]"), (2, "a..b")] {
        let (out, error) = exits(code, &["get", &file, path]);
        assert!(out.is_empty() && !error.is_empty(), "{path}");
    }
    let host = corpus("fatbin/host13.a");
    let (one, _) = exits(0, &["get", &host, "b.o:.nv_fatbin:items[0].entries[0].arch"]);
    assert_eq!(one.lines().count(), 1);
    let (both, _) = exits(0, &["get", &host, "items[0].entries[0].arch"]);
    assert!(both.lines().count() == 2 && both.contains("host13.o:.nv_fatbin:items[0]"), "{both}");
    exits(1, &["get", &corpus("vpt/negative/count_3.vpt"), "programs"]);
    exits(2, &["get", "gone", "a"]);
}

#[test]
fn files_are_identified_in_a_line_each() {
    let dir = tempfile::tempdir().unwrap();
    let of = |name: &str, bytes: &[u8]| {
        fs::write(dir.path().join(name), bytes).unwrap();
    };
    of("a.vpt", &fs::read(corpus("vpt/seed_two.vpt")).unwrap());
    of("b.png", b"\x89PNG\r\n\x1a\n");
    of("c", b"");
    of("d.fatbin", &fs::read(corpus("fatbin/n13_multi.fatbin")).unwrap()[..100]);
    let (lines, _) = exits(1, &["identify", &dir.path().to_string_lossy()]);
    let lines: Vec<_> = lines.lines().map(|line| line.split_once(": ").unwrap().1).collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[0].starts_with("vpt (plain)"), "{}", lines[0]);
    assert!(lines[1].contains("PNG") && lines[2].contains("empty"), "{lines:?}");
    assert!(lines[3].starts_with("fatbin") && lines[3].ends_with("; malformed"), "{lines:?}");
    let (json, _) = exits(0, &["identify", "--json", &corpus("vpt/seed_two.vpt")]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["format"], &json["verdict"]), (&"vpt".into(), &"valid".into()));
    exits(2, &["identify", "gone"]);
}

#[test]
fn shells_and_manuals_know_every_command() {
    let help = exits(0, &["help"]).0;
    let commands = help.split_once("Commands:").unwrap().1;
    let commands = commands.split_once("Options:").unwrap().0;
    let names: Vec<_> =
        commands.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 10, "{names:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = exits(0, &["completions", shell]).0;
        for name in &names {
            assert!(script.contains(name), "{shell}: {name}");
        }
    }
    let page = exits(0, &["man"]).0;
    assert!(page.contains(".TH binfmt 1"), "{page}");
    for name in names.iter().filter(|name| **name != "help") {
        let page = exits(0, &["man", name]).0;
        assert!(page.contains(&format!("binfmt\\-{name}")), "{page}");
    }
    exits(2, &["man", "frob"]);
}
