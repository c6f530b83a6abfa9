//! Values that follow from others and are not on the wire.

use binfmt_runtime::{Auto, BinFormat, NodeValue, Seq, Tree, laws};

use super::{findings, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, let(odd = total & 1 == 1))]
#[bin(computed(total: u8 = a + b, "both together"), computed(twice: u16 = total * 2))]
#[bin(computed(is_odd: bool = odd), computed(less: i8 = c - 1), computed(name: &'static str = name_of(total)))]
#[bin(check(twice < 200, "that is too large"))]
struct Sums<'a> {
    a: u8,
    b: u8,
    c: i16,
    #[bin(len = total)]
    data: &'a [u8],
    #[bin(if = is_odd)]
    more: Option<u8>,
    #[bin(calc = twice)]
    size: u8,
}

const fn name_of(total: u64) -> &'static str {
    if total == 3 { "three" } else { "another" }
}

const SUMS: &[u8] = b"\x01\x02\x05\0abc\x09\x06";

fn sums() -> Sums<'static> {
    Sums { a: 1, b: 2, c: 5, data: b"abc", more: Some(9), size: 0 }
}

fn nodes(tree: &Tree) -> Vec<(&str, Option<NodeValue>)> {
    tree.root.children.iter().map(|node| (node.name.as_str(), node.value.clone())).collect()
}

#[test]
fn a_computed_value_is_a_name_a_method_and_a_node() {
    same(&Sums { size: 6, ..sums() }, SUMS);
    let value = sums();
    assert_eq!(value.total(), Some(3));
    assert_eq!(value.twice(), Some(6));
    assert_eq!(value.is_odd(), Some(true));
    assert_eq!(value.less(), Some(4));
    assert_eq!(value.name(), Some("three"));
    let tree = Sums::inspect(SUMS);
    assert_eq!(
        nodes(&tree)[6..],
        [
            ("total", Some(NodeValue::Uint(3))),
            ("twice", Some(NodeValue::Uint(6))),
            ("is_odd", Some(NodeValue::Bool(true))),
            ("less", Some(NodeValue::Int(4))),
            ("name", Some(NodeValue::Str("three".into()))),
        ]
    );
    let total = &tree.root.children[6];
    assert_eq!((total.start, total.end, total.doc, total.ty), (9, 9, "both together", "u8"));
}

#[test]
fn the_layout_has_a_row_for_it_without_a_place() {
    use binfmt_runtime::Wire as _;
    let fields = Sums::WIRE.fields;
    assert_eq!(fields.len(), 11);
    assert_eq!((fields[6].name, fields[6].offset, fields[6].size), ("total", None, None));
    assert_eq!(fields[6].words, "computed(total: u8 = a + b, \"both together\")");
    assert_eq!(fields[6].rules[0].code, "Sums.total");
    let unstored: Vec<_> = fields.iter().filter(|field| !field.stored).collect();
    assert!(unstored.iter().all(|field| field.words.starts_with("computed(")));
    assert_eq!(unstored.len(), 5);
}

#[test]
fn what_cannot_be_computed_stops_readers_and_writers() {
    assert_eq!(stopped::<Sums<'_>>(b"\x01\x02\x05"), "c end");
    assert_eq!(stopped::<Sums<'_>>(b"\x01\x02\xff\0abc\x09\x06"), "less Sums.less");
    assert_eq!(findings::<Sums<'_>>(b"\x01\x02\xff\0abc\x09\x06"), ["error less Sums.less"]);
    assert_eq!(refused(&Sums { c: 200, ..sums() }), "less Sums.less");
    assert_eq!(Sums { c: 200, ..sums() }.less(), None);
    let wide = Sums { a: 200, b: 100, data: vec![0; 300].leak(), more: None, ..sums() };
    assert_eq!(wide.total(), None);
    assert_eq!(refused(&wide), "total Sums.total");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big, args(step: u8 = 2), computed(far: u32 = near * step), computed(items: u64 = count(list) + len(text)))]
struct Told<'a> {
    near: u16,
    count: Auto<u8>,
    #[bin(count = count)]
    list: Seq<'a, u8>,
    #[bin(prefix = u8)]
    text: &'a str,
    #[bin(if = far > 10 && items > 2)]
    last: Option<u8>,
}

#[test]
fn arguments_of_the_type_are_arguments_of_the_method() {
    let value = Told {
        near: 9,
        count: Auto::new(),
        list: Seq::from(&[1, 2][..]),
        text: "ab",
        last: Some(1),
    };
    same(&value, b"\0\x09\x02\x01\x02\x02ab\x01");
    assert_eq!(value.far(2), Some(18));
    assert_eq!(value.far(3), Some(27));
    assert_eq!(value.items(), Some(4));
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[bin(big, bits = u16, msb, computed(wide: u16 = high * 16 + low, "all of it"), check(wide < 300, "{wide} is more than {high:#x}ff"))]
struct Packed {
    #[bin(bits = 8)]
    high: u8,
    #[bin(bits = 8)]
    low: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, computed(major: u8 = _0 >> 8), computed(minor: u8 = _0 & 0xff))]
struct Version(u16);

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[repr(u8)]
enum Kind {
    Small = 0,
    Large = 1,
}

const fn kind_of(version: u64) -> Kind {
    if version > 2 { Kind::Large } else { Kind::Small }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, computed(kind: Kind = if version.major().is_some() { kind_of(packed.high + 0) } else { Kind::Small }))]
