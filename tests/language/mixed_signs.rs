//! Signed and unsigned numbers in one expression: places that count from where their number stands, sizes
//! with a sign, and comparisons of both.

use binfmt_runtime::{Auto, BinFormat, Leb128};

use super::{findings, refused, same};

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Pointer {
    name: i32,
    value: Auto<i8>,
    #[bin(at = start(name) + name, nul)]
    text: String,
    #[bin(at = end(value) - 5 + value, prefix = u8)]
    bytes: Vec<u8>,
}

#[test]
fn a_place_counts_from_its_number() {
    let value =
        |text: &str| Pointer { name: -7, value: Auto::new(), text: text.into(), bytes: vec![4] };
    same(&Pointer { name: 5, ..value("ab") }, b"\x05\0\0\0\x08ab\0\x01\x04");
    let longer = value("abcd").to_vec().unwrap();
    assert_eq!(longer, b"\x05\0\0\0\x0aabcd\0\x01\x04");
    assert!(refused(&value(&"a".repeat(200))).starts_with("value"));
    assert!(Pointer::parse(b"\xfb\xff\xff\xff\0\0").is_err());
}

/// Numbers below 0 lead to what stands in front of them.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Backward {
    at: u8,
    #[bin(len = 4)]
    names: Vec<u8>,
    #[bin(at = at)]
    tail: Tail,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Tail {
    kind: u8,
    rel: i16,
    #[bin(view, at = start(rel) + rel)]
    seen: [u8; 2],
}

#[test]
fn a_place_lies_in_front_of_its_number() {
    let file = b"\x05abcd\x09\xfc\xff";
    let read = Backward::parse(file).unwrap();
    assert_eq!(read.tail.seen, *b"bc");
    same(&read, file);
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, magic = b"RT")]
struct Table {
    #[bin(prefix = u8)]
    rows: Vec<Row>,
    #[bin(for_each = rows, at = start(rows) + 1 + index * 3 + it.rel, len = abs(it.len))]
    names: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Row {
    rel: i16,
    len: i8,
}

#[test]
fn a_place_counts_from_its_item() {
    let row = |rel, len| Row { rel, len };
    let names = vec![b"ab".to_vec(), b"c".to_vec(), Vec::new()];
    let table = Table { rows: vec![row(9, 2), row(8, -1), row(0, 0)], names };
    same(&table, b"RT\x03\0\x09\x02\0\x08\xff\0\0\0abc");
    let mut longer = table.clone();
    longer.names[0] = b"abcd".to_vec();
    longer.rows.push(row(0, -9));
    longer.names.push(b"xy".to_vec());
    let read = Table::parse(longer.to_vec().unwrap().leak()).unwrap();
    assert_eq!(read.names, longer.names);
    assert_eq!(read.rows.iter().map(|row| row.len).collect::<Vec<_>>(), [4, -1, 0, -2]);
}

/// Nodes of a tree that move, with numbers that count from where they stand.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, magic = b"TR")]
struct Tree {
    root: i16,
    #[bin(section = open, until_end)]
    data: Vec<u8>,
    #[bin(at = start(root) + root, base = file, place = data)]
    node: Node,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Node {
    left: i16,
    right: i8,
    #[bin(prefix = u8)]
    text: String,
    #[bin(if = left != 0, at = start(left) + left, base = file, place = around)]
    low: Option<Box<Self>>,
    #[bin(if = right != 0, at = end(right) + right, base = file, place = around)]
    high: Option<Box<Self>>,
}

#[test]
fn places_count_from_numbers_that_move() {
    let leaf = |text: &str| Node { left: 0, right: 0, text: text.into(), low: None, high: None };
    let one = |node| Some(Box::new(node));
    let high = Node { left: -9, low: one(leaf("deep")), ..leaf("h") };
    let node = Node { left: 1, right: 1, low: one(leaf("l")), high: one(high), ..leaf("root") };
    let tree = Tree { root: 0, data: Vec::new(), node };
    let file = b"TR\x02\0\x08\0\x0a\x04root\0\0\0\x01l\x05\0\0\x01h\0\0\0\x04deep";
    assert_eq!(tree.to_vec().unwrap(), file);
    let mut read = Tree::parse(file).unwrap();
    same(&read, file);
    let low = read.node.low.as_mut().unwrap();
    low.text = "a longer text".into();
    (low.right, low.high) = (1, one(leaf("new")));
    (read.node.right, read.node.high) = (0, None);
    let written = Tree::parse(read.to_vec().unwrap().leak()).unwrap();
    let low = written.node.low.as_ref().unwrap();
    assert_eq!((low.text.as_str(), &*low.high.as_ref().unwrap().text), ("a longer text", "new"));
    // What lies in front of its number stays there.
    let back = b"TR\x07\0\0\0\0\x01l\xfb\xff\0\x04root";
    let read = Tree::parse(back).unwrap();
    assert_eq!(read.node.low.as_ref().unwrap().text, "l");
    same(&read, back);
}

/// Cells of a hive: those in use have a size below 0.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Cell {
    size: i32,
    #[bin(len = abs(size) - 4)]
    data: Vec<u8>,
}

/// A picture, whose count is below 0 where the first layer is for transparency.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Layers {
    count: Leb128<i32>,
    #[bin(count = abs(count))]
    heights: Vec<i16>,
    #[bin(if = count < 0)]
    alpha: Option<u8>,
}

