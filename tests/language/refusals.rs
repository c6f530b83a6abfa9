//! What a writer refuses because its own reader would take it for something else.

use binfmt_runtime::BinFormat;

use super::{refused, same};

#[derive(BinFormat, Debug, PartialEq, Clone, Copy, Default)]
#[bin(little)]
#[repr(u16)]
enum Kind {
    #[default]
    Code = 1,
    Data = 2,
    #[bin(other)]
    Other(u16),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Kinds {
    one: Kind,
    pair: [Kind; 2],
    #[bin(if = one != 2)]
    more: Option<Kind>,
    #[bin(prefix = u8)]
    all: Vec<Kind>,
}

fn kinds(one: u16, pair: u16, more: u16, all: u16) -> Kinds {
    let kind = |number| if number == 2 { Kind::Data } else { Kind::Other(number) };
    Kinds {
        one: kind(one),
        pair: [Kind::Code, kind(pair)],
        more: Some(kind(more)),
        all: vec![Kind::Data, kind(all)],
    }
}

#[test]
fn an_unknown_number_is_one_without_a_name() {
    same(&kinds(3, 4, 5, 6), b"\x03\0\x01\0\x04\0\x05\0\x02\x02\0\x06\0");
    assert_eq!(refused(&kinds(1, 4, 5, 6)), "one value");
    assert_eq!(refused(&kinds(3, 1, 5, 6)), "pair[1] value");
    assert_eq!(refused(&kinds(3, 4, 1, 6)), "more value");
    assert_eq!(refused(&kinds(3, 4, 5, 1)), "all[1] value");
    assert_eq!(refused(&Kind::Other(2)), " value");
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[bin(little, bits = u8, lsb)]
struct Packed {
    #[bin(bits = 3)]
    low: u8,
    #[bin(bits = 5)]
    kind: Small,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[repr(u8)]
enum Small {
    None = 0,
    Some = 9,
    #[bin(other)]
    Other(u8),
}

#[test]
fn an_unknown_number_of_some_bits_is_one_without_a_name() {
    same(&Packed { low: 1, kind: Small::Other(2) }, &[0x11]);
    same(&Packed { low: 1, kind: Small::Some }, &[0x49]);
    assert_eq!(refused(&Packed { low: 1, kind: Small::Other(9) }), "kind value");
    assert_eq!(refused(&Packed { low: 1, kind: Small::Other(0) }), "kind value");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
enum Command {
    #[bin(magic = b"A")]
    End,
    #[bin(magic = b"BC")]
    Long(u16),
    Other(Raw),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Raw {
    #[bin(until_end)]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Commands {
    #[bin(prefix = u8)]
    sized: Vec<Sized>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Sized {
    #[bin(prefix = u8)]
    command: Command,
}

#[test]
fn a_variant_does_not_begin_like_an_earlier_one() {
    let other = |bytes: &[u8]| Command::Other(Raw { bytes: bytes.to_vec() });
    same(&other(b"CB"), b"CB");
    same(&other(b""), b"");
    same(&other(b"BD"), b"BD");
    for bytes in [&b"A"[..], b"AB", b"BC", b"BCx"] {
        assert_eq!(refused(&other(bytes)), " variant");
    }
    let all = |command: Command| Commands {
        sized: vec![Sized { command: Command::End }, Sized { command }],
    };
    same(&all(other(b"x")), b"\x02\x01A\x01x");
    assert_eq!(refused(&all(other(b"A"))), "sized[1].command variant");
}

/// Told apart by what stands two bytes behind the start.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(peek = 2)]
enum Model {
    #[bin(magic = b"EX")]
    Extended(Marked),
    Bare(Marked),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Marked {
    root: u16,
    mark: [u8; 2],
}

#[test]
fn what_is_peeked_at_stands_where_a_reader_looks() {
    let marked = |mark: &[u8; 2]| Marked { root: 1, mark: *mark };
    same(&Model::Extended(marked(b"EX")), b"\x01\0EX");
    same(&Model::Bare(marked(b"EY")), b"\x01\0EY");
    assert_eq!(refused(&Model::Extended(marked(b"EY"))), " variant");
    assert_eq!(refused(&Model::Bare(marked(b"EX"))), " variant");
}
