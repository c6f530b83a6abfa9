//! Items: eager and lazy; claims that no file can keep.

use binfmt_runtime::{Auto, BinFormat, Class, Crc32, Seq};

use super::{findings, laws, place, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(big)]
struct Item {
    len: Auto<u8>,
    #[bin(len = len)]
    data: Vec<u8>,
}

fn item(data: &[u8]) -> Item {
    Item { data: data.to_vec(), ..Item::default() }
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(big)]
struct Eager {
    count: Auto<u32>,
    #[bin(count = count)]
    items: Vec<Item>,
    last: u8,
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(big)]
struct Lazy<'a> {
    count: Auto<u32>,
    #[bin(count = count)]
    items: Seq<'a, Item>,
    last: u8,
}

#[test]
fn lazy_and_eager_items_are_the_same_bytes() {
    let items = vec![item(&[1, 2]), item(&[])];
    let bytes = &[0, 0, 0, 2, 2, 1, 2, 0, 9];
    same(
        &Lazy { items: Seq::from(items.clone().leak() as &[Item]), last: 9, ..Lazy::default() },
        bytes,
    );
    same(&Eager { items, last: 9, ..Eager::default() }, bytes);
    assert_eq!(stopped::<Eager>(&[0, 0, 0, 2, 2, 1, 2]), "items[1].len end");
    assert_eq!(stopped::<Lazy<'_>>(&[0, 0, 0, 2, 2, 1, 2]), "items[1].len end");
}

#[test]
fn a_claim_of_more_items_than_bytes_is_refused_before_memory_is_taken() {
    let bytes = &[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];
    assert_eq!(stopped::<Eager>(bytes), "count count");
    assert_eq!(stopped::<Lazy<'_>>(bytes), "count count");
    assert_eq!(stopped::<Units>(bytes), "count budget");
    let info = allocation_counter::measure(|| assert!(!Eager::is_valid(bytes)));
    assert!(info.bytes_max < 1024, "{} bytes", info.bytes_max);
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy, Default)]
struct Unit {}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big)]
struct Units {
    count: u32,
    #[bin(count = count)]
    items: Vec<Unit>,
    #[bin(until_end)]
    rest: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Endless {
    #[bin(until_end)]
    units: Vec<Unit>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct LazyEndless<'a> {
    #[bin(until_end)]
    units: Seq<'a, Unit>,
}

#[test]
fn items_of_no_bytes_cost_no_more_than_the_file() {
    same(&Units { count: 2, items: vec![Unit {}; 2], rest: vec![1, 2] }, &[0, 0, 0, 2, 1, 2]);
    let bytes: &'static [u8] = [&[0, 0, 0, 200][..], &[1; 20]].concat().leak();
    same(&Units { count: 200, items: vec![Unit {}; 200], rest: vec![1; 20] }, bytes);
    assert_eq!(stopped::<Units>(&[0, 0, 0, 200, 1, 2]), "count budget");
    assert_eq!(stopped::<Endless>(&[1]), "units size");
    assert!(!LazyEndless::is_valid(&[1]));
    assert_eq!(LazyEndless::parse(&[1]).unwrap().units.iter().take(9).count(), 1);
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(little, len = size)]
struct Rest<'a> {
    size: Auto<u8>,
    #[bin(until_end)]
    items: Seq<'a, Item>,
}

#[test]
fn a_broken_item_ends_the_iteration_with_one_error() {
    let value = Rest::parse(&[6, 1, 5, 3, 1, 2]).unwrap();
    let items: Vec<_> = value.items.iter().collect();
    let [Ok(first), Err(error)] = items.as_slice() else { panic!("{items:?}") };
    assert_eq!(*first, item(&[5]));
    assert_eq!(
        (place(error), error.finding().start, error.class()),
        ("len size".to_owned(), 3, Class::Malformed)
    );
    assert_eq!(findings::<Rest<'_>>(&[6, 1, 5, 3, 1, 2]), ["error items[1].len size"]);
    assert_eq!(refused(&value), "items[1].len size");
}

#[test]
fn items_are_found_by_index() {
    let value = Rest::parse(&[5, 1, 5, 1, 6]).unwrap();
    assert_eq!(value.items.get(1), Some(Ok(item(&[6]))));
    assert_eq!(value.items.get(2), None);
    assert_eq!((value.items.count(), value.items.walk_count()), (None, 2));
    let fixed = Fixed::parse(&[2, 0, 1, 0, 2, 9]).unwrap();
    assert_eq!(
        (fixed.items.get(1), fixed.items.get(2), fixed.items.get(u64::MAX)),
        (Some(Ok(2)), None, None)
    );
    assert_eq!(fixed.items.count(), Some(2));
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(big)]
struct Fixed<'a> {
    count: Auto<u8>,
    #[bin(count = count)]
    items: Seq<'a, u16>,
    last: u8,
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(little)]
struct Words<'a> {
    len: Auto<u8>,
    #[bin(len = len, until = remaining < 4, level(leftover = warning))]
    items: Seq<'a, [u8; 4]>,
    last: u8,
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(little)]
struct Trailer {
    #[bin(until = remaining < LEAST)]
    words: Vec<[u8; 4]>,
    crc: u16,
}

