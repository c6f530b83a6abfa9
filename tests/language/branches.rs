//! Sizes and places of two forms, each told by a number of its own, as formats of 32 and of 64 bits have.

use binfmt_runtime::{Auto, BinFormat, laws};

use super::{refused, same};

/// A header of two versions, the fields of one of which are wider.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct File {
    version: u8,
    #[bin(if = version < 2)]
    at32: Option<u32>,
    #[bin(if = version >= 2)]
    at64: Option<u64>,
    #[bin(if = version < 2)]
    len32: Option<u32>,
    #[bin(if = version >= 2)]
    len64: Option<u64>,
    #[bin(at = if version < 2 { at32 } else { at64 + 1 }, len = if version < 2 { len32 } else { len64 - 2 })]
    data: Vec<u8>,
}

fn file(version: u8, data: &[u8]) -> File {
    let (old, new) = ((version < 2).then_some(0), (version >= 2).then_some(0));
    File { version, at32: old, at64: new, len32: old, len64: new, data: data.to_vec() }
}

#[test]
fn a_new_value_has_the_numbers_of_its_version() {
    assert_eq!(file(1, b"ab").to_vec().unwrap(), b"\x01\x09\0\0\0\x02\0\0\0ab");
    let wide = b"\x02\x10\0\0\0\0\0\0\0\x04\0\0\0\0\0\0\0ab";
    assert_eq!(file(2, b"ab").to_vec().unwrap(), wide);
    for bytes in [&b"\x01\x09\0\0\0\x02\0\0\0ab"[..], wide] {
        let mut read = File::parse(bytes).unwrap();
        same(&read, bytes);
        laws::hold::<File>(bytes, ()).unwrap();
        read.data.extend(b"cde");
        let grown = read.to_vec().unwrap().leak();
        let again = File::parse(grown).unwrap();
        assert_eq!(again.data, b"abcde");
        same(&again, grown);
    }
}

#[test]
fn a_number_of_the_other_version_is_refused() {
    let mixed = File { at32: None, at64: Some(0), ..file(1, b"ab") };
    assert_eq!(refused(&mixed), "at32 presence");
}

/// The same with numbers that are not in the struct: each is there for its branch alone.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, version = version)]
struct Computed {
    version: u8,
    #[bin(before = 2)]
    at16: Option<Auto<u16>>,
    #[bin(since = 2)]
    at32: Option<Auto<u32>>,
    #[bin(if = version == 1)]
    len8: Option<Auto<u8>>,
    #[bin(if = version != 1 && version < 9)]
    len16: Option<Auto<u16>>,
    #[bin(at = if !(version >= 2) { at16 } else { at32 }, len = if version == 1 { len8 } else { len16 })]
    data: Vec<u8>,
}

fn computed(version: u8, data: &[u8]) -> Computed {
    let (old, new) = (version < 2, version >= 2);
    Computed {
        version,
        at16: old.then(Auto::new),
        at32: new.then(Auto::new),
        len8: (version == 1).then(Auto::new),
        len16: (version != 1 && version < 9).then(Auto::new),
        data: data.to_vec(),
    }
}

#[test]
fn a_number_of_one_branch_need_not_be_in_the_struct() {
    let (old, new) = (&b"\x01\x04\0\x02ab"[..], &b"\x02\x07\0\0\0\x02\0ab"[..]);
    for (version, bytes) in [(1, old), (2, new)] {
        let value = computed(version, b"ab");
        assert_eq!(value.to_vec().unwrap(), bytes);
        assert_eq!(Computed::parse(bytes).unwrap(), value);
        laws::hold::<Computed>(bytes, ()).unwrap();
        let mut grown = value;
        grown.data.extend(b"cde");
        let bytes = grown.to_vec().unwrap().leak();
        same(&grown, bytes);
    }
    // No number tells how long the data of version 9 is.
    assert_eq!(refused(&computed(9, b"ab")), "data derived");
    assert_eq!(refused(&Computed { len8: None, ..computed(1, b"ab") }), "len8 presence");
}

/// What the numbers tell of may be absent, and then they stay.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Absent {
    version: u8,
    short: u8,
    long: u16,
    at: u8,
    far: u8,
    #[bin(if = version != 7, len = if version < 2 { short } else { long },
        at = if version < 2 { at } else { far })]
    data: Option<Vec<u8>>,
}

