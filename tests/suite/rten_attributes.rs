//! Attributes of `RTen` operators, against the reader of the crate `rten-model-file`.

use binfmt_formats::rten::{Attributes, Model, NodeData, OperatorNode, Rten};
use binfmt_runtime::{BinFormat as _, FlatBuffer, FlatBuild as _};
use flatbuffers::{FlatBufferBuilder, TableFinishedWIPOffset, WIPOffset};
use rten_model_file::schema;

use crate::corpus::{self, Sample};

type Table = WIPOffset<TableFinishedWIPOffset>;
type Builder = FlatBufferBuilder<'static>;

/// The table of each tag, slot by slot: `i`, `u`, `f`, `b` are numbers, `e` one with names, `v` a
/// vector, `t` a text, `s` the union of two numbers; in upper case what has to be there.
const TABLES: &[(u8, &str)] = &[
    (1, "ib"),
    (2, "Vevvbb"),
    (3, "f"),
    (4, "e"),
    (5, "i"),
    (6, "S"),
    (7, "evuvv"),
    (8, "vevuvv"),
    (9, "i"),
    (10, "i"),
    (11, "ffbb"),
    (12, "eub"),
    (13, "f"),
    (14, "eu"),
    (15, "Vevvb"),
    (16, "vbb"),
    (17, "b"),
    (18, "eee"),
    (19, "ii"),
    (20, "i"),
    (21, "v"),
    (22, "b"),
    (23, "ie"),
    (24, "i"),
    (25, "ibb"),
    (26, "ff"),
    (27, "b"),
    (28, "e"),
    (29, "e"),
    (30, "if"),
    (31, "vfff"),
    (32, "f"),
    (33, "fff"),
    (34, "fffv"),
    (35, "fff"),
    (36, "i"),
    (37, "e"),
    (38, "t"),
    (40, "e"),
    (41, "i"),
    (42, "ie"),
    (43, "eu"),
    (44, ""),
    (45, "ii"),
    (46, "i"),
    (47, "ei"),
    (48, ""),
    (50, "e"),
    (51, "ib"),
    (52, "ib"),
    (53, "b"),
    (54, "b"),
    (55, "if"),
    (56, "ii"),
    (57, "bb"),
    (58, "e"),
    (59, "buu"),
    (60, "buuff"),
    (61, "bb"),
    (62, "iu"),
];

fn slot(slot: u16) -> u16 {
    4 + 2 * slot
}

