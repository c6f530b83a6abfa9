//! Declared values of which several may lie in one place: `shared`.

use std::cell::RefCell;
use std::io::Cursor as Bytes;

use binfmt_runtime::{Auto, BinFormat, Blob};

use super::checksums::Total;
use super::{findings, kept, refused, same};
use crate::laws;

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big)]
struct Maps {
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.at, base = start, shared, args(least = it.kind))]
    maps: Vec<Map>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big)]
struct Entry {
    kind: u8,
    at: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big, args(least: u8))]
struct Map {
    len: Auto<u8>,
    #[bin(len = len)]
    text: String,
    #[bin(check(kind >= least, "{kind} is less than {least}"))]
    kind: u8,
}

fn map(text: &str, kind: u8) -> Map {
    Map { text: text.to_owned(), kind, ..Map::default() }
}

fn entries(offsets: &[u8]) -> Vec<Entry> {
    offsets.iter().map(|at| Entry { at: *at, ..Entry::default() }).collect()
}

/// Three entries, of which the first and the last tell of one value.
const SHARED: &[u8] = b"\x03\0\x07\0\x0b\0\x07\x02ab\x05\x01z\x06";

#[test]
fn values_of_one_stored_offset_and_the_same_bytes_lie_in_one_place() {
    let read = Maps::parse(SHARED).unwrap();
    assert_eq!(read.maps, [map("ab", 5), map("z", 6), map("ab", 5)]);
    same(&read, SHARED);
    laws::hold::<Maps>(SHARED, ());
    let new = Maps { entries: entries(&[0, 0, 0]), maps: read.maps.clone() };
    assert_eq!(new.to_vec().unwrap(), SHARED);
    assert_eq!(read.compact().to_vec().unwrap(), SHARED);
    // Values of different offsets are not asked.
    let apart = Maps { entries: entries(&[7, 11, 14]), maps: read.maps };
    assert_eq!(apart.to_vec().unwrap(), b"\x03\0\x07\0\x0b\0\x0e\x02ab\x05\x01z\x06\x02ab\x05");
}

#[test]
fn a_value_that_is_changed_leaves_the_place_that_it_shared() {
    let mut read = Maps::parse(SHARED).unwrap();
    read.maps[2] = map("ac", 5);
    let bytes = read.to_vec().unwrap();
    assert_eq!(bytes, b"\x03\0\x07\0\x0b\0\x0e\x02ab\x05\x01z\x06\x02ac\x05");
    assert_eq!(Maps::parse(&bytes).unwrap().maps, read.maps);
    // The first one, too; it is the place of the value and not its owner.
    let mut read = Maps::parse(SHARED).unwrap();
    read.maps[0] = map("ac", 5);
    let bytes = read.to_vec().unwrap();
    assert_eq!(Maps::parse(&bytes).unwrap().maps, read.maps);
    assert!(findings::<Maps>(bytes.leak()).is_empty());
    // All of them go on together.
    let mut read = Maps::parse(SHARED).unwrap();
    (read.maps[0], read.maps[2]) = (map("longer", 5), map("longer", 5));
    let bytes = read.to_vec().unwrap();
    assert_eq!(bytes, b"\x03\0\x07\0\x0f\0\x07\x06longer\x05\x01z\x06");
}

#[test]
fn rules_of_each_value_hold_wherever_it_lies() {
    // The values are alike, and what the entries ask of them is not.
    let mut read = Maps::parse(SHARED).unwrap();
    read.entries[2].kind = 6;
    assert_eq!(refused(&read), "maps[2].kind Map.kind");
    let mut stream = Vec::new();
    assert!(read.write_to(&mut stream).is_err());
    assert!(stream.is_empty(), "nothing of an invalid value is written");
    assert!(read.encoded_len().is_err());
    assert!(read.write_into(&mut [0; 64]).is_err());
}

#[test]
fn values_that_overlap_otherwise_are_errors() {
    // The second one begins inside the first one.
    let inside = b"\x02\0\x05\0\x06\x02\x01b\x05";
    assert_eq!(findings::<Maps>(inside), ["error maps[1] overlap"]);
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big)]
struct Unshared {
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.at, base = start, args(least = it.kind))]
    maps: Vec<Map>,
}

#[test]
fn without_the_word_each_value_has_its_place() {
    assert_eq!(findings::<Unshared>(SHARED), ["error maps[2] overlap"]);
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big)]
struct Two {
    first_at: u8,
    second_at: u8,
    #[bin(at = first_at, shared, args(least = 0))]
    first: Map,
    #[bin(at = second_at, shared, args(least = 0))]
    second: Map,
}

