//! Numbers, places and padding that follow from one another come to an end, and each output finds the same.

use binfmt_runtime::{BinFormat, Leb128};

use super::checksums::Total;
use super::placed_anew::keeps;

/// An item in front of the section, with a checksum of what has its place in it.
#[derive(BinFormat, Debug, Clone, Default, PartialEq)]
struct Summed {
    at: u8,
    size: u8,
    #[bin(checksum(Total, over = text))]
    sum: u8,
    to: u8,
    #[bin(at = to, place = around, nul, shared)]
    text: String,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Sharing {
    #[bin(prefix = u8)]
    table: Vec<Summed>,
    to: u8,
    #[bin(section = open, until_end)]
    data: Vec<u8>,
    #[bin(at = to, place = data, nul, shared)]
    own: String,
    #[bin(for_each = table, at = it.at, place = data, len = it.size)]
    values: Vec<Vec<u8>>,
}

#[test]
fn a_checksum_over_the_bytes_of_a_value_of_the_type_with_the_section() {
    let one = |text: &str| Summed { text: text.into(), ..Summed::default() };
    let sharing = Sharing {
        table: vec![one("a"), one("b")],
        to: 0,
        data: Vec::new(),
        own: "b".into(),
        values: vec![vec![1], vec![2]],
    };
    keeps(&sharing, |sharing| (sharing.own.clone(), sharing.values.clone()));
}

/// A value in front of the one that holds it, from whose start its padding counts, with others between them.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Circle {
    data_len: u8,
    to: u8,
    #[bin(section = open, len = data_len)]
    data: Vec<u8>,
    #[bin(at = to, place = data)]
    holder: Holder,
    between_at: u8,
    #[bin(at = between_at, place = data)]
    between: [u8; 3],
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Holder {
    to: u8,
    #[bin(at = to, place = around, nul, align_after = 4)]
    text: String,
}

#[test]
fn padding_that_counts_from_what_the_padding_moves() {
    for (text_at, between_at) in (0..12).flat_map(|at| (0..12).map(move |between| (at, between))) {
        for holder_at in 0..12 {
            let holder = Holder { to: text_at, text: "xy".into() };
            let data = Vec::new();
            let circle =
                Circle { data_len: 0, to: holder_at, data, holder, between_at, between: [7; 3] };
            keeps(&circle, |circle| circle.holder.text.clone());
        }
    }
}

/// A number of variable length in front of a value that lies where an offset says, of a fixed size.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Fixed {
    #[bin(prefix = u8)]
    table: Vec<Leb128<u16>>,
    #[bin(for_each = table, len = it)]
    values: Vec<Vec<u8>>,
    #[bin(pad_to = 6)]
    last: Last,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Last {
    at: u8,
    #[bin(at = at, len = 5)]
    bytes: Vec<u8>,
}

#[test]
fn a_value_of_a_fixed_size_behind_a_table_that_is_measured_too_short() {
    let bytes: Vec<u8> = [&[1, 128, 1][..], &[7; 128], &[132], &[1; 5]].concat();
    let read = Fixed::parse(bytes.leak()).unwrap();
    keeps(&read, |read| (read.values.clone(), read.last.bytes.clone()));
    let fresh = Fixed { table: vec![Leb128::new(0)], ..read };
    keeps(&fresh, |fresh| (fresh.values.clone(), fresh.last.bytes.clone()));
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(tag = kind, args(kind: u8))]
enum Shape {
    #[bin(id = 1)]
    One(u8),
    #[bin(other)]
    Other(u8, u8),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Shapes {
    kind: u8,
    first_at: u8,
    second_at: u8,
    #[bin(at = first_at, args(kind))]
    first: Shape,
    #[bin(at = second_at, args(kind))]
    second: Shape,
}

/// What is wrong with both must not take each other away, wherever they lie.
#[test]
fn values_at_offsets_that_keep_another_tag_are_not_settled() {
    for (first_at, second_at) in (0..60).flat_map(|first| (0..60).map(move |at| (first, at))) {
        let [first, second] = [Shape::Other(3, 7), Shape::Other(3, 7)];
        let value = Shapes { kind: 2, first_at, second_at, first, second };
        assert!(value.settle(&mut Vec::new()).is_err(), "{first_at} {second_at}");
    }
    let shapes = |tag| Shapes {
        kind: 2,
        first_at: 0,
        second_at: 0,
        first: Shape::Other(tag, 7),
        second: Shape::Other(tag, 7),
    };
    assert!(shapes(2).settle(&mut Vec::new()).is_ok());
}
