//! What the reference readers say about real `.pte` files, against what the declaration reads.

use std::collections::BTreeMap;

use binfmt_formats::pte::bundle::Bundle;
use binfmt_formats::pte::call::Call;
use binfmt_formats::pte::kind::{DataLocation, ShapeDynamism, TensorLocation};
use binfmt_formats::pte::{Plan, Program, Pte, Storage, Tensor, Value as Kernel};
use binfmt_runtime::BinFormat as _;
use serde_json::{Value, json};

use crate::corpus::{self, Sample};

/// The programs of the corpus; the one bundle has facts of its own.
pub(crate) fn programs() -> impl Iterator<Item = Sample> {
    corpus::samples("pte").into_iter().filter(|sample| sample.name != "mlp_bundled.bpte")
}

fn blob(bytes: &[u8]) -> Value {
    json!({ "size": bytes.len(), "sha256": corpus::sha256(bytes) })
}

/// Everything that the facts say about the file itself, as the declaration reads it.
pub(crate) fn told(pte: &Pte<'_>) -> Value {
    let program = pte.program().unwrap();
    let header = pte.header().map(|header| {
        json!({
            "length": header.header_len,
            "program_size": header.program_size,
            "segment_base_offset": header.segment_base,
            // The reference says 0 where the file says nothing.
            "segment_data_size": header.data_size.unwrap_or(0),
        })
    });
    let segments = program.segments().iter().map(Result::unwrap).map(|segment| {
        let bytes = pte.segment(&segment).unwrap();
        json!({ "offset": segment.offset, "size": segment.size, "sha256": corpus::sha256(bytes) })
    });
    let offsets = |segment: binfmt_formats::pte::program::Subsegments<'_>| {
        let offsets: Vec<u64> = segment.offsets.iter().map(Result::unwrap).collect();
        json!({ "segment_index": segment.segment_index, "offsets": offsets })
    };
    let mutable = program.mutable_data_segments.unwrap_or_default();
    let named = program.named_data().iter().map(Result::unwrap);
    let named =
        named.map(|named| json!({ "key": named.key, "segment_index": named.segment_index }));
    let constants = program.constant_buffer.unwrap_or_default();
    let blobs = program.backend_delegate_data.unwrap_or_default();
    json!({
        "root_offset": root_offset(pte),
        "extended_header": header,
        "program_version": program.version,
        "segments": segments.collect::<Vec<_>>(),
        "constant_segment": program.constants().map(offsets),
        "mutable_data_segments": mutable.iter().map(|list| offsets(list.unwrap())).collect::<Vec<_>>(),
        "named_data": named.collect::<Vec<_>>(),
        "constant_buffer": constants.iter().map(|data| blob(data.unwrap().bytes())).collect::<Vec<_>>(),
        "backend_delegate_data": blobs.iter().map(|data| blob(data.unwrap().bytes())).collect::<Vec<_>>(),
        "methods": program.plans().iter().map(|plan| method(&plan.unwrap())).collect::<Vec<_>>(),
    })
}

/// The root as the file stores it: from its first byte, the header included.
fn root_offset(pte: &Pte<'_>) -> u64 {
    let before = match pte.header() {
        Some(header) if header.data_size.is_some() => 40,
        Some(_) => 32,
        None => 8,
    };
    pte.buffer().root_at() + before
}