#[test]
fn numbers_of_branches_stay_where_there_is_nothing_to_tell_of() {
    let value = |version, data: Option<&[u8]>| {
        let data = data.map(<[u8]>::to_vec);
        Absent { version, short: 3, long: 4, at: 5, far: 2, data }
    };
    for (version, data, bytes) in [
        (1, Some(&b"abc"[..]), &b"\x01\x03\x04\0\x06\x02abc"[..]),
        (2, Some(b"abc"), b"\x02\x03\x03\0\x05\x06abc"),
        (7, None, b"\x07\x03\x04\0\x05\x02"),
    ] {
        let bytes: &'static [u8] = bytes;
        assert_eq!(value(version, data).to_vec().unwrap(), bytes);
        let read = Absent::parse(bytes).unwrap();
        assert_eq!(read.data.as_deref(), data);
        same(&read, bytes);
        assert_eq!(Absent::validate(bytes).findings(), []);
        let mut grown = read;
        grown.data.iter_mut().for_each(|data| data.push(b'd'));
        let bytes = grown.to_vec().unwrap().leak();
        let again = Absent::parse(bytes).unwrap();
        assert_eq!(again.data, grown.data);
        same(&again, bytes);
    }
    assert_eq!(refused(&value(1, None)), "data presence");
    assert_eq!(refused(&value(7, Some(b"abc"))), "data presence");
}

/// All numbers are always there; those of branches that are not taken say something of their own.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Three {
    kind: u8,
    short: u8,
    long: u8,
    other: u8,
    #[bin(len = if kind == 1 { short } else if kind == 2 { long * 2 } else { other })]
    data: Vec<u8>,
}

#[test]
fn a_number_of_a_branch_that_is_not_taken_stays() {
    let value = |kind| Three { kind, short: 7, long: 8, other: 9, data: b"abcd".to_vec() };
    assert_eq!(value(1).to_vec().unwrap(), b"\x01\x04\x08\x09abcd");
    assert_eq!(value(2).to_vec().unwrap(), b"\x02\x07\x02\x09abcd");
    assert_eq!(value(3).to_vec().unwrap(), b"\x03\x07\x08\x04abcd");
    let odd = Three { data: b"abc".to_vec(), ..value(2) };
    assert_eq!(refused(&odd), "long derived");
    same(&Three { short: 4, ..value(1) }, b"\x01\x04\x08\x09abcd");
}

/// Branches inside sums and products.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Inside {
    wide: u8,
    short: u8,
    long: u16,
    short_len: u8,
    long_len: u8,
    #[bin(
        at = 1 + if wide == 0 { short } else { long - 2 },
        len = (if wide == 0 { short_len } else { long_len + 1 }) * 2 - 2
    )]
    data: Vec<u8>,
}

#[test]
fn a_branch_inside_a_sum_tells_its_number() {
    let value = |wide| Inside {
        wide,
        short: 0,
        long: 0,
        short_len: 9,
        long_len: 8,
        data: b"abcd".to_vec(),
    };
    assert_eq!(value(0).to_vec().unwrap(), b"\0\x05\0\0\x03\x08abcd");
    assert_eq!(value(1).to_vec().unwrap(), b"\x01\0\0\x07\x09\x02abcd");
    let mut read = Inside::parse(b"\x01\0\0\x08\x09\x02\0abcd").unwrap();
    same(&read, b"\x01\0\0\x08\x09\x02\0abcd");
    read.data.extend(b"ef");
    let grown = read.to_vec().unwrap();
    assert_eq!(Inside::parse(&grown).unwrap().data, b"abcdef");
}

/// One number that each branch counts in its own way.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct OneNumber {
    kind: u8,
    n: u8,
    items: Auto<u8>,
    at: u8,
    #[bin(len = if kind == 0 { n } else if kind == 1 { n * 2 - 2 } else { 1 + 3 * n })]
    bytes: Vec<u8>,
    #[bin(count = items + if kind == 0 { 1 } else { 0 })]
    list: Vec<[u8; 1]>,
    #[bin(at = 6 + if kind == 0 { at } else { at * 4 })]
    far: u8,
}

