//! `extract` on files, folders and disks that mean harm: nothing outside the folder, nothing half
//! written, one clear message.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use binfmt_formats::fatbin::{Container, Entry, Kind};
use binfmt_formats::vpt::{Program, Table};
use binfmt_runtime::BinFormat as _;
use serde_json::Value;

/// A table with one program for each name; each payload says which one it is.
fn table<N: AsRef<[u8]>>(names: &[N]) -> Vec<u8> {
    let payloads: Vec<String> = (0..names.len()).map(|index| format!("payload {index}")).collect();
    let programs: Vec<_> = names
        .iter()
        .zip(&payloads)
        .map(|(name, payload)| Program::plain(name.as_ref(), payload.as_bytes()))
        .collect();
    Table::new(7, &programs).to_vec().unwrap()
}

/// The same as a fat binary.
fn fat_binary<N: AsRef<[u8]>>(names: &[N]) -> Vec<u8> {
    let payloads: Vec<String> = (0..names.len()).map(|index| format!("payload {index}")).collect();
    let entry = |(name, payload): (_, &'static str)| Entry {
        name: Some(name),
        ..Entry::plain(Kind::Ptx, 90, payload.as_bytes())
    };
    let payloads = payloads.into_iter().map(|payload| &*payload.leak());
    let entries: Vec<_> = names.iter().map(AsRef::as_ref).zip(payloads).map(entry).collect();
    Container::new(&entries).to_vec().unwrap()
}

/// A folder of the test's own with an input and a file that nobody may touch.
struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new(input: &[u8]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("input"), input).unwrap();
        fs::write(dir.path().join("secret"), b"secret").unwrap();
        Self { dir }
    }

    fn out(&self) -> PathBuf {
        self.dir.path().join("out")
    }

    fn program(&self, more: &[&str]) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_binfmt"));
        program.arg("extract").arg(self.dir.path().join("input")).args(more);
        program.arg("-o").arg(self.out()).stdin(Stdio::null());
        program
    }

    fn run(&self, more: &[&str]) -> Output {
        self.program(more).output().unwrap()
    }

    /// Nothing but the output folder is new, and nothing else is changed.
    #[track_caller]
    fn untouched(&self) {
        let mut names = file_names(self.dir.path());
        names.remove("out");
        assert_eq!(names, BTreeSet::from(["input".to_owned(), "secret".to_owned()]));
        assert_eq!(fs::read(self.dir.path().join("secret")).unwrap(), b"secret");
    }
}

fn file_names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    entries.map(|name| name.into_string().unwrap()).collect()
}

/// The one message of a run that failed.
#[track_caller]
fn trouble(output: &Output, words: &str) {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = std::str::from_utf8(&output.stderr).unwrap();
    assert!(said.contains(words), "{said}");
    assert!(said.lines().count() <= 2, "{said}");
}

/// Names that want to be somewhere or something else, and many that want to be one.
fn hostile_names() -> Vec<Vec<u8>> {
    let mut names: Vec<Vec<u8>> = [
        "../secret",
        "../../../../../../../../tmp/binfmt-was-here",
        "..",
        ".",
        "/etc/passwd",
        "/",
        "//host/share",
        "C:\\windows\\x",
        "\\\\?\\C:\\x",
        "a/../../secret",
        "..\\secret",
        "",
        "",
        "a\0b",
        "\0",
        "line\nbreak",
        "\u{1b}[2Jclear",
        "x\u{202e}cod",
        "-rf",
        "--force",
        ".bashrc",
        "~",
        "~root",
        "$HOME",
        "`id`",
        "*",
        "same",
        "same",
        "SAME",
        "Same",
        "same~2",
        "STRASSE",
        "straße",
        "con",
        "CON.txt",
        "nul",
        "aux.c",
        "COM1",
        "lpt9.x",
        "PRN . ",
        "com\u{b9}",
        "LPT0.tar.gz",
        "CONIN$",
        "file:stream",
        "dots...",
        "space ",
    ]
    .map(|name| name.as_bytes().to_vec())
    .into();
    names.push(vec![b'x'; 4096]);
    names.push(vec![b'x'; 4096]);
    // What is behind the dot is cut off.
    names.push([&[b'x'; 199][..], b".", &[b'y'; 40][..]].concat());
    names.push("ü".repeat(2048).into_bytes());
    names.push("/".repeat(4096).into_bytes());
    names.push("../".repeat(1365).into_bytes());
    names.push(b"\xff\xfe\xc0\xaf..\xc0\xaf".to_vec());
    names
}

