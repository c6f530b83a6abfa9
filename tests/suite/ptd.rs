//! `ExecuTorch` tensor data: real files and damaged files.

use binfmt_formats::ptd::{DataSegment, Entry, Ptd, ScalarType, Tables};
use binfmt_runtime::{BinFormat, Class, FbVec, FlatValue, Report};
use serde_json::{Value, json};

use crate::corpus::{self, Sample};
use crate::laws;

/// The items of a vector that can be read.
fn all<'a, T: FlatValue<'a> + Clone>(vector: &FbVec<'a, T>) -> Vec<T> {
    vector.iter().map(Result::unwrap).collect()
}

/// The schema's name of an element type.
fn enum_name(scalar_type: ScalarType) -> String {
    match scalar_type {
        ScalarType::Byte => "BYTE".to_owned(),
        other => format!("{other:?}").to_uppercase(),
    }
}

fn segment(file: &Ptd<'_>, segment: &DataSegment) -> Value {
    let bytes = file.segment(segment).unwrap();
    json!({ "offset": *segment.offset, "size": *segment.size, "sha256": corpus::sha256(bytes) })
}

/// Tables as of 0.7, in the words of the reference reader.
fn current(file: &Ptd<'_>) -> Value {
    let Tables::FlatTensor(root) = file.tables.root().unwrap() else { panic!("the old schema") };
    let named = all(&root.named_data).into_iter().map(|named| {
        let layout = named.tensor_layout.map(|layout| {
            let dtype = layout.scalar_type;
            let number = (0..30).find(|number| scalar_type(*number) == dtype).unwrap();
            json!({
                "scalar_type": [number, enum_name(dtype)],
                "sizes": all(&layout.sizes),
                "dim_order": layout.dim_order,
            })
        });
        json!({ "key": *named.key, "segment_index": *named.segment_index, "tensor_layout": layout })
    });
    json!({
        "version": root.version,
        "segments": all(&root.segments).iter().map(|run| segment(file, run)).collect::<Vec<_>>(),
        "named_data": named.collect::<Vec<_>>(),
    })
}

fn scalar_type(number: u8) -> ScalarType {
    ScalarType::parse(&[number]).unwrap()
}

/// Tables as of 0.6, in the words of the reference reader.
fn old(file: &Ptd<'_>) -> Value {
    let Tables::FlatTensor06(root) = file.tables.root().unwrap() else { panic!("the new schema") };
    let entries: Vec<Entry<'_>> = file.entries().unwrap().map(Result::unwrap).collect();
    let tensors = all(&root.tensors).into_iter().zip(&entries).map(|(tensor, entry)| {
        let bytes = entry.bytes.unwrap();
        json!({
            "fully_qualified_name": *tensor.name,
            "scalar_type": enum_name(tensor.scalar_type),
            "sizes": all(&tensor.sizes),
            "dim_order": tensor.dim_order,
            "segment_index": *tensor.segment_index,
            "offset": *tensor.offset,
            "file_offset": entry.offset,
            "nbytes": bytes.len(),
            "sha256": corpus::sha256(bytes),
        })
    });
    json!({
        "version": root.version,
        "tensor_alignment": root.tensor_alignment,
        "tensors": tensors.collect::<Vec<_>>(),
        "segments": all(&root.segments).iter()
            .map(|run| json!({ "offset": *run.offset, "size": *run.size })).collect::<Vec<_>>(),
        "named_data": all(&root.named_data).iter()
            .map(|named| json!({ "key": *named.key, "segment_index": *named.segment_index })).collect::<Vec<_>>(),
    })
}

#[test]
fn every_fact_of_the_reference_readers_is_told() {
    for Sample { name, bytes, facts } in corpus::samples("ptd") {
        let file = Ptd::parse(&bytes).unwrap();
        let header = json!({
            "length": file.header_len,
            "flatbuffer_offset": file.flatbuffer_offset,
            "flatbuffer_size": file.flatbuffer_size,
            "segment_base_offset": file.segment_base_offset,
            "segment_data_size": file.segment_data_size,
        });
        assert_eq!(header, facts["header"], "{name}");
        assert_eq!(json!(file.root_offset), facts["root_offset"], "{name}");
        assert_eq!(facts["identifier"], str::from_utf8(&file.identifier).unwrap(), "{name}");
        assert_eq!(facts["file_size"], bytes.len(), "{name}");
        assert_eq!(facts["file_sha256"], corpus::sha256(&bytes), "{name}");
        if let Some(old_facts) = facts.get("flat_tensor_0_6") {
            assert_eq!(old(&file), *old_facts, "{name}");
            continue;
        }
        let told = current(&file);
        for key in ["version", "segments", "named_data"] {
            assert_eq!(told[key], facts[key], "{name}: {key}");
        }
        check_runtime(&name, &file, &facts);
    }
}

