//! Numbers of the items of a table that the writer computes: `set(it.width = ..)`.

use binfmt_runtime::{Auto, BinFormat, Encoded, Seq, Severity, Xor};

use super::{findings, kept, refused, same, stopped};
use crate::laws;

/// A table that repeats what its values say.
#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Font<'a> {
    count: Auto<u8>,
    scale: u8,
    #[bin(count = count)]
    entries: Seq<'a, Entry>,
    #[bin(for_each = entries, at = it.at, len = it.len, set(it.number = index * scale,
        it.metrics.width = value.width, it.end = it.at + it.len))]
    glyphs: Vec<Glyph>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Entry {
    number: u16,
    at: u8,
    len: u8,
    metrics: Metrics,
    end: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct Metrics {
    kind: u8,
    width: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct Glyph {
    width: u8,
    #[bin(until_end)]
    rows: Vec<u8>,
}

const FONT: &[u8] = b"\x02\x05\0\0\x10\x03\x07\x08\x13\x05\0\x13\x01\0\x09\x14\x08ab\x09";

fn font(scale: u8) -> Font<'static> {
    let entry = |kind| Entry { metrics: Metrics { kind, width: 77 }, ..Entry::default() };
    let entries: &[Entry] = vec![entry(7), entry(0)].leak();
    let glyph = |width, rows: &[u8]| Glyph { width, rows: rows.into() };
    let glyphs = vec![glyph(8, b"ab"), glyph(9, b"")];
    Font { scale, entries: Seq::from(entries), glyphs, ..Font::default() }
}

#[test]
fn the_writer_computes_numbers_of_each_item() {
    assert_eq!(font(5).to_vec().unwrap(), FONT);
    let read = Font::parse(FONT).unwrap();
    same(&read, FONT);
    let changed = Font { scale: 2, ..read };
    let bytes = changed.to_vec().unwrap();
    assert_eq!(bytes[9], 2, "what the items hold is not asked for");
    let mut stream = Vec::new();
    font(5).write_to(&mut stream).unwrap();
    assert_eq!((stream, font(5).encoded_len()), (FONT.to_vec(), Ok(20)));
}

#[test]
fn a_validator_names_the_number_of_the_item() {
    let mut wrong = FONT.to_vec();
    (wrong[14], wrong[9]) = (10, 6);
    let report = Font::validate(&wrong);
    let lines: Vec<String> = report.errors().map(ToString::to_string).collect();
    let says = "the stored value disagrees with what it is computed from";
    assert_eq!(
        lines,
        [
            format!("entries[1].number at 0x9..0xb: {says}; expected 5, found 6 [derived]"),
            format!("entries[1].metrics.width at 0xe..0xf: {says}; expected 9, found 10 [derived]"),
        ]
    );
    assert!(Font::is_valid(&wrong), "readers go on");
    assert_eq!(Font::parse(&wrong).unwrap().to_vec().unwrap(), FONT);
}

/// Numbers that decide how the values are written, and one that is no offset.
#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little, level(derived = warning))]
struct Shaped {
    #[bin(prefix = u8)]
    heads: Vec<Head>,
    #[bin(for_each = heads, len = it.len)]
    names: Vec<Vec<u8>>,
    #[bin(for_each = heads, args(columns = it.columns, name = it.len), pad_before = it.space,
        set(it.columns = it.kind + 1, it.space = it.columns % 2))]
    rows: Vec<Row>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct Head {
    kind: u8,
    columns: u8,
    space: u8,
    len: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(args(columns: u8, name: u8))]
struct Row {
    #[bin(len = columns)]
    cells: Vec<u8>,
    #[bin(if = name > 1)]
    long: Option<u8>,
}

#[test]
fn numbers_that_decide_the_shape_are_set_before() {
    let head = |kind| Head { kind, columns: 99, space: 9, len: 9 };
    let row = |cells: &[u8], long| Row { cells: cells.into(), long };
    let value = Shaped {
        heads: vec![head(1), head(0)],
        names: vec![b"ab".to_vec(), b"c".to_vec()],
        rows: vec![row(b"xy", Some(5)), row(b"z", None)],
    };
    let bytes = b"\x02\x01\x02\0\x02\0\x01\x01\x01abcxy\x05\0z";
    assert_eq!(value.to_vec().unwrap(), bytes);
    same(&Shaped::parse(bytes).unwrap(), bytes);
    let short = Shaped { rows: vec![row(b"x", Some(5)), row(b"z", None)], ..value.clone() };
    assert_eq!(refused(&short), "rows[0].cells derived");
    let absent = Shaped { rows: vec![row(b"xy", None), row(b"z", None)], ..value };
    assert_eq!(refused(&absent), "rows[0].long presence");
    let wrong = b"\x01\0\x01\0\x01az";
    let report = Shaped::validate(wrong);
    let [finding] = report.findings() else { panic!("{report}") };
    let found = (finding.path.as_str(), finding.code, finding.severity);
    assert_eq!(found, ("heads[0].space", "derived", Severity::Warning));
}

