//! Numbers in encodings of their own, beside each other and in every place of a number.

use binfmt_runtime::encodings::{Bcd, Octal, Vlq, Zigzag};
use binfmt_runtime::{Auto, BinFormat, Coded};

use super::{findings, kept, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Plain {
    first: Coded<Vlq<4>, u32>,
    octal: Coded<Octal<4>, u16>,
    digits: Coded<Bcd<2>, u16>,
    signed: Coded<Zigzag, i8>,
    many: [Coded<Vlq<4>, u8>; 2],
}

fn plain() -> Plain {
    Plain {
        first: Coded::new(300),
        octal: Coded::new(0o17),
        digits: Coded::new(1984),
        signed: Coded::new(-3),
        many: [Coded::new(1), Coded::new(200)],
    }
}

#[test]
fn numbers_are_read_and_written_in_their_encoding() {
    same(&plain(), b"\x82\x2c017\0\x19\x84\x05\x01\x81\x48");
    let tree = Plain::inspect(b"\x82\x2c017\0\x19\x84\x05\x01\x81\x48");
    assert_eq!(tree.root.children[3].value, Some(binfmt_runtime::NodeValue::Int(-3)));
    assert_eq!((tree.root.children[0].start, tree.root.children[0].end), (0, 2));
}

#[test]
fn bytes_that_are_no_number_stop_a_reader() {
    for (bytes, stop) in [
        (&b"\x82"[..], "first end"),
        (b"\x82\x82\x82\x82\x01", "first value"),
        (b"\x01018\0", "octal value"),
        (b"\x01017\0\x1a\x00", "digits value"),
        (b"\x01017\0\x19\x84\x05\x01\x82\x00", "many[1] value"),
    ] {
        assert_eq!(stopped::<Plain>(bytes), stop);
    }
}

#[test]
fn numbers_that_an_encoding_has_not_are_refused() {
    assert_eq!(refused(&Plain { first: Coded::new(1 << 28), ..plain() }), "first overflow");
    assert_eq!(refused(&Plain { digits: Coded::new(10_000), ..plain() }), "digits overflow");
    assert_eq!(refused(&Plain { octal: Coded::new(0o1000), ..plain() }), "octal overflow");
}

#[test]
fn another_form_is_reported_and_kept() {
    let bytes = b"\x80\x82\x2c 17 \x19\x84\x05\x80\x01\x81\x48";
    let all = ["warning first overlong", "warning octal canonical", "warning many[0] overlong"];
    assert_eq!(findings::<Plain>(bytes), all);
    let mut value = Plain::parse(bytes).unwrap();
    assert_eq!(value, plain());
    assert_eq!(value.to_vec().unwrap(), bytes);
    // Another number in the place of one has its length, but not its text.
    value.first = Coded::new(5).padded(3);
    value.octal = Coded::new(1);
    assert_eq!(value.to_vec().unwrap()[..7], *b"\x80\x80\x05001\0");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, len = total)]
struct Derived {
    total: Auto<Coded<Vlq<4>, u32>>,
    len: Auto<Coded<Octal<4>, u16>>,
    count: Coded<Vlq<4>, u16>,
    kind: Coded<Bcd<2>, u16>,
    at: Auto<Coded<Vlq<4>, u32>>,
    #[bin(len = len)]
    text: String,
    #[bin(count = count)]
    list: Vec<u16>,
    #[bin(prefix = Coded<Vlq<4>, u32>)]
    named: Vec<u8>,
    #[bin(if = kind == 12 && count > 1)]
    more: Option<u8>,
    #[bin(args(kind))]
    body: Body,
    #[bin(at = at, prefix = Coded<Octal<2>, u8>)]
    far: Vec<Coded<Zigzag, i64>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(tag = kind, args(kind: u16))]
enum Body {
    #[bin(id = 12)]
    Dozen(u8),
    #[bin(other)]
    Other(u16),
}

#[test]
fn they_are_derived_like_others() {
    let value = Derived {
        total: Auto::new(),
        len: Auto::new(),
        count: Coded::new(0),
        kind: Coded::new(12),
        at: Auto::new(),
        text: "text".into(),
        list: vec![1, 2],
        named: vec![9; 3],
        more: Some(1),
        body: Body::Dozen(7),
        far: vec![Coded::new(-1), Coded::new(2)],
    };
    let bytes = value.to_vec().unwrap();
    let expected = b"\x1b004\0\x02\0\x12\x17text\x01\0\x02\0\x03\x09\x09\x09\x01\x072\0\x01\x04";
    assert_eq!(bytes, expected);
    let read = Derived::parse(&bytes).unwrap();
    assert_eq!(read.count.get(), 2);
    same(&Derived { count: Coded::new(2), ..value.clone() }, bytes.leak());
    // A length that needs another byte moves what is behind it.
    let long = Derived { named: vec![5; 200], count: Coded::new(2), ..value };
    kept(&long, long.to_vec().unwrap().leak());
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Table {
    #[bin(prefix = Coded<Vlq<4>, u16>)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.at, len = it.len)]
    bodies: Vec<Vec<u8>>,
    #[bin(unique, sorted_by = it)]
    order: [Coded<Bcd<2>, u16>; 3],
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little)]
struct Entry {
    at: u16,
    len: u8,
    kind: u8,
}

#[test]
fn they_stand_beside_located_values() {
    let entry = |at, len| Entry { at, len, kind: 1 };
    let value = Table {
        entries: vec![entry(15, 2), entry(17, 1)],
        bodies: vec![vec![1, 2], vec![3]],
        order: [Coded::new(1), Coded::new(20), Coded::new(300)],
    };
    same(&value, b"\x02\x0f\0\x02\x01\x11\0\x01\x01\0\x01\0\x20\x03\0\x01\x02\x03");
    let shuffled = Table { order: [Coded::new(2), Coded::new(1), Coded::new(3)], ..value };
    assert_eq!(refused(&shuffled), "order[1] Table.order.sorted_by");
}
