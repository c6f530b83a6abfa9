//! Variants that hold fields of their own.

use binfmt_runtime::{Auto, BinFormat, Crc32, Leb128, Seq};

use super::{findings, refused, same, stopped};

/// One value of each kind of field, in a tree.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
enum Value {
    #[bin(magic = b"\0")]
    Nothing,
    #[bin(magic = b"\x01")]
    Text(#[bin(prefix = u16)] String),
    /// Bytes whose number stands in front.
    #[bin(magic = b"\x02")]
    Bytes {
        /// How many there are.
        len: Auto<u16>,
        #[bin(len = len, check(data.len() != 3, "three bytes"))]
        data: Vec<u8>,
    },
    #[bin(magic = b"\x03")]
    Pair(u8, u16),
    #[bin(magic = b"\x04")]
    List(#[bin(prefix = u8)] Vec<Self>),
    #[bin(magic = b"\x05")]
    Map {
        count: Auto<u8>,
        #[bin(count = count)]
        entries: Vec<Entry>,
    },
    #[bin(magic = b"\x06")]
    Deeper(u16, Box<Self>),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Entry {
    #[bin(nul)]
    key: String,
    value: Value,
}

#[test]
fn fields_of_variants_are_read_and_written() {
    let entry = |key: &str, value| Entry { key: key.into(), value };
    let bytes = |data: &[u8]| Value::Bytes { len: Auto::new(), data: data.into() };
    same(&Value::Nothing, b"\0");
    same(&Value::Text("ab".into()), b"\x01\0\x02ab");
    same(&bytes(b"xy"), b"\x02\0\x02xy");
    same(&Value::Pair(7, 0x0809), b"\x03\x07\x08\x09");
    let list = Value::List(vec![Value::Nothing, Value::Text(String::new()), bytes(b"")]);
    same(&list, b"\x04\x03\0\x01\0\0\x02\0\0");
    let entries = vec![entry("k", list.clone()), entry("", Value::Pair(1, 2))];
    let map = Value::Map { count: Auto::new(), entries };
    same(&map, b"\x05\x02k\0\x04\x03\0\x01\0\0\x02\0\0\0\x03\x01\0\x02");
    same(
        &Value::Deeper(5, Box::new(map)),
        b"\x06\0\x05\x05\x02k\0\x04\x03\0\x01\0\0\x02\0\0\0\x03\x01\0\x02",
    );
}

#[test]
fn what_is_wrong_is_told_by_the_fields() {
    assert_eq!(stopped::<Value>(b"\x01\0\x02a"), " size");
    assert_eq!(stopped::<Value>(b"\x04\x01\x02\0\x02a"), "[0].len size");
    assert_eq!(stopped::<Value>(b"\x02\0\x03abc"), "data ValueBytes.data");
    let three = Value::Bytes { len: Auto::new(), data: vec![0; 3] };
    assert_eq!(refused(&three), "data ValueBytes.data");
    assert_eq!(refused(&Value::Text("a".repeat(65536))), "prefix overflow");
}

/// Fields that need arguments of the enum, and a tag that a variant keeps in front of them.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(tag = kind, args(kind: u8, wide: bool, key: u8), endian = inherit)]
enum Body<'a> {
    #[bin(id = 1)]
    Name(#[bin(until_end)] &'a str),
    #[bin(id = 2)]
    Sized {
        #[bin(if = wide)]
        more: Option<u32>,
        #[bin(len = key)]
        rest: &'a [u8],
    },
    #[bin(id = 3..=5)]
    Several(u8, #[bin(check(0 < kind, "no kind"))] u16, #[bin(count = 2)] Seq<'a, u16>),
    #[bin(other)]
    Other(u8, #[bin(until_end)] Vec<u8>),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = magic, magic = [b"II" => little, b"MM" => big])]
struct Message<'a> {
    #[bin(magic)]
    mark: [u8; 2],
    #[bin(calc = tag(body))]
    kind: Auto<u8>,
    wide: u8,
    key: u8,
    #[bin(prefix = Leb128<u32>, args(kind, wide = wide != 0, key))]
    body: Body<'a>,
}

#[test]
fn fields_of_variants_have_the_arguments_and_the_order_of_the_enum() {
    let message = |mark: &[u8; 2], wide, key, body| Message {
        mark: *mark,
        kind: Auto::new(),
        wide,
        key,
        body,
    };
    same(&message(b"II", 0, 0, Body::Name("ab")), b"II\x01\0\0\x02ab");
    let sized = |more, rest| Body::Sized { more, rest };
    same(&message(b"MM", 1, 2, sized(Some(5), b"xy")), b"MM\x02\x01\x02\x06\0\0\0\x05xy");
    same(&message(b"II", 0, 1, sized(None, b"x")), b"II\x02\0\x01\x01x");
    assert_eq!(refused(&message(b"II", 1, 1, sized(None, b"x"))), "body.more presence");
    let several = Message::parse(b"II\x04\0\0\x06\x01\0\x02\0\x03\0").unwrap();
    assert!(matches!(&several.body, Body::Several(4, 1, list) if list.iter().count() == 2));
    same(&several, b"II\x04\0\0\x06\x01\0\x02\0\x03\0");
    same(&message(b"II", 0, 0, Body::Other(9, vec![1])), b"II\x09\0\0\x01\x01");
    assert_eq!(findings::<Message<'_>>(b"II\x09\0\0\x01\x01"), [] as [&str; 0]);
}

/// Variants that are told apart by reading them, with a type parameter and a length.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
enum Generic<T, const N: usize> {
    #[bin(magic = b"a")]
    One { first: T, second: [u8; N] },
    #[bin(magic = b"b")]
    Two(T, #[bin(prefix = u8)] Vec<T>),
    #[bin(magic = b"c")]
    Fixed(#[bin(range = 1..=3)] u8, [u16; N]),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(probe, little)]
enum Probed {
    Small {
        #[bin(range = ..=9)]
        kind: u16,
    },
    Wide(#[bin(range = 100..)] u16, #[bin(until_end)] Vec<u8>),
}

#[test]
fn fields_of_variants_take_the_parameters_of_the_enum() {
    same(&Generic::<u16, 2>::One { first: 5, second: [1, 2] }, b"a\x05\0\x01\x02");
    same(&Generic::<u8, 1>::Two(5, vec![1, 2]), b"b\x05\x02\x01\x02");
    same(&Generic::<u8, 1>::Fixed(2, [7]), b"c\x02\x07\0");
    same(&Probed::Small { kind: 9 }, b"\x09\0");
    same(&Probed::Wide(256, vec![3]), b"\0\x01\x03");
    assert_eq!(stopped::<Generic<u8, 1>>(b"c\x04\x07\0"), "_0 GenericFixed._0.range");
}

/// A number that follows from what another field of the variant holds, and one that a checksum keeps.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
enum Chunk {
    #[bin(magic = b"TEXT")]
    Text {
        size: Auto<u32>,
        #[bin(calc = count(lines))]
        lines_count: u16,
        #[bin(len = size)]
        lines: Vec<Line>,
        #[bin(checksum(Crc32, over = lines))]
        crc: u32,
    },
    #[bin(magic = b"PLAC")]
    Placed {
        at: Auto<u8>,
        #[bin(at = at, len = 2)]
        data: Vec<u8>,
    },
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Line {
    #[bin(prefix = u8)]
    text: String,
}

#[test]
fn numbers_in_variants_are_computed() {
    let line = |text: &str| Line { text: text.into() };
    let text = Chunk::Text {
        size: Auto::new(),
        lines_count: 0,
        lines: vec![line("a"), line("bc")],
        crc: 0,
    };
    let bytes: &'static [u8] = text.to_vec().unwrap().leak();
    assert_eq!(bytes[..15], *b"TEXT\x05\0\0\0\x02\0\x01a\x02bc");
    let read = Chunk::parse(bytes).unwrap();
    same(&read, bytes);
    assert!(matches!(read, Chunk::Text { lines_count: 2, crc: 1.., .. }));
    let placed = Chunk::Placed { at: Auto::new(), data: vec![1, 2] };
    same(&placed, b"PLAC\x05\x01\x02");
}

/// Variants of one value that has no fields.
#[derive(BinFormat, Debug, PartialEq, Clone)]
enum Short {
    #[bin(magic = b"T")]
    Text(#[bin(prefix = u8)] String),
    #[bin(magic = b"B")]
    Bytes(#[bin(pad_before = 1)] [u8; 2]),
    #[bin(magic = b"R")]
    Rest(#[bin(until_end)] Vec<u8>),
    #[bin(magic = b"N")]
    Named(Name),
    #[bin(magic = b"I")]
    Inner(Box<Self>),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Name(#[bin(prefix = u8)] String);

#[test]
fn an_inspector_shows_what_a_variant_holds() {
    let shown = |bytes: &'static [u8]| {
        let tree = Short::inspect(bytes);
        let last = tree.root.children.last().unwrap();
        format!("{} {:?} {}..{}", last.name, last.value.as_ref().unwrap(), last.start, last.end)
    };
    assert_eq!(shown(b"T\x02hi"), "0 Str(\"hi\") 1..4");
    assert_eq!(shown(b"B\0ab"), "0 Bytes { head: [97, 98], len: 2 } 1..4");
    assert_eq!(shown(b"Rabc"), "0 Bytes { head: [97, 98, 99], len: 3 } 1..4");
    assert_eq!(shown(b"N\x02hi"), "0 Str(\"hi\") 1..4");
    assert_eq!(shown(b"IT\x01a"), "0 Str(\"Text\") 1..4");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
enum OfAConstant<const N: usize> {
    #[bin(magic = b"A")]
    Bytes {
        #[bin(len = N)]
        data: Vec<u8>,
    },
    #[bin(magic = b"B")]
    Few {
        #[bin(prefix = u8, check(len(data) < N, "too many"))]
        data: Vec<u8>,
        end: u8,
    },
}

#[test]
fn words_of_fields_use_constants_of_the_type() {
    same(&OfAConstant::<3>::Bytes { data: b"abc".to_vec() }, b"Aabc");
    same(&OfAConstant::<3>::Few { data: b"ab".to_vec(), end: 1 }, b"B\x02ab\x01");
    assert_eq!(
        refused(&OfAConstant::<2>::Few { data: b"ab".to_vec(), end: 1 }),
        "data OfAConstantFew.data"
    );
    assert_eq!(refused(&OfAConstant::<2>::Bytes { data: b"abc".to_vec() }), "data derived");
}

/// Variants of one array, and what the enum asks of its parameters.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, tag = kind, args(kind: u8), bound(T: Default, U: Default))]
enum Arrays<T, U, const N: usize> {
    #[bin(id = 1)]
    Items([T; N]),
    #[bin(id = 2)]
    Numbers([u16; 2]),
    #[bin(id = 3)]
    Entries([Small; 2]),
    #[bin(id = 4)]
    Named { items: [U; 2] },
    #[bin(other)]
    Other(u8, [Small; 1]),
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little)]
struct Small {
    #[bin(range = ..=9)]
    number: u16,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct OfArrays {
    kind: u8,
    #[bin(args(kind))]
    value: Arrays<Small, Small, 1>,
}

#[test]
fn a_variant_may_be_one_array_of_values() {
    let (small, kind) = (|number| Small { number }, |kind, value| OfArrays { kind, value });
    same(&kind(1, Arrays::Items([small(5)])), b"\x01\x05\0");
    same(&kind(2, Arrays::Numbers([5, 6])), b"\x02\x05\0\x06\0");
    same(&kind(3, Arrays::Entries([small(5), small(6)])), b"\x03\x05\0\x06\0");
    same(&kind(4, Arrays::Named { items: [small(1), small(2)] }), b"\x04\x01\0\x02\0");
    same(&kind(7, Arrays::Other(7, [small(3)])), b"\x07\x03\0");
    let found = findings::<OfArrays>(b"\x03\x05\0\x0a\0");
    assert_eq!(found, ["error value[1].number Small.number.range"]);
}
