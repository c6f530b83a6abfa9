//! Byte orders that the file tells, and that values take from around them.

use binfmt_runtime::{Auto, BinFormat, Order, Seq};

use super::{findings, kept, refused, same, stopped};

/// A TIFF header: the first two bytes say how all numbers are stored.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = magic, magic = [b"II" => little, b"MM" => big])]
struct Tiff<'a> {
    #[bin(magic)]
    mark: [u8; 2],
    #[bin(magic = 42u16)]
    count: Auto<u16>,
    #[bin(count = count)]
    entries: Seq<'a, Entry<'a>>,
    numbers: [u16; 2],
    #[bin(big)]
    fixed: u16,
    last: Last,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = inherit)]
struct Entry<'a> {
    kind: Kind,
    foreign: Foreign,
    len: Auto<u16>,
    #[bin(count = len)]
    values: Seq<'a, u16>,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[repr(u16)]
#[bin(endian = inherit)]
enum Kind {
    Short = 3,
    #[bin(other)]
    Other(u16),
}

/// A type with an order of its own, and one inside it that takes that one.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Foreign {
    number: u16,
    last: Last,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = inherit, magic = 0x0102u16)]
struct Last {
    number: u16,
}

fn tiff(mark: [u8; 2], values: &'static [u16], other: u16) -> Tiff<'static> {
    let foreign = Foreign { number: 5, last: Last { number: 6 } };
    let entry = |kind| Entry {
        kind,
        foreign: foreign.clone(),
        len: Auto::new(),
        values: Seq::from(values),
    };
    let entries = vec![entry(Kind::Short), entry(Kind::Other(other))].leak() as &[Entry<'_>];
    let entries = Seq::from(entries);
    Tiff {
        mark,
        count: Auto::new(),
        entries,
        numbers: [8, 9],
        fixed: 0x0a,
        last: Last { number: 7 },
    }
}

#[test]
fn a_magic_tells_the_byte_order_of_all_inside() {
    let foreign = [0, 5, 1, 2, 0, 6].as_slice();
    let little = [
        b"II\x2a\0\x02\0".as_slice(),
        &[3, 0],
        foreign,
        &[1, 0, 4, 0],
        &[2, 1],
        foreign,
        &[1, 0, 4, 0],
        &[8, 0, 9, 0, 0, 10, 2, 1, 7, 0],
    ]
    .concat();
    same(&tiff(*b"II", &[4], 0x102), little.leak());
    let big = [
        b"MM\0\x2a\0\x02".as_slice(),
        &[0, 3],
        foreign,
        &[0, 1, 0, 4],
        &[1, 2],
        foreign,
        &[0, 1, 0, 4],
        &[0, 8, 0, 9, 0, 10, 1, 2, 0, 7],
    ]
    .concat();
    same(&tiff(*b"MM", &[4], 0x102), big.leak());
    assert_eq!(stopped::<Tiff<'_>>(b"IM\x2a\0\0\0"), "mark magic");
    assert_eq!(stopped::<Tiff<'_>>(b"MM\x2a\0\0\0"), "magic magic");
}

/// A pcap header: one number, stored in the order of the machine that wrote the file.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = magic, magic = [0xa1b2_c3d4u32, 0xa1b2_3c4d])]
struct Pcap<'a> {
    #[bin(magic)]
    magic: [u8; 4],
    major: u16,
    #[bin(until_end)]
    packets: Seq<'a, Packet<'a>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = inherit)]
struct Packet<'a> {
    len: Auto<u16>,
    #[bin(len = len)]
    data: &'a [u8],
}

#[test]
fn a_number_tells_the_byte_order_in_which_it_is_stored() {
    let packets = vec![Packet { len: Auto::new(), data: b"ab" }].leak() as &[Packet<'_>];
    let pcap = |magic| Pcap { magic, major: 2, packets: Seq::from(packets) };
    same(&pcap(0xa1b2_c3d4_u32.to_le_bytes()), b"\xd4\xc3\xb2\xa1\x02\0\x02\0ab");
    same(&pcap(0xa1b2_3c4d_u32.to_be_bytes()), b"\xa1\xb2\x3c\x4d\0\x02\0\x02ab");
    assert_eq!(Pcap::LAYOUT.magics().count(), 4);
    assert_eq!(
        findings::<Pcap<'_>>(b"\xa1\xb2\xc3\xd4\0\x02\x02\0ab"),
        ["error packets[0].len size"]
    );
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = if data == 2 { Order::Big } else { Order::Little })]
struct Elf {
    class: u8,
    #[bin(little)]
    early: u16,
    #[bin(check(data == 1 || data == 2, "no such order"))]
    data: u8,
    machine: u16,
    #[bin(if = class == 2)]
    entry: Option<u64>,
    #[bin(count = 1)]
    list: Vec<Last>,
}

#[test]
fn a_field_tells_the_byte_order_of_those_behind_it() {
    let elf = |data| Elf {
        class: 2,
        early: 3,
        data,
        machine: 62,
        entry: Some(1),
        list: vec![Last { number: 5 }],
    };
    same(&elf(1), &[2, 3, 0, 1, 62, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 1, 5, 0]);
    same(&elf(2), &[2, 3, 0, 2, 0, 62, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 0, 5]);
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = order, args(order: Order = Order::Big), magic = 0x0102u16)]
struct Told {
    number: u16,
    inner: Inherits,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = inherit)]
