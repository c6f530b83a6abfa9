//! `RTen` models written from values at hand, for what no real file here has: graphs in operators, in
//! any depth, and long chains.

use binfmt_formats::rten::{
    Attributes, ConstantData, ConstantDataType, ConstantNode, FloatData, Graph, IfAttributes,
    LoopAttributes, Model, Node, NodeData, OperatorNode, OperatorType, Rten, Sectioned, ValueNode,
};
use binfmt_runtime::{BinFormat as _, FbRef, FbVec, FlatBuffer, FlatBuild as _, Placed};

use crate::laws;

fn node<'a>(name: &'a str, data: NodeData<'a>) -> Node<'a> {
    Node { name: Some(name), data: Some(data) }
}

fn value(name: &str) -> Node<'_> {
    node(name, NodeData::Value(ValueNode { shape: None, dtype: None }))
}

/// Three floats inside the graph.
fn inline(name: &str) -> Node<'_> {
    let elements = FbVec::from(&[1.0, 2.0, 3.0][..]);
    let constant = ConstantNode {
        shape: FbVec::from(&[3][..]),
        data: Some(ConstantData::Float(FloatData { elements })),
        dtype: Some(ConstantDataType::Float32),
        data_offset: None,
    };
    node(name, NodeData::Constant(constant))
}

/// Three floats in the tensor section.
fn external(name: &str, at: u64) -> Node<'_> {
    let constant = ConstantNode {
        shape: FbVec::from(&[1, 3][..]),
        data: None,
        dtype: Some(ConstantDataType::Float32),
        data_offset: Some(Placed::from(at)),
    };
    node(name, NodeData::Constant(constant))
}

fn operator<'a>(
    op: OperatorType,
    attributes: Option<Attributes<'a>>,
    inputs: &'a [i32],
    outputs: &'a [i32],
) -> Node<'a> {
    let operator =
        OperatorNode { op, attributes, inputs: FbVec::from(inputs), outputs: FbVec::from(outputs) };
    node("op", NodeData::Operator(operator))
}

fn body<'a>(body: &'a Graph<'a>) -> Attributes<'a> {
    Attributes::Loop(LoopAttributes { body: Some(FbRef::from(body)) })
}

