//! Constants that end bytes, texts and items; strings that fill their width or end at a NUL.

use std::borrow::Cow;

use binfmt_runtime::{Auto, BinFormat, I24, Order, Utf16};

use super::{findings, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Line<'a> {
    #[bin(until = b'|', check(len(name) < 9, "too long"))]
    name: &'a str,
    #[bin(until = b"||")]
    data: &'a [u8],
    #[bin(until = kept(b"\r\n"))]
    head: String,
    #[bin(until = peek(b'}'))]
    body: Cow<'a, [u8]>,
    close: u8,
    #[bin(until = 0xffff)]
    codes: Vec<u16>,
    #[bin(until = 0xff, little)]
    steps: Vec<i8>,
    #[bin(until = peek(b"END"))]
    parts: Vec<Part>,
    #[bin(magic = b"END", pad_to = 6, until = 10)]
    last: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Part {
    #[bin(prefix = u8)]
    text: String,
}

fn part(text: &str) -> Part {
    Part { text: text.to_owned() }
}

fn line() -> Line<'static> {
    Line {
        name: "ab",
        data: b"x|y",
        head: "k: v\r\n".to_owned(),
        body: Cow::Borrowed(b"{"),
        close: b'}',
        codes: vec![1, 0x00ff],
        steps: vec![-2, 127],
        parts: vec![part("q"), part("")],
        last: b"z".to_vec(),
    }
}

const BYTES: &[u8] = b"ab|x|y||k: v\r\n{}\0\x01\0\xff\xff\xff\xfe\x7f\xff\x01q\0ENDz\n\0\0\0\0";

#[test]
fn a_constant_ends_what_stands_in_front_of_it() {
    same(&line(), BYTES);
    let empty = Line {
        name: "",
        data: b"",
        head: "\r\n".to_owned(),
        body: Cow::Borrowed(b""),
        codes: vec![],
        steps: vec![],
        parts: vec![],
        last: vec![],
        ..line()
    };
    same(&empty, b"|||\r\n}\xff\xff\xffEND\n\0\0\0\0\0");
    assert!(Line::inspect(BYTES).to_string().contains("name &'a str \"ab\""));
}

