//! Lengths that are stored in memory when what they tell of has been written, and counted for streams.

use binfmt_runtime::{Auto, BinFormat, laws};

use super::refused;

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, len = size + 4)]
struct Chunk {
    kind: u16,
    size: Auto<u16>,
    #[bin(until_end)]
    items: Vec<Item>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Item {
    #[bin(prefix = u8)]
    name: String,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct File {
    first_len: u32,
    units: Auto<u16>,
    #[bin(len = first_len)]
    first: Chunk,
    #[bin(len = units * 2 - 2)]
    second: Chunk,
    #[bin(prefix = u32)]
    third: Chunk,
    /// Named by a rule too, so that it is counted for every output.
    #[bin(check(known_len < 60_000, "too long"))]
    known_len: u32,
    #[bin(len = known_len)]
    fourth: Vec<Item>,
}

fn items(count: usize) -> Vec<Item> {
    (0..count).map(|index| Item { name: "x".repeat((index % 200) | 1) }).collect()
}

fn chunk(kind: u16, count: usize) -> Chunk {
    Chunk { kind, size: Auto::new(), items: items(count) }
}

/// Chunks without items, shorter than the buffer of a writer, and longer.
const COUNTS: [usize; 6] = [0, 1, 2, 23, 100, 300];

#[test]
fn every_output_gets_the_same_lengths() {
    for (first, second) in COUNTS.into_iter().flat_map(|a| COUNTS.map(|b| (a, b))) {
        let value = File {
            first_len: 0,
            units: Auto::new(),
            first: chunk(1, first),
            second: chunk(2, second),
            third: chunk(3, first),
            known_len: 0,
            fourth: items(second),
        };
        let bytes = laws::written_as_read(&value, ()).unwrap();
        assert!(File::validate(&bytes).findings().is_empty(), "{first} {second}");
        let read = File::parse(&bytes).unwrap();
        assert_eq!(read.first_len, u32::try_from(read.first.encoded_len().unwrap()).unwrap());
        assert_eq!((read.first, read.second), (value.first, value.second));
        assert_eq!((read.third, read.fourth), (value.third, value.fourth));
    }
}

#[test]
fn a_length_that_cannot_be_stored_is_refused_by_every_output() {
    assert_eq!(refused(&chunk(1, 1000)), "size overflow");
    let odd = Chunk { items: vec![Item { name: String::new() }], ..chunk(2, 0) };
    let value = File {
        first_len: 0,
        units: Auto::new(),
        first: chunk(1, 1),
        second: odd,
        third: chunk(3, 1),
        known_len: 0,
        fourth: items(1),
    };
    assert_eq!(refused(&value), "units derived");
    let long = File { second: chunk(2, 0), third: chunk(3, 1000), ..value };
    assert_eq!(refused(&long), "third.size overflow");
}