/// What a slot refers to.
#[derive(Clone, Copy)]
enum Target {
    Nothing,
    Vector(WIPOffset<flatbuffers::Vector<'static, u32>>),
    Text(WIPOffset<&'static str>),
    Union(Table),
}

/// A table with a value of its own in every slot, or only with those that must be there.
fn attributes(b: &mut Builder, kinds: &str, named: u8, all: bool) -> Table {
    let stored = |kind: char| all || kind.is_uppercase();
    let targets: Vec<_> = kinds
        .chars()
        .zip(3_u32..)
        .map(|(kind, number)| match kind.to_ascii_lowercase() {
            _ if !stored(kind) => Target::Nothing,
            'v' => Target::Vector(b.create_vector(&[number, 7])),
            't' => Target::Text(b.create_string("ij,jk->ik")),
            's' => {
                let table = b.start_table();
                // One float, or one integer: -5.5 or what has these bits.
                b.push_slot_always(slot(0), -5.5_f32);
                Target::Union(b.end_table(table))
            }
            _ => Target::Nothing,
        })
        .collect();
    let table = b.start_table();
    let mut at = 0;
    for (kind, target) in kinds.chars().zip(targets).filter(|(kind, _)| stored(*kind)) {
        match (kind, target) {
            (_, Target::Vector(vector)) => b.push_slot_always(slot(at), vector),
            (_, Target::Text(text)) => b.push_slot_always(slot(at), text),
            (_, Target::Union(table)) => {
                b.push_slot_always(slot(at), 1 + named % 2);
                at += 1;
                b.push_slot_always(slot(at), table);
            }
            ('i', _) => b.push_slot_always(slot(at), -3 - i32::from(at)),
            ('u', _) => b.push_slot_always(slot(at), 3 + u32::from(at)),
            ('f', _) => b.push_slot_always(slot(at), 0.25 + f32::from(at)),
            ('b', _) => b.push_slot_always(slot(at), named.is_multiple_of(2)),
            ('e', _) => b.push_slot_always(slot(at), named),
            other => panic!("{}", other.0),
        }
        at += 1;
    }
    b.end_table(table)
}

/// A model with one operator.
fn model(tag: u8, kinds: &str, named: u8, all: bool) -> Vec<u8> {
    let mut b = Builder::new();
    let attributes = attributes(&mut b, kinds, named, all);
    let table = b.start_table();
    b.push_slot_always(slot(1), tag);
    b.push_slot_always(slot(2), attributes);
    let operator = b.end_table(table);
    let table = b.start_table();
    b.push_slot_always(slot(1), 1_u8);
    b.push_slot_always(slot(2), operator);
    let node = b.end_table(table);
    let nodes = b.create_vector(&[node]);
    let table = b.start_table();
    b.push_slot_always(slot(0), nodes);
    let graph = b.end_table(table);
    let table = b.start_table();
    b.push_slot_always(slot(0), 1_i32);
    b.push_slot_always(slot(1), graph);
    let root = b.end_table(table);
    b.finish_minimal(root);
    b.finished_data().to_vec()
}

/// The fields of a value that is shown for debugging.
fn fields(shown: &str) -> &str {
    let start = shown.find('{').unwrap_or(shown.len());
    let end = shown.rfind('}').unwrap_or(shown.len());
    &shown[start..end.max(start)]
}

/// The attributes as the crate reads them.
fn theirs(model: &[u8]) -> String {
    let model = schema::root_as_model(model).unwrap();
    let node = model.graph().nodes().unwrap().get(0);
    let shown = format!("{:?}", node.data_as_operator_node().unwrap());
    let (_, shown) = shown.split_once(", attrs: ").unwrap();
    let (shown, _) = shown.split_once(", inputs: ").unwrap();
    let shown = shown.replace("<UNKNOWN ", "Other(").replace('>', ")").replace("-)", "->");
    let shown =
        shown.replace("value_type: IntScalar, ", "").replace("value_type: FloatScalar, ", "");
    fields(&shown).to_owned()
}

/// The attributes as we read them.
fn ours(model: &[u8]) -> String {
    let model = FlatBuffer::<Model<'_>>::parse(model).unwrap().root().unwrap();
    let node = model.graph.nodes.get(0).unwrap().unwrap();
    let Some(NodeData::Operator(OperatorNode { attributes: Some(attributes), .. })) = node.data
    else {
        panic!("{node:?}")
    };
    let shown = format!("{attributes:?}").replace("[Ok(", "[").replace("), Ok(", ", ");
    let shown = shown.replace(")]", "]");
    let shown = match &attributes {
        Attributes::ConstantOfShape(_) => {
            let shown = shown.replace("Int(IntScalar", "IntScalar").replace(" }) }", " } }");
            shown.replace("Float(FloatScalar", "FloatScalar")
        }
        _ => shown,
    };
    fields(&shown).to_owned()
}

#[test]
fn attributes_are_read_and_written_as_the_crate_reads_them() {
    for (tag, kinds) in TABLES {
        for (named, all) in (0..=5).map(|named| (named, true)).chain([(0, false)]) {
            let bytes = model(*tag, kinds, named, all);
            assert_eq!(ours(&bytes), theirs(&bytes), "{tag}");
            let again = FlatBuffer::<Model<'_>>::parse(&bytes).unwrap().root().unwrap();
            let again = again.to_buffer().unwrap();
            assert_eq!(theirs(&again), theirs(&bytes), "{tag}");
        }
    }
}

#[test]
fn every_tag_has_a_table_that_is_tested() {
    let tags: Vec<u8> = TABLES.iter().map(|(tag, _)| *tag).collect();
    // Those of `If` and `Loop` hold graphs, which have tests of their own.
    let expected = (1..=schema::OperatorAttrs::ENUM_MAX).filter(|tag| ![39, 49].contains(tag));
    assert!(tags.into_iter().eq(expected));
}

#[test]
fn model_data_made_anew_is_the_same_to_the_crate() {
    for Sample { name, bytes, .. } in corpus::samples("rten") {
        let rten = Rten::parse(&bytes).unwrap();
        let again = rten.model().root().unwrap().to_buffer().unwrap();
        assert_eq!(shown(&again), shown(rten.model().bytes()), "{name}");
    }
}

/// All that the crate sees in model data, where an empty list is as good as none.
pub(crate) fn shown(model: &[u8]) -> String {
    let shown = format!("{:?}", schema::root_as_model(model).unwrap());
    shown.replace("Some([])", "None")
}
