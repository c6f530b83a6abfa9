//! Values beside the items of a table, one behind the other: `for_each` without `at`.

use binfmt_runtime::{Auto, BinFormat, Crc32, Leb128, Seq, U24};

use super::{findings, laws, refused, same, stopped};

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Rows<'a> {
    count: Auto<u8>,
    #[bin(count = count)]
    sizes: Seq<'a, u8>,
    #[bin(for_each = sizes, len = it)]
    texts: Vec<&'a str>,
    end: u8,
}

#[test]
fn sizes_stand_in_front_of_all_values() {
    let value = Rows {
        count: Auto::new(),
        sizes: Seq::from(&[2, 0, 3][..]),
        texts: vec!["ab", "", "cde"],
        end: 9,
    };
    same(&value, b"\x03\x02\0\x03abcde\x09");
    // What the values say is derived.
    let nonsense = Rows { sizes: Seq::from(&[7, 7, 7][..]), ..value.clone() };
    assert_eq!(nonsense.to_vec().unwrap(), b"\x03\x02\0\x03abcde\x09");
    assert_eq!(refused(&Rows { sizes: Seq::from(&[1, 2][..]), ..value.clone() }), "texts count");
    let long = "x".repeat(300).leak();
    assert_eq!(refused(&Rows { texts: vec![long, "", ""], ..value }), "texts[0] overflow");
}

#[test]
fn a_value_that_does_not_fit_stops_where_its_item_says_so() {
    assert_eq!(stopped::<Rows<'_>>(b"\x02\x01\x09abc"), "sizes[1] size");
    assert_eq!(stopped::<Rows<'_>>(b"\x02\x01\x01a\xff\x09"), "texts[1] utf8");
    let tree = Rows::inspect(b"\x02\x01\x02abc\x09");
    let texts = &tree.root.children[2];
    assert_eq!((texts.start, texts.end, texts.children.len()), (3, 6, 2));
    assert_eq!((texts.children[1].start, texts.children[1].end), (4, 6));
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, args(base: u16 = 7))]
struct Table<'a> {
    #[bin(prefix = u8)]
    columns: Seq<'a, Column>,
    #[bin(for_each = columns, args(kind = it.kind, number = base), if = it.flags & 1 != 0, len = it.size + 1, align_before = 2)]
    cells: Vec<Option<Cell<'a>>>,
    #[bin(for_each = columns, count = it.items, pad_after = 1, fill = 0xee)]
    lists: Vec<Vec<u16>>,
    #[bin(checksum(Crc32, over = cells..=lists))]
    digest: Auto<u32>,
    #[bin(calc = base + count(cells))]
    last: u16,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big)]
struct Column {
    kind: u8,
    flags: u8,
    size: u16,
    items: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, tag = kind, args(kind: u8, number: u16))]
enum Cell<'a> {
    #[bin(id = 1)]
    Number(u32),
    #[bin(id = 2, args(number))]
    Text(Text<'a>),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, args(number: u16), check(own == number, "{own} is not {number}"))]
struct Text<'a> {
    own: u16,
    #[bin(until_end)]
    text: &'a str,
}

fn column(kind: u8, flags: u8) -> Column {
    Column { kind, flags, ..Column::default() }
}

#[test]
fn items_tell_presence_type_arguments_and_counts() {
    let columns = vec![column(1, 1), column(2, 0), column(2, 3)].leak();
    let value = Table {
        columns: Seq::from(&columns[..]),
        cells: vec![Some(Cell::Number(5)), None, Some(Cell::Text(Text { own: 7, text: "abc" }))],
        lists: vec![vec![1], vec![], vec![2, 3]],
        digest: Auto::new(),
        last: 0,
    };
    let bytes = value.to_vec().unwrap().leak();
    let head = b"\x03\x01\x01\0\x03\x01\x02\0\0\0\0\x02\x03\0\x04\x02\0\0\0\x05\0\x07abc";
    assert_eq!(bytes[..head.len()], head[..], "{bytes:02x?}");
    let read = Table::parse(bytes).unwrap();
    assert_eq!((&read.cells, &read.lists, read.last), (&value.cells, &value.lists, 10));
    same(&read, bytes);
    let absent = Table { cells: vec![None, None, None], ..value };
    assert_eq!(refused(&absent), "cells[0] presence");
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Indexed {
    mask: u8,
    #[bin(prefix = u8)]
    numbers: Vec<U24>,
    #[bin(for_each = numbers, if = mask >> index & 1 != 0, args(index))]
    rows: Vec<Option<Row>>,
    #[bin(for_each = numbers, at = it, check(count(rows) < 9, "that are too many"))]
    far: Vec<[u8; 2]>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, args(index: u8))]