fn method(plan: &Plan<'_>) -> Value {
    let numbers =
        |list: &binfmt_runtime::FbVec<'_, i32>| list.iter().map(Result::unwrap).collect::<Vec<_>>();
    let operators = plan.operators.iter().map(Result::unwrap);
    let operators: Vec<_> = operators
        .map(|operator| json!([operator.name, operator.overload.unwrap_or_default()]))
        .collect();
    let delegates = plan.delegates().iter().map(Result::unwrap).map(|delegate| {
        let processed = delegate.processed.unwrap().get().unwrap();
        let location = match processed.location {
            DataLocation::Inline => "INLINE",
            DataLocation::Segment => "SEGMENT",
            DataLocation::Other(_) => "other",
        };
        let specs: Vec<_> = delegate
            .compile_specs
            .iter()
            .map(Result::unwrap)
            .map(|spec| json!([spec.key, spec.value]))
            .collect();
        json!({ "id": delegate.id, "location": location, "index": processed.index, "compile_specs": specs })
    });
    let chains: Vec<_> = plan.chains().iter().map(Result::unwrap).collect();
    let calls = chains.iter().flat_map(|chain| chain.instructions().iter());
    let calls: Vec<_> = calls.map(|call| call.unwrap().call.unwrap()).collect();
    let values: Vec<_> = plan.values().iter().map(|slot| slot.unwrap().value.unwrap()).collect();
    let tensors = values.iter().zip(0_u64..);
    let tensors = tensors
        .filter_map(|(value, index)| Some(tensor(index, &value.tensor()?)))
        .collect::<Vec<_>>();
    let meta = plan.container_meta_type.as_ref();
    let sizes: Vec<i64> = plan.planned().iter().map(Result::unwrap).collect();
    json!({
        "name": plan.name,
        "inputs": numbers(&plan.inputs()),
        "outputs": numbers(&plan.outputs()),
        "num_values": values.len(),
        "value_kinds": counts(values.iter().map(Kernel::name)),
        "operators": operators,
        "non_const_buffer_sizes": sizes,
        "delegates": delegates.collect::<Vec<_>>(),
        "num_chains": chains.len(),
        "num_instructions": calls.len(),
        "instruction_kinds": counts(calls.iter().map(Call::name)),
        "has_stacktrace": chains.iter().any(|chain| chain.stacktrace.is_some()),
        "container_meta": meta.map(|meta| json!([meta.encoded_inp_str, meta.encoded_out_str])),
        "tensors": tensors,
    })
}

fn counts<'n>(names: impl Iterator<Item = &'n str>) -> BTreeMap<&'n str, u64> {
    let mut counts = BTreeMap::new();
    names.for_each(|name| *counts.entry(name).or_default() += 1);
    counts
}

fn tensor(index: u64, tensor: &Tensor<'_>) -> Value {
    let extra = tensor.extra_tensor_info.as_ref().map(|extra| {
        let location = match extra.location {
            TensorLocation::Segment => "SEGMENT",
            TensorLocation::External => "EXTERNAL",
            TensorLocation::Other(_) => "other",
        };
        json!({
            "mutable_data_segments_idx": extra.mutable_data_segments_idx,
            "fqn": extra.fully_qualified_name,
            "location": location,
        })
    });
    let dynamism = match tensor.shape_dynamism {
        ShapeDynamism::Static => 0,
        ShapeDynamism::DynamicBound => 1,
        ShapeDynamism::DynamicUnbound => 2,
        ShapeDynamism::Other(other) => other,
    };
    let place = tensor.allocation_info.as_ref();
    json!({
        "value": index,
        "sizes": tensor.sizes.unwrap().iter().map(Result::unwrap).collect::<Vec<i32>>(),
        "dim_order": tensor.dim_order.unwrap(),
        "data_buffer_idx": tensor.data_buffer_idx,
        "shape_dynamism": dynamism,
        "allocation": place.map(|place| json!([place.memory_id, place.memory_offset_low, place.memory_offset_high])),
        "extra": extra,
    })
}

/// Every fact that `told` tells, in the facts; of objects their parts.
fn same(name: &str, path: &str, told: &Value, facts: &Value) {
    match told {
        Value::Object(told) => {
            for (key, value) in told {
                same(name, &format!("{path}.{key}"), value, &facts[key]);
            }
        }
        Value::Array(told) => {
            assert_eq!(Some(told.len()), facts.as_array().map(Vec::len), "{name}{path}");
            for (index, value) in told.iter().enumerate() {
                same(name, &format!("{path}[{index}]"), value, &facts[index]);
            }
        }
        told => assert_eq!(told, facts, "{name}{path}"),
    }
}

#[test]
fn facts_are_those_of_the_reference_readers() {
    for Sample { name, bytes, facts } in programs() {
        let pte = Pte::parse(&bytes).unwrap();
        let told = told(&pte);
        same(&name, "", &told, &facts);
        // A field that the facts have and the file has not must be missing here, too.
        for (method, fact) in
            told["methods"].as_array().unwrap().iter().zip(facts["methods"].as_array().unwrap())
        {
            let keys = |value: &Value| {
                value
                    .as_object()
                    .unwrap()
                    .keys()
                    .cloned()
                    .collect::<std::collections::BTreeSet<_>>()
            };
            assert_eq!(keys(method), keys(fact), "{name}");
            assert_eq!(method["value_kinds"], fact["value_kinds"], "{name}");
            assert_eq!(method["instruction_kinds"], fact["instruction_kinds"], "{name}");
        }
        let length = |header: &Value| header.as_object().map(serde_json::Map::len);
        assert_eq!(length(&told["extended_header"]), length(&facts["extended_header"]), "{name}");
    }
}

