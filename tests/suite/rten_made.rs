//! `RTen` models made for what no real file here has: graphs in operators, long chains, deep nesting;
//! and the verifier of the crate `rten-model-file` on the same tables.

use binfmt_formats::rten::{Model, Rten, Sectioned};
use binfmt_runtime::{BinFormat, FlatBuffer};
use flatbuffers::{FlatBufferBuilder, TableFinishedWIPOffset, WIPOffset};

use crate::corpus::{self, Sample};
use crate::laws;

type Table = WIPOffset<TableFinishedWIPOffset>;
type Builder = FlatBufferBuilder<'static>;

/// The offset of a slot in the vtable.
fn slot(slot: u16) -> u16 {
    4 + 2 * slot
}

fn graph(b: &mut Builder, nodes: &[Table], inputs: &[u32], outputs: &[u32]) -> Table {
    let nodes = b.create_vector(nodes);
    let inputs = b.create_vector(inputs);
    let outputs = b.create_vector(outputs);
    let table = b.start_table();
    b.push_slot_always(slot(0), nodes);
    b.push_slot_always(slot(1), inputs);
    b.push_slot_always(slot(2), outputs);
    b.end_table(table)
}

fn node(b: &mut Builder, name: &str, kind: u8, data: Table) -> Table {
    let name = b.create_string(name);
    let table = b.start_table();
    b.push_slot_always(slot(0), name);
    b.push_slot_always(slot(1), kind);
    b.push_slot_always(slot(2), data);
    b.end_table(table)
}

fn value(b: &mut Builder, name: &str) -> Table {
    let table = b.start_table();
    let table = b.end_table(table);
    node(b, name, 3, table)
}

/// A constant of three floats inside the graph.
fn constant(b: &mut Builder, name: &str, shape: &[u32]) -> Table {
    let shape = b.create_vector(shape);
    let elements = b.create_vector(&[1.0_f32, 2.0, 3.0]);
    let table = b.start_table();
    b.push_slot_always(slot(0), elements);
    let data = b.end_table(table);
    let table = b.start_table();
    b.push_slot_always(slot(0), shape);
    b.push_slot_always(slot(1), 1_u8);
    b.push_slot_always(slot(2), data);
    let table = b.end_table(table);
    node(b, name, 2, table)
}

/// An operator with attributes, of which the tag is told.
fn operator(
    b: &mut Builder,
    op: u8,
    attributes: Option<(u8, Table)>,
    inputs: &[i32],
    outputs: &[i32],
) -> Table {
    let inputs = b.create_vector(inputs);
    let outputs = b.create_vector(outputs);
    let table = b.start_table();
    b.push_slot_always(slot(0), op);
    if let Some((tag, attributes)) = attributes {
        b.push_slot_always(slot(1), tag);
        b.push_slot_always(slot(2), attributes);
    }
    b.push_slot_always(slot(3), inputs);
    b.push_slot_always(slot(4), outputs);
    let table = b.end_table(table);
    node(b, "op", 1, table)
}

/// The attributes of an `If` or a `Loop`.
fn graphs(b: &mut Builder, graphs: &[Table]) -> Table {
    let table = b.start_table();
    for (index, graph) in (0..).zip(graphs) {
        b.push_slot_always(slot(index), *graph);
    }
    b.end_table(table)
}

fn model(mut b: Builder, graph: Table) -> Vec<u8> {
    let table = b.start_table();
    b.push_slot_always(slot(0), 1_i32);
    b.push_slot_always(slot(1), graph);
    let table = b.end_table(table);
    b.finish_minimal(table);
    b.finished_data().to_vec()
}

/// As version 2, with the bytes of tensors.
fn version_2(model: &[u8], tensors: &[u8]) -> Vec<u8> {
    let buffer = FlatBuffer::<Model<'_>>::parse(model).unwrap();
    Rten::V2(Sectioned::new(buffer, tensors)).to_vec().unwrap()
}

const IF: (u8, u8) = (104, 39);
const LOOP: (u8, u8) = (116, 49);

/// A model with an `If` that holds a `Loop`, with constants in all graphs.
fn branches(outputs: &[u32], shape: &[u32]) -> Vec<u8> {
    let mut b = Builder::new();
    let inner = [constant(&mut b, "in_loop", &[3]), value(&mut b, "x")];
    let body = graph(&mut b, &inner, &[], &[0]);
    let attributes = graphs(&mut b, &[body]);
    let then_nodes = [
        constant(&mut b, "in_then", shape),
        value(&mut b, "y"),
        operator(&mut b, LOOP.0, Some((LOOP.1, attributes)), &[0, -1], &[1]),
    ];
    let then_branch = graph(&mut b, &then_nodes, &[], &[1]);
    let else_nodes = [constant(&mut b, "in_else", &[1, 3])];
    let else_branch = graph(&mut b, &else_nodes, &[], &[0]);
    let attributes = graphs(&mut b, &[then_branch, else_branch]);
    let nodes = [
        value(&mut b, "condition"),
        value(&mut b, "result"),
        operator(&mut b, IF.0, Some((IF.1, attributes)), &[0], &[1]),
        constant(&mut b, "outside", &[3]),
    ];
    let outer = graph(&mut b, &nodes, &[0], outputs);
    model(b, outer)
}

