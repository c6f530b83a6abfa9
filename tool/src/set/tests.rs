use binfmt_runtime::encodings::{Bcd, Octal, Vlq};
use binfmt_runtime::{Auto, BinFormat, Coded, Encoded, Leb128, Seq, Utf16, Xor};

use super::*;

mod ends;

/// A table of places, and what lies there.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, magic = b"PACK")]
struct Pack<'a> {
    table_at: u32,
    table_len: Auto<u32>,
    #[bin(at = table_at, len = table_len)]
    table: Seq<'a, Row>,
    #[bin(for_each = table, at = it.offset, len = it.size)]
    bodies: Vec<&'a [u8]>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Row {
    id: u16,
    offset: u32,
    size: u16,
}

/// Sizes first, then one value behind the other.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, magic = b"ROWS")]
struct Rows<'a> {
    count: Auto<u8>,
    #[bin(count = count)]
    sizes: Vec<u16>,
    #[bin(for_each = sizes, len = it)]
    parts: Vec<&'a [u8]>,
    behind: u32,
}

/// Two texts where offsets say, in a file that knows its length.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, magic = b"TEXT")]
struct Texts<'a> {
    size: Auto<u32>,
    #[bin(len = size - 8)]
    inside: Inside<'a>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Inside<'a> {
    one_at: u16,
    one_len: Auto<u16>,
    #[bin(at = one_at, len = one_len)]
    one: &'a str,
    two_at: u16,
    two_len: Auto<u16>,
    #[bin(at = two_at, len = two_len)]
    two: &'a str,
}

fn with<T>(file: &[u8], path: &str, value: &str) -> Result<Vec<u8>, String>
where
    T: binfmt_runtime::Family + 'static,
    for<'f> T::At<'f>: BinFormat<'f> + binfmt_runtime::DefaultArgs<'f>,
{
    let format = crate::format::<T>("made");
    let pattern: Pattern = path.parse().unwrap();
    let wanted = Wanted::Text(value.to_owned());
    let written = set(file, format.driver(), &Options::default(), &[(&pattern, wanted)])?;
    let report = format.driver().validate(&written, &Options::default()).report;
    assert!(report.is_ok(), "{path}={value}: {report}");
    Ok(written)
}

fn pack() -> Vec<u8> {
    let row = |id| Row { id, offset: 0, size: 0 };
    let table = [row(1), row(2), row(3)];
    let bodies = vec![&b"first"[..], b"second", b"third"];
    Pack { table_at: 0, table_len: Auto::new(), table: Seq::from(&table[..]), bodies }
        .to_vec()
        .unwrap()
}

fn hex(bytes: &[u8]) -> String {
    format!("0x{}", crate::json::hex(bytes))
}

#[test]
fn located_items_get_any_length() {
    let file = pack();
    for (index, old) in [&b"first"[..], b"second", b"third"].into_iter().enumerate() {
        for new in [&b""[..], b"x", b"fifth", b"secon6", b"something much longer than it was"] {
            let written = with::<Pack<'_>>(&file, &format!("bodies[{index}]"), &hex(new)).unwrap();
            let (before, after) = (Pack::parse(&file).unwrap(), Pack::parse(&written).unwrap());
            let mut expected = before.bodies.clone();
            expected[index] = new;
            assert_eq!(after.bodies, expected, "{index} {new:?}");
            let ids =
                |pack: &Pack<'_>| pack.table.iter().map(|row| row.unwrap().id).collect::<Vec<_>>();
            assert_eq!(ids(&after), [1, 2, 3]);
            // A file without holes has none afterwards.
            assert_eq!(written.len() + old.len(), file.len() + new.len(), "{index} {new:?}");
        }
    }
}

