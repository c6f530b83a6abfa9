//! Tags of any kind, conditions beside them, and names for several numbers.

use binfmt_runtime::{Auto, BinFormat};

use super::{findings, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big, tag = kind, args(kind: [u8; 4], version: u8))]
enum Chunk {
    #[bin(id = b"RIFF" | b"RIFX")]
    Riff([u8; 4], u8),
    #[bin(id = b"LIST" if version > 1)]
    List(u16),
    #[bin(id = b"LIST")]
    Old(u8),
    #[bin(other)]
    Other([u8; 4], Raw),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Raw {
    #[bin(until_end)]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Chunked {
    version: u8,
    kind: [u8; 4],
    #[bin(args(kind, version))]
    chunk: Chunk,
}

fn chunked(version: u8, kind: [u8; 4], chunk: Chunk) -> Chunked {
    Chunked { version, kind, chunk }
}

#[test]
fn a_tag_may_be_bytes_and_depend_on_a_condition() {
    same(&chunked(1, *b"RIFF", Chunk::Riff(*b"RIFF", 7)), b"\x01RIFF\x07");
    same(&chunked(1, *b"RIFX", Chunk::Riff(*b"RIFX", 7)), b"\x01RIFX\x07");
    same(&chunked(2, *b"LIST", Chunk::List(7)), b"\x02LIST\0\x07");
    same(&chunked(1, *b"LIST", Chunk::Old(7)), b"\x01LIST\x07");
    same(&chunked(1, *b"abcd", Chunk::Other(*b"abcd", Raw { bytes: vec![1] })), b"\x01abcd\x01");
    assert_eq!(stopped::<Chunked>(b"\x02LIST\0"), "chunk.0 end");
    let wrong = [
        chunked(1, *b"LIST", Chunk::List(7)),
        chunked(2, *b"LIST", Chunk::Old(7)),
        chunked(1, *b"RIFF", Chunk::Riff(*b"RIFX", 7)),
        chunked(1, *b"abcd", Chunk::Riff(*b"abcd", 7)),
        chunked(1, *b"RIFF", Chunk::Other(*b"RIFF", Raw { bytes: vec![] })),
    ];
    for value in wrong {
        assert_eq!(refused(&value), "chunk tag");
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(tag = name, args(name: &'a str))]
enum Named<'a> {
    #[bin(id = "size")]
    Size(u8),
    #[bin(id = "data")]
    Data(Bytes<'a>),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Bytes<'a> {
    #[bin(until_end)]
    bytes: &'a [u8],
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Property<'a> {
    #[bin(until = b'=')]
    name: &'a str,
    len: Auto<u8>,
    #[bin(len = len, args(name))]
    value: Named<'a>,
}

#[test]
fn a_tag_may_be_a_text() {
    let property = |name, value| Property { name, len: Auto::new(), value };
    same(&property("size", Named::Size(3)), b"size=\x01\x03");
    same(&property("data", Named::Data(Bytes { bytes: b"ab" })), b"data=\x02ab");
    assert_eq!(stopped::<Property<'_>>(b"date=\x00"), "value tag");
    assert_eq!(refused(&property("data", Named::Size(3))), "value tag");
}

/// Values that hold nothing of the input are told apart by a text of it, too.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, tag = name, args(name: &str))]
enum Setting {
    #[bin(id = "size")]
    Size(u16),
    #[bin(id = "on")]
    On,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Settings<'a> {
    #[bin(until = b'=')]
    name: &'a str,
    #[bin(args(name))]
    setting: Setting,
}

#[test]
fn a_value_without_a_lifetime_is_told_by_a_text() {
    same(&Settings { name: "size", setting: Setting::Size(5) }, b"size=\x05\0");
    same(&Settings { name: "on", setting: Setting::On }, b"on=");
    assert_eq!(stopped::<Settings<'_>>(b"off="), "setting tag");
    assert_eq!(refused(&Settings { name: "on", setting: Setting::Size(5) }), "setting tag");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(tag = kind, args(kind: u8))]
enum Open {
    #[bin(id = ..=4)]
    Low(u8),
    #[bin(id = b'A')]
    Letter,
    #[bin(id = 0xf0..)]
    High(u8, u8),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Opened {
    #[bin(calc = tag(open))]
    kind: Auto<u8>,
    #[bin(args(kind))]
    open: Open,
}

#[test]
fn a_range_of_tags_may_have_no_end() {
    same(&Opened { kind: Auto::new(), open: Open::Low(0) }, b"\0");
    same(&Opened { kind: Auto::new(), open: Open::Letter }, b"A");
    same(&Opened { kind: Auto::new(), open: Open::High(0xff, 1) }, b"\xff\x01");
    assert_eq!(refused(&Opened { kind: Auto::new(), open: Open::Low(5) }), "open tag");
    assert_eq!(stopped::<Opened>(b"\x05"), "open tag");
}

const FIRST: u16 = 0x100;

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[bin(big)]
#[repr(u16)]
enum Kind {
    Code,
    Data,
    Far = 7,
    Farther,
    #[bin(id = FIRST..=0x1ff)]
    Vendor(u16),
    #[bin(id = 20 | 22)]
    Even(u16),
    #[bin(other)]
    Other(u16),
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[repr(i8)]
enum Signed {
    Low = -2,
    Middle,
    Zero,
    #[bin(id = 5..)]
    High(i8),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Kinds {
    kind: Kind,
    signed: Signed,
}

#[test]
fn numbers_without_a_number_count_on() {
    let kinds: [(Kind, &[u8]); 4] = [
        (Kind::Code, &[0, 0, 0]),
        (Kind::Data, &[0, 1, 0]),
        (Kind::Far, &[0, 7, 0]),
        (Kind::Farther, &[0, 8, 0]),
    ];
    for (kind, bytes) in kinds {
        same(&Kinds { kind, signed: Signed::Zero }, bytes);
    }
    same(&Kinds { kind: Kind::Code, signed: Signed::Middle }, &[0, 0, 0xff]);
}

#[test]
fn a_name_may_stand_for_several_numbers() {
    same(&Kinds { kind: Kind::Vendor(0x1ff), signed: Signed::High(9) }, &[1, 0xff, 9]);
    same(&Kinds { kind: Kind::Even(22), signed: Signed::High(127) }, &[0, 22, 127]);
    same(&Kinds { kind: Kind::Other(21), signed: Signed::Low }, &[0, 21, 0xfe]);
    assert!(Kinds::inspect(&[1, 2, 0]).to_string().contains("kind Kind Vendor (258)"));
    assert_eq!(stopped::<Kinds>(&[0, 0, 1]), "signed value");
    // A number that another name stands for would be read as that.
    for kind in
        [Kind::Vendor(0), Kind::Vendor(0xff), Kind::Even(21), Kind::Other(20), Kind::Other(8)]
    {
        assert_eq!(refused(&Kinds { kind, signed: Signed::Zero }), "kind value");
    }
    assert_eq!(refused(&Kinds { kind: Kind::Code, signed: Signed::High(4) }), "signed value");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Inverted {
    flags: u8,
    #[bin(flag = flags & 1)]
    set: Option<u8>,
    #[bin(flag = flags & 1 == 0)]
    unset: Option<u8>,
    #[bin(flag = flags & 2 == 0)]
    alone: Option<u8>,
}

#[test]
fn a_flag_may_say_that_a_field_is_absent() {
    let value = Inverted { flags: 0xf2, set: None, unset: Some(1), alone: None };
    same(&value, &[0xf2, 1]);
    same(&Inverted { flags: 0xf1, set: Some(1), unset: None, alone: Some(2) }, &[0xf1, 1, 2]);
    // The bits follow from what is there.
    let other = Inverted { flags: 0xf1, ..value.clone() };
    assert_eq!(other.to_vec().unwrap(), [0xf2, 1]);
    assert_eq!(refused(&Inverted { unset: None, ..value.clone() }), "unset presence");
    assert_eq!(refused(&Inverted { set: Some(1), ..value }), "unset presence");
    assert_eq!(findings::<Inverted>(&[0xf0, 1]), ["error alone end"]);
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big, tag = (class, kind, version), args(class: [u8; 2], kind: u16, version: u8))]
enum Message {
    #[bin(id = (b"AB", 1, 0))]
    Hello,
    #[bin(id = (b"AB", LAST, 1..=3) | (b"AC", 1, 9))]
    Size(([u8; 2], u16, u8), u16),
    #[bin(id = (b"AB", 2, _) if version < 100)]
    Name(([u8; 2], u16, u8), u8),
    #[bin(other)]
    Other(([u8; 2], u16, u8), u32),
}

const LAST: u16 = 7;

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Sent {
    class: [u8; 2],
    kind: u16,
    version: u8,
    #[bin(args(class, kind, version))]
    message: Message,
}

fn sent(class: [u8; 2], kind: u16, version: u8, message: Message) -> Sent {
    Sent { class, kind, version, message }
}

#[test]
fn a_tag_may_have_several_parts() {
    same(&sent(*b"AB", 1, 0, Message::Hello), b"AB\0\x01\0");
    let size = |version, number| Message::Size((*b"AB", 7, version), number);
    same(&sent(*b"AB", 7, 3, size(3, 258)), b"AB\0\x07\x03\x01\x02");
    same(&sent(*b"AC", 1, 9, Message::Size((*b"AC", 1, 9), 1)), b"AC\0\x01\x09\0\x01");
    same(&sent(*b"AB", 2, 99, Message::Name((*b"AB", 2, 99), 5)), b"AB\0\x02\x63\x05");
    let other = |kind, version| Message::Other((*b"AB", kind, version), 5);
    same(&sent(*b"AB", 2, 100, other(2, 100)), b"AB\0\x02\x64\0\0\0\x05");
    same(&sent(*b"AB", 1, 1, other(1, 1)), b"AB\0\x01\x01\0\0\0\x05");
    let wrong = [
        sent(*b"AB", 1, 1, Message::Hello),
        sent(*b"AB", 7, 2, size(3, 258)),
        sent(*b"AB", 7, 4, size(4, 258)),
        sent(*b"AB", 2, 100, Message::Name((*b"AB", 2, 100), 5)),
        sent(*b"AB", 7, 1, other(7, 1)),
    ];
    for value in wrong {
        assert_eq!(refused(&value), "message tag");
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(tag = (a, b), args(a: u8, b: &'a str))]
enum Closed<'a> {
    #[bin(id = (1, "x"))]
    One(Bytes<'a>),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Closing<'a> {
    a: u8,
    #[bin(until = b'=')]
    b: &'a str,
    #[bin(args(a, b))]
    body: Closed<'a>,
}

#[test]
fn a_tag_of_several_parts_is_told_whole() {
    same(&Closing { a: 1, b: "x", body: Closed::One(Bytes { bytes: b"yz" }) }, b"\x01x=yz");
    let error = Closing::parse(b"\x02yy=").unwrap_err().to_string();
    assert_eq!(error, "body at 0x4..0x4: no variant stands for the tag (2, \"yy\") [tag]");
    let wrong = Closing { a: 1, b: "y", body: Closed::One(Bytes { bytes: b"" }) };
    let error = wrong.to_vec().unwrap_err().to_string();
    assert_eq!(error, "body at 0x3..0x3: the tag (1, \"y\") stands for another variant [tag]");
}

const NARROW: u8 = 3;
const WIDE: u64 = 0x0102;

mod kinds {
    pub(super) const MIDDLE: i32 = 9;
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big, tag = kind, args(kind: u16))]
enum ByConstant {
    #[bin(id = NARROW)]
    First(u8),
    #[bin(id = kinds::MIDDLE..=WIDE)]
    Middle(u16, u8),
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big)]
struct OfConstants {
    #[bin(calc = tag(body))]
    kind: Auto<u16>,
    #[bin(args(kind))]
    body: ByConstant,
    low: u8,
    #[bin(args(low))]
    masked: ByMask,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big, tag = low & 15, args(low: u8))]
enum ByMask {
    #[bin(id = NARROW)]
    First(u8),
    #[bin(id = kinds::MIDDLE)]
    Middle,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big)]
#[repr(u16)]
enum Numbers {
    #[bin(id = NARROW..=kinds::MIDDLE)]
    Some(u16),
}

#[test]
fn a_constant_is_an_id_whatever_its_integer_type() {
    let value = |body, low, masked| OfConstants { kind: Auto::new(), body, low, masked };
    let first = value(ByConstant::First(5), 0x13, ByMask::First(6));
    same(&first, b"\0\x03\x05\x13\x06");
    same(&value(ByConstant::Middle(0x0102, 5), 0x19, ByMask::Middle), b"\x01\x02\x05\x19");
    assert_eq!(stopped::<OfConstants>(b"\x01\x03\x05\x19"), "body tag");
    assert_eq!(refused(&value(ByConstant::First(5), 0x19, ByMask::First(6))), "masked tag");
    same(&Numbers::Some(9), &[0, 9]);
    assert_eq!(stopped::<Numbers>(&[0, 10]), " value");
}
