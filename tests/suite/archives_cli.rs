//! Files inside files: every command that reads goes inside by itself, and says where it was.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use binfmt_formats::vpt::{Program, Table};
use binfmt_runtime::BinFormat as _;
use serde_json::Value;

use crate::corpus;
use crate::made::{gzipped, tarred, zipped};

/// A folder with a wheel in it: a fat binary, a table two archives deeper, and text.
struct Place(tempfile::TempDir);

const FATBIN: &str = "w.whl!pkg/a.fatbin";
const TABLE: &str = "w.whl!deps.tar.gz!deps.tar!x/b.vpt";

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        let fatbin = corpus::file("fatbin", "n13_multi.fatbin");
        let deps = gzipped(&tarred(&[("x/b.vpt", &corpus::file("vpt", "seed_two.vpt"))]));
        let wheel = zipped(&[
            ("pkg/a.fatbin", &fatbin),
            ("deps.tar.gz", &deps),
            ("README.txt", b"nothing to see here"),
        ]);
        place.put("w.whl", &wheel);
        place
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        fs::write(self.0.path().join(name), bytes).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn start(&self, args: &[&str]) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_binfmt"));
        program.args(args).current_dir(self.0.path()).stdin(Stdio::null());
        program
    }

    #[track_caller]
    fn run(&self, code: i32, args: &[&str]) -> (String, String) {
        let output: Output = self.start(args).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {output:?}");
        let [out, err] =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (out, err)
    }

    #[track_caller]
    fn json(&self, code: i32, args: &[&str]) -> Vec<Value> {
        let (out, _) = self.run(code, args);
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// An `ar` archive, as packages of Debian are.
fn arred(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = b"!<arch>\n".to_vec();
    for (name, bytes) in members {
        let len = bytes.len();
        writeln!(
            archive,
            "{:<16}{:<12}{:<6}{:<6}{:<8}{len:<10}`",
            format!("{name}/"),
            0,
            0,
            0,
            644
        )
        .unwrap();
        archive.extend_from_slice(bytes);
        if len % 2 == 1 {
            archive.push(b'\n');
        }
    }
    archive
}

#[test]
fn every_reading_command_goes_inside() {
    let place = Place::new();
    let (out, err) = place.run(0, &["identify", "w.whl"]);
    let lines: Vec<_> = out.lines().collect();
    assert_eq!((lines.len(), err.as_str()), (3, ""), "{out}");
    assert!(lines[0].starts_with("w.whl: a zip archive"), "{out}");
    assert!(lines[1].starts_with(&format!("{FATBIN}: fatbin (raw)")), "{out}");
    assert!(lines[2].starts_with(&format!("{TABLE}: vpt (plain)")), "{out}");
    let (out, _) = place.run(0, &["validate", "w.whl"]);
    assert_eq!(out, format!("{FATBIN}: valid (fatbin, raw)\n{TABLE}: valid (vpt, plain)\n"));
    let (out, _) = place.run(0, &["list", "w.whl"]);
    assert!(out.starts_with(&format!("{FATBIN}: fatbin (raw), ")), "{out}");
    assert!(out.contains(&format!("\n{TABLE}: vpt (plain), ")), "{out}");
    let (out, _) = place.run(0, &["inspect", "w.whl"]);
    assert!(
        out.starts_with(&format!("{FATBIN}:\n")) && out.contains(&format!("{TABLE}:\n")),
        "{out}"
    );
    let files = |args: &[&str]| -> Vec<String> {
        let lines = place.json(0, args).into_iter().filter(|line| line.get("summary").is_none());
        let mut files: Vec<_> =
            lines.map(|line| line["file"].as_str().unwrap().to_owned()).collect();
        files.dedup();
        files
    };
    for verb in ["list", "validate", "inspect", "scan"] {
        assert_eq!(files(&[verb, "--json", "w.whl"]), [FATBIN, TABLE], "{verb}");
    }
    assert_eq!(files(&["identify", "--json", "w.whl"]), ["w.whl", FATBIN, TABLE]);
    // And to one file by its name, from every command.
    assert_eq!(place.run(0, &["get", TABLE, "program_count"]).0, "2\n");
    assert!(place.run(2, &["get", "w.whl!gone", "x"]).1.contains("no such file in that file"));
    assert!(place.run(1, &["get", "w.whl", "x"]).1.contains("FILE!NAME"));
}

#[test]
fn what_is_inside_is_extracted_to_a_folder_each() {
    let place = Place::new();
    let lines = place.json(0, &["extract", "--json", "w.whl", "-o", "out"]);
    assert_eq!(lines.len(), 9);
    assert_eq!(lines[0]["from"], FATBIN);
    assert_eq!(lines[8]["from"], TABLE);
    for line in &lines {
        let path = place.path(line["file"].as_str().unwrap());
        assert_eq!(fs::metadata(path).unwrap().len(), line["size"]);
    }
    let folders = fs::read_dir(place.path("out")).unwrap().count();
    assert_eq!(folders, 2);
    // The limit is that of all of them together.
    let one = lines[..7].iter().map(|line| line["size"].as_u64().unwrap()).sum::<u64>();
    let args = ["extract", "w.whl", "-o", "less", "--max-total", &one.to_string()];
    assert!(place.run(1, &args).1.contains("--max-total"));
    assert!(fs::read_dir(place.path("less")).unwrap().count() <= 2);
}

#[test]
fn filters_mean_the_whole_archive() {
    let place = Place::new();
    for verb in [&["list"][..], &["extract", "--force", "-o", "out"]] {
        let with = |filter| [verb, &["w.whl", "--filter", filter]].concat();
        // The table has no such item, and that is no error.
        assert_eq!(place.run(0, &with("elf")).1, "");
        let (_, err) = place.run(1, &with("frob"));
        assert_eq!(err.lines().count(), 1, "{err}");
        assert!(err.contains("none of 9 items matches `frob`"), "{err}");
    }
    let items = |filter: &str| -> usize {
        let lines = place.json(0, &["list", "--json", "w.whl", "--filter", filter]);
        lines.iter().map(|line| line["items"].as_array().unwrap().len()).sum()
    };
    assert_eq!(items("pkg/a.fatbin"), 7);
    assert_eq!(items("*.vpt!*"), 2);
    assert_eq!(items("sm_90"), 2);
}

#[test]
fn archives_of_every_kind_are_known() {
    let place = Place::new();
    let table = corpus::file("vpt", "seed_two.vpt");
    let tar = tarred(&[("b.vpt", &table)]);
    place.put("a.deb", &arred(&[("debian-binary", b"2.0\n"), ("data.tar.gz", &gzipped(&tar))]));
    place.put("a.tar.zst", &zstd::encode_all(&tar[..], 1).unwrap());
    place.put("b.a", &arred(&[("b.vpt", &table)]));
    for (archive, inner) in [
        ("a.deb", "a.deb!data.tar.gz!data.tar!b.vpt"),
        ("a.tar.zst", "a.tar.zst!a.tar!b.vpt"),
        ("b.a", "b.a!b.vpt"),
    ] {
        let (out, _) = place.run(0, &["validate", archive]);
        assert_eq!(out, format!("{inner}: valid (vpt, plain)\n"));
        assert_eq!(place.run(0, &["get", inner, "program_count"]).0, "2\n");
        let lines = place.json(0, &["scan", "--json", archive]);
        assert_eq!(lines.last().unwrap()["summary"]["containers"], 1, "{archive}");
    }
    // A library with device code is one file, and its members are its own.
    let library = corpus::file("fatbin", "host13.a");
    place.put("lib.zip", &zipped(&[("host13.a", &library)]));
    let (out, _) = place.run(0, &["validate", "lib.zip"]);
    assert_eq!(out, "lib.zip!host13.a: valid (fatbin, archive)\n");
}

#[test]
fn members_of_one_name_are_told_apart() {
    let place = Place::new();
    let table = corpus::file("vpt", "seed_two.vpt");
    let fatbin = corpus::file("fatbin", "n13_multi.fatbin");
    place.put("twice.tar", &tarred(&[("x", &table), ("x", &fatbin)]));
    let (out, _) = place.run(0, &["validate", "twice.tar"]);
    assert_eq!(out, "twice.tar!x: valid (vpt, plain)\ntwice.tar!x@2: valid (fatbin, raw)\n");
    assert_eq!(place.run(0, &["get", "twice.tar!x@2", "items[0].entries[0].arch"]).0, "75\n");
}

#[test]
fn archives_without_anything_are_no_error_to_a_validator() {
    let place = Place::new();
    let text = zipped(&[("a.txt", b"text")]);
    place.put("text.zip", &text);
    place.put("cut.zip", &text[..text.len() - 8]);
    let (out, _) = place.run(0, &["validate", "text.zip"]);
    assert!(out.starts_with("text.zip: nothing\n"), "{out}");
    assert!(place.run(1, &["list", "text.zip"]).1.contains("nothing in it is of a known format"));
    let (out, err) = place.run(1, &["validate", "cut.zip"]);
    assert!(out.starts_with("cut.zip: unrecognised\n") && err.contains("is skipped"), "{out}{err}");
}

#[test]
fn bombs_meet_their_limits_in_every_command() {
    let place = Place::new();
    place.put("bomb.zst", &zstd::encode_all(&vec![0; 64 << 20][..], 1).unwrap());
    let mut deep = corpus::file("vpt", "seed_two.vpt");
    for _ in 0..20 {
        deep = gzipped(&deep);
    }
    place.put("deep.gz", &deep);
    for (name, why) in [("bomb.zst", "when unpacked"), ("deep.gz", "archives already")] {
        for verb in ["list", "validate", "inspect", "scan", "extract"] {
            let more: &[&str] = if verb == "extract" { &["-o", "out"] } else { &[] };
            let (_, err) = place.run(1, &[&[verb, name], more].concat());
            assert!(err.contains("is skipped") && err.contains(why), "{verb} {name}: {err}");
        }
        let (out, err) = place.run(2, &["identify", name]);
        assert!(out.starts_with(name) && err.contains(why), "{name}: {err}");
    }
}

#[test]
fn damaged_archives_never_panic() {
    let place = Place::new();
    let wheel = fs::read(place.path("w.whl")).unwrap();
    for at in (0..wheel.len()).step_by(wheel.len() / 12) {
        let mut damaged = wheel.clone();
        damaged[at] ^= 0xff;
        place.put("d.whl", &damaged);
        place.put("c.whl", &wheel[..at]);
        for name in ["d.whl", "c.whl"] {
            let output = place.start(&["validate", name]).output().unwrap();
            assert!(matches!(output.status.code(), Some(0 | 1)), "{at}: {output:?}");
        }
    }
}

/// A table of so many programs.
fn many(count: usize) -> Vec<u8> {
    let names: Vec<_> = (0..count).map(|index| format!("program {index}")).collect();
    let programs: Vec<_> =
        names.iter().map(|name| Program::plain(name.as_bytes(), name.as_bytes())).collect();
    Table::new(7, &programs).to_vec().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[cfg(unix)]
#[test]
fn signals_leave_whole_files_alone_and_work_is_resumed() {
    const COUNT: usize = 20_000;
    for signal in ["-INT", "-TERM"] {
        let place = Place(tempfile::tempdir().unwrap());
        place.put("many.vpt", &many(COUNT));
        let mut child = place
            .start(&["extract", "many.vpt", "-o", "out"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let started = Instant::now();
        while names(&place.path("out")).len() < 50 && started.elapsed() < Duration::from_mins(1) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        let code = child.wait().unwrap().code();
        let left = names(&place.path("out"));
        assert!(left.iter().all(|name| !name.starts_with('.')), "{signal}: {left:?}");
        for name in &left {
            assert_eq!(fs::read_to_string(place.path("out").join(name)).unwrap(), *name);
        }
        // On a machine that is quick enough there was nothing left to interrupt.
        assert!(sent.success() && (code == Some(130) || left.len() == COUNT), "{code:?}");
        assert!(place.run(2, &["extract", "many.vpt", "-o", "out"]).1.contains("--resume"));
        place.run(0, &["extract", "many.vpt", "-o", "out", "--resume"]);
        assert_eq!(names(&place.path("out")).len(), COUNT);
    }
}

#[test]
fn bytes_are_written_once_unless_asked_for() {
    let place = Place(tempfile::tempdir().unwrap());
    place.put("two.ptd", &corpus::file("ptd", "direct_two_tensors.ptd"));
    let stored = |lines: &[Value]| -> u64 {
        let new = lines.iter().filter(|line| line.get("link").is_none());
        new.map(|line| line["size"].as_u64().unwrap()).sum()
    };
    let lines = place.json(0, &["extract", "--json", "two.ptd", "-o", "once"]);
    assert_eq!((lines.len(), stored(&lines)), (2, 40));
    assert!(lines.iter().all(|line| line["kind"] == "tensor"), "{lines:?}");
    let all = place.json(0, &["extract", "--json", "--all", "two.ptd", "-o", "all"]);
    assert_eq!((all.len(), stored(&all)), (6, 40));
    for line in &all {
        let file = fs::read(place.path(line["file"].as_str().unwrap())).unwrap();
        assert_eq!(file.len(), line["size"]);
    }
    // Two keys of the same bytes are two names of one file.
    place.put("shared.ptd", &corpus::file("ptd", "direct_shared_segment.ptd"));
    let shared = place.json(0, &["extract", "--json", "shared.ptd", "-o", "shared"]);
    assert!(!shared.is_empty());
    let whole = fs::metadata(place.path("shared.ptd")).unwrap().len();
    assert!(stored(&shared) < whole, "{shared:?}");
    let filtered =
        place.json(0, &["extract", "--json", "two.ptd", "-o", "segments", "--filter", "segment"]);
    assert_eq!(filtered.len(), 2);
}

#[test]
fn convert_writes_no_more_than_allowed() {
    let place = Place(tempfile::tempdir().unwrap());
    place.put("two.ptd", &corpus::file("ptd", "direct_two_tensors.ptd"));
    let args = ["convert", "two.ptd", "-o", "out.safetensors", "--max-total", "100"];
    assert!(place.run(1, &args).1.contains("--max-total"));
    assert!(!place.path("out.safetensors").exists());
    place.run(0, &["convert", "two.ptd", "-o", "out.safetensors"]);
}