#[test]
fn bytes_between_values_are_not_lost() {
    // Somebody has left room in front of the last body.
    let mut file = pack();
    let at = file.len() - 5;
    file.splice(at..at, *b"    ");
    let stored = u32::try_from(at + 4).unwrap().to_le_bytes();
    let place = file.windows(4).position(|four| four == u32::try_from(at).unwrap().to_le_bytes());
    file[place.unwrap()..][..4].copy_from_slice(&stored);
    assert_eq!(Pack::parse(&file).unwrap().bodies[2], b"third");
    let written = with::<Pack<'_>>(&file, "bodies[0]", &hex(b"longer than before")).unwrap();
    let pack = Pack::parse(&written).unwrap();
    assert_eq!(pack.bodies, [&b"longer than before"[..], b"second", b"third"]);
}

#[test]
fn items_beside_a_table_of_sizes_get_any_length() {
    let rows = vec![&b"a"[..], b"", b"ccc"];
    let file = Rows { count: Auto::new(), sizes: vec![0; 3], parts: rows.clone(), behind: 7 };
    let file = file.to_vec().unwrap();
    for index in 0..3 {
        for new in [&b""[..], b"z", b"twelve bytes"] {
            let written = with::<Rows<'_>>(&file, &format!("parts[{index}]"), &hex(new)).unwrap();
            let read = Rows::parse(&written).unwrap();
            let mut expected = rows.clone();
            expected[index] = new;
            assert_eq!((read.parts, read.behind), (expected, 7), "{index} {new:?}");
        }
    }
}

#[test]
fn texts_in_a_file_of_known_length_get_any_length() {
    let inside = Inside {
        one_at: 0,
        one_len: Auto::new(),
        one: "eins",
        two_at: 0,
        two_len: Auto::new(),
        two: "zwei",
    };
    let file = Texts { size: Auto::new(), inside }.to_vec().unwrap();
    for new in ["", "drei", "fünfundfünfzig"] {
        for (path, other) in [("inside.one", "zwei"), ("inside.two", "eins")] {
            let written = with::<Texts<'_>>(&file, path, new).unwrap();
            let read = Texts::parse(&written).unwrap().inside;
            let texts = if path.ends_with("one") { (new, other) } else { (other, new) };
            assert_eq!((read.one, read.two), texts, "{path} {new}");
        }
    }
}

/// Bit fields, one of which says how long a field is, and numbers that others follow from.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, magic = b"BITS", computed(twice: u16 = last * 2))]
struct Packed {
    #[bin(set(len = len(data)))]
    head: Head,
    #[bin(len = head.len)]
    data: Vec<u8>,
    vlq: Coded<Vlq<4>, u32>,
    #[bin(prefix = Leb128<u32>)]
    text: String,
    leb: Leb128<u32>,
    last: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, bits = u16, msb)]
struct Head {
    #[bin(bits = 4)]
    len: u8,
    #[bin(bits = 1)]
    is_new: bool,
    #[bin(bits = 5)]
    level: u8,
    #[bin(bits = 6)]
    kind: Kind,
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq)]
#[repr(u8)]
enum Kind {
    Zero = 0,
    One = 1,
    #[bin(other)]
    Other(u8),
}

fn packed() -> Packed {
    let head = Head { len: 3, is_new: true, level: 3, kind: Kind::One };
    let (vlq, text, leb) = (300_u32.into(), "text".to_owned(), Leb128::new(5_u32));
    Packed { head, data: b"abc".to_vec(), vlq, text, leb, last: 7 }
}