#[test]
fn a_size_keeps_the_sign_of_its_number() {
    let cell = |size| Cell { size, data: b"xyz".to_vec() };
    same(&cell(-7), b"\xf9\xff\xff\xffxyz");
    same(&cell(7), b"\x07\0\0\0xyz");
    for (held, written) in [(-1, -7), (i32::MIN, -7), (0, 7), (i32::MAX, 7)] {
        let written = Cell { size: written, ..cell(0) };
        assert_eq!(cell(held).to_vec().unwrap(), written.to_vec().unwrap(), "{held}");
    }
    let layers = |number, alpha| Layers { count: Leb128::new(number), heights: vec![-1, 2], alpha };
    same(&layers(-2, Some(9)), b"\x7e\xff\xff\0\x02\x09");
    assert_eq!(layers(-100, Some(9)).to_vec().unwrap(), b"\x7e\xff\xff\0\x02\x09");
    assert_eq!(layers(0, None).to_vec().unwrap(), b"\x02\xff\xff\0\x02");
    assert!(Cell::parse(b"\x03\0\0\0").is_err());
    assert!(Cell::parse(b"\0\0\0\x80").is_err());
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, args(less: i8, wide: u8))]
struct Sized {
    size: u8,
    taken: i8,
    #[bin(len = size + less)]
    one: Vec<u8>,
    #[bin(len = wide - taken)]
    other: Vec<u8>,
    #[bin(if = -less > 12 - wide)]
    last: Option<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Around {
    less: i8,
    wide: u8,
    #[bin(args(less, wide))]
    inner: Sized,
}

#[test]
fn a_size_is_told_beside_a_number_of_either_sign() {
    let inner =
        |size, taken| Sized { size, taken, one: vec![1, 2, 3], other: vec![4, 5], last: None };
    for (less, wide, size, taken, last) in [
        (-5, 9, 8, 7, Some(6)),
        (3, 9, 0, 7, None),
        (0, 12, 3, 10, None),
        (-128, 12, 131, 10, Some(6)),
    ] {
        let held = Around { less, wide, inner: Sized { last, ..inner(77, -77) } };
        let written = held.to_vec().unwrap();
        let read = Around::parse(written.clone().leak()).unwrap();
        assert_eq!(read, Around { less, wide, inner: Sized { last, ..inner(size, taken) } });
        same(&read, written.leak());
    }
    let held = Around { less: 0, wide: 200, inner: inner(3, 0) };
    assert_eq!(refused(&held), "inner.taken derived");
    // 1 - 5 is no size.
    assert!(Around::parse(b"\xfb\x09\x01\0").is_err());
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, check(delta < size, "far"), check(min(delta, size) + 300 > size, "much"))]
struct Compared {
    size: u64,
    #[bin(range = -5..=size)]
    delta: i64,
    #[bin(range = delta..)]
    most: u64,
    head: Head,
    #[bin(check(head.low - 3 < head.high + size + 1, "head"))]
    end: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Head {
    low: u8,
    high: i8,
}

#[test]
fn numbers_of_both_kinds_are_compared_by_what_they_are() {
    let bytes = |size: u64, delta: i64, most: u64, head: [u8; 2]| {
        let numbers = [size.to_le_bytes(), delta.to_le_bytes(), most.to_le_bytes()];
        [&numbers.concat()[..], &head, &[7]].concat().leak()
    };
    let none: [&str; 0] = [];
    assert_eq!(findings::<Compared>(bytes(0, -1, 0, [3, 0])), none);
    assert_eq!(findings::<Compared>(bytes(2, 1, 1, [3, 255])), none);
    assert_eq!(findings::<Compared>(bytes(2, 2, 2, [3, 0])), ["error delta Compared"]);
    assert_eq!(findings::<Compared>(bytes(2, 1, 0, [3, 0])), ["error most Compared.most.range"]);
    let far = findings::<Compared>(bytes(2, -6, 0, [3, 0]));
    assert_eq!(far, ["error delta Compared.delta.range"]);
    assert_eq!(findings::<Compared>(bytes(2, 1, 1, [9, 1])), ["error end Compared.end"]);
    // The largest has no counterpart with a sign: a sum overflows, a comparison does not.
    let large = findings::<Compared>(bytes(u64::MAX, 5, u64::MAX, [0, 1]));
    assert_eq!(large, ["error delta Compared.2", "error end Compared.end"]);
}

/// A value whose own offsets count from a place that may lie behind it.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct InFront {
    rel: i16,
    #[bin(at = start(rel) + rel, base = file, place = around, prefix = u8)]
    there: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(origin)]
struct Origin {
    at: u8,
    #[bin(null = 0, at = at, base = file, place = around)]
    value: Option<InFront>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Floating {
    at: u8,
    len: u8,
    #[bin(section = open, len = len)]
    held: Vec<u8>,
    #[bin(at = at, place = held)]
    origin: Origin,
}

#[test]
fn a_start_in_front_of_where_offsets_count_from_is_no_number() {
    let mut refused = 0;
    for at in [0, 1, 2, 9, 40] {
        let value = Some(InFront { rel: 0, there: vec![9, 8] });
        let value = Floating { at: 0, len: 0, held: Vec::new(), origin: Origin { at, value } };
        match value.to_vec() {
            Ok(bytes) => assert_eq!(Floating::parse(&bytes).unwrap().to_vec().unwrap(), bytes),
            Err(error) => {
                refused += 1;
                let said = "an expression asks where this lies, which is in front of";
                assert!(error.to_string().starts_with("origin.value.rel"), "{error}");
                assert!(error.to_string().contains(said), "{error}");
            }
        }
        let bytes = value.compact().to_vec().unwrap();
        assert_eq!(Floating::parse(&bytes).unwrap().origin.value.unwrap().there, [9, 8]);
    }
    assert_eq!(refused, 3, "those that lay in the section keep their places");
}
