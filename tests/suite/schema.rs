//! `binfmt schema`, run as its users run it, against the layouts of the library.

use std::process::{Command, Output};

use binfmt_formats::{elf, fatbin, ptd, pte, rten, vpt};
use binfmt_runtime::{BinFormat as _, Layout, Rule, Shape};
use serde_json::Value;

fn schema(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_binfmt")).arg("schema").args(args).output().unwrap()
}

#[track_caller]
fn good(args: &[&str]) -> String {
    let output = schema(args);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn formats() -> [(&'static str, &'static Layout); 7] {
    [
        ("fatbin", fatbin::Region::LAYOUT),
        ("pte", pte::Pte::LAYOUT),
        ("bpte", pte::Bundle::LAYOUT),
        ("ptd", ptd::Ptd::LAYOUT),
        ("rten", rten::Rten::LAYOUT),
        ("vpt", vpt::Vpt::LAYOUT),
        ("elf", elf::Elf::LAYOUT),
    ]
}

#[test]
fn every_format_is_named() {
    let list = good(&[]);
    let lines = good(&["--json"]);
    for (name, layout) in formats() {
        assert!(list.lines().any(|line| line.starts_with(name)), "{list}");
        let line = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let line = line.into_iter().find(|line| line["format"] == name).unwrap();
        assert_eq!((&line["root"], &line["doc"]), (&layout.name.into(), &layout.doc.into()));
    }
}

#[test]
fn page_is_that_of_the_library() {
    for (name, layout) in formats() {
        let page = good(&[name]);
        let by_hand = page.strip_prefix(&layout.to_markdown()).unwrap_or_else(|| panic!("{page}"));
        assert_eq!(by_hand.matches("\n- ").count(), rules(name).count(), "{name}: {by_hand}");
        for rule in rules(name) {
            assert!(by_hand.contains(&format!("`{}`: {}", rule.code, rule.text)), "{by_hand}");
        }
    }
}

/// The rules of a format that are checked by hand.
fn rules(format: &str) -> impl Iterator<Item = &'static Rule> {
    let tables: &[&'static [Rule]] = match format {
        "fatbin" => &[fatbin::RULES, fatbin::file::RULES, fatbin::payload::RULES],
        "pte" => &[pte::RULES],
        "bpte" => &[pte::bundle::RULES],
        "ptd" => &[ptd::RULES],
        "rten" => &[rten::RULES],
        "elf" => &[elf::RULES],
        _ => &[],
    };
    tables.iter().copied().flatten()
}

/// The formats have one scheme: `format.type.field.rule`, where type and field are those of the
/// declarations.
#[test]
fn codes_name_format_type_field_and_rule() {
    for (name, layout) in formats() {
        let line: Value = serde_json::from_str(&good(&["--json", name])).unwrap();
        let codes: Vec<_> = line["codes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|code| code["code"].as_str().unwrap())
            .collect();
        let declared = layout.all();
        for code in &codes {
            assert_eq!(codes.iter().filter(|other| other == &code).count(), 1, "{code}: twice");
            let words: Vec<_> = code.split('.').collect();
            // A walk over all tables has one budget, as any walk.
            let [format, ty, rest @ ..] = &words[..] else {
                assert_eq!(*code, "budget");
                continue;
            };
            assert_eq!(*format, name, "{code}");
            let ty = declared.iter().find(|layout| kebab(layout.name) == *ty);
            let ty = ty.unwrap_or_else(|| panic!("{code}: no such type"));
            let rule = match rest {
                [rule] => rule,
                [field, rule] => {
                    assert!(
                        ty.fields.iter().any(|at| kebab(at.name) == *field),
                        "{code}: no such field"
                    );
                    rule
                }
                _ => panic!("{code}"),
            };
            let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(!rule.is_empty() && rule.chars().all(is_word), "{code}");
        }
    }
}

fn kebab(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.extend(if c == '_' { '-'.to_lowercase() } else { c.to_lowercase() });
    }
    out
}

#[test]
fn json_has_every_type_field_and_rule_once() {
    for (name, layout) in formats() {
        let line: Value = serde_json::from_str(&good(&["--json", name])).unwrap();
        let types = line["types"].as_array().unwrap();
        let names: Vec<_> = types.iter().map(|ty| ty["name"].as_str().unwrap()).collect();
        let expected: Vec<_> = layout.all().into_iter().map(|layout| layout.name).collect();
        assert_eq!(names, expected, "{name}");
        for (ty, layout) in types.iter().zip(layout.all()) {
            let fields = ty["fields"].as_array().unwrap();
            assert_eq!(fields.len(), layout.fields.len(), "{name}: {}", layout.name);
            for field in fields.iter().filter_map(|field| field["nested"].as_str()) {
                assert!(names.contains(&field), "{field} is not listed");
            }
            let rules = fields.iter().chain([ty]).map(|at| at["rules"].as_array().unwrap().len());
            assert_eq!(rules.sum::<usize>(), layout.all_rules().count(), "{}", layout.name);
        }
    }
}

#[test]
fn offsets_end_where_the_file_decides() {
    let entry = vpt::Vpt::LAYOUT.all().into_iter().find(|layout| layout.name == "Table").unwrap();
    let offsets: Vec<_> = entry.fields.iter().map(|field| (field.name, field.offset)).collect();
    assert_eq!(
        offsets,
        [
            ("version", Some(4)),
            ("vendor_id", Some(12)),
            ("size", Some(16)),
            ("program_count", Some(20)),
            ("programs", Some(24)),
        ]
    );
    let program = vpt::Vpt::LAYOUT.all().into_iter().find(|layout| layout.name == "Program");
    assert_eq!(program.unwrap().fields.last().unwrap().offset, None);
}

#[test]
fn numbers_of_enums_are_shown() {
    let kind = fatbin::Region::LAYOUT.all().into_iter().find(|layout| layout.shape == Shape::Enum);
    let kind = kind.unwrap();
    assert!(kind.words.starts_with("repr("), "{}", kind.words);
    let page = good(&["fatbin"]);
    for variant in kind.fields {
        assert!(page.contains(&format!("| `{}` | `{}` |", variant.words, variant.name)), "{page}");
    }
}

#[test]
fn unknown_format_is_wrong_usage_with_a_hint() {
    let output = schema(&["fatbni"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("'fatbin'") && said.contains("similar"), "{said}");
}
