//! Values that take all that is left of their region, wherever they stand: nothing is written behind them that a
//! reader would take for a part of them.

use std::fmt::Debug;

use binfmt_runtime::{BinFormat, Blob, DefaultArgs, FlatBuffer, FlatBuild, laws};

#[derive(BinFormat, Debug, PartialEq)]
struct Followed<'a> {
    first: u8,
    rest: Blob<'a>,
    last: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Items<'a> {
    #[bin(prefix = u8)]
    parts: Vec<Blob<'a>>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Pair<'a> {
    pair: (u8, Blob<'a>),
    last: [u8; 1],
}

#[derive(BinFormat, Debug, PartialEq)]
struct Padded<'a> {
    room: u8,
    #[bin(pad_to = room)]
    rest: Blob<'a>,
    last: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct At<'a> {
    #[bin(count = 2)]
    offsets: Vec<u8>,
    #[bin(for_each = offsets, at = it, base = start)]
    values: Vec<Blob<'a>>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Either<T> {
    value: T,
    last: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Ended<'a> {
    size: u8,
    #[bin(len = size)]
    inner: Box<Last<'a>>,
    last: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Last<'a> {
    first: u8,
    rest: Blob<'a>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(flatbuffer)]
struct Table {
    #[bin(slot = 0)]
    number: u32,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Buffers<'a> {
    #[bin(prefix = u8)]
    tables: Vec<FlatBuffer<'a, Table>>,
}

/// What the writer makes of a value: bytes that are read as that value, or a refusal.
fn written<T>(value: &T) -> Result<Vec<u8>, String>
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
{
    let written = laws::written_is_read(value, T::default_args()).unwrap();
    written.map(<[u8]>::to_vec).map_err(|error| error.finding().code.to_owned())
}

#[test]
fn nothing_follows_a_payload() {
    let some = Blob::from(&b"abc"[..]);
    let until = || Err("until".to_owned());
    assert_eq!(written(&Followed { first: 1, rest: some, last: 5 }), until());
    assert_eq!(written(&Items { parts: vec![some, some] }), until());
    assert_eq!(written(&Items { parts: vec![some] }).unwrap(), b"\x01abc");
    assert_eq!(written(&Pair { pair: (1, some), last: [2] }), until());
    assert_eq!(written(&Padded { room: 9, rest: some, last: 1 }), until());
    assert_eq!(written(&At { offsets: vec![0, 0], values: vec![some, some] }), until());
    assert_eq!(written(&Either { value: some, last: 1 }), until());
}

#[test]
fn a_length_around_a_payload_ends_it() {
    let inner = Box::new(Last { first: 1, rest: Blob::from(&b"abc"[..]) });
    assert_eq!(written(&Ended { size: 0, inner, last: 5 }).unwrap(), b"\x04\x01abc\x05");
}

#[test]
fn nothing_follows_a_buffer() {
    let bytes: &'static [u8] = Table { number: 7 }.to_buffer().unwrap().leak();
    let table = || FlatBuffer::<Table>::parse(bytes).unwrap();
    assert_eq!(written(&Buffers { tables: vec![table(), table()] }), Err("until".to_owned()));
    assert_eq!(written(&Buffers { tables: vec![table()] }).unwrap().len(), bytes.len() + 1);
    assert_eq!(written(&Either { value: table(), last: 1 }), Err("until".to_owned()));
}
