//! Tables of bytes, and variants that hold tuples.

use binfmt_runtime::{Auto, BinFormat, U24};

use super::{findings, refused, same, stopped};

/// Offsets of a byte each, and sizes that are a byte each.
#[derive(BinFormat, Debug, PartialEq, Default)]
struct Table {
    count: Auto<u8>,
    #[bin(count = count)]
    offsets: Vec<u8>,
    #[bin(prefix = u8)]
    sizes: Vec<u8>,
    #[bin(for_each = sizes, len = it)]
    bodies: Vec<Vec<u8>>,
    #[bin(for_each = offsets, at = it, align_before = 2)]
    texts: Vec<Text>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Text {
    #[bin(nul)]
    text: String,
}

fn text(text: &str) -> Text {
    Text { text: text.to_owned() }
}

#[test]
fn a_table_may_be_bytes() {
    let value = Table {
        offsets: vec![0; 2],
        sizes: vec![9; 2],
        bodies: vec![b"ab".to_vec(), vec![]],
        texts: vec![text("x"), text("yz")],
        ..Table::default()
    };
    let bytes = b"\x02\x08\x0a\x02\x02\0abx\0yz\0";
    assert_eq!(value.to_vec().as_deref(), Ok(&bytes[..]));
    same(&Table::parse(bytes).unwrap(), bytes);
    let long = vec![text(&"x".repeat(250)), text("")];
    assert_eq!(refused(&Table { texts: long, ..value }), "texts[1] overflow");
    assert_eq!(findings::<Table>(b"\x01\x03\0a"), ["error texts[0].text nul"]);
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big, tag = kind, args(kind: u8))]
enum Shape {
    #[bin(id = 1)]
    Point((u8, u16)),
    #[bin(id = 2)]
    Named((Point, [u16; 2])),
    #[bin(id = 3..=4)]
    Several(u8, (U24, bool)),
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
struct Point {
    x: u8,
    y: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Shaped {
    #[bin(calc = tag(shape))]
    kind: u8,
    #[bin(args(kind))]
    shape: Shape,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = inherit)]
enum Marked {
    #[bin(magic = b"A")]
    A((u16, u8)),
    #[bin(magic = b"B")]
    B(((u8, u8), u16)),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Both {
    #[bin(until_end)]
    marked: Vec<Marked>,
}

#[test]
fn a_variant_may_hold_a_tuple() {
    let shaped = |kind, shape| Shaped { kind, shape };
    same(&shaped(1, Shape::Point((1, 0x203))), b"\x01\x01\x02\x03");
    let named = Shape::Named((Point { x: 1, y: 2 }, [3, 4]));
    same(&shaped(2, named), b"\x02\x01\x02\0\x03\0\x04");
    let number = U24::try_from(7).unwrap();
    same(&shaped(4, Shape::Several(4, (number, true))), b"\x04\0\0\x07\x01");
    assert_eq!(stopped::<Shaped>(b"\x01\x01\x02"), "shape.0.1 end");
    assert_eq!(stopped::<Shaped>(b"\x04\0\0\x07\x02"), "shape.0.1 value");
    let marked = vec![Marked::A((0x201, 3)), Marked::B(((4, 5), 6))];
    same(&Both { marked }, b"A\x01\x02\x03B\x04\x05\x06\0");
}
