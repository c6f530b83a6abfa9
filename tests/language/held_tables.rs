//! Tables whose numbers the writer sets, and what sees the numbers that the items hold.

use std::fmt::Debug;

use binfmt_runtime::laws::outputs;
use binfmt_runtime::{BinFormat, DefaultArgs};

use super::{refused, same};

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Len {
    n: u8,
}

fn total(items: &[Len]) -> u8 {
    items.iter().map(|item| item.n).sum()
}

fn sum(items: &[u8]) -> u8 {
    items.iter().sum()
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Present {
    #[bin(prefix = u8)]
    items: Vec<Len>,
    #[bin(for_each = items, len = it.n)]
    bodies: Vec<Vec<u8>>,
    #[bin(if = total(items) > 3)]
    more: Option<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Long {
    #[bin(prefix = u8)]
    items: Vec<Len>,
    #[bin(for_each = items, len = it.n)]
    bodies: Vec<Vec<u8>>,
    #[bin(len = total(items))]
    more: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(check(total(items) < 4, "they are too long"))]
struct Checked {
    #[bin(prefix = u8)]
    items: Vec<Len>,
    #[bin(for_each = items, len = it.n)]
    bodies: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Unique {
    #[bin(prefix = u8, unique = it.n, sorted_by = it.n)]
    items: Vec<Len>,
    #[bin(for_each = items, len = it.n)]
    bodies: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Ended {
    #[bin(until = last.n == 2)]
    items: Vec<Len>,
    #[bin(for_each = items, len = it.n)]
    bodies: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Padded {
    #[bin(prefix = u8)]
    items: Vec<Len>,
    #[bin(for_each = items, len = it.n, pad_after = total(items))]
    bodies: Vec<Vec<u8>>,
    end: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Summed {
    #[bin(prefix = u8)]
    lens: Vec<u8>,
    #[bin(for_each = lens, len = it)]
    bodies: Vec<Vec<u8>>,
    #[bin(calc = sum(lens))]
    sum: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Group {
    #[bin(prefix = u8)]
    items: Vec<Len>,
}

fn total_of(group: &Group) -> u8 {
    total(&group.items)
}

fn total_of_all(groups: &[Group]) -> u8 {
    groups.iter().map(total_of).sum()
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct InGroup {
    group: Group,
    #[bin(for_each = group.items, len = it.n)]
    bodies: Vec<Vec<u8>>,
    #[bin(if = total_of(group) > 3)]
    more: Option<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct InGroups {
    #[bin(prefix = u8)]
    groups: Vec<Group>,
    #[bin(for_each = groups.items, len = it.n)]
    bodies: Vec<Vec<u8>>,
    #[bin(len = total_of_all(groups))]
    more: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(wide: u8))]
struct Body {
    #[bin(if = wide > 3)]
    more: Option<u8>,
    #[bin(until_end)]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct PassedGroup {
    #[bin(prefix = u8)]
    groups: Vec<Group>,
    #[bin(for_each = groups.items, len = it.n, args(wide = total_of(group)))]
    bodies: Vec<Body>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Counted {
    #[bin(prefix = u8)]
    items: Vec<Len>,
    #[bin(for_each = items, len = it.n)]
    bodies: Vec<Vec<u8>>,
    #[bin(if = items.len() > 1)]
    more: Option<u8>,
}

/// Numbers that the items hold are what is written, or the value is refused.
#[track_caller]
fn held<T>(make: impl Fn(&[u8]) -> T)
where
    T: BinFormat<'static, Args = ()> + DefaultArgs<'static> + PartialEq + Debug,
{
    let right = make(&[1, 2]);
    let bytes = outputs(&right, ()).unwrap().unwrap();
    assert_eq!(T::parse(bytes.leak()).as_ref(), Ok(&right));
    for stale in [[0, 0], [2, 1], [3, 4], [1, 3], [0, 2], [2, 2]] {
        match outputs(&make(&stale), ()).unwrap() {
            Ok(_) => panic!("{stale:?} is written"),
            Err(error) => {
                let code = error.finding().code;
                let rules = [
                    "Checked",
                    "Unique.items.unique",
                    "Unique.items.sorted_by",
                    "until",
                    "presence",
                ];
                assert!(code == "derived" || rules.contains(&code), "{stale:?}: {error}");
            }
        }
    }
}

#[test]
fn what_sees_numbers_of_a_table_sees_those_that_are_written() {
    let items = |lens: &[u8]| lens.iter().map(|n| Len { n: *n }).collect::<Vec<_>>();
    let bodies = || vec![vec![1], vec![2, 3]];
    held(|lens| Present { items: items(lens), bodies: bodies(), more: None });
    held(|lens| Long { items: items(lens), bodies: bodies(), more: vec![4, 5, 6] });
    held(|lens| Checked { items: items(lens), bodies: bodies() });
    held(|lens| Unique { items: items(lens), bodies: bodies() });
    held(|lens| Ended { items: items(lens), bodies: bodies() });
    held(|lens| Padded { items: items(lens), bodies: bodies(), end: 1 });
    held(|lens| Summed { lens: lens.to_vec(), bodies: bodies(), sum: 3 });
    let group = |lens: &[u8]| Group { items: items(lens) };
    held(|lens| InGroup { group: group(lens), bodies: bodies(), more: None });
    held(|lens| InGroups { groups: vec![group(lens)], bodies: bodies(), more: vec![4, 5, 6] });
    held(|lens| PassedGroup {
        groups: vec![group(lens)],
        bodies: bodies().into_iter().map(|bytes| Body { more: None, bytes }).collect(),
    });
    // How many items there are is no number of theirs.
    let counted = Counted { items: items(&[0, 0]), bodies: bodies(), more: Some(9) };
    let bytes = counted.to_vec().unwrap();
    let written = Counted { items: items(&[1, 2]), ..counted };
    assert_eq!(Counted::parse(&bytes), Ok(written));
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Twice {
    #[bin(prefix = u8)]
    items: Vec<Len>,
    #[bin(for_each = items, len = it.n)]
    first: Vec<Vec<u8>>,
    #[bin(for_each = items, len = it.n)]
    second: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Places {
    #[bin(prefix = u8)]
    items: Vec<Len>,
    #[bin(for_each = items, at = it.n)]
    first: Vec<[u8; 2]>,
    #[bin(for_each = items, at = it.n)]
    second: Vec<[u8; 2]>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Kind {
    kind: u8,
    n: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Either {
    #[bin(prefix = u8)]
    items: Vec<Kind>,
    #[bin(for_each = items, if = it.kind != 1, len = it.n)]
    bytes: Vec<Option<Vec<u8>>>,
    #[bin(for_each = items, if = it.kind != 0, count = it.n)]
    words: Vec<Option<Vec<u16>>>,
}

#[test]
fn fields_that_tell_one_number_of_an_item_agree_about_it() {
    let items = vec![Len { n: 1 }, Len { n: 2 }];
    let bodies = |lens: [usize; 2]| lens.map(|len| vec![7; len]).to_vec();
    let twice = Twice { items: items.clone(), first: bodies([1, 2]), second: bodies([1, 2]) };
    same(&twice, b"\x02\x01\x02\x07\x07\x07\x07\x07\x07");
    assert_eq!(refused(&Twice { second: bodies([2, 1]), ..twice.clone() }), "first[0] derived");
    assert_eq!(refused(&Twice { first: bodies([1, 1]), ..twice }), "first[1] derived");
    let places = Places { items, first: vec![[1; 2]; 2], second: vec![[1; 2]; 2] };
    assert_eq!(refused(&places), "first[0] derived");

    let kinds = |kind| vec![Kind { kind, n: 2 }];
    let (bytes, words) = (vec![Some(vec![1, 2])], vec![Some(vec![3, 4])]);
    let one = Either { items: kinds(0), bytes: bytes.clone(), words: vec![None] };
    same(&one, b"\x01\x00\x02\x01\x02");
    same(
        &Either { items: kinds(1), bytes: vec![None], words: words.clone() },
        b"\x01\x01\x02\x03\0\x04\0",
    );
    let both = Either { items: kinds(2), bytes, words };
    same(&both, b"\x01\x02\x02\x01\x02\x03\0\x04\0");
    assert_eq!(refused(&Either { words: vec![Some(vec![3])], ..both }), "bytes[0] derived");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Place {
    at: u8,
    n: u8,
}

fn size(it: &Place) -> u8 {
    it.n
}

fn place(it: &Place) -> u8 {
    it.at
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct PassedSize {
    #[bin(prefix = u8)]
    items: Vec<Place>,
    #[bin(for_each = items, len = it.n, args(wide = size(it)))]
    bodies: Vec<Body>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct PassedPlace {
    #[bin(prefix = u8)]
    items: Vec<Place>,
    #[bin(for_each = items, at = it.at, len = it.n, args(wide = place(it)))]
    bodies: Vec<Body>,
}

#[test]
fn a_function_of_an_item_sees_the_numbers_that_are_written() {
    let item = |at, n| Place { at, n };
    let body = |more| vec![Body { more, bytes: vec![1, 2] }];
    for stale in [0, 2, 3, 4, 200] {
        let sizes = |n, more| PassedSize { items: vec![item(7, n)], bodies: body(more) };
        assert_eq!(sizes(stale, None).to_vec().unwrap(), b"\x01\x07\x02\x01\x02");
        same(&sizes(2, None), b"\x01\x07\x02\x01\x02");
        // With the byte, the size is 3, for which there is none.
        assert_eq!(refused(&sizes(stale, Some(5))), "bodies[0].more presence");
    }
    for stale in [0, 2, 3] {
        let places = |at, more| PassedPlace { items: vec![item(at, 9)], bodies: body(more) };
        assert_eq!(places(stale, None).to_vec().unwrap(), b"\x01\x03\x02\x01\x02");
        assert_eq!(refused(&places(stale, Some(5))), "bodies[0].more presence");
        assert_eq!(places(4, Some(5)).to_vec().unwrap(), b"\x01\x04\x03\0\x05\x01\x02");
    }
}