struct Inherits(u32);

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(order: Order))]
struct Passes {
    #[bin(args(order))]
    told: Told,
    number: u8,
}

#[test]
fn an_argument_tells_the_byte_order() {
    let told = Told { number: 3, inner: Inherits(4) };
    same(&told, &[1, 2, 0, 3, 0, 0, 0, 4]);
    assert_eq!(told.to_vec_with(Order::Little).unwrap(), [2, 1, 3, 0, 4, 0, 0, 0]);
    let value = Passes { told, number: 1 };
    let bytes = [2, 1, 3, 0, 4, 0, 0, 0, 1];
    assert_eq!(value.to_vec_with(Order::Little).unwrap(), bytes);
    assert_eq!(Passes::parse_with(&bytes, Order::Little).unwrap(), value);
    assert!(Passes::parse_with(&bytes, Order::Big).is_err());
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
enum Shape {
    #[bin(magic = 0x0102u16)]
    One(Inherits),
    Other(Wrapper),
}

/// A type without an order hands on that around it.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Wrapper {
    inner: Inherits,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Shapes {
    first: Shape,
    second: Wrapper,
}

#[test]
fn the_closest_value_with_an_order_tells_it() {
    let second = Wrapper { inner: Inherits(2) };
    same(
        &Shapes { first: Shape::One(Inherits(1)), second: second.clone() },
        &[1, 2, 0, 0, 0, 1, 2, 0, 0, 0],
    );
    let first = Shape::Other(second.clone());
    same(&Shapes { first, second }, &[0, 0, 0, 2, 2, 0, 0, 0]);
    // On its own, nothing is around it.
    kept(&Inherits(1), &[1, 0, 0, 0]);
}

/// Shapes told apart by a number in the order of the file, which the other order may have turned.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = inherit)]
enum Part {
    #[bin(magic = 0x0102u16)]
    Short(u16),
    #[bin(magic = 0x0201u16)]
    Long(u32),
    #[bin(magic = 7u16)]
    Nothing,
    Bytes([u8; 3]),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = if order == 1 { Order::Big } else { Order::Little })]
struct Parts {
    order: u8,
    #[bin(until_end)]
    parts: Vec<Part>,
}

#[test]
fn the_magics_of_variants_have_the_order_around_them() {
    let parts = vec![Part::Short(3), Part::Long(4), Part::Nothing, Part::Bytes(*b"abc")];
    let value = Parts { order: 1, parts };
    same(&value, b"\x01\x01\x02\0\x03\x02\x01\0\0\0\x04\0\x07abc");
    let value = Parts { order: 0, ..value };
    same(&value, b"\0\x02\x01\x03\0\x01\x02\x04\0\0\0\x07\0abc");
    // What a reader would take for a number in this order, and for none in the other.
    let bytes = |order| Parts { order, parts: vec![Part::Bytes([0, 7, 9])] };
    assert_eq!(refused(&bytes(1)), "parts[0] variant");
    same(&bytes(0), b"\0\0\x07\x09");
}

/// Shapes told apart by a number in the order of the file, which is a field of theirs.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = inherit, peek = 2)]
enum Chunk {
    #[bin(magic = 0x0102u16)]
    Short(ShortChunk),
    #[bin(magic = 0x0201u16)]
    Long { id: u16, kind: u16, value: u32 },
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = inherit)]
struct ShortChunk {
    id: u16,
    kind: u16,
    value: u8,
}

/// One that is nothing else may be anything.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = inherit, peek = 2)]
enum AnyChunk {
    #[bin(magic = 0x0102u16)]
    Short(ShortChunk),
    Other([u16; 2]),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = if order == 1 { Order::Big } else { Order::Little })]
struct Chunks {
    order: u8,
    first: AnyChunk,
    second: Chunk,
    #[bin(optional)]
    third: Option<Chunk>,
}

#[test]
fn the_magics_that_are_peeked_at_have_the_order_around_them() {
    let short = ShortChunk { id: 1, kind: 0x0102, value: 5 };
    let value = Chunks {
        order: 1,
        first: AnyChunk::Short(short.clone()),
        second: Chunk::Long { id: 2, kind: 0x0201, value: 3 },
        third: Some(Chunk::Short(short.clone())),
    };
    same(&value, b"\x01\0\x01\x01\x02\x05\0\x02\x02\x01\0\0\0\x03\0\x01\x01\x02\x05");
    let value = Chunks { order: 0, ..value };
    same(&value, b"\0\x01\0\x02\x01\x05\x02\0\x01\x02\x03\0\0\0\x01\0\x02\x01\x05");
    let other = Chunks { first: AnyChunk::Other([1, 0x0201]), third: None, ..value };
    same(&other, b"\0\x01\0\x01\x02\x02\0\x01\x02\x03\0\0\0");
    assert_eq!(
        stopped::<Chunks>(b"\x01\0\x01\x01\x02\x05\0\x02\x03\x01\0\0\0\x03"),
        "second variant"
    );
    // Each of these would be read as something else.
    let first = AnyChunk::Other([1, 0x0102]);
    assert_eq!(refused(&Chunks { first, ..other.clone() }), "first variant");
    let second = Chunk::Short(ShortChunk { kind: 0x0201, ..short.clone() });
    assert_eq!(refused(&Chunks { second, ..other.clone() }), "second variant");
    let first = AnyChunk::Short(ShortChunk { kind: 0x0201, ..short });
    assert_eq!(refused(&Chunks { first, ..other }), "first variant");
}
