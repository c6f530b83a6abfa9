//! Graphs with changed constants: those inside operators are borrowed by those around them.

use alloc::vec::Vec;

use binfmt_runtime::{Error, FbRef, FbVec};

use super::constants::too_many;
use super::{
    Attributes, ConstantNode, Graph, IfAttributes, LoopAttributes, Node, NodeData, OperatorNode,
};

/// How many nodes are changed at most: as many as a validator looks at.
const MOST_NODES: usize = 1_000_000;

/// A graph whose constants have been changed and whose operators hold the graphs they held before.
struct Changed<'a> {
    graph: Graph<'a>,
    nodes: Vec<Node<'a>>,
}

/// Changes every constant of a graph and of those inside it, and does something with the result.
pub(super) fn with_constants<'a, R>(
    graph: Graph<'a>,
    change: &mut dyn FnMut(ConstantNode<'a>) -> Result<ConstantNode<'a>, Error>,
    then: impl FnOnce(&Graph<'_>) -> Result<R, Error>,
) -> Result<R, Error> {
    let mut levels = Vec::new();
    let mut left = MOST_NODES;
    let mut level = Vec::from([graph]);
    // Readers go no deeper than 64 tables, so there are fewer levels.
    while !level.is_empty() {
        let mut inside = Vec::new();
        let mut changed = Vec::with_capacity(level.len());
        for graph in level {
            changed.push(change_nodes(graph, &mut left, change, &mut inside)?);
        }
        levels.push(changed);
        level = inside;
    }
    put_together(levels, &[], then)
}

/// The nodes of one graph; graphs inside it are added to `inside`.
fn change_nodes<'a>(
    graph: Graph<'a>,
    left: &mut usize,
    change: &mut dyn FnMut(ConstantNode<'a>) -> Result<ConstantNode<'a>, Error>,
    inside: &mut Vec<Graph<'a>>,
) -> Result<Changed<'a>, Error> {
    let mut nodes = Vec::new();
    for node in &graph.nodes {
        *left = left.checked_sub(1).ok_or_else(too_many)?;
        let mut node = node?;
        match node.data {
            Some(NodeData::Constant(constant)) => {
                node.data = Some(NodeData::Constant(change(constant)?));
            }
            Some(NodeData::Operator(ref operator)) => {
                for (_, graph) in operator.attributes.iter().flat_map(Attributes::graphs) {
                    inside.push(graph.get()?);
                }
            }
            _ => {}
        }
        nodes.push(node);
    }
    Ok(Changed { graph, nodes })
}

/// Builds the graphs level by level, the deepest ones first. Those of `below` are in the order in
/// which the operators of the last level name them.
fn put_together<'a, R>(
    mut levels: Vec<Vec<Changed<'a>>>,
    below: &'a [Graph<'a>],
    then: impl FnOnce(&Graph<'_>) -> Result<R, Error>,
) -> Result<R, Error> {
    let Some(mut level) = levels.pop() else {
        return then(below.first().ok_or_else(too_many)?);
    };
    let mut below = below.iter().map(FbRef::from);
    for node in level.iter_mut().flat_map(|changed| &mut changed.nodes) {
        if let Some(NodeData::Operator(OperatorNode { attributes: Some(attributes), .. })) =
            &mut node.data
        {
            hold(attributes, &mut below);
        }
    }
    let graph = |changed: &'_ Changed<'a>| changed.graph.clone();
    let graphs: Vec<Graph<'_>> = level
        .iter()
        .map(|changed| Graph { nodes: FbVec::from(&changed.nodes[..]), ..graph(changed) })
        .collect();
    put_together(levels, &graphs, then)
}

/// Gives an operator its graphs: as many as it had.
fn hold<'a>(
    attributes: &mut Attributes<'a>,
    graphs: &mut impl Iterator<Item = FbRef<'a, Graph<'a>>>,
) {
    let mut next = |held: &mut Option<FbRef<'a, Graph<'a>>>| {
        if held.is_some() {
            *held = graphs.next();
        }
    };
    match attributes {
        Attributes::If(IfAttributes { then_branch, else_branch }) => {
            next(then_branch);
            next(else_branch);
        }
        Attributes::Loop(LoopAttributes { body }) => next(body),
        _ => {}
    }
}
