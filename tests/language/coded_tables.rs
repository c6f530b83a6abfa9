//! Tables and headers whose numbers are in an encoding of their own, which the writer sets: those of
//! variable length change the length of what holds them.

use std::fmt::Debug;

use binfmt_runtime::encodings::{Octal, Quic};
use binfmt_runtime::{Auto, BinFormat, Coded, Crc32, DefaultArgs, Leb128, laws};

use super::{kept, refused, same};

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Row {
    at: Leb128<u32>,
    len: Leb128<u32>,
}

/// A table of offsets and lengths in front of what it tells of.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Table {
    #[bin(prefix = u8)]
    rows: Vec<Row>,
    #[bin(for_each = rows, at = it.at, len = it.len)]
    bodies: Vec<Vec<u8>>,
}

fn table(lens: &[usize]) -> Table {
    let row = Row { at: Leb128::new(0), len: Leb128::new(0) };
    Table { rows: vec![row; lens.len()], bodies: lens.iter().map(|len| vec![7; *len]).collect() }
}

/// The bytes of a value, which all outputs give and which are read as it.
#[track_caller]
fn written<T>(value: &T) -> &'static [u8]
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
{
    laws::written_is_read(value, T::default_args()).unwrap().unwrap()
}

fn rewritten(value: &Table) -> Table {
    let bytes = written(value);
    let read = Table::parse(bytes).unwrap();
    assert_eq!(read.bodies, value.bodies);
    let sound = if bytes.len() < 64 { same } else { kept };
    sound(&read, bytes);
    read
}

#[test]
fn offsets_and_lengths_of_variable_length_are_computed() {
    let bytes = table(&[1, 2]).to_vec().unwrap();
    assert_eq!(bytes, [2, 5, 1, 6, 2, 7, 7, 7]);
    // Each length that needs another byte moves what is behind the table.
    for lens in [[0, 0], [121, 3], [122, 3], [123, 3], [200, 300], [20_000, 1], [127, 128]] {
        rewritten(&table(&lens));
    }
    rewritten(&table(&[1; 250]));
}

#[test]
fn a_longer_body_makes_the_table_longer() {
    let mut read = rewritten(&table(&[1, 2, 3]));
    read.bodies[0] = vec![1; 500];
    let mut read = rewritten(&read);
    // A number is not written with fewer bytes than it had.
    read.bodies[0] = vec![1];
    let read = rewritten(&read);
    assert_eq!(read.rows[0].to_vec().unwrap().len(), 3);
}

/// Items whose own size follows from what is set in them.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Units {
    #[bin(prefix = u8)]
    rows: Vec<Unit>,
    #[bin(for_each = rows, len = it.size)]
    bodies: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Unit {
    size: u8,
    #[bin(calc = size * 100)]
    bits: Auto<Leb128<u32>>,
    #[bin(pad_before = size)]
    last: u8,
}

#[test]
fn items_grow_with_the_numbers_that_are_set_in_them() {
    let unit = Unit { size: 0, bits: Auto::new(), last: 9 };
    let value = Units { rows: vec![unit; 2], bodies: vec![vec![1; 2], vec![2; 5]] };
    let bytes = written(&value);
    let size = |size, last| Unit { size, bits: Auto::new(), last };
    same(&Units { rows: vec![size(2, 9), size(5, 9)], ..value }, bytes);
}

/// Octal digits have one size: their numbers are set where they stand.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Members {
    #[bin(prefix = u8)]
    rows: Vec<Member>,
    #[bin(for_each = rows, len = it.size, checksum(Crc32, it.sum))]
    bodies: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Member {
    size: Coded<Octal<4>, u16>,
    sum: u32,
}

#[test]
fn sizes_in_octal_digits_are_computed() {
    let row = Member { size: Coded::new(0), sum: 0 };
    let value = Members { rows: vec![row; 2], bodies: vec![vec![1; 9], vec![2; 64]] };
    let bytes = written(&value);
    assert_eq!(bytes.get(1..5), Some(&b"011\0"[..]));
    assert_eq!(bytes.get(9..13), Some(&b"100\0"[..]));
    same(&Members::parse(bytes).unwrap(), bytes);
    // Three digits end at 511.
    let long = Members { rows: value.rows, bodies: vec![vec![1; 512], vec![]] };
    assert_eq!(refused(&long), "rows[0].size overflow");
}

/// A header whose numbers the value around it sets.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Head {
    total: Leb128<u64>,
    name_len: Leb128<u16>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Headed {
    #[bin(set(name_len = len(name), total = end(data) - end(head)))]
    head: Head,
    #[bin(len = head.name_len)]
    name: String,
    #[bin(until_end)]
    data: Vec<u8>,
}

#[test]
fn numbers_of_a_header_are_set() {
    for (name, data) in [(3, 4), (3, 124), (3, 125), (200, 20_000)] {
        let head = Head { total: Leb128::new(0), name_len: Leb128::new(0) };
        let value = Headed { head, name: "n".repeat(name), data: vec![3; data] };
        let bytes = written(&value);
        let read = Headed::parse(bytes).unwrap();
        assert_eq!(read.head.total.get(), u64::try_from(name + data).unwrap());
        kept(&read, bytes);
    }
}

/// The length of a table behind its lengths, of a table that is held, and of places in an open section.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Held {
    count: u8,
    #[bin(args(count = count))]
    index: Index,
    #[bin(section = open, len = remaining)]
    data: Vec<u8>,
    #[bin(for_each = index.rows, at = it.at, len = it.len, place = data)]
    bodies: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(count: u8))]
