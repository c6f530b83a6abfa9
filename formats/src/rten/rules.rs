//! What words cannot say: rules between nodes, and between constants and the tensor section.

#![expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "expressions of declarations pass fields as they are"
)]

use binfmt_runtime::{FbVec, Placed, Rule, Rules, Show, Step, path};

use super::{
    Attributes, Bare, ConstantData, ConstantDataType, ConstantNode, Graph, Model, Node, NodeData,
    OperatorNode, OperatorType, Sectioned, TENSOR_ALIGN, tensors::Tensors,
};
pub(super) use crate::shared::is_zero;
use crate::shared::{index as below, wide};

binfmt_runtime::rule_table! {
    /// The rules of models that are checked by hand.
    pub const RULES;
    "RTen model format, Earlier versions" {
        DEPRECATED: warning "rten.bare.model.deprecated", "a file without a header is of version 1, which the tools no longer write";
    }
    "RTen model format, Model data" {
        INPUT: error "rten.graph.inputs.range", "the graph has no such node";
        OUTPUT: error "rten.graph.outputs.range", "the graph has no such node";
        CAPTURE: error "rten.graph.captures.range", "the graph has no such node";
        OPERATOR_INPUT: error "rten.operator-node.inputs.order", "an operator names nodes before it in the list";
        OPERATOR_OUTPUT: error "rten.operator-node.outputs.order", "an operator names nodes before it in the list";
        SHARED: error "rten.graph.nodes.shared", "offsets lead to the same nodes, names and shapes again and again";
        NO_SECTION: error "rten.constant-node.data-offset.section", "the constant lies in a tensor section, and version 1 has none";
    }
    "RTen model format, Tensor data" {
        OUTSIDE: error "rten.constant-node.data-offset.end", "the constant reaches out of the tensor section";
        MISALIGNED: error "rten.constant-node.data-offset.align", "the constant does not lie on a multiple of its element size";
        LESS_ALIGNED: warning "rten.constant-node.data-offset.align-64", "the constant does not lie on a multiple of 64, as the converter writes it";
        OVERLAP: error "rten.constant-node.data-offset.overlap", "the constant shares some of its bytes with another one";
        TRAILING: warning "rten.sectioned.tensors.trailing", "bytes follow the last constant";
        PADDING: warning "rten.sectioned.tensors.padding", "the padding between constants is not zero";
    }
}

pub(super) fn is_known_node(data: &Option<NodeData<'_>>) -> bool {
    matches!(data, Some(NodeData::Operator(_) | NodeData::Constant(_) | NodeData::Value(_)))
}

/// `If` and `Loop` are nothing without their graphs.
pub(super) fn has_graphs(op: &OperatorType, attributes: &Option<Attributes<'_>>) -> bool {
    match op {
        OperatorType::If => matches!(attributes, Some(Attributes::If(_))),
        OperatorType::Loop => matches!(attributes, Some(Attributes::Loop(_))),
        _ => true,
    }
}

/// The number of elements of a shape.
pub(super) fn elements(shape: &FbVec<'_, u32>) -> Option<u64> {
    shape.iter().try_fold(1_u64, |count, size| count.checked_mul(u64::from(size.ok()?)))
}

/// Whether the loader finds the elements of a constant (crate, "unsupported data type for inline
/// constant").
pub(super) fn is_stored(data: &Option<ConstantData<'_>>, offset: &Option<Placed<u64>>) -> bool {
    offset.is_some() || data.as_ref().is_some_and(|data| data.dtype().is_some())
}

/// Whether the loader knows the type of a constant outside the graph (crate, "unsupported data type
/// for external constant").
pub(super) fn external_has_type(
    dtype: &Option<ConstantDataType>,
    offset: &Option<Placed<u64>>,
    data: &Option<ConstantData<'_>>,
) -> bool {
    let external = offset.is_some() && data.as_ref().and_then(ConstantData::dtype).is_none();
    !external || dtype.is_some_and(|dtype| dtype.size().is_some())
}

