//! Wheels and zip archives, slimmed as their users do it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use binfmt_formats::fatbin::{Entry, Kind};
use serde_json::Value;
use sha2::Digest as _;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use super::made::{self, Build, container, entry};

const NAME: &str = "kernels-1.0-py3-none-linux_x86_64.whl";
const NEW: &str = "kernels-1.0-0_sm90-py3-none-linux_x86_64.whl";
const RECORD: &str = "kernels-1.0.dist-info/RECORD";

struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    #[track_caller]
    fn slim(&self, args: &[&str], code: i32) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_binfmt"));
        command.current_dir(self.0.path()).arg("slim").args(["--keep", "sm_90"]).args(args);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {output:?}");
        output
    }

    fn names(&self) -> Vec<String> {
        let files = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> =
            files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn line(name: &str, bytes: &[u8]) -> String {
    let digest = URL_SAFE_NO_PAD.encode(sha2::Sha256::digest(bytes));
    format!("{name},sha256={digest},{}\n", bytes.len())
}

fn library() -> Vec<u8> {
    Build::default().flags(&["-Wl,-soname,libmade.so.1"]).library().unwrap()
}

/// What is in a wheel in front of its list of files.
fn content() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("kernels/__init__.py", b"VERSION = 1\n".to_vec()),
        ("kernels/lib/libmade.so", library()),
        ("kernels/lib/host.so", made::object_of("int host;")),
        ("kernels/lib/one.fatbin", container(&[entry(75, 1000), entry(90, 1000)])),
        ("kernels/empty", Vec::new()),
        ("kernels-1.0.dist-info/METADATA", b"Name: kernels\nVersion: 1.0\n".to_vec()),
        (
            "kernels-1.0.dist-info/WHEEL",
            b"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-linux_x86_64\n".to_vec(),
        ),
    ]
}

fn record(content: &[(&str, Vec<u8>)]) -> String {
    let lines = content.iter().map(|(name, bytes)| line(name, bytes));
    lines.collect::<String>() + RECORD + ",,\n"
}

