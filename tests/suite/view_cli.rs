//! `binfmt view`, as users call it. What the page does in a browser is checked by
//! `tests/reference/view`.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The path of a file of the corpus.
fn corpus(file: &str) -> String {
    format!("{}/tests/corpus/{file}", env!("CARGO_MANIFEST_DIR"))
}

fn view(file: &str, page: &Path, more: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_binfmt"));
    program.args(["view", file, "-o"]).arg(page).args(more).stdin(Stdio::null());
    program.output().unwrap()
}

/// The page and its data, if there is one, and what is said beside it.
#[track_caller]
fn exits(code: i32, file: &str, more: &[&str]) -> (Option<(String, Value)>, String) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("page.html");
    let output = view(file, &path, more);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{file}: {said}");
    assert!(output.stdout.is_empty(), "{file}");
    let page = fs::read_to_string(&path).ok().map(|page| {
        let (_, data) = page.split_once("id=\"data\">").unwrap();
        let data = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
        (page, data)
    });
    let left = fs::read_dir(dir.path()).unwrap().count();
    assert_eq!(left, usize::from(page.is_some()), "{file}: something is left over");
    (page, said)
}

#[test]
fn pages_of_the_corpus_have_what_inspect_shows() {
    for (file, format) in [
        ("vpt/seed_two.vpt", "vpt"),
        ("fatbin/n13_multi.fatbin", "fatbin"),
        ("fatbin/host13.a", "fatbin"),
        ("pte/mlp.pte", "pte"),
        ("rten/dtypes_external_v2.rten", "rten"),
    ] {
        let file = corpus(file);
        let (page, said) = exits(0, &file, &[]);
        let (page, data) = page.unwrap();
        assert!(said.is_empty(), "{said}");
        assert!(page.starts_with("<!doctype html>") && page.len() < 4 << 20);
        assert_eq!((&data["format"], &data["verdict"]), (&format.into(), &"valid".into()));
        assert_eq!(data["size"], fs::metadata(&file).unwrap().len());
        let shown = Command::new(env!("CARGO_BIN_EXE_binfmt")).args(["inspect", &file]).output();
        let lines = String::from_utf8(shown.unwrap().stdout).unwrap();
        let lines = lines.lines().filter(|line| line.starts_with("0x")).count();
        assert_eq!(data["rows"].as_array().unwrap().len(), lines, "{file}");
    }
}

#[test]
fn damaged_file_has_a_page_with_what_is_wrong() {
    let (page, said) = exits(1, &corpus("vpt/negative/count_3.vpt"), &[]);
    let (_, data) = page.unwrap();
    assert!(said.contains("the region ends here"), "{said}");
    assert_eq!(data["verdict"], "malformed");
    assert_eq!(data["findings"][0][2], "programs[2].name_len");
    let row = usize::try_from(data["findings"][0][6].as_u64().unwrap()).unwrap();
    assert_eq!(data["rows"][row][4], 0x58);
}

#[test]
fn what_is_no_known_file_has_no_page() {
    let dir = tempfile::tempdir().unwrap();
    let of = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_string_lossy().into_owned()
    };
    for (name, bytes, why) in
        [("empty", &b""[..], "empty"), ("foreign", b"%PDF-1.7\n", "PDF"), ("odd", b"?", "")]
    {
        let (page, said) = exits(1, &of(name, bytes), &[]);
        assert!(page.is_none() && said.contains(why), "{name}: {said}");
    }
    let (page, said) = exits(2, "gone", &[]);
    assert!(page.is_none() && said.contains("no such file"), "{said}");
    // Who says what it is sees what is missing.
    let (page, _) = exits(1, &of("cut", b"\xd9"), &["--format", "vpt"]);
    assert_eq!(page.unwrap().1["verdict"], "malformed");
}

#[test]
fn pages_do_not_replace_what_is_there() {
    let dir = tempfile::tempdir().unwrap();
    let (file, page) = (corpus("vpt/seed_two.vpt"), dir.path().join("page.html"));
    fs::write(&page, "mine").unwrap();
    let output = view(&file, &page, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--force"));
    assert_eq!(fs::read_to_string(&page).unwrap(), "mine");
    assert_eq!(view(&file, &page, &["--force"]).status.code(), Some(0));
    assert!(fs::read_to_string(&page).unwrap().starts_with("<!doctype html>"));
    let nowhere = view(&file, &dir.path().join("no/folder/page.html"), &[]);
    assert_eq!(nowhere.status.code(), Some(2));
    let usage = Command::new(env!("CARGO_BIN_EXE_binfmt")).args(["view", &file]).output().unwrap();
    assert_eq!(usage.status.code(), Some(2));
}

#[test]
fn page_goes_to_standard_output_and_a_closed_one_is_no_error() {
    let file = corpus("vpt/negative/count_3.vpt");
    let output = view(&file, Path::new("-"), &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.starts_with(b"<!doctype html>"));
    let mut program = Command::new(env!("CARGO_BIN_EXE_binfmt"))
        .args(["view", &file, "-o", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(program.stdout.take());
    let mut said = String::new();
    program.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    // The damage is still told.
    assert_eq!(program.wait().unwrap().code(), Some(1), "{said}");
    assert!(said.contains("the region ends here") && !said.contains("written"), "{said}");
}
