//! Items with a number for each version: `len = if wide { it.len64 } else { it.len32 }`.

use binfmt_runtime::{Auto, BinFormat, U24, laws};

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
        let outcome = if long { None } else { Some("bodies[1] overflow") };
        assert_eq!(value.to_vec().err().map(|error| super::place(&error)).as_deref(), outcome);
    }
    let entries = vec![old];
    let empty = Table { version: 1, entries, bodies: vec![vec![]] };
    assert_eq!(refused(&empty), "bodies[0] derived");
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
    assert_eq!(refused(&longer), "bodies[0] derived");
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

/// Values that may be absent: the form decides which number says so, and the other one stays.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Lacking {
    wide: u8,
    #[bin(prefix = u8)]
    entries: Vec<Lack>,
    #[bin(for_each = entries, at = if wide == 1 { it.far } else { it.near }, null = 0,
        len = if it.kind == 0 { it.len } else { it.more + 1 })]
    bodies: Vec<Option<Vec<u8>>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Lack {
    kind: u8,
    near: u8,
    far: u8,
    len: u8,
    more: u8,
}

#[test]
fn a_number_of_a_branch_says_that_a_value_is_absent() {
    let entry = |kind| Lack { kind, near: 0, far: 0, len: 0, more: 0 };
    let bodies = vec![Some(b"ab".to_vec()), None, Some(b"cde".to_vec())];
    let value = |wide| Lacking {
        wide,
        entries: vec![entry(0), entry(1), entry(2)],
        bodies: bodies.clone(),
    };
    let near: &[u8] = b"\0\x03\0\x11\0\x02\0\x01\0\0\0\0\x02\x13\0\0\x02abcde";
    let far: &[u8] = b"\x01\x03\0\0\x11\x02\0\x01\0\0\0\0\x02\0\x13\0\x02abcde";
    for (wide, bytes) in [(0, near), (1, far)] {
        assert_eq!(value(wide).to_vec().unwrap(), bytes);
        let mut read = Lacking::parse(bytes).unwrap();
        same(&read, bytes);
        laws::hold::<Lacking>(bytes, ()).unwrap();
        read.bodies.swap(0, 1);
        for entry in &mut read.entries {
            (entry.near, entry.far) = if wide == 1 { (9, entry.far) } else { (entry.near, 9) };
        }
        let swapped = read.to_vec().unwrap().leak();
        let again = Lacking::parse(swapped).unwrap();
        assert_eq!(again.bodies, read.bodies);
        let told = |entry: &Lack| {
            if wide == 1 { (entry.far, entry.near) } else { (entry.near, entry.far) }
        };
        assert_eq!(told(&again.entries[0]), (0, 9));
        same(&again, swapped);
    }
}

/// The same where a number of the item says what there is.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Chosen {
    wide: u8,
    #[bin(prefix = u8)]
    entries: Vec<Lack>,
    #[bin(for_each = entries, if = it.kind != 0, len = if wide == 1 { it.more } else { it.len })]
    bodies: Vec<Option<Vec<u8>>>,
}

#[test]
fn a_number_of_a_branch_is_computed_where_there_is_a_value() {
    let entry = |kind| Lack { kind, near: 0, far: 0, len: 7, more: 8 };
    for wide in 0..2 {
        let bodies = vec![None, Some(b"ab".to_vec()), Some(Vec::new())];
        let value = Chosen { wide, entries: vec![entry(0), entry(1), entry(2)], bodies };
        let bytes = value.to_vec().unwrap().leak();
        let read = Chosen::parse(bytes).unwrap();
        same(&read, bytes);
        let numbers: Vec<_> = read.entries.iter().map(|entry| (entry.len, entry.more)).collect();
        let told = if wide == 1 { [(7, 8), (7, 2), (7, 0)] } else { [(7, 8), (2, 8), (0, 8)] };
        assert_eq!(numbers, told);
        laws::hold::<Chosen>(bytes, ()).unwrap();
    }
}

/// Numbers that decide how much follows a value, which is known when that is written.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Spaced {
    #[bin(prefix = u8)]
    entries: Vec<Lack>,
    #[bin(for_each = entries, at = it.near, null = 0,
        len = if it.kind == 0 { it.len } else { it.more + 1 }, pad_after = (it.len + it.more) % 4)]
    bodies: Vec<Option<Spread>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Spread {
    #[bin(until_end)]
    all: Vec<u8>,
}

