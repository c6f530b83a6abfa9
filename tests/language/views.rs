//! Fields whose bytes belong to other fields.

use binfmt_runtime::{Auto, BinFormat, ByteSum, Seq};

use super::{same, stopped};

/// A table of texts, and names in it.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Names<'a> {
    texts_len: Auto<u8>,
    #[bin(len = texts_len)]
    texts: &'a [u8],
    first: u8,
    len: u8,
    #[bin(at = first, base = texts, nul, view)]
    title: &'a str,
    #[bin(at = first, base = texts, len = len, view)]
    head: &'a [u8],
}

fn names() -> Names<'static> {
    Names { texts_len: Auto::new(), texts: b"ab\0cd\0", first: 3, len: 2, title: "cd", head: b"cd" }
}

#[test]
fn a_view_is_read_and_never_written() {
    same(&names(), b"\x06ab\0cd\0\x03\x02");
    assert_eq!(stopped::<Names<'_>>(b"\x06ab\0cd\0\x09\x00"), "first offset");
}

fn refused<'a, T: BinFormat<'a> + binfmt_runtime::DefaultArgs<'a>>(value: &T) -> String {
    let error = value.to_vec().unwrap_err();
    let told = |error: &binfmt_runtime::Error| {
        format!("{} {}", error.finding().code, error.finding().path)
    };
    assert_eq!(told(&value.encoded_len().unwrap_err()), told(&error));
    let mut slice = [0; 64];
    assert_eq!(told(&value.write_into(&mut slice).unwrap_err()), told(&error));
    let mut stream = Vec::new();
    assert!(value.write_to(&mut stream).is_err());
    assert!(stream.is_empty());
    told(&error)
}

#[test]
fn a_writer_refuses_a_view_that_says_other_bytes() {
    assert_eq!(refused(&Names { title: "xy", ..names() }), "view title");
    assert_eq!(refused(&Names { title: "c", ..names() }), "view title");
    assert_eq!(refused(&Names { texts: b"ab\0ef\0", ..names() }), "view title");
    assert_eq!(refused(&Names { first: 2, ..names() }), "view title");
    assert_eq!(refused(&Names { first: 200, ..names() }), "view title");
    assert_eq!(refused(&Names { len: 1, ..names() }), "derived head");
    assert_eq!(refused(&Names { len: 1, head: b"x", ..names() }), "view head");
    let changed = Names { texts: b"ab\0ef\0", title: "ef", head: b"ef", ..names() };
    assert_eq!(changed.to_vec().unwrap(), b"\x06ab\0ef\0\x03\x02");
}

/// Names of items in a table of texts, as object files have them.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Symbols<'a> {
    count: Auto<u8>,
    texts_at: Auto<u8>,
    texts_len: Auto<u8>,
    #[bin(count = count)]
    list: Vec<Symbol>,
    #[bin(at = texts_at, len = texts_len)]
    texts: &'a [u8],
    #[bin(for_each = list, at = texts_at + it.name, if = it.kind != 0, nul, view)]
    names: Vec<Option<&'a str>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Symbol {
    kind: u8,
    name: u8,
}

fn symbols() -> Symbols<'static> {
    let symbol = |kind, name| Symbol { kind, name };
    Symbols {
        count: Auto::new(),
        texts_at: Auto::new(),
        texts_len: Auto::new(),
        list: vec![symbol(1, 0), symbol(1, 1), symbol(0, 9), symbol(1, 3)],
        texts: b"ab\0c\0",
        names: vec![Some("ab"), Some("b"), None, Some("c")],
    }
}

#[test]
fn every_item_may_have_a_view() {
    same(&symbols(), b"\x04\x0b\x05\x01\0\x01\x01\0\x09\x01\x03ab\0c\0");
    let names = vec![Some("ab"), Some("ab"), None, Some("c")];
    assert_eq!(refused(&Symbols { names, ..symbols() }), "view names[1]");
    let names = vec![Some("ab"), Some("b"), Some("b"), Some("c")];
    assert_eq!(refused(&Symbols { names, ..symbols() }), "presence names[2]");
    let names = vec![Some("ab"), None, None, Some("c")];
    assert_eq!(refused(&Symbols { names, ..symbols() }), "presence names[1]");
}