#[test]
fn bit_fields_and_numbers_of_their_own_form_get_other_values() {
    type Change = fn(&mut Packed);
    let file = packed().to_vec().unwrap();
    let long = "t".repeat(200);
    let changes: [(&str, &str, Change); 13] = [
        ("head.is_new", "false", |it| it.head.is_new = false),
        ("head.level", "15", |it| it.head.level = 15),
        ("head.level", "3", |_| {}),
        ("head.kind", "Zero", |it| it.head.kind = Kind::Zero),
        ("head.kind", "One", |_| {}),
        ("head.kind", "0x3f", |it| it.head.kind = Kind::Other(63)),
        ("data", "0x61", |it| (it.head.len, it.data) = (1, b"a".to_vec())),
        ("vlq", "5", |it| it.vlq = 5.into()),
        ("vlq", "70000", |it| it.vlq = 70_000.into()),
        ("leb", "300", |it| it.leb = Leb128::new(300)),
        ("text", "", |it| it.text.clear()),
        ("text", &long, |it| it.text = "t".repeat(200)),
        ("last", "9", |it| it.last = 9),
    ];
    for (path, value, change) in changes {
        let written = with::<Packed>(&file, path, value).unwrap();
        let mut expected = packed();
        change(&mut expected);
        assert_eq!(Packed::parse(&written).unwrap(), expected, "{path}={value}");
    }
    for (path, value, why) in [
        ("head.len", "2", "computed by the writer"),
        ("head.level", "32", "32 does not fit in 5 bits"),
        ("head.kind", "64", "64 does not fit in 6 bits"),
        ("data", "0x00112233445566778899aabbccddeeff", "does not fit in 4 bits"),
        ("twice", "3", "computed by the writer"),
    ] {
        let error = with::<Packed>(&file, path, value).unwrap_err();
        assert!(error.contains(why), "{path}={value}: {error}");
    }
}

