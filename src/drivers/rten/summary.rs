//! What a model is made of, and what makes it big.

use std::collections::BTreeMap;

use binfmt_formats::rten::{ConstantDataType, Dim, Graph, Metadata, Node, NodeData, Rten};
use binfmt_runtime::FbVec;
use serde_json::{Map, Value, json};

use binfmt_tool::covered;
use binfmt_tool::json::{number, wide};

/// Nodes by kind, operators by name, bytes by what they are for and by type, and where the model
/// comes from.
pub(super) fn summary(file: &[u8], rten: &Rten<'_>) -> Vec<(&'static str, Value)> {
    let (operators, values) = nodes(rten);
    let count = operators.values().fold(0_u64, |sum, count| sum.saturating_add(*count));
    let (sizes, by_dtype) = sizes(file, rten);
    let metadata = rten.model().root().ok().and_then(|model| model.metadata);
    let graph = rten.model().root().ok().map(|model| model.graph);
    let ends = |of: fn(&Graph<'_>) -> Value| graph.as_ref().map_or(Value::Null, of);
    vec![
        ("inputs", ends(|graph| named(graph, &graph.inputs))),
        ("outputs", ends(|graph| named(graph, &graph.outputs))),
        ("operators", number(count)),
        ("values", number(values)),
        ("by_operator", counts(operators)),
        ("by_dtype", counts(by_dtype)),
        ("sizes", sizes.into()),
        ("metadata", metadata.as_ref().map_or(Value::Null, self::metadata)),
    ]
}

fn counts(counts: BTreeMap<String, u64>) -> Value {
    counts.into_iter().map(|(name, count)| (name, number(count))).collect::<Map<_, _>>().into()
}

/// The nodes with these indices: what goes into a graph, or comes out of it.
fn named(graph: &Graph<'_>, indices: &FbVec<'_, u32>) -> Value {
    let node = |index: u32| graph.nodes.get(index.into()).and_then(Result::ok);
    let nodes = indices.iter().map_while(Result::ok).filter_map(node);
    nodes.map(|node| described(&node)).collect::<Vec<_>>().into()
}

/// A value with its type, as far as the model says it.
fn described(node: &Node<'_>) -> Value {
    let value = match &node.data {
        Some(NodeData::Value(value)) => Some(value),
        _ => None,
    };
    let shape = value.and_then(|value| value.shape.as_ref()).map(|shape| {
        let size = |dim: Dim<'_>| dim.name.map_or_else(|| dim.value.into(), Value::from);
        shape.iter().map_while(Result::ok).map(size).collect::<Vec<Value>>()
    });
    json!({ "name": node.name, "dtype": value.and_then(|value| value.dtype?.name()), "shape": shape })
}

/// How many operators of each name there are, and how many values.
fn nodes(rten: &Rten<'_>) -> (BTreeMap<String, u64>, u64) {
    let mut operators = BTreeMap::new();
    let mut values = 0_u64;
    for node in rten.nodes().filter_map(Result::ok) {
        match node.data {
            Some(NodeData::Operator(operator)) => {
                let count = operators.entry(operator.name()).or_insert(0_u64);
                *count = count.saturating_add(1);
            }
            Some(NodeData::Value(_)) => values = values.saturating_add(1),
            _ => {}
        }
    }
    (operators, values)
}

/// Bytes by what they are for, all of them together the file; and bytes of constants by type.
fn sizes(file: &[u8], rten: &Rten<'_>) -> (Map<String, Value>, BTreeMap<String, u64>) {
    let (mut inline, mut external) = (Vec::new(), Vec::new());
    let mut by_dtype: BTreeMap<String, Vec<(u64, u64)>> = BTreeMap::new();
    for constant in rten.constants().filter_map(Result::ok) {
        let (Some(bytes), Some(offset)) = (constant.bytes, constant.offset) else { continue };
        let range = (offset, wide(bytes.len()));
        if constant.external { &mut external } else { &mut inline }.push(range);
        if let Some(dtype) = constant.dtype.and_then(ConstantDataType::name) {
            by_dtype.entry(dtype.to_owned()).or_default().push(range);
        }
    }
    let model = wide(rten.model().bytes().len());
    let (inline, external) = (covered(&mut inline), covered(&mut external));
    let mut sizes = Map::new();
    let mut rest = wide(file.len());
    let mut put = |name: &str, size: u64| {
        rest = rest.saturating_sub(size);
        sizes.insert(name.to_owned(), number(size));
    };
    if matches!(rten, Rten::V2(_)) {
        put("header", 32);
    }
    put("model", model.saturating_sub(inline));
    put("inline", inline);
    if matches!(rten, Rten::V2(_)) {
        put("external", external);
        sizes.insert("padding".to_owned(), number(rest));
    }
    let by_dtype = by_dtype.into_iter().map(|(name, mut ranges)| (name, covered(&mut ranges)));
    (sizes, by_dtype.collect())
}

/// What is said about where the model comes from.
fn metadata(metadata: &Metadata<'_>) -> Value {
    let texts = metadata.texts();
    let said = texts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?.into())));
    said.collect::<Map<_, _>>().into()
}
