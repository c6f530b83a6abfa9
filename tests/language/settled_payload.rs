//! What `settle` must not do: give a value with another payload. Bytes made with an old number and read with
//! the new one may stand for something else.

#![allow(
    clippy::trivially_copy_pass_by_ref,
    clippy::unnecessary_wraps,
    reason = "`with` and `map` say what functions take"
)]

use std::fmt::Debug;

use binfmt_runtime::{BinFormat, Encoded, Order, Xor};

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Head {
    count: u8,
    #[bin(len = count)]
    bytes: Vec<u8>,
}

fn head(count: u8) -> Head {
    Head { count, bytes: vec![1, 2, 3] }
}

/// What is settled has the payload of the value; else it is refused.
#[track_caller]
fn keeps<T, P>(value: &T, payload: impl Fn(&T) -> P)
where
    T: BinFormat<'static, Args = ()> + Debug,
    P: PartialEq + Debug,
{
    if let Ok(settled) = value.settle_with(Box::leak(Box::default()), ()) {
        assert_eq!(payload(&settled), payload(value), "{value:?}");
    }
    if let Ok(settled) = value.compact().settle_with(Box::leak(Box::default()), ()) {
        assert_eq!(payload(&settled), payload(value), "{value:?}");
    }
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(endian = if head.count > 2 { Order::Big } else { Order::Little })]
struct Ordered {
    head: Head,
    number: u16,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Keyed {
    head: Head,
    #[bin(prefix = u8, codec = Xor(head.count))]
    inner: Encoded<Xor, Inner>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Inner {
    number: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Mapped {
    head: Head,
    #[bin(map(u8, times, over), args(head.count))]
    number: u32,
}

fn times(stored: u8, by: u8) -> u32 {
    u32::from(stored) * u32::from(by)
}

fn over(number: &u32, by: u8) -> Option<u8> {
    u8::try_from(number.checked_div(u32::from(by))?).ok()
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Sealed {
    head: Head,
    #[bin(with = sealed, args(head.count))]
    number: u8,
}

mod sealed {
    use binfmt_runtime::{Cursor, Fault, Writer};

    pub(super) fn read(cur: &mut Cursor<'_>, key: u8) -> Result<u8, Fault> {
        cur.take_array::<1>().map(|byte| byte[0] ^ key).ok_or(Fault::at(cur.pos()))
    }

    pub(super) fn write(number: &u8, out: &mut Writer<'_>, key: u8) -> Result<(), Fault> {
        out.put(&[number ^ key])
    }
}

#[test]
fn what_old_numbers_make_of_bytes_is_not_settled() {
    for count in 0..5 {
        keeps(&Ordered { head: head(count), number: 0x0102 }, |value| value.number);
        let inner = Encoded::new(Inner { number: 9 });
        keeps(&Keyed { head: head(count), inner }, |value| value.inner.number);
        keeps(&Mapped { head: head(count), number: 30 }, |value| value.number);
        keeps(&Sealed { head: head(count), number: 9 }, |value| value.number);
    }
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Quads {
    #[bin(map(u8, quads, in_quads))]
    number: u32,
}

fn quads(stored: u8) -> u32 {
    u32::from(stored) * 4
}

fn in_quads(number: &u32) -> Option<u8> {
    u8::try_from(number / 4).ok()
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Tagged {
    kind: u8,
    #[bin(args(kind))]
    shape: Shape,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, tag = kind, args(kind: u8))]
enum Shape {
    #[bin(id = 1)]
    One(u16),
    #[bin(other)]
    Other(u8, u16),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Named {
    len: u8,
    #[bin(if = len > 0, len = len)]
    text: Option<String>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Flagged {
    flag: u8,
    #[bin(if = flag == 1)]
    len: Option<u8>,
    #[bin(if = flag == 1, len = len)]
    text: Option<String>,
}

#[test]
fn what_rules_alone_forbid_is_not_settled() {
    for number in 0..9 {
        keeps(&Quads { number }, |value| value.number);
    }
    for shape in [Shape::One(5), Shape::Other(1, 5), Shape::Other(2, 5)] {
        for kind in 0..3 {
            keeps(&Tagged { kind, shape: shape.clone() }, |value| value.shape.clone());
        }
    }
    for text in [None, Some(String::new()), Some("a".into())] {
        for len in 0..3 {
            keeps(&Named { len, text: text.clone() }, |value| value.text.clone());
            for flag in 0..3 {
                let flagged = Flagged { flag, len: Some(len), text: text.clone() };
                keeps(&flagged, |value| value.text.clone());
                keeps(&Flagged { len: None, ..flagged }, |value| value.text.clone());
            }
        }
    }
}
