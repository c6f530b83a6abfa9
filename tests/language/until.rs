//! Sequences that end with the first item that meets a condition.

use binfmt_runtime::{Auto, BinFormat, Leb128, U24};

use super::{findings, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct List {
    end: u8,
    closing: u8,
    #[bin(until = last.kind == Kind::End)]
    chunks: Vec<Chunk>,
    #[bin(until = last == end)]
    bytes: Vec<Leb128<u8>>,
    #[bin(len = 6, until = last == 0 || count(chunks) > 2)]
    words: Vec<U24>,
    size: Auto<u8>,
    #[bin(len = size, until = stops(last))]
    pairs: Vec<[u8; 2]>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Chunk {
    kind: Kind,
    #[bin(prefix = u8)]
    data: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[repr(u8)]
enum Kind {
    End = 0,
    Data = 1,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "expressions pass what is no number by reference"
)]
fn stops([a, b]: &[u8; 2]) -> bool {
    a == b
}

fn chunk(kind: Kind, data: &[u8]) -> Chunk {
    Chunk { kind, data: data.to_vec() }
}

fn example() -> List {
    List {
        end: 7,
        closing: 0,
        chunks: vec![chunk(Kind::Data, b"ab"), chunk(Kind::End, b"")],
        bytes: vec![6.into(), 7.into()],
        words: vec![U24::new(1).unwrap(), U24::default()],
        size: Auto::new(),
        pairs: vec![[1, 2], [3, 3]],
    }
}

#[test]
fn the_item_that_meets_the_condition_is_the_last_one() {
    same(&example(), b"\x07\x00\x01\x02ab\x00\x00\x06\x07\x01\0\0\0\0\0\x04\x01\x02\x03\x03");
    assert_eq!(stopped::<List>(b"\x07\x00\x01\x00"), "chunks[1].kind end");
    assert_eq!(stopped::<List>(b"\x07\x00\x00\x00\x06"), "bytes[1] end");
    assert_eq!(
        stopped::<List>(b"\x07\x00\x00\x00\x07\0\0\0\x01\0\0\x02\x01\x01"),
        "words leftover"
    );
    assert_eq!(
        findings::<List>(b"\x07\x00\x00\x00\x07\x01\0\0\0\0\0\x03\x01\x01\x02"),
        ["error pairs leftover"]
    );
}

#[test]
fn items_that_end_too_early_or_never_are_not_written() {
    let value = example();
    assert_eq!(refused(&List { chunks: vec![], ..value.clone() }), "chunks until");
    let twice = vec![7.into(), 7.into()];
    assert_eq!(refused(&List { bytes: twice, ..value.clone() }), "bytes[0] until");
    assert_eq!(refused(&List { pairs: vec![[1, 2]], ..value }), "pairs until");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Empty {
    #[bin(if = false)]
    nothing: Option<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Endless {
    #[bin(until = last.nothing.is_some())]
    items: Vec<Empty>,
}

#[test]
fn an_item_of_no_bytes_does_not_repeat_for_ever() {
    assert_eq!(stopped::<Endless>(b"abc"), "items size");
}