#[test]
fn hostile_names_stay_in_the_folder_and_apart() {
    let names = hostile_names();
    for input in [table(&names), fat_binary(&names)] {
        let place = Place::new(&input);
        let output = place.run(&["--json"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = std::str::from_utf8(&output.stdout).unwrap();
        let mut folded = BTreeSet::new();
        let mut count = 0;
        for (index, line) in text.lines().enumerate() {
            let line: Value = serde_json::from_str(line).unwrap();
            let path = Path::new(line["file"].as_str().unwrap());
            assert_eq!(path.parent().unwrap(), place.out(), "{path:?}");
            let content = fs::read(path).unwrap();
            assert_eq!(content, format!("payload {index}").into_bytes(), "{path:?}");
            let name = path.file_name().unwrap().to_str().unwrap();
            check_name(name);
            assert!(folded.insert(name.to_uppercase().to_lowercase()), "{name} is there twice");
            count += 1;
        }
        assert_eq!(count, names.len());
        assert_eq!(file_names(&place.out()).len(), names.len());
        place.untouched();
    }
    assert!(!Path::new("/tmp/binfmt-was-here").exists());
}

/// A name means a plain file, on every system and in a shell.
fn check_name(name: &str) {
    assert!(name.len() <= 255, "{name}");
    assert!(!name.contains(|c: char| c.is_control() || "/\\:*?\"<>|".contains(c)), "{name}");
    assert!(!name.starts_with(['.', '-', '~', ' ']), "{name}");
    assert!(!name.ends_with(['.', ' ']), "{name}");
    let stem = name.split('.').next().unwrap().trim_end().to_lowercase();
    let devices =
        ["con", "prn", "aux", "nul", "com1", "lpt9", "com\u{b9}", "lpt0", "conin$", "conout$"];
    assert!(!devices.contains(&stem.as_str()), "{name}");
}

#[test]
fn a_folder_that_exists_keeps_what_is_in_it() {
    let place = Place::new(&table(&["one", "two"]));
    fs::create_dir(place.out()).unwrap();
    fs::write(place.out().join("mine"), b"mine").unwrap();
    fs::write(place.out().join("two"), b"older").unwrap();
    // Nothing is written when one of the files is there already.
    trouble(&place.run(&[]), "this file exists; --force replaces it");
    assert_eq!(file_names(&place.out()), ["mine".to_owned(), "two".to_owned()].into());
    assert_eq!(fs::read(place.out().join("two")).unwrap(), b"older");
    assert_eq!(place.run(&["--force"]).status.code(), Some(0));
    let all = ["mine".to_owned(), "one".to_owned(), "two".to_owned()];
    assert_eq!(file_names(&place.out()), all.into());
    assert_eq!(fs::read(place.out().join("two")).unwrap(), b"payload 1");
    assert_eq!(fs::read(place.out().join("mine")).unwrap(), b"mine");
    place.untouched();
}

#[test]
fn what_is_no_folder_or_no_file_is_left_alone() {
    let place = Place::new(&table(&["one"]));
    fs::write(place.out(), b"a file").unwrap();
    trouble(&place.run(&["--force"]), "the folder cannot be made");
    assert_eq!(fs::read(place.out()).unwrap(), b"a file");
    fs::remove_file(place.out()).unwrap();
    fs::create_dir_all(place.out().join("one/deep")).unwrap();
    trouble(&place.run(&[]), "this file exists");
    trouble(&place.run(&["--force"]), "cannot be written");
    assert!(place.out().join("one/deep").is_dir());
    place.untouched();
}

#[cfg(unix)]
#[test]
fn links_in_the_folder_do_not_lead_out_of_it() {
    let place = Place::new(&table(&["one", "two"]));
    fs::create_dir(place.out()).unwrap();
    let secret = place.dir.path().join("secret");
    std::os::unix::fs::symlink(&secret, place.out().join("one")).unwrap();
    std::os::unix::fs::symlink("nowhere", place.out().join("two")).unwrap();
    trouble(&place.run(&[]), "this file exists");
    assert_eq!(place.run(&["--force"]).status.code(), Some(0));
    for (name, content) in [("one", "payload 0"), ("two", "payload 1")] {
        let path = place.out().join(name);
        assert!(fs::symlink_metadata(&path).unwrap().is_file());
        assert_eq!(fs::read_to_string(path).unwrap(), content);
    }
    place.untouched();
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_to_is_told_once() {
    use std::os::unix::fs::PermissionsExt as _;

    let names: Vec<_> = (0..200).map(|index| format!("name {index}")).collect();
    let place = Place::new(&table(&names));
    fs::create_dir(place.out()).unwrap();
    let only_read = |mode| fs::set_permissions(place.out(), fs::Permissions::from_mode(mode));
    only_read(0o555).unwrap();
    // Root may write anywhere, and then there is nothing to tell.
    if fs::write(place.out().join("probe"), b"").is_ok() {
        fs::remove_file(place.out().join("probe")).unwrap();
        assert_eq!(place.run(&[]).status.code(), Some(0));
    } else {
        trouble(&place.run(&[]), "cannot be written");
        assert!(file_names(&place.out()).is_empty());
    }
    only_read(0o755).unwrap();
    place.untouched();
}

/// A folder in which nobody can make a file, root neither.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_takes_no_files_is_told_once() {
    let names: Vec<_> = (0..200).map(|index| format!("name {index}")).collect();
    let place = Place::new(&table(&names));
    std::os::unix::fs::symlink("/proc/self/fdinfo", place.out()).unwrap();
    let output = place.run(&[]);
    trouble(&output, "cannot be written");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("and 199 more files are not written"), "{said}");
    assert!(output.stdout.is_empty());
}

/// A disk that is full, as a limit on the size of files: what fits is there, the rest is not.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_whole_files_or_none() {
    let large = vec![b'l'; 1 << 20];
    let programs = [
        Program::plain(b"small", b"small"),
        Program::plain(b"large", &large),
        Program::plain(b"larger", &large),
    ];
    let place = Place::new(&Table::new(7, &programs).to_vec().unwrap());
    let mut shell = Command::new("sh");
    // Blocks of 512 or 1024 bytes; a signal that is ignored becomes an error of the write.
    shell.arg("-c").arg("trap '' XFSZ; ulimit -f 64; exec \"$@\"").arg("sh");
    let program = place.program(&[]);
    let output = shell.arg(program.get_program()).args(program.get_args()).output().unwrap();
    trouble(&output, "cannot be written");
    let left = file_names(&place.out());
    assert!(left.is_subset(&["small".to_owned()].into()), "{left:?}");
    assert!(left.iter().all(|name| fs::read(place.out().join(name)).unwrap() == b"small"));
    place.untouched();
}

