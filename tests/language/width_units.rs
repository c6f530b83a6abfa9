//! Fixed widths that a number counts in units: they grow to the next whole one, and never shrink.

use binfmt_runtime::BinFormat;

use super::{refused, same};

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Words {
    count: u8,
    #[bin(len = count * 4, trim = b' ')]
    name: String,
    end: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Units {
    count: u8,
    unit: u8,
    #[bin(len = (count - 1) * unit, nul = optional)]
    name: Vec<u8>,
    end: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Odd {
    pairs: u8,
    at: u8,
    #[bin(at = at, len = pairs * 2 + 1, trim = 0)]
    name: String,
}

#[test]
fn a_width_grows_to_the_next_whole_unit() {
    for len in 0..20_u8 {
        let name = "a".repeat(len.into());
        for held in [0, 3] {
            let value = Words { count: held, name: name.clone(), end: 9 };
            let bytes = value.to_vec().unwrap().leak();
            assert_eq!(bytes[0], len.div_ceil(4).max(held));
            let read = Words::parse(bytes).unwrap();
            assert_eq!((&read.name, read.end), (&name, 9));
            same(&read, bytes);
        }
        let value = Units { count: 0, unit: 3, name: name.clone().into_bytes(), end: 9 };
        let bytes = value.to_vec().unwrap().leak();
        assert_eq!(bytes[0], len.div_ceil(3) + 1);
        same(&Units { count: bytes[0], ..value }, bytes);
        let bytes = Odd { pairs: 0, at: 0, name: name.clone() }.to_vec().unwrap().leak();
        assert_eq!(bytes[0], len / 2);
        let read = Odd::parse(bytes).unwrap();
        assert_eq!(read.name, name);
        same(&read, bytes);
    }
}

#[test]
fn no_number_of_units_without_bytes_tells_a_width() {
    let value = Units { count: 1, unit: 0, name: b"a".to_vec(), end: 9 };
    assert_eq!(refused(&value), "name derived");
    assert_eq!(refused(&Units { unit: 1, name: vec![b'a'; 300], ..value }), "count overflow");
}

/// Items with widths of their own.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Table {
    #[bin(prefix = u8)]
    items: Vec<u8>,
    #[bin(for_each = items, len = it * 4, trim = 0)]
    names: Vec<String>,
    end: u8,
}

#[test]
fn widths_of_items_grow_to_the_next_whole_unit() {
    let names = ["", "a", "abcd", "abcde"].map(str::to_owned).to_vec();
    let value = Table { items: vec![1, 0, 0, 0], names, end: 9 };
    let bytes = value.to_vec().unwrap().leak();
    assert_eq!(bytes, b"\x04\x01\x01\x01\x02\0\0\0\0a\0\0\0abcdabcde\0\0\0\x09");
    let read = Table::parse(bytes).unwrap();
    assert_eq!(read.names, value.names);
    same(&read, bytes);
}