#[bin(computed(first: Packed = packed), computed(low: u8 = packed.low))]
struct Parts {
    packed: Packed,
    version: Version,
    #[bin(prefix = u8)]
    inner: Vec<Version>,
}

#[test]
fn bit_fields_wrappers_and_nested_values_have_them_too() {
    same(&Packed { high: 2, low: 3 }, &[2, 3]);
    assert_eq!(Packed { high: 2, low: 3 }.wide(), Some(35));
    assert_eq!(stopped::<Packed>(&[20, 3]), "high Packed");
    let error = Packed::parse(&[20, 3]).unwrap_err().to_string();
    assert!(error.contains("323 is more than 0x14ff"), "{error}");
    assert_eq!(refused(&Packed { high: 20, low: 0 }), " Packed");
    same(&Version(0x0203), &[3, 2]);
    assert_eq!((Version(0x0203).major(), Version(0x0203).minor()), (Some(2), Some(3)));
    let parts = Parts {
        packed: Packed { high: 3, low: 4 },
        version: Version(1),
        inner: vec![Version(2), Version(0x0300)],
    };
    same(&parts, &[3, 4, 1, 0, 2, 2, 0, 0, 3]);
    assert_eq!(parts.kind(), Some(Kind::Large));
    let tree = Parts::inspect(&[3, 4, 1, 0, 2, 2, 0, 0, 3]);
    assert_eq!(
        tree.root.children[3].value,
        Some(NodeValue::Enum { number: 1, name: Some("Large") })
    );
    assert_eq!(tree.root.children[2].children[2].children[0].value, Some(NodeValue::Uint(3)));
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, origin, computed(end_of_body: u32 = at + size), computed(is_far: bool = end_of_body > 100))]
struct Located<'a> {
    at: u8,
    size: u8,
    #[bin(at = at, len = size, note(!is_far, "it lies far away"))]
    body: &'a [u8],
    count: Auto<u8>,
    #[bin(count = count)]
    table: Vec<Version>,
    #[bin(for_each = table, at = it.0, len = if is_far { 1 } else { 2 })]
    values: Vec<&'a [u8]>,
}

#[test]
fn words_of_place_use_them() {
    let value = Located {
        at: 5,
        size: 2,
        body: b"ab",
        count: Auto::new(),
        table: vec![Version(7)],
        values: vec![b"cd"],
    };
    same(&value, b"\x05\x02\x01\x07\0abcd");
    assert_eq!(value.end_of_body(), Some(7));
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(
    little,
    computed(scale: f32 = if n > 1 { wide } else { one() }),
    computed(kind: Kind = if n > 1 { Kind::Large } else { own }),
    check(n > 0, "a scale of {scale}")
)]
struct Copies {
    n: u8,
    wide: f32,
    own: Kind,
}

fn one() -> f32 {
    1.0
}

#[test]
fn floats_and_named_numbers_are_copied() {
    let value = Copies { n: 2, wide: 2.5, own: Kind::Small };
    same(&value, b"\x02\0\0\x20\x40\0");
    assert_eq!((value.scale(), value.kind()), (Some(2.5), Some(Kind::Large)));
    let other = Copies { n: 1, ..value };
    assert_eq!((other.scale(), other.kind()), (Some(1.0), Some(Kind::Small)));
}

/// A number is computed from a length through a value that has no bytes.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(computed(in_bytes: u64 = 2 * units, "the units in bytes"))]
struct InUnits {
    units: u8,
    #[bin(len = in_bytes)]
    data: Vec<u8>,
}

#[test]
fn a_number_follows_from_a_length_through_a_computed_value() {
    let value = InUnits { units: 0, data: b"abcd".to_vec() };
    assert_eq!(value.to_vec().unwrap(), b"\x02abcd");
    assert_eq!(laws::written_is_read(&value, ()), Ok(Ok(&b"\x02abcd"[..])));
    assert_eq!(laws::settled(&value, ()).unwrap().unwrap().units, 2);
}
