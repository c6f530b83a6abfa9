//! `RTen` models: real files and damaged files.

use std::collections::BTreeMap;

use binfmt_formats::rten::{
    Attributes, ConstantData, ConstantNode, NodeData, OperatorNode, Rten, ValueNode,
};
use binfmt_runtime::{BinFormat, FbVec, FlatValue};
use serde_json::{Value, json};

use crate::corpus::{self, Sample};
use crate::laws;

/// The items of a vector that can be read.
fn all<'a, T: FlatValue<'a> + Clone>(vector: &FbVec<'a, T>) -> Vec<T> {
    vector.iter().map(Result::unwrap).collect()
}

/// A number or a name as the reference reader prints it.
fn name_of(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}")
}

fn operator(name: Option<&str>, node: &OperatorNode<'_>) -> Value {
    let attributes = match &node.attributes {
        None => "NONE".to_owned(),
        Some(Attributes::If(_)) => "IfAttrs".to_owned(),
        Some(Attributes::Loop(_)) => "LoopAttrs".to_owned(),
        Some(other) => {
            let shown = format!("{other:?}");
            format!("{}Attrs", shown.split('(').next().unwrap())
        }
    };
    json!({
        "attrs": attributes,
        "inputs": all(&node.inputs),
        "kind": "operator",
        "name": name,
        "op": name_of(&node.op),
        "outputs": all(&node.outputs),
    })
}

fn constant(name: Option<&str>, node: &ConstantNode<'_>, bytes: &[u8], at: Option<u64>) -> Value {
    let inline = node.data.as_ref().map(|data| match data {
        ConstantData::Float(_) => "FloatData",
        ConstantData::Int32(_) => "Int32Data",
        ConstantData::Int8(_) => "Int8Data",
        ConstantData::UInt8(_) => "UInt8Data",
        ConstantData::Other(_) => "unknown",
    });
    let mut facts = json!({
        "data_len": bytes.len(),
        "data_offset": node.data_offset.map(|offset| *offset),
        "dtype": node.dtype.as_ref().map(name_of),
        "inline": inline,
        "kind": "constant",
        "name": name,
        "sha256": corpus::sha256(bytes),
        "shape": all(&node.shape),
    });
    if node.data_offset.is_some() {
        facts["file_offset"] = json!(at);
    }
    facts
}

fn value(name: Option<&str>, node: &ValueNode<'_>) -> Value {
    let shape = node.shape.map(|shape| {
        let dims = all(&shape).into_iter();
        dims.map(|dim| dim.name.map_or(json!(dim.value), |name| json!(name))).collect::<Vec<_>>()
    });
    json!({ "dtype": node.dtype.as_ref().map(name_of), "kind": "value", "name": name, "shape": shape })
}

/// What we say about a file, in the words of the reference reader.
fn facts(rten: &Rten<'_>) -> Value {
    let model = rten.model().root().unwrap();
    let mut constants = rten.constants().map(Result::unwrap);
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    let mut operators: BTreeMap<String, u64> = BTreeMap::new();
    let nodes: Vec<Value> = all(&model.graph.nodes)
        .iter()
        .map(|node| match node.data.as_ref().unwrap() {
            NodeData::Operator(data) => {
                *kinds.entry("operator").or_default() += 1;
                *operators.entry(name_of(&data.op)).or_default() += 1;
                operator(node.name, data)
            }
            NodeData::Constant(data) => {
                *kinds.entry("constant").or_default() += 1;
                let read = constants.next().unwrap();
                assert_eq!(read.name, node.name);
                constant(node.name, data, read.bytes.unwrap(), read.offset)
            }
            NodeData::Value(data) => {
                *kinds.entry("value").or_default() += 1;
                value(node.name, data)
            }
            NodeData::Other(tag) => panic!("node of kind {tag}"),
        })
        .collect();
    let metadata = model.metadata.map(|metadata| {
        json!({
            "code_repository": metadata.code_repository,
            "commit": metadata.commit,
            "description": metadata.description,
            "license": metadata.license,
            "model_repository": metadata.model_repository,
            "onnx_hash": metadata.onnx_hash,
            "run_id": metadata.run_id,
            "run_url": metadata.run_url,
        })
    });
    let header = match rten {
        Rten::V2(file) => json!({
            "model_len": file.model.bytes().len(),
            "model_offset": 32 + file.before_model.len(),
            "tensor_data_offset": file.tensors_at(),
            "version": file.version,
        }),
        Rten::V1(_) => json!("InvalidMagic"),
    };
    json!({
        "graph": {
            "captures": model.graph.captures.map(|captures| all(&captures)),
            "inputs": all(&model.graph.inputs),
            "nodes": nodes,
            "outputs": all(&model.graph.outputs),
        },
        "header": header,
        "metadata": metadata,
        "schema_version": model.schema_version,
        "node_counts": kinds,
        "operator_counts": operators,
    })
}

