//! Values in tuples, boxes and `Cow`s, and values that are read when they are asked for.

use std::borrow::Cow;

use binfmt_runtime::{Auto, BinFormat, Lazy, Leb128, Limits, Seq, Severity, U24};

use super::{findings, kept, place, refused, same, stopped};
use crate::laws;

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Tuples<'a> {
    pair: (u8, u16),
    #[bin(little)]
    nested: ((U24, bool), [u16; 2]),
    mixed: (Leb128<u32>, Item),
    count: Auto<u8>,
    #[bin(count = count)]
    items: Seq<'a, (u8, Item)>,
    #[bin(if = pair.0 > 1 && nested.0.1)]
    more: Option<(u16,)>,
    array: [(u8, u8); 2],
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[bin(big)]
struct Item {
    #[bin(check(value < 0x100, "{value} is too much"))]
    value: u16,
}

#[test]
fn the_values_of_a_tuple_lie_one_behind_the_other() {
    let items = vec![(1, Item { value: 2 }), (3, Item { value: 4 })].leak();
    let value = Tuples {
        pair: (2, 0x0102),
        nested: ((U24::new(0x01_0203).unwrap(), true), [1, 2]),
        mixed: (Leb128::new(300), Item { value: 5 }),
        count: Auto::new(),
        items: Seq::from(&items[..]),
        more: Some((7,)),
        array: [(8, 9), (10, 11)],
    };
    same(
        &value,
        b"\x02\x01\x02\x03\x02\x01\x01\x01\0\x02\0\xac\x02\0\x05\x02\x01\0\x02\x03\0\x04\
          \0\x07\x08\x09\x0a\x0b",
    );
    assert_eq!(stopped::<Tuples<'_>>(b"\x02\x01"), "pair.1 end");
    assert_eq!(stopped::<Tuples<'_>>(b"\x02\x01\x02\0\0\0\x02"), "nested.0.1 value");
    let broken = (Leb128::new(1), Item { value: 0x100 });
    assert_eq!(refused(&Tuples { mixed: broken, ..value }), "mixed.1.value Item.value");
    let page = Tuples::LAYOUT.to_markdown();
    assert!(page.contains("\n## Item\n"), "{page}");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
enum Term {
    #[bin(magic = b"N")]
    Not(Box<Self>),
    #[bin(magic = b"&")]
    And(Box<And>),
    Leaf(Leaf),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct And {
    terms: (Box<Term>, Box<Term>),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Leaf {
    more: Box<u16>,
    #[bin(if = is_one(more))]
    next: Option<Box<Self>>,
}

#[expect(clippy::borrowed_box, reason = "expressions pass what is no number by reference")]
fn is_one(number: &Box<u16>) -> bool {
    **number == 1
}

fn leaf(more: u16, next: Option<Box<Leaf>>) -> Leaf {
    Leaf { more: Box::new(more), next }
}

#[test]
fn a_value_in_a_box_may_contain_its_own_type() {
    let last = Term::Leaf(leaf(1, Some(Box::new(leaf(0, None)))));
    let not = Term::Not(Box::new(Term::Leaf(leaf(2, None))));
    let value = Term::And(Box::new(And { terms: (Box::new(not), Box::new(last)) }));
    same(&value, b"&N\x02\0\x01\0\0\0");
    assert_eq!(stopped::<Term>(b"&N\x02\0"), "terms.1.more end");
}

#[test]
fn boxes_nest_no_deeper_than_values_may() {
    let depth = usize::try_from(Limits::MAX_DEPTH).unwrap();
    // A leaf holds a box too.
    let mut bytes = vec![b'N'; depth - 1];
    bytes.extend([0, 0]);
    laws::hold::<Term>(&bytes, ());
    assert!(Term::is_valid(&bytes));
    bytes.insert(0, b'N');
    assert_eq!(stopped::<Term>(bytes.leak()), "more depth");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Cows<'a> {
    #[bin(prefix = u8)]
    text: Cow<'a, str>,
    len: u8,
    #[bin(len = len)]
    data: Cow<'a, [u8]>,
}

#[test]
fn a_cow_borrows_when_read_and_owns_when_told() {
    let owned = Cows { text: "ab".to_owned().into(), len: 2, data: vec![3, 4].into() };
    same(&owned, b"\x02ab\x02\x03\x04");
    let read = Cows::parse(b"\x02ab\x02\x03\x04").unwrap();
    assert!(matches!((read.text, read.data), (Cow::Borrowed("ab"), Cow::Borrowed([3, 4]))));
    assert_eq!(stopped::<Cows<'_>>(b"\x02a\xff\x00"), "text utf8");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Outer<'a> {
    len: Auto<u16>,
    #[bin(len = len, args(limit = 9))]
    first: Lazy<'a, Inner<'a>>,
    #[bin(prefix = u8)]
    number: Lazy<'a, u32>,
    last: u8,
    #[bin(until_end)]
    rest: Lazy<'a, Inner<'a>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, args(limit: u8 = 5))]
struct Inner<'a> {
    #[bin(check(kind < limit, "{kind} is too much"))]
    kind: u8,
    #[bin(until_end)]
    parts: Seq<'a, u16>,
}

#[test]
fn a_lazy_value_is_read_when_it_is_asked_for() {
    let parts: &[u16] = &[1, 2];
    let first: &Inner<'_> = Box::leak(Box::new(Inner { kind: 8, parts: Seq::from(parts) }));
    let rest: &Inner<'_> = Box::leak(Box::new(Inner { kind: 4, parts: Seq::default() }));
    let value = Outer {
        len: Auto::new(),
        first: Lazy::from(first),
        number: Lazy::from(&7),
        last: 6,
        rest: Lazy::from(rest),
    };
    let bytes = b"\x05\0\x08\x01\0\x02\0\x04\x07\0\0\0\x06\x04";
    same(&value, bytes);
    let read = Outer::parse(bytes).unwrap();
    assert_eq!(read.first.bytes(), Some(&b"\x08\x01\0\x02\0"[..]));
    assert_eq!((read.number.get().unwrap(), read.rest.get().unwrap().kind), (7, 4));
}

#[test]
fn what_is_wrong_with_a_lazy_value_is_told_when_it_is_read() {
    let bytes = b"\x01\0\x09\x04\x07\0\0\0\x06\x05\x01";
    let read = Outer::parse(bytes).unwrap();
    assert_eq!(place(&read.first.get().unwrap_err()), "kind Inner.kind");
    assert_eq!(place(&read.rest.get().unwrap_err()), "kind Inner.kind");
    assert_eq!(refused(&read), "first.kind Inner.kind");
    assert_eq!(
        findings::<Outer<'_>>(bytes),
        ["error first.kind Inner.kind", "error rest.kind Inner.kind", "error rest.parts[0] end"]
    );
    let report = Outer::validate(b"\x01\0\x01\x05\x07\0\0\0\0\x06\x04");
    let codes: Vec<_> = report.findings().iter().map(|one| (one.severity, one.code)).collect();
    assert_eq!(codes, [(Severity::Error, "leftover")]);
    assert_eq!(stopped::<Outer<'_>>(b"\x02\0\x01"), "len size");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Chain<'a> {
    #[bin(prefix = Leb128<u32>)]
    next: Lazy<'a, Links<'a>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Links<'a> {
    #[bin(until_end)]
    links: Vec<Chain<'a>>,
}

#[test]
fn lazy_values_may_contain_their_own_type() {
    let bytes: Vec<u8> = (0..20).rev().collect();
    let value = Chain::parse(bytes.clone().leak()).unwrap();
    kept(&value, bytes.leak());
    let deep: Vec<u8> = (0..100).rev().collect();
    assert!(Chain::parse(&deep).is_ok() && !Chain::is_valid(&deep));
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Hash([u8; 4]);

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Words([u16; 2]);

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Named<'a> {
    hash: Hash,
    words: Words,
    name: Name<'a>,
    #[bin(check(wrapped.0 < 9, "too much"))]
    wrapped: Wrapped,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Name<'a>(#[bin(prefix = u8)] &'a str);

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Wrapped(u8);

#[test]
fn a_struct_around_one_value_reads_like_it() {
    let value = Named {
        hash: Hash([1, 2, 3, 4]),
        words: Words([5, 6]),
        name: Name("ab"),
        wrapped: Wrapped(8),
    };
    same(&value, b"\x01\x02\x03\x04\x05\0\x06\0\x02ab\x08");
    assert_eq!(stopped::<Named<'_>>(b"\x01\x02\x03\x04\x05\0\x06\0\x02a"), "name size");
    assert_eq!(refused(&Named { wrapped: Wrapped(9), ..value }), "wrapped Named.wrapped");
    let tree = Named::inspect(b"\x01\x02\x03\x04\x05\0\x06\0\0\x08").to_string();
    assert!(tree.contains("hash Hash 01 02 03 04"), "{tree}");
    assert!(tree.contains("words Words 2 items"), "{tree}");
}