/// Values with a length in front, in lists and in each other, and with an end of their own.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, magic = b"DEEP")]
struct Deep {
    places: [u8; 2],
    #[bin(prefix = u16)]
    rows: Vec<Named>,
    at: u8,
    size: u8,
    #[bin(section, len = size)]
    heap: Vec<u8>,
    #[bin(at = at, place = heap, nul)]
    note: String,
    #[bin(prefix = u8, codec = Xor(7))]
    coded: Encoded<Xor, Rest>,
    #[bin(for_each = places, at = it, nul)]
    names: Vec<String>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Named {
    #[bin(nul)]
    name: String,
    #[bin(prefix = u8)]
    rest: Rest,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Rest {
    #[bin(until_end)]
    text: String,
}

fn deep() -> Deep {
    let rest = |text: &str| Rest { text: text.to_owned() };
    let named = |name: &str| Named { name: name.to_owned(), rest: rest("rest") };
    Deep {
        places: [0; 2],
        rows: vec![named("one"), named("two")],
        at: 0,
        size: 0,
        heap: Vec::new(),
        note: "note".to_owned(),
        coded: Encoded::from(rest("coded")),
        names: vec!["first".to_owned(), "second".to_owned()],
    }
}

#[test]
fn texts_get_any_length_whatever_says_where_they_end() {
    type Change = fn(&mut Deep, String);
    let file = deep().to_vec().unwrap();
    let changes: [(&str, Change); 5] = [
        ("rows[0].name", |it, text| it.rows[0].name = text),
        ("rows[1].rest.text", |it, text| it.rows[1].rest.text = text),
        ("note", |it, text| it.note = text),
        ("names[0]", |it, text| it.names[0] = text),
        ("names[1]", |it, text| it.names[1] = text),
    ];
    for (path, change) in changes {
        for text in ["", "x", "same", "a text that is longer than all"] {
            let written = with::<Deep>(&file, path, text).unwrap_or_else(|e| panic!("{path}: {e}"));
            let mut expected = deep();
            change(&mut expected, text.to_owned());
            let read = Deep::parse(&written).unwrap();
            let texts = |it: &Deep| {
                (it.rows.clone(), it.note.clone(), it.names.clone(), it.coded.text.clone())
            };
            assert_eq!(texts(&read), texts(&expected), "{path}={text}");
        }
    }
    let error = with::<Deep>(&file, "coded(decoded).text", "x").unwrap_err();
    assert!(error.contains("in coded bytes"), "{error}");
}

/// Texts in rooms that stay as long as they are, behind numbers that functions compute, and numbers as text.
#[derive(BinFormat, Debug, PartialEq)]
#[bin(little, magic = b"ROOM")]
struct Rooms<'a> {
    #[bin(len = 4, trim = 0x20)]
    trimmed: String,
    #[bin(len = 4, nul = optional)]
    ended: String,
    #[bin(calc = size_of(called))]
    size: i8,
    #[bin(if = size > 0, len = size - 1, nul)]
    called: Option<String>,
    #[bin(prefix = u8, nul)]
    wide: Utf16<'a>,
    octal: Coded<Octal<4>, u32>,
    bcd: Coded<Bcd<2>, u16>,
    float: f32,
    signed: i8,
    #[bin(until = b';')]
    list: Vec<u8>,
    #[bin(prefix = u8)]
    nodes: Vec<Node>,
    #[bin(len = 2)]
    last: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(len = end_at - start(end_at))]
struct Node {
    #[bin(calc = end(name))]
    end_at: u8,
    #[bin(until_end)]
    name: String,
}

#[expect(clippy::ref_option, reason = "functions get all but numbers as references")]
fn size_of(text: &Option<String>) -> i8 {
    text.as_ref().map_or(0, |text| i8::try_from(text.len() + 1).unwrap())
}

#[test]
fn values_are_put_into_the_room_that_they_have() {
    let node = |name: &str| Node { end_at: 0, name: name.to_owned() };
    let rooms = Rooms {
        trimmed: "ab".to_owned(),
        ended: "cd".to_owned(),
        size: 0,
        called: Some("name".to_owned()),
        wide: "hi".into(),
        octal: 7.into(),
        bcd: 12.into(),
        float: 1.5,
        signed: -1,
        list: b"ab".to_vec(),
        nodes: vec![node("a"), node("b")],
        last: b"zz".to_vec(),
    };
    let file = rooms.to_vec().unwrap();
    for (path, value, expected) in [
        ("trimmed", "x", "x"),
        ("trimmed", "", ""),
        ("ended", "wxyz", "wxyz"),
        ("ended", "", ""),
        ("called", "a longer name", "a longer name"),
        ("wide", "yo", "yo"),
        ("wide", "", ""),
        ("wide", "a longer name", "a longer name"),
        ("octal", "8", "8"),
        ("bcd", "9999", "9999"),
        ("float", "nan", "NaN"),
        ("signed", "-128", "-128"),
        ("list", "0x313233", "313233"),
        ("nodes[0].name", "longer", "longer"),
        ("nodes[1].name", "", ""),
    ] {
        let written = with::<Rooms<'_>>(&file, path, value).unwrap();
        let driver = crate::format::<Rooms<'_>>("made");
        let path: Pattern = path.parse().unwrap();
        let (found, stored) =
            value_at(&written, driver.driver(), &Options::default(), &path).unwrap();
        let found = match found {
            Some(NodeValue::Bytes { .. }) => crate::json::hex(&stored),
            Some(NodeValue::Str(text)) => text,
            found => crate::inspect::shown(found.as_ref(), 0),
        };
        assert_eq!(found, expected, "{path}={value}");
        let is_new = |finding: &binfmt_runtime::Finding| finding.code != "gap";
        let report = driver.driver().validate(&written, &Options::default()).report;
        assert!(!report.findings().iter().any(is_new), "{path}={value}: {report}");
    }
    for (path, value, why) in [
        // It would end the list.
        ("list", "0x3b", "it cannot have this value"),
        ("signed", "200", "200 does not fit in 1 byte"),
        ("trimmed", "longer", "it cannot have this value"),
        ("octal", "4096", "it cannot have this value"),
        ("size", "3", "computed by the writer"),
    ] {
        let error = with::<Rooms<'_>>(&file, path, value).unwrap_err();
        assert!(error.contains(why), "{path}={value}: {error}");
    }
}
