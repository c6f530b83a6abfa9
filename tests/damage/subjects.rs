//! The declarations whose files are damaged, with what they are asked.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use binfmt_formats::fatbin::{self, Region, file, payload};
use binfmt_formats::ptd::{self, Ptd};
use binfmt_formats::pte::{self, Bundle, Pte, bundle};
use binfmt_formats::rten::{self, Rten};
use binfmt_formats::vpt::{Expect, VERSION, Vpt};
use binfmt_runtime::{BinFormat, Class, Layout, Problem, Report, Rule, Severity, Show};
use serde_json::Value;

/// One declaration.
#[derive(Clone, Copy)]
pub(crate) struct Subject {
    /// Its name, which is that of its list of witnesses.
    pub(crate) name: &'static str,
    /// `None` for what the program alone looks at.
    pub(crate) layout: Option<&'static Layout>,
    /// Folder of its files in the corpus, and how their names end.
    folder: &'static str,
    endings: &'static [&'static str],
    /// Its rules that are checked by hand.
    pub(crate) rules: &'static [&'static [Rule]],
    pub(crate) validate: fn(&[u8]) -> Report,
    /// Makes the tree, and drops it.
    pub(crate) inspect: fn(&[u8]),
    pub(crate) is_valid: fn(&[u8]) -> bool,
    /// Reads a file, and says whether it could.
    pub(crate) parse: fn(&[u8]) -> bool,
}

/// What the reader of the tables of the corpus was built for.
const EXPECT: Expect = Expect { version: Some(VERSION), vendor_id: Some(0x1123_5813) };

macro_rules! subject {
    ($name:literal, $ty:ty, $args:expr, $folder:literal, $endings:expr, $rules:expr) => {
        Subject {
            name: $name,
            layout: Some(<$ty>::LAYOUT),
            folder: $folder,
            endings: &$endings,
            rules: &$rules,
            validate: |bytes| <$ty>::validate_with(bytes, $args),
            inspect: |bytes| drop(<$ty>::inspect_with(bytes, $args)),
            is_valid: |bytes| <$ty>::is_valid_with(bytes, $args),
            parse: |bytes| <$ty>::parse_with(bytes, $args).is_ok(),
        }
    };
}

/// Every declaration.
pub(crate) const ALL: [Subject; 6] = [
    subject!("bpte", Bundle<'_>, (), "pte", ["bpte"], [bundle::RULES]),
    subject!("fatbin", Region<'_>, (), "fatbin", ["fatbin"], [fatbin::RULES]),
    subject!("ptd", Ptd<'_>, (), "ptd", ["ptd"], [ptd::RULES]),
    subject!("pte", Pte<'_>, (), "pte", ["pte"], [pte::RULES]),
    subject!("rten", Rten<'_>, (), "rten", ["rten"], [rten::RULES]),
    subject!("vpt", Vpt<'_>, EXPECT, "vpt", ["vpt"], []),
];

/// What the program says about payloads and whole files, beside what it says about the containers in
/// them.
pub(crate) const PAYLOADS: Subject = Subject {
    name: "payload",
    layout: None,
    rules: &[payload::RULES, file::RULES],
    validate: told_by_the_program,
    ..ALL[1]
};

fn told_by_the_program(bytes: &[u8]) -> Report {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(&file, bytes).unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_binfmt"));
    let output = program.args(["validate", "--json"]).arg(file.path()).output().unwrap();
    let line: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut report = Report::new();
    for finding in line["findings"].as_array().unwrap() {
        let number = |key: &str| usize::try_from(finding[key].as_u64().unwrap()).unwrap();
        let problem = Problem {
            code: finding["code"].as_str().unwrap().to_owned().leak(),
            class: Class::Invalid,
            start: number("start"),
            end: number("end"),
            what: format_args!("{}", finding["message"]),
            expected: Show::Nothing,
            found: Show::Nothing,
        };
        report.add(Severity::Error, finding["path"].as_str().unwrap(), &problem);
    }
    report
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

impl Subject {
    fn folder(&self) -> PathBuf {
        root().join("tests/corpus").join(self.folder)
    }

    /// A file by its name.
    pub(crate) fn file(&self, name: &str) -> Vec<u8> {
        fs::read(self.folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Every file of the corpus with its name, in that order; those that were damaged on purpose are
    /// in a folder `negative`.
    pub(crate) fn files(&self) -> Vec<(String, Vec<u8>)> {
        let mut files = Vec::new();
        for prefix in ["", "negative/"] {
            let Ok(entries) = fs::read_dir(self.folder().join(prefix)) else { continue };
            for entry in entries {
                let path = entry.unwrap().path();
                let ending = path.extension().and_then(|ending| ending.to_str());
                if ending.is_some_and(|ending| self.endings.contains(&ending)) {
                    let name = path.file_name().unwrap().to_str().unwrap();
                    files.push((format!("{prefix}{name}"), fs::read(&path).unwrap()));
                }
            }
        }
        files.sort();
        files
    }
}
