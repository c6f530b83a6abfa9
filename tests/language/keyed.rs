//! Rules over the items of a `Vec`: what they compare, and where the items lie.

use binfmt_runtime::{BinFormat, Leb128};

use super::{findings, refused, same};

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Book {
    count: u8,
    #[bin(count = count, unique = name, sorted_by = page.number)]
    entries: Vec<Entry>,
    #[bin(if = count > 1, prefix = u8, unique = name.len(), sorted_by = name)]
    more: Option<Vec<Entry>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Entry {
    #[bin(prefix = u8)]
    name: String,
    page: Page,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Page {
    number: u16,
}

fn entry(name: &str, number: u16) -> Entry {
    Entry { name: name.into(), page: Page { number } }
}

#[test]
fn items_of_a_vec_are_compared_by_a_part() {
    let value = Book {
        count: 2,
        entries: vec![entry("b", 1), entry("a", 2)],
        more: Some(vec![entry("c", 9), entry("dd", 8)]),
    };
    same(&value, b"\x02\x01b\x01\0\x01a\x02\0\x02\x01c\x09\0\x02dd\x08\0");
    let wrong = b"\x02\x01b\x01\0\x01b\x00\0\x02\x01d\x09\0\x01c\x08\0";
    assert_eq!(
        findings::<Book>(wrong),
        [
            "error entries[1] Book.entries.unique",
            "error entries[1] Book.entries.sorted_by",
            "error more[1] Book.more.unique",
            "error more[1] Book.more.sorted_by",
        ]
    );
    let unsorted = Book { entries: vec![entry("a", 2), entry("b", 1)], ..value };
    assert_eq!(refused(&unsorted), "entries[1] Book.entries.sorted_by");
}

/// Items that stand behind a number of their own, in the byte order of the value around.
#[derive(BinFormat, Debug, PartialEq)]
#[bin(endian = magic, magic = [b"II" => little, b"MM" => big])]
struct Ordered {
    #[bin(magic)]
    mark: [u8; 2],
    #[bin(prefix = Leb128<u16>, unique, sorted_by = it)]
    numbers: Vec<u16>,
    #[bin(prefix = u16, unique = number, sorted_by = number)]
    pages: Vec<Inherits>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(endian = inherit)]
struct Inherits {
    number: u16,
}

#[test]
fn items_are_compared_in_their_byte_order_and_behind_their_prefix() {
    let inherits = |number| Inherits { number };
    let value = |mark| Ordered {
        mark,
        numbers: vec![2, 0x0100],
        pages: vec![inherits(0x01ff), inherits(0x0200)],
    };
    same(&value(*b"MM"), b"MM\x02\0\x02\x01\0\0\x02\x01\xff\x02\0");
    same(&value(*b"II"), b"II\x02\x02\0\0\x01\x02\0\xff\x01\0\x02");
    assert_eq!(
        findings::<Ordered>(b"MM\x02\x01\0\x01\0\0\x02\x02\0\x01\xff"),
        ["error numbers[1] Ordered.numbers.unique", "error pages[1] Ordered.pages.sorted_by",]
    );
}
