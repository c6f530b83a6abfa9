//! What a reader cannot pay for is not written, and what one has paid for is written again.

use std::fmt::Debug;

use binfmt_runtime::{Auto, BinFormat, DefaultArgs, Deflate, Encoded, Error, Family, laws};

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little)]
struct Nest {
    at: u32,
    size: u32,
    #[bin(section, len = size)]
    room: Vec<u8>,
    #[bin(at = at, null = 0xffff_ffff, base = room, place = room)]
    value: Option<Box<Self>>,
    #[bin(prefix = u32)]
    data: Vec<u8>,
}

/// The same where the values grow downwards, in sections that keep their length.
#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little)]
struct Down {
    at: u32,
    size: u32,
    #[bin(section, len = size, grow = down)]
    room: Vec<u8>,
    #[bin(at = at, null = 0xffff_ffff, base = room, place = room)]
    value: Option<Box<Self>>,
    #[bin(prefix = u32)]
    data: Vec<u8>,
}

fn down(depth: u32, len: u32) -> Down {
    let (data, at) = (vec![1; len as usize], u32::MAX);
    let inner = Down { at, data, ..Down::default() };
    (0..depth).fold(inner, |inner, level| {
        let size = 12 + len + level * 12;
        let room = vec![0; size as usize];
        Down { size, room, value: Some(Box::new(inner)), ..Down::default() }
    })
}

/// A value in the open section of another one, with one of its own inside.
#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little)]
struct Around {
    at: u32,
    #[bin(section = open, len = remaining)]
    room: Vec<u8>,
    #[bin(at = at, base = room, place = room)]
    value: Chain,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little)]
struct Chain {
    next: u32,
    #[bin(prefix = u32)]
    data: Vec<u8>,
    #[bin(at = next, null = 0, base = file, place = around)]
    value: Option<Box<Self>>,
}

