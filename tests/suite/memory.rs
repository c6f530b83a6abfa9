//! Payloads go from the map to the file: no command holds them.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use binfmt_formats::fatbin::{Container, Entry, Kind};
use binfmt_runtime::BinFormat as _;

/// How many tensors there are, and how many bytes each has.
const TENSORS: usize = 8;
const TENSOR: usize = 4 << 20;

/// More private memory than a command may take, far less than the files have.
const MOST: u64 = 12 << 20;

/// The most private memory that a run of the program takes.
#[track_caller]
pub(crate) fn peak_of(args: &[&str], dir: &Path) -> u64 {
    let mut command = Command::new(env!("CARGO_BIN_EXE_binfmt"));
    peak(0, command.args(args).current_dir(dir))
}

/// The same of one that ends with that code.
#[track_caller]
pub(crate) fn peak_after(code: i32, args: &[&str]) -> u64 {
    peak(code, Command::new(env!("CARGO_BIN_EXE_binfmt")).args(args).stderr(Stdio::null()))
}

#[track_caller]
fn peak(code: i32, command: &mut Command) -> u64 {
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("RssAnon:")?.strip_suffix(" kB"));
        peak = peak.max(line.and_then(|line| line.trim().parse::<u64>().ok()).map(|it| it << 10));
    }
    assert_eq!(child.wait().unwrap().code(), Some(code), "{command:?}");
    peak.expect("the system tells")
}

fn write_tensors(path: &Path) {
    let tensor = |at: usize| {
        format!(
            r#""w{at}":{{"dtype":"U8","shape":[{TENSOR}],"data_offsets":[{},{}]}}"#,
            at * TENSOR,
            (at + 1) * TENSOR
        )
    };
    let all: Vec<_> = (0..TENSORS).map(tensor).collect();
    let mut header = format!("{{{}}}", all.join(","));
    header.extend(std::iter::repeat_n(' ', header.len().next_multiple_of(8) - header.len()));
    let mut out = BufWriter::new(File::create(path).unwrap());
    out.write_all(&u64::try_from(header.len()).unwrap().to_le_bytes()).unwrap();
    out.write_all(header.as_bytes()).unwrap();
    for at in 0..TENSORS {
        out.write_all(&vec![u8::try_from(at).unwrap(); TENSOR]).unwrap();
    }
    out.flush().unwrap();
}

fn write_entries(path: &Path) {
    let code = vec![7; TENSOR];
    let entry = |arch| Entry::plain(Kind::Nvvm, arch, &code);
    let entries: Vec<_> = (75..83).map(entry).collect();
    let out = BufWriter::new(File::create(path).unwrap());
    Container::new(&entries).write_to(out).unwrap();
}

/// Puts numbers into a file, and many bytes behind it.
fn grown(name: &str, len: usize, numbers: &[(usize, u64, usize)], more: usize) -> Vec<u8> {
    let path = format!("{}/tests/corpus/{name}", env!("CARGO_MANIFEST_DIR"));
    let mut file = fs::read(path).unwrap();
    for (at, number, size) in numbers {
        file[*at..at + size].copy_from_slice(&number.to_le_bytes()[..*size]);
    }
    file.truncate(len);
    file.extend((0..more).map(|at| u8::try_from(at % 251).unwrap()));
    file
}

/// Models with one large constant.
fn write_models(desk: &Path) {
    let len = u64::try_from(TENSORS * TENSOR).unwrap();
    // The length of the segments, that of the one, and how many elements its last constant has.
    let numbers = [(32, 256 + len, 8), (160, 256 + len, 8), (0x644, len / 4, 4)];
    let program = grown("pte/mlp.pte", 0x980, &numbers, TENSORS * TENSOR);
    fs::write(desk.join("a.pte"), program).unwrap();
    let rows = u32::try_from(TENSORS * TENSOR / 12).unwrap();
    let more = usize::try_from(rows).unwrap() * 12;
    let model = grown("rten/mlp_v2.rten", 1344 + 128, &[(0x450, rows.into(), 4)], more);
    fs::write(desk.join("a.rten"), model).unwrap();
}