/// Weight, path and code of what a validator says of version 2.
fn told(model: &[u8]) -> Vec<String> {
    let file = version_2(model, &[]);
    laws::hold::<Rten<'_>>(&file, ());
    let report = Rten::validate(&file);
    let line = |finding: &binfmt_runtime::Finding| format!("{} {}", finding.path, finding.code);
    report.findings().iter().map(line).collect()
}

#[test]
fn graphs_in_operators_are_read() {
    let bytes = branches(&[1], &[3, 1]);
    assert_eq!(told(&bytes), [""; 0]);
    let file = version_2(&bytes, &[]);
    let rten = Rten::parse(&file).unwrap();
    let names: Vec<_> = rten.constants().map(|constant| constant.unwrap().name.unwrap()).collect();
    assert_eq!(names, ["in_then", "in_loop", "in_else", "outside"]);
    assert_eq!(rten.nodes().count(), 3 + 2 + 1 + 4);
    let floats: Vec<u8> =
        [1.0_f32, 2.0, 3.0].iter().flat_map(|float| float.to_le_bytes()).collect();
    for constant in rten.constants().map(Result::unwrap) {
        assert_eq!((constant.bytes, constant.external), (Some(&floats[..]), false));
        let at = usize::try_from(constant.offset.unwrap()).unwrap();
        assert_eq!(file[at..at + 12], floats);
    }
}

#[test]
fn rules_hold_in_graphs_in_operators() {
    assert_eq!(told(&branches(&[9], &[3])), ["model.graph.outputs[0] rten.graph.outputs.range"]);
    let path = "model.graph.nodes[2].data.attributes.then_branch.nodes[0].data";
    assert_eq!(
        told(&branches(&[1], &[7])),
        [format!("{path}.shape rten.constant-node.shape.count")]
    );
    let mut b = Builder::new();
    let attributes = graphs(&mut b, &[]);
    let without = [
        operator(&mut b, IF.0, Some((IF.1, attributes)), &[], &[]),
        operator(&mut b, LOOP.0, None, &[], &[]),
        operator(&mut b, 0, None, &[2], &[-1]),
    ];
    let graph = graph(&mut b, &without, &[], &[]);
    let mut found = told(&model(b, graph));
    found.sort();
    let expected = [
        "model.graph.nodes[0].data.attributes.else_branch rten.if-attributes.else-branch.missing",
        "model.graph.nodes[0].data.attributes.then_branch rten.if-attributes.then-branch.missing",
        "model.graph.nodes[1].data.op rten.operator-node.graphs",
        "model.graph.nodes[2].data.inputs[0] rten.operator-node.inputs.order",
    ];
    assert_eq!(found, expected);
}

#[test]
fn deep_graphs_and_long_chains_need_no_stack() {
    let nested = |depth: usize| {
        let mut b = Builder::new();
        let mut inner = graph(&mut b, &[], &[], &[]);
        for _ in 0..depth {
            let attributes = graphs(&mut b, &[inner]);
            let nodes = [operator(&mut b, LOOP.0, Some((LOOP.1, attributes)), &[], &[])];
            inner = graph(&mut b, &nodes, &[], &[]);
        }
        model(b, inner)
    };
    // A graph in a graph is four tables deeper, of 64.
    assert_eq!(told(&nested(15)), [""; 0]);
    for depth in [16, 64, 1000] {
        let found = told(&nested(depth));
        assert!(matches!(&found[..], [one] if one.ends_with(" depth")), "{found:?}");
    }
    let mut b = Builder::new();
    let chain: Vec<_> = (0..20_000)
        .map(|index| match index % 2 {
            0 => value(&mut b, "x"),
            _ => operator(&mut b, 39, None, &[index - 1], &[-1]),
        })
        .collect();
    let outer = graph(&mut b, &chain, &[0], &[0]);
    let bytes = model(b, outer);
    assert!(Rten::is_valid(&bytes));
    let report = Rten::validate(&bytes);
    assert!(report.is_ok(), "{report}");
    assert_eq!(Rten::parse(&bytes).unwrap().nodes().count(), 20_000);
}

/// Both verifiers say the same of model data; rules that are ours alone stop no reader. Only a union
/// whose stored tag is 0 needs no value with us.
fn compare(bytes: &[u8], what: &dyn Fn() -> String) -> bool {
    let theirs = rten_model_file::schema::root_as_model(bytes).map(|_| ());
    let ours = FlatBuffer::<Model<'_>>::is_valid(bytes);
    let same = match &theirs {
        Ok(()) => ours,
        Err(error) => !ours || format!("{error:?}").starts_with("InconsistentUnion"),
    };
    assert!(same, "{}: they say {theirs:?}, we say {ours}", what());
    ours
}

#[test]
fn damaged_model_data_is_judged_as_the_crate_judges_it() {
    let (mut good, mut bad) = (0, 0);
    let mut count = |is_good: bool| *if is_good { &mut good } else { &mut bad } += 1;
    for Sample { name, bytes, .. } in corpus::samples("rten") {
        let rten = Rten::parse(&bytes).unwrap();
        let model = rten.model().bytes();
        assert!(compare(model, &|| name.clone()));
        let every = if model.len() < 700 { 1 } else { 5 };
        for at in (0..model.len()).step_by(every) {
            for change in [0x01, 0x04, 0x40, 0xff] {
                let mut model = model.to_vec();
                model[at] ^= change;
                count(compare(&model, &|| format!("{name}: {change:#x} at {at}")));
            }
        }
    }
    assert!(good > 1_000 && bad > 1_000, "{good} good, {bad} bad");
}