/// Standard output is full: the files are there, the list of them is not, and that is told.
#[cfg(target_os = "linux")]
#[test]
fn a_full_output_is_told() {
    let place = Place::new(&table(&["one"]));
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = place.program(&[]).stdout(full).output().unwrap();
    trouble(&output, "the output cannot be written");
    assert_eq!(fs::read(place.out().join("one")).unwrap(), b"payload 0");
}

/// A run that is killed leaves whole files under their names, and at most hidden ones besides.
#[test]
fn a_killed_run_leaves_nothing_half_written() {
    const COUNT: usize = 300;
    const LEN: usize = 1 << 16;
    let payloads: Vec<Vec<u8>> =
        (0..COUNT).map(|index| vec![u8::try_from(index % 251).unwrap(); LEN]).collect();
    let names: Vec<String> = (0..COUNT).map(|index| format!("p{index}")).collect();
    let programs: Vec<_> = names
        .iter()
        .zip(&payloads)
        .map(|(name, payload)| Program::plain(name.as_bytes(), payload))
        .collect();
    let place = Place::new(&Table::new(7, &programs).to_vec().unwrap());
    let mut interrupted = 0;
    let start = Instant::now();
    for wanted in (1..COUNT).step_by(29).cycle() {
        let _ = fs::remove_dir_all(place.out());
        let mut child = place.program(&[]).stdout(Stdio::null()).spawn().unwrap();
        while child.try_wait().unwrap().is_none() && count(&place.out()) < wanted {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let whole =
            file_names(&place.out()).into_iter().filter(|name| !name.starts_with(".binfmt-"));
        let whole: Vec<_> = whole.collect();
        for name in &whole {
            let index: usize = name.strip_prefix('p').unwrap().parse().unwrap();
            assert!(fs::read(place.out().join(name)).unwrap() == payloads[index], "{name}");
        }
        interrupted += usize::from(whole.len() < COUNT);
        if interrupted == 5 {
            break;
        }
        assert!(start.elapsed() < Duration::from_mins(2), "only {interrupted} were interrupted");
    }
    // What is left over is not in the way of the next run.
    assert_eq!(place.run(&["--force"]).status.code(), Some(0));
    assert_eq!(count(&place.out()), COUNT);
    place.untouched();
}

/// How many files have their names.
fn count(folder: &Path) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries
        .filter(|entry| !entry.as_ref().unwrap().file_name().to_string_lossy().starts_with('.'))
        .count()
}
