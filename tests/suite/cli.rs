//! The program, run as its users run it.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use sha2::{Digest as _, Sha256};

const SUBCOMMANDS: [&str; 9] =
    ["inspect", "validate", "list", "extract", "scan", "rewrite", "edit", "convert", "schema"];

fn binfmt(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_binfmt"))
        .args(args)
        .args(crate::corpus::force(args))
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn corpus(file: &str) -> String {
    format!("{}/tests/corpus/{file}", env!("CARGO_MANIFEST_DIR"))
}

/// The names of the files of a folder of the corpus, without the facts about them.
fn files(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(corpus(folder)).unwrap().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
    let mut names: Vec<_> = files.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.retain(|name| Path::new(name).extension().is_none_or(|extension| extension != "json"));
    names.sort();
    names
}

fn facts(file: &str) -> Value {
    serde_json::from_slice(&fs::read(corpus(file)).unwrap()).unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn line(output: &Output) -> Value {
    let mut lines = lines(output);
    assert_eq!(lines.len(), 1, "{output:?}");
    lines.remove(0)
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

#[track_caller]
fn exits(args: &[&str], code: i32) -> Output {
    let output = binfmt(args);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {output:?}");
    output
}

/// A file of the test's own.
fn file(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path.into_os_string().into_string().unwrap()
}

#[test]
fn help_has_examples_and_exit_codes() {
    for subcommand in SUBCOMMANDS {
        let output = exits(&[subcommand, "--help"], 0);
        assert!(stdout(&output).contains("\nExamples:\n  binfmt "), "{subcommand}");
        assert!(stdout(&output).contains("\nExit codes:\n  0  "), "{subcommand}");
    }
    exits(&["--help"], 0);
    exits(&["--version"], 0);
}

#[test]
fn wrong_usage_is_trouble() {
    for args in [&[][..], &["frob"], &["validate"], &["inspect", "--format", "frob", "x"]] {
        exits(args, 2);
    }
    let file = corpus("vpt/seed_two.vpt");
    exits(&["rewrite", &file], 2);
    exits(&["validate", "--vendor", "0x100000000", &file], 2);
    exits(&["validate", "--vpt-version", "1", &file], 2);
    exits(&["validate", "--max-decoded", "1T", &file], 2);
}

#[test]
fn bad_input_has_a_sentence_each() {
    let dir = tempfile::tempdir().unwrap();
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n";
    let cases = [
        (dir.path().to_str().unwrap().to_owned(), 2, "this is a directory"),
        (corpus("no such file"), 2, "there is no such file"),
        (file(dir.path(), "empty", b""), 1, "the file is empty"),
        (file(dir.path(), "text", b"hello\n"), 1, "this is a text file"),
        (file(dir.path(), "pointer", pointer), 1, "this is a git-lfs pointer"),
        (file(dir.path(), "elf", b"\x7fELF\x02\x01\x01\0\0\0\0\0"), 1, "this ELF file"),
    ];
    let out = dir.path().join("out");
    let out = out.to_str().unwrap();
    for (path, code, sentence) in cases {
        for args in [
            &["inspect", &path][..],
            &["list", &path],
            &["extract", &path, "-o", out],
            &["rewrite", &path, "-o", out],
            &["rewrite", "--check", &path],
        ] {
            let output = exits(args, code);
            assert!(stderr(&output).contains(sentence), "{args:?}: {output:?}");
            assert!(output.stdout.is_empty(), "{args:?}");
        }
        let output = exits(&["validate", &path], code);
        let said = [stdout(&output), stderr(&output)].concat();
        assert!(said.contains(sentence), "{output:?}");
    }
    assert!(!Path::new(out).exists());
}

#[test]
fn unrecognised_file_has_its_json_line() {
    let dir = tempfile::tempdir().unwrap();
    for (bytes, code, end) in [(&b""[..], "empty", 0), (b"\x01\x02\x03\x04\x05", "unrecognised", 4)]
    {
        let path = file(dir.path(), "x", bytes);
        let value = line(&exits(&["validate", "--json", &path], 1));
        assert_eq!(value["file"], path.as_str());
        assert_eq!(value["format"], Value::Null);
        assert_eq!(value["verdict"], "unrecognised");
        let finding = &value["findings"][0];
        assert_eq!((&finding["severity"], &finding["code"]), (&"error".into(), &code.into()));
        assert_eq!((&finding["start"], &finding["end"]), (&0.into(), &end.into()));
    }
}

#[test]
fn several_files_end_with_the_worst_of_them() {
    let good = corpus("vpt/seed_two.vpt");
    let bad = corpus("vpt/negative/size_0.vpt");
    assert_eq!(lines(&exits(&["validate", "--json", &good, &bad, &good], 1)).len(), 3);
    let none = corpus("none");
    let output = exits(&["validate", "--json", &bad, &none, &good], 2);
    let lines = lines(&output);
    assert_eq!(lines.len(), 3);
    let line = &lines[1];
    assert_eq!((&line["file"], &line["verdict"]), (&none.into(), &"unreadable".into()));
    let finding = &line["findings"][0];
    assert_eq!((&finding["severity"], &finding["code"]), (&"error".into(), &"unreadable".into()));
    assert!(finding["message"].as_str().unwrap().contains("there is no such file"));
}

#[test]
fn scan_says_what_is_wrong_with_a_container() {
    for (file, reason) in
        [("vpt/negative/size_0.vpt", "size"), ("vpt/negative/count_3.vpt", "count")]
    {
        let output = exits(&["scan", &corpus(file)], 1);
        let said = stderr(&output);
        assert!(said.contains("at the start is damaged: ") && said.contains(reason), "{said}");
    }
}

#[test]
fn rewrite_check_has_a_json_line_for_damage() {
    let damaged = corpus("vpt/negative/size_0.vpt");
    let line = line(&exits(&["rewrite", "--check", "--json", &damaged], 1));
    assert_eq!((&line["file"], &line["same"]), (&damaged.into(), &false.into()));
    assert!(line["error"].as_str().unwrap().contains("size"), "{line}");
}

#[test]
fn options_about_tables_are_heard() {
    let plain = corpus("vpt/seed_two.vpt");
    exits(&["validate", "--vendor", "0x11235813", &plain], 0);
    exits(&["validate", "--vendor", "287528979", &plain], 0);
    exits(&["validate", "--vendor", "1", &plain], 1);
    exits(&["validate", "--vpt-version", "1.0", &plain], 1);
    exits(&["validate", "--vpt-entries", "flagged", &plain], 1);
    exits(&["validate", "--format", "fatbin", &plain], 1);
    let flagged = corpus("vpt/d16_two_pkg.vpt");
    assert_eq!(line(&exits(&["list", "--json", &flagged], 0))["variant"], "flagged");
    exits(&["validate", "--vpt-entries", "plain", &flagged], 1);
}

#[test]
fn payloads_are_decoded_unless_told() {
    let damaged = corpus("fatbin/negative/usize_plus8.fatbin");
    let value = line(&exits(&["validate", "--json", &damaged], 1));
    assert_eq!(value["verdict"], "invalid");
    exits(&["validate", "--no-decode", &damaged], 0);
    exits(&["inspect", &damaged], 1);
    exits(&["list", &damaged], 0);
    exits(&["list", "--check", &damaged], 1);
    let good = corpus("fatbin/n13_multi.fatbin");
    exits(&["validate", &good], 0);
    exits(&["validate", "--max-decoded", "1K", &good], 1);
}

#[test]
fn stdin_is_a_file() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_binfmt"))
        .args(["list", "--json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let bytes = fs::read(corpus("vpt/seed_two.vpt")).unwrap();
    child.stdin.take().unwrap().write_all(&bytes).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(line(&output)["file"], "-");
}

#[test]
fn closed_pipe_ends_quietly() {
    for (file, code) in [("many_200.vpt", 0), ("negative/count_3.vpt", 1)] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_binfmt"))
            .args(["validate", "--json", &corpus(&format!("vpt/{file}"))])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), stderr(&output)), (Some(code), ""), "{file}");
    }
}

