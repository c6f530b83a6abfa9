//! What words cannot say: rules between nodes, and between constants and the tensor section.

#![expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "expressions of declarations pass fields as they are"
)]

use core::ops::Range;

use binfmt_runtime::{FbVec, Placed, Rules, Severity, Show, Step};

use super::{
    Attributes, Bare, ConstantData, ConstantDataType, ConstantNode, Graph, Node, NodeData,
    OperatorNode, OperatorType, Sectioned, TENSOR_ALIGN, tensors::Tensors,
};

/// Whether all bytes are 0.
pub(super) fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
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
    let section = rules.range("tensors");
    let at = u64::try_from(section.start).unwrap_or(u64::MAX);
    let mut tensors = Tensors::new(file.tensors, at);
    let Ok(model) = file.model.root() else { return };
    let trail = Trail::new(&[Step::Field("model"), Step::Field("graph")]);
    Check { rules, trail, tensors: Some(&mut tensors) }.graph(&model.graph);
    tensors.rest(rules);
}

/// The rules of a file of version 1.
pub(super) fn bare(file: &Bare<'_>, rules: &mut Rules<'_>) {
    rules.warn(
        "rten.deprecated",
        "model",
        format_args!("a file without a header is of version 1, which the tools no longer write"),
    );
    if let Ok(model) = file.model.root() {
        let trail = Trail::new(&[Step::Field("model"), Step::Field("graph")]);
        Check { rules, trail, tensors: None }.graph(&model.graph);
    }
}

/// Where a rule is, as far as a path is shown.
#[derive(Clone, Copy)]
struct Trail {
    steps: [Step; 64],
    len: usize,
}

impl Trail {
    fn new(steps: &[Step]) -> Self {
        let mut trail = Self { steps: [Step::Index(0); 64], len: 0 };
        for step in steps {
            trail.push(*step);
        }
        trail
    }

    fn push(&mut self, step: Step) {
        if let Some(slot) = self.steps.get_mut(self.len) {
            *slot = step;
        }
        self.len = self.len.saturating_add(1);
    }

    fn pop(&mut self) {
        self.len = self.len.saturating_sub(1);
    }

    fn steps(&self) -> &[Step] {
        self.steps.get(..self.len).unwrap_or(&self.steps)
    }
}

/// A walk over graphs. How deep it goes is bounded by how deep tables nest.
struct Check<'c, 'r, 'a> {
    rules: &'c mut Rules<'r>,
    trail: Trail,
    /// The tensor section, if the version has one.
    tensors: Option<&'c mut Tensors<'a>>,
}

impl<'a> Check<'_, '_, 'a> {
    fn error(
        &mut self,
        code: &'static str,
        range: Range<u64>,
        what: core::fmt::Arguments<'_>,
        shown: (Show, Show),
    ) {
        self.rules.tell_at(Severity::Error, code, (self.trail.steps(), range), what, shown);
    }

    fn graph(&mut self, graph: &Graph<'a>) {
        let lists = [
            ("inputs", Some(graph.inputs)),
            ("outputs", Some(graph.outputs)),
            ("captures", graph.captures),
        ];
        for (name, list) in lists {
            self.trail.push(Step::Field(name));
            self.nodes_exist(&list.unwrap_or_default(), graph.nodes.count());
            self.trail.pop();
        }
        self.trail.push(Step::Field("nodes"));
        for (node, index) in graph.nodes.iter().zip(0_u64..) {
            self.trail.push(Step::Index(index));
            match node {
                Ok(Node { data: Some(data), .. }) => {
                    self.trail.push(Step::Field("data"));
                    self.node(&data, index);
                    self.trail.pop();
                }
                Ok(_) => {}
                Err(_) => self.unreadable(),
            }
            self.trail.pop();
        }
        self.trail.pop();
    }

    /// What cannot be read has been told, and may hold constants.
    fn unreadable(&mut self) {
        if let Some(tensors) = &mut self.tensors {
            tensors.complete = false;
        }
    }

    /// What a graph names lies in it.
    fn nodes_exist(&mut self, list: &FbVec<'_, u32>, count: u64) {
        for (node, index) in list.iter().zip(0_u64..) {
            let Some(node) = node.ok().map(u64::from).filter(|node| *node >= count) else {
                continue;
            };
            self.trail.push(Step::Index(index));
            let what = format_args!("the graph has no node {node}");
            let shown = (Show::Uint(count), Show::Uint(node));
            self.error("Graph.node", list.range(index).unwrap_or(0..0), what, shown);
            self.trail.pop();
        }
    }

