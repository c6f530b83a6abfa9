//! `diff` of archives and libraries, as its users run it.

use std::fs;
use std::io::{Cursor, Write as _};
use std::process::Command;

use serde_json::Value;
use zip::CompressionMethod;
use zip::write::SimpleFileOptions;

use crate::corpus;
use crate::slim::made::{self, Build};

struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        fs::write(self.0.path().join(name), bytes).unwrap();
    }

    /// The lines of the difference, sorted, without those behind them.
    #[track_caller]
    fn diff(&self, args: &[&str], code: i32) -> Vec<String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_binfmt"));
        let output = command.current_dir(self.0.path()).arg("diff").args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        lines.retain(|line| !line.starts_with("--fields"));
        lines.sort();
        lines
    }
}

fn zipped(members: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        let options = SimpleFileOptions::default().compression_method(method);
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn library(source: &str) -> Vec<u8> {
    Build::default().small().source(source).library().unwrap()
}

const CHANGED: &str = "__attribute__((section(\"words\"), used)) static const char t[] = \"new\";";
const BEFORE: &str = "__attribute__((section(\"words\"), used)) static const char t[] = \"old\";";

#[test]
fn wheels_are_compared_file_by_file() {
    let desk = Desk::new();
    let (old, new) = (library(BEFORE), library(CHANGED));
    let [table, other] =
        ["ptd/direct_two_tensors.ptd", "ptd/direct_zero_size_tensor.ptd"].map(|it| {
            let (format, name) = it.split_once('/').unwrap();
            corpus::file(format, name)
        });
    let inner = zipped(&[("deep.txt", b"one")], CompressionMethod::Deflated);
    let inner_new = zipped(&[("deep.txt", b"two!")], CompressionMethod::Deflated);
    let olds: [(&str, &[u8]); 7] = [
        ("a/kept.py", b"kept"),
        ("a/lib.so", &old),
        ("a/moved.py", b"moved"),
        ("a/gone.py", b"gone"),
        ("a/text.py", b"some"),
        ("a/same.ptd", &table),
        ("a/inner.zip", &inner),
    ];
    let news: [(&str, &[u8]); 7] = [
        ("a/inner.zip", &inner_new),
        ("a/kept.py", b"kept"),
        ("a/lib.so", &new),
        ("b/moved.py", b"moved"),
        ("a/text.py", b"more text"),
        ("a/same.ptd", &table),
        ("a/new.ptd", &other),
    ];
    desk.put("a.whl", &zipped(&olds, CompressionMethod::Deflated));
    desk.put("b.whl", &zipped(&news, CompressionMethod::Deflated));
    let expected = [
        "+ file a/new.ptd: ",
        "- file a/gone.py: 4 bytes",
        "> file a/moved.py: now b/moved.py",
        "~ file a/inner.zip!deep.txt: 3 bytes become 4",
        "~ file a/text.py: 4 bytes become 9",
        "~ section a/lib.so!.note.gnu.build-id: other bytes",
        "~ section a/lib.so!words: other bytes",
    ];
    let lines = desk.diff(&["a.whl", "b.whl"], 1);
    assert_eq!(lines.len(), expected.len(), "{lines:#?}");
    for (line, expected) in lines.iter().zip(expected) {
        assert!(line.starts_with(expected), "{expected}: {lines:#?}");
    }
    let json = desk.diff(&["a.whl", "b.whl", "--json"], 1);
    let line: Value = serde_json::from_str(&json[0]).unwrap();
    assert_eq!((&line["format"], &line["same"]), (&"archive".into(), &false.into()));
    assert_eq!(line["contents"].as_array().unwrap().len(), expected.len());
    assert_eq!(desk.diff(&["a.whl", "a.whl"], 0), [""; 0]);
    // Other compression is no difference that a person means, and is said.
    desk.put("c.whl", &zipped(&olds, CompressionMethod::Stored));
    let said = "the files in the archives are the same, and the archives are not";
    assert_eq!(desk.diff(&["a.whl", "c.whl"], 1), [said]);
}

#[test]
fn models_in_archives_are_compared_by_what_is_in_them() {
    let desk = Desk::new();
    let [one, two] = ["direct_two_tensors.ptd", "direct_zero_size_tensor.ptd"]
        .map(|name| corpus::file("ptd", name));
    desk.put("one.ptd", &one);
    desk.put("two.ptd", &two);
    desk.put("one.zip", &zipped(&[("m.ptd", &one)], CompressionMethod::Deflated));
    desk.put("two.zip", &zipped(&[("m.ptd", &two)], CompressionMethod::Deflated));
    let alone = desk.diff(&["one.ptd", "two.ptd", "--values"], 1);
    assert!(alone.len() > 1, "{alone:?}");
    let inside = desk.diff(&["one.zip", "two.zip", "--values"], 1);
    let bare: Vec<_> = inside.iter().map(|line| line.replace("m.ptd!", "")).collect();
    assert_eq!(bare, alone);
    assert_ne!(inside, alone);
}

#[test]
fn static_libraries_are_compared_object_by_object() {
    let desk = Desk::new();
    let host = |number: u32| made::object_of(&format!("int it(void) {{ return {number}; }}"));
    let object = Build::default().small().object().unwrap();
    let archive = |number: u32| {
        desk.put("host.o", &host(number));
        desk.put("device.o", &object);
        let mut command = Command::new("ar");
        let _ = fs::remove_file(desk.0.path().join("lib.a"));
        let run = command.current_dir(desk.0.path()).args(["rcs", "lib.a", "host.o", "device.o"]);
        assert!(run.status().unwrap().success());
        fs::read(desk.0.path().join("lib.a")).unwrap()
    };
    let (one, two) = (archive(1), archive(2));
    desk.put("one.a", &one);
    desk.put("two.a", &two);
    assert_eq!(desk.diff(&["one.a", "two.a"], 1), ["~ section host.o!.text: other bytes"]);
}

#[test]
fn libraries_are_compared_by_device_code_and_sections() {
    let desk = Desk::new();
    let old = library(BEFORE);
    desk.put("old.so", &old);
    desk.put("new.so", &library(CHANGED));
    let lines = desk.diff(&["old.so", "new.so"], 1);
    let expected = ["~ section .note.gnu.build-id: other bytes", "~ section words: other bytes"];
    assert_eq!(lines, expected);
    let mut command = Command::new(env!("CARGO_BIN_EXE_binfmt"));
    let run = command.current_dir(desk.0.path()).args(["slim", "old.so", "--keep", "sm_90"]);
    assert!(run.args(["-o", "slim.so"]).output().unwrap().status.success());
    let lines = desk.diff(&["old.so", "slim.so"], 1);
    // A cubin and PTX have the number 75.
    let gone =
        |arch: &str| lines.iter().filter(|it| it.starts_with('-') && it.contains(arch)).count();
    assert_eq!(
        [gone("sm_75"), gone("sm_80"), gone("sm_86"), gone("sm_90"), gone("sm_100")],
        [6, 3, 3, 0, 3]
    );
    assert!(lines.iter().all(|line| !line.contains("words")), "{lines:#?}");
    // Without device code on one side, or on both.
    desk.put("one.so", &made::object_of("int it(void) { return 1; }"));
    desk.put("two.so", &made::object_of("int it(void) { return 2; }"));
    assert_eq!(desk.diff(&["one.so", "one.so"], 0), [""; 0]);
    assert_eq!(desk.diff(&["one.so", "two.so"], 1), ["~ section .text: other bytes"]);
    let lines = desk.diff(&["one.so", "old.so"], 1);
    assert!(lines.iter().any(|it| it.starts_with("+ section .nv_fatbin")), "{lines:#?}");
}
