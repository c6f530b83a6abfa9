//! `binfmt slim`, run as its users run it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

use super::made::{self, Build, container, entry};

struct Desk(tempfile::TempDir);

impl Desk {
    /// A folder with `lib.so`, which is one of NVIDIA by its name, and `one.fatbin`.
    fn new() -> Self {
        let desk = Self(tempfile::tempdir().unwrap());
        let library = Build::default().flags(&["-Wl,-soname,libnvjpeg.so.1"]).library().unwrap();
        fs::write(desk.path("lib.so"), library).unwrap();
        let entries = [entry(75, 1000), entry(90, 1000)];
        fs::write(desk.path("one.fatbin"), container(&entries)).unwrap();
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    #[track_caller]
    fn slim(&self, args: &[&str], code: i32) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_binfmt"));
        let output = command.current_dir(self.0.path()).arg("slim").args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {output:?}");
        output
    }

    fn names(&self) -> Vec<String> {
        let files = fs::read_dir(self.0.path()).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_library_is_written_and_loads() {
    let desk = Desk::new();
    let output = desk.slim(&["lib.so", "--keep", "sm_90", "-o", "small.so"], 0);
    assert!(text(&output.stdout).contains("no wanted device runs it"), "{output:?}");
    assert!(text(&output.stderr).contains("a library of NVIDIA"), "{output:?}");
    let small = fs::read(desk.path("small.so")).unwrap();
    assert_eq!(made::loaded(&small), "answer 47, 3 containers of 1 entries\n");
    // What exists is kept, unless told; nothing else is left over.
    let output = desk.slim(&["lib.so", "--keep", "9.0,80", "-o", "small.so"], 2);
    assert!(text(&output.stderr).contains("`--force` replaces it"), "{output:?}");
    assert_eq!(fs::read(desk.path("small.so")).unwrap(), small);
    desk.slim(&["lib.so", "--keep", "9.0,80", "-o", "small.so", "--force"], 0);
    assert!(fs::metadata(desk.path("small.so")).unwrap().len() > small.len() as u64);
    assert_eq!(desk.names(), ["lib.so", "one.fatbin", "small.so"]);
}

#[test]
fn a_file_is_replaced_by_a_new_one() {
    let desk = Desk::new();
    fs::hard_link(desk.path("lib.so"), desk.path("cached.so")).unwrap();
    let before = fs::read(desk.path("lib.so")).unwrap();
    desk.slim(&["lib.so", "--keep", "sm_90", "-o", "lib.so", "--force"], 0);
    assert_eq!(fs::read(desk.path("cached.so")).unwrap(), before);
    assert!(fs::metadata(desk.path("lib.so")).unwrap().len() < before.len() as u64);
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_permissions_kept() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let desk = Desk::new();
    fs::set_permissions(desk.path("lib.so"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink("lib.so", desk.path("link.so")).unwrap();
    fs::write(desk.path("real.so"), b"old").unwrap();
    symlink("real.so", desk.path("out.so")).unwrap();
    desk.slim(&["link.so", "--keep", "sm_90", "-o", "fresh.so"], 0);
    let mode = fs::metadata(desk.path("fresh.so")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
    desk.slim(&["link.so", "--keep", "sm_90", "-o", "out.so", "--force"], 0);
    assert!(fs::symlink_metadata(desk.path("out.so")).unwrap().is_symlink());
    assert_eq!(fs::read(desk.path("real.so")).unwrap(), fs::read(desk.path("fresh.so")).unwrap());
}

#[test]
fn refusals_and_files_with_nothing_to_do_write_nothing() {
    let desk = Desk::new();
    fs::write(desk.path("junk"), b"no library").unwrap();
    let output = desk.slim(&["junk", "--keep", "sm_90", "-o", "out", "--json"], 1);
    let line: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(line["refused"]["code"], "slim.file.kind");
    let output = desk.slim(&["one.fatbin", "--keep", "75,90", "-o", "out"], 3);
    assert!(text(&output.stdout).ends_with("one.fatbin: nothing goes\n"), "{output:?}");
    for wrong in [
        &["lib.so", "-o", "out"][..],
        &["lib.so", "--keep", "sm_90a", "-o", "out"],
        &["lib.so", "--keep", "hopper", "-o", "out"],
        &["lib.so", "--keep", "sm_90"],
        &["lib.so", "--keep", "sm_90", "-o", "-"],
        &["lib.so", "--keep", "sm_90", "-o", "/dev/null"],
        &["lib.so", "--keep", "sm_90", "--pack", "--zero", "-o", "out"],
        &["lib.so", "--keep", "sm_90", "--dry-run", "-o", "out"],
        &["nothing.so", "--keep", "sm_90", "-o", "out"],
        &["lib.so", "--keep", "sm_90", "-o", "no/such/folder"],
    ] {
        desk.slim(wrong, 2);
    }
    assert_eq!(desk.names(), ["junk", "lib.so", "one.fatbin"]);
}

#[test]
fn what_would_go_is_said_without_a_file() {
    let desk = Desk::new();
    let output = desk.slim(&["lib.so", "--keep", "sm_90", "--dry-run"], 0);
    let said = text(&output.stdout);
    for part in ["sm_75", "compute_75", "%", ".nv_fatbin at 0x", "not needed beside other code"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let output = desk.slim(&["lib.so", "--keep", "sm_90", "--dry-run", "--json"], 0);
    let line: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(line["bytes"], fs::metadata(desk.path("lib.so")).unwrap().len());
    assert_eq!(line["devices"], serde_json::json!([90]));
    let containers = line["containers"].as_array().unwrap();
    assert_eq!(containers.len(), 3);
    let sum = |key: &str| -> u64 {
        line["codes"].as_array().unwrap().iter().map(|code| code[key].as_u64().unwrap()).sum()
    };
    assert_eq!((sum("kept"), sum("dropped")), (3, 15));
    let entries = containers.iter().flat_map(|it| it["entries"].as_array().unwrap());
    let bytes: u64 = entries.map(|entry| entry["bytes"].as_u64().unwrap()).sum();
    assert_eq!(bytes, sum("kept_bytes") + sum("dropped_bytes"));
    desk.slim(&["lib.so", "--keep", "sm_90", "-o", "small.so"], 0);
    assert_eq!(line["new_bytes"], fs::metadata(desk.path("small.so")).unwrap().len());
}

#[cfg(unix)]
#[test]
fn holes_take_no_space() {
    use std::os::unix::fs::MetadataExt as _;

    let desk = Desk::new();
    desk.slim(&["lib.so", "--keep", "sm_90", "--zero", "-o", "zero.so"], 0);
    desk.slim(&["lib.so", "--keep", "sm_90", "--punch", "-o", "holes.so"], 0);
    assert_eq!(fs::read(desk.path("zero.so")).unwrap(), fs::read(desk.path("holes.so")).unwrap());
    let blocks = |name: &str| fs::metadata(desk.path(name)).unwrap().blocks();
    assert!(blocks("holes.so") * 2 < blocks("zero.so"), "the file system has no holes");
    let holes = fs::read(desk.path("holes.so")).unwrap();
    assert_eq!(made::loaded(&holes), "answer 47, 3 containers of 1 entries\n");
}

#[cfg(target_os = "linux")]
#[test]
fn the_file_is_not_held_in_memory() {
    let desk = Desk::new();
    let big = desk.path("big.fatbin");
    made::write_big(&big);
    let args = ["slim", "big.fatbin", "--keep", "sm_90", "-o", "out"];
    let private = crate::memory::peak_of(&args, desk.0.path());
    assert!(private < 32 << 20, "{private}");
    let len = |name: &str| fs::metadata(desk.path(name)).unwrap().len();
    assert_eq!(len("out") * 2, len("big.fatbin") + 16);
}