/// What the C++ runtime gives for every key.
fn check_runtime(name: &str, file: &Ptd<'_>, facts: &Value) {
    let keys = file.keys().unwrap();
    let expected = facts["cpp_runtime"]["named_data"].as_array().unwrap();
    assert_eq!(keys.len(), expected.len(), "{name}");
    for fact in expected {
        let key = fact["key"].as_str().unwrap();
        let entry = keys.get(key).unwrap_or_else(|| panic!("{name}: {key}")).unwrap();
        let bytes = entry.bytes.unwrap();
        assert_eq!(fact["size"], bytes.len(), "{name}: {key}");
        assert_eq!(fact["sha256"], corpus::sha256(bytes), "{name}: {key}");
    }
    assert!(keys.get("no such key").is_none(), "{name}");
    for fact in facts["cpp_layouts"].as_array().into_iter().flatten() {
        let entry = keys.get(fact["key"].as_str().unwrap()).unwrap().unwrap();
        let layout = entry.layout.unwrap();
        assert_eq!(
            scalar_type(u8::try_from(fact["dtype"].as_u64().unwrap()).unwrap()),
            layout.scalar_type
        );
        assert_eq!(fact["sizes"], json!(all(&layout.sizes)), "{name}");
        assert_eq!(fact["dim_order"], json!(layout.dim_order), "{name}");
        assert_eq!(fact["nbytes"], json!(layout.byte_len().unwrap()), "{name}");
    }
}

/// The real files with findings, and which.
const FINDINGS: &[(&str, &[&str])] = &[("old_et060.ptd", &["warning ptd.ptd.tables.schema"])];

fn told(report: &Report) -> Vec<String> {
    let findings = report.findings().iter();
    findings.map(|finding| format!("{} {}", finding.severity.name(), finding.code)).collect()
}

#[test]
fn real_files_have_no_errors_and_are_rewritten_as_they_are() {
    for Sample { name, bytes, .. } in corpus::samples("ptd") {
        let known = FINDINGS.iter().find(|(file, _)| *file == name);
        let report = Ptd::validate(&bytes);
        assert_eq!(
            told(&report),
            known.map_or(&[][..], |(_, findings)| findings),
            "{name}: {report}"
        );
        laws::round_trip::<Ptd<'_>>(bytes.clone().leak(), ());
        assert_eq!(Ptd::parse(&bytes).unwrap().to_vec().unwrap(), bytes, "{name}");
    }
}

#[test]
fn laws_hold_on_every_file() {
    for sample in corpus::samples("ptd").into_iter().chain(corpus::mutants("ptd")) {
        laws::hold::<Ptd<'_>>(&sample.bytes, ());
    }
}

/// Mutants that runtimes accept although a rule is broken: they read beyond a segment, or compute
/// strides from an order of dimensions that is none.
const ACCEPTED_ERRORS: &[&str] =
    &["layout_bigger_than_segment.ptd", "layout_dim_order_dup.ptd", "layout_dim_order_shorter.ptd"];

/// Mutants whose error lies on something that depends on the damage, and on what: where the tables
/// end is the sum of offset and size, and what a vtable does not have is missing in its table.
const ELSEWHERE: &[(&str, &str)] = &[
    ("flatbuffer_offset_max.ptd", "flatbuffer_size"),
    ("flatbuffer_offset_past_eof.ptd", "flatbuffer_size"),
    ("segments_null.ptd", "tables.segments"),
];

/// Whether a finding lies on a changed byte, or, where the file was cut, says that bytes are missing.
fn on(changed: &[(u64, u64)], end: u64, start: u64, stop: u64, class: Class) -> bool {
    changed.iter().any(|&(from, to)| {
        let cut = from == to && to == end;
        (start < to && from < stop) || (cut && (stop == end || class == Class::Incomplete))
    })
}

/// What is wrong with the judgement about a mutant, if anything.
fn misjudged(name: &str, bytes: &[u8], facts: &Value, report: &Report) -> Option<&'static str> {
    if facts["summary"] == "accept, same data" && !ACCEPTED_ERRORS.contains(&name) {
        let rewritten = || Ptd::parse(bytes).unwrap().to_vec().unwrap() == bytes;
        return match (report.is_ok(), report.findings().is_empty()) {
            (false, _) => Some("an error"),
            (_, true) => Some("no warning"),
            _ => (!rewritten()).then_some("rewriting changes it"),
        };
    }
    if report.errors().any(|finding| finding.spec.is_none()) {
        return Some("an error does not say where the rule is specified");
    }
    let (changed, end) = (corpus::changed(facts), bytes.len() as u64);
    let near = match ELSEWHERE.iter().find(|(file, _)| *file == name) {
        Some((_, path)) => report.errors().any(|finding| finding.path.as_str() == *path),
        None => report
            .errors()
            .any(|finding| on(&changed, end, finding.start, finding.end, finding.class)),
    };
    (!near).then_some("no error on the damage")
}

#[test]
fn mutants_are_judged_as_the_runtimes_treat_them() {
    let mut wrong = Vec::new();
    for Sample { name, bytes, facts } in corpus::mutants("ptd") {
        let report = Ptd::validate(&bytes);
        if let Some(why) = misjudged(&name, &bytes, &facts, &report) {
            wrong.push(format!("{name}: {why}; changed {}\n{report}", facts["changed"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
