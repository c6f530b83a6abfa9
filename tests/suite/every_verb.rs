//! What holds for every command of the program, however new: the list is the program's own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use binfmt_tool::clap;
use serde_json::Value;

use crate::corpus;

/// How a command is called. `IN` is the file that it is about, `OUT` what it writes.
struct Call {
    args: &'static [&'static str],
    /// A file of the corpus with which it succeeds.
    good: (&'static str, &'static str),
    /// What it ends with for a good file.
    ends: i32,
    /// And for one that is cut off in its middle.
    damaged: i32,
    /// Whether it takes folders too.
    folders: bool,
}

const PTE: (&str, &str) = ("pte", "mlp_training_inline.pte");
const VPT: (&str, &str) = ("vpt", "seed_two.vpt");
const FATBIN: (&str, &str) = ("fatbin", "n13_multi.fatbin");

impl Call {
    const fn of(args: &'static [&'static str], good: (&'static str, &'static str)) -> Self {
        Self { args, good, ends: 0, damaged: 1, folders: false }
    }

    /// A command that is about formats and no file.
    fn is_about_formats(&self) -> bool {
        !self.args.contains(&"IN")
    }

    fn writes(&self) -> bool {
        self.args.contains(&"OUT")
    }
}

/// How the command of that name is called. A command that is not here has not been thought through.
fn call(verb: &str) -> Call {
    let call = Call::of;
    match verb {
        "identify" => Call { folders: true, ..call(&["IN"], PTE) },
        "inspect" | "validate" | "list" => call(&["IN"], PTE),
        "summary" => call(&["IN"], FATBIN),
        "view" => call(&["IN", "-o", "OUT"], PTE),
        "get" => call(&["IN", "programs[1].name"], VPT),
        "set" => call(&["IN", "vendor_id=7", "-o", "OUT"], VPT),
        "diff" => call(&["IN", "GOOD"], VPT),
        "scan" => Call { folders: true, ..call(&["IN"], FATBIN) },
        "extract" | "rewrite" => call(&["IN", "-o", "OUT"], VPT),
        "edit" => call(&["IN", "--align", "64", "-o", "OUT"], ("ptd", "direct_two_tensors.ptd")),
        "convert" => {
            call(&["IN", "--to", "safetensors", "-o", "OUT"], ("ptd", "direct_two_tensors.ptd"))
        }
        "metadata" => call(&["IN"], ("rten", "conv_conv0100.rten")),
        "slim" => call(&["IN", "--keep", "sm_80", "-o", "OUT"], FATBIN),
        "pack" => call(&["FOLDER", "-o", "OUT"], VPT),
        "schema" => call(&["vpt"], VPT),
        "export" => call(&["vpt", "--to", "ksy"], VPT),
        "completions" => call(&["bash"], VPT),
        "man" => call(&[], VPT),
        new => panic!("how is `{new}` called, and what does it do with damaged files?"),
    }
}

/// A folder with the good file, and what a command writes.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new(call: &Call) -> Self {
        let desk = Self(tempfile::tempdir().unwrap());
        let bytes = corpus::file(call.good.0, call.good.1);
        fs::write(desk.path("good"), &bytes).unwrap();
        if call.args.contains(&"FOLDER") {
            let args = ["extract", "--manifest", "good", "-o", "folder"];
            assert_eq!(desk.command(&args).output().unwrap().status.code(), Some(0));
        }
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Removes what was written.
    fn clear(&self) {
        let _ = fs::remove_file(self.path("out"));
        let _ = fs::remove_dir_all(self.path("out"));
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_binfmt"));
        program.args(args).current_dir(self.0.path()).stdin(Stdio::null()).env_remove("COLUMNS");
        program
    }

    /// The command about the file of that name.
    fn about(&self, verb: &str, call: &Call, file: &str, more: &[&str]) -> Command {
        let word = |arg: &&'static str| match *arg {
            "IN" => file.to_owned(),
            "OUT" => "out".to_owned(),
            "GOOD" => "good".to_owned(),
            "FOLDER" => "folder".to_owned(),
            arg => arg.to_owned(),
        };
        let args: Vec<String> = call.args.iter().map(word).collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        self.command(&[&[verb], &args[..], more].concat())
    }
}

struct Said {
    code: i32,
    out: String,
    err: String,
}

fn said(mut command: Command) -> Said {
    let output: Output = command.output().unwrap();
    let [out, err] = [&output.stdout, &output.stderr];
    let [out, err] = [out, err].map(|text| String::from_utf8_lossy(text).into_owned());
    let code = output.status.code().unwrap_or_else(|| panic!("{command:?} is killed: {err}"));
    assert!(!err.contains("panicked"), "{command:?}: {err}");
    assert!(code == 0 || code == 3 || !err.is_empty() || !out.is_empty(), "{command:?} is silent");
    Said { code, out, err }
}