#[test]
fn everything_is_as_the_reference_reader_says() {
    for Sample { name, bytes, facts: expected } in corpus::samples("rten") {
        let rten = Rten::parse(&bytes).unwrap();
        let Value::Object(found) = facts(&rten) else { panic!("{name}") };
        for (key, found) in found {
            assert_eq!(found, expected[&key], "{name}: {key}");
        }
    }
}

/// Findings of real files: version 1 is deprecated, and one converter left padding at the end.
#[test]
fn real_files_have_no_errors_and_are_rewritten_as_they_are() {
    for Sample { name, bytes, .. } in corpus::samples("rten") {
        let report = Rten::validate(&bytes);
        let codes: Vec<_> = report.findings().iter().map(|finding| finding.code).collect();
        let v1 = !bytes.starts_with(b"RTEN");
        let expected: &[&str] = if v1 { &["rten.bare.model.deprecated"] } else { &[] };
        assert_eq!(codes, expected, "{name}: {report}");
        assert_eq!(Rten::parse(&bytes).unwrap().to_vec().unwrap(), bytes, "{name}");
    }
}

#[test]
fn laws_hold_on_every_file() {
    for sample in corpus::samples("rten").into_iter().chain(corpus::mutants("rten")) {
        laws::hold::<Rten<'_>>(&sample.bytes, ());
    }
    for sample in corpus::samples("rten") {
        laws::round_trip::<Rten<'_>>(sample.bytes.leak(), ());
    }
}

/// Mutants that the loader accepts with the same result, so that nothing or only a warning is said:
/// a longer room for the model data, two constants of the same bytes, a node without a name, bytes at
/// the end.
const HARMLESS: &[(&str, &[&str])] = &[
    ("model_len_plus8.rten", &[]),
    ("node_name_absent.rten", &[]),
    ("trailing_garbage.rten", &["rten.sectioned.tensors.trailing"]),
    ("v1_trailing_garbage.rten", &["rten.bare.model.deprecated"]),
];

