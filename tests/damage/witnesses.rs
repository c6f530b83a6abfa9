//! Witnesses: for each rule of each declaration a change of a real file that breaks this rule and no
//! other.
//!
//! `witnesses/FORMAT.txt` has one line for each: the code, the file, the change, and the path and the
//! range of the only finding. A change is `OFFSET=BYTES` (put there), `OFFSET+BYTES` (put between),
//! `OFFSET-COUNT` (taken out) or `OFFSET|` (cut there), several with commas between, `BYTES*COUNT`
//! repeats the bytes, and `.` changes nothing; numbers and bytes are hexadecimal. A line `! CODE WHY`
//! names a rule that no file breaks alone.
//!
//! With `WITNESSES=overwrite` in the environment the lists are written anew where a change breaks
//! another rule than the list says, and lines that were found are added: read them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use binfmt_runtime::{Finding, Layout, Report};

use crate::search;
use crate::subjects::{self, Subject};

/// The rules that no declaration names: those of the language, and the word or type without which
/// none of them can be broken.
const GENERIC: [(&str, &[&str]); 34] = [
    ("align", &["flatbuffer"]),
    ("ambiguous", &["probe"]),
    ("budget", &["at =", "FbVec<", "FbRef<"]),
    ("canonical", &["at =", "pad_to", "map("]),
    ("checksum", &["checksum"]),
    ("count", &["count ="]),
    ("depth", &["Box<", "FbVec<", "FbRef<"]),
    ("derived", &["calc =", "set("]),
    ("end", &[""]),
    ("gap", &["at ="]),
    ("identifier", &["identifier ="]),
    ("leftover", &["until =", "whole len ="]),
    ("magic", &["magic ="]),
    ("map", &["map("]),
    ("nul", &["nul,", "&'a str"]),
    ("offset", &["at =", "flatbuffer"]),
    ("overlap", &["at ="]),
    ("overlong", &["Leb128"]),
    ("padding", &["pad_", "align_", "fill ="]),
    ("region", &["at ="]),
    ("required", &["required"]),
    ("reserved", &["Reserved<"]),
    ("root", &["root =", "FlatBuffer<"]),
    ("size", &["len =", "flatbuffer"]),
    ("slots", &["slots ="]),
    ("tag", &["tag ="]),
    ("trailing", &[""]),
    ("union", &["union"]),
    ("unkept", &["at ="]),
    ("utf16", &["Utf16"]),
    ("utf8", &["&'a str", "String"]),
    ("value", &["repr", "bool", "union"]),
    ("variant", &["magic ="]),
    ("vtable", &["flatbuffer"]),
];

/// One line of a list.
#[derive(Debug)]
pub(crate) struct Witness {
    pub(crate) code: String,
    pub(crate) file: String,
    pub(crate) change: String,
    /// Path and range of the finding.
    pub(crate) place: String,
}

/// What a list says.
#[derive(Debug, Default)]
pub(crate) struct List {
    pub(crate) witnesses: Vec<Witness>,
    /// The rules that nothing breaks alone, and why.
    pub(crate) without: BTreeMap<String, String>,
}

/// Whether the lists are to be written anew.
fn overwrites() -> bool {
    std::env::var_os("WITNESSES").is_some_and(|value| value == "overwrite")
}

impl List {
    fn path(subject: &Subject) -> PathBuf {
        let path = subjects::root().join("tests/damage/witnesses").join(subject.name);
        path.with_extension("txt")
    }

    /// Writes the list, sorted.
    fn write(&self, subject: &Subject) {
        let lines = self.witnesses.iter();
        let mut lines: Vec<_> = lines
            .map(|Witness { code, file, change, place }| format!("{code} {file} {change} {place}"))
            .collect();
        lines.sort();
        lines.extend(self.without.iter().map(|(code, why)| format!("! {code} {why}")));
        fs::write(Self::path(subject), lines.join("\n") + "\n").unwrap();
    }