#[test]
fn a_number_of_a_branch_decides_how_much_follows_a_value_that_may_be_absent() {
    let entry = |kind, (len, more)| Lack { kind, near: 0, far: 0, len, more };
    let spread = |all: &[u8]| Some(Spread { all: all.to_vec() });
    for (len, more) in [(0, 0), (1, 0), (2, 7), (9, 3)] {
        let value = Spaced {
            entries: [0, 1, 0, 2].map(|kind| entry(kind, (len, more))).to_vec(),
            bodies: vec![spread(b"ab"), None, None, spread(b"cdefg")],
        };
        let bytes = value.to_vec().unwrap().leak();
        let read = Spaced::parse(bytes).unwrap();
        assert_eq!(read.bodies, value.bodies);
        let numbers: Vec<_> = read.entries.iter().map(|entry| (entry.len, entry.more)).collect();
        assert_eq!(numbers, [(2, more), (len, 0), (0, more), (len, 4)]);
        same(&read, bytes);
        laws::hold::<Spaced>(bytes, ()).unwrap();
    }
}

/// An index whose offsets have a width of their own and count from 1, as in a CFF font: the last of them, of no
/// bytes, is where the data ends.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Index {
    count: Auto<u16>,
    width: u8,
    #[bin(count = count + 1, args(width))]
    offsets: Vec<IndexOffset>,
    #[bin(section, len = remaining)]
    data: Vec<u8>,
    #[bin(for_each = offsets, base = data, place = data, until_next,
        at = if width == 1 { it.one } else if width == 2 { it.two } else { it.three } - 1)]
    bodies: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big, args(width: u8))]
struct IndexOffset {
    #[bin(if = width == 1)]
    one: Option<u8>,
    #[bin(if = width == 2)]
    two: Option<u16>,
    #[bin(if = width == 3)]
    three: Option<U24>,
}

#[test]
fn offsets_of_several_widths_count_from_one() {
    let offset = |width| IndexOffset {
        one: (width == 1).then_some(1),
        two: (width == 2).then_some(1),
        three: (width == 3).then(U24::default),
    };
    for width in 1..4 {
        for texts in [&[][..], &["a"], &["abc", "d", "ef"]] {
            let mut bodies: Vec<_> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
            bodies.push(Vec::new());
            let index = Index {
                count: Auto::new(),
                width,
                offsets: vec![offset(width); bodies.len()],
                data: Vec::new(),
                bodies,
            };
            let written = index.to_vec().unwrap().leak();
            let _ = laws::written_is_read(&index, ()).unwrap().unwrap();
            laws::hold::<Index>(written, ()).unwrap();
            if texts.len() == 3 && width == 2 {
                assert_eq!(written, b"\0\x03\x02\0\x01\0\x04\0\x05\0\x07abcdef");
            }
            let mut read = Index::parse(written).unwrap();
            read.bodies[0].extend(b"grown");
            let grown = laws::written_is_read(&read, ()).unwrap().unwrap();
            assert_eq!(grown.len(), written.len() + 5);
        }
    }
}

/// A branch that the item decides tells its plain number; units and sums need one that is the same for all items.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct InUnits {
    wide: u8,
    #[bin(prefix = u8)]
    entries: Vec<Lack>,
    #[bin(for_each = entries, at = if wide == 1 { it.far * 4 } else { it.near + 3 }, null = 0, prefix = u8)]
    bodies: Vec<Option<Vec<u8>>>,
}

#[test]
fn a_branch_tells_places_of_items_in_units() {
    for (wide, old) in [(0, 0), (0, 20), (1, 0), (1, 7)] {
        let entry = Lack { kind: 0, near: old, far: old, len: 0, more: 0 };
        let bodies = vec![Some(vec![1, 2]), None, Some(vec![3])];
        let value = InUnits { wide, entries: vec![entry; 3], bodies };
        let written = laws::written_is_read(&value, ()).unwrap();
        // Nothing is at 3 + a number and at 0.
        assert_eq!(written.is_ok(), wide == 1, "{written:?}");
    }
}

