//! Values at offsets that follow from other numbers, and tell none.

use binfmt_runtime::{Auto, BinFormat, Crc32};

use super::laws::hold;
use super::{findings, kept, refused, same, stopped};

/// A value of its own length.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Text {
    #[bin(prefix = u8)]
    text: Vec<u8>,
}

fn text(bytes: &[u8]) -> Text {
    Text { text: bytes.to_vec() }
}

/// Rows, and a footer in front of its length, which stands at the end of the file.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(magic = b"R")]
struct Footed {
    #[bin(section, len = remaining - 2)]
    data: Vec<u8>,
    footer_len: u8,
    #[bin(magic = b"R")]
    end: (),
    #[bin(at = len(data) - footer_len, base = data, place = data, len = footer_len)]
    footer: Text,
}

#[test]
fn a_footer_ends_where_its_section_does() {
    let bytes = b"Rabc\x02xy\x03R";
    let value = Footed::parse(bytes).unwrap();
    assert_eq!(value.footer, text(b"xy"));
    same(&value, bytes);
    // A longer one begins where the old one did, and the rows stay.
    let longer = Footed { footer: text(b"longer"), ..value.clone() };
    assert_eq!(longer.to_vec().as_deref(), Ok(&b"Rabc\x06longer\x07R"[..]));
    // A shorter one ends where the old one did.
    let shorter = Footed { footer: text(b""), ..value.clone() };
    let shorter: &'static [u8] = shorter.to_vec().unwrap().leak();
    assert_eq!(shorter, b"Rabc\x02x\0\x01R");
    kept(&Footed::parse(shorter).unwrap(), shorter);
    // More rows follow where the old footer was, once it is taken off them.
    let data = b"abcdef".to_vec();
    let more = Footed { data, footer_len: 0, ..value };
    assert_eq!(more.to_vec().as_deref(), Ok(&b"Rabcdef\x02xy\x03R"[..]));
    assert_eq!(stopped::<Footed>(b"Rabc\x02xy\x08R"), "footer_len size");
}

/// A trailer of fixed size.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Trailed {
    #[bin(section, len = remaining)]
    data: Vec<u8>,
    #[bin(at = len(data) - 3, base = data, place = data)]
    tag: [u8; 3],
}

#[test]
fn a_trailer_of_fixed_size_lies_at_the_end() {
    let value = Trailed::parse(b"abcTAG").unwrap();
    same(&value, b"abcTAG");
    let tag = *b"tag";
    assert_eq!(Trailed { tag, ..value.clone() }.to_vec().as_deref(), Ok(&b"abctag"[..]));
    let data = b"abcdeTAG".to_vec();
    assert_eq!(Trailed { data, tag }.to_vec().as_deref(), Ok(&b"abcdetag"[..]));
    // As if it were new, it is all that the section has.
    assert_eq!(value.compact().to_vec().as_deref(), Ok(&b"TAG"[..]));
}

/// One value behind the other, from the end on: each says how long the one in front of it is.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Chained {
    #[bin(section, len = remaining - 1)]
    data: Vec<u8>,
    last_len: u8,
    #[bin(at = len(data) - last_len, base = data, place = data, len = last_len)]
    #[bin(set(footer_len = len(footer), meta_len = len(meta)))]
    last: Last,
    #[bin(at = len(data) - last_len - last.footer_len, base = data, place = data)]
    #[bin(len = last.footer_len)]
    footer: Text,
    #[bin(at = len(data) - last_len - last.footer_len - last.meta_len, base = data, place = data)]
    #[bin(len = last.meta_len)]
    meta: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
struct Last {
    footer_len: u8,
    meta_len: u8,
}

#[test]
fn values_follow_one_another_up_to_the_end() {
    let bytes = b"rowsmm\x01f\x02\x02\x02";
    let value = Chained::parse(bytes).unwrap();
    assert_eq!((&value.meta[..], &value.footer), (&b"mm"[..], &text(b"f")));
    same(&value, bytes);
    let written = |meta: &[u8], footer: &[u8]| {
        let value = Chained { meta: meta.to_vec(), footer: text(footer), ..value.clone() };
        let bytes: &'static [u8] = value.to_vec().unwrap().leak();
        assert_eq!(value.encoded_len().ok(), u64::try_from(bytes.len()).ok());
        let again = Chained::parse(bytes).unwrap();
        assert_eq!((&again.meta[..], &again.footer), (meta, &text(footer)));
        kept(&again, bytes);
        bytes
    };
    assert_eq!(written(b"mmm", b"foot"), b"rowsmmm\x04foot\x05\x03\x02");
    // Between the rows and what is shorter now, old bytes of the section stay.
    assert_eq!(written(b"m", b"foot"), b"rowsmm\x04foot\x05\x01\x02");
    assert_eq!(written(b"", b""), b"rowsmm\x01\0\x01\0\x02");
}

