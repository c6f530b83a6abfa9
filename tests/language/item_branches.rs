//! Items with a number for each version: `len = if wide { it.len64 } else { it.len32 }`.

use binfmt_runtime::BinFormat;

use super::{refused, same};

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Table {
    version: u8,
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = if version > 1 { it.at64 } else { it.at32 },
        len = if it.long { it.len16 } else { it.len8 + 1 })]
    bodies: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Entry {
    long: bool,
    at32: u16,
    at64: u32,
    len8: u8,
    len16: u16,
}

#[test]
fn the_number_of_the_branch_is_computed_and_the_other_stays() {
    let old = Entry { at32: 7, at64: 8, len8: 9, len16: 10, long: false };
    for (version, long) in [(1, false), (1, true), (2, false), (2, true)] {
        let entries = vec![Entry { long, ..old.clone() }; 2];
        let mut value = Table { version, entries, bodies: vec![b"abc".to_vec(), b"de".to_vec()] };
        let bytes: &'static [u8] = value.to_vec().unwrap().leak();
        let read = Table::parse(bytes).unwrap();
        same(&read, bytes);
        assert_eq!(read.bodies, value.bodies);
        let [first, second] = &read.entries[..] else { panic!("{read:?}") };
        let wide = version > 1;
        assert_eq!((first.at32, second.at32), if wide { (7, 7) } else { (22, 25) });
        assert_eq!((first.at64, second.at64), if wide { (22, 25) } else { (8, 8) });
        assert_eq!((first.len8, second.len8), if long { (9, 9) } else { (2, 1) });
        assert_eq!((first.len16, second.len16), if long { (3, 2) } else { (10, 10) });
        value.bodies[1] = vec![1; 300];
        let outcome = if long { None } else { Some("bodies overflow") };
        assert_eq!(value.to_vec().err().map(|error| super::place(&error)).as_deref(), outcome);
    }
    let entries = vec![old];
    let empty = Table { version: 1, entries, bodies: vec![vec![]] };
    assert_eq!(refused(&empty), "bodies derived");
}

/// The same with numbers that are there or not.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Versions {
    version: u8,
    #[bin(prefix = u8, args(version))]
    entries: Vec<Versioned>,
    #[bin(for_each = entries, len = if version == 1 { it.narrow } else { it.wide })]
    bodies: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, args(version: u8))]
struct Versioned {
    #[bin(if = version == 1)]
    narrow: Option<u8>,
    #[bin(if = version != 1)]
    wide: Option<u16>,
}

#[test]
fn a_number_of_an_item_that_may_be_absent_tells_a_length() {
    let bytes = b"\x01\x02\x01\x02abb";
    let value = Versions::parse(bytes).unwrap();
    assert_eq!(value.bodies, [b"a".to_vec(), b"bb".to_vec()]);
    same(&value, bytes);
    same(&Versions::parse(b"\x02\x01\x02\0aa").unwrap(), b"\x02\x01\x02\0aa");
    let mut longer = value;
    longer.bodies[0].push(b'c');
    let read = Versions::parse(longer.to_vec().unwrap().leak()).unwrap();
    assert_eq!((&read.bodies, read.entries[0].narrow), (&longer.bodies, Some(2)));
    longer.entries[0].narrow = None;
    assert_eq!(refused(&longer), "bodies derived");
}

/// Each item says itself which number tells its place.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Placed {
    #[bin(prefix = u8)]
    entries: Vec<Place>,
    #[bin(for_each = entries, at = if it.version < 2 { it.near } else { it.far })]
    bodies: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Place {
    version: u8,
    near: u8,
    far: u16,
}

#[test]
fn an_item_says_which_number_tells_its_place() {
    let entries = [(1, 7), (2, 0), (1, 7)];
    let entries = entries.map(|(version, far)| Place { version, near: 0, far }).to_vec();
    let value = Placed { entries, bodies: vec![b'a', b'b', b'c'] };
    let bytes = b"\x03\x01\x0d\x07\0\x02\0\x0e\0\x01\x0f\x07\0abc";
    assert_eq!(value.to_vec().unwrap(), bytes);
    let mut read = Placed::parse(bytes).unwrap();
    same(&read, bytes);
    read.entries.push(Place { version: 3, near: 0, far: 0 });
    read.bodies.push(b'd');
    let grown = read.to_vec().unwrap().leak();
    let again = Placed::parse(grown).unwrap();
    assert_eq!(again.bodies, read.bodies);
    same(&again, grown);
}