#[test]
fn single_fields_share_places_too() {
    let bytes = b"\x02\x02\x01a\x07";
    let read = Two::parse(bytes).unwrap();
    same(&read, bytes);
    let changed = Two { second: map("b", 7), ..read };
    assert_eq!(changed.to_vec().unwrap(), b"\x02\x05\x01a\x07\x01b\x07");
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big)]
struct Nested {
    #[bin(prefix = u8)]
    offsets: Vec<u16>,
    #[bin(for_each = offsets, at = it, base = start, null = 0, shared)]
    inside: Vec<Option<Self>>,
}

#[test]
fn values_with_shared_values_are_shared() {
    let leaf = Nested { offsets: vec![0], inside: vec![None] };
    let branch = |inside: &Nested| Nested {
        offsets: vec![0, 0],
        inside: vec![Some(inside.clone()), Some(inside.clone())],
    };
    let tree = branch(&branch(&branch(&leaf)));
    let bytes = b"\x02\0\x05\0\x05\x02\0\x05\0\x05\x02\0\x05\0\x05\x01\0\0";
    assert_eq!(tree.to_vec().unwrap(), bytes);
    kept(&Nested::parse(bytes).unwrap(), bytes);
}

#[test]
fn values_that_many_levels_share_are_read_within_the_budget() {
    // Forty levels of two entries each would be a million million values.
    let mut bytes = b"\x02\0\x05\0\x05".repeat(40);
    bytes.extend(b"\0");
    assert!(!Nested::is_valid(&bytes));
    let report = Nested::validate(&bytes);
    assert!(report.findings().iter().any(|finding| finding.code == "budget"), "{report}");
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big)]
struct Summed {
    #[bin(prefix = u8)]
    entries: Vec<SummedEntry>,
    #[bin(for_each = entries, at = it.at, len = it.len, shared, checksum(Total, it.sum))]
    maps: Vec<Whole>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct SummedEntry {
    at: u8,
    len: u8,
    sum: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big)]
struct Whole {
    #[bin(until_end)]
    numbers: Vec<u16>,
}

#[test]
fn values_of_one_place_have_one_length_and_one_checksum() {
    let whole = |numbers: &[u16]| Whole { numbers: numbers.to_vec() };
    let maps = vec![whole(&[1, 2]), whole(&[]), whole(&[1, 2])];
    let new = Summed { entries: vec![SummedEntry::default(); 3], maps };
    let bytes = b"\x03\x0a\x04\x03\0\0\0\x0a\x04\x03\0\x01\0\x02";
    assert_eq!(new.to_vec().unwrap(), bytes);
    kept(&Summed::parse(bytes).unwrap(), bytes);
    laws::hold::<Summed>(bytes, ());
}

#[derive(BinFormat, Debug)]
#[bin(big)]
struct Payloads<'a> {
    #[bin(prefix = u8)]
    offsets: Vec<u16>,
    #[bin(for_each = offsets, at = it, shared)]
    values: Vec<Payload<'a>>,
}

#[derive(BinFormat, Debug)]
#[expect(dead_code, reason = "the writer computes it")]
struct Payload<'a> {
    len: Auto<u8>,
    #[bin(len = len)]
    data: Blob<'a>,
}

#[test]
fn what_a_reader_gives_once_has_a_place_of_its_own() {
    let readers = [RefCell::new(Bytes::new(b"ab")), RefCell::new(Bytes::new(b"ab"))];
    let one = |reader| Payload { len: Auto::new(), data: Blob::from_reader(reader, 2) };
    let values = readers.iter().map(|reader| one(reader)).collect();
    let new = Payloads { offsets: vec![0, 0], values };
    assert_eq!(new.to_vec().unwrap(), b"\x02\0\x05\0\x08\x02ab\x02ab");
    let lent = |text: &'static [u8]| Payload { len: Auto::new(), data: Blob::from(text) };
    let new = Payloads { offsets: vec![0, 0], values: vec![lent(b"ab"), lent(b"ab")] };
    assert_eq!(new.to_vec().unwrap(), b"\x02\0\x05\0\x05\x02ab");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct TwoTables {
    #[bin(prefix = u8)]
    first: Vec<Short>,
    #[bin(prefix = u8)]
    second: Vec<Short>,
    #[bin(for_each = first, at = it.at, len = it.len, align_after = 4, shared)]
    padded: Vec<Vec<u8>>,
    #[bin(for_each = second, at = it.at, len = it.len, shared)]
    bare: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little)]
struct Short {
    at: u8,
    len: u8,
}