    pub(crate) fn of(subject: &Subject) -> Self {
        let text = fs::read_to_string(Self::path(subject)).unwrap_or_default();
        let mut list = Self::default();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let words: Vec<&str> = line.splitn(4, ' ').collect();
            match words[..] {
                ["!", code, ..] => {
                    let why = line.split_once(code).unwrap().1.trim().to_owned();
                    assert!(!why.is_empty(), "{}: say why {code} has none", subject.name);
                    assert!(list.without.insert(code.to_owned(), why).is_none(), "{code}: twice");
                }
                [code, file, change, place] => list.witnesses.push(Witness {
                    code: code.to_owned(),
                    file: file.to_owned(),
                    change: change.to_owned(),
                    place: place.to_owned(),
                }),
                _ => panic!("{}: `{line}` is no witness", subject.name),
            }
        }
        list
    }

    pub(crate) fn has(&self, code: &str) -> bool {
        self.witnesses.iter().any(|witness| witness.code == code)
    }
}

/// Applies a change, as a list has it.
pub(crate) fn changed(file: &[u8], change: &str) -> Vec<u8> {
    let mut bytes = file.to_vec();
    let number = |text: &str| usize::from_str_radix(text, 16).unwrap();
    let hex = |text: &str| -> Vec<u8> {
        let (text, count) = text.split_once('*').unwrap_or((text, "1"));
        let pairs = (0..text.len()).step_by(2).map(|at| &text[at..at + 2]);
        let bytes = pairs.map(|pair| u8::from_str_radix(pair, 16).unwrap());
        bytes.collect::<Vec<u8>>().repeat(number(count))
    };
    for part in change.split(',').filter(|part| *part != ".") {
        let sign = part.find(['=', '+', '-', '|']).unwrap_or_else(|| panic!("`{part}`"));
        let (at, rest) = (number(&part[..sign]), &part[sign + 1..]);
        match &part[sign..=sign] {
            "=" => bytes[at..at + rest.len() / 2].copy_from_slice(&hex(rest)),
            "+" => drop(bytes.splice(at..at, hex(rest))),
            "-" => drop(bytes.drain(at..at + number(rest))),
            _ => bytes.truncate(at),
        }
    }
    bytes
}

/// Path and range of a finding, as a list has them.
pub(crate) fn place(finding: &Finding) -> String {
    let path = finding.path.as_str();
    let path = if path.is_empty() { "." } else { path };
    format!("{path} {:#x}..{:#x}", finding.start, finding.end)
}

fn same(a: &Finding, b: &Finding) -> bool {
    (a.code, a.path.as_str()) == (b.code, b.path.as_str())
}

/// The findings of a damaged file that the file itself does not have.
pub(crate) fn new(before: &Report, after: &Report) -> Vec<Finding> {
    let new = after.findings().iter();
    let new = new.filter(|one| !before.findings().iter().any(|other| same(other, one)));
    new.cloned().collect()
}

/// The codes of every rule of a declaration: those it names, those that are checked by hand, and those
/// of the language that its words can break.
pub(crate) fn codes(subject: &Subject) -> BTreeSet<String> {
    let layouts = subject.layout.map(Layout::all).unwrap_or_default();
    let rules = layouts.iter().flat_map(|layout| layout.all_rules());
    let mut codes: BTreeSet<String> = rules.map(|rule| rule.code.to_owned()).collect();
    codes.extend(subject.rules.iter().copied().flatten().map(|rule| rule.code.to_owned()));
    let mut words: Vec<&str> = Vec::new();
    for layout in &layouts {
        words.push(layout.words);
        if layout.words.contains("len =") {
            words.push("whole len =");
        }
        words.extend(layout.fields.iter().flat_map(|field| [field.words, field.ty]));
    }
    for (code, needles) in GENERIC.into_iter().filter(|_| subject.layout.is_some()) {
        if needles.iter().any(|needle| words.iter().any(|word| word.contains(needle))) {
            codes.insert(code.to_owned());
        }
    }
    codes
}

