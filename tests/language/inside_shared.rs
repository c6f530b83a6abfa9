//! What lies inside values that share a place is known by one place, which is that of nothing else: checksums are
//! those of the bytes that are written.

use binfmt_runtime::{BinFormat, Crc32};

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct File {
    #[bin(prefix = u8)]
    words: Vec<Word>,
    #[bin(prefix = u8)]
    sums: Vec<Summed>,
    len: u8,
    #[bin(section = open, len = len)]
    body: Vec<u8>,
}

/// A value that may be that of another word.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Word {
    to: u8,
    #[bin(at = to, place = around, shared)]
    named: Named,
}

/// What lies inside it counts from where it lies.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Named {
    to: u8,
    #[bin(at = to, place = around, base = start, nul)]
    name: String,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Summed {
    to: u8,
    #[bin(checksum(Crc32, over = data))]
    sum: u32,
    #[bin(at = to, place = around)]
    data: [u8; 3],
}

#[test]
fn checksums_beside_what_lies_inside_shared_values_are_right() {
    let mut shared = 0;
    for (named, name, data) in places() {
        let word = |to: u8| Word { to, named: Named { to: name, name: "bb".to_owned() } };
        let summed = |to: u8, data: [u8; 3]| Summed { to, sum: 0, data };
        let file = File {
            words: vec![word(named), word(named)],
            sums: vec![summed(data, [1, 2, 3]), summed(data + 2, [4, 5, 6])],
            len: 0,
            body: Vec::new(),
        };
        let bytes = file.to_vec().unwrap_or_else(|error| panic!("{file:?}: {error}"));
        let report = File::validate(&bytes);
        assert!(report.is_ok(), "{file:?}: {report}");
        let read = File::parse(&bytes).unwrap();
        assert_eq!(read.to_vec().as_ref(), Ok(&bytes), "{file:?}");
        shared += usize::from(read.words[0].to == read.words[1].to);
    }
    assert!(shared > 1_000, "only {shared}");
}

/// Old places of a value, of what lies inside, and of another one: in front of the section and in it.
fn places() -> impl Iterator<Item = (u8, u8, u8)> {
    let places = 0..20_u8;
    places.clone().flat_map(move |named| {
        let places = places.clone();
        places.clone().flat_map(move |name| places.clone().map(move |data| (named, name, data)))
    })
}
