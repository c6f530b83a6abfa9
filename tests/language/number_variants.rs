//! Shapes that are numbers.

use binfmt_runtime::{Auto, BinFormat, Leb128, NodeValue, U24};

use super::{findings, refused, same, stopped};

/// A key and a value of the type that is stored before it.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct KeyValue<'a> {
    #[bin(prefix = u8)]
    key: &'a str,
    #[bin(calc = tag(value))]
    kind: Auto<u32>,
    #[bin(args(kind))]
    value: Value<'a>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, tag = kind, args(kind: u32))]
enum Value<'a> {
    #[bin(id = 0)]
    Byte(u8),
    #[bin(id = 1)]
    Long(i64),
    #[bin(id = 2)]
    Float(f32),
    #[bin(id = 3)]
    Truth(bool),
    #[bin(id = 4)]
    Place([u16; 2]),
    #[bin(id = 5)]
    Varies(Leb128<u32>),
    #[bin(id = 6)]
    Text(Text<'a>),
    #[bin(other)]
    Other(u32, U24),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Text<'a> {
    #[bin(prefix = u8)]
    text: &'a str,
}

#[test]
fn a_tag_tells_the_type_of_a_number() {
    let pair = |value| KeyValue { key: "k", kind: Auto::new(), value };
    same(&pair(Value::Byte(9)), b"\x01k\0\0\0\0\x09");
    same(&pair(Value::Long(-2)), b"\x01k\x01\0\0\0\xfe\xff\xff\xff\xff\xff\xff\xff");
    same(&pair(Value::Float(1.5)), b"\x01k\x02\0\0\0\0\0\xc0\x3f");
    same(&pair(Value::Truth(true)), b"\x01k\x03\0\0\0\x01");
    same(&pair(Value::Place([1, 2])), b"\x01k\x04\0\0\0\x01\0\x02\0");
    same(&pair(Value::Varies(Leb128::new(300))), b"\x01k\x05\0\0\0\xac\x02");
    same(&pair(Value::Text(Text { text: "t" })), b"\x01k\x06\0\0\0\x01t");
    same(&pair(Value::Other(7, U24::try_from(0x01_0203).unwrap())), b"\x01k\x07\0\0\0\x03\x02\x01");
    assert_eq!(stopped::<KeyValue<'_>>(b"\x01k\x01\0\0\0\xfe\xff"), "value.0 end");
    assert_eq!(stopped::<KeyValue<'_>>(b"\x01k\x03\0\0\0\x02"), "value.0 value");
    assert_eq!(stopped::<KeyValue<'_>>(b"\x01k\x04\0\0\0\x01\0\x02"), "value.0[1] end");
    assert_eq!(findings::<KeyValue<'_>>(b"\x01k\x05\0\0\0\x80\0"), ["warning value.0 overlong"]);
    assert_eq!(refused(&pair(Value::Other(1, U24::default()))), "value tag");
}

#[test]
fn an_inspector_shows_the_variant_and_its_number() {
    let tree = KeyValue::inspect(b"\x01k\x01\0\0\0\xfe\xff\xff\xff\xff\xff\xff\xff");
    let value = tree.root.children.last().unwrap();
    assert_eq!(value.value, Some(NodeValue::Str("Long".into())));
    let [number] = value.children.as_slice() else { panic!("{value:?}") };
    assert_eq!((number.name.as_str(), number.start, number.end), ("0", 6, 14));
    assert_eq!(number.value, Some(NodeValue::Int(-2)));
    let shapes = Value::LAYOUT.to_markdown();
    assert!(shapes.contains("| `Long` | `i64` |"), "{shapes}");
}

/// Shapes in the order of the value around, the last of them without a magic.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = inherit)]
enum Shape<T> {
    #[bin(magic = b"A")]
    Number(u16),
    #[bin(magic = b"B")]
    Any(T),
    Rest(u32),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Shapes {
    #[bin(prefix = u8)]
    shapes: Vec<Shape<u32>>,
    #[bin(until_end)]
    more: Vec<Shape<Named>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Named {
    number: u16,
}

#[test]
fn numbers_have_the_order_around_the_enum() {
    let value = Shapes {
        shapes: vec![Shape::Number(1), Shape::Any(2), Shape::Rest(3)],
        more: vec![Shape::Number(4), Shape::Any(Named { number: 5 })],
    };
    same(&value, b"\x03A\0\x01B\0\0\0\x02\0\0\0\x03A\0\x04B\x05\0");
    assert_eq!(stopped::<Shapes>(b"\x01A\0"), "shapes count");
    assert_eq!(stopped::<Shapes>(b"\0B\x05"), "more[0].0.number end");
}
