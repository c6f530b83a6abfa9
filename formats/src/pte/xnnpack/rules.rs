//! What words cannot say: which values there are, and where constants lie.

use alloc::collections::BTreeSet;

use binfmt_runtime::{FbVec, Rules, Show, path};

use super::graph::{TensorValue, XValue};
use super::node::Node;
use super::{Bare, Graph, Headed, Place, Xnnpack};
use crate::shared::wide;

binfmt_runtime::rule_table! {
    /// The rules of payloads that are checked by hand.
    pub const RULES;
    "executorch runtime_schema.fbs" {
        ID: error "xnnpack.tensor-value.id-out.repeated", "there is a value with this identifier already; nodes would use one of the two";
        OPERAND: error "xnnpack.node.operation.operand", "there is no value with such an identifier; a runtime refuses the method";
        INPUT: error "xnnpack.graph.input-ids.range", "there is no value with such an identifier; a runtime refuses the method";
        OUTPUT: error "xnnpack.graph.output-ids.range", "there is no value with such an identifier; a runtime refuses the method";
        INDEX: error "xnnpack.tensor-value.constant-buffer-idx.range", "there is no such constant; a runtime reads other bytes, or refuses the method";
        OUTSIDE: error "xnnpack.tensor-value.constant-buffer-idx.outside", "the constant does not lie in the payload; a runtime would read what follows it";
        SIZE: error "xnnpack.tensor-value.constant-buffer-idx.size", "the constant has fewer bytes than its type and shape make; a runtime would read what follows it";
    }
}

/// The rules of a payload with a header.
pub(super) fn headed(payload: &Headed<'_>, rules: &mut Rules<'_>) {
    let Ok(graph) = payload.graph.root() else { return };
    let whole = Xnnpack::Headed(payload.clone());
    check(&whole, &graph, &mut rules.at(&path!(Headed.graph)));
}

/// The rules of a payload that is a graph alone.
pub(super) fn bare(payload: &Bare<'_>, rules: &mut Rules<'_>) {
    let Ok(graph) = payload.graph.root() else { return };
    let whole = Xnnpack::Bare(payload.clone());
    check(&whole, &graph, &mut rules.at(&path!(Bare.graph)));
}

fn check(payload: &Xnnpack<'_>, graph: &Graph<'_>, rules: &mut Rules<'_>) {
    let mut ids = BTreeSet::new();
    for (value, index) in graph.values.iter().zip(0_u64..) {
        let Ok(value) = value else { continue };
        let mut at = rules.at(&path!(Graph.values[index])).over(graph.values.range(index));
        let mut at = at.at(&path!(XValue.value));
        let Some(tensor) = value.tensor() else { continue };
        if !ids.insert(tensor.id_out) {
            at.report(&ID, Show::Nothing, Show::Uint(tensor.id_out.into()));
        }
        constant(payload, graph, tensor, &mut at);
    }
    listed(&graph.input_ids, &ids, &INPUT, &mut rules.at(&path!(Graph.input_ids)));
    listed(&graph.output_ids, &ids, &OUTPUT, &mut rules.at(&path!(Graph.output_ids)));
    for (node, index) in graph.nodes.iter().zip(0_u64..) {
        let Ok(node) = node else { continue };
        let mut at = rules.at(&path!(Graph.nodes[index])).over(graph.nodes.range(index));
        let at = &mut at.at(&path!(Node.operation));
        let Some(operation) = &node.operation else { continue };
        let operands = operation.operands();
        for id in operands.inputs().chain(operands.outputs()).filter(|id| !ids.contains(id)) {
            at.report(&OPERAND, Show::Nothing, Show::Uint(id.into()));
        }
    }
}

fn listed(
    list: &FbVec<'_, u32>,
    ids: &BTreeSet<u32>,
    rule: &binfmt_runtime::Rule,
    rules: &mut Rules<'_>,
) {
    for (id, index) in list.iter().zip(0_u64..) {
        let Some(id) = id.ok().filter(|id| !ids.contains(id)) else { continue };
        let mut at = rules.at(&[binfmt_runtime::Step::Index(index)]).over(list.range(index));
        at.report(rule, Show::Nothing, Show::Uint(id.into()));
    }
}

/// The bytes of a constant are there, and enough.
fn constant(
    payload: &Xnnpack<'_>,
    graph: &Graph<'_>,
    tensor: &TensorValue<'_>,
    at: &mut Rules<'_>,
) {
    let index = *tensor.constant_buffer_idx;
    let mut at = at.at(&[]).over(tensor.constant_buffer_idx.range());
    let Some(place) = payload.place(graph, tensor) else { return };
    let count = graph.constants.count().max(graph.constant_buffer.count());
    if u64::from(index) >= count {
        at.report(&INDEX, Show::Uint(count.saturating_sub(1)), Show::Uint(index.into()));
        return;
    }
    let size = match place {
        Place::Named { size, .. } => Some(size),
        Place::Payload { bytes } => bytes.map(|bytes| wide(bytes.len())),
    };
    let Some(size) = size else {
        at.report(&OUTSIDE, Show::Nothing, Show::Uint(index.into()));
        return;
    };
    if let Some(len) = tensor.byte_len().filter(|len| size < *len) {
        at.report(&SIZE, Show::Uint(len), Show::Uint(size));
    }
}
