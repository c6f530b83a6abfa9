//! Damaged buffers, and what they may cost.

use binfmt_runtime::{BinFormat, DefaultArgs as _, FbRef, FbVec, FlatBuffer, FlatBuild as _};
use cpu_time::ThreadTime;
use flatbuffers::FlatBufferBuilder;

use super::findings;
use super::flat::{Buffer, full, slot};
use crate::laws;

/// A table that can hold tables like itself, one of them lazily.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
struct Node<'a> {
    #[bin(slot = 0)]
    name: Option<&'a str>,
    #[bin(slot = 1)]
    nodes: FbVec<'a, Self>,
    #[bin(slot = 2)]
    next: Option<FbRef<'a, Self>>,
}

type Nodes = FlatBuffer<'static, Node<'static>>;

/// How a table holds the one that was made before it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Hold {
    InVector(usize),
    Lazily,
}

/// `depth` tables, each holding the one before it, several times over if so wanted.
fn nested(depth: usize, how: Hold) -> &'static [u8] {
    let mut builder = FlatBufferBuilder::new();
    let mut inner = None;
    for _ in 0..depth {
        let nodes = match (how, inner) {
            (Hold::InVector(times), Some(inner)) => {
                Some(builder.create_vector(&vec![inner; times]))
            }
            _ => None,
        };
        let table = builder.start_table();
        if let Some(nodes) = nodes {
            builder.push_slot_always(slot(1), nodes);
        }
        if let (Hold::Lazily, Some(inner)) = (how, inner) {
            builder.push_slot_always(slot(2), inner);
        }
        inner = Some(builder.end_table(table));
    }
    builder.finish_minimal(inner.unwrap());
    builder.finished_data().to_vec().leak()
}

#[test]
fn tables_nest_64_deep_and_no_deeper() {
    for how in [Hold::InVector(1), Hold::Lazily] {
        assert_eq!(findings::<Nodes>(nested(64, how)), [""; 0], "{how:?}");
        let deep = nested(65, how);
        let [finding] = &findings::<Nodes>(deep)[..] else { panic!("{how:?}") };
        assert!(finding.ends_with(" depth"), "{finding}");
        // A reader meets it where it asks.
        let mut node = Nodes::parse(deep).unwrap().root().unwrap();
        for _ in 0..63 {
            let next = node.next.map(|next| next.get());
            node = next.or_else(|| node.nodes.get(0)).unwrap().unwrap();
        }
        let last = node.next.map(|next| next.get()).or_else(|| node.nodes.get(0)).unwrap();
        assert_eq!(last.unwrap_err().finding().code, "depth");
        // Much deeper is no more than that.
        assert!(!Nodes::is_valid(nested(20_000, how)));
    }
}

#[test]
fn tables_that_share_tables_cost_no_more_than_the_input_pays() {
    let shared = nested(60, Hold::InVector(10));
    let started = ThreadTime::now();
    assert!(!Nodes::is_valid(shared));
    let report = Nodes::validate(shared);
    let time = started.elapsed();
    assert!(time.as_secs() < 5, "{time:?}");
    let [finding] = report.findings() else { panic!("{report}") };
    assert_eq!(finding.code, "budget");
    // One level of sharing is what writers do, however many there are.
    assert!(Nodes::is_valid(nested(2, Hold::InVector(1_000_000))));
    let twice = nested(2, Hold::InVector(20_000));
    assert!(Nodes::is_valid(twice));
    assert_eq!(Nodes::parse(twice).unwrap().root().unwrap().nodes.count(), 20_000);
}

#[test]
fn long_vectors_are_walked_without_a_stack() {
    let mut builder = FlatBufferBuilder::new();
    let names: Vec<_> = (0..20_000)
        .map(|number| {
            let name = builder.create_string(&format!("node {number}"));
            let table = builder.start_table();
            builder.push_slot_always(slot(0), name);
            builder.end_table(table)
        })
        .collect();
    let nodes = builder.create_vector(&names);
    let table = builder.start_table();
    builder.push_slot_always(slot(1), nodes);
    let table = builder.end_table(table);
    builder.finish_minimal(table);
    let bytes: &'static [u8] = builder.finished_data().to_vec().leak();
    let info = allocation_counter::measure(|| {
        assert!(Nodes::is_valid(bytes));
        let nodes = Nodes::parse(bytes).unwrap().root().unwrap().nodes;
        assert_eq!(nodes.iter().flatten().count(), 20_000);
        assert_eq!(nodes.get(19_999).unwrap().unwrap().name, Some("node 19999"));
    });
    assert_eq!(info.count_total, 0);
}

#[test]
fn laws_hold_on_damaged_tables() {
    let bytes = full();
    for at in 0..bytes.len() {
        for change in [0x01, 0x04, 0x80, 0xff] {
            let mut bytes = bytes.to_vec();
            bytes[at] ^= change;
            laws::hold::<FlatBuffer<'_, super::flat::Ship<'_>>>(&bytes, Buffer::default_args());
        }
        laws::hold::<FlatBuffer<'_, super::flat::Ship<'_>>>(&bytes[..at], Buffer::default_args());
    }
}