/// What the others are told first: where, and which rule. The error lies on what was changed, or on
/// what depends on it: on the constants that a shorter file or section no longer holds, on the table
/// whose vtable was changed, on the root that is read from another place.
const TOLD: &[(&str, &str, &str)] = &[
    ("all_zero_4k.rten", "model.graph", "required"),
    (
        "data_offset_last_partial.rten",
        "model.graph.nodes[6].data.data_offset",
        "rten.constant-node.data-offset.end",
    ),
    (
        "data_offset_max.rten",
        "model.graph.nodes[0].data.data_offset",
        "rten.constant-node.data-offset.end",
    ),
    (
        "data_offset_misaligned.rten",
        "model.graph.nodes[0].data.data_offset",
        "rten.constant-node.data-offset.align",
    ),
    (
        "data_offset_overlap.rten",
        "model.graph.nodes[6].data.data_offset",
        "rten.constant-node.data-offset.overlap",
    ),
    (
        "data_offset_past_eof.rten",
        "model.graph.nodes[0].data.data_offset",
        "rten.constant-node.data-offset.end",
    ),
    (
        "dtype_absent_external.rten",
        "model.graph.nodes[0].data.dtype",
        "rten.constant-node.dtype.missing",
    ),
    ("fb_root_offset_bad.rten", "model", "root"),
    ("magic_7274656e.rten", "model", "root"),
    ("model_len_max.rten", "model_data_len", "size"),
    ("model_len_minus8.rten", "model.graph.nodes[0].data.shape", "size"),
    ("model_len_one.rten", "model", "size"),
    ("model_len_past_eof.rten", "model_data_len", "size"),
    ("model_offset_m31.rten", "model_data_offset", "rten.sectioned.model-data-offset.min"),
    ("model_offset_max.rten", "model_data_offset", "size"),
    ("model_offset_plus1.rten", "model", "root"),
    ("model_offset_zero.rten", "model_data_offset", "rten.sectioned.model-data-offset.min"),
    ("node_kind_9.rten", "model.graph.nodes[0].data", "rten.node.data.known"),
    ("onnx_instead.rten", "model", "root"),
    (
        "op_input_forward_ref.rten",
        "model.graph.nodes[14].data.inputs[0]",
        "rten.operator-node.inputs.order",
    ),
    (
        "op_output_oob.rten",
        "model.graph.nodes[14].data.outputs[0]",
        "rten.operator-node.outputs.order",
    ),
    ("op_type_255.rten", "model.graph.nodes[15].data.op", "rten.operator-node.op.known"),
    ("schema_version_absent.rten", "model.schema_version", "rten.model.schema-version.known"),
    (
        "shape_overflow.rten",
        "model.graph.nodes[0].data.data_offset",
        "rten.constant-node.data-offset.end",
    ),
    ("tensor_data_m32.rten", "tensor_data_offset", "rten.sectioned.tensor-data-offset.min"),
    ("tensor_data_max.rten", "tensor_data_offset", "size"),
    (
        "tensor_data_plus1.rten",
        "model.graph.nodes[6].data.data_offset",
        "rten.constant-node.data-offset.end",
    ),
    ("trunc_0008.rten", "model_data_offset", "end"),
    ("trunc_0015.rten", "model_data_offset", "end"),
    ("trunc_0023.rten", "model_data_len", "end"),
    ("trunc_0024.rten", "tensor_data_offset", "end"),
    ("trunc_0031.rten", "tensor_data_offset", "end"),
    ("trunc_0032.rten", "model_data_len", "size"),
    ("trunc_0033.rten", "model_data_len", "size"),
    (
        "trunc_at_tensor_data.rten",
        "model.graph.nodes[6].data.data_offset",
        "rten.constant-node.data-offset.end",
    ),
    (
        "trunc_last_byte.rten",
        "model.graph.nodes[6].data.data_offset",
        "rten.constant-node.data-offset.end",
    ),
    (
        "v2_body_as_v1.rten",
        "model.graph.nodes[6].data.data_offset",
        "rten.constant-node.data-offset.section",
    ),
    ("version_0.rten", "version", "rten.sectioned.version.known"),
    ("version_4294967295.rten", "version", "rten.sectioned.version.known"),
];

#[test]
fn what_the_reference_refuses_or_reads_otherwise_is_an_error() {
    let mut told = TOLD.iter();
    for Sample { name, bytes, facts } in corpus::mutants("rten") {
        let report = Rten::validate(&bytes);
        if let Some((_, codes)) = HARMLESS.iter().find(|(harmless, _)| *harmless == name) {
            assert_eq!(facts["summary"], "accept", "{name}");
            let told: Vec<_> = report.findings().iter().map(|finding| finding.code).collect();
            assert_eq!(&told, codes, "{name}: {report}");
            continue;
        }
        let first = report.errors().next().unwrap_or_else(|| panic!("{name}: {report}"));
        let found = (name.as_str(), first.path.as_str(), first.code);
        assert_eq!(Some(&found), told.next(), "{report}");
    }
    assert_eq!(told.next(), None);
}

#[test]
fn reading_and_checking_allocate_nothing() {
    let bytes = corpus::file("rten", "mlp_v2.rten");
    let info = allocation_counter::measure(|| {
        assert!(Rten::is_valid(&bytes));
        let model = Rten::parse(&bytes).unwrap().model().root().unwrap();
        assert_eq!(model.graph.nodes.iter().flatten().count(), 13);
    });
    assert_eq!(info.count_total, 0);
}

#[test]
fn truncated_and_changed_files_are_read_without_panic() {
    for name in ["add_mul_v1.rten", "add_mul_v2.rten", "unicode_names_v2.rten"] {
        let bytes = corpus::file("rten", name);
        for len in 0..bytes.len() {
            laws::hold::<Rten<'_>>(&bytes[..len], ());
        }
        for changed in corpus::single_byte_changes(&bytes, bytes.len()) {
            laws::hold::<Rten<'_>>(&changed, ());
            if let Ok(rten) = Rten::parse(&changed) {
                assert!(rten.constants().count() < bytes.len(), "{name}");
            }
        }
    }
}
