//! Values that are placed from the end of their section downwards, with parts at offsets of the file, and values whose
//! length is not known when others are placed.

use binfmt_runtime::{Auto, BinFormat, Leb128};

use super::same;

/// Values with parts at offsets that count from the file: what grows moves, and its parts with it.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Parts {
    #[bin(prefix = u8)]
    before: Vec<u8>,
    #[bin(prefix = u8)]
    table: Vec<u8>,
    #[bin(section, len = 40, grow = down)]
    heap: Vec<u8>,
    #[bin(for_each = table, at = it, base = heap, place = heap)]
    rows: Vec<Part>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Part {
    at: u8,
    #[bin(at = at, prefix = u8)]
    text: String,
}

#[test]
fn rows_with_parts_grow_and_move() {
    let row = |len: usize| Part { at: 0, text: "x".repeat(len) };
    for lens in [[1, 2, 3], [3, 3, 3], [0, 5, 1]] {
        let rows: Vec<Part> = lens.into_iter().map(row).collect();
        let value = Parts { before: vec![1; 4], table: vec![0; 3], heap: vec![0; 40], rows };
        let bytes = value.to_vec().unwrap().leak();
        let read = Parts::parse(bytes).unwrap();
        same(&read, bytes);
        for (index, len, before) in
            [(0, 9, 4), (1, 0, 4), (2, 12, 4), (1, 7, 0), (0, 1, 2), (2, 3, 9)]
        {
            let mut edited = read.clone();
            edited.before = vec![2; before];
            edited.rows[index].text = "y".repeat(len);
            edited.rows.swap(0, 2);
            let grown =
                edited.to_vec().unwrap_or_else(|error| panic!("{edited:?}: {error}")).leak();
            let again = Parts::parse(grown).unwrap();
            let texts =
                |value: &Parts| value.rows.iter().map(|row| row.text.clone()).collect::<Vec<_>>();
            assert_eq!((texts(&again), &again.before), (texts(&edited), &edited.before));
            same(&again, grown);
        }
    }
}

/// A prefix of variable length in front: the values are as long as they are, whatever is taken for its length.
#[test]
fn a_length_that_is_not_known_yet_moves_nothing() {
    #[derive(BinFormat, Debug, Clone, PartialEq)]
    struct Prefixed {
        #[bin(prefix = Leb128<u32>)]
        page: Page,
        #[bin(prefix = Leb128<u32>)]
        fixed: Fixed,
    }
    #[derive(BinFormat, Debug, Clone, PartialEq)]
    struct Page {
        at: u8,
        #[bin(section, len = 130, grow = down)]
        heap: Vec<u8>,
        #[bin(at = at, base = start, place = heap)]
        value: Inner,
    }
    #[derive(BinFormat, Debug, Clone, PartialEq)]
    struct Fixed {
        at: u8,
        size: u8,
        #[bin(section, len = 130)]
        heap: Vec<u8>,
        #[bin(at = at, base = start, place = heap, len = size)]
        value: Inner,
    }
    #[derive(BinFormat, Debug, Clone, PartialEq)]
    #[bin(big)]
    struct Inner {
        at: u16,
        #[bin(at = at)]
        value: u8,
    }
    let inner = Inner { at: 0, value: 9 };
    let heap = || vec![0; 130];
    for at in [0, 127, 128] {
        let page = Page { at: 0, heap: heap(), value: inner.clone() };
        let fixed = Fixed { at, size: 0, heap: heap(), value: inner.clone() };
        let bytes = Prefixed { page, fixed }.to_vec().unwrap().leak();
        same(&Prefixed::parse(bytes).unwrap(), bytes);
    }
}

/// A place that the number of a new value does not tell, beside one that nothing keeps.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Untold {
    version: u8,
    floating: Auto<u8>,
    a: u8,
    b: u8,
    #[bin(at = floating, until = b"|", align_after = 8)]
    text: String,
    #[bin(at = 3 + ((if version > 2 { a } else { b }) - 1) * 2)]
    value: [u8; 4],
}

#[test]
fn a_new_value_lies_in_the_order_that_it_is_read_in() {
    for (version, a, b) in [(1, 0, 0), (3, 0, 0), (1, 9, 3), (3, 9, 1)] {
        let floating = Auto::new();
        let value = Untold { version, floating, a, b, text: "t".into(), value: [1, 2, 3, 4] };
        let bytes = value.to_vec().unwrap().leak();
        same(&Untold::parse(bytes).unwrap(), bytes);
    }
}

/// What no field covers stays where all of a value moves, also if its parts forget their places.
#[test]
fn bytes_of_a_section_inside_stay() {
    #[derive(BinFormat, Debug, Clone, PartialEq)]
    struct Page {
        at: u8,
        #[bin(section, len = 24, grow = down)]
        heap: Vec<u8>,
        #[bin(at = at, base = start, place = heap)]
        value: Holder,
    }
    #[derive(BinFormat, Debug, Clone, PartialEq)]
    struct Holder {
        inner: u8,
        outer: u8,
        #[bin(section, len = 4)]
        bytes: Vec<u8>,
        #[bin(at = inner, base = bytes, place = bytes)]
        second: u8,
        #[bin(at = outer, prefix = u8)]
        text: String,
    }
    let bytes = vec![1, 2, 3, 4];
    let value = Holder { inner: 2, outer: 0, bytes, second: 9, text: "ab".into() };
    let written = Page { at: 0, heap: vec![0; 24], value }.to_vec().unwrap();
    let mut read = Page::parse(&written).unwrap();
    assert_eq!(read.value.bytes, [1, 2, 9, 4]);
    read.value.text = "abcdef".into();
    let grown = read.to_vec().unwrap();
    let again = Page::parse(&grown).unwrap();
    assert_eq!((again.value.bytes, again.value.inner), (vec![1, 2, 9, 4], 2));
    assert_eq!(again.value.text, "abcdef");
}

/// Equal rows share a place, and what they hold is looked at where it has been written.
#[test]
fn equal_rows_with_parts_move_together() {
    #[derive(BinFormat, Debug, Clone, PartialEq)]
    struct Page {
        #[bin(prefix = u8)]
        table: Vec<u8>,
        #[bin(section, len = 20, grow = down)]
        heap: Vec<u8>,
        #[bin(for_each = table, at = it, base = heap, place = heap, shared)]
        rows: Vec<Row>,
    }
    #[derive(BinFormat, Debug, Clone, PartialEq)]
    #[bin(error(len(text) == 0 || at + len(text) < 24, "the part ends in its page"))]
    struct Row {
        at: u8,
        #[bin(at = at, prefix = u8)]
        text: String,
    }
    let row = |text: &str| Row { at: 0, text: text.into() };
    let rows = vec![row("ab"), row("ab"), row("c")];
    let written = Page { table: vec![0; 3], heap: vec![0; 20], rows }.to_vec().unwrap().leak();
    let mut read = Page::parse(written).unwrap();
    same(&read, written);
    for text in ["abcd", "", "abcdefgh"] {
        for row in &mut read.rows[..2] {
            row.text = text.into();
        }
        let grown = read.to_vec().unwrap_or_else(|error| panic!("{text}: {error}")).leak();
        let again = Page::parse(grown).unwrap();
        assert_eq!(again.rows.iter().map(|row| &*row.text).collect::<Vec<_>>(), [text, text, "c"]);
        same(&again, grown);
    }
}