struct Row {
    #[bin(check(number >= index, "{number} comes before {index}"))]
    number: u8,
    size: Auto<Leb128<u32>>,
    #[bin(len = size)]
    data: Vec<u8>,
}

fn row(number: u8, data: &[u8]) -> Row {
    Row { number, size: Auto::new(), data: data.to_vec() }
}

#[test]
fn the_index_of_an_item_is_a_name() {
    let value = Indexed {
        mask: 5,
        numbers: [16, 18, 20].map(|at| U24::new(at).unwrap()).to_vec(),
        rows: vec![Some(row(0, b"a")), None, Some(row(2, b""))],
        far: vec![*b"xy", *b"zw", *b"uv"],
    };
    same(&value, b"\x05\x03\x10\0\0\x12\0\0\x14\0\0\0\x01a\x02\0xyzwuv");
    assert_eq!(
        stopped::<Indexed>(b"\x05\x03\x10\0\0\x12\0\0\x14\0\0\0\x01a\x01\0xyzwuv"),
        "rows[2].number Row.number"
    );
    assert_eq!(refused(&Indexed { mask: 7, ..value }), "rows[1] presence");
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, len = total)]
struct Nested {
    total: Auto<u16>,
    groups: [Group; 2],
    #[bin(for_each = groups, args(height = it.rows), len = it.len)]
    blocks: Vec<Block>,
    #[bin(until_end)]
    rest: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Default)]
#[bin(little)]
struct Group {
    rows: u8,
    len: u16,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, args(height: u8))]
struct Block {
    #[bin(count = height)]
    sizes: Vec<U24>,
    #[bin(for_each = sizes, prefix = u8, pad_to = it)]
    rows: Vec<Vec<u8>>,
}

#[test]
fn blocks_hold_tables_of_their_own() {
    let value = Nested {
        total: Auto::new(),
        groups: [Group { rows: 2, len: 0 }, Group { rows: 0, len: 0 }],
        blocks: vec![
            Block {
                sizes: vec![U24::new(3).unwrap(), U24::new(2).unwrap()],
                rows: vec![vec![1], vec![2]],
            },
            Block { sizes: vec![], rows: vec![] },
        ],
        rest: vec![8, 9],
    };
    let bytes = b"\x15\0\x02\x0b\0\0\0\0\x03\0\0\x02\0\0\x01\x01\0\x01\x02\x08\x09";
    assert_eq!(value.to_vec().unwrap(), bytes);
    same(&Nested::parse(bytes).unwrap(), bytes);
    assert_eq!(
        findings::<Nested>(b"\x15\0\x02\x0b\0\0\0\0\x03\0\0\x02\0\0\x01\x01\x05\x01\x02\x08\x09"),
        ["warning blocks[0].rows[0].padding padding"]
    );
}

/// Nothing but an argument tells the compiler of the items.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Kinds {
    #[bin(prefix = u8)]
    table: Vec<Kind>,
    #[bin(for_each = table, args(kind = it.kind), set(it.kind = tag(value)))]
    bodies: Vec<Body>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Kind {
    kind: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(tag = kind, args(kind: u8))]
enum Body {
    #[bin(id = 1)]
    One(u8),
    #[bin(id = 2)]
    Two(u8, u8),
}

#[test]
fn arguments_alone_name_the_items() {
    laws::round_trip::<Kinds>(b"\x02\x01\x02\x05\x06\x07", ());
    let bodies = vec![Body::Two(1, 2), Body::One(3)];
    let kinds = Kinds { table: vec![Kind { kind: 0 }, Kind { kind: 0 }], bodies };
    assert_eq!(kinds.to_vec().unwrap(), b"\x02\x02\x01\x01\x02\x03");
}
