//! Shapes told apart by a magic or by reading.

use binfmt_runtime::{Auto, BinFormat, Seq};

use super::{findings, refused, same, stopped, survives};

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
enum Chunk {
    #[bin(magic = b"END")]
    End,
    #[bin(magic = 0x4e41u16)]
    Name(Name),
    #[bin(magic = b"#")]
    Number(Number),
    Other(Name),
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
struct Name {
    len: Auto<u8>,
    #[bin(len = len)]
    text: String,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Number {
    #[bin(check(value != 0, "the number is 0"))]
    value: u16,
}

fn name(text: &str) -> Name {
    Name { text: text.to_owned(), ..Name::default() }
}

#[derive(BinFormat, Debug, PartialEq)]
struct Chunks<'a> {
    #[bin(until_end)]
    chunks: Seq<'a, Chunk>,
}

#[test]
fn a_magic_tells_variants_apart_and_the_last_may_have_none() {
    let chunks = vec![
        Chunk::Name(name("a")),
        Chunk::Number(Number { value: 7 }),
        Chunk::Other(name("b")),
        Chunk::End,
    ];
    same(&Chunks { chunks: Seq::from(chunks.leak() as &[Chunk]) }, b"NA\x01a#\0\x07\x01bEND");
    assert_eq!(findings::<Chunks<'_>>(b"#\0\0END"), ["error chunks[0].value Number.value"]);
    assert_eq!(findings::<Chunks<'_>>(b"#\0\x01E"), ["error chunks[1].len size"]);
    assert_eq!(refused(&Chunk::Number(Number { value: 0 })), "value Number.value");
}

#[derive(BinFormat, Debug, PartialEq)]
enum Strict {
    #[bin(magic = b"A")]
    A(Name),
    #[bin(magic = b"B")]
    B,
}

#[test]
fn bytes_that_no_variant_begins_with_stop_a_reader() {
    same(&Strict::A(name("xy")), b"A\x02xy");
    same(&Strict::B, b"B");
    assert_eq!(stopped::<Strict>(b"C"), " variant");
    assert_eq!(stopped::<Strict>(b""), " end");
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(probe, args(most: u8 = 9))]
enum Either {
    #[bin(args(most))]
    Short(Short),
    #[bin(args(most = most, least = 1))]
    Long(Long),
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big, args(most: u8 = 9))]
struct Short {
    #[bin(check(value <= most, "{value} is above {most}"))]
    value: u8,
    end: End,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big, args(most: u8 = 9, least: u8 = 0))]
struct Long {
    #[bin(check(value <= most && value >= least, "{value} is not in {least} to {most}"))]
    value: u16,
    end: End,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(magic = b"!")]
struct End {}

#[test]
fn a_probe_takes_the_variant_that_passes_or_gets_furthest() {
    same(&Either::Short(Short { value: 5, end: End {} }), b"\x05!");
    same(&Either::Long(Long { value: 5, end: End {} }), b"\0\x05!");
    // Both walk to their end, and both rules are broken: the first one is blamed.
    assert_eq!(stopped::<Either>(b"\x0b!!"), "value Short.value");
    // Only the second one walks to its end.
    assert_eq!(stopped::<Either>(b"\x0b\x05!"), "value Long.value");
    // Neither does: the second one breaks behind the first one.
    assert_eq!(stopped::<Either>(b"\0\x05?"), "end.magic magic");
    assert_eq!(Either::parse(b"\0\x05?").unwrap_err().finding().start, 2);
    survives::<Either>(b"\x05!", 5);
    assert!(Either::parse_with(b"\x05!", 4).is_err());
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(peek = 1)]
enum Marked {
    #[bin(magic = b"!")]
    Short(Short),
    #[bin(magic = b"??")]
    Odd(Odd),
    Plain(Plain),
}

#[derive(BinFormat, Debug, PartialEq)]
struct Odd {
    value: u8,
    #[bin(one_of = [b"??"])]
    mark: [u8; 2],
}

#[derive(BinFormat, Debug, PartialEq)]
struct Plain {
    value: u8,
}

#[test]
fn a_peeked_magic_is_a_part_of_the_value() {
    same(&Marked::Short(Short { value: 5, end: End {} }), b"\x05!");
    same(&Marked::Odd(Odd { value: 5, mark: *b"??" }), b"\x05??");
    same(&Marked::Plain(Plain { value: 5 }), b"\x05");
    // One byte of a magic is none.
    let (value, rest) = Marked::parse_prefix(b"\x05?").unwrap();
    assert_eq!((value, rest), (Marked::Plain(Plain { value: 5 }), &b"?"[..]));
    assert_eq!(stopped::<Marked>(b"\x0b!"), "value Short.value");
    assert_eq!(stopped::<Marked>(b""), "value end");
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(probe)]
enum Twins {
    One(End),
    Two(Stop),
}

/// Reads like an `End`.
#[derive(BinFormat, Debug, PartialEq)]
#[bin(magic = b"!")]
struct Stop {}

#[test]
fn several_passing_variants_are_a_note() {
    assert_eq!(Twins::parse(b"!").unwrap(), Twins::One(End {}));
    assert_eq!(findings::<Twins>(b"!"), ["note  ambiguous"]);
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little)]
struct Pair<T> {
    count: Auto<u8>,
    first: T,
    #[bin(count = count)]
    more: Vec<T>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Generic<const N: usize> {
    #[bin(check(len(bytes) == N, "that is the wrong number of bytes"))]
    bytes: [u8; N],
    pairs: Pair<Name>,
}

#[test]
fn declared_types_may_be_generic() {
    let pairs = Pair { first: name("a"), more: vec![name(""), name("b")], ..Pair::default() };
    same(&Generic { bytes: *b"xyz", pairs }, b"xyz\x02\x01a\0\x01b");
}