    fn node(&mut self, data: &NodeData<'a>, index: u64) {
        match data {
            NodeData::Operator(operator) => self.operator(operator, index),
            NodeData::Constant(constant) => self.constant(constant),
            NodeData::Value(_) | NodeData::Other(_) => {}
        }
    }

    /// An operator names nodes before it (crate, "operator input is invalid").
    fn operator(&mut self, operator: &OperatorNode<'a>, index: u64) {
        for (name, list) in [("inputs", operator.inputs), ("outputs", operator.outputs)] {
            self.trail.push(Step::Field(name));
            for (node, place) in list.iter().zip(0_u64..) {
                let node = node.ok().and_then(|node| u64::try_from(node).ok());
                let Some(node) = node.filter(|node| *node >= index) else { continue };
                self.trail.push(Step::Index(place));
                let range = list.range(place).unwrap_or(0..0);
                let what = format_args!("an operator names nodes before it in the list");
                self.error("OperatorNode.node", range, what, (Show::Nothing, Show::Uint(node)));
                self.trail.pop();
            }
            self.trail.pop();
        }
        self.trail.push(Step::Field("attributes"));
        for (name, graph) in operator.attributes.iter().flat_map(Attributes::graphs) {
            self.trail.push(Step::Field(name));
            match graph.get() {
                Ok(graph) => self.graph(&graph),
                Err(_) => self.unreadable(),
            }
            self.trail.pop();
        }
        self.trail.pop();
    }

    /// A constant outside the graph lies in the tensor section.
    fn constant(&mut self, constant: &ConstantNode<'a>) {
        let inline = constant.data.as_ref().and_then(ConstantData::dtype).is_some();
        let Some(offset) = constant.data_offset.filter(|_| !inline) else { return };
        self.trail.push(Step::Field("data_offset"));
        match self.tensors.take() {
            None => {
                let what =
                    format_args!("the constant lies in a tensor section, and version 1 has none");
                self.error(
                    "ConstantNode.section",
                    offset.range(),
                    what,
                    (Show::Nothing, Show::Nothing),
                );
            }
            Some(tensors) => {
                self.external(constant, offset, tensors);
                self.tensors = Some(tensors);
            }
        }
        self.trail.pop();
    }

    fn external(
        &mut self,
        constant: &ConstantNode<'a>,
        offset: Placed<u64>,
        tensors: &mut Tensors<'a>,
    ) {
        // A type that is not known has been told already.
        let complete = core::mem::replace(&mut tensors.complete, false);
        let Some(size) = constant.dtype.and_then(ConstantDataType::size) else { return };
        let section = u64::try_from(tensors.bytes.len()).unwrap_or(u64::MAX);
        let len = constant.elements().and_then(|count| count.checked_mul(size));
        let end = len.and_then(|len| offset.checked_add(len));
        let Some(end) = end.filter(|end| *end <= section) else {
            let what =
                format_args!("the constant reaches out of the tensor section of {section} bytes");
            let found = end.map_or(Show::Nothing, Show::Uint);
            return self.error(
                "ConstantNode.data_offset",
                offset.range(),
                what,
                (Show::Uint(section), found),
            );
        };
        if !offset.is_multiple_of(size) {
            let what =
                format_args!("the constant does not lie on a multiple of its element size, {size}");
            self.error(
                "ConstantNode.align",
                offset.range(),
                what,
                (Show::Nothing, Show::Uint(*offset)),
            );
        } else if !offset.is_multiple_of(TENSOR_ALIGN) {
            let what = format_args!(
                "the constant does not lie on a multiple of 64, as the converter writes it"
            );
            let about = (self.trail.steps(), offset.range());
            let shown = (Show::Nothing, Show::Uint(*offset));
            self.rules.tell_at(Severity::Warning, "ConstantNode.align", about, what, shown);
        }
        if tensors.overlaps(*offset, end) {
            let what = format_args!("the constant shares some of its bytes with another one");
            self.error(
                "ConstantNode.overlap",
                offset.range(),
                what,
                (Show::Nothing, Show::Nothing),
            );
        }
        tensors.complete = complete;
    }
}
