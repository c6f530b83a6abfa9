//! What a method takes, gives and does.

use std::borrow::Cow;
use std::collections::BTreeMap;

use binfmt_formats::pte::{Plan, Tensor, Value as Kernel};
use binfmt_runtime::FbVec;
use serde_json::{Value, json};

use super::items::{Source, each_tensor, shape};
use binfmt_tool::item::Item;
use binfmt_tool::json::{number, wide};

/// How many items a description of the method looks at.
pub(super) fn cost(plan: &Plan<'_>) -> usize {
    let chains = plan.chains();
    let calls = chains.iter().flatten().map(|chain| chain.instructions().count());
    let counts = [
        plan.values().count(),
        plan.delegates().count(),
        plan.operators.count(),
        plan.inputs().count(),
        plan.outputs().count(),
        chains.count(),
    ];
    let tensors = each_tensor(plan).filter_map(|(tensor, _)| tensor.get().ok());
    let name = wide(plan.name.map_or(0, str::len));
    let tensors = tensors.map(|tensor| told(&tensor).saturating_add(name));
    let all = counts.into_iter().chain(calls).chain(tensors).fold(1_u64, u64::saturating_add);
    usize::try_from(all).unwrap_or(usize::MAX)
}

/// How many bytes are told of a tensor: its name and its sizes.
fn told(tensor: &Tensor<'_>) -> u64 {
    let extra = tensor.extra_tensor_info.as_ref();
    let name = extra.and_then(|extra| extra.fully_qualified_name).unwrap_or_default();
    let order = tensor.dim_order.unwrap_or_default();
    let sizes = tensor.sizes.map_or(0, |sizes| sizes.count());
    sizes.saturating_add(wide(name.len())).saturating_add(wide(order.len()))
}

/// A method; what `extract` writes of it is the description that JSON shows.
pub(super) fn item<'f>(source: &Source<'f, '_>, plan: &Plan<'f>, index: u64) -> Item<'f> {
    let name = plan.name.unwrap_or_default();
    let range = source.program.plans().range(index);
    let details = describe(plan);
    Item {
        path: format!("program.plans[{index}]"),
        kind: "method".to_owned(),
        name: plan.name.map(|name| name.as_bytes().to_vec()),
        offset: range.map_or(0, |range| range.start),
        stored_size: 0,
        columns: Vec::new(),
        details,
        file_name: name.to_owned(),
        is_file: false,
        promised: None,
        payload: Box::new(|| Ok(Cow::Borrowed(&[]))),
    }
}

fn describe(plan: &Plan<'_>) -> Vec<(&'static str, Value)> {
    let operators = plan.operators.iter().map_while(Result::ok).map(|operator| {
        let name = operator.name.unwrap_or_default();
        match operator.overload.filter(|overload| !overload.is_empty()) {
            Some(overload) => format!("{name}.{overload}"),
            None => name.to_owned(),
        }
    });
    let delegates = plan.delegates().iter().map_while(Result::ok).map(|delegate| delegate.id);
    let mut instructions: BTreeMap<&str, u64> = BTreeMap::new();
    let chains = plan.chains();
    let calls = chains.iter().flatten().flat_map(|chain| chain.instructions().iter());
    for call in calls.filter_map(|instruction| instruction.ok()?.call) {
        let count = instructions.entry(call.name()).or_default();
        *count = count.saturating_add(1);
    }
    // The first planned buffer is reserved.
    let planned = plan.planned().iter().map_while(Result::ok).skip(1);
    let planned: Vec<Value> =
        planned.map(|size| u64::try_from(size).map_or(Value::Null, number)).collect();
    vec![
        ("inputs", values(plan, &plan.inputs())),
        ("outputs", values(plan, &plan.outputs())),
        ("values", number(plan.values().count())),
        ("operators", operators.collect::<Vec<_>>().into()),
        ("delegates", delegates.collect::<Vec<_>>().into()),
        ("instructions", json!(instructions)),
        ("planned", planned.into()),
    ]
}

/// What is known about each value of a list.
fn values(plan: &Plan<'_>, list: &FbVec<'_, i32>) -> Value {
    let described = list.iter().map_while(Result::ok).map(|index| {
        let value = plan.value(index.into());
        value.map_or(Value::Null, |value| one(&value))
    });
    described.collect()
}

/// A tensor with its type and shape; a plain value as it is.
fn one(value: &Kernel<'_>) -> Value {
    let kind = value.name().to_lowercase();
    let plain = match value {
        Kernel::Tensor(tensor) => {
            return match tensor.get() {
                Ok(tensor) => {
                    json!({ "kind": kind, "dtype": tensor.scalar_type.name(), "shape": shape(&tensor) })
                }
                Err(_) => json!({ "kind": kind }),
            };
        }
        Kernel::Int(int) => json!(int.int_val),
        Kernel::Bool(bool) => json!(bool.bool_val),
        Kernel::Double(double) => json!(double.double_val),
        Kernel::String(text) => json!(text.string_val),
        _ => return json!({ "kind": kind }),
    };
    json!({ "kind": kind, "value": plain })
}