#[test]
fn values_of_two_tables_share_a_place_though_one_is_padded() {
    let value = TwoTables {
        first: vec![Short { at: 8, len: 1 }],
        second: vec![Short { at: 8, len: 1 }, Short { at: 12, len: 2 }],
        padded: vec![vec![7]],
        bare: vec![vec![7], vec![8, 9]],
    };
    same(&value, b"\x01\x08\x01\x02\x08\x01\x0c\x02\x07\0\0\0\x08\x09");
    // Of other bytes each has its own place.
    let other = TwoTables { bare: vec![vec![5], vec![8, 9]], ..value };
    let bytes = other.to_vec().unwrap();
    assert!(TwoTables::validate(&bytes).is_ok(), "{}", TwoTables::validate(&bytes));
    assert_eq!(TwoTables::parse(&bytes).unwrap().bare, other.bare);
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct PaddedLast {
    at: u8,
    padded_at: u8,
    #[bin(at = at, len = 1, shared)]
    bare: Vec<u8>,
    #[bin(at = padded_at, len = 1, shared, align_after = 8)]
    padded: Vec<u8>,
}

#[test]
fn the_padding_of_a_value_that_lies_where_another_one_does_is_written() {
    let value = PaddedLast { at: 2, padded_at: 2, bare: vec![7], padded: vec![7] };
    same(&value, b"\x02\x02\x07\0\0\0\0\0");
}

/// Texts and bytes that several offsets tell of.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Place {
    offset: u32,
    len: u32,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Note {
    #[bin(prefix = u16)]
    text: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Marked<'a> {
    #[bin(prefix = u16)]
    places: Vec<Place>,
    #[bin(for_each = places, at = it.offset, shared)]
    notes: Vec<Note>,
    #[bin(prefix = u16)]
    of_texts: Vec<Place>,
    #[bin(for_each = of_texts, at = it.offset, len = it.len, shared)]
    texts: Vec<&'a str>,
    #[bin(prefix = u16)]
    of_bytes: Vec<Place>,
    #[bin(for_each = of_bytes, at = it.offset, len = it.len, shared)]
    bytes: Vec<&'a [u8]>,
}

/// Many looks at the same bytes.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Viewed {
    #[bin(prefix = u16)]
    places: Vec<Place>,
    len: Auto<u16>,
    #[bin(len = len)]
    data: Vec<u8>,
    #[bin(for_each = places, at = it.offset, base = data, len = it.len, view)]
    looks: Vec<Vec<u8>>,
}

#[test]
fn views_that_readers_cannot_look_at_are_not_written() {
    let mut written = 0;
    for count in 0..50 {
        let places = vec![Place { offset: 0, len: 300 }; count];
        let (len, looks) = (Auto::new(), vec![vec![1; 300]; count]);
        let value = Viewed { places, len, data: vec![1; 300], looks };
        match binfmt_runtime::laws::outputs(&value, ()).unwrap() {
            Ok(bytes) => {
                assert_eq!(Viewed::parse(&bytes), Ok(value));
                written += 1;
            }
            Err(error) => assert_eq!(error.finding().code, "budget"),
        }
    }
    assert!((5..50).contains(&written), "{written}");
}

#[test]
fn what_readers_cannot_read_so_often_is_not_written() {
    let places = |count, offset| vec![Place { offset, len: 300 }; count];
    let none = || Marked {
        places: vec![],
        notes: vec![],
        of_texts: vec![],
        texts: vec![],
        of_bytes: vec![],
        bytes: vec![],
    };
    let text: &'static str = "a".repeat(300).leak();
    let mut written = [0; 3];
    for count in 20..70 {
        let (notes, texts) = (vec![Note { text: vec![1; 300] }; count], vec![text; count]);
        let bytes = vec![text.as_bytes(); count];
        let values = [
            Marked { places: places(count, 1000), notes, ..none() },
            Marked { of_texts: places(count, 1000), texts, ..none() },
            // Nobody looks at bytes that are borrowed.
            Marked { of_bytes: places(count, 1000), bytes, ..none() },
        ];
        for (value, written) in values.into_iter().zip(&mut written) {
            match binfmt_runtime::laws::outputs(&value, ()).unwrap() {
                Ok(bytes) => {
                    assert_eq!(Marked::parse(&bytes), Ok(value));
                    *written += 1;
                }
                Err(error) => assert_eq!(error.finding().code, "budget"),
            }
        }
    }
    assert!((5..50).contains(&written[0]) && (5..50).contains(&written[1]), "{written:?}");
    assert_eq!(written[2], 50);
}
