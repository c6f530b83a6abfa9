//! The nodes and constants of a model, those of graphs inside its graph too.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use binfmt_runtime::{Class, Error, FbItems, FbVec, Finding, Problem, Severity, Show, Text};

use crate::shared::wide;

use super::{
    Attributes, ConstantData, ConstantDataType, ConstantNode, Graph, Node, NodeData, Rten,
};

/// A tensor in the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Constant<'a> {
    /// Where it is, as findings say it: `model.graph.nodes[3].data`.
    pub path: String,
    /// Its name.
    pub name: Option<&'a str>,
    /// The type of its elements: that of the elements inside the graph, else the stored one.
    pub dtype: Option<ConstantDataType>,
    /// Size in every dimension.
    pub shape: FbVec<'a, u32>,
    /// Whether the elements lie in the tensor section.
    pub external: bool,
    /// The elements, little-endian; `None` where the file does not have them, and a validator says why.
    pub bytes: Option<&'a [u8]>,
    /// Where they begin in the file.
    pub offset: Option<u64>,
}

/// Iterator over all nodes of a model; those of a graph inside an operator follow that operator.
#[derive(Debug)]
pub struct Nodes<'a> {
    open: Vec<Open<'a>>,
    /// The node that was given last: the path of its graph, and its index there.
    last: (Arc<str>, u64),
    /// How many more bytes may be told of nodes, their names and their shapes: as many as the model has,
    /// where no two nodes share theirs.
    left: u64,
    failed: Option<Error>,
}

/// The rest of a graph.
#[derive(Debug)]
struct Open<'a> {
    path: Arc<str>,
    next: u64,
    nodes: FbItems<'a, Node<'a>>,
}

/// Iterator over all constants of a model.
#[derive(Debug)]
pub struct Constants<'a> {
    nodes: Nodes<'a>,
    section: Option<Section<'a>>,
}

/// The bytes of the tensor section, and where it begins in the file.
type Section<'a> = (&'a [u8], u64);

impl<'a> Rten<'a> {
    /// All nodes, in file order; what cannot be read is an error of its own.
    pub fn nodes(&self) -> Nodes<'a> {
        let left = wide(self.model().bytes().len());
        let path: Arc<str> = Arc::from("model.graph");
        let mut nodes =
            Nodes { open: Vec::new(), last: (Arc::clone(&path), 0), left, failed: None };
        match self.model().root() {
            Ok(model) => nodes.open.push(Open { path, next: 0, nodes: model.graph.nodes.iter() }),
            Err(error) => nodes.failed = Some(error),
        }
        nodes
    }

    /// All constants, with their bytes.
    pub fn constants(&self) -> Constants<'a> {
        Constants { nodes: self.nodes(), section: self.section() }
    }

    /// Where the model ends by what it says, counted from its start: behind the last of its constants.
    /// `None` for one of version 1, which has nothing behind its tables.
    pub fn end(&self) -> Option<u64> {
        let Self::V2(file) = self else { return None };
        let constants = self.constants().map_while(Result::ok).filter(|it| it.external);
        let len = |it: &Constant<'_>| it.bytes.map_or(0, |bytes| wide(bytes.len()));
        let ends = constants.filter_map(|it| Some(it.offset?.saturating_add(len(&it))));
        Some(ends.max().unwrap_or(0).max(file.tensors_at()))
    }

    pub(super) fn section(&self) -> Option<Section<'a>> {
        match self {
            Self::V2(file) => Some((file.tensors, file.tensors_at())),
            Self::V1(_) => None,
        }
    }
}

impl<'a> Nodes<'a> {
    /// Where the node is that was given last, as findings say it: `model.graph.nodes[3]`.
    pub fn path(&self) -> String {
        let (graph, index) = &self.last;
        format!("{graph}.nodes[{index}]")
    }

    /// The graph that holds the node that was given last: `model.graph`.
    pub(super) fn graph(&self) -> &str {
        &self.last.0
    }

