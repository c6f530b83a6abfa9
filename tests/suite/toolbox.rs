//! What one line gives: a program for a format that a crate outside of this workspace declares.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A crate with a format of twenty lines and a `main` of one.
const PROGRAM: &str = r#"
use std::process::ExitCode;

use binfmt_runtime::{Auto, BinFormat};

/// A list of names.
#[derive(BinFormat)]
#[bin(little, magic = b"NAME")]
struct Names<'a> {
    #[bin(check(version == 1, "version {version} is unknown"))]
    version: u8,
    count: Auto<u8>,
    #[bin(count = count)]
    names: Vec<Name<'a>>,
}

/// One name, behind its length.
#[derive(BinFormat)]
struct Name<'a> {
    len: Auto<u8>,
    #[bin(len = len)]
    text: &'a str,
}

fn main() -> ExitCode {
    binfmt_tool::main(&[binfmt_tool::format::<Names>("names")])
}
"#;

/// What the crate depends on: the sources, or packages that `scripts/package` has made and unpacked.
fn dependencies(root: &str, packages: Option<&str>) -> String {
    let Some(packages) = packages else {
        return format!(
            "[dependencies]\nbinfmt-runtime = {{ path = {:?}, features = [\"derive\"] }}\n\
             binfmt-tool = {{ path = {:?} }}\n",
            format!("{root}/binfmt-runtime"),
            format!("{root}/tool"),
        );
    };
    let version = env!("CARGO_PKG_VERSION");
    let crates = ["binfmt-derive", "binfmt-runtime", "binfmt-formats", "binfmt-tool"];
    let patches =
        crates.map(|name| format!("{name} = {{ path = {:?} }}\n", format!("{packages}/{name}")));
    format!(
        "[dependencies]\nbinfmt-runtime = \"{version}\"\nbinfmt-tool = \"{version}\"\n\n\
         [patch.crates-io]\n{}",
        patches.concat(),
    )
}

/// Builds the crate in a folder of its own, with what is built already where that fits.
fn built(folder: &Path) -> std::path::PathBuf {
    let root = env!("CARGO_MANIFEST_DIR");
    let manifest = format!(
        "[package]\nname = \"names\"\nversion = \"2.3.4\"\nedition = \"2024\"\n\n{}\n\
         [workspace]\n\n[profile.dev]\ndebug = false\n",
        dependencies(root, std::env::var("BINFMT_PACKAGED").ok().as_deref()),
    );
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::write(folder.join("src/main.rs"), PROGRAM).unwrap();
    fs::copy(format!("{root}/Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("downstream");
    let cargo = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--offline"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", &target)
        .env("RUSTFLAGS", "")
        .output()
        .unwrap();
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    target.join("debug").join(format!("names{}", std::env::consts::EXE_SUFFIX))
}

struct Names {
    program: std::path::PathBuf,
}

impl Names {
    fn run(&self, args: &[&str]) -> Output {
        Command::new(&self.program).args(args).stdin(Stdio::null()).output().unwrap()
    }

    #[track_caller]
    fn says(&self, code: i32, args: &[&str]) -> String {
        let output = self.run(args);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {text}{errors}");
        text + &errors
    }
}

#[test]
fn one_line_gives_a_format_of_twenty_a_program() {
    let dir = tempfile::tempdir().unwrap();
    let names = Names { program: built(dir.path()) };
    let file = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_string_lossy().into_owned()
    };
    let good = file("good", b"NAME\x01\x02\x03Ada\x05Grace");
    let bad = file("bad", b"NAME\x07\x01\x03Ad\xff");
    let foreign = file("foreign", b"%PDF-1.7");

    let help = names.says(0, &["--help"]);
    for verb in ["identify", "inspect", "view", "get", "validate", "rewrite", "schema"] {
        assert!(help.contains(verb), "{help}");
    }
    for absent in ["convert", "metadata", "edit", "binfmt"] {
        assert!(!help.contains(absent), "{help}");
    }
    assert!(names.says(0, &["inspect", "--help"]).contains("  names inspect"));

    let shown = names.says(0, &["inspect", &good]);
    assert!(shown.contains("\"Grace\""), "{shown}");
    assert!(names.says(0, &["validate", &good]).contains("valid (names)"));
    let found = names.says(1, &["validate", &bad]);
    assert!(found.contains("version 7 is unknown"), "{found}");
    assert!(names.says(1, &["validate", &foreign]).contains("PDF"));
    assert!(names.says(2, &["validate", "gone"]).contains("no such file"));
    assert!(names.says(0, &["schema", "names"]).contains("One name, behind its length."));

    assert_eq!(
        names.says(0, &["export", "names", "--to", "md"]),
        names.says(0, &["schema", "names"])
    );
    let ksy = names.says(0, &["export", "names", "--to", "ksy"]);
    assert!(ksy.contains("type: name\n    repeat: expr\n    repeat-expr: count\n"), "{ksy}");
    let magic = names.says(0, &["export", "names", "--to", "magic"]);
    assert!(magic.contains("0\tstring\tNAME\tnames: A list of names\n"), "{magic}");
    assert!(names.says(0, &["export", "names", "--to", "json"]).contains("\"root\": \"Names\""));

    let page = dir.path().join("page.html").to_string_lossy().into_owned();
    names.says(1, &["view", &bad, "-o", &page]);
    let damaged = fs::read_to_string(&page).unwrap();
    assert!(damaged.contains("version 7 is unknown"), "{damaged}");
    assert!(names.says(2, &["view", &good, "-o", &page]).contains("--force"));
    names.says(0, &["view", &good, "-o", &page, "--force"]);
    let whole = fs::read_to_string(&page).unwrap();
    assert!(whole.contains("Grace") && whole.contains("A list of names"), "{whole}");

    assert_eq!(names.says(0, &["get", &good, "names[1].text"]), "Grace\n");
    assert!(names.says(0, &["identify", &good]).contains("names: A list of names"));
    assert!(names.says(0, &["completions", "bash"]).contains("names__subcmd__inspect"));
    assert!(names.says(0, &["man"]).contains(".TH names"));

    let other = dir.path().join("other").to_string_lossy().into_owned();
    names.says(0, &["set", &good, "names[0].text=Augusta", "-o", &other]);
    assert_eq!(fs::read(&other).unwrap(), b"NAME\x01\x02\x07Augusta\x05Grace");
    let changed = names.says(1, &["diff", &good, &other]);
    assert!(changed.starts_with("~ names[0].text: \"Ada\" becomes \"Augusta\"\n"), "{changed}");

    let copy = dir.path().join("copy").to_string_lossy().into_owned();
    names.says(0, &["rewrite", &good, "-o", &copy]);
    assert_eq!(fs::read(&copy).unwrap(), fs::read(&good).unwrap());
    names.says(1, &["rewrite", &bad, "-o", &format!("{copy}.bad")]);
    assert!(!dir.path().join("copy.bad").exists());
}