fn commands() -> Vec<clap::Command> {
    let all: Vec<_> = binfmt_cli::program().command().get_subcommands().cloned().collect();
    assert!(all.len() > 15);
    all
}

/// Calls `check` for every command, on a desk of its own.
fn every(check: impl Fn(&str, &Call, &Desk, &clap::Command)) {
    for command in commands() {
        let call = call(command.get_name());
        check(command.get_name(), &call, &Desk::new(&call), &command);
    }
}

/// The same, of commands that are about a file.
fn every_about_files(check: impl Fn(&str, &Call, &Desk)) {
    every(|verb, call, desk, _| {
        if !call.is_about_formats() {
            check(verb, call, desk);
        }
    });
}

fn has(command: &clap::Command, option: &str) -> bool {
    command.get_arguments().any(|arg| arg.get_long() == Some(option))
}

/// The words of an example, as a shell takes them, up to what the shell does with the output.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    for c in line.chars() {
        match c {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            '|' | '>' | ';' if !quoted => break,
            ' ' if !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[test]
fn help_has_examples_that_are_command_lines_and_names_exit_codes() {
    let program = binfmt_cli::program();
    every(|verb, _, desk, _| {
        let help = said(desk.command(&[verb, "--help"]));
        assert_eq!((help.code, help.err.as_str()), (0, ""), "{verb}");
        let (_, examples) = help.out.split_once("Examples:\n").expect(verb);
        let lines = examples.lines().take_while(|line| !line.is_empty());
        let lines: Vec<_> = lines.filter(|line| line.starts_with("  binfmt ")).collect();
        let own = format!("  binfmt {verb}");
        assert!(lines.iter().any(|line| line.starts_with(&own)), "{verb}: {}", help.out);
        for line in lines {
            let line = &line.replace(" FORMAT", " vpt");
            let parsed = program.command().try_get_matches_from(words(line));
            assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
        }
        let (_, codes) = help.out.split_once("Exit codes:\n").expect(verb);
        for code in ["  0  ", "  2  "] {
            assert!(codes.contains(code), "{verb}: {codes}");
        }
        let mut lines = help.out.lines().filter(|line| !line.starts_with("Usage: "));
        let wide = lines.find(|line| line.chars().count() > 100);
        assert_eq!(wide, None, "{verb}");
        assert_eq!(said(desk.command(&[verb, "--no-such-option"])).code, 2, "{verb}");
    });
}

#[test]
fn good_files_end_as_promised_and_without_colours() {
    every(|verb, call, desk, _| {
        let good = said(desk.about(verb, call, "good", &[]));
        assert_eq!(good.code, call.ends, "{verb}: {}{}", good.out, good.err);
        // What a description leaves out is said.
        assert!(good.err.is_empty() || verb == "export", "{verb}: {}", good.err);
        assert!(!good.out.contains('\u{1b}') && !good.out.contains('\r'), "{verb}");
        assert_eq!(desk.path("out").exists(), call.writes(), "{verb}");
        desk.clear();
        let mut command = desk.about(verb, call, "good", &[]);
        command.env("COLUMNS", "80");
        let narrow = said(command);
        assert_eq!(narrow.code, call.ends, "{verb}: {}", narrow.err);
        let data = ["get", "completions", "man", "export", "schema"];
        let wide = narrow.out.lines().find(|line| line.chars().count() > 80);
        assert!(data.contains(&verb) || wide.is_none(), "{verb}: {wide:?}");
    });
}

/// The part of JSON.md about a command.
fn section(verb: &str) -> Option<String> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("JSON.md")).unwrap();
    let start = format!("## `{verb} ");
    let sections: Vec<_> = text.split("\n## ").map(|part| format!("## {part}")).collect();
    let about: String = sections
        .into_iter()
        .filter(|section| {
            section.starts_with(&start) && section.lines().next().unwrap().contains("--json")
        })
        .collect();
    (!about.is_empty()).then_some(about)
}

#[test]
fn json_is_a_value_a_line_and_documented_by_its_keys() {
    every(|verb, call, desk, command| {
        assert_eq!(section(verb).is_some(), has(command, "json"), "JSON.md and `{verb} --help`");
        let Some(section) = section(verb) else { return };
        let check: &[&str] =
            if verb == "rewrite" { &["rewrite", "--check", "--json", "good"] } else { &[] };
        let json = said(match check {
            [] => desk.about(verb, call, "good", &["--json"]),
            check => desk.command(check),
        });
        assert_eq!(json.code, call.ends, "{verb}: {}", json.err);
        let text = json.out;
        assert!(text.lines().count() > 0, "{verb}");
        for line in text.lines() {
            let value: Value = serde_json::from_str(line)
                .unwrap_or_else(|error| panic!("{verb}: {error}: {line}"));
            for key in value.as_object().expect(verb).keys() {
                let named = section.contains(&format!("\"{key}\""))
                    || section.contains(&format!("`{key}`"));
                assert!(
                    named || section.contains("as `inspect"),
                    "{verb}: `{key}` is not in JSON.md"
                );
            }
        }
    });
}

