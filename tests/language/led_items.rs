//! Values of a table that count from the place of a single one, with which they move: `at = base + it.at`.

use binfmt_runtime::BinFormat;

use super::laws::hold;
use super::same;

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Item {
    at: u8,
    len: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Plain {
    base: u8,
    #[bin(prefix = u8)]
    items: Vec<Item>,
    #[bin(at = base, prefix = u8)]
    head: Vec<u8>,
    #[bin(for_each = items, at = base + it.at, len = it.len)]
    values: Vec<Vec<u8>>,
}

/// In a section, beside another value, shared.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct InSection {
    base: u8,
    other: u8,
    len: u8,
    #[bin(prefix = u8)]
    items: Vec<Item>,
    #[bin(section, len = len)]
    room: Vec<u8>,
    #[bin(at = base, base = room, place = room, len = 2)]
    head: Vec<u8>,
    #[bin(for_each = items, at = it.at + base, base = room, place = room, len = it.len, shared)]
    values: Vec<Vec<u8>>,
    #[bin(at = other, base = room, place = room)]
    last: u8,
}

fn item(at: u8) -> Item {
    Item { at, len: 0 }
}

/// Writes a value, reads it, and holds what all values hold; what was read is the value but for its numbers.
macro_rules! written {
    ($type:ident, $value:expr, $($field:ident),+) => {{
        let value: $type = $value;
        let bytes: &'static [u8] =
            value.to_vec().unwrap_or_else(|error| panic!("{value:?}: {error}")).leak();
        let read = $type::parse(bytes).unwrap();
        $(assert_eq!(read.$field, value.$field, "{value:?}");)+
        same(&read, bytes);
        hold::<$type>(bytes, ());
        let compact = value.compact().to_vec().unwrap();
        hold::<$type>(&compact, ());
        read
    }};
}

#[test]
fn values_of_a_table_move_with_what_they_count_from() {
    let read = Plain::parse(b"\x05\x01\x02\x01\0\x01h\x07").unwrap();
    same(&read, b"\x05\x01\x02\x01\0\x01h\x07");
    let mut more = read.clone();
    (more.items, more.values) = (vec![item(2), item(0)], vec![vec![7], vec![8]]);
    assert_eq!(more.to_vec().unwrap(), b"\x06\x02\x03\x01\x02\x01\x01h\x08\x07");
    let contents: [&[&[u8]]; 6] =
        [&[], &[b""], &[b"a"], &[b"", b"bc"], &[b"bc", b""], &[b"a", b"bc", b"", b"a"]];
    for values in contents {
        for head in [&b""[..], b"h", b"head"] {
            for (base, step) in [(0, 0), (0, 9), (12, 0), (30, 3), (200, 1)] {
                let values: Vec<Vec<u8>> = values.iter().map(|value| value.to_vec()).collect();
                let items: Vec<Item> =
                    (0..).map(|one: u8| item(one * step)).take(values.len()).collect();
                let value = Plain {
                    base,
                    items: items.clone(),
                    head: head.to_vec(),
                    values: values.clone(),
                };
                let read = written!(Plain, value, head, values);
                // An item more, in front of all.
                let mut grown = read;
                grown.items.insert(0, item(0));
                grown.values.insert(0, b"new".to_vec());
                let mut read = written!(Plain, grown, head, values);
                read.head.clear();
                written!(Plain, read, head, values);
                let value = InSection {
                    base: base / 4,
                    other: step,
                    len: 0,
                    items,
                    room: Vec::new(),
                    head: b"hd".to_vec(),
                    values,
                    last: 9,
                };
                let mut read = written!(InSection, value, head, values, last);
                read.values.iter_mut().for_each(|value| value.push(b'+'));
                written!(InSection, read, head, values, last);
            }
        }
    }
}

/// In units from there.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct InUnits {
    base: u8,
    unit: u8,
    k: u8,
    #[bin(prefix = u8)]
    items: Vec<Item>,
    #[bin(at = base, prefix = u8)]
    head: Vec<u8>,
    #[bin(at = base + k * 4)]
    mark: u8,
    #[bin(for_each = items, at = base + 1 + (it.at - 1) * unit, len = it.len)]
    values: Vec<Vec<u8>>,
}

#[test]
fn numbers_that_count_in_units_from_a_value_are_told() {
    let contents: [&[&[u8]]; 5] =
        [&[], &[b""], &[b"a"], &[b"bcd", b"", b"e"], &[b"abcdefgh", b"i"]];
    for values in contents {
        for head in [&b""[..], b"h", b"heads"] {
            for (unit, base, step) in [(1, 0, 0), (3, 0, 0), (3, 1, 0), (2, 30, 2), (5, 9, 1)] {
                let values: Vec<Vec<u8>> = values.iter().map(|value| value.to_vec()).collect();
                let items: Vec<Item> =
                    (0..).map(|one: u8| item(1 + one * step)).take(values.len()).collect();
                let head = head.to_vec();
                let value = InUnits { base, unit, k: step, items, head, mark: 7, values };
                let read = written!(InUnits, value, head, mark, values);
                let mut grown = read.clone();
                grown.head.extend(b"more");
                grown.values.push(b"new".to_vec());
                grown.items.push(item(1));
                written!(InUnits, grown, head, mark, values);
            }
        }
    }
}