#[test]
fn a_constant_that_is_not_there_stops_a_reader() {
    assert_eq!(stopped::<Line<'_>>(b"ab"), "name until");
    assert_eq!(stopped::<Line<'_>>(b"a\xff|"), "name utf8");
    assert_eq!(stopped::<Line<'_>>(b"a|b|"), "data until");
    assert_eq!(stopped::<Line<'_>>(b"a|b||c\r"), "head until");
    assert_eq!(stopped::<Line<'_>>(b"a|b||c\r\nd"), "body until");
    assert_eq!(stopped::<Line<'_>>(b"a|b||c\r\n}\0\0\xff"), "codes until");
    assert_eq!(stopped::<Line<'_>>(b"a|b||c\r\n}\0\0"), "codes until");
    assert_eq!(stopped::<Line<'_>>(b"a|b||c\r\n}\xff\xff\xff\x02EN"), "parts until");
    let error = Line::parse(b"ab").unwrap_err();
    assert_eq!(error.finding().class, binfmt_runtime::Class::Incomplete);
    assert_eq!((error.finding().start, error.finding().end), (0, 2));
}

#[test]
fn what_would_end_earlier_is_not_written() {
    let wrong = [
        (Line { name: "a|", ..line() }, "name until"),
        // The constant would begin with the last byte of the value.
        (Line { data: b"a|", ..line() }, "data until"),
        (Line { head: "a\r\nb\r\n".to_owned(), ..line() }, "head until"),
        (Line { head: "a\r".to_owned(), ..line() }, "head until"),
        (Line { body: Cow::Borrowed(b"a}"), ..line() }, "body until"),
        // The constant is part of what follows, and something else is there.
        (Line { close: b'|', ..line() }, "body until"),
        (Line { codes: vec![7, 0xffff], ..line() }, "codes[1] until"),
        (Line { steps: vec![-1], ..line() }, "steps[0] until"),
        (Line { last: b"\n".to_vec(), ..line() }, "last until"),
    ];
    for (value, place) in wrong {
        assert_eq!(refused(&value), place);
    }
    // `E` is the length of a text of 69 bytes.
    let long = format!("ND{}", "x".repeat(67));
    assert_eq!(refused(&Line { parts: vec![part("a"), part(&long)], ..line() }), "parts[1] until");
    let other = format!("NE{}", "x".repeat(67));
    assert!(Line { parts: vec![part(&other)], ..line() }.to_vec().is_ok());
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = order, args(order: Order = Order::Big))]
struct Ordered {
    #[bin(until = 0x1234)]
    codes: Vec<u16>,
    #[bin(until = peek(0x1234))]
    more: Vec<u16>,
    mark: u16,
}

#[test]
fn a_number_has_the_byte_order_of_the_items() {
    let value = Ordered { codes: vec![0x3412], more: vec![9], mark: 0x1234 };
    assert_eq!(value.to_vec_with(Order::Big).unwrap(), b"\x34\x12\x12\x34\0\x09\x12\x34");
    let little = value.to_vec_with(Order::Little).unwrap();
    assert_eq!(little, b"\x12\x34\x34\x12\x09\0\x34\x12");
    assert_eq!(Ordered::parse_with(&little, Order::Little).unwrap(), value);
    let error = Ordered { mark: 1, ..value }.to_vec_with(Order::Little).unwrap_err();
    assert_eq!(error.finding().code, "until");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Outer {
    size: Auto<u8>,
    #[bin(len = size)]
    inner: Inner,
    mark: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Inner {
    #[bin(until = peek(b';'))]
    text: String,
    #[bin(until_end)]
    rest: String,
}

#[test]
fn what_follows_counts_up_to_the_end_of_the_region() {
    let value =
        Outer { size: Auto::new(), inner: Inner { text: "a".into(), rest: ";b".into() }, mark: 1 };
    same(&value, b"\x03a;b\x01");
    let outside =
        Outer { inner: Inner { text: "a".into(), rest: String::new() }, mark: b';', ..value };
    assert_eq!(refused(&outside), "inner.text until");
    assert_eq!(stopped::<Outer>(b"\x01a;"), "inner.text until");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Fixed<'a> {
    #[bin(len = 4, nul = optional)]
    name: &'a str,
    width: u8,
    #[bin(len = width, nul = optional)]
    data: Vec<u8>,
    #[bin(len = 6, nul = optional)]
    wide: Utf16<'a>,
}

#[test]
fn a_string_that_fills_its_width_needs_no_nul() {
    let value = Fixed { name: "abcd", width: 3, data: b"x".to_vec(), wide: "efg".into() };
    same(&value, b"abcd\x03x\0\0e\0f\0g\0");
    let short = Fixed { name: "a", data: vec![], wide: "e".into(), ..value.clone() };
    same(&short, b"a\0\0\0\x03\0\0\0e\0\0\0\0\0");
    assert_eq!(refused(&Fixed { name: "a\0", ..value.clone() }), "name nul");
    assert_eq!(refused(&Fixed { data: vec![0], ..value.clone() }), "data nul");
    assert_eq!(refused(&Fixed { wide: "a\0b".into(), ..value.clone() }), "wide nul");
    assert_eq!(refused(&Fixed { name: "abcde", ..value.clone() }), "name derived");
    // The width that is stored is the least one.
    let longer = Fixed { data: b"12345".to_vec(), ..value };
    assert_eq!(longer.to_vec().unwrap(), b"abcd\x0512345e\0f\0g\0");
}

#[test]
fn what_is_behind_the_nul_is_fill() {
    let bytes = b"a\0b\0\x02x\0e\0\0\0\x01\0";
    let read = Fixed::parse(bytes).unwrap();
    assert_eq!((read.name, &read.data[..]), ("a", &b"x"[..]));
    assert!(read.wide == "e");
    assert_eq!(findings::<Fixed<'_>>(bytes), ["warning name padding", "warning wide padding"]);
    assert_eq!(stopped::<Fixed<'_>>(b"a\xff\0\0\0"), "name utf8");
    assert_eq!(stopped::<Fixed<'_>>(b"a\0\0\0\0\0\xd8\0\0\0\0"), "wide utf16");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Trailed<'a> {
    #[bin(section, until = peek_last(b"PK"))]
    archive: &'a [u8],
    #[bin(magic = b"PK")]
    at: u8,
    comment_len: Auto<u8>,
    #[bin(len = comment_len)]
    comment: &'a [u8],
    #[bin(at = at, place = archive, nul)]
    name: String,
}

#[test]
fn a_trailer_is_found_from_the_end() {
    let bytes = b"PKabc\0..PK\x02\x03xPx";
    let value = Trailed {
        archive: b"PKabc\0..",
        at: 2,
        comment_len: Auto::new(),
        comment: b"xPx",
        name: "abc".into(),
    };
    assert_eq!(Trailed::parse(bytes).unwrap(), value);
    assert_eq!(value.to_vec().unwrap(), bytes);
    crate::laws::hold::<Trailed<'_>>(bytes, ());
    // The section grows, and what follows it moves.
    let grown = Trailed { name: "longer name".into(), ..value.clone() };
    let written = grown.to_vec().unwrap();
    assert_eq!(written, b"PKlonger name\0PK\x02\x03xPx");
    assert_eq!(Trailed::parse(&written).unwrap().name, "longer name");
    // A reader would take this for the trailer.
    let taken = Trailed { comment: b"xPK", ..value };
    assert_eq!(refused(&taken), "archive until");
    assert!(taken.encoded_len().is_err());
    assert!(taken.write_to(&mut Vec::new()).is_err());
    assert_eq!(stopped::<Trailed<'_>>(b"P.K"), "archive until");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Searched {
    #[bin(until = peek_last(b"\n"))]
    text: String,
    #[bin(until_end)]
    tail: String,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Searches {
    #[bin(little)]
    count: Auto<u16>,
    #[bin(count = count)]
    all: Vec<Nothing>,
    #[bin(until_end)]
    rest: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Nothing {
    #[bin(until = peek_last(b"\n"))]
    text: String,
}

#[test]
fn looking_for_the_last_one_is_paid_for() {
    same(&Searched { text: "a\nb".into(), tail: "\nc".into() }, b"a\nb\nc");
    // Each of the items looks through all that follows it, and takes nothing.
    let mut bytes = vec![100, 0, b'\n'];
    bytes.resize(4096, b' ');
    assert_eq!(stopped::<Searches>(bytes.leak()), "all[8].text budget");
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big)]
struct BelowZero {
    #[bin(until = -1)]
    numbers: Vec<i16>,
    #[bin(little, until = -2)]
    narrow: Vec<I24>,
}

#[test]
fn items_end_with_a_number_below_zero() {
    let value = BelowZero { numbers: vec![1, -3], narrow: vec![I24::new(5).unwrap()] };
    same(&value, b"\0\x01\xff\xfd\xff\xff\x05\0\0\xfe\xff\xff");
    let unlike = BelowZero { numbers: vec![-1], narrow: Vec::new() };
    assert_eq!(refused(&unlike), "numbers[0] until");
}

/// What is left behind the padding and the magic of a field, in front of another one.
macro_rules! behind {
    ($($words:meta, $bytes:literal, $front:literal;)*) => {
        #[test]
        fn what_is_left_counts_from_where_the_field_begins() {
            $({
                #[derive(BinFormat, Debug, PartialEq, Clone)]
                #[bin(little)]
                struct Field {
                    kind: u8,
                    #[$words]
                    text: String,
                    last: u8,
                }

                #[derive(BinFormat, Debug, PartialEq, Clone)]
                #[bin(little)]
                struct InARegion {
                    #[bin(prefix = u8)]
                    field: Field,
                    last: u8,
                }

                for text in ["", "a", "abcd"] {
                    let field = Field { kind: 2, text: text.into(), last: b'z' };
                    let bytes = [&b"\x02"[..], $front, text.as_bytes(), b"z"].concat();
                    same(&field, bytes.clone().leak());
                    let len = u8::try_from(bytes.len()).unwrap();
                    same(&InARegion { field, last: 9 }, [vec![len], bytes, vec![9]].concat().leak());
                }
                for len in 0..$bytes.len() {
                    binfmt_runtime::laws::hold::<Field>(&$bytes[..len], ()).unwrap();
                }
            })*
        }
    };
}

behind! {
    bin(pad_before = 2, len = remaining - 1), b"\x02\0\0abcdz", b"\0\0";
    bin(align_before = 4, len = remaining - 1), b"\x02\0\0\0abcdz", b"\0\0\0";
    bin(magic = b"MM", len = remaining - 1), b"\x02MMabcdz", b"MM";
    bin(pad_before = 1, align_before = 4, magic = b"M", len = remaining - 1), b"\x02\0\0\0Mabz", b"\0\0\0M";
}
