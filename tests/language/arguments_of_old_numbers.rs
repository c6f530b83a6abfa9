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

pub(crate) fn written<'a, T>(value: &T, expected: &[u8])
where
    T: BinFormat<'a> + DefaultArgs<'a> + PartialEq + Debug,
{
    let args = T::default_args();
    assert_eq!(laws::written_is_read(value, args).unwrap().unwrap(), expected, "{value:?}");
    let settled = laws::settled(value, args).unwrap().unwrap();
    assert_eq!(settled.to_vec_with(args).unwrap(), expected);
    assert_eq!(value.encoded_len_with(args).unwrap(), expected.len() as u64);
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

/// A value computes a number from one that is known behind it, which may be anything until then.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, args(total: u16))]
struct Less {
    #[bin(calc = total - 3)]
    less: u16,
}

/// The number is a place,
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct OfAPlace {
    at: u16,
    #[bin(args(total = at))]
    less: Less,
    #[bin(at = at)]
    behind: u8,
}

/// the length of the type,
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, len = size)]
struct OfALength {
    size: u16,
    #[bin(args(total = size))]
    less: Less,
    #[bin(until_end)]
    rest: Vec<u8>,
}

/// or stands in an item.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct OfItems {
    #[bin(prefix = u8)]
    table: Vec<u16>,
    #[bin(for_each = table, at = it, args(total = it))]
    values: Vec<Less>,
}

#[test]
fn a_number_that_cannot_be_computed_yet_stops_no_writer() {
    for old in [0, 2, 5, 300] {
        let less = Less { less: old };
        let place = OfAPlace { at: 0, less: less.clone(), behind: 1 };
        assert_eq!(place.to_vec().unwrap(), [4, 0, 1, 0, 1]);
        let length = OfALength { size: old, less: less.clone(), rest: vec![7; 2] };
        assert_eq!(length.to_vec().unwrap(), [6, 0, 3, 0, 7, 7]);
        let items = OfItems { table: vec![0, 0], values: vec![less.clone(), less] };
        assert_eq!(items.to_vec().unwrap(), [2, 5, 0, 7, 0, 2, 0, 4, 0]);
    }
    // One that cannot be computed from what is written is refused.
    let nothing = OfItems { table: vec![], values: vec![] };
    assert_eq!(nothing.to_vec().unwrap(), [0]);
    let error = OfTwo { size: 0, few: Few { less: 0 } }.to_vec().unwrap_err();
    assert_eq!((error.finding().path.as_str(), error.finding().code), ("few.less", "overflow"));
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(len = size)]
struct OfTwo {
    size: u8,
    #[bin(args(total = size))]
    few: Few,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(total: u8))]
struct Few {
    #[bin(calc = total - 3)]
    less: u8,
}