/// Sections of a file of two classes, whose alignment and size items say by methods.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Sections {
    is_wide: bool,
    #[bin(prefix = u8, args(is_wide))]
    headers: Vec<Header>,
    #[bin(for_each = headers, at = if is_wide { it.at64 } else { it.at32 }, len = it.len,
        if = it.kind != 8, align_before = it.alignment(), args(reach = it.reach()))]
    bodies: Vec<Option<Body>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, args(is_wide: bool))]
struct Header {
    kind: u8,
    len: u8,
    #[bin(if = is_wide)]
    at64: Option<u64>,
    #[bin(if = !is_wide)]
    at32: Option<u32>,
}

impl Header {
    fn alignment(&self) -> u64 {
        if self.kind == 1 { 4 } else { 1 }
    }

    /// Where the body ends, by the number that is there.
    fn reach(&self) -> u64 {
        let at = self.at64.unwrap_or_default() + u64::from(self.at32.unwrap_or_default());
        at + u64::from(self.len)
    }
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, args(reach: u64))]
struct Body {
    #[bin(calc = reach)]
    ends: u8,
    #[bin(until_end)]
    bytes: Vec<u8>,
}

#[test]
fn items_whose_numbers_may_be_absent_have_methods() {
    let header = |kind, is_wide: bool| Header {
        kind,
        len: 0,
        at64: is_wide.then_some(0),
        at32: (!is_wide).then_some(0),
    };
    let body = |bytes: &[u8]| Some(Body { ends: 0, bytes: bytes.to_vec() });
    for (is_wide, file) in [
        (true, &b"\x01\x03\x02\x02\x20\0\0\0\0\0\0\0\x08\0\0\0\0\0\0\0\0\0\x01\x03\x24\0\0\0\0\0\0\0\x22a\0\0\x27bc"[..]),
        (false, b"\0\x03\x02\x02\x14\0\0\0\x08\0\0\0\0\0\x01\x03\x18\0\0\0\x16a\0\0\x1bbc"),
    ] {
        let headers = [2, 8, 1].map(|kind| header(kind, is_wide)).to_vec();
        let mut value =
            Sections { is_wide, headers, bodies: vec![body(b"a"), None, body(b"bc")] };
        let written = value.to_vec().unwrap();
        assert_eq!(written, file);
        let read = Sections::parse(file).unwrap();
        same(&read, file);
        value.bodies[0] = body(b"a longer body");
        let read = Sections::parse(value.to_vec().unwrap().leak()).unwrap();
        let ends = read.bodies.iter().flatten().map(|body| u64::from(body.ends));
        let starts = read.headers.iter().map(Header::reach).filter(|reach| *reach > 0);
        assert_eq!(ends.collect::<Vec<_>>(), starts.collect::<Vec<_>>());
    }
}

/// Lengths with a sign and in units, whose numbers may be absent.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Chunks {
    unit: u8,
    is_wide: bool,
    #[bin(prefix = u8, args(is_wide))]
    sizes: Vec<Sizes>,
    #[bin(for_each = sizes, at = if is_wide { it.at16 * unit } else { it.at8 * unit },
        len = if is_wide { abs(it.len16) } else { abs(it.len8) })]
    parts: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, args(is_wide: bool))]
struct Sizes {
    #[bin(if = is_wide)]
    at16: Option<u16>,
    #[bin(if = !is_wide)]
    at8: Option<u8>,
    #[bin(if = is_wide)]
    len16: Option<i16>,
    #[bin(if = !is_wide)]
    len8: Option<i8>,
}

#[test]
fn numbers_with_a_sign_and_in_units_may_be_absent() {
    let size = |is_wide: bool, sign: i8| Sizes {
        at16: is_wide.then_some(0),
        at8: (!is_wide).then_some(0),
        len16: is_wide.then_some(i16::from(sign)),
        len8: (!is_wide).then_some(sign),
    };
    for (is_wide, file) in [
        (true, &b"\x04\x01\x02\x03\0\xfd\xff\x04\0\x01\0\0abc\0d"[..]),
        (false, b"\x04\0\x02\x02\xfd\x03\x01\0abc\0d"),
    ] {
        let sizes = vec![size(is_wide, -1), size(is_wide, 0)];
        let parts = vec![b"abc".to_vec(), b"d".to_vec()];
        let value = Chunks { unit: 4, is_wide, sizes, parts };
        assert_eq!(value.to_vec().unwrap(), file, "{is_wide}");
        same(&Chunks::parse(file).unwrap(), file);
    }
}