#[test]
fn no_constant_of_a_model_is_held_in_memory() {
    let desk = tempfile::tempdir().unwrap();
    let path = |name: &str| desk.path().join(name);
    write_models(desk.path());
    fs::write(path("one"), b"data").unwrap();
    let runs: [&[&str]; 14] = [
        &["convert", "a.pte", "-o", "pte.safetensors"],
        &["rewrite", "a.pte", "-o", "b.pte"],
        &["edit", "a.pte", "--weights", "pte.safetensors", "-o", "c.pte"],
        &["edit", "a.pte", "--weights", "pte.safetensors", "--align", "4096", "-o", "d.pte"],
        &["edit", "d.pte", "--align", "128", "-o", "e.pte"],
        &["edit", "a.pte", "--put", "key=one", "--add", "-o", "f.pte"],
        &["extract", "a.pte", "-o", "pte"],
        &["convert", "a.rten", "-o", "rten.safetensors"],
        &["rewrite", "a.rten", "-o", "b.rten"],
        &["edit", "a.rten", "--weights", "rten.safetensors", "-o", "c.rten"],
        &["convert", "a.rten", "--to", "rten2", "-o", "d.rten"],
        &["metadata", "a.rten", "--set", "description=x", "-o", "e.rten"],
        &["metadata", "e.rten", "--remove", "description", "-o", "f.rten"],
        &["extract", "a.rten", "-o", "rten"],
    ];
    for args in runs {
        let private = peak_of(args, desk.path());
        assert!(private < MOST, "{args:?}: {private}");
    }
    let same = |one: &str, two: &str| fs::read(path(one)).unwrap() == fs::read(path(two)).unwrap();
    for (one, two) in [("a.pte", "b.pte"), ("a.pte", "c.pte"), ("a.rten", "b.rten")] {
        assert!(same(one, two), "{one} {two}");
    }
    assert!(same("a.rten", "c.rten") && same("d.rten", "f.rten"));
    // What moved holds what it did.
    for (file, of) in [("d.pte", "pte"), ("e.pte", "pte"), ("f.pte", "pte"), ("d.rten", "rten")] {
        peak_of(&["convert", file, "-o", "back.safetensors", "--skip", "--force"], desk.path());
        assert!(same("back.safetensors", &format!("{of}.safetensors")), "{file}");
    }
}

#[test]
fn no_payload_is_held_in_memory() {
    let desk = tempfile::tempdir().unwrap();
    let path = |name: &str| desk.path().join(name);
    write_tensors(&path("a.safetensors"));
    write_entries(&path("a.fatbin"));
    fs::write(path("one"), vec![9; TENSOR]).unwrap();
    let runs: [&[&str]; 9] = [
        &["convert", "a.safetensors", "-o", "a.ptd"],
        &["convert", "a.ptd", "-o", "b.safetensors"],
        &["rewrite", "a.ptd", "-o", "b.ptd"],
        &["edit", "a.ptd", "--put", "w3=one", "--raw", "-o", "c.ptd"],
        &["edit", "a.ptd", "--weights", "b.safetensors", "-o", "d.ptd"],
        &["edit", "a.ptd", "--align", "4096", "-o", "e.ptd"],
        &["extract", "a.ptd", "-o", "ptd"],
        &["rewrite", "--no-decode", "a.fatbin", "-o", "b.fatbin"],
        &["extract", "a.fatbin", "-o", "fatbin", "--all"],
    ];
    for args in runs {
        let private = peak_of(args, desk.path());
        assert!(private < MOST, "{args:?}: {private}");
    }
    let same = |one: &str, two: &str| fs::read(path(one)).unwrap() == fs::read(path(two)).unwrap();
    assert!(same("a.ptd", "b.ptd") && same("a.ptd", "d.ptd") && same("a.fatbin", "b.fatbin"));
    // Each byte of a file of tensors is written once.
    let files = fs::read_dir(path("ptd")).unwrap();
    let sum: u64 = files.map(|file| file.unwrap().metadata().unwrap().len()).sum();
    assert_eq!(sum, u64::try_from(TENSORS * TENSOR).unwrap());
}