fn graph<'a>(nodes: &'a [Node<'a>], inputs: &'a [u32], outputs: &'a [u32]) -> Graph<'a> {
    Graph {
        nodes: FbVec::from(nodes),
        inputs: FbVec::from(inputs),
        outputs: FbVec::from(outputs),
        captures: None,
    }
}

/// A file of version 2.
fn file(graph: Graph<'_>, tensors: &[u8]) -> Vec<u8> {
    let model = Model { schema_version: 1, graph, metadata: None }.to_buffer_unruled().unwrap();
    let model = FlatBuffer::<Model<'_>>::parse(&model).unwrap();
    Rten::V2(Sectioned::new(model, tensors)).to_vec().unwrap()
}

const FLOATS: [f32; 3] = [4.0, 5.0, 6.0];

/// A model with an `If` that holds a `Loop`, with constants in all graphs, inline and external.
pub(crate) fn branches() -> Vec<u8> {
    let inner = [external("in_loop", 0), value("x")];
    let inner = graph(&inner, &[], &[0]);
    let then_branch = [
        inline("in_then"),
        value("y"),
        operator(OperatorType::Loop, Some(body(&inner)), &[0, -1], &[1]),
    ];
    let then_branch = graph(&then_branch, &[], &[1]);
    let else_branch = [external("in_else", 64)];
    let else_branch = graph(&else_branch, &[], &[0]);
    let branches = Attributes::If(IfAttributes {
        then_branch: Some(FbRef::from(&then_branch)),
        else_branch: Some(FbRef::from(&else_branch)),
    });
    let nodes = [
        value("condition"),
        value("result"),
        operator(OperatorType::If, Some(branches), &[0], &[1]),
        inline("outside"),
    ];
    let floats = FLOATS.map(f32::to_le_bytes).concat();
    let tensors = [&floats[..], &[0; 52], &floats].concat();
    file(graph(&nodes, &[0], &[1]), &tensors)
}

/// A `Loop` in a `Loop`, that many times.
pub(crate) fn nested(depth: usize) -> Vec<u8> {
    fn around(inner: &Graph<'_>, depth: usize) -> Vec<u8> {
        let nodes = [operator(OperatorType::Loop, Some(body(inner)), &[], &[])];
        let outer = graph(&nodes, &[], &[]);
        match depth.checked_sub(1) {
            Some(depth) => around(&outer, depth),
            None => file(outer, &[]),
        }
    }
    around(&graph(&[], &[], &[]), depth.saturating_sub(1))
}

/// Operators that each read what the one before wrote.
pub(crate) fn chain(len: i32) -> Vec<u8> {
    let ends: Vec<[i32; 2]> = (0..len).map(|index| [2 * index, 2 * index + 1]).collect();
    let mut nodes = vec![value("x")];
    for [from, to] in &ends {
        nodes.push(value("x"));
        let (from, to) = (std::slice::from_ref(from), std::slice::from_ref(to));
        // The values have odd indices, but for the first.
        nodes.push(operator(OperatorType::Relu, None, from, to));
    }
    file(graph(&nodes, &[0], &[1]), &[])
}

#[test]
fn graphs_in_operators_are_written_and_read() {
    let file = branches();
    laws::hold::<Rten<'_>>(&file, ());
    let report = Rten::validate(&file);
    assert!(report.findings().is_empty(), "{report}");
    let rten = Rten::parse(&file).unwrap();
    let constants: Vec<_> = rten.constants().map(Result::unwrap).collect();
    let names: Vec<_> = constants.iter().map(|constant| constant.name.unwrap()).collect();
    assert_eq!(names, ["in_then", "in_loop", "in_else", "outside"]);
    let floats = FLOATS.map(f32::to_le_bytes).concat();
    for constant in constants.iter().filter(|constant| constant.external) {
        let at = usize::try_from(constant.offset.unwrap()).unwrap();
        assert_eq!((constant.bytes, &file[at..at + 12]), (Some(&floats[..]), &floats[..]));
    }
    assert_eq!(rten.to_vec().unwrap(), file);
}

#[test]
fn what_a_graph_captures_is_there() {
    for (capture, told) in [(1, false), (2, true)] {
        let nodes = [value("x"), inline("y")];
        let captures = [capture];
        let captures = Some(FbVec::from(&captures[..]));
        let report = Rten::validate(&file(Graph { captures, ..graph(&nodes, &[0], &[1]) }, &[]));
        let found: Vec<_> =
            report.errors().map(|error| (error.path.as_str(), error.code)).collect();
        let expected = ("model.graph.captures[0]", "rten.graph.captures.range");
        assert_eq!(found, if told { vec![expected] } else { vec![] });
    }
}

#[test]
fn paths_of_nodes_are_those_of_findings() {
    let file = branches();
    let rten = Rten::parse(&file).unwrap();
    let mut nodes = rten.nodes();
    let mut paths = Vec::new();
    while let Some(node) = nodes.next() {
        node.unwrap();
        paths.push(nodes.path());
    }
    let inside = "model.graph.nodes[2].data.attributes";
    let inner = format!("{inside}.then_branch.nodes[2].data.attributes.body");
    let expected = [
        "model.graph.nodes[0]".to_owned(),
        "model.graph.nodes[1]".to_owned(),
        "model.graph.nodes[2]".to_owned(),
        format!("{inside}.then_branch.nodes[0]"),
        format!("{inside}.then_branch.nodes[1]"),
        format!("{inside}.then_branch.nodes[2]"),
        format!("{inner}.nodes[0]"),
        format!("{inner}.nodes[1]"),
        format!("{inside}.else_branch.nodes[0]"),
        "model.graph.nodes[3]".to_owned(),
    ];
    assert_eq!(paths, expected);
}

#[test]
fn written_graphs_may_nest_as_deep_as_readers_go() {
    let told = |depth| {
        let file = nested(depth);
        laws::hold::<Rten<'_>>(&file, ());
        let report = Rten::validate(&file);
        report.findings().iter().map(|finding| finding.code).collect::<Vec<_>>()
    };
    assert_eq!(told(15), [""; 0]);
    assert_eq!(told(64), ["depth"]);
}

#[test]
fn written_chains_need_no_stack() {
    let file = chain(20_000);
    assert!(Rten::is_valid(&file));
    let report = Rten::validate(&file);
    assert!(report.findings().is_empty(), "{report}");
    assert_eq!(Rten::parse(&file).unwrap().nodes().count(), 40_001);
}
