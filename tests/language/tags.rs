//! Shapes told apart by a tag that is stored elsewhere.

use binfmt_runtime::{Auto, BinFormat, Seq};

use super::{findings, refused, same, stopped};

const LINE: u8 = 7;

mod ids {
    pub(super) const FIRST: u8 = 20;
    pub(super) const LAST: u8 = 22;
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big, tag = kind, args(kind: u8, scale: u8))]
enum Shape<'a> {
    #[bin(id = 1)]
    Empty,
    #[bin(id = 2)]
    Point(Point),
    #[bin(id = LINE, args(scale))]
    Line(Line),
    #[bin(id = 8 | 10..=12)]
    Marked(u8, Point),
    #[bin(id = ids::FIRST..=ids::LAST)]
    Ranged(u8),
    #[bin(other)]
    Other(u8, Raw<'a>),
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(big)]
struct Point {
    x: u16,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(args(scale: u8))]
struct Line {
    #[bin(check(length <= scale, "{length} is above {scale}"))]
    length: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
struct Raw<'a> {
    #[bin(until_end)]
    bytes: &'a [u8],
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Record<'a> {
    #[bin(calc = tag(shape))]
    kind: u8,
    len: Auto<u8>,
    #[bin(len = len, args(kind, scale = 9))]
    shape: Shape<'a>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Records<'a> {
    #[bin(until_end)]
    records: Seq<'a, Record<'a>>,
}

fn record(kind: u8, shape: Shape<'_>) -> Record<'_> {
    Record { kind, len: Auto::new(), shape }
}

#[test]
fn a_tag_tells_variants_apart() {
    same(&record(1, Shape::Empty), &[1, 0]);
    same(&record(2, Shape::Point(Point { x: 5 })), &[2, 2, 0, 5]);
    same(&record(7, Shape::Line(Line { length: 5 })), &[7, 1, 5]);
    same(&record(8, Shape::Marked(8, Point { x: 5 })), &[8, 2, 0, 5]);
    same(&record(11, Shape::Marked(11, Point { x: 5 })), &[11, 2, 0, 5]);
    same(&record(21, Shape::Ranged(21)), &[21, 0]);
    same(&record(99, Shape::Other(99, Raw { bytes: b"abc" })), b"\x63\x03abc");
    let records = vec![record(1, Shape::Empty), record(3, Shape::Other(3, Raw { bytes: b"a" }))];
    same(&Records { records: Seq::from(records.leak() as &[Record<'_>]) }, b"\x01\0\x03\x01a");
    assert_eq!(stopped::<Record<'_>>(&[7, 1, 10]), "shape.length Line.length");
    assert_eq!(
        findings::<Records<'_>>(&[2, 1, 0, 1, 1, 0]),
        ["error records[0].shape.x end", "error records[1].shape leftover"]
    );
}

#[test]
fn the_writer_takes_the_tag_from_the_variant() {
    // The stored tag is another one, so it is not kept.
    let settled = record(0, Shape::Point(Point { x: 1 })).to_vec().unwrap();
    assert_eq!(settled, [2, 2, 0, 1]);
    // A kept tag that stands for another variant would be read as that one.
    assert_eq!(refused(&record(2, Shape::Other(2, Raw { bytes: b"" }))), "shape tag");
    assert_eq!(refused(&record(2, Shape::Other(11, Raw { bytes: b"" }))), "shape tag");
    let marked = record(9, Shape::Marked(9, Point { x: 1 }));
    assert_eq!(refused(&marked), "shape tag");
    let error = marked.to_vec().unwrap_err().to_string();
    assert!(error.contains("the tag that the variant holds stands for another"), "{error}");
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[repr(u16)]
#[bin(little)]
enum Kind {
    Text = 1,
    Number = 0x102,
    #[bin(other)]
    Other(u16),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, tag = kind, args(kind: Kind))]
enum Closed<'a> {
    #[bin(id = Kind::Text)]
    Text(Raw<'a>),
    #[bin(id = Kind::Number)]
    Number(Point),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Stored<'a> {
    kind: Kind,
    #[bin(args(kind))]
    value: Closed<'a>,
}

#[test]
fn a_tag_may_be_an_enum_and_must_be_known_without_other() {
    same(&Stored { kind: Kind::Text, value: Closed::Text(Raw { bytes: b"ab" }) }, b"\x01\0ab");
    let number = Closed::Number(Point { x: 3 });
    same(&Stored { kind: Kind::Number, value: number.clone() }, &[2, 1, 0, 3]);
    assert_eq!(stopped::<Stored<'_>>(&[9, 0, 1, 2]), "value tag");
    // Nothing computes this tag, so it must be right.
    assert_eq!(refused(&Stored { kind: Kind::Text, value: number }), "value tag");
    let text = Closed::Text(Raw { bytes: b"" });
    let error = text.to_vec_with(Kind::Number).unwrap_err();
    assert_eq!((error.finding().code, text.to_vec_with(Kind::Text)), ("tag", Ok(Vec::new())));
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(tag = flags & 0x0f, args(flags: u8))]
enum Low<'a> {
    #[bin(id = 1)]
    One,
    #[bin(other)]
    Rest(u64, Raw<'a>),
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
struct Packed<'a> {
    #[bin(calc = flags & 0xf0 | tag(low))]
    flags: u8,
    #[bin(if = flags >= 0x80, args(flags))]
    low: Option<Low<'a>>,
}

#[test]
fn a_tag_may_be_computed_and_that_of_an_absent_field_is_0() {
    same(&Packed { flags: 0xa1, low: Some(Low::One) }, &[0xa1]);
    same(&Packed { flags: 0xa2, low: Some(Low::Rest(2, Raw { bytes: b"x" })) }, b"\xa2x");
    same(&Packed { flags: 0x10, low: None }, &[0x10]);
    assert_eq!(findings::<Packed<'_>>(&[0x11]), ["error flags derived"]);
}

/// Sixteen magics of four bytes, and of several lengths.
#[derive(BinFormat, Debug, PartialEq, Clone)]
enum Mixed {
    #[bin(magic = b"LONG")]
    Long(Point),
    #[bin(magic = b"LO_")]
    Less,
    #[bin(magic = b"X")]
    One(Point),
}

#[test]
fn magics_of_several_lengths_are_told_apart() {
    same(&Mixed::Long(Point { x: 1 }), b"LONG\0\x01");
    same(&Mixed::Less, b"LO_");
    same(&Mixed::One(Point { x: 1 }), b"X\0\x01");
    assert_eq!(stopped::<Mixed>(b"LON"), " end");
    assert_eq!(stopped::<Mixed>(b"LOX"), " variant");
    assert_eq!(stopped::<Mixed>(b"X\0"), "x end");
}

/// A tag that is a named number, and follows from the body.
#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[repr(u8)]
enum Form {
    Byte = 1,
    Word = 2,
    Absent = 0,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big, tag = kind, args(kind: Form))]
enum OfForm {
    #[bin(id = Form::Byte)]
    Byte(u8),
    #[bin(id = Form::Word)]
    Word(u16),
    #[bin(id = Form::Absent)]
    Absent,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct NamedTag {
    #[bin(calc = tag(body))]
    kind: Form,
    flags: u8,
    #[bin(flag = flags & 1, args(kind))]
    body: Option<OfForm>,
}

#[test]
fn a_named_number_is_computed_from_a_tag() {
    let value =
        |kind, body: Option<OfForm>| NamedTag { kind, flags: u8::from(body.is_some()), body };
    same(&value(Form::Word, Some(OfForm::Word(7))), b"\x02\x01\0\x07");
    same(&value(Form::Absent, None), b"\0\0");
    // What the struct holds counts for nothing.
    let stale = value(Form::Word, Some(OfForm::Byte(7)));
    assert_eq!(stale.to_vec().unwrap(), b"\x01\x01\x07");
    let mut streamed = Vec::new();
    stale.write_to(&mut streamed).unwrap();
    assert_eq!(streamed, b"\x01\x01\x07");
    assert_eq!(findings::<NamedTag>(b"\x02\0"), ["error kind derived"]);
    assert_eq!(stopped::<NamedTag>(b"\x03\0"), "kind value");
}
