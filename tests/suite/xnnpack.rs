//! Payloads of delegates for XNNPACK, in programs of the corpus and made here.

use std::collections::BTreeSet;

use binfmt_formats::pte::xnnpack::graph::{
    ConstantData, Graph, PerChannel, Quantization, QuantizedValue, TensorValue, XValue,
};
use binfmt_formats::pte::xnnpack::node::{FullyConnected, NONE, Node, Operation};
use binfmt_formats::pte::xnnpack::{Datatype, Headed, Place, Value, Xnnpack};
use binfmt_formats::pte::{Edit, EditError, Pte, Source};
use binfmt_formats::tensor::Tensor;
use binfmt_runtime::{BinFormat as _, FbVec, FlatBuffer, FlatBuild as _};

use crate::corpus::{self, Sample};
use crate::laws;
use crate::pte_facts::programs;

/// The payloads of all programs, with the name of the file.
fn payloads() -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for Sample { name, bytes, .. } in programs() {
        let pte = Pte::parse(&bytes).unwrap();
        let program = pte.program().unwrap();
        for plan in program.plans().iter().map(Result::unwrap) {
            for delegate in plan.delegates().iter().map(Result::unwrap) {
                let bytes = pte.delegate_bytes(&program, &delegate).unwrap();
                all.push((name.clone(), bytes.to_vec()));
            }
        }
    }
    all
}

#[test]
fn payloads_of_real_files_hold_the_laws() {
    let payloads = payloads();
    assert_eq!(payloads.len(), 13);
    for (name, bytes) in payloads {
        assert!(Xnnpack::is_meant(&bytes), "{name}");
        let report = Xnnpack::validate(&bytes);
        assert!(report.findings().is_empty(), "{name}: {report}");
        laws::hold::<Xnnpack<'_>>(&bytes, ());
        for len in 0..bytes.len() {
            assert!(!Xnnpack::is_valid(&bytes[..len]), "{name}: cut to {len}");
        }
    }
}

#[test]
fn damaged_payloads_are_read_without_panic() {
    let (_, bytes) = payloads().into_iter().find(|(name, _)| name == "mlp_xnnpack.pte").unwrap();
    for damaged in corpus::single_byte_changes(&bytes, bytes.len()) {
        let _ = Xnnpack::validate(&damaged);
        if let Ok(payload) = Xnnpack::parse(&damaged) {
            let _ = payload.constants();
        }
    }
}

fn contents<'t>(
    tensors: impl IntoIterator<Item = &'t Tensor<'t>>,
) -> BTreeSet<(Vec<u64>, Vec<u8>)> {
    let content = |tensor: &Tensor<'_>| (tensor.shape.clone(), tensor.bytes.unwrap().to_vec());
    tensors.into_iter().map(content).collect()
}

/// The same model was exported with the delegate and without.
#[test]
fn constants_are_those_of_the_exported_model() {
    let mut compared = 0;
    for (delegated, plain) in [
        ("mlp_xnnpack.pte", "mlp.pte"),
        ("mlp_xnnpack_et060_named.pte", "mlp.pte"),
        ("mlp_xnnpack_inline_align256.pte", "mlp.pte"),
        ("mlp_xnnpack_inline_delegate.pte", "mlp.pte"),
        ("multi_method_xnnpack_shared.pte", "multi_method.pte"),
    ] {
        let (delegated, plain) = (corpus::file("pte", delegated), corpus::file("pte", plain));
        let delegated = Pte::parse(&delegated).unwrap().tensors().unwrap();
        let plain = Pte::parse(&plain).unwrap().tensors().unwrap();
        let expected = contents(plain.iter().filter(|tensor| !tensor.shape.is_empty()));
        let found = contents(delegated.iter().filter(|tensor| !tensor.shape.is_empty()));
        assert!(found.is_subset(&expected), "{found:?} {expected:?}");
        compared += found.len();
    }
    assert_eq!(compared, 4 * 4 + 2);
}

/// A graph of one layer: its weights quantized, and constants in the payload but the bias.
struct Made {
    constants: Vec<u8>,
    weights_at: u64,
    bias_size: u64,
    output: u32,
    id: u32,
    constant: u32,
}

impl Default for Made {
    fn default() -> Self {
        let constants = [1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 128, 63, 0, 0, 0, 64].to_vec();
        Self { constants, weights_at: 0, bias_size: 8, output: 3, id: 3, constant: 1 }
    }
}

fn tensor(datatype: Datatype, dims: &[u32], id_out: u32, constant: u32) -> TensorValue<'_> {
    TensorValue {
        datatype,
        num_dims: u32::try_from(dims.len()).unwrap(),
        dims: FbVec::from(dims),
        constant_buffer_idx: constant.into(),
        external_id: u32::MAX,
        flags: 0,
        id_out,
        dq_datatype: Datatype::Invalid,
    }
}