/// What lies behind a value of which only its writer knows the length.
#[derive(BinFormat, Debug, PartialEq)]
struct Behind {
    first_len: Auto<u8>,
    second_len: u8,
    #[bin(at = 2, len = first_len)]
    first: Text,
    #[bin(at = 2 + first_len, len = second_len)]
    second: Vec<u8>,
    #[bin(at = 2 + first_len + second_len)]
    third: u8,
}

#[test]
fn values_lie_back_to_back() {
    let value = |first: &[u8], second: &[u8]| Behind {
        first_len: Auto::new(),
        second_len: 0,
        first: text(first),
        second: second.to_vec(),
        third: 9,
    };
    let read = |bytes: &'static [u8]| Behind::parse(bytes).unwrap();
    same(&read(b"\x02\x02\x01ab\x63\x09"), b"\x02\x02\x01ab\x63\x09");
    let written = |first, second| value(first, second).to_vec();
    assert_eq!(written(b"", b"").as_deref(), Ok(&b"\x01\0\0\x09"[..]));
    assert_eq!(written(b"four", b"two").as_deref(), Ok(&b"\x05\x03\x04fourtwo\x09"[..]));
}

/// The length of the whole value is what the place counts from.
#[derive(BinFormat, Debug, PartialEq)]
#[bin(little, len = size)]
struct Whole {
    size: Auto<u8>,
    at: Auto<u8>,
    #[bin(at = size - 4, checksum(Crc32, over = text))]
    sum: u32,
    #[bin(at = at)]
    text: Text,
}

#[test]
fn what_counts_from_the_end_comes_last() {
    let whole =
        |bytes: &[u8]| Whole { size: Auto::new(), at: Auto::new(), sum: 0, text: text(bytes) };
    let bytes: &'static [u8] = whole(b"abc").to_vec().unwrap().leak();
    assert_eq!((bytes.len(), &bytes[..6]), (10, &b"\x0a\x02\x03abc"[..]));
    same(&Whole::parse(bytes).unwrap(), bytes);
    // Behind it nothing can lie: the text would be found there.
    let bytes = b"\x08\x06\0\0\0\0\x01a";
    let found = findings::<Whole>(bytes);
    assert!(found.contains(&"error text overlap".to_owned()), "{found:?}");
}

/// The length of a section is that with all that lies in it.
#[derive(BinFormat, Debug, PartialEq)]
#[bin(little, check(len(data) > 3, "a short section"))]
struct Measured {
    #[bin(calc = len(data))]
    before: Auto<u8>,
    size: Auto<u8>,
    at: u8,
    #[bin(section, len = size)]
    data: Vec<u8>,
    #[bin(calc = len(data) + 1)]
    behind: Auto<u8>,
    #[bin(at = at, base = data, place = data)]
    text: Text,
}

#[test]
fn the_length_of_a_section_is_known_when_it_is_written() {
    let bytes = b"\x04\x04\x01x\x01ay\x05";
    let value = Measured::parse(bytes).unwrap();
    same(&value, bytes);
    let longer = Measured { text: text(b"longer"), ..value };
    assert_eq!(longer.to_vec().as_deref(), Ok(&b"\x08\x08\x01x\x06longer\x09"[..]));
    let data = b"x".to_vec();
    let short = Measured { data, text: text(b""), ..Measured::parse(bytes).unwrap() };
    assert_eq!(refused(&short), " Measured");
}

/// Numbers that are taken off: how far from the end, how much of a block is free, what follows.
#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct TakenOff {
    count: Auto<u8>,
    #[bin(count = count)]
    table: Vec<Entry>,
    free: Auto<u8>,
    #[bin(len = 6 - free)]
    block: Vec<u8>,
    #[bin(section, len = remaining - 2)]
    data: Vec<u8>,
    back: u16,
    #[bin(at = len(data) - back * 2, base = data, place = data)]
    text: Text,
    #[bin(for_each = table, at = 12 - it.back, base = data, place = data, len = it.len)]
    bodies: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
