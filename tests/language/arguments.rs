//! Arguments: computed, passed by name, left to their defaults; and fields read by hand.

#![expect(clippy::trivially_copy_pass_by_ref, reason = "a declaration passes references")]

use binfmt_runtime::{BinFormat, Seq};

use super::{kept, stopped};

const KEY: [u8; 2] = [1, 2];

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(args(size: u8 = 2, wide: bool = false, key: [u8; 2] = KEY))]
struct Inner<'a> {
    #[bin(len = size, check(known(key), "a foreign key"))]
    bytes: &'a [u8],
    #[bin(if = wide)]
    more: Option<u8>,
}

fn known(key: &[u8; 2]) -> bool {
    *key == KEY
}

#[derive(BinFormat, Debug, PartialEq, Default)]
struct Computed<'a> {
    n: u8,
    key: [u8; 2],
    #[bin(args(size = n * 2 - 1, wide = n & 1 != 0 && n > 2, key))]
    inner: Inner<'a>,
}

#[test]
fn arguments_are_computed_from_fields() {
    let one = Computed { n: 1, key: [1, 2], inner: Inner { bytes: b"a", more: None } };
    kept(&one, b"\x01\x01\x02a");
    let three = Computed { n: 3, key: [1, 2], inner: Inner { bytes: b"abcde", more: Some(9) } };
    kept(&three, b"\x03\x01\x02abcde\x09");
    assert_eq!(stopped::<Computed<'_>>(b"\x00\x01\x02a"), "inner size");
    assert_eq!(stopped::<Computed<'_>>(b"\x01\x01\x03a"), "inner.bytes Inner.bytes");
}

#[derive(BinFormat, Debug, PartialEq, Default)]
struct Defaults<'a> {
    one: Inner<'a>,
    #[bin(until_end)]
    others: Seq<'a, Inner<'a>>,
}

#[test]
fn arguments_that_are_not_passed_have_the_defaults_of_their_type() {
    let value = Defaults::parse(b"abcdef").unwrap();
    assert_eq!(value.one.bytes, b"ab");
    assert_eq!(value.others.walk_count(), 2);
    assert_eq!(value.to_vec().unwrap(), b"abcdef");
}

mod decimal {
    use binfmt_runtime::{Cursor, Fault, Writer};

    /// A number as two decimal digits.
    pub(super) fn read(cur: &mut Cursor<'_>) -> Result<u8, Fault> {
        let at = cur.pos();
        let digits = cur.take(2).and_then(|digits| std::str::from_utf8(digits).ok());
        digits.and_then(|digits| digits.parse().ok()).ok_or(Fault::at(at))
    }

    pub(super) fn write(value: &u8, out: &mut Writer<'_>) -> Result<(), Fault> {
        out.put(format!("{value:02}").as_bytes())
    }
}

#[derive(BinFormat, Debug, PartialEq, Default)]
struct ByHand {
    #[bin(with = decimal)]
    number: u8,
    more: bool,
    #[bin(if = more, with = decimal)]
    another: Option<u8>,
}

#[test]
fn a_field_may_be_read_and_written_by_hand() {
    kept(&ByHand { number: 7, more: true, another: Some(42) }, b"07\x0142");
    kept(&ByHand { number: 99, more: false, another: None }, b"99\x00");
    assert_eq!(stopped::<ByHand>(b"x7\x00"), "number with");
}

const TAIL: u64 = 3;

#[derive(BinFormat, Debug, PartialEq)]
struct Until<'a> {
    #[bin(until = remaining < TAIL, level(leftover = warning))]
    items: Seq<'a, u8>,
}

#[test]
fn the_end_of_a_sequence_may_be_a_constant_of_any_width() {
    let value = Until::parse(b"abcde").unwrap();
    assert_eq!((value.items.walk_count(), value.items.slack()), (3, &b"de"[..]));
    assert_eq!(value.to_vec().unwrap(), b"abcde");
}

/// A method of a number.
trait Rounded {
    fn rounded(&self) -> u8;
}

impl Rounded for u64 {
    fn rounded(&self) -> u8 {
        u8::try_from(self.next_multiple_of(4)).unwrap_or(u8::MAX)
    }
}

/// An argument that a method of a sum gives.
#[derive(BinFormat, Debug, PartialEq)]
#[bin(let(twice = n * 2))]
struct OfASum<'a> {
    n: u8,
    #[bin(args(size = twice.rounded(), wide = false, key = KEY))]
    inner: Inner<'a>,
}

#[test]
fn a_method_of_a_sum_gives_an_argument() {
    kept(&OfASum { n: 1, inner: Inner { bytes: b"abcd", more: None } }, b"\x01abcd");
}

/// Constants of bytes, as what they hold and as what they are.
#[derive(BinFormat, Debug, PartialEq, Default)]
struct Constants {
    kind: u8,
    #[bin(args(name = b"ab"))]
    held: Held,
    #[bin(args(name = if kind == 1 { b"ab" } else { b"cd" }))]
    chosen: Held,
    #[bin(args(name = b"ab"))]
    lent: Lent,
    #[bin(args(name = if kind == 1 { b"ab" } else { b"wxyz" }))]
    other: Lent,
    #[bin(args(name = if kind == 1 { "a" } else { "bc" }))]
    text: Text,
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(args(name: [u8; 2]))]
struct Held {
    #[bin(if = name == b"ab")]
    there: Option<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(args(name: &[u8]))]
struct Lent {
    #[bin(if = name == b"ab")]
    there: Option<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(args(name: &str))]
struct Text {
    #[bin(if = name == "a")]
    there: Option<u8>,
}

#[test]
fn constants_of_bytes_are_passed_as_the_type_takes_them() {
    let (held, lent) = (|there| Held { there }, |there| Lent { there });
    let one = Constants {
        kind: 1,
        held: held(Some(2)),
        chosen: held(Some(3)),
        lent: lent(Some(4)),
        other: lent(Some(5)),
        text: Text { there: Some(6) },
    };
    kept(&one, &[1, 2, 3, 4, 5, 6]);
    let two = Constants { held: held(Some(2)), lent: lent(Some(4)), ..Constants::default() };
    kept(&two, &[0, 2, 4]);
}
