//! Names that want to be obeyed by a terminal, or that are no text: in files and of files.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use binfmt_formats::vpt::{Program, Table};
use binfmt_runtime::BinFormat as _;
use serde_json::Value;

use crate::corpus;

/// Clears a terminal, turns text round, spells out text in tags, and ends a line.
const EVIL: &str = "e\u{1b}[2J\u{202e}x\u{e0041}\u{9b}\u{200b}l\r\u{feff}";

fn run(folder: &Path, args: &[&OsStr]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_binfmt"));
    program.args(args).current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

/// Whether a terminal would do something else than show a character.
fn acts(c: char) -> bool {
    let hidden = matches!(
        c,
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
    );
    hidden || c.is_control() && !matches!(c, '\n' | '\t')
}

#[track_caller]
fn is_harmless(output: &Output, what: &str) {
    for stream in [&output.stdout, &output.stderr] {
        let text = String::from_utf8_lossy(stream);
        let found = text.chars().find(|c| acts(*c));
        assert_eq!(found, None, "{what}: {text:?}");
    }
    assert!(output.status.code().is_some_and(|code| code <= 3), "{what}: {output:?}");
}

/// Every command that the program says it has.
fn verbs() -> Vec<String> {
    let help = run(Path::new("."), &[OsStr::new("help")]);
    let help = String::from_utf8(help.stdout).unwrap();
    let commands = help.split_once("Commands:").unwrap().1.split_once("Options:").unwrap().0;
    let names = commands.lines().filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).filter(|name| name != "help").collect()
}

/// Calls of a command with a file, of which at least one is meant to succeed.
fn calls(verb: &str) -> Vec<Vec<&'static str>> {
    match verb {
        "get" => {
            vec![vec!["FILE", "programs"], vec!["FILE", "programs", "--json"], vec!["FILE", EVIL]]
        }
        "set" => vec![vec!["FILE", "programs[0].name=0x41", "-o", "OUT", "--force"]],
        "diff" => vec![vec!["FILE", "OTHER"], vec!["FILE", "OTHER", "--json"]],
        "extract" | "rewrite" | "edit" | "convert" | "view" => {
            vec![vec!["FILE", "-o", "OUT", "--force"], vec!["FILE", "-o", "FILE"]]
        }
        "list" => vec![vec!["FILE"], vec!["FILE", "--json"], vec!["FILE", "--filter", EVIL]],
        "completions" | "man" | "schema" => vec![vec![EVIL]],
        _ => vec![vec!["FILE"], vec!["FILE", "--json"]],
    }
}

#[test]
fn hostile_names_are_shown_and_not_obeyed() {
    let dir = tempfile::tempdir().unwrap();
    let table = |payload: &[u8]| {
        Table::new(7, &[Program::plain(EVIL.as_bytes(), payload)]).to_vec().unwrap()
    };
    let zip = {
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let plain = zip::write::SimpleFileOptions::default();
        writer.start_file(format!("{EVIL}.vpt"), plain).unwrap();
        std::io::Write::write_all(&mut writer, &table(b"one")).unwrap();
        writer.finish().unwrap().into_inner()
    };
    let ptd = corpus::file("ptd", "direct_two_tensors.ptd");
    let inputs = [
        ("vpt", table(b"one")),
        ("cut", table(b"one")[..40].to_vec()),
        ("zip", zip),
        ("ptd", ptd),
        ("txt", b"text".to_vec()),
    ];
    fs::write(dir.path().join(format!("{EVIL}.other")), table(b"two")).unwrap();
    for (ending, bytes) in &inputs {
        fs::write(dir.path().join(format!("{EVIL}.{ending}")), bytes).unwrap();
    }
    let mut count = 0;
    for verb in verbs() {
        for ending in ["vpt", "cut", "zip", "ptd", "txt", "gone"] {
            let name = |what: &str| match what {
                "FILE" => format!("{EVIL}.{ending}"),
                "OTHER" => format!("{EVIL}.other"),
                "OUT" => format!("{EVIL}.{verb}.out.safetensors"),
                other => other.to_owned(),
            };
            for call in calls(&verb) {
                let args: Vec<String> =
                    [verb.clone()].into_iter().chain(call.iter().map(|what| name(what))).collect();
                let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
                is_harmless(&run(dir.path(), &args), &format!("{verb} {call:?} {ending}"));
                count += 1;
            }
        }
    }
    assert!(count > 100, "{count}");
}

/// What a test says when a name is no text: Linux has such.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_are_not_lost_in_json() {
    use std::os::unix::ffi::OsStrExt as _;

    let dir = tempfile::tempdir().unwrap();
    let name = OsStr::from_bytes(b"a\xff.vpt");
    let hex = "61ff2e767074";
    fs::write(dir.path().join(name), corpus::file("vpt", "seed_two.vpt")).unwrap();
    fs::write(dir.path().join("b.vpt"), corpus::file("vpt", "both_empty.vpt")).unwrap();
    let line = |args: &[&OsStr]| -> Value {
        let output = run(dir.path(), args);
        let text = String::from_utf8(output.stdout).unwrap();
        serde_json::from_str(text.lines().next().unwrap()).unwrap()
    };
    let os = OsStr::new;
    for verb in ["identify", "validate", "list", "scan"] {
        let line = line(&[os(verb), os("--json"), name]);
        assert_eq!(line["file"], "a\\xff.vpt", "{verb}");
        assert_eq!(line["file_hex"], hex, "{verb}");
    }
    let gone = OsStr::from_bytes(b"\xfe");
    assert_eq!(line(&[os("validate"), os("--json"), gone])["file_hex"], "fe");
    let rewritten = line(&[os("rewrite"), os("--check"), os("--json"), name]);
    assert_eq!(rewritten["file_hex"], hex);
    let compared = line(&[os("diff"), os("--json"), name, os("b.vpt")]);
    assert_eq!((&compared["a_hex"], compared.get("b_hex")), (&hex.into(), None));
    let out = OsStr::from_bytes(b"out\xff");
    let written = line(&[os("extract"), os("--json"), name, os("-o"), out]);
    let file = written["file_hex"].as_str().unwrap();
    assert!(file.starts_with("6f7574ff2f"), "{written}");
    // A member of an archive, too.
    let mut builder = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_ustar();
    let table = corpus::file("vpt", "seed_two.vpt");
    header.set_size(table.len().try_into().unwrap());
    header.set_mode(0o644);
    builder.append_data(&mut header, name, &table[..]).unwrap();
    fs::write(dir.path().join("t.tar"), builder.into_inner().unwrap()).unwrap();
    let inside = line(&[os("list"), os("--json"), os("t.tar")]);
    assert_eq!(inside["file_hex"], "742e74617221".to_owned() + hex);
    let member = OsStr::from_bytes(b"t.tar!a\xff.vpt");
    let got = run(dir.path(), &[os("get"), member, os("program_count")]);
    assert_eq!(got.stdout, b"2\n");
}
