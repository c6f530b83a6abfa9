//! Fields of a nested value that the writer sets: `set`.

use binfmt_runtime::{BinFormat, Leb128, Severity, laws};

use super::{findings, refused, same, stopped};

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Header {
    kind: u8,
    size: u16,
    count: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Message<'a> {
    #[bin(set(size = len(data) + 4, count = count(words)))]
    header: Header,
    #[bin(len = header.size - 4)]
    data: &'a [u8],
    #[bin(count = header.count)]
    words: Vec<u16>,
}

#[test]
fn a_header_learns_what_follows_it() {
    let header = Header { kind: 7, size: 0, count: 0 };
    let new = Message { header, data: b"abc", words: vec![1, 2] };
    let bytes = b"\x07\x07\0\x02abc\x01\0\x02\0";
    assert_eq!(new.to_vec().unwrap(), bytes);
    same(&Message { header: Header { kind: 7, size: 7, count: 2 }, ..new }, bytes);
}

#[test]
fn what_does_not_fit_into_the_header_is_an_error() {
    let words = vec![0; 300];
    assert_eq!(refused(&Message { words, ..Message::default() }), "header overflow");
    assert_eq!(stopped::<Message<'_>>(b"\x07\x03\0\0"), "header.size size");
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big)]
struct Total {
    #[bin(set(size = len(data)))]
    header: Header,
    #[bin(until_end)]
    data: Vec<u8>,
}

