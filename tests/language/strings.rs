//! Strings of fixed width, strings that end at a NUL, UTF-16.

use binfmt_runtime::{Auto, BinFormat, Seq, Utf16};

use super::{findings, place, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Fixed<'a> {
    #[bin(len = 6, trim = 0)]
    name: &'a str,
    #[bin(len = 4, trim = b' ')]
    code: &'a [u8],
    width: u8,
    #[bin(len = width, trim = 0xff, check(len(label) < 9, "too long"))]
    label: String,
    need: u8,
    #[bin(len = 2 * need - 1, trim = 0)]
    data: Vec<u8>,
}

#[test]
fn the_fill_of_a_fixed_width_is_cut_and_put_back() {
    let value = Fixed {
        name: "a\0bc",
        code: b"x y",
        width: 3,
        label: "l".to_owned(),
        need: 2,
        data: vec![1, 0, 2],
    };
    same(&value, b"a\0bc\0\0x y \x03l\xff\xff\x02\x01\x00\x02");
    let empty = Fixed { name: "", code: b"", width: 0, label: String::new(), ..value.clone() };
    same(&empty, b"\0\0\0\0\0\0    \x00\x02\x01\x00\x02");
    same(&Fixed { name: "abcdef", ..value.clone() }, b"abcdefx y \x03l\xff\xff\x02\x01\x00\x02");
    assert_eq!(stopped::<Fixed<'_>>(b"a\xff\0\0\0\0    \0\x01\0"), "name utf8");
    let error = Fixed::parse(b"a\xff\0\0\0\0    \0\x01\0").unwrap_err();
    assert_eq!((error.finding().start, error.finding().end), (1, 6));
    assert_eq!(stopped::<Fixed<'_>>(b"abcdef    \x09"), "width size");
    assert_eq!(refused(&Fixed { name: "abcdefg", ..value.clone() }), "name derived");
    assert_eq!(refused(&Fixed { name: "abc\0", ..value.clone() }), "name trim");
    assert_eq!(refused(&Fixed { code: b"ab ", ..value.clone() }), "code trim");
    assert_eq!(
        refused(&Fixed { label: "123456789".to_owned(), ..value.clone() }),
        "label Fixed.label"
    );
    // A stored width is the least one.
    let longer = Fixed { label: "four".to_owned(), data: vec![1], ..value };
    assert_eq!(longer.to_vec().unwrap(), b"a\0bc\0\0x y \x04four\x02\x01\0\0");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Terminated<'a> {
    #[bin(nul)]
    name: &'a str,
    #[bin(nul)]
    data: &'a [u8],
    count: Auto<u8>,
    #[bin(count = count)]
    entries: Seq<'a, Entry>,
    #[bin(nul, pad_to = 4)]
    last: String,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Entry {
    #[bin(nul, align_after = 2)]
    key: String,
    value: u8,
}

fn entry(key: &str, value: u8) -> Entry {
    Entry { key: key.to_owned(), value }
}

#[test]
fn a_string_without_a_size_ends_at_its_nul() {
    let entries = vec![entry("a", 1), entry("", 2)].leak();
    let value = Terminated {
        name: "ab",
        data: b"",
        count: Auto::new(),
        entries: Seq::from(&entries[..]),
        last: "x".to_owned(),
    };
    same(&value, b"ab\0\0\x02a\0\x01\0\0\x02x\0\0\0");
    let error = Terminated::parse(b"ab").unwrap_err();
    assert_eq!(
        (place(&error), error.finding().class),
        ("name nul".to_owned(), binfmt_runtime::Class::Incomplete)
    );
    assert_eq!(stopped::<Terminated<'_>>(b"a\xff\0"), "name utf8");
    assert_eq!(refused(&Terminated { name: "a\0", ..value.clone() }), "name nul");
    assert_eq!(refused(&Terminated { data: b"\0", ..value.clone() }), "data nul");
    let broken = vec![entry("\0", 1)].leak();
    assert_eq!(
        refused(&Terminated { entries: Seq::from(&broken[..]), ..value }),
        "entries[0].key nul"
    );
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Wide<'a> {
    units: Auto<u8>,
    #[bin(len = 2 * units)]
    name: Utf16<'a>,
    #[bin(nul, big)]
    title: Utf16<'a>,
    #[bin(len = 8, trim = 0)]
    fixed: Utf16<'a>,
    #[bin(prefix = u8, nul, warn(chars(label) > 0, "{label:?} is empty"))]
    label: Utf16<'a>,
    #[bin(until_end)]
    rest: Utf16<'a>,
}

fn chars(text: &Utf16<'_>) -> usize {
    text.chars().count()
}

#[test]
fn utf16_is_borrowed_in_both_orders() {
    let value = Wide {
        units: Auto::new(),
        name: "aß".into(),
        title: "bc".into(),
        fixed: "d".into(),
        label: "\u{1f600}".into(),
        rest: "e".into(),
    };
    let bytes = b"\x02a\0\xdf\0\0b\0c\0\0d\0\0\0\0\0\0\0\x04\x3d\xd8\0\xde\0\0e\0";
    same(&value, bytes);
    let read = Wide::parse(bytes).unwrap();
    assert!(read.name == "aß" && read.label == "\u{1f600}");
    assert_eq!((read.title.to_string(), format!("{:?}", read.rest)), ("bc".into(), "\"e\"".into()));
    let tree = Wide::inspect(bytes).to_string();
    assert!(tree.contains("title Utf16<'a> \"bc\""), "{tree}");
    assert_eq!(refused(&Wide { title: "a\0".into(), ..value.clone() }), "title nul");
    assert_eq!(refused(&Wide { fixed: "12345".into(), ..value.clone() }), "fixed derived");
    assert_eq!(refused(&Wide { fixed: "1\0".into(), ..value.clone() }), "fixed trim");
    let long = "x".repeat(256).leak();
    assert_eq!(refused(&Wide { name: (&*long).into(), ..value }), "units overflow");
}

#[test]
fn what_is_not_utf16_stops_a_reader() {
    assert_eq!(stopped::<Wide<'_>>(b"\x02a\0\0\xd8"), "name utf16");
    assert_eq!(stopped::<Wide<'_>>(b"\x00\0b\0"), "title nul");
    assert_eq!(stopped::<Wide<'_>>(b"\0\0\0\0\0\0\0\0\0\0\0\x01a"), "label utf16");
    assert_eq!(stopped::<Wide<'_>>(b"\0\0\0\0\0\0\0\0\0\0\0\0\0\x01"), "label nul");
    assert_eq!(
        findings::<Wide<'_>>(b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0a"),
        ["warning label Wide.label", "error rest utf16"]
    );
    let error = Wide::parse(b"\x03a\0\0\xd8b\0").unwrap_err();
    assert_eq!((error.finding().start, error.finding().end), (3, 7));
}