#[test]
fn a_validator_goes_on_behind_what_is_broken() {
    let mut bytes = full().to_vec();
    let at = |text: &[u8]| bytes.windows(text.len()).position(|part| part == text).unwrap();
    let (cargo, port, name) = (at(b"tea\0"), at(b"Hull\0"), at(b"Anna\0"));
    bytes[cargo] = 0xff;
    bytes[port + 4] = 1;
    bytes[name + 4] = 1;
    let report = FlatBuffer::<super::flat::Ship<'_>>::validate(&bytes);
    let mut told: Vec<_> = report
        .errors()
        .map(|finding| format!("{} {} {}", finding.path, finding.code, finding.start))
        .collect();
    told.sort();
    let expected = [
        format!("holds[0].cargo utf8 {cargo}"),
        format!("name nul {}", name + 4),
        format!("ports[0] nul {}", port + 4),
    ];
    assert_eq!(told, expected);
    let hold = report.errors().find(|finding| finding.code == "utf8").unwrap();
    assert_eq!(hold.spec, Some("chapter 2"));
}

/// A table that leads to two others.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
struct Twin<'a> {
    #[bin(slot = 0)]
    a: Option<FbRef<'a, Self>>,
    #[bin(slot = 1)]
    b: Option<FbRef<'a, Self>>,
    #[bin(slot = 2)]
    all: FbVec<'a, Self>,
    #[bin(slot = 3)]
    name: Option<&'a str>,
}

type Twins = FlatBuffer<'static, Twin<'static>>;

/// Tables each of which leads to the next one twice, by two slots or by a vector.
fn twins(depth: usize, in_vector: bool) -> &'static [u8] {
    let mut builder = FlatBufferBuilder::new();
    let name = builder.create_string(&"a name ".repeat(100));
    let mut inner = None;
    for _ in 0..depth {
        let all = inner.filter(|_| in_vector).map(|inner| builder.create_vector(&[inner; 2]));
        let table = builder.start_table();
        match (all, inner) {
            (Some(all), _) => builder.push_slot_always(slot(2), all),
            (None, Some(inner)) => {
                builder.push_slot_always(slot(0), inner);
                builder.push_slot_always(slot(1), inner);
            }
            _ => builder.push_slot_always(slot(3), name),
        }
        inner = Some(builder.end_table(table));
    }
    builder.finish_minimal(inner.unwrap());
    builder.finished_data().to_vec().leak()
}

#[test]
fn comparing_showing_and_building_shared_tables_ends_with_the_budget() {
    for in_vector in [false, true] {
        let few = Twins::parse(twins(3, in_vector)).unwrap().root().unwrap();
        assert_eq!(few, few.clone());
        assert!(!format!("{few:?}").contains(".."));
        let built: &'static [u8] = few.to_buffer().unwrap().leak();
        assert_eq!(Twins::parse(built).unwrap().root().unwrap(), few);

        let bytes = twins(40, in_vector);
        let many = Twins::parse(bytes).unwrap().root().unwrap();
        assert!(!Twins::is_valid(bytes));
        let started = ThreadTime::now();
        // Nobody knows, for that would take years.
        assert_ne!(many, many.clone());
        let shown = format!("{many:?}");
        assert!(shown.contains("..") && shown.len() < 400 * bytes.len(), "{}", shown.len());
        let info = allocation_counter::measure(|| {
            assert_eq!(many.to_buffer().unwrap_err().finding().code, "budget");
        });
        assert!(info.bytes_max < 40 * 8 * 8192, "{info:?}");
        assert!(started.elapsed().as_secs() < 2, "{:?}", started.elapsed());
        // The budget of one comparison is not that of the next.
        assert_eq!(few, few.clone());
    }
}

#[test]
fn values_in_memory_are_compared_and_shown_whole() {
    let names: Vec<String> = (0..1000).map(|name| format!("name {name}")).collect();
    let items: Vec<Twin<'_>> = names
        .iter()
        .map(|name| Twin { a: None, b: None, all: FbVec::default(), name: Some(name) })
        .collect();
    let all = Twin { a: None, b: None, all: FbVec::from(&items[..]), name: None };
    assert_eq!(all, all.clone());
    assert!(format!("{all:?}").contains("name 999"));
    let built = all.to_buffer().unwrap();
    let read = FlatBuffer::<Twin<'_>>::parse(&built).unwrap().root().unwrap();
    assert_eq!(read, all);
    assert_eq!(read.to_buffer().unwrap(), built);
    let numbers = vec![7_u8; 100_000];
    let stored = FbVec::<u8>::from_le_bytes(&numbers).unwrap();
    assert_eq!(stored, FbVec::from(&numbers[..]));
}