struct Entry {
    back: u8,
    len: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Followed {
    behind: Auto<u8>,
    #[bin(len = remaining - behind)]
    text: Vec<u8>,
    end: u8,
}

#[test]
fn numbers_that_are_taken_off_are_computed() {
    let bytes = b"\x02\x0c\x02\x06\x01\x04xyab\x01t\0\0c\0\0\0\0\0\x05\0";
    let value = TakenOff::parse(bytes).unwrap();
    assert_eq!((&value.bodies, &value.text), (&vec![b"ab".to_vec(), b"c".to_vec()], &text(b"t")));
    same(&value, bytes);
    let block = b"block".to_vec();
    let bodies = vec![b"ab".to_vec(), b"cdefghi".to_vec()];
    let longer = TakenOff { block, bodies, ..value };
    let expected = b"\x02\x0c\x02\x06\x07\x01blockab\x01t\0\0cdefghi\x05\0";
    assert_eq!(refused(&longer), "back derived");
    let even = TakenOff { bodies: vec![b"ab".to_vec(), b"cdefgh".to_vec()], ..longer };
    let expected = [&expected[..4], b"\x06", &expected[5..23], b"\x05\0"].concat();
    assert_eq!(even.to_vec(), Ok(expected));
    let far = TakenOff { block: b"a block".to_vec(), ..even };
    assert_eq!(refused(&far), "free derived");
    same(&Followed { behind: Auto::new(), text: b"text".to_vec(), end: 3 }, b"\x01text\x03");
}

/// A page that grows downwards, with its checksum at the very end.
#[derive(BinFormat, Debug, PartialEq)]
struct Page {
    first: u8,
    second: u8,
    #[bin(section, grow = down, len = 12)]
    rest: Vec<u8>,
    #[bin(at = len(rest) - 2, base = rest, place = rest)]
    end: [u8; 2],
    #[bin(at = first, base = rest, place = rest)]
    one: Text,
    #[bin(at = second, base = rest, place = rest)]
    two: Text,
}

#[test]
fn a_page_that_grows_downwards_ends_with_its_trailer() {
    let bytes = b"\x08\x05\0\0\0\0\0\x02bb\x01aEE";
    let value = Page::parse(bytes).unwrap();
    same(&value, bytes);
    let longer = Page { one: text(b"long"), ..value };
    let expected = b"\0\x05\x04long\x02bb\x01aEE";
    assert_eq!(longer.to_vec().as_deref(), Ok(&expected[..]));
    let full = Page { one: text(b"much too long"), ..longer };
    assert_eq!(refused(&full), " space");
}

/// Constant places, and one out of two numbers of which none says it alone.
#[derive(BinFormat, Debug, PartialEq)]
struct Fixed {
    base: u8,
    step: u8,
    #[bin(at = 4, align_before = 4)]
    text: Text,
    #[bin(at = base + step)]
    number: u8,
}

#[test]
fn a_place_that_nothing_tells_must_be_free() {
    let value = Fixed::parse(b"\x06\x02\0\0\x02abc\x07").unwrap();
    let bytes = b"\x06\x02\0\0\x02ab\0\x07";
    assert_eq!(value.to_vec().as_deref(), Ok(&bytes[..]));
    kept(&value, bytes);
    // As if it were new, too: nothing says it elsewhere.
    assert_eq!(value.compact().to_vec().as_deref(), Ok(&bytes[..]));
    assert_eq!(refused(&Fixed { text: text(b"longer"), ..value }), "number derived");
}

/// A value without bytes that lies in a footer, or behind it.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Hollow {
    at: u8,
    #[bin(section, len = remaining - 1)]
    data: Vec<u8>,
    footer_len: u8,
    #[bin(at = at, base = data, place = data, len = 0)]
    nothing: Vec<u8>,
    #[bin(at = len(data) - footer_len, base = data, place = data, len = footer_len)]
    footer: Vec<u8>,
}

#[test]
fn nothing_moves_for_a_value_without_bytes() {
    for at in 0..5 {
        let file = [at, 0xaa, 5, 6, 7, 3];
        assert_eq!(Hollow::parse(&file).unwrap().to_vec().unwrap(), file);
        hold::<Hollow>(&file, ());
    }
}