#[test]
fn one_number_is_computed_of_several_branches() {
    let value = |kind, bytes: &[u8], list: &[u8]| OneNumber {
        kind,
        n: 200,
        items: Auto::new(),
        at: 0,
        bytes: bytes.to_vec(),
        list: list.iter().map(|byte| [*byte]).collect(),
        far: 9,
    };
    for (value, bytes) in [
        (value(0, b"ab", b"x"), &b"\0\x02\0\x01abx\x09"[..]),
        (value(1, b"ab", b"x"), b"\x01\x02\x01\x01abx\0\0\0\x09"),
        (value(2, b"abcd", b""), b"\x02\x01\0\x01abcd\0\0\x09"),
    ] {
        let written: &'static [u8] = value.to_vec().unwrap().leak();
        assert_eq!(written, bytes);
        same(&OneNumber::parse(written).unwrap(), written);
        super::laws::hold::<OneNumber>(written, ());
    }
    for value in [value(2, b"ab", b"x"), value(1, b"a", b"x")] {
        assert_eq!(refused(&value), "n derived");
    }
    assert_eq!(refused(&value(0, b"a", b"")), "items derived");
}

/// The first and the last form have the same number.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Repeated {
    version: u8,
    first: u8,
    second: u8,
    at: u8,
    #[bin(if = version == 2)]
    far: Option<u8>,
    #[bin(len = if version == 0 { first } else if version == 1 { second } else { first })]
    body: Vec<u8>,
    #[bin(at = if version < 2 { at } else if version == 2 { far } else { at })]
    data: u8,
    rows: [Row; 3],
    #[bin(for_each = rows, len = if it.kind == 0 { it.near } else if it.kind == 1 { it.far } else { it.near })]
    bodies: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, Copy, Default, PartialEq)]
struct Row {
    kind: u8,
    near: u8,
    far: u8,
}

#[test]
fn a_number_of_several_branches_is_computed_in_each() {
    let rows = [0, 1, 2].map(|kind| Row { kind, near: 9, far: 8 });
    for version in 0..6 {
        let far = (version == 2).then_some(0);
        let (body, bodies) = (b"ab".to_vec(), vec![b"c".to_vec(), b"de".to_vec(), Vec::new()]);
        let value =
            Repeated { version, first: 7, second: 7, at: 0, far, body, data: 5, rows, bodies };
        let bytes = value.to_vec().unwrap().leak();
        let read = Repeated::parse(bytes).unwrap();
        same(&read, bytes);
        let (kept, told) =
            if version == 1 { (read.first, read.second) } else { (read.second, read.first) };
        assert_eq!((kept, told), (7, 2));
        assert_eq!(read.rows.map(|row| (row.near, row.far)), [(1, 8), (9, 2), (0, 8)]);
        assert_eq!((&read.body, read.data, &read.bodies), (&value.body, 5, &value.bodies));
        laws::hold::<Repeated>(bytes, ()).unwrap();
        let mut grown = read;
        grown.body.extend(b"more");
        let bytes = grown.to_vec().unwrap().leak();
        let again = Repeated::parse(bytes).unwrap();
        assert_eq!((&again.body, again.data), (&grown.body, 5));
        same(&again, bytes);
    }
}

/// The number of the branch says that nothing is there, and how long it is; the others stay.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Lacking {
    version: u8,
    near: u8,
    #[bin(if = version == 2)]
    far: Option<u8>,
    short: u8,
    long: u8,
    #[bin(at = if version == 1 { near } else if version == 2 { far } else { near },
        null = 0, len = if version < 2 { short } else { long })]
    body: Option<Vec<u8>>,
}

#[test]
fn a_number_of_a_branch_says_that_nothing_is_there() {
    let value = |version: u8, body: Option<&[u8]>| Lacking {
        version,
        near: 0,
        far: (version == 2).then_some(0),
        short: 7,
        long: 8,
        body: body.map(<[u8]>::to_vec),
    };
    let cases: [(u8, &[u8]); 3] =
        [(1, b"\x01\x04\x02\x08ab"), (2, b"\x02\0\x05\x07\x02ab"), (3, b"\x03\x04\x07\x02ab")];
    for (version, bytes) in cases {
        assert_eq!(value(version, Some(b"ab")).to_vec().unwrap(), bytes);
        let mut read = Lacking::parse(bytes).unwrap();
        same(&read, bytes);
        laws::hold::<Lacking>(bytes, ()).unwrap();
        read.body = None;
        let emptied = read.to_vec().unwrap().leak();
        let read = Lacking::parse(emptied).unwrap();
        assert_eq!(
            (read.body.as_ref(), read.near, read.far),
            (None, 0, (version == 2).then_some(0))
        );
        same(&read, emptied);
        laws::hold::<Lacking>(emptied, ()).unwrap();
    }
}