#[test]
fn a_validator_compares_what_is_set() {
    let report = Total::validate(b"\x01\x09\0\0ab");
    let [finding] = report.findings() else { panic!("{report}") };
    let found = (finding.path.as_str(), finding.code, finding.severity);
    assert_eq!(found, ("header.size", "derived", Severity::Error));
    assert_eq!((finding.start, finding.end), (1, 3));
    assert!(findings::<Total>(b"\x01\x02\0\0ab").is_empty());
    let value = Total::parse(b"\x01\x09\0\0ab").unwrap();
    assert_eq!(value.to_vec().unwrap(), b"\x01\x02\0\0ab");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Counted {
    behind: u8,
    #[bin(until_end)]
    rest: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct BehindItsLength {
    #[bin(prefix = u16, set(behind = len(text)))]
    first: Counted,
    #[bin(prefix = Leb128<u32>, set(behind = len(text)))]
    second: Counted,
    #[bin(error(len(second) > 1, "nothing is counted"), until_end)]
    text: String,
}

#[test]
fn a_value_behind_its_length_takes_numbers_that_are_known_later() {
    let counted = |behind, rest: &[u8]| Counted { behind, rest: rest.into() };
    let value = |behind| BehindItsLength {
        first: counted(behind, &[1, 2]),
        second: counted(behind, &[4]),
        text: "abc".into(),
    };
    let bytes = b"\x03\0\x03\x01\x02\x02\x03\x04abc";
    same(&value(3), bytes);
    assert_eq!(value(9).to_vec().unwrap(), bytes);
    assert_eq!(
        findings::<BehindItsLength>(b"\x01\0\x04\x02\x03\x04abc"),
        ["error first.behind derived"]
    );
}

/// Expressions of all kinds over numbers that are set, most of which are known behind them.
#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Uses {
    #[bin(set(size = len(data), count = count(words)))]
    header: Header,
    #[bin(calc = header.count + 1)]
    more: u8,
    #[bin(set(size = more), check(last.size != 3, "two words"))]
    last: Header,
    #[bin(pad_before = header.count, len = header.size, check(header.size < 4, "long"))]
    data: Vec<u8>,
    #[bin(until_end)]
    words: Vec<u16>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Behind {
    #[bin(set(size = len(inside)))]
    header: Header,
    #[bin(calc = if header.size > 2 { 1 } else { 0 })]
    large: u8,
    #[bin(len = header.size, check(header.size != 5, "five"))]
    inside: Inside,
    #[bin(if = header.size == 4)]
    four: Option<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct Inside {
    #[bin(until_end)]
    bytes: Vec<u8>,
}

#[test]
fn expressions_see_what_is_set() {
    let stale = Header { kind: 7, size: 9, count: 9 };
    let uses = |data: &[u8], words: &[u16]| Uses {
        header: stale.clone(),
        last: stale.clone(),
        data: data.to_vec(),
        words: words.to_vec(),
        ..Uses::default()
    };
    let bytes = b"\x07\x02\0\x01\x02\x07\x02\0\x09\0ab\x05\0";
    assert_eq!(uses(b"ab", &[5]).to_vec().unwrap(), bytes);
    assert_eq!(refused(&uses(b"abcd", &[5])), "data Uses.data");
    assert_eq!(refused(&uses(b"ab", &[5, 6])), "last Uses.last");
    let behind = |bytes: &[u8], four| Behind {
        header: stale.clone(),
        inside: Inside { bytes: bytes.to_vec() },
        four,
        ..Behind::default()
    };
    let bytes = b"\x07\x04\0\x09\x01abcd\x08";
    assert_eq!(behind(b"abcd", Some(8)).to_vec().unwrap(), bytes);
    let header = Header { size: 4, ..stale.clone() };
    same(&Behind { header, large: 1, ..behind(b"abcd", Some(8)) }, bytes);
    assert_eq!(behind(b"ab", None).to_vec().unwrap(), b"\x07\x02\0\x09\0ab");
    assert_eq!(refused(&behind(b"ab", Some(8))), "four presence");
    assert_eq!(refused(&behind(b"abcde", None)), "inside Behind.inside");
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Default)]
#[bin(big)]
struct Head {
    kind: u8,
    len: u16,
    wide: u8,
    check: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, tag = kind, args(kind: u8))]
enum Body {
    #[bin(id = 1)]
    Bytes(#[bin(until_end)] Vec<u8>),
    #[bin(id = 4)]
    Number(u32),
}

/// The kind and the width are known before the value is written, the length behind the body, and the
/// sum behind the length.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Packet {
    #[bin(set(check = head.len + head.wide, len = len(body), kind = tag(body), wide = more))]
    head: Head,
    #[bin(calc = if head.wide == 2 { 8 } else { 9 })]
    wider: u8,
    #[bin(args(kind = head.kind), len = head.len)]
    body: Body,
    #[bin(calc = 2)]
    more: u8,
    #[bin(if = head.kind == 4)]
    last: Option<u8>,
}

#[test]
fn each_number_is_set_when_it_is_known() {
    let stale = Head { kind: 7, len: 99, wide: 99, check: 99 };
    let packet = |head, body, last| Packet { head, wider: 8, body, more: 2, last };
    let bytes = Body::Bytes(b"abc".to_vec());
    let stored = b"\x01\0\x03\x02\x05\x08abc\x02";
    assert_eq!(packet(stale, bytes.clone(), None).to_vec().unwrap(), stored);
    let head = Head { kind: 1, len: 3, wide: 2, check: 5 };
    same(&packet(head, bytes.clone(), None), stored);
    let number = packet(stale, Body::Number(1), Some(5));
    assert_eq!(number.to_vec().unwrap(), b"\x04\0\x04\x02\x06\x08\0\0\0\x01\x02\x05");
    assert_eq!(refused(&packet(stale, bytes, Some(5))), "last presence");
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Signed {
    size: i8,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct OfASignedSize {
    #[bin(set(size = len(data)))]
    header: Signed,
    #[bin(until_end)]
    data: Vec<u8>,
}

#[test]
fn signed_numbers_are_set() {
    let new = OfASignedSize { data: b"abc".to_vec(), ..OfASignedSize::default() };
    assert_eq!(new.to_vec().unwrap(), b"\x03abc");
    same(&OfASignedSize { header: Signed { size: 3 }, ..new }, b"\x03abc");
    for bytes in [b"\xfdabc", b"\xffabc"] {
        assert_eq!(findings::<OfASignedSize>(bytes), ["error header.size derived"]);
    }
    assert_eq!(findings::<OfASignedSize>(b"\xff"), ["error header.size derived"]);
    let long = [0; 129];
    assert_eq!(findings::<OfASignedSize>(long.to_vec().leak()), ["error header.size overflow"]);
    let long = OfASignedSize { data: long.to_vec(), ..OfASignedSize::default() };
    assert_eq!(refused(&long), "header overflow");
}

/// Numbers that are there in one version alone, in a header and in the items of a table.
#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct Versioned {
    #[bin(set(len = len(body), count = count(items)))]
    head: VersionedHead,
    #[bin(len = if head.version == 1 { head.len } else { 2 })]
    body: Vec<u8>,
    #[bin(count = if head.version == 1 { head.count } else { 1 })]
    items: Vec<VersionedItem>,
    #[bin(for_each = items, prefix = u8, set(it.twice = len(value) * 2))]
    bodies: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct VersionedHead {
    version: u8,
    #[bin(if = version == 1)]
    len: Option<u8>,
    #[bin(if = version == 1)]
    count: Option<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct VersionedItem {
    version: u8,
    #[bin(if = version == 1)]
    twice: Option<u8>,
}

/// A number that is absent stays so; then the value must be as long as it is without.
#[test]
fn a_number_that_is_absent_is_not_set() {
    let head = |version| {
        let number = (version == 1).then_some(99);
        VersionedHead { version, len: number, count: number }
    };
    let item = |version| VersionedItem { version, twice: (version == 1).then_some(99) };
    let (body, items) = (vec![7, 7, 7], vec![item(0), item(1)]);
    let told = Versioned { head: head(1), body, items, bodies: vec![vec![4], vec![5, 5]] };
    assert_eq!(told.to_vec().unwrap(), [1, 3, 2, 7, 7, 7, 0, 1, 4, 1, 4, 2, 5, 5]);
    laws::written_is_read(&told, ()).unwrap().unwrap();
    let fixed =
        Versioned { head: head(0), body: vec![7, 7], items: vec![item(0)], bodies: vec![vec![]] };
    assert_eq!(fixed.to_vec().unwrap(), [0, 7, 7, 0, 0]);
    laws::written_is_read(&fixed, ()).unwrap().unwrap();
    let longer = Versioned { body: vec![7, 7, 7], ..fixed };
    assert_eq!(longer.to_vec().unwrap_err().finding().code, "derived");
}

/// A file that says 0 where there are no bytes, and a value without a head of its own kind.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct NullWithoutBytes {
    #[bin(set(at = if count(words) == 0 { 0 } else { start(words) }, count = count(words)))]
    words_place: WordsPlace,
    #[bin(set(at = if len(text) > 0 { start(text) / 2 } else { 0 }, count = len(text)))]
    text_place: WordsPlace,
    #[bin(at = words_place.at, count = words_place.count)]
    words: Vec<u16>,
    #[bin(at = text_place.at * 2, len = text_place.count)]
    text: Vec<u8>,
    end: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct WordsPlace {
    at: u8,
    count: u8,
}

#[test]
fn a_place_that_a_branch_tells_is_that_of_a_value_without_bytes() {
    for (first, second) in (0..14).flat_map(|first| (0..9).map(move |second| (first, second))) {
        for (words, text) in (0..3).flat_map(|words| (0..3).map(move |text| (words, text))) {
            let value = NullWithoutBytes {
                words_place: WordsPlace { at: first, count: 9 },
                text_place: WordsPlace { at: second, count: 9 },
                words: vec![0x0707; words],
                text: vec![8; text],
                end: 5,
            };
            let bytes = laws::written_is_read(&value, ()).unwrap().unwrap();
            super::laws::hold::<NullWithoutBytes>(bytes, ());
            let read = NullWithoutBytes::parse(bytes).unwrap();
            assert_eq!((&read.words, &read.text), (&value.words, &value.text));
            assert_eq!(read.words_place.at == 0, words == 0, "{read:?}");
            assert_eq!(read.text_place.at == 0, text == 0, "{read:?}");
            let settled = value.settle(&mut Vec::new()).unwrap();
            assert_eq!(settled.to_vec().as_deref(), Ok(bytes));
        }
    }
}