#[test]
fn inspect_shows_every_field_with_its_place() {
    let path = corpus("vpt/seed_two.vpt");
    let output = exits(&["inspect", &path], 0);
    assert!(stdout(&output).starts_with("offset "));
    assert!(stdout(&output).contains("0x00000014     4    program_count"), "{}", stdout(&output));
    let tree = line(&exits(&["inspect", "--json", &path], 0));
    assert_eq!(
        (&tree["type"], &tree["start"], &tree["end"]),
        (&"Vpt".into(), &0.into(), &88.into())
    );
    assert!(tree["doc"].is_string() && tree["children"].is_array());
    let host = lines(&exits(&["inspect", "--json", &corpus("fatbin/host13.a")], 0));
    let names: Vec<_> = host.iter().map(|tree| tree["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["host13.o:.nv_fatbin", "b.o:.nv_fatbin"]);
}

#[test]
fn fat_binaries_are_listed_as_cuobjdump_lists_them() {
    for (file, facts) in facts("fatbin/expected.json").as_object().unwrap() {
        let reference = &facts["reference"];
        if reference.is_null() {
            continue;
        }
        let path = corpus(&format!("fatbin/{file}"));
        let listing = line(&exits(&["list", "--json", "--hash", &path], 0));
        let items = listing["items"].as_array().unwrap();
        let names = |extension: &str| -> Vec<&str> {
            let names = items.iter().map(|item| item["file_name"].as_str().unwrap());
            names.filter(|name| name.ends_with(extension)).collect()
        };
        assert_eq!(
            names(".cubin"),
            reference["elf"].as_array().unwrap().iter().collect::<Vec<_>>(),
            "{file}"
        );
        assert_eq!(
            names(".ptx"),
            reference["ptx"].as_array().unwrap().iter().collect::<Vec<_>>(),
            "{file}"
        );
        for (name, extracted) in reference["extracted"].as_object().unwrap() {
            let same = |item: &&Value| {
                item["file_name"] == name.as_str()
                    && item["size"] == extracted["size"]
                    && item["sha256"] == extracted["sha256"]
            };
            assert!(items.iter().any(|item| same(&item)), "{file}: {name}");
        }
    }
}

#[test]
fn tables_are_listed_as_their_reader_lists_them() {
    for (file, facts) in facts("vpt/expected.json").as_object().unwrap() {
        let listing = line(&exits(&["list", "--json", &corpus(&format!("vpt/{file}"))], 0));
        let reference = &facts["reference_same_dialect"];
        let items = listing["items"].as_array().unwrap();
        assert_eq!(items.len(), reference["count"], "{file}");
        for (item, program) in items.iter().zip(reference["programs"].as_array().unwrap()) {
            let name = item["name"].as_str().map(|name| hex(name.as_bytes()));
            let name = name.or_else(|| item["name_hex"].as_str().map(str::to_owned));
            assert_eq!(name.as_deref(), program["name"].as_str(), "{file}");
            assert_eq!(item["size"], program["payload_len"], "{file}");
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

#[test]
fn extract_writes_what_list_announces() {
    let dir = tempfile::tempdir().unwrap();
    for file in [
        "fatbin/n13_concat.fatbin",
        "fatbin/host13.a",
        "fatbin/cu13_lto.fatbin",
        "vpt/names_bytes.vpt",
    ] {
        let out = dir.path().join(file);
        let path = corpus(file);
        let written = lines(&exits(&["extract", "--json", &path, "-o", out.to_str().unwrap()], 0));
        let listing = line(&exits(&["list", "--json", "--hash", &path], 0));
        let items = listing["items"].as_array().unwrap();
        assert_eq!(written.len(), items.len());
        for (written, item) in written.iter().zip(items) {
            let bytes = fs::read(written["file"].as_str().unwrap()).unwrap();
            assert_eq!(item["size"], bytes.len());
            assert_eq!(item["sha256"], hex(&Sha256::digest(&bytes)));
        }
        assert_eq!(fs::read_dir(&out).unwrap().count(), items.len());
        exits(&["extract", &path, "-o", out.to_str().unwrap()], 2);
        exits(&["extract", "--force", &path, "-o", out.to_str().unwrap()], 0);
    }
}

#[test]
fn extract_takes_a_filter() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().to_str().unwrap();
    let path = corpus("fatbin/n13_many.fatbin");
    let output = exits(&["extract", &path, "-o", out, "--filter", "sm_90a"], 0);
    let written: BTreeSet<_> = stdout(&output).lines().map(PathBuf::from).collect();
    assert_eq!(written, BTreeSet::from([dir.path().join("n13_many.8.sm_90a.cubin")]));
    exits(&["extract", &path, "-o", out, "--filter", "sm_1*x*y"], 1);
}

#[test]
fn names_in_a_file_do_not_leave_the_folder() {
    let dir = tempfile::tempdir().unwrap();
    let names =
        [&b"../../evil"[..], b"/etc/evil", b"CON", b"a\0b", b"..", b"evil", b"EVIL", b"\xff"];
    let programs = names.map(|name| binfmt_formats::vpt::Program::plain(name, b"x"));
    let table = binfmt_formats::vpt::Table::new(0, &programs);
    let layout = binfmt_formats::vpt::EntryLayout::Plain;
    let args = (binfmt_formats::vpt::Expect::ANY, layout);
    let bytes = binfmt_runtime::BinFormat::to_vec_with(&table, args).unwrap();
    let path = file(dir.path(), "hostile.vpt", &bytes);
    let out = dir.path().join("a/b/c");
    exits(&["extract", &path, "-o", out.to_str().unwrap()], 0);
    assert_eq!(fs::read_dir(&out).unwrap().count(), names.len());
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    assert_eq!(fs::read_dir(dir.path().join("a")).unwrap().count(), 1);
}

#[test]
fn files_without_errors_are_rewritten_byte_for_byte() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    for folder in ["vpt", "fatbin"] {
        for name in files(folder) {
            // Damaged on purpose: junk between containers.
            let code = i32::from(name == "cat_gap_junk.fatbin");
            let path = corpus(&format!("{folder}/{name}"));
            exits(&["validate", &path], code);
            exits(&["rewrite", "--check", &path], code);
            exits(&["rewrite", &path, "-o", out.to_str().unwrap()], code);
            assert!(code == 1 || fs::read(&out).unwrap() == fs::read(&path).unwrap(), "{name}");
        }
    }
}

#[test]
fn damage_is_never_good() {
    let verdicts = facts("fatbin/negative/verdicts.json");
    for (file, facts) in verdicts.as_object().unwrap() {
        // These zero bytes hurt nobody but cuobjdump.
        let harmless = file.starts_with("trail_zero_");
        if harmless || facts["tools"]["13.5"]["verdict"] != "rejects" {
            continue;
        }
        let path = corpus(&format!("fatbin/negative/{file}"));
        for args in [&["validate", &path][..], &["inspect", &path], &["list", "--check", &path]] {
            exits(args, 1);
        }
    }
}

#[test]
fn scan_finds_containers_and_names_their_sections() {
    let output =
        exits(&["scan", "--json", &corpus("fatbin/host13.o"), &corpus("fatbin/cat_two.fatbin")], 0);
    let lines = lines(&output);
    let sections: Vec<_> = lines[..3].iter().map(|line| line["section"].as_str()).collect();
    assert_eq!(sections, [Some(".nv_fatbin"), None, None]);
    assert_eq!(lines[0]["entries"].as_array().unwrap().len(), 3);
    let summary = &lines[3]["summary"];
    assert_eq!((&summary["files"], &summary["containers"]), (&2.into(), &3.into()));
    assert_eq!(summary["by_kind"]["elf"], 3);

    let output = exits(&["scan", &corpus("fatbin/host13.a")], 0);
    assert!(stdout(&output).contains("host13.o:.nv_fatbin"), "{output:?}");
    exits(&["scan", &corpus("fatbin/negative/csize_huge.fatbin")], 1);
    exits(&["scan", &corpus("none")], 2);
}