/// An archive in which the fourth member is stored, the others are compressed.
fn write_zip(path: &Path, content: &[(&str, Vec<u8>)]) {
    let mut writer = ZipWriter::new(File::create(path).unwrap());
    writer.set_comment("made for a test").unwrap();
    let time = DateTime::from_date_and_time(2024, 2, 3, 4, 5, 6).unwrap();
    for (at, (name, bytes)) in content.iter().enumerate() {
        let method = if at == 3 { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        let options = SimpleFileOptions::default()
            .compression_method(method)
            .last_modified_time(time)
            .unix_permissions(if at == 1 { 0o755 } else { 0o644 });
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap();
}

fn write_wheel(path: &Path) {
    let mut content = content();
    let record = record(&content);
    content.push((RECORD, record.into_bytes()));
    write_zip(path, &content);
}

#[derive(Debug, PartialEq)]
struct Member {
    bytes: Vec<u8>,
    method: CompressionMethod,
    time: Option<DateTime>,
    mode: Option<u32>,
}

fn read_zip(path: &Path) -> (Vec<String>, BTreeMap<String, Member>) {
    let mut archive = ZipArchive::new(File::open(path).unwrap()).unwrap();
    let (mut names, mut members) = (Vec::new(), BTreeMap::new());
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        let name = file.name().unwrap().into_owned();
        let (method, time) = (file.compression(), file.last_modified());
        let member = Member { bytes, method, time, mode: file.unix_mode() };
        names.push(name.clone());
        members.insert(name, member);
    }
    (names, members)
}

#[test]
fn a_wheel_is_made_smaller_and_says_so() {
    let desk = Desk::new();
    write_wheel(&desk.path(NAME));
    fs::create_dir(desk.path("out")).unwrap();
    let output = desk.slim(&[NAME, "-o", "out"], 0);
    assert!(text(&output.stdout).contains("kernels/lib/libmade.so"), "{output:?}");
    let new = desk.path("out").join(NEW);
    let len = |path: &Path| fs::metadata(path).unwrap().len();
    assert!(len(&new) + 1000 < len(&desk.path(NAME)));
    let ((old_names, old), (names, members)) = (read_zip(&desk.path(NAME)), read_zip(&new));
    assert_eq!(names, old_names);
    let changed: Vec<_> = names.iter().filter(|name| old[*name] != members[*name]).collect();
    let expected = ["lib/libmade.so", "lib/one.fatbin"].map(|name| format!("kernels/{name}"));
    let about = "kernels-1.0.dist-info/WHEEL".to_owned();
    assert_eq!(changed, [&expected[0], &expected[1], &about, &RECORD.to_owned()]);
    for name in &names {
        let (old, new) = (&old[name], &members[name]);
        assert_eq!((old.method, old.time, old.mode), (new.method, new.time, new.mode), "{name}");
    }
    let loaded = made::loaded(&members["kernels/lib/libmade.so"].bytes);
    assert_eq!(loaded, "answer 47, 3 containers of 1 entries\n");
    assert_eq!(members["kernels/lib/one.fatbin"].bytes, container(&[entry(90, 1000)]));
    assert!(text(&members[&about].bytes).ends_with("linux_x86_64\nBuild: 0_sm90\n"));
    // The list has the hash of every file as it is now.
    let content: Vec<_> =
        names[..7].iter().map(|name| (&**name, members[name].bytes.clone())).collect();
    assert_eq!(text(&members[RECORD].bytes), record(&content));
    let archive = ZipArchive::new(File::open(&new).unwrap()).unwrap();
    assert_eq!(archive.comment(), b"made for a test");
    // The same again, and nothing left to do.
    fs::create_dir(desk.path("again")).unwrap();
    desk.slim(&[NAME, "-o", "again"], 0);
    assert_eq!(fs::read(&new).unwrap(), fs::read(desk.path("again").join(NEW)).unwrap());
    let inner = format!("out/{NEW}");
    let output = desk.slim(&[&inner, "-o", "again"], 3);
    assert!(text(&output.stdout).ends_with("nothing goes\n"), "{output:?}");
    assert_eq!(desk.names(), ["again", NAME, "out"]);
}

#[test]
fn the_name_of_a_wheel_has_a_build_tag() {
    let desk = Desk::new();
    write_wheel(&desk.path(NAME));
    let own = "kernels-1.0-7mine-py3-none-linux_x86_64.whl";
    desk.slim(&[NAME, "-o", own], 0);
    let (_, members) = read_zip(&desk.path(own));
    assert!(text(&members["kernels-1.0.dist-info/WHEEL"].bytes).ends_with("Build: 7mine\n"));
    for wrong in ["small.whl", NAME, "other-1.0-7-py3-none-linux_x86_64.whl", "x.zip"] {
        let output = desk.slim(&[NAME, "-o", wrong, "--force"], 2);
        assert!(text(&output.stderr).contains(NEW), "{wrong}: {output:?}");
    }
    let output = desk.slim(&[NAME, "-o", own], 2);
    assert!(text(&output.stderr).contains("--force"), "{output:?}");
    fs::copy(desk.path(NAME), desk.path("renamed.whl")).unwrap();
    let output = desk.slim(&["renamed.whl", "-o", "."], 2);
    assert!(text(&output.stderr).contains("NAME-VERSION"), "{output:?}");
    let output = desk.slim(&[NAME, "-o", ".", "--punch"], 2);
    assert!(text(&output.stderr).contains("no holes"), "{output:?}");
    assert_eq!(desk.names(), [own, NAME, "renamed.whl"]);
}

/// What is done to a list of files.
type Change = fn(&str) -> String;

#[test]
fn a_wheel_that_contradicts_its_list_is_refused() {
    let wrongs: [(&str, Change); 4] = [
        ("another hash", |text| text.replace(&text[30..40], "AAAAAAAAAA")),
        ("does not name", |text| {
            text.lines().filter(|it| !it.contains("made.so")).map(|it| format!("{it}\n")).collect()
        }),
        ("no hash", |text| text.replace("sha256=", "md5=")),
        ("twice", |text| text.repeat(2)),
    ];
    for (told, change) in wrongs {
        let desk = Desk::new();
        let mut content = content();
        // The library is the first, so that its hash stands at a known place.
        content.swap(0, 1);
        let record = change(&record(&content));
        content.push((RECORD, record.into_bytes()));
        write_zip(&desk.path(NAME), &content);
        let output = Command::new(env!("CARGO_BIN_EXE_binfmt"))
            .current_dir(desk.0.path())
            .args(["slim", NAME, "--keep", "sm_90", "-o", "."])
            .output()
            .unwrap();
        assert!(matches!(output.status.code(), Some(1 | 2)), "{told}: {output:?}");
        assert!(text(&output.stderr).contains(told), "{told}: {output:?}");
        assert_eq!(desk.names(), [NAME]);
    }
}

#[test]
fn what_is_refused_in_a_wheel_stays_and_is_told() {
    let desk = Desk::new();
    let mut content = content();
    let junk = Build::default().small().behind(".quad 7\\n").library().unwrap();
    content.insert(2, ("kernels/lib/junk.so", junk.clone()));
    content.push(("kernels-1.0.dist-info/RECORD.jws", b"{}".to_vec()));
    let record = record(&content);
    content.push((RECORD, record.into_bytes()));
    write_zip(&desk.path(NAME), &content);
    let output = desk.slim(&[NAME, "-o", ".", "--json"], 0);
    let told = text(&output.stderr);
    assert!(
        told.contains("junk.so: stays as it is") && told.contains("slim.section.gap"),
        "{told}"
    );
    assert!(told.contains("signature"), "{told}");
    let (_, members) = read_zip(&desk.path(NEW));
    assert_eq!(members["kernels/lib/junk.so"].bytes, junk);
    let line: Value = serde_json::from_slice(&output.stdout).unwrap();
    let told: Vec<_> = line["members"].as_array().unwrap().iter().collect();
    let changes: Vec<_> = told.iter().map(|it| it["changes"].as_bool().unwrap()).collect();
    assert_eq!(changes, [true, false, true]);
    assert_eq!(told[1]["refused"]["code"], "slim.section.gap");
    assert_eq!(told[0]["containers"].as_array().unwrap().len(), 3);
    assert_eq!(line["new_bytes"], fs::metadata(desk.path(NEW)).unwrap().len());
    assert_eq!(line["output"].as_str().unwrap(), format!("./{NEW}"));
    // A device that is to be kept is not given up, whichever member it is in.
    let ptx = Entry::plain(Kind::Ptx, 80, &[b' '; 64]);
    let only = container(&[ptx, entry(75, 1000)]);
    write_zip(&desk.path("x.zip"), &[("a.so", library()), ("b.fatbin", only)]);
    let output = desk.slim(&["x.zip", "--keep", "75", "-o", "y.zip", "--ptx", "none"], 1);
    assert!(text(&output.stderr).contains("slim.container.device"), "{output:?}");
    // All that could go is refused.
    write_zip(&desk.path("x.zip"), &[("a.so", junk)]);
    desk.slim(&["x.zip", "-o", "y.zip"], 1);
    assert_eq!(desk.names(), [NEW, NAME, "x.zip"]);
}

#[test]
fn other_zip_archives_have_no_list() {
    let desk = Desk::new();
    let content = [("a/libmade.so", library()), ("b.txt", b"text".to_vec())];
    write_zip(&desk.path("x.zip"), &content);
    let output = desk.slim(&["x.zip", "--dry-run"], 0);
    assert!(text(&output.stdout).ends_with("x.zip: 1 members would be smaller\n"), "{output:?}");
    assert_eq!(desk.names(), ["x.zip"]);
    desk.slim(&["x.zip", "-o", "y.zip"], 0);
    let (names, members) = read_zip(&desk.path("y.zip"));
    assert_eq!(names, ["a/libmade.so", "b.txt"]);
    let loaded = made::loaded(&members["a/libmade.so"].bytes);
    assert_eq!(loaded, "answer 47, 3 containers of 1 entries\n");
    // In place, and no longer a wheel by its name alone.
    fs::copy(desk.path("x.zip"), desk.path(NAME)).unwrap();
    let output = desk.slim(&[NAME, "-o", "."], 2);
    assert!(text(&output.stderr).contains("without its list of files"), "{output:?}");
    desk.slim(&["x.zip", "-o", "x.zip", "--force"], 0);
    assert_eq!(fs::read(desk.path("x.zip")).unwrap(), fs::read(desk.path("y.zip")).unwrap());
    write_zip(&desk.path("x.zip"), &content[1..]);
    desk.slim(&["x.zip", "-o", "z.zip"], 3);
    let whole = fs::read(desk.path("y.zip")).unwrap();
    fs::write(desk.path("cut.zip"), &whole[..whole.len() - 30]).unwrap();
    desk.slim(&["cut.zip", "-o", "z.zip"], 2);
    assert_eq!(desk.names(), ["cut.zip", NAME, "x.zip", "y.zip"]);
}

#[test]
fn damaged_zip_archives_leave_nothing_behind() {
    let desk = Desk::new();
    let small = Build::default().small().library().unwrap();
    write_zip(&desk.path("x.zip"), &[("a.so", small), ("b.txt", b"text".to_vec())]);
    let whole = fs::read(desk.path("x.zip")).unwrap();
    let mut refused = 0;
    for at in (0..whole.len()).step_by(whole.len() / 24) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x5A;
        fs::write(desk.path("x.zip"), bytes).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_binfmt"))
            .current_dir(desk.0.path())
            .args(["slim", "x.zip", "--keep", "sm_90", "-o", "y.zip"])
            .output()
            .unwrap();
        match output.status.code() {
            Some(0) => {
                let (_, members) = read_zip(&desk.path("y.zip"));
                assert_eq!(
                    made::loaded(&members["a.so"].bytes),
                    "answer 47, 3 containers of 1 entries\n"
                );
                fs::remove_file(desk.path("y.zip")).unwrap();
            }
            Some(1..=3) => refused += 1,
            code => panic!("{at:#x}: {code:?}"),
        }
        assert_eq!(desk.names(), ["x.zip"], "{at:#x}");
    }
    assert!(refused > 10, "{refused}");
}

#[cfg(target_os = "linux")]
#[test]
fn no_member_is_held_in_memory() {
    let desk = Desk::new();
    made::write_big(&desk.path("big.fatbin"));
    let big = fs::read(desk.path("big.fatbin")).unwrap();
    write_zip(&desk.path("x.zip"), &[("a.fatbin", big.clone()), ("b.fatbin", big)]);
    let args = ["slim", "x.zip", "--keep", "sm_90", "-o", "y.zip"];
    let private = crate::memory::peak_of(&args, desk.0.path());
    assert!(private < 32 << 20, "{private}");
}