fn nest(depth: usize, len: usize) -> Nest {
    let inner = Nest { at: u32::MAX, data: vec![1; len], ..Nest::default() };
    (0..depth).fold(inner, |inner, _| Nest { value: Some(Box::new(inner)), ..Nest::default() })
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Nothing {}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Nothings {
    n: Auto<u16>,
    #[bin(count = n)]
    first: Vec<Nothing>,
    m: Auto<u16>,
    #[bin(count = m)]
    second: Vec<Nothing>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Apart {
    at: u16,
    #[bin(section = open, len = remaining)]
    room: Vec<u8>,
    #[bin(at = at, base = room, place = room)]
    value: Nothings,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Payload {
    #[bin(until_end)]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Packed {
    #[bin(prefix = u32)]
    body: Encoded<Deflate, Payload>,
}

fn packed(len: usize) -> Packed {
    Packed { body: Encoded::from(Payload { bytes: vec![0; len] }) }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Seen {
    #[bin(prefix = u32)]
    data: Vec<u8>,
    #[bin(at = 4, len = 3000, view)]
    view: Vec<u8>,
    packed: Packed,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Counted {
    n: Auto<u16>,
    #[bin(count = n)]
    items: Vec<Nothing>,
    packed: Packed,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Open {
    at: u32,
    #[bin(section = open, len = remaining)]
    room: Vec<u8>,
    #[bin(at = at, base = room, place = room)]
    packed: Packed,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Shared {
    #[bin(prefix = u8)]
    table: Vec<u32>,
    #[bin(for_each = table, at = it, shared)]
    values: Vec<Packed>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Twice {
    kind: u8,
    value: Packed,
    #[bin(at = 1, view)]
    again: Packed,
}

/// Values that share a place, each with another one at an offset inside, which a reader visits with every one.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Deep {
    #[bin(prefix = u16)]
    table: Vec<u32>,
    #[bin(for_each = table, at = it, shared)]
    values: Vec<Far>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Far {
    at: u32,
    #[bin(at = at, prefix = u16, base = start)]
    there: Vec<u8>,
}

/// Writes a value to all outputs: either none takes it, and says that a reader cannot pay, or its reader reads it.
fn read_or_refused<T>(value: &T) -> Option<Vec<u8>>
where
    T: for<'a> BinFormat<'a, Args = ()> + for<'a> DefaultArgs<'a> + Debug + PartialEq + Family,
{
    let mut stream = Vec::new();
    let streamed = value.write_to(&mut stream);
    match value.to_vec() {
        Ok(bytes) => {
            assert!(streamed.is_ok() && stream == bytes, "a stream gets the same");
            assert_eq!(value.encoded_len().unwrap(), bytes.len() as u64);
            assert_eq!(value.write_into(&mut vec![0; bytes.len()]).unwrap(), bytes.len());
            let read =
                T::parse(&bytes).unwrap_or_else(|error| panic!("{error}: {} bytes", bytes.len()));
            assert!(
                read == *value || read.to_vec().unwrap() == bytes,
                "what is read is written again"
            );
            assert!(T::validate(&bytes).is_ok(), "{}", T::validate(&bytes));
            Some(bytes)
        }
        Err(error) => {
            let is_cost = |error: &Error| error.finding().code == "budget";
            assert!(is_cost(&error), "{error}");
            assert!(streamed.is_err() && stream.is_empty(), "nothing is written");
            assert!(is_cost(&value.encoded_len().unwrap_err()));
            assert!(is_cost(&value.write_into(&mut vec![0; 1 << 23]).unwrap_err()));
            None
        }
    }
}

/// Of growing values small ones are written, and from some on none is.
fn up_to_one<T>(values: impl Iterator<Item = T>)
where
    T: for<'a> BinFormat<'a, Args = ()> + for<'a> DefaultArgs<'a> + Debug + PartialEq + Family,
{
    let written: Vec<bool> = values.map(|value| read_or_refused(&value).is_some()).collect();
    let first = written.iter().position(|written| !written).unwrap_or(written.len());
    assert!(first > 0 && first < written.len(), "{written:?}");
    assert!(written[first..].iter().all(|written| !written), "{written:?}");
}

#[test]
fn values_in_sections_of_values_cost_what_their_sections_do() {
    up_to_one((1..14).map(|depth| nest(depth, 1000)));
    up_to_one((1..24).map(|depth| nest(depth, 10)));
    up_to_one((1..14).map(|depth| down(depth, 1000)));
}

#[test]
fn a_chain_of_values_costs_each_once() {
    for len in [1, 8, 20, 40] {
        let chain = (0..len).fold(Chain::default(), |inner, byte| Chain {
            next: 1,
            data: vec![byte; 9],
            value: Some(Box::new(inner)),
        });
        let around = Around { at: 0, room: vec![], value: chain };
        let bytes = read_or_refused(&around.settle(&mut Vec::new()).unwrap());
        assert!(bytes.is_some(), "{len}");
    }
}

#[test]
fn items_without_bytes_cost_beside_what_lies_at_an_offset() {
    let apart = |n: usize| {
        let value = Nothings {
            n: Auto::new(),
            first: vec![Nothing {}; n],
            m: Auto::new(),
            second: vec![Nothing {}; 37],
        };
        Apart { at: 0, room: vec![], value }
    };
    up_to_one((60..90).map(apart));
}

#[test]
fn what_is_visited_again_leaves_less_for_what_is_decoded() {
    let seen = |len: usize| {
        let data = vec![1; 3000];
        Seen { view: data.clone(), data, packed: packed(len) }
    };
    up_to_one((0..6).map(|n| seen(1_240_000 + n * 20_000)));
    let counted =
        |len| Counted { n: Auto::new(), items: vec![Nothing {}; 5000], packed: packed(len) };
    up_to_one((0..8).map(|n| counted(960_000 + n * 40_000)));
}

#[test]
fn values_that_are_encoded_once_are_decoded_once() {
    for len in [0, 300_000, 600_000, 900_000] {
        let open = Open { at: 0, room: vec![], packed: packed(len) };
        assert!(read_or_refused(&open).is_some(), "{len}");
        let shared = Shared { table: vec![9, 9], values: vec![packed(len / 2), packed(len / 2)] };
        assert!(read_or_refused(&shared).is_some(), "{len}");
        let twice = Twice { kind: 1, value: packed(len / 2), again: packed(len / 2) };
        assert!(read_or_refused(&twice).is_some(), "{len}");
    }
    up_to_one((0..8).map(|n| Open { at: 0, room: vec![], packed: packed(960_000 + n * 40_000) }));
}

#[test]
fn values_of_one_place_are_visited_with_all_inside() {
    let deep = |count: usize| {
        let far = Far { at: 4, there: vec![7; 1000] };
        Deep { table: vec![0; count], values: vec![far; count] }
    };
    up_to_one([1, 2, 4, 6, 8, 10, 12, 16, 32].into_iter().map(deep));
}

/// Each field ends with the last of a byte, which is searched in all that is left.
#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
struct Searched {
    #[bin(until = peek_last(b"0"))]
    a: String,
    #[bin(magic = b"0", until = peek_last(b"1"))]
    b: String,
    #[bin(magic = b"1", until = peek_last(b"2"))]
    c: String,
    #[bin(magic = b"2", until = peek_last(b"3"))]
    d: String,
    #[bin(magic = b"3", until = peek_last(b"4"))]
    e: String,
    #[bin(magic = b"4", until = peek_last(b"5"))]
    f: String,
    #[bin(magic = b"5", until = peek_last(b"6"))]
    g: String,
    #[bin(magic = b"6", until = peek_last(b"7"))]
    h: String,
    #[bin(magic = b"7", until = peek_last(b"8"))]
    i: String,
    #[bin(magic = b"8", until_end)]
    rest: String,
}

#[test]
fn what_is_searched_costs_what_is_left() {
    let searched = |len: usize| Searched { rest: "z".repeat(len), ..Searched::default() };
    up_to_one([0, 10, 30, 50, 100, 200, 1000].into_iter().map(searched));
}

#[test]
fn what_a_reader_pays_for_is_written_as_it_was_read() {
    for bytes in [
        nest(3, 10).to_vec().unwrap(),
        Shared { table: vec![9, 9], values: vec![packed(300), packed(300)] }.to_vec().unwrap(),
    ] {
        laws::hold::<Nest>(bytes.clone().leak(), ()).unwrap();
        laws::hold::<Shared>(bytes.leak(), ()).unwrap();
    }
}
