//! Values that are placed anew, for others or their own numbers have grown: no output loses what they hold.

use std::fmt::Debug;

use binfmt_runtime::{Auto, BinFormat, Crc32, DefaultArgs, Leb128, laws};

use super::findings;

/// What is written, also without any floors, is read as the same `payload`, valid, and written again so.
#[track_caller]
pub(super) fn keeps<T, P>(value: &T, payload: impl Fn(&T) -> P)
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
    P: PartialEq + Debug,
{
    let bytes = laws::written_is_read(value, T::default_args()).unwrap().unwrap();
    for bytes in [bytes, value.compact().to_vec().unwrap().leak()] {
        let read = T::parse(bytes).unwrap();
        assert_eq!(payload(&read), payload(value));
        let again = laws::written_is_read(&read, T::default_args()).unwrap().unwrap();
        assert_eq!(again, bytes);
    }
}

/// Values of a page that share their places, with a checksum of each.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Page {
    len: u8,
    #[bin(prefix = u8)]
    table: Vec<Row>,
    #[bin(section, len = len, grow = down)]
    space: Vec<u8>,
    #[bin(for_each = table, at = it.at, len = it.len, base = space, place = space, shared,
        checksum(Crc32, it.sum))]
    values: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, Default, PartialEq)]
#[bin(little)]
struct Row {
    at: u8,
    len: u8,
    sum: u32,
}

#[test]
fn an_empty_value_beside_shared_ones_in_a_page() {
    for values in [[&[1][..], &[], &[1]], [&[], &[1], &[1]], [&[1], &[1], &[]]] {
        let values: Vec<_> = values.into_iter().map(Vec::from).collect();
        let page = Page { len: 4, table: vec![Row::default(); 3], space: vec![0; 4], values };
        keeps(&page, |page| page.values.clone());
    }
}

/// Shared values of an open section with padding behind them.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Padded {
    #[bin(prefix = u8)]
    table: Vec<Row>,
    #[bin(section = open, len = remaining)]
    data: Vec<u8>,
    #[bin(for_each = table, at = it.at, len = it.len, place = data, shared, align_after = 4,
        checksum(Crc32, it.sum))]
    values: Vec<Vec<u8>>,
}

#[test]
fn a_checksum_of_a_shared_value_leaves_its_padding_out() {
    let padded = Padded {
        table: vec![Row::default(); 3],
        data: Vec::new(),
        values: vec![vec![7], vec![7], vec![8, 9]],
    };
    keeps(&padded, |padded| padded.values.clone());
}

/// Two values of one type, which may have another one inside.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Two {
    first_at: u8,
    second_at: u8,
    #[bin(section = open, len = remaining)]
    data: Vec<u8>,
    #[bin(at = first_at, place = data, shared)]
    first: Holder,
    #[bin(at = second_at, place = data, shared)]
    second: Holder,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Holder {
    size: Auto<u8>,
    at: u8,
    #[bin(at = at, len = size, place = around, null = 0)]
    value: Option<Vec<u8>>,
}

#[test]
fn values_share_a_place_only_with_what_is_inside_them() {
    let holder = |at, value: Option<&[u8]>| Holder {
        size: Auto::new(),
        at,
        value: value.map(<[u8]>::to_vec),
    };
    let values = [None, Some(&b""[..]), Some(b"x"), Some(b"y")];
    for first in values {
        for second in values {
            let two = Two {
                first_at: 0,
                second_at: 0,
                data: Vec::new(),
                first: holder(u8::from(first.is_some()), first),
                second: holder(u8::from(second.is_some()), second),
            };
            keeps(&two, |two| (two.first.value.clone(), two.second.value.clone()));
        }
    }
}

/// A tree of shared nodes, each counted from the one that leads to it.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Tree {
    at: u8,
    #[bin(section = open, len = remaining)]
    data: Vec<u8>,
    #[bin(at = at, place = data)]
    root: Node,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Node {
    name: u8,
    #[bin(prefix = u8)]
    places: Vec<u8>,
    #[bin(for_each = places, at = it, place = around, shared, base = start)]
    nodes: Vec<Self>,
}

fn node(name: u8, places: &[u8], nodes: &[Node]) -> Node {
    Node { name, places: places.into(), nodes: nodes.into() }
}

