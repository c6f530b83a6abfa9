//! `binfmt schema`, run as its users run it, against the layouts of the library.

use std::process::{Command, Output};

use binfmt_formats::{fatbin, ptd, rten, vpt};
use binfmt_runtime::{BinFormat as _, Layout, Shape};
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

fn formats() -> [(&'static str, &'static Layout); 4] {
    [
        ("fatbin", fatbin::Region::LAYOUT),
        ("ptd", ptd::Ptd::LAYOUT),
        ("rten", rten::Rten::LAYOUT),
        ("vpt", vpt::Vpt::LAYOUT),
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
        assert_eq!(good(&[name]), layout.to_markdown());
    }
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