    /// Goes on with the graphs inside an operator.
    fn descend(&mut self, node: &Node<'a>) {
        let Some(NodeData::Operator(operator)) = &node.data else { return };
        let before = self.open.len();
        for (field, graph) in operator.attributes.iter().flat_map(Attributes::graphs) {
            match graph.get() {
                Ok(Graph { nodes, .. }) => {
                    let path = format!("{}.data.attributes.{field}", self.path());
                    let path = Arc::from(path.as_str());
                    self.open.insert(before, Open { path, next: 0, nodes: nodes.iter() });
                }
                Err(error) => self.failed = Some(error),
            }
        }
    }
}

impl<'a> Iterator for Nodes<'a> {
    type Item = Result<Node<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(error) = self.failed.take() {
            return Some(Err(error));
        }
        loop {
            let graph = self.open.last_mut()?;
            let Some(item) = graph.nodes.next() else {
                self.open.pop();
                continue;
            };
            self.last = (Arc::clone(&graph.path), graph.next);
            graph.next = graph.next.saturating_add(1);
            let Some(left) = self.left.checked_sub(item.as_ref().map_or(1, Node::cost)) else {
                self.open.clear();
                return Some(Err(too_many()));
            };
            self.left = left;
            if let Ok(node) = &item {
                self.descend(node);
            }
            return Some(item);
        }
    }
}

/// More nodes than the file has room for.
#[cold]
pub(super) fn too_many() -> Error {
    refused("budget", 0..0, "graphs lead to the same nodes, names and shapes again and again")
}

fn refused(code: &'static str, range: Range<u64>, what: &'static str) -> Error {
    let problem = Problem {
        code,
        class: Class::Malformed,
        start: usize::try_from(range.start).unwrap_or(usize::MAX),
        end: usize::try_from(range.end).unwrap_or(usize::MAX),
        what: format_args!("{what}"),
        expected: Show::Nothing,
        found: Show::Nothing,
    };
    Error::new(Finding::new(Severity::Error, Text::default(), None, &problem))
}

impl<'a> Iterator for Constants<'a> {
    type Item = Result<Constant<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.nodes.next()? {
                Ok(Node { name, data: Some(NodeData::Constant(node)) }) => {
                    let path = format!("{}.data", self.nodes.path());
                    return Some(Ok(constant((path, name), &node, self.section)));
                }
                Ok(_) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

fn constant<'a>(
    (path, name): (String, Option<&'a str>),
    node: &ConstantNode<'a>,
    section: Option<Section<'a>>,
) -> Constant<'a> {
    let stored = stored(node, section);
    Constant {
        path,
        name,
        dtype: node.data.as_ref().and_then(ConstantData::dtype).or(node.dtype),
        shape: node.shape,
        external: node.is_external(),
        bytes: stored.map(|(_, bytes, _)| bytes),
        offset: stored.map(|(_, _, offset)| offset),
    }
}

/// The elements of a constant, their type, and where they begin in the file.
pub(super) fn stored<'a>(
    node: &ConstantNode<'a>,
    section: Option<Section<'a>>,
) -> Option<(ConstantDataType, &'a [u8], u64)> {
    if let Some((data, dtype)) = node.data.as_ref().and_then(|data| Some((data, data.dtype()?))) {
        let (bytes, at) = data.stored()?;
        return Some((dtype, bytes, at));
    }
    let (section, section_at) = section?;
    let (offset, dtype) = (*node.data_offset?, node.dtype?);
    let len = node.elements()?.checked_mul(dtype.size()?)?;
    let start = usize::try_from(offset).ok()?;
    let bytes = section.get(start..)?.get(..usize::try_from(len).ok()?)?;
    Some((dtype, bytes, section_at.checked_add(offset)?))
}

/// A constant that cannot be moved.
#[cold]
pub(super) fn unreadable(node: &ConstantNode<'_>) -> Error {
    let range = node.shape.bytes_range().unwrap_or(0..0);
    refused("ConstantNode.data", range, "the elements of a constant are not there, or are too many")
}