/// The names of a tree.
fn names(node: &Node) -> String {
    let nodes: Vec<_> = node.nodes.iter().map(names).collect();
    format!("{}{nodes:?}", node.name)
}

#[test]
fn nodes_that_are_the_same_part_where_no_offset_leads_to_one() {
    let leaf = node(0, &[], &[]);
    let two = [leaf.clone(), leaf];
    for places in [[0; 4], [9, 5, 8, 2], [0, 0, 3, 3]] {
        let [a, b, c, d] = places;
        let root = node(0, &[5, 2], &[node(0, &[a, b], &two), node(1, &[c, d], &two)]);
        keeps(&Tree { at: 0, data: Vec::new(), root }, |tree| names(&tree.root));
    }
}

/// Places of variable length.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Bodies {
    #[bin(prefix = u8)]
    table: Vec<Place>,
    #[bin(for_each = table, at = it.at, len = it.len)]
    bodies: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Place {
    at: Leb128<u16>,
    len: u8,
}

#[test]
fn a_table_that_would_get_shorter_and_longer_in_turn() {
    let place = |at| Place { at: Leb128::new(at), len: 0 };
    let body = |byte, len| vec![byte; len];
    for places in [[5, 6], [0, 5], [6, 5]] {
        let table = places.map(place).to_vec();
        keeps(&Bodies { table: table.clone(), bodies: vec![body(8, 130), body(7, 1)] }, |all| {
            all.bodies.clone()
        });
        keeps(&Bodies { table, bodies: vec![body(7, 1), body(8, 130)] }, |all| all.bodies.clone());
    }
}

/// A place that is told behind the section, from its end.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct FromTheEnd {
    #[bin(section, len = remaining - 1)]
    data: Vec<u8>,
    back: u8,
    #[bin(at = len(data) - back, base = data, place = data, len = back)]
    lists: Lists,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Lists {
    #[bin(prefix = u8)]
    lens: Vec<Leb128<u16>>,
    #[bin(for_each = lens, len = it)]
    lists: Vec<Vec<u8>>,
}

#[test]
fn a_value_of_variable_length_that_is_told_from_the_end() {
    for space in 128..134 {
        for back in [0, 130, 131, 132] {
            let lists = Lists { lens: vec![Leb128::new(99)], lists: vec![vec![1; 128]] };
            keeps(&FromTheEnd { data: vec![0; space], back, lists }, |all| all.lists.lists.clone());
        }
    }
}

/// A value in an open section, with bytes behind that.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Followed {
    at: u8,
    len: u8,
    #[bin(section = open, len = len)]
    data: Vec<u8>,
    #[bin(at = at, place = data)]
    holder: Leading,
    #[bin(until_end)]
    rest: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Leading {
    to: u8,
    len: u8,
    #[bin(at = to, len = len, place = around)]
    value: Vec<u8>,
}

#[test]
fn a_section_does_not_grow_for_a_value_without_bytes_behind_it() {
    let bytes = b"\x02\x02\x08\0rest of it";
    assert_eq!(findings::<Followed>(bytes), ["warning holder.value region"]);
    let read = Followed::parse(bytes).unwrap();
    assert_eq!(read.to_vec().as_deref(), Ok(&b"\x02\x02\x04\0rest of it"[..]));
}

/// Values that share a place, each with one of its own inside that is new.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Doubled {
    len: u8,
    at: u8,
    #[bin(section = open, len = len)]
    data: Vec<u8>,
    #[bin(at = at, place = data)]
    list: Leaves,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Leaves {
    #[bin(prefix = u8)]
    places: Vec<u8>,
    #[bin(for_each = places, at = it, place = around, shared)]
    nodes: Vec<Leaf>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Leaf {
    name_at: u8,
    #[bin(at = name_at, null = 0, prefix = u8, place = around, shared)]
    name: Option<Vec<u8>>,
}

#[test]
fn equal_values_with_new_ones_inside_share_their_place() {
    for place in [0, 3, 11] {
        let node = || Leaf { name_at: 0, name: Some(b"abc".to_vec()) };
        let list = Leaves { places: vec![place; 2], nodes: vec![node(), node()] };
        let doubled = Doubled { len: 20, at: 0, data: Vec::new(), list };
        keeps(&doubled, |doubled| doubled.list.nodes[1].name.clone());
    }
}