/// Bytes of one field as a value of a type; the type leaves a byte out.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big, args(scale: u8 = 1))]
struct Seen<'a> {
    #[bin(len = scale)]
    mark: &'a [u8],
    #[bin(pad_before = 1)]
    number: u16,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Raw<'a> {
    scale: u8,
    #[bin(prefix = u8)]
    body: &'a [u8],
    #[bin(at = start(body) + 1, args(scale), view)]
    seen: Seen<'a>,
    #[bin(at = 0, view)]
    again: u8,
    #[bin(at = 2, count = 2, view)]
    parts: Vec<u16>,
}

#[test]
fn a_view_may_have_a_declared_type() {
    let seen = Seen { mark: b"m", number: 0x102 };
    let raw = Raw { scale: 1, body: b"m\0\x01\x02", seen, again: 1, parts: vec![0x6d00, 0x102] };
    same(&raw, b"\x01\x04m\0\x01\x02");
    // What the type of the view does not keep is kept by the field that has the bytes.
    let bytes = b"\x01\x04m\x07\x01\x02";
    let read = Raw::parse(bytes).unwrap();
    assert_eq!(read.to_vec().unwrap(), bytes);
    let seen = Seen { mark: b"m", number: 0x103 };
    assert_eq!(refused(&Raw { seen, ..raw.clone() }), "view seen");
    assert_eq!(refused(&Raw { again: 2, ..raw.clone() }), "view again");
    assert_eq!(refused(&Raw { parts: vec![0x6d00], ..raw }), "derived parts");
}

/// A view that may be absent, and one up to the end of the file.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Absent<'a> {
    at: u8,
    #[bin(until_end)]
    body: &'a [u8],
    #[bin(at = at, null = 0, len = 1, view)]
    one: Option<&'a [u8]>,
    #[bin(at = at, if = at > 1, until_end, view)]
    rest: Option<&'a [u8]>,
}

#[test]
fn a_view_may_be_absent() {
    same(&Absent { at: 0, body: b"abc", one: None, rest: None }, b"\0abc");
    let there = Absent { at: 2, body: b"abc", one: Some(b"b"), rest: Some(b"bc") };
    same(&there, b"\x02abc");
    assert_eq!(refused(&Absent { one: None, ..there.clone() }), "presence one");
    assert_eq!(refused(&Absent { rest: None, ..there.clone() }), "presence rest");
    assert_eq!(refused(&Absent { rest: Some(b"b"), ..there.clone() }), "view rest");
    assert_eq!(refused(&Absent { at: 0, ..there }), "presence one");
}

/// A value that sees a part of itself, as deep as the file says.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Deep {
    at: u8,
    #[bin(at = at, if = at > 0, view)]
    next: Option<Box<Self>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Deeper<'a> {
    first: Deep,
    #[bin(until_end)]
    more: &'a [u8],
}

#[test]
fn views_in_views_cost_no_more_than_their_depth() {
    // Of 24 levels each would double the work of the one around it.
    let bytes: Vec<u8> = (1..=24).chain([0]).collect();
    let read = Deeper::parse(&bytes).unwrap();
    assert_eq!(read.to_vec().unwrap(), bytes);
    assert!(Deeper::is_valid(&bytes));
    assert!(!Deeper::is_valid(b"\x01\x01"));
}

/// Views of everything, as often as the file says.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Many<'a> {
    #[bin(prefix = u16)]
    table: Vec<u16>,
    #[bin(until_end)]
    body: &'a [u8],
    #[bin(for_each = table, at = it, until_end, view)]
    views: Vec<&'a [u8]>,
}