#[test]
fn element_types_and_lengths_are_those_of_the_runtime() {
    let mut compared = 0;
    for Sample { name, bytes, facts } in programs() {
        let program = Pte::parse(&bytes).unwrap().program().unwrap();
        for (plan, fact) in
            program.plans().iter().map(Result::unwrap).zip(facts["methods"].as_array().unwrap())
        {
            let tensors = plan.values().iter().filter_map(|slot| slot.unwrap().value?.tensor());
            for (tensor, fact) in tensors.zip(fact["tensors"].as_array().unwrap()) {
                assert_eq!(numbered(&tensor), fact["scalar_type"][0], "{name}");
            }
        }
        let runtime = facts["cpp_runtime"]["methods"].as_array();
        for fact in runtime.into_iter().flatten() {
            let plan = program
                .plans()
                .iter()
                .map(Result::unwrap)
                .find(|plan| fact["name"] == json!(plan.name));
            let plan = plan.unwrap();
            for (list, kind) in [(plan.inputs(), "inputs"), (plan.outputs(), "outputs")] {
                for (index, fact) in
                    list.iter().map(Result::unwrap).zip(fact[kind].as_array().unwrap())
                {
                    let Some(tensor) = plan.value(index.into()).unwrap().tensor() else { continue };
                    assert_eq!(json!(tensor.byte_len()), fact["nbytes"], "{name}");
                    assert_eq!(json!(tensor.shape().collect::<Vec<_>>()), fact["sizes"], "{name}");
                    compared += 1;
                }
            }
            let sizes: Vec<i64> = plan.planned().iter().map(Result::unwrap).skip(1).collect();
            assert_eq!(json!(sizes), fact["memory_planned_buffers"], "{name}");
        }
    }
    assert!(compared > 60, "{compared} tensors");
}

/// The number of the element type, as the file stores it.
fn numbered(tensor: &Tensor<'_>) -> Value {
    match binfmt_runtime::Wire::value(&tensor.scalar_type) {
        binfmt_runtime::Value::Enum { number, .. } => number.into(),
        _ => Value::Null,
    }
}

/// The bytes of constants and of mutable data are those that the Python reader takes out.
#[test]
fn constants_are_those_of_the_reference_reader() {
    let mut compared = 0;
    for Sample { name, bytes, facts } in programs() {
        let pte = Pte::parse(&bytes).unwrap();
        let program = pte.program().unwrap();
        for plan in program.plans().iter().map(Result::unwrap) {
            for tensor in plan.values().iter().filter_map(|slot| slot.unwrap().value?.tensor()) {
                let facts = &facts["python_deserialize"];
                let (list, index) = match tensor.storage() {
                    Storage::Constant { index } => (&facts["constant_buffer"], index),
                    Storage::Mutable { list: 0, index } => (&facts["mutable_data"], index),
                    _ => continue,
                };
                let found = pte.tensor_bytes(&program, &tensor).unwrap();
                let fact = &list[usize::try_from(index).unwrap()];
                let size = usize::try_from(fact["size"].as_u64().unwrap()).unwrap();
                // That reader takes what is between two constants for part of the first.
                assert!(found.len() <= size, "{name}");
                if found.len() == size {
                    assert_eq!(json!(corpus::sha256(found)), fact["sha256"], "{name}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 40, "{compared} constants");
}

#[test]
fn a_bundle_leads_to_its_program() {
    let bytes = corpus::file("pte", "mlp_bundled.bpte");
    let bundle = Bundle::parse(&bytes).unwrap();
    assert_eq!(bundle.program().unwrap(), corpus::file("pte", "mlp.pte"));
    assert!(Bundle::validate(&bytes).findings().is_empty());
    assert_eq!(bundle.to_vec().unwrap(), bytes);
    let report = Pte::validate(&bytes);
    assert!(report.errors().any(|error| error.message.as_str().contains("bundle")), "{report}");
}

#[test]
fn constant_methods_have_values() {
    let bytes = corpus::file("pte", "multi_method.pte");
    let program: Program<'_> = Pte::parse(&bytes).unwrap().program().unwrap();
    let plan = program.plans().iter().map(Result::unwrap);
    let constant: Vec<_> = plan.filter(Plan::is_constant).collect();
    assert!(!constant.is_empty());
    for plan in constant {
        let output = plan.outputs().get(0).unwrap().unwrap();
        assert!(
            !matches!(plan.value(output.into()), None | Some(Kernel::Tensor(_))),
            "{:?}",
            plan.name
        );
    }
}