/// Whether there are as many elements inside the graph as the shape says; else the crate panics.
pub(super) fn count_fits(shape: &FbVec<'_, u32>, data: &Option<ConstantData<'_>>) -> bool {
    match data.as_ref().and_then(ConstantData::count) {
        Some(count) => elements(shape) == Some(count),
        None => true,
    }
}

pub(super) fn types_agree(
    dtype: &Option<ConstantDataType>,
    data: &Option<ConstantData<'_>>,
) -> bool {
    match (dtype, data.as_ref().and_then(ConstantData::dtype)) {
        (Some(stored), Some(own)) => *stored == own,
        _ => true,
    }
}

/// The rules of a file of version 2.
pub(super) fn sectioned(file: &Sectioned<'_>, rules: &mut Rules<'_>) {
    let Ok(model) = file.model.root() else { return };
    let mut tensors = Tensors::new(file.tensors);
    let graph = &mut rules.at(&path!(Sectioned.model, Model.graph));
    let left = wide(file.model.bytes().len());
    Check { tensors: Some(&mut tensors), left }.graph(&model.graph, graph);
    tensors.rest(&mut rules.at(&path!(Sectioned.tensors)));
}

/// The rules of a file of version 1.
pub(super) fn bare(file: &Bare<'_>, rules: &mut Rules<'_>) {
    rules.at(&path!(Bare.model)).report(&DEPRECATED, Show::Nothing, Show::Nothing);
    if let Ok(model) = file.model.root() {
        let graph = &mut rules.at(&path!(Bare.model, Model.graph));
        let left = wide(file.model.bytes().len());
        Check { tensors: None, left }.graph(&model.graph, graph);
    }
}

/// A walk over graphs. How deep it goes is bounded by how deep tables nest.
struct Check<'c, 'a> {
    /// The tensor section, if the version has one.
    tensors: Option<&'c mut Tensors<'a>>,
    /// What nodes may still cost, as [`Nodes`](super::Nodes) count it.
    left: u64,
}

impl<'a> Check<'_, 'a> {
    fn graph(&mut self, graph: &Graph<'a>, rules: &mut Rules<'_>) {
        let count = graph.nodes.count();
        nodes_exist(&graph.inputs, count, &INPUT, &mut rules.at(&path!(Graph.inputs)));
        nodes_exist(&graph.outputs, count, &OUTPUT, &mut rules.at(&path!(Graph.outputs)));
        let captures = graph.captures.unwrap_or_default();
        nodes_exist(&captures, count, &CAPTURE, &mut rules.at(&path!(Graph.captures)));
        for (node, index) in graph.nodes.iter().zip(0_u64..) {
            let Some(left) = self.left.checked_sub(node.as_ref().map_or(1, Node::cost)) else {
                if core::mem::take(&mut self.left) > 0 {
                    rules.at(&path!(Graph.nodes)).report(&SHARED, Show::Nothing, Show::Nothing);
                }
                return self.unreadable();
            };
            self.left = left;
            match node {
                Ok(Node { data: Some(data), .. }) => {
                    let at = &mut rules.at(&path!(Graph.nodes[index], Node.data));
                    self.node(&data, index, at);
                }
                Ok(_) => {}
                Err(_) => self.unreadable(),
            }
        }
    }

    /// What cannot be read has been reported, and may hold constants.
    fn unreadable(&mut self) {
        if let Some(tensors) = &mut self.tensors {
            tensors.complete = false;
        }
    }

    fn node(&mut self, data: &NodeData<'a>, index: u64, rules: &mut Rules<'_>) {
        match data {
            NodeData::Operator(operator) => self.operator(operator, index, rules),
            NodeData::Constant(constant) => self.constant(constant, rules),
            NodeData::Value(_) | NodeData::Other(_) => {}
        }
    }

    fn operator(&mut self, operator: &OperatorNode<'a>, index: u64, rules: &mut Rules<'_>) {
        let inputs = &mut rules.at(&path!(OperatorNode.inputs));
        nodes_before(&operator.inputs, index, &OPERATOR_INPUT, inputs);
        let outputs = &mut rules.at(&path!(OperatorNode.outputs));
        nodes_before(&operator.outputs, index, &OPERATOR_OUTPUT, outputs);
        let mut attributes = rules.at(&path!(OperatorNode.attributes));
        for (step, graph) in operator.attributes.iter().flat_map(Attributes::graphs) {
            match graph.get() {
                Ok(graph) => self.graph(&graph, &mut attributes.at(&[step])),
                Err(_) => self.unreadable(),
            }
        }
    }

    /// A constant outside the graph lies in the tensor section.
    fn constant(&mut self, constant: &ConstantNode<'a>, rules: &mut Rules<'_>) {
        let inline = constant.data.as_ref().and_then(ConstantData::dtype).is_some();
        let Some(offset) = constant.data_offset.filter(|_| !inline) else { return };
        let at = &mut rules.at(&path!(ConstantNode.data_offset)).over(offset.range());
        match &mut self.tensors {
            None => at.report(&NO_SECTION, Show::Nothing, Show::Uint(*offset)),
            Some(tensors) => external(constant, *offset, tensors, at),
        }
    }
}

