//! Lengths, ends and counts.

use binfmt_runtime::{Auto, BinFormat, Seq};

use super::{findings, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(big)]
struct Texts<'a> {
    text_len: Auto<u16>,
    owned_len: Auto<u8>,
    words: Auto<u8>,
    #[bin(len = text_len)]
    text: &'a str,
    #[bin(len = owned_len)]
    owned: String,
    #[bin(len = words * 2 + 1)]
    odd: Vec<u8>,
    #[bin(len = 3)]
    fixed: &'a [u8],
    #[bin(until_end)]
    rest: &'a [u8],
}

#[test]
fn bytes_and_texts_have_the_length_that_an_earlier_field_tells() {
    let value = Texts {
        text: "h\u{e9}",
        owned: "ab".to_owned(),
        odd: vec![1, 2, 3],
        fixed: &[7, 8, 9],
        rest: &[5],
        ..Texts::default()
    };
    same(&value, b"\x00\x03\x02\x01h\xc3\xa9ab\x01\x02\x03\x07\x08\x09\x05");
    assert_eq!(stopped::<Texts<'_>>(b"\x00\x02\x00\x00h\xff\x01\x01\x01\x01"), "text utf8");
    assert_eq!(stopped::<Texts<'_>>(b"\x01\x00\x00\x00abcdefgh"), "text_len size");
    assert_eq!(
        refused(&Texts { odd: vec![1, 2], fixed: b"abc", ..Texts::default() }),
        "words derived"
    );
    assert_eq!(refused(&Texts { odd: vec![1], fixed: b"ab", ..Texts::default() }), "fixed derived");
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(little)]
struct Strings<'a> {
    len: Auto<u8>,
    #[bin(len = len, nul)]
    name: &'a str,
    #[bin(len = 2, nul)]
    code: &'a [u8],
}

#[test]
fn a_nul_is_not_counted_and_must_be_there() {
    same(&Strings { name: "ab", code: b"xy", ..Strings::default() }, b"\x02ab\0xy\0");
    assert_eq!(stopped::<Strings<'_>>(b"\x02abcxy\0"), "name nul");
    assert_eq!(stopped::<Strings<'_>>(b"\x02ab\0xy"), "code end");
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(big, magic = b"M", len = size + 3)]
struct Sized<'a> {
    size: Auto<u16>,
    #[bin(len = 2)]
    head: &'a [u8],
    #[bin(until_end)]
    tail: &'a [u8],
}

#[test]
fn the_length_of_a_value_counts_from_its_start_and_ends_its_last_field() {
    same(&Sized { head: b"ab", tail: b"cd", ..Sized::default() }, b"M\x00\x04abcd");
    assert_eq!(stopped::<Sized<'_>>(b"M\x00\x05abcd"), "size size");
    assert_eq!(stopped::<Sized<'_>>(b"M\x00\x01abcd"), "head size");
    let (value, rest) = Sized::parse_prefix(b"M\x00\x03abcd").unwrap();
    assert_eq!((value.tail, rest), (&b"c"[..], &b"d"[..]));
    assert_eq!(findings::<Sized<'_>>(b"M\x00\x03abcd"), ["warning  trailing"]);
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little, len = len)]
struct Exact<'a> {
    len: u8,
    #[bin(count = 2)]
    items: Seq<'a, u16>,
}

#[test]
fn bytes_left_in_a_value_of_known_length_are_an_error() {
    let items = [1, 2];
    let value = Exact { len: 0, items: Seq::from(&items[..]) };
    assert_eq!(value.to_vec().unwrap(), [5, 1, 0, 2, 0]);
    assert!(Exact::is_valid(&[5, 1, 0, 2, 0]));
    assert!(!Exact::is_valid(&[6, 1, 0, 2, 0, 9]));
    assert_eq!(findings::<Exact<'_>>(&[6, 1, 0, 2, 0, 9]), ["error items leftover"]);
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(little)]
struct Parts {
    len: Auto<u8>,
    #[bin(len = len)]
    part: Part,
    after: u8,
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(little)]
struct Part {
    a: u8,
    #[bin(until_end)]
    rest: Vec<u8>,
}

#[test]
fn a_nested_value_fills_its_length() {
    same(
        &Parts { part: Part { a: 1, rest: vec![2, 3] }, after: 9, ..Parts::default() },
        &[3, 1, 2, 3, 9],
    );
    assert_eq!(stopped::<Parts>(&[0, 1, 2, 3, 9]), "part.a end");
    assert_eq!(stopped::<Parts>(&[7, 1, 2, 3, 9]), "len size");
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Shorter<'a> {
    total: u8,
    #[bin(len = total - 4)]
    data: &'a [u8],
}

#[test]
fn a_length_below_zero_is_malformed() {
    same(&Shorter { total: 6, data: b"ab" }, b"\x06ab");
    assert_eq!(stopped::<Shorter<'_>>(b"\x03ab"), "total size");
    assert_eq!(Shorter { total: 0, data: b"" }.to_vec().unwrap(), [4]);
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(little)]
struct Both {
    count: Auto<u8>,
    size: Auto<u8>,
    #[bin(count = count, len = size)]
    items: Vec<Item>,
    last: u8,
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(little)]
struct Item {
    len: Auto<u8>,
    #[bin(len = len)]
    data: Vec<u8>,
}

#[test]
fn count_and_length_of_a_sequence_hold_both() {
    let items = vec![Item { data: vec![7], ..Item::default() }, Item::default()];
    same(&Both { items, last: 9, ..Both::default() }, &[2, 3, 1, 7, 0, 9]);
    assert_eq!(stopped::<Both>(&[1, 3, 1, 7, 0, 9]), "items leftover");
    assert_eq!(stopped::<Both>(&[3, 3, 1, 7, 0, 9]), "items[2].len end");
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Chosen<'a> {
    #[bin(calc = short)]
    short: u8,
    #[bin(calc = len(data))]
    long: u16,
    #[bin(len = if short != 0 { min(short, 4) } else { align_up(long, 4) - max(0, 4 - long) })]
    data: &'a [u8],
}

#[test]
fn lengths_are_computed_with_the_built_in_functions() {
    assert_eq!(Chosen::parse(&[9, 0, 0, 1, 2, 3, 4]).unwrap().data, [1, 2, 3, 4]);
    assert_eq!(Chosen::parse(&[0, 4, 0, 1, 2, 3, 4]).unwrap().data, [1, 2, 3, 4]);
    assert_eq!(
        Chosen { short: 4, long: 0, data: &[1, 2, 3, 4] }.to_vec().unwrap(),
        [4, 4, 0, 1, 2, 3, 4]
    );
    assert_eq!(refused(&Chosen { short: 3, long: 0, data: &[1, 2, 3, 4] }), "data derived");
}

/// More plain fields in a row than a writer collects at once.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(big)]
struct Wide {
    first: [[u64; 8]; 7],
    a: [u8; 64],
    b: [u8; 64],
    c: [u8; 64],
    d: [u8; 64],
    e: [u8; 64],
    f: [u8; 64],
    g: [u8; 64],
    h: [u8; 62],
    i: u32,
    last: u16,
}

#[test]
fn many_plain_fields_in_a_row_are_written_and_read() {
    let bytes: Vec<u8> = (0..=255_u8).cycle().take(448 + 510 + 6).collect();
    let value = Wide::parse(&bytes).unwrap();
    assert_eq!((value.i, value.last), (0xbebf_c0c1, 0xc2c3));
    assert_eq!(value.to_vec().unwrap(), bytes);
    crate::laws::hold::<Wide>(&bytes, ());
    let mut written = Vec::new();
    value.write_to(&mut written).unwrap();
    assert_eq!(written, bytes);
    assert_eq!(value.write_into(&mut [0; 963]).unwrap_err().finding().code, "space");
}

/// Pages of a size that the file tells, and a trailer of a size that is known.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Paged {
    size: u16,
    count: Auto<u8>,
    #[bin(count = count, args(size))]
    pages: Vec<Page>,
    trailer: Trailer,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, magic = b"P", args(size: u16), len = size)]
struct Page {
    used: Auto<u8>,
    #[bin(len = used)]
    text: String,
    #[bin(len = remaining, check(is_empty(rest), "the rest of a page is empty"))]
    rest: Vec<u8>,
}

fn is_empty(rest: &[u8]) -> bool {
    rest.iter().all(|byte| *byte == 0)
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(len = 4)]
struct Trailer {
    kind: u8,
    #[bin(until_end)]
    bytes: Vec<u8>,
}

#[test]
fn a_value_has_the_length_that_an_argument_or_a_constant_tells() {
    let page = |text: &str, rest: &[u8]| Page {
        used: Auto::new(),
        text: text.to_owned(),
        rest: rest.to_vec(),
    };
    let value = Paged {
        size: 6,
        count: Auto::new(),
        pages: vec![page("ab", &[0, 0]), page("abcd", &[])],
        trailer: Trailer { kind: 1, bytes: b"end".to_vec() },
    };
    same(&value, b"\x06\0\x02P\x02ab\0\0P\x04abcd\x01end");
    assert_eq!(stopped::<Paged>(b"\x06\0\x01P\x02ab\0"), "pages[0] size");
    assert_eq!(stopped::<Paged>(b"\x06\0\x01P\x05abcd\x01end"), "pages[0].used size");
    assert_eq!(stopped::<Paged>(b"\x06\0\0\x01en"), "trailer size");
    let long = Paged { pages: vec![page("abcde", &[])], ..value.clone() };
    assert_eq!(refused(&long), "pages[0] derived");
    let short = Paged { trailer: Trailer { kind: 1, bytes: vec![] }, ..value };
    assert_eq!(refused(&short), "trailer derived");
}

/// Numbers that may be negative.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Negative {
    more: i8,
    #[bin(len = more + 3)]
    bytes: Vec<u8>,
    less: i16,
    #[bin(count = 1 - less * 2)]
    items: Vec<u16>,
}

#[test]
fn a_number_below_0_stands_for_a_size() {
    let value = |len: usize, count: usize| Negative {
        more: 0,
        bytes: vec![1; len],
        less: 0,
        items: vec![2; count],
    };
    same(&Negative { more: -2, less: -1, ..value(1, 3) }, b"\xfe\x01\xff\xff\0\x02\0\x02\0\x02");
    same(&Negative { more: 2, less: 0, ..value(5, 1) }, b"\x02\x01\x01\x01\x01\x01\0\0\0\x02");
    assert_eq!(value(0, 3).to_vec().as_deref(), Ok(&b"\xfd\xff\xff\0\x02\0\x02\0\x02"[..]));
    assert_eq!(refused(&value(0, 2)), "less derived");
    assert_eq!(refused(&value(131, 1)), "more derived");
}

/// One number for the sizes of fields of which one is there, each in its own way.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct OneOfSome {
    kind: u8,
    n: Auto<u8>,
    #[bin(if = kind == 1, len = n)]
    text: Option<String>,
    #[bin(if = kind == 2, count = n - 1)]
    words: Option<Vec<u16>>,
    #[bin(if = kind == 3, len = 10 - n * 2)]
    bytes: Option<Vec<u8>>,
    #[bin(if = kind == 4, len = n)]
    inner: Option<Words>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Words {
    #[bin(prefix = u8)]
    words: Vec<u16>,
}

#[test]
fn fields_that_exclude_one_another_share_a_number_in_any_form() {
    let none = |kind| OneOfSome {
        kind,
        n: Auto::new(),
        text: None,
        words: None,
        bytes: None,
        inner: None,
    };
    same(&OneOfSome { text: Some("ab".into()), ..none(1) }, b"\x01\x02ab");
    same(&OneOfSome { words: Some(vec![1, 2]), ..none(2) }, b"\x02\x03\x01\0\x02\0");
    same(&OneOfSome { bytes: Some(vec![1, 2]), ..none(3) }, b"\x03\x04\x01\x02");
    let inner = Some(Words { words: vec![7, 8] });
    same(&OneOfSome { inner, ..none(4) }, b"\x04\x05\x02\x07\0\x08\0");
    same(&none(0), b"\0\0");
    assert_eq!(refused(&OneOfSome { bytes: Some(vec![1]), ..none(3) }), "n derived");
}
