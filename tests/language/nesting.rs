//! Arrays, and values inside values.

use binfmt_runtime::{Auto, BinFormat};

use super::{laws, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(little)]
struct Deep {
    count: Auto<u8>,
    #[bin(count = count)]
    inside: Vec<Self>,
}

#[test]
fn values_nest_only_so_deeply() {
    let deep = |levels| {
        (0..levels)
            .fold(Deep::default(), |inner, _| Deep { inside: vec![inner], ..Deep::default() })
    };
    same(&deep(2), &[1, 1, 0]);
    assert!(Deep::parse(&deep(50).to_vec().unwrap()).is_ok());
    let bytes = vec![1; 100_000].leak();
    assert_eq!(Deep::parse(bytes).unwrap_err().finding().code, "depth");
    assert!(!Deep::is_valid(bytes));
    assert!(!Deep::validate(bytes).is_ok());
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big)]
struct Arrays {
    pairs: [[u16; 2]; 2],
    points: [Point; 2],
    bytes: [u8; 3],
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy, Default)]
struct Point {
    #[bin(check(x < 9, "{x} is out of the picture"))]
    x: u8,
    y: u8,
}

#[test]
fn arrays_hold_numbers_arrays_and_declared_types() {
    let points = [Point { x: 5, y: 6 }, Point { x: 7, y: 8 }];
    same(
        &Arrays { pairs: [[1, 2], [3, 4]], points, bytes: *b"abc" },
        b"\0\x01\0\x02\0\x03\0\x04\x05\x06\x07\x08abc",
    );
    assert_eq!(
        stopped::<Arrays>(b"\0\x01\0\x02\0\x03\0\x04\x05\x06\x09\x08abc"),
        "points[1].x Point.x"
    );
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Columns {
    columns: [Column; 2],
    #[bin(for_each = columns, at = it.at, len = it.len, set(it.lines = count_of(value)))]
    bodies: Vec<Vec<u8>>,
}

/// Neither `Copy` nor of one size.
#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
struct Column {
    at: u8,
    len: u8,
    lines: u8,
    #[bin(prefix = u8)]
    name: String,
}

fn count_of(text: &[u8]) -> usize {
    text.split(|byte| *byte == b'\n').count() - 1
}

#[test]
fn items_of_arrays_need_not_be_copied() {
    let column = |name: &str| Column { name: name.into(), ..Column::default() };
    let columns = [column("a"), column("long")];
    let bodies = vec![b"1\n2\n".to_vec(), b"?".to_vec()];
    let bytes = b"\x0d\x04\x02\x01a\x11\x01\0\x04long1\n2\n?";
    assert_eq!(Columns { columns, bodies }.to_vec().unwrap(), bytes);
    laws::hold::<Columns>(bytes, ());
    assert_eq!(stopped::<Columns>(&bytes[..9]), "columns[1].name size");
}