const LEAST: usize = 4;

#[test]
fn a_sequence_ends_where_too_few_bytes_are_left() {
    let words = &[[1; 4], [2; 4]];
    same(
        &Words { items: Seq::from(&words[..]), last: 9, ..Words::default() },
        &[8, 1, 1, 1, 1, 2, 2, 2, 2, 9],
    );
    let odd = &[6, 1, 1, 1, 1, 2, 2, 9];
    assert_eq!(findings::<Words<'_>>(odd), ["warning items trailing"]);
    let value = Words::parse(odd).unwrap();
    assert_eq!((value.items.slack(), value.to_vec().unwrap().as_slice()), (&[2, 2][..], &odd[..]));
    same(&Trailer { words: vec![[1; 4]], crc: 5 }, &[1, 1, 1, 1, 5, 0]);
    assert_eq!(stopped::<Trailer>(&[1]), "crc end");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Sized<'a> {
    #[bin(prefix = u8)]
    bytes: &'a [u8],
}

/// Expressions ask where a sequence ends that is counted and the last in its region.
#[derive(BinFormat, Debug, PartialEq)]
struct Asked<'a> {
    #[bin(calc = end(items))]
    end: u8,
    count: Auto<u8>,
    #[bin(count = count)]
    items: Seq<'a, Sized<'a>>,
    #[bin(at = end + 1)]
    behind: u8,
}

/// The same from outside, of a value that ends with such a sequence.
#[derive(BinFormat, Debug, PartialEq)]
struct Around<'a> {
    #[bin(calc = len(inside))]
    len: u8,
    inside: Counted<'a>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Counted<'a> {
    count: Auto<u8>,
    #[bin(count = count)]
    items: Seq<'a, Sized<'a>>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Summed<'a> {
    #[bin(checksum(Crc32, over = items))]
    sum: u32,
    count: Auto<u8>,
    #[bin(count = count)]
    items: Seq<'a, Sized<'a>>,
}

#[test]
fn a_sequence_ends_behind_its_items_whatever_lies_behind_them() {
    let file = b"\x05\x02\x01a\0z\x09";
    assert_eq!(findings::<Asked<'_>>(file), ["warning  unkept"]);
    let read = Asked::parse(file).unwrap();
    assert_eq!((read.items.walk_count(), read.behind), (2, 9));
    assert_eq!(read.to_vec().unwrap(), b"\x05\x02\x01a\0\0\x09");
    assert_eq!(findings::<Around<'_>>(b"\x03\x01\x01az"), ["warning  trailing"]);
    let file = Around::parse(b"\x03\x01\x01az").unwrap();
    assert_eq!(file.to_vec().unwrap(), b"\x03\x01\x01a");
    let mut bytes =
        Summed { sum: 0, count: Auto::default(), items: Seq::from(&[][..]) }.to_vec().unwrap();
    bytes.push(1);
    assert_eq!(findings::<Summed<'_>>(bytes.leak()), ["warning  trailing"]);
}

/// An item that says how long it is.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, len = len)]
struct SaysItsLength {
    len: u16,
    #[bin(until_end)]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct OfSuch<'a> {
    #[bin(until_end)]
    items: Seq<'a, SaysItsLength>,
}

#[test]
fn an_item_that_ends_where_it_begins_ends_the_sequence() {
    for len in 0..=2 {
        let bytes: &'static [u8] = [3, 0, 7, len, 0, 8, 9].to_vec().leak();
        laws::hold::<OfSuch<'_>>(bytes, ());
        assert_eq!(OfSuch::validate(bytes).findings().len(), 1, "{len}");
    }
}
