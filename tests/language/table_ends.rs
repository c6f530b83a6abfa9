//! Tables with a value for each item: what a writer writes of one ends for a reader where it ends.

use std::fmt::Debug;

use binfmt_runtime::{BinFormat, DefaultArgs, laws};

use super::{findings, laws::hold};

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Item {
    key: u8,
    len: u8,
}

fn item(key: u8) -> Item {
    Item { key, len: 0 }
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Last {
    #[bin(until = last.key == 0)]
    table: Vec<Item>,
    #[bin(for_each = table, len = it.len)]
    parts: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct LastOr {
    #[bin(until = last.key == 0 || remaining < 3)]
    table: Vec<Item>,
    #[bin(for_each = table, len = it.len)]
    parts: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Constant {
    #[bin(until = b"\0")]
    table: Vec<Item>,
    #[bin(for_each = table, len = it.len)]
    parts: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Peeked {
    #[bin(until = peek(b"\0"))]
    table: Vec<Item>,
    zero: u8,
    #[bin(for_each = table, at = it.len, base = zero, len = 1)]
    parts: Vec<Vec<u8>>,
}

/// The number that ends the table is one that the writer sets.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Sizes {
    #[bin(until = 0)]
    table: Vec<u16>,
    #[bin(for_each = table, len = it)]
    parts: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Left {
    #[bin(until = remaining < 3)]
    table: Vec<Item>,
    #[bin(for_each = table, len = it.len)]
    parts: Vec<Vec<u8>>,
}

/// What is written is read as the same parts; else it is refused with a code.
#[track_caller]
fn written<T>(value: &T, refused: Option<&str>)
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
{
    match (laws::written_is_read(value, T::default_args()).unwrap(), refused) {
        (Ok(bytes), None) => hold::<T>(bytes, T::default_args()),
        (Err(error), Some(code)) => assert_eq!(error.finding().code, code, "{error}"),
        (other, _) => panic!("{value:?}: {other:?}"),
    }
}

fn parts(sizes: &[usize]) -> Vec<Vec<u8>> {
    sizes.iter().map(|size| vec![7; *size]).collect()
}

#[test]
fn the_last_item_and_no_other_ends_a_table() {
    let last = |keys: &[u8], sizes: &[usize]| Last {
        table: keys.iter().copied().map(item).collect(),
        parts: parts(sizes),
    };
    written(&last(&[1, 0], &[1, 2]), None);
    written(&last(&[], &[]), Some("until"));
    written(&last(&[1, 1], &[1, 1]), Some("until"));
    written(&last(&[0, 0], &[1, 0]), Some("until"));
}

#[test]
fn a_table_ends_by_its_last_item_or_where_too_little_is_left() {
    let last = |keys: &[u8], sizes: &[usize]| LastOr {
        table: keys.iter().copied().map(item).collect(),
        parts: parts(sizes),
    };
    written(&last(&[1, 0], &[1, 2]), None);
    written(&last(&[1, 1], &[1, 1]), None);
    written(&last(&[1, 1], &[1, 2]), Some("until"));
    written(&last(&[0, 1], &[3, 2]), Some("until"));
}

#[test]
fn no_item_of_a_table_begins_with_the_constant_behind_it() {
    let constant = |keys: &[u8]| Constant {
        table: keys.iter().copied().map(item).collect(),
        parts: parts(&vec![1; keys.len()]),
    };
    written(&constant(&[1, 1]), None);
    written(&constant(&[]), None);
    written(&constant(&[1, 0]), Some("until"));
    written(&constant(&[0, 1]), Some("until"));
    let peeked = |keys: &[u8], zero| Peeked {
        table: keys.iter().copied().map(item).collect(),
        zero,
        parts: parts(&vec![1; keys.len()]),
    };
    written(&peeked(&[1, 1], 0), None);
    written(&peeked(&[1, 0], 0), Some("until"));
    written(&peeked(&[1, 1], 1), Some("until"));
}

#[test]
fn a_number_that_is_set_is_not_the_one_that_ends_its_table() {
    let sizes = |sizes: &[usize]| Sizes { table: vec![9; sizes.len()], parts: parts(sizes) };
    written(&sizes(&[1, 2]), None);
    written(&sizes(&[]), None);
    written(&sizes(&[1, 0]), Some("until"));
    written(&sizes(&[0, 1]), Some("until"));
}

#[test]
fn a_table_goes_on_while_enough_is_left() {
    let left = |sizes: &[usize]| Left { table: vec![item(1); sizes.len()], parts: parts(sizes) };
    written(&left(&[1, 1]), None);
    written(&left(&[1, 2]), Some("until"));
    written(&left(&[0]), Some("until"));
}

#[test]
fn errors_name_the_item_that_ends_a_table() {
    let last = Last { table: vec![item(1), item(0), item(1)], parts: parts(&[1, 2, 3]) };
    let error = last.to_vec().unwrap_err().to_string();
    assert!(error.starts_with("table[1] at 0x"), "{error}");
    assert_eq!(findings::<Last>(&[1, 0, 0, 0]), Vec::<String>::new());
}