#[test]
fn every_rule_has_a_witness() {
    let mut missing = Vec::new();
    for subject in subjects::ALL.into_iter().chain([subjects::PAYLOADS]) {
        let (list, codes) = (List::of(&subject), codes(&subject));
        let without: Vec<_> = codes.iter().filter(|code| !list.has(code)).collect();
        println!(
            "{}: {} of {} rules have a witness, {} cannot be broken alone",
            subject.name,
            codes.len() - without.len(),
            codes.len(),
            list.without.len()
        );
        let unknown: Vec<_> =
            without.into_iter().filter(|code| !list.without.contains_key(*code)).collect();
        if !unknown.is_empty() {
            let (found, not_found) = search::lines(&subject, &unknown);
            missing.push(format!("{}:", subject.name));
            missing.extend(found.iter().chain(&not_found).cloned());
            if overwrites() {
                let path = List::path(&subject);
                let old = fs::read_to_string(&path).unwrap_or_default();
                fs::write(path, found.join("\n") + "\n" + &old).unwrap();
            }
        }
        let needless = list.without.keys().filter(|code| !codes.contains(*code) || list.has(code));
        let needless: Vec<_> = needless.collect();
        assert!(needless.is_empty(), "{}: no reason is needed for {needless:?}", subject.name);
    }
    assert!(
        missing.is_empty(),
        "rules without a witness, and lines for them:\n{}",
        missing.join("\n")
    );
}

/// Every place that reports a rule has a rule of its own, so that a witness of the rule is one of the
/// place.
#[test]
fn every_rule_is_reported_in_one_place() {
    let mut count = 0;
    for format in ["fatbin", "ptd", "pte", "pte/xnnpack", "rten", "vpt"] {
        let mut sources = String::new();
        let folder = subjects::root().join("formats/src");
        read(&folder.join(format), &mut sources);
        read(&folder.join(format).with_extension("rs"), &mut sources);
        let words: Vec<&str> =
            sources.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
        for line in sources.lines().map(str::trim_start) {
            let Some((name, rest)) = line.split_once(": ") else { continue };
            if !["error \"", "warning \"", "note \""].iter().any(|word| rest.starts_with(word)) {
                continue;
            }
            let places = words.iter().filter(|word| **word == name).count() - 1;
            assert_eq!(places, 1, "{format}: {name} is reported in {places} places");
            count += 1;
        }
    }
    let subjects = subjects::ALL.iter().chain([&subjects::PAYLOADS]);
    let listed: usize = subjects.flat_map(|subject| subject.rules).map(|rules| rules.len()).sum();
    let listed = listed + binfmt_formats::pte::xnnpack::RULES.len();
    assert_eq!(count, listed, "rules that were found in the sources, and those in the lists");
}

/// Appends the sources at a path, without their tests, and without those of a format inside another.
fn read(path: &Path, sources: &mut String) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            if path.file_stem().is_none_or(|name| name != "xnnpack") {
                read(&path, sources);
            }
        }
    } else if let Ok(text) = fs::read_to_string(path) {
        sources.push_str(text.split("\nmod tests {").next().unwrap());
    }
}

#[test]
fn witnesses_break_one_rule_each() {
    let mut wrong = Vec::new();
    for subject in subjects::ALL.into_iter().chain([subjects::PAYLOADS]) {
        let mut list = List::of(&subject);
        for witness in &mut list.witnesses {
            let file = subject.file(&witness.file);
            let bytes = changed(&file, &witness.change);
            // What a file has without a change is no witness of the change.
            let before = if bytes == file { Report::new() } else { (subject.validate)(&file) };
            let found = new(&before, &(subject.validate)(&bytes));
            let told: Vec<_> =
                found.iter().map(|found| format!("{} {}", found.code, place(found))).collect();
            if told == [format!("{} {}", witness.code, witness.place)] {
                continue;
            }
            match &found[..] {
                [one] if overwrites() => {
                    (witness.code, witness.place) = (one.code.to_owned(), place(one));
                }
                _ => wrong.push(format!("{}: {witness:?} gives {told:?}", subject.name)),
            }
        }
        if overwrites() {
            list.write(&subject);
        }
    }
    assert!(wrong.is_empty(), "these are no witnesses:\n{}", wrong.join("\n"));
}