struct Index {
    #[bin(count = count)]
    rows: Vec<Row>,
}

#[test]
fn a_table_in_a_value_and_values_in_an_open_section() {
    let row = Row { at: Leb128::new(0), len: Leb128::new(0) };
    let held = |lens: &[usize]| Held {
        count: u8::try_from(lens.len()).unwrap(),
        index: Index { rows: vec![row.clone(); lens.len()] },
        data: Vec::new(),
        bodies: lens.iter().map(|len| vec![5; *len]).collect(),
    };
    for lens in [vec![1, 2], vec![130, 2], vec![1; 140], vec![300; 9]] {
        let bytes = written(&held(&lens));
        let mut read = Held::parse(bytes).unwrap();
        assert_eq!(read.bodies, held(&lens).bodies);
        kept(&read, bytes);
        read.bodies[0] = vec![6; 1000];
        let bytes = written(&read);
        let longer = Held::parse(bytes).unwrap();
        assert_eq!(longer.bodies, read.bodies);
        kept(&longer, bytes);
    }
}

/// A number that decides how the value is written, before it is known.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Shaped {
    #[bin(prefix = u8)]
    rows: Vec<Row>,
    #[bin(for_each = rows, at = it.at, args(at = it.at), len = it.len)]
    bodies: Vec<Body>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(at: u32))]
struct Body {
    #[bin(if = at > 127)]
    far: Option<u8>,
    #[bin(until_end)]
    rest: Vec<u8>,
}

#[test]
fn a_number_of_variable_length_decides_how_values_are_written() {
    let row = Row { at: Leb128::new(0), len: Leb128::new(0) };
    let body = |far, len| Body { far, rest: vec![9; len] };
    let bodies = vec![body(None, 150), body(Some(4), 2)];
    let value = Shaped { rows: vec![row; 2], bodies };
    let bytes = written(&value);
    let read = Shaped::parse(bytes).unwrap();
    assert_eq!(read.bodies, value.bodies);
    kept(&read, bytes);
}

/// Numbers of variable length in values of an open section, which are measured and written apart.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Outer {
    at: u8,
    #[bin(section = open, len = remaining)]
    data: Vec<u8>,
    #[bin(at = at, place = data)]
    first: Inner,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Inner {
    to: Leb128<u16>,
    size: Leb128<u16>,
    #[bin(prefix = u8)]
    rows: Vec<Row>,
    #[bin(at = to, len = size, place = around)]
    text: String,
    #[bin(for_each = rows, at = it.at, len = it.len, place = around)]
    bodies: Vec<Vec<u8>>,
}

#[test]
fn values_in_open_sections_grow_with_their_numbers() {
    let number = Leb128::new;
    for (junk, lens) in [(0, &[1, 2][..]), (0, &[130, 300]), (5000, &[1, 2]), (300, &[140; 9])] {
        let row = Row { at: Leb128::new(0), len: Leb128::new(junk) };
        let bodies = lens.iter().map(|len| vec![5; *len]).collect();
        let first = Inner {
            to: number(0),
            size: number(7),
            rows: vec![row; lens.len()],
            text: "t".repeat(200),
            bodies,
        };
        let value = Outer { at: 0, data: Vec::new(), first };
        let bytes = written(&value);
        let read = Outer::parse(bytes).unwrap();
        assert_eq!(
            (&read.first.text, &read.first.bodies),
            (&value.first.text, &value.first.bodies)
        );
        kept(&read, bytes);
    }
}

#[test]
fn old_numbers_decide_nothing() {
    let stored = |at, len, lens: &[usize]| {
        let row = Row { at: Leb128::new(at), len: Leb128::new(len) };
        Table {
            rows: vec![row; lens.len()],
            bodies: lens.iter().map(|len| vec![7; *len]).collect(),
        }
    };
    // With longer numbers in it the table would end where a body is said to lie.
    for lens in [&[1, 2][..], &[100, 30], &[125], &[126], &[9; 40]] {
        for at in [0, 10, 130, 160] {
            let (fresh, old) = (stored(at, 0, lens), stored(at, 70_000, lens));
            laws::same_output(&fresh, &old, ()).unwrap();
        }
    }
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct DoubledRow {
    at: Coded<Quic, u32>,
    len: Coded<Quic, u32>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct DoubledTable {
    #[bin(prefix = u8)]
    rows: Vec<DoubledRow>,
    #[bin(for_each = rows, at = it.at, len = it.len)]
    bodies: Vec<Vec<u8>>,
}

#[test]
fn numbers_that_double_their_bytes_tell_places_around_each_limit() {
    for (count, first, at) in (1..4)
        .flat_map(|count| (50..70).map(move |first| (count, first)))
        .flat_map(|(count, first)| [0, 3, 7, 8, 9, 10, 64, 70].map(|at| (count, first, at)))
    {
        for (len, old) in [(0, 0), (1, 0), (2, at), (1, 99)] {
            let row = |at: u32| DoubledRow { at: at.into(), len: 0.into() };
            let mut table = DoubledTable { rows: vec![row(at)], bodies: vec![vec![1; first]] };
            for index in 1..count {
                table.rows.push(row(old));
                table.bodies.push(vec![index; len]);
            }
            written(&table);
        }
    }
}
