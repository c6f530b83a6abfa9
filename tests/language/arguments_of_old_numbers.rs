//! Arguments that follow from a number which the writer computes: what the value holds in its place may give no
//! argument at all, and decides nothing.

use std::fmt::Debug;

use binfmt_runtime::{Auto, BinFormat, DefaultArgs, laws};

/// A body with one byte less than its size says, as in the chunks of a Minecraft region.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Chunk {
    len: u32,
    #[bin(len = len, args(room = len - 1))]
    body: Body,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(room: u8))]
struct Body {
    kind: u8,
    #[bin(len = room)]
    data: Vec<u8>,
}

fn body() -> Body {
    Body { kind: 1, data: b"abc".to_vec() }
}

/// The same for a table.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Table {
    #[bin(prefix = u8)]
    rows: Vec<Row>,
    #[bin(for_each = rows, at = it.at, len = it.len, args(room = it.len - 1))]
    bodies: Vec<Body>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Row {
    at: u8,
    len: u32,
}

/// The same for what the next item is given.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Linked {
    count: Auto<u8>,
    #[bin(count = count, args(from = previous.end - 1 or 3))]
    items: Vec<Ending>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, args(from: u8))]
struct Ending {
    end: u32,
    #[bin(len = end - from)]
    data: Vec<u8>,
}

/// The same for what a function is given.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Coded {
    len: u32,
    #[bin(len = len, with = shifted, args(len - 1))]
    data: Vec<u8>,
}

mod shifted {
    use binfmt_runtime::{Cursor, Fault, Writer};

    pub(super) fn read(cur: &mut Cursor<'_>, by: u8) -> Result<Vec<u8>, Fault> {
        let bytes = cur.take(u64::try_from(cur.remaining()).unwrap()).ok_or(Fault::at(0))?;
        Ok(bytes.iter().map(|byte| byte.wrapping_sub(by)).collect())
    }

    pub(super) fn write(data: &[u8], out: &mut Writer<'_>, by: u8) -> Result<(), Fault> {
        out.put(&data.iter().map(|byte| byte.wrapping_add(by)).collect::<Vec<u8>>())
    }
}

const OLD: [u32; 7] = [0, 1, 4, 5, 255, 256, u32::MAX];

fn written<'a, T>(value: &T, expected: &[u8])
where
    T: BinFormat<'a> + DefaultArgs<'a> + PartialEq + Debug,
{
    let args = T::default_args();
    assert_eq!(laws::written_is_read(value, args).unwrap().unwrap(), expected, "{value:?}");
    let settled = laws::settled(value, args).unwrap().unwrap();
    assert_eq!(settled.to_vec_with(args).unwrap(), expected);
}

#[test]
fn what_an_old_number_gives_as_an_argument_decides_nothing() {
    for old in OLD {
        written(&Chunk { len: old, body: body() }, b"\0\0\0\x04\x01abc");
        let value = Table { rows: vec![Row { at: 9, len: old }; 2], bodies: vec![body(), body()] };
        written(&value, b"\x02\x0b\x04\0\0\0\x0f\x04\0\0\0\x01abc\x01abc");
        let item = |data: &[u8]| Ending { end: old, data: data.to_vec() };
        let value = Linked { count: Auto::new(), items: vec![item(b"abc"), item(b"de")] };
        written(&value, b"\x02\x06\0\0\0abc\x07\0\0\0de");
        written(&Coded { len: old, data: b"abc".to_vec() }, b"\x03\0\0\0cde");
    }
}

/// Bodies that no number gives an argument for.
#[test]
fn what_gives_no_argument_in_the_end_is_refused() {
    let nothing = Coded { len: 7, data: Vec::new() };
    let error = nothing.to_vec().unwrap_err().to_string();
    assert!(error.contains("an argument cannot be computed"), "{error}");
    assert!(Coded::parse(b"\0\0\0\0").is_err());
    let long = Chunk { len: 0, body: Body { kind: 1, data: vec![0; 300] } };
    assert!(long.to_vec().is_err());
}