impl Node<'_> {
    /// How many bytes of a file the node takes at least, with its name and its shape.
    pub(super) fn cost(&self) -> u64 {
        let name = self.name.map_or(0, |name| wide(name.len()));
        let dims = match &self.data {
            Some(NodeData::Constant(constant)) => constant.shape.count(),
            Some(NodeData::Value(value)) => value.shape.as_ref().map_or(0, FbVec::count),
            _ => 0,
        };
        name.saturating_add(dims).saturating_add(1)
    }
}

/// What a graph names lies in it.
fn nodes_exist(list: &FbVec<'_, u32>, count: u64, rule: &Rule, rules: &mut Rules<'_>) {
    for (node, index) in list.iter().zip(0_u64..) {
        let Ok(node) = node else { continue };
        let at = &mut rules.at(&[Step::Index(index)]).over(list.range(index));
        below(at, rule, node.into(), count);
    }
}

/// An operator names nodes before it (crate, "operator input is invalid"), and negative numbers for
/// none.
fn nodes_before(list: &FbVec<'_, i32>, own: u64, rule: &Rule, rules: &mut Rules<'_>) {
    for (node, index) in list.iter().zip(0_u64..) {
        let Some(node) = node.ok().filter(|node| *node >= 0) else { continue };
        let at = &mut rules.at(&[Step::Index(index)]).over(list.range(index));
        below(at, rule, node.into(), own);
    }
}

fn external(
    constant: &ConstantNode<'_>,
    offset: u64,
    tensors: &mut Tensors<'_>,
    at: &mut Rules<'_>,
) {
    // A type that is not known has been reported already.
    let complete = core::mem::replace(&mut tensors.complete, false);
    let Some(size) = constant.dtype.and_then(ConstantDataType::size) else { return };
    let section = wide(tensors.bytes.len());
    let len = constant.elements().and_then(|count| count.checked_mul(size));
    let end = len.and_then(|len| offset.checked_add(len));
    let Some(end) = end.filter(|end| *end <= section) else {
        at.report(&OUTSIDE, Show::Uint(section), end.map_or(Show::Nothing, Show::Uint));
        return;
    };
    if !offset.is_multiple_of(size) {
        at.report(&MISALIGNED, Show::Uint(size), Show::Uint(offset));
    } else if !offset.is_multiple_of(TENSOR_ALIGN) {
        at.report(&LESS_ALIGNED, Show::Uint(TENSOR_ALIGN), Show::Uint(offset));
    }
    if tensors.overlaps(offset, end) {
        at.report(&OVERLAP, Show::Nothing, Show::Uint(offset));
    }
    tensors.complete = complete;
}