/// What is asked of the value of an item.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Asked<'a> {
    #[bin(prefix = u8)]
    kinds: Vec<u16>,
    #[bin(for_each = kinds, if = it != 9, prefix = u8, set(it = len(value) % 8 + count(value)))]
    lists: Vec<Option<Vec<u16>>>,
    coded: [Coded; 2],
    #[bin(for_each = coded, at = it.at, len = it.len, nul,
        set(it.chars = len(value), it.twice = twice(value)))]
    texts: Vec<&'a str>,
    #[bin(for_each = coded, len = it.packed, codec = Xor(3), set(it.raw = decoded_len(value)))]
    packed: Vec<Encoded<Xor, Words>>,
    #[bin(for_each = coded, args(kind = index), set(it.tag = tag(value)))]
    shapes: Vec<Shape>,
}

fn twice(text: &str) -> u8 {
    u8::try_from(text.len() * 2).unwrap_or(u8::MAX)
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Default)]
struct Coded {
    at: u8,
    len: u8,
    chars: u8,
    twice: u8,
    packed: u8,
    raw: u8,
    tag: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Words {
    #[bin(until_end)]
    words: Vec<u16>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(kind: u8), tag = kind)]
enum Shape {
    #[bin(id = 0)]
    Dot(u8),
    #[bin(id = 1)]
    Line([u8; 2]),
}

#[test]
fn sizes_counts_and_tags_of_the_value_can_be_kept() {
    let words = |words: &[u16]| Encoded::new(Words { words: words.into() });
    let value = Asked {
        kinds: vec![0, 9, 0],
        lists: vec![Some(vec![5, 6]), None, Some(vec![])],
        coded: [Coded::default(); 2],
        texts: vec!["ab", ""],
        packed: vec![words(&[1]), words(&[1, 2])],
        shapes: vec![Shape::Dot(4), Shape::Line([5, 6])],
    };
    let bytes: &[u8] = b"\x03\x06\0\x09\0\0\0\x02\x05\0\x06\0\0\x24\x02\x02\x04\x02\x02\0\
        \x27\0\0\0\x04\x04\x01\x02\x03\x02\x03\x01\x03\x04\x05\x06ab\0\0";
    assert_eq!(value.to_vec().unwrap(), bytes);
    let read = Asked::parse(bytes).unwrap();
    assert_eq!((&read.lists, &read.shapes), (&value.lists, &value.shapes));
    same(&read, bytes);
    let wrong: &[u8] = b"\x03\x06\0\x09\0\x01\0\x02\x05\0\x06\0\0\x24\x02\x02\x04\x02\x03\0\
        \x27\0\0\0\x04\x04\0\x02\x03\x02\x03\x01\x03\x04\x05\x06ab\0\0";
    assert_eq!(
        findings::<Asked<'_>>(wrong),
        ["error kinds[2] derived", "error coded[0].raw derived", "error coded[1].tag derived"]
    );
}

/// A number of an item without a value says something else, and one that is read before is used.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Absent<'a> {
    #[bin(prefix = u8)]
    entries: Vec<Head>,
    #[bin(for_each = entries, if = it.kind == 1, at = it.space, null = 0, len = it.len,
        set(it.columns = first(value)))]
    values: Vec<Option<&'a [u8]>>,
}

fn first(bytes: &[u8]) -> u8 {
    bytes.first().copied().unwrap_or(0)
}

#[test]
fn items_without_a_value_keep_what_they_say() {
    let head = |kind, columns| Head { kind, columns, space: 0, len: 0 };
    let value =
        Absent { entries: vec![head(1, 0), head(0, 55)], values: vec![Some(b"\x07a"), None] };
    let bytes = b"\x02\x01\x07\x09\x02\0\x37\0\0\x07a";
    assert_eq!(value.to_vec().unwrap(), bytes);
    kept(&Absent::parse(bytes).unwrap(), bytes);
    assert_eq!(stopped::<Absent<'_>>(b"\x01\x01\x07\x09\x02"), "entries[0].space offset");
}

/// The value computes a number of its own that an item repeats.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Repeats {
    #[bin(prefix = u8)]
    entries: Vec<Head>,
    #[bin(for_each = entries, set(it.len = value.len))]
    values: Vec<Counted>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Counted {
    len: u8,
    #[bin(len = len)]
    bytes: Vec<u8>,
}

#[test]
fn a_number_that_the_value_computes_must_be_what_is_written() {
    let counted = |len| Counted { len, bytes: b"ab".to_vec() };
    let value = |len| Repeats { entries: vec![Head::default()], values: vec![counted(len)] };
    let bytes = b"\x01\0\0\0\x02\x02ab";
    assert_eq!(value(2).to_vec().unwrap(), bytes);
    laws::hold::<Repeats>(bytes, ());
    assert_eq!(refused(&value(9)), "values[0].len derived");
}

/// A place, and where what lies there ends.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Spans {
    #[bin(prefix = u8)]
    table: Vec<Span>,
    #[bin(for_each = table, at = it.first, len = it.last + 1 - it.first)]
    parts: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, Default, PartialEq)]
struct Span {
    last: u8,
    first: u8,
}

#[test]
fn the_end_of_a_value_follows_from_its_place() {
    laws::round_trip::<Spans>(b"\x02\x07\x05\x08\x08abcd", ());
    let spans =
        Spans { table: vec![Span::default(); 2], parts: vec![b"abcde".into(), b"f".into()] };
    assert_eq!(spans.to_vec().unwrap(), b"\x02\x09\x05\x0a\x0aabcdef");
    let mut read = Spans::parse(b"\x02\x07\x05\x08\x08abcd").unwrap();
    read.parts[0].push(b'!');
    laws::hold::<Spans>(read.to_vec().unwrap().leak(), ());
}