#[test]
fn damaged_empty_and_foreign_files_are_told_and_nothing_is_written() {
    every_about_files(|verb, call, desk| {
        let good = fs::read(desk.path("good")).unwrap();
        fs::write(desk.path("damaged"), &good[..good.len() / 2]).unwrap();
        fs::write(desk.path("empty"), b"").unwrap();
        fs::write(desk.path("foreign"), b"%PDF-1.7 and so on").unwrap();
        for (file, code) in [("damaged", call.damaged), ("empty", 1), ("foreign", 1)] {
            let told = said(desk.about(verb, call, file, &[]));
            assert_eq!(told.code, code, "{verb} {file}: {}{}", told.out, told.err);
            let all = told.out + &told.err;
            // Of many files only those are named in which something is.
            let none = verb == "scan" && all.contains("0 containers");
            assert!(none || all.contains(file), "{verb} {file}: {all}");
            if file == "foreign" && !["scan", "slim"].contains(&verb) {
                assert!(all.contains("PDF"), "{verb}: {all}");
            }
            // A page shows what there is and what is wrong, and what can be read is extracted.
            let keeps =
                verb == "view" && file != "foreign" || verb == "extract" && file == "damaged";
            assert!(keeps || !desk.path("out").exists(), "{verb} {file} wrote something");
            desk.clear();
        }
    });
}

#[test]
fn missing_files_and_folders_are_wrong_usage() {
    every_about_files(|verb, call, desk| {
        fs::create_dir(desk.path("here")).unwrap();
        for file in ["gone", "here/gone", "good/gone"] {
            let told = said(desk.about(verb, call, file, &[]));
            assert_eq!(told.code, 2, "{verb} {file}: {}{}", told.out, told.err);
            assert!(told.err.contains(file), "{verb} {file}: {}", told.err);
        }
        let told = said(desk.about(verb, call, "here", &[]));
        assert_eq!(
            told.code == 2 && told.err.contains("directory"),
            !call.folders,
            "{verb}: {}",
            told.err
        );
        assert!(!desk.path("out").exists(), "{verb}");
    });
}

#[test]
fn closed_pipes_and_full_disks_do_not_hide_how_it_ended() {
    every(|verb, call, desk, _| {
        let (read, write) = std::io::pipe().unwrap();
        drop(read);
        // What a description leaves out is said there.
        let says = verb == "export";
        let mut command = desk.about(verb, call, "good", &[]);
        let ended = command.stdout(write).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(ended.status.code(), Some(call.ends), "{verb}: {ended:?}");
        assert!(says || ended.stderr.is_empty(), "{verb}: {ended:?}");
        let Ok(full) = fs::File::options().write(true).open("/dev/full") else { return };
        desk.clear();
        let is_silent = said(desk.about(verb, call, "good", &[])).out.is_empty();
        desk.clear();
        if is_silent {
            return;
        }
        let mut command = desk.about(verb, call, "good", &[]);
        let ended = command.stdout(full).stderr(Stdio::piped()).output().unwrap();
        let err = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(2), "{verb}: {err}");
        assert!(err.contains("cannot be written"), "{verb}: {err}");
    });
}

#[test]
fn what_exists_is_replaced_only_when_told() {
    every(|verb, call, desk, command| {
        if !call.writes() || verb == "extract" {
            return;
        }
        assert!(has(command, "force"), "{verb}");
        fs::write(desk.path("out"), b"mine").unwrap();
        let told = said(desk.about(verb, call, "good", &[]));
        assert_eq!(told.code, 2, "{verb}: {}", told.err);
        assert!(told.err.contains("--force"), "{verb}: {}", told.err);
        assert_eq!(fs::read(desk.path("out")).unwrap(), b"mine", "{verb}");
        assert_eq!(said(desk.about(verb, call, "good", &["--force"])).code, call.ends, "{verb}");
        assert_ne!(fs::read(desk.path("out")).unwrap(), b"mine", "{verb}");
        let left: Vec<_> =
            fs::read_dir(desk.0.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
        assert!(left.len() <= 3, "{verb} left something behind: {left:?}");
    });
}

#[test]
fn standard_input_is_a_file_like_others() {
    every_about_files(|verb, call, desk| {
        if call.folders {
            return;
        }
        let named = said(desk.about(verb, call, "good", &[]));
        let written = fs::read(desk.path("out")).unwrap_or_default();
        desk.clear();
        let mut command = desk.about(verb, call, "-", &[]);
        command.stdin(fs::File::open(desk.path("good")).unwrap());
        let piped = said(command);
        assert_eq!((piped.code, piped.err.as_str()), (named.code, ""), "{verb}");
        assert_eq!(piped.out.lines().count(), named.out.lines().count(), "{verb}: {}", piped.out);
        if verb != "view" {
            assert_eq!(fs::read(desk.path("out")).unwrap_or_default(), written, "{verb}");
        }
    });
}
