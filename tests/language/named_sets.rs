//! Enums of numbers that the writer sets: the tag of a union in a header before it.

use binfmt_runtime::BinFormat;

use super::{findings, laws, refused, same};

#[derive(BinFormat, Debug, Clone, Copy, PartialEq)]
#[repr(u8)]
enum Kind {
    Bytes = 1,
    Number = 4,
    Nothing = 9,
}

/// The same in a few bits.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[repr(u8)]
enum Few {
    Bytes = 1,
    Number = 4,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, bits = u32, lsb)]
struct Head {
    #[bin(bits = 8)]
    kind: Kind,
    #[bin(bits = 16)]
    len: u16,
    #[bin(bits = 5)]
    rest: u8,
    #[bin(bits = 3)]
    few: Few,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, tag = kind, args(kind: Kind))]
enum Body {
    #[bin(id = Kind::Bytes)]
    Bytes(#[bin(until_end)] Vec<u8>),
    #[bin(id = Kind::Number)]
    Number(u32),
}

/// The kind is told twice, the length behind the body.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Packet {
    #[bin(set(kind = tag(body), few = tag(body), len = len(body)))]
    head: Head,
    #[bin(args(kind = head.kind), len = head.len)]
    body: Body,
}

fn packet(kind: Kind, few: Few, body: Body) -> Packet {
    Packet { head: Head { kind, len: 77, rest: 3, few }, body }
}

#[test]
fn a_header_tells_the_kind_of_what_follows() {
    let bytes = b"\x01\x02\0\x23ab";
    let body = Body::Bytes(b"ab".to_vec());
    assert_eq!(packet(Kind::Nothing, Few::Number, body.clone()).to_vec().unwrap(), bytes);
    let head = Head { kind: Kind::Bytes, len: 2, rest: 3, few: Few::Bytes };
    same(&Packet { head, body }, bytes);
    laws::round_trip::<Packet>(bytes, ());
    assert_eq!(findings::<Packet>(b"\x04\x04\0\x23abcd"), ["error head.few derived"]);
}

/// A kind that a version has, and one that goes below 0.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Versioned {
    #[bin(set(kind = tag(body), many = count(last)))]
    head: VersionedHead,
    #[bin(args(kind = if head.version == 1 { head.kind } else { 4 }))]
    body: ByNumber,
    #[bin(count = head.many)]
    last: Vec<u16>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct VersionedHead {
    version: u8,
    #[bin(if = version == 1)]
    kind: Option<Kind>,
    many: Many,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[repr(i8)]
enum Many {
    Less = -1,
    None = 0,
    Three = 3,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, tag = kind, args(kind: u8))]
enum ByNumber {
    #[bin(id = 4)]
    Four(u8),
    #[bin(id = 9)]
    Nine,
    #[bin(id = 77)]
    Other,
}

#[test]
fn an_absent_kind_stays_absent_and_a_signed_one_is_set() {
    let value = |version, kind: Option<Kind>, body, last: &[u16]| Versioned {
        head: VersionedHead { version, kind, many: Many::Less },
        body,
        last: last.to_vec(),
    };
    let nine = value(1, Some(Kind::Bytes), ByNumber::Nine, &[1, 2, 3]);
    assert_eq!(nine.to_vec().unwrap(), b"\x01\x09\x03\x01\0\x02\0\x03\0");
    let four = value(2, None, ByNumber::Four(7), &[]);
    assert_eq!(four.to_vec().unwrap(), b"\x02\0\x07");
    same(
        &Versioned::parse(b"\x01\x09\x03\x01\0\x02\0\x03\0").unwrap(),
        b"\x01\x09\x03\x01\0\x02\0\x03\0",
    );
    same(&Versioned::parse(b"\x02\0\x07").unwrap(), b"\x02\0\x07");
    assert_eq!(findings::<Versioned>(b"\x01\x09\xff"), ["error head.many size"]);
}

#[test]
fn a_number_without_a_name_is_refused() {
    let head = VersionedHead { version: 1, kind: Some(Kind::Bytes), many: Many::None };
    let other = Versioned { head, body: ByNumber::Other, last: vec![] };
    assert_eq!(refused(&other), "head derived");
    let expected = "no value of the field stands for this number; found 77";
    assert!(other.to_vec().unwrap_err().to_string().contains(expected));
}

/// Items that tell the kinds of bodies that lie behind one another, or at offsets.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Table {
    #[bin(prefix = u8)]
    items: Vec<Head>,
    #[bin(for_each = items, args(kind = it.kind), len = it.len, set(it.kind = tag(value), it.few = tag(value)))]
    bodies: Vec<Body>,
}

#[test]
fn items_tell_the_kinds_of_their_values() {
    let bytes = b"\x02\x01\x02\0\x38\x04\x04\0\x80ab\x07\0\0\0";
    let table = Table::parse(bytes).unwrap();
    same(&table, bytes);
    let stale = Head { kind: Kind::Nothing, len: 0, rest: 0, few: Few::Number };
    let mut items = vec![stale.clone(), stale];
    items[0].rest = 24;
    items[1].rest = 0;
    assert_eq!(Table { items, ..table }.to_vec().unwrap(), bytes);
}
