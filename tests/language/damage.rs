//! Damage is told once, where it is, and costs no more than the input.

use std::time::Duration;

use binfmt_runtime::{BinFormat, Seq};
use cpu_time::ThreadTime;

use super::{findings, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[repr(u8)]
enum Closed {
    One = 1,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, len = size)]
struct Item<'a> {
    size: u8,
    #[bin(until_end)]
    kinds: Seq<'a, Closed>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Items<'a> {
    #[bin(until_end)]
    items: Seq<'a, Item<'a>>,
}

#[test]
fn damaged_items_do_not_count_as_depth() {
    let mut bytes = [3, 9, 9].repeat(70);
    bytes.extend([2, 1]);
    let findings = findings::<Items<'_>>(bytes.leak());
    assert_eq!(findings.len(), 70);
    assert!(findings.iter().all(|finding| finding.ends_with("value")), "{findings:?}");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Inner<'a> {
    len: u8,
    #[bin(len = len)]
    part: Nested<'a>,
    kind: Closed,
    more: u16,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Nested<'a> {
    #[bin(until_end)]
    rest: &'a [u8],
}

#[derive(BinFormat, Debug, PartialEq)]
struct Inners<'a> {
    #[bin(until_end)]
    items: Seq<'a, Inner<'a>>,
}

#[test]
fn an_item_whose_end_is_unknown_is_not_stepped_over() {
    assert_eq!(
        findings::<Inners<'_>>(&[1, 7, 9, 0, 0, 1, 7, 1, 0, 0]),
        ["error items[0].kind value"]
    );
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(probe)]
enum Tree {
    Node(Node),
    Leaf(Leaf),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Node {
    n: u8,
    #[bin(count = n)]
    children: Vec<Tree>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Leaf {
    byte: u8,
}

#[test]
fn variants_within_variants_end_with_the_budget() {
    let start = ThreadTime::now();
    for len in [1, 20, 60, 1 << 16] {
        let bytes = vec![1; len];
        let read = Tree::parse(&bytes).is_ok();
        assert!(Tree::is_valid(&bytes) <= read);
    }
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(len: u8))]
struct Name<'a>(#[bin(len = len)] &'a [u8]);

#[derive(BinFormat, Debug, PartialEq)]
struct Named<'a> {
    len: u8,
    #[bin(args(len))]
    name: Name<'a>,
}

#[test]
fn a_value_around_another_has_the_path_of_its_field() {
    assert_eq!(stopped::<Named<'_>>(&[5, 1]), "name size");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Pointer<'a> {
    at: u32,
    len: u32,
    #[bin(at = at, base = file, len = len)]
    text: &'a str,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Pointers<'a> {
    body_len: u32,
    #[bin(len = body_len)]
    body: &'a [u8],
    #[bin(until_end)]
    items: Seq<'a, Pointer<'a>>,
}

#[test]
fn many_pointers_to_one_body_are_refused() {
    let body = [vec![b'a'; 99_999], vec![0xff]].concat();
    let mut bytes = 100_000_u32.to_le_bytes().to_vec();
    bytes.extend(&body);
    for _ in 0..10_000 {
        bytes.extend(4_u32.to_le_bytes());
        bytes.extend(99_999_u32.to_le_bytes());
    }
    let bytes: &'static [u8] = bytes.leak();
    let start = ThreadTime::now();
    assert!(!Pointers::is_valid(bytes));
    let pointers = Pointers::parse(bytes).unwrap();
    assert!(pointers.items.iter().any(|item| item.is_err()));
    assert!(findings::<Pointers<'_>>(bytes).iter().any(|finding| finding.ends_with("budget")));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}