/// The number of the other branch is absent, and says nothing of the place.
#[test]
fn a_place_is_told_where_the_number_of_the_other_branch_is_absent() {
    let read = Lacking::parse(b"\x03\x04\0\x01z").unwrap();
    assert_eq!(read.body.as_deref(), Some(&b"z"[..]));
    assert_eq!(Lacking::parse(b"\x02\x04\0\0\x01").unwrap().body, None);
}

/// Numbers of branches that count in units.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct InUnits {
    old: bool,
    shift: u8,
    blocks: u8,
    len: u8,
    rows: u8,
    width: u8,
    chars: u8,
    cells: u8,
    at: u8,
    #[bin(section, len = if old { len } else { blocks * (1 << shift) })]
    section: Vec<u8>,
    #[bin(count = if old { rows * (1 << shift) } else { (width - 2) * (2 << shift) })]
    list: Vec<i8>,
    #[bin(len = if old { chars } else { cells * (1 << shift) }, trim = 0)]
    text: String,
    #[bin(at = at, base = section, place = section, nul)]
    name: String,
}

#[test]
fn numbers_of_branches_count_in_units() {
    for (old, shift) in [(true, 0), (true, 1), (false, 0), (false, 1), (false, 2)] {
        let unit = 1 << shift;
        let value = InUnits {
            old,
            shift,
            blocks: 0,
            len: 0,
            rows: 0,
            width: 0,
            chars: 0,
            cells: 0,
            at: 0,
            section: Vec::new(),
            list: vec![5; 2 * unit],
            text: "xyz".into(),
            name: "ab".into(),
        };
        let bytes = value.to_vec().unwrap().leak();
        let read = InUnits::parse(bytes).unwrap();
        same(&read, bytes);
        assert_eq!((&read.name, &read.text, &read.list), (&value.name, &value.text, &value.list));
        let whole = if old { 3 } else { 3_usize.next_multiple_of(unit) };
        assert_eq!(read.section.len(), whole, "{read:?}");
        let told = [read.len, read.blocks, read.rows, read.width, read.chars, read.cells];
        let blocks = u8::try_from(whole / unit).unwrap();
        let wanted = if old { [3, 0, 2, 0, 3, 0] } else { [0, blocks, 0, 3, 0, blocks] };
        assert_eq!(told, wanted, "{read:?}");
        laws::hold::<InUnits>(bytes, ()).unwrap();
    }
}

/// What a value is padded to, in three forms.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Padded {
    form: u8,
    near: u8,
    far: u8,
    less: u8,
    more: u8,
    #[bin(prefix = u8, pad_to = if form == 0 { near } else if form == 1 { far * 4 } else { near })]
    text: String,
    #[bin(if = form != 2, pad_to = if form == 0 { more } else { less + 1 })]
    value: Option<Prefixed>,
    end: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Prefixed {
    #[bin(prefix = u8)]
    text: String,
}

#[test]
fn numbers_of_branches_tell_what_a_value_is_padded_to() {
    let cases: [(u8, [u8; 4], &[u8]); 4] = [
        (0, [0; 4], b"\0\x03\0\0\x03\x02ab\x02cd\x09"),
        (0, [4, 0, 0, 5], b"\0\x04\0\0\x05\x02ab\0\x02cd\0\0\x09"),
        (1, [0; 4], b"\x01\0\x01\x02\0\x02ab\0\x02cd\x09"),
        (2, [0, 7, 7, 7], b"\x02\x03\x07\x07\x07\x02ab\x09"),
    ];
    for (form, [near, far, less, more], bytes) in cases {
        let value = (form != 2).then(|| Prefixed { text: "cd".into() });
        let text = "ab".into();
        let value = Padded { form, near, far, less, more, text, value, end: 9 };
        assert_eq!(value.to_vec().unwrap(), bytes);
        same(&Padded::parse(bytes).unwrap(), bytes);
        laws::hold::<Padded>(bytes, ()).unwrap();
        laws::written_is_read(&value, ()).unwrap().unwrap();
    }
}