impl Made {
    fn write(&self) -> Vec<u8> {
        let scale = PerChannel {
            scale: FbVec::default(),
            channel_dim: 0,
            scale_buffer_idx: 2,
            num_scales: 2,
        };
        let weights = QuantizedValue {
            tensor: Some(tensor(Datatype::Qcint8, &[2, 3], 1, self.constant)),
            quantization: Some(Quantization::PerChannel(scale)),
        };
        let values = [
            Value::Tensor(tensor(Datatype::Fp32, &[1, 3], 0, 0)),
            Value::Quantized(weights),
            Value::Tensor(tensor(Datatype::Fp32, &[2], 2, 3)),
            Value::Tensor(tensor(Datatype::Fp32, &[1, 2], self.id, 0)),
        ]
        .map(|value| XValue { value: Some(value) });
        let layer = FullyConnected {
            input1_id: 0,
            filter_id: 1,
            bias_id: 2,
            output_id: self.output,
            flags: 0,
        };
        let clamp = FullyConnected { bias_id: NONE, filter_id: 1, ..layer.clone() };
        let nodes = [layer, clamp].map(|layer| Node {
            operation: Some(Operation::FullyConnected(layer)),
            debug_handle: 0,
            output_min_max: None,
        });
        let inside = |offset, size| ConstantData { offset, size, named_key: None };
        let constants = [
            inside(0, 0),
            inside(self.weights_at, 6),
            inside(8, 8),
            ConstantData { offset: u64::MAX, size: self.bias_size, named_key: Some("bias") },
        ];
        let graph = Graph {
            version: Some("0"),
            nodes: FbVec::from(&nodes[..]),
            values: FbVec::from(&values[..]),
            num_externs: 2,
            input_ids: FbVec::from(&[0][..]),
            output_ids: FbVec::from(&[3][..]),
            constant_buffer: FbVec::default(),
            mem_buffer_sizes: FbVec::default(),
            constants: FbVec::from(&constants[..]),
        };
        let buffer = graph.to_buffer().unwrap();
        headed(FlatBuffer::parse(&buffer).unwrap(), &self.constants)
    }
}

fn headed<'a>(graph: FlatBuffer<'a, Graph<'a>>, constants: &'a [u8]) -> Vec<u8> {
    Xnnpack::Headed(Headed::new(graph, constants)).to_vec().unwrap()
}

#[test]
fn constants_lie_in_the_payload_or_have_a_key() {
    let bytes = Made::default().write();
    let report = Xnnpack::validate(&bytes);
    assert!(report.findings().is_empty(), "{report}");
    laws::hold::<Xnnpack<'_>>(&bytes, ());
    let constants = Xnnpack::parse(&bytes).unwrap().constants().unwrap();
    let [weights, bias] = &constants[..] else { panic!("two: {constants:?}") };
    assert_eq!(weights.place, Place::Payload { bytes: Some(&[1, 2, 3, 4, 5, 6]) });
    assert_eq!((weights.datatype, &weights.shape[..]), (Datatype::Qcint8, &[2, 3][..]));
    let scales = weights.scales.unwrap();
    assert_eq!(scales.place, Place::Payload { bytes: Some(&[0, 0, 128, 63, 0, 0, 0, 64]) });
    assert_eq!(bias.place, Place::Named { key: "bias", size: 8 });
}

#[test]
fn damage_of_a_graph_has_its_own_code() {
    let made = Made::default;
    for (made, code) in [
        (Made { weights_at: 99, ..made() }, "xnnpack.tensor-value.constant-buffer-idx.outside"),
        (Made { bias_size: 4, ..made() }, "xnnpack.tensor-value.constant-buffer-idx.size"),
        (Made { constant: 9, ..made() }, "xnnpack.tensor-value.constant-buffer-idx.range"),
        (Made { output: 7, ..made() }, "xnnpack.node.operation.operand"),
        (Made { id: 2, ..made() }, "xnnpack.tensor-value.id-out.repeated"),
    ] {
        let bytes = made.write();
        let report = Xnnpack::validate(&bytes);
        assert!(report.errors().any(|error| error.code == code), "{code}: {report}");
    }
}

#[test]
fn weights_of_a_delegate_are_changed_in_their_place() {
    for name in
        ["mlp_xnnpack.pte", "mlp_xnnpack_inline_align256.pte", "multi_method_xnnpack_shared.pte"]
    {
        let bytes = corpus::file("pte", name);
        let pte = Pte::parse(&bytes).unwrap();
        for (tensor, source) in pte.weights().unwrap() {
            let Source::Named { .. } = source else { continue };
            let old = tensor.bytes.unwrap();
            let new: Vec<u8> = old.iter().map(|byte| byte ^ 1).collect();
            let mut edit = Edit::new(&pte).unwrap();
            edit.set_weight(&source, &new).unwrap();
            let made = edit.to_vec().unwrap();
            let range = pte.range_of(old).unwrap();
            let mut expected = bytes.clone();
            let range = usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap();
            expected[range].copy_from_slice(&new);
            assert_eq!(made, expected, "{name}: {}", tensor.name);
            let len = EditError::Len { expected: old.len() as u64, found: 1 };
            assert_eq!(edit.set_weight(&source, &[0]), Err(len));
        }
    }
}