#[test]
fn views_are_paid_for() {
    let bytes = |count: u16| [&count.to_le_bytes()[..], &[0; 4000]].concat();
    assert_eq!(Many::parse(&bytes(3)).unwrap().views.len(), 3);
    let many = bytes(1000);
    let error = Many::parse(&many).unwrap_err();
    assert_eq!(error.finding().code, "budget");
    assert!(!Many::is_valid(&many));
    assert_eq!(Many::validate(&many).findings()[0].code, "budget");
}

/// What a view sees is covered by its owner alone.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Covered<'a> {
    at: u8,
    #[bin(at = at, len = 2)]
    own: &'a [u8],
    #[bin(at = 1, len = 1, view)]
    seen: &'a [u8],
}

#[test]
fn a_view_covers_nothing_and_overlaps_with_nothing() {
    let codes = |bytes: &[u8]| {
        let report = Covered::validate(bytes);
        report.findings().iter().map(|finding| finding.code).collect::<Vec<_>>()
    };
    assert!(codes(b"\x01ab").is_empty());
    assert_eq!(codes(b"\x02xab"), ["unkept"]);
    let tree = Covered::inspect(b"\x01ab");
    let places: Vec<_> =
        tree.root.children.iter().map(|node| (node.name.as_str(), node.start, node.end)).collect();
    assert_eq!(places, [("at", 0, 1), ("own", 1, 3), ("seen", 1, 2)]);
    let layout = <Covered<'_> as binfmt_runtime::Wire<'_>>::WIRE;
    assert!(layout.fields[2].words.ends_with("view"), "{}", layout.fields[2].words);
}

/// Lazy numbers, and a lazy table whose items are seen.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct LazyTable<'a> {
    count: Auto<u8>,
    #[bin(count = count)]
    places: Seq<'a, u8>,
    #[bin(until_end)]
    body: &'a [u8],
    #[bin(for_each = places, at = it, count = 2, view)]
    pairs: Vec<Seq<'a, u16>>,
}

#[test]
fn a_table_of_views_may_be_lazy() {
    let bytes = b"\x02\x03\x04abcde";
    let read = LazyTable::parse(bytes).unwrap();
    let pairs: Vec<Vec<_>> =
        read.pairs.iter().map(|pair| pair.iter().map(Result::unwrap).collect()).collect();
    assert_eq!(pairs, [[0x6261, 0x6463], [0x6362, 0x6564]]);
    same(&read, bytes);
}

/// A number that the writer computes says where the view lies; a checksum covers what it sees.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Derived<'a> {
    at: Auto<u8>,
    len: Auto<u8>,
    #[bin(prefix = u8)]
    gap: &'a [u8],
    #[bin(at = at, len = len)]
    own: &'a [u8],
    #[bin(at = at + 1, len = len - 1, view)]
    tail: &'a [u8],
}

#[test]
fn a_view_follows_numbers_that_are_computed() {
    let derived = |gap, own, tail| Derived { at: Auto::new(), len: Auto::new(), gap, own, tail };
    same(&derived(b"..", b"abc", b"bc"), b"\x05\x03\x02..abc");
    same(&derived(b"", b"a", b""), b"\x03\x01\0a");
    assert_eq!(refused(&derived(b"", b"abc", b"bd")), "view tail");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Sealed {
    #[bin(prefix = u8)]
    body: Vec<u8>,
    #[bin(checksum(ByteSum<u8>, over = body))]
    sum: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Fourth {
    #[bin(calc = 4)]
    four: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Sight {
    bytes: [u8; 4],
    #[bin(at = 0, view)]
    sealed: Sealed,
    #[bin(at = 3, view)]
    fourth: Fourth,
}

#[test]
fn nobody_computes_the_numbers_and_checksums_of_a_view() {
    let seen = |bytes: [u8; 4]| Sight {
        bytes,
        sealed: Sealed { body: vec![bytes[1]], sum: bytes[2] },
        fourth: Fourth { four: bytes[3] },
    };
    same(&seen([1, 7, 8, 4]), &[1, 7, 8, 4]);
    assert_eq!(refused(&seen([1, 7, 9, 4])), "view sealed");
    assert_eq!(refused(&seen([1, 7, 8, 5])), "view fourth");
}
