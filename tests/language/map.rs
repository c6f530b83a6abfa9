//! Fields that functions of the user convert; types with parameters; floats as they are stored.

use std::net::Ipv4Addr;
use std::num::TryFromIntError;
use std::time::Duration;

use binfmt_runtime::{Auto, BinFormat, Leb128, Seq, Wire};

use super::{findings, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Mapped {
    #[bin(map(u16, duration, seconds), check(time.as_secs() < 0x1000, "too long"))]
    time: Duration,
    #[bin(map([u8; 4], Ipv4Addr::from, Ipv4Addr::octets))]
    address: Ipv4Addr,
    #[bin(map(u8, digit, number))]
    digit: char,
    flag: u8,
    #[bin(if = flag == 1, little, map((u8, u16), sum, parts))]
    sum: Option<u32>,
    #[bin(map(u8, halved, doubled))]
    half: u8,
    letter: Letter,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Letter(#[bin(map(u8, char::from, letter))] char);

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "a conversion takes what it writes by reference"
)]
fn letter(c: &char) -> Option<u8> {
    u8::try_from(*c).ok()
}

fn duration(seconds: u16) -> Duration {
    Duration::from_secs(seconds.into())
}

fn seconds(time: &Duration) -> Result<u16, TryFromIntError> {
    time.as_secs().try_into()
}

fn digit(number: u8) -> Option<char> {
    char::from_digit(number.into(), 10)
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "a conversion takes what it writes by reference"
)]
fn number(digit: &char) -> Option<u8> {
    digit.to_digit(10)?.try_into().ok()
}

fn sum((low, high): (u8, u16)) -> u32 {
    u32::from(low) + (u32::from(high) << 8)
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "a conversion takes what it writes by reference"
)]
fn parts(sum: &u32) -> Result<(u8, u16), TryFromIntError> {
    Ok((u8::try_from(sum & 0xff)?, u16::try_from(sum >> 8)?))
}

fn halved(stored: u8) -> u8 {
    stored / 2
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "a conversion takes what it writes by reference"
)]
fn doubled(half: &u8) -> Option<u8> {
    half.checked_mul(2)
}

#[test]
fn a_field_is_converted_in_both_directions() {
    let value = Mapped {
        time: Duration::from_secs(0x102),
        address: Ipv4Addr::LOCALHOST,
        digit: '7',
        flag: 1,
        sum: Some(0x03_0405),
        half: 3,
        letter: Letter('L'),
    };
    same(&value, b"\x01\x02\x7f\0\0\x01\x07\x01\x05\x04\x03\x06L");
    same(&Mapped { flag: 0, sum: None, ..value.clone() }, b"\x01\x02\x7f\0\0\x01\x07\0\x06L");
    assert_eq!(stopped::<Mapped>(b"\x01\x02\x7f\0\0\x01\x0a\0\x06"), "digit map");
    assert_eq!(stopped::<Mapped>(b"\x10\x00\x7f\0\0\x01\x07\0\x06L"), "time Mapped.time");
    assert_eq!(stopped::<Mapped>(b"\x01\x02\x7f"), "address[1] end");
    assert_eq!(findings::<Mapped>(b"\x01\x02\x7f\0\0\x01\x07\0\x07L"), ["warning half canonical"]);
    assert_eq!(refused(&Mapped { digit: 'x', ..value.clone() }), "digit map");
    assert_eq!(refused(&Mapped { sum: Some(1 << 24), ..value.clone() }), "sum map");
    assert_eq!(refused(&Mapped { half: 128, ..value }), "half map");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Pair<A, B> {
    a: A,
    count: Auto<u8>,
    #[bin(count = count)]
    b: Vec<B>,
    flag: u8,
    #[bin(if = flag == 1)]
    c: Option<A>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Table<'a, T: Wire<'a> + Clone, const N: usize> {
    key: [u8; N],
    #[bin(until_end)]
    items: Seq<'a, T>,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy, Default)]
#[bin(big)]
struct Item(u16);

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
struct Byte {
    byte: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(bound(T: Copy + Default))]
struct Fixed<T, const N: usize> {
    items: [T; N],
}

#[test]
fn types_have_parameters() {
    let value = Pair {
        a: Item(1),
        count: Auto::new(),
        b: vec![Byte { byte: 2 }],
        flag: 1,
        c: Some(Item(3)),
    };
    same(&value, &[0, 1, 1, 2, 1, 0, 3]);
    let items = vec![Item(4), Item(5)].leak();
    same(
        &Table::<Item, 3> { key: [1, 2, 3], items: Seq::from(&items[..]) },
        &[1, 2, 3, 0, 4, 0, 5],
    );
    same(&Fixed { items: [Item(1), Item(2)] }, &[0, 1, 0, 2]);
    assert_eq!(stopped::<Fixed<Item, 2>>(&[0, 1, 0]), "items[1] end");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Floats {
    single: f32,
    double: f64,
}

#[test]
fn what_is_no_number_keeps_its_bits() {
    let bytes: [&[u8]; 3] = [
        b"\x01\x00\x80\x7f\x01\x00\x00\x00\x00\x00\xf0\x7f",
        b"\x34\x12\xc0\xff\x78\x56\x34\x12\x00\x00\xf8\xff",
        b"\x00\x00\x00\x80\x00\x00\x00\x00\x00\x00\x00\x80",
    ];
    for bytes in bytes {
        assert_eq!(Floats::parse(bytes).unwrap().to_vec().unwrap(), bytes);
        assert!(Floats::validate(bytes).is_ok());
    }
}

/// A length in decimal digits.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Digits<'a> {
    #[bin(map([u8; 2], number_of, digits_of))]
    size: u64,
    #[bin(len = size)]
    data: &'a [u8],
}

fn number_of(text: [u8; 2]) -> Option<u64> {
    std::str::from_utf8(&text).ok()?.parse().ok()
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "a conversion takes what it writes by reference"
)]
fn digits_of(number: &u64) -> Option<[u8; 2]> {
    format!("{number:02}").into_bytes().try_into().ok()
}

#[test]
fn a_converted_number_may_tell_a_length_and_must_agree() {
    same(&Digits { size: 3, data: b"abc" }, b"03abc");
    assert_eq!(refused(&Digits { size: 3, data: b"abcd" }), "data derived");
    assert_eq!(stopped::<Digits<'_>>(b"04abc"), "size size");
    assert_eq!(stopped::<Digits<'_>>(b"x4abc"), "size map");
}

/// A number that is stored as LEB128 and held as a plain one, and one that keeps how it was stored.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Forms {
    #[bin(map(Leb128<u32>, u32::from, leb))]
    plain: u32,
    #[bin(map(Leb128<u32>, Wrapped, unwrapped))]
    wrapped: Wrapped,
}

#[derive(Debug, PartialEq, Clone)]
struct Wrapped(Leb128<u32>);

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "a conversion takes what it writes by reference"
)]
fn leb(number: &u32) -> Leb128<u32> {
    Leb128::new(*number)
}

fn unwrapped(wrapped: &Wrapped) -> Leb128<u32> {
    wrapped.0
}

#[test]
fn the_form_of_a_number_that_a_conversion_loses_is_told() {
    for (stored, found, written) in [
        (&b"\x05\x06"[..], vec![], &b"\x05\x06"[..]),
        (b"\x85\0\x06", vec!["warning plain overlong", "warning plain canonical"], b"\x05\x06"),
        (b"\x05\x86\x80\0", vec!["warning wrapped overlong"], b"\x05\x86\x80\0"),
    ] {
        assert_eq!(findings::<Forms>(stored), found, "{stored:x?}");
        assert_eq!(Forms::parse(stored).unwrap().to_vec().unwrap(), written, "{stored:x?}");
    }
}

/// Lengths in units of four bytes, of a field and of the items of a table.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Units {
    #[bin(map(u8, bytes, words))]
    len: u32,
    #[bin(len = len)]
    body: Vec<u8>,
    #[bin(prefix = u8)]
    table: Vec<Unit>,
    #[bin(for_each = table, len = it.len)]
    bodies: Vec<Vec<u8>>,
    end: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Unit {
    #[bin(map(u8, bytes, words))]
    len: u32,
}

fn bytes(words: u8) -> u32 {
    u32::from(words) * 4
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "`map` passes by reference")]
fn words(bytes: &u32) -> Option<u8> {
    u8::try_from(bytes / 4).ok()
}

#[test]
fn a_number_that_is_read_as_another_one_is_refused() {
    let units = |len: u8, in_table: u8| Units {
        len: len.into(),
        body: vec![1; len.into()],
        table: vec![Unit { len: in_table.into() }],
        bodies: vec![vec![2; in_table.into()]],
        end: 9,
    };
    same(&units(4, 4), b"\x01\x01\x01\x01\x01\x01\x01\x02\x02\x02\x02\x09");
    // What the writer sets may be anything before.
    let junk = Units { table: vec![Unit { len: 7 }], ..units(4, 4) };
    assert_eq!(junk.to_vec(), units(4, 4).to_vec());
    assert_eq!(refused(&units(5, 4)), "len map");
    assert_eq!(refused(&units(4, 6)), "table[0].len map");
}

/// What of a struct, a list and a float is stored is not all that the field keeps.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Parts {
    #[bin(map(Nibbles, low_of, of_low))]
    low: u8,
    #[bin(map(Text, lowered, raised))]
    name: String,
    #[bin(map(f32, rounded, unrounded))]
    rounded: i32,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(bits = u8, msb)]
struct Nibbles {
    #[bin(bits = 4)]
    high: u8,
    #[bin(bits = 4)]
    low: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Text {
    len: Auto<u8>,
    #[bin(len = len)]
    text: String,
}

#[expect(clippy::needless_pass_by_value, reason = "a conversion takes what is stored by value")]
fn low_of(nibbles: Nibbles) -> u8 {
    nibbles.low
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "`map` passes by reference")]
fn of_low(low: &u8) -> Nibbles {
    Nibbles { high: 0, low: *low }
}

#[expect(clippy::needless_pass_by_value, reason = "a conversion takes what is stored by value")]
fn lowered(stored: Text) -> String {
    stored.text.to_lowercase()
}

#[expect(clippy::ptr_arg, reason = "`map` passes a reference to the type of the field")]
fn raised(name: &String) -> Text {
    Text { len: Auto::new(), text: name.to_uppercase() }
}

#[expect(clippy::cast_possible_truncation, reason = "it is small")]
fn rounded(stored: f32) -> i32 {
    stored as i32
}

#[expect(clippy::cast_precision_loss, reason = "it is small")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "`map` passes by reference")]
fn unrounded(value: &i32) -> f32 {
    *value as f32
}

#[test]
fn parts_that_are_not_kept_are_told() {
    assert_eq!(findings::<Parts>(b"\x05\x02AB\0\0\x80\x3f"), [""; 0]);
    let lost = ["warning low canonical", "warning name canonical", "warning rounded canonical"];
    assert_eq!(findings::<Parts>(b"\x75\x02Ab\0\0\xc0\x3f"), lost);
    let long = [&[0x05, 200][..], &[b'a'; 200], b"\0\0\x80\x3f"].concat();
    assert_eq!(findings::<Parts>(long.leak()), ["warning name canonical"]);
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Raw {
    #[bin(until_end)]
    bytes: Vec<u8>,
}

fn without_a_mark(raw: Raw) -> Option<Vec<u8>> {
    (raw.bytes.first() != Some(&0xff)).then_some(raw.bytes)
}

#[expect(clippy::ptr_arg, reason = "a function is given the field as it is")]
fn as_it_is(bytes: &Vec<u8>) -> Raw {
    Raw { bytes: bytes.clone() }
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Unmarked {
    len: Auto<u8>,
    #[bin(map(Raw, without_a_mark, as_it_is), len = len)]
    body: Vec<u8>,
    last: u8,
}

#[test]
fn what_readers_would_refuse_is_not_written() {
    let value = |body: &[u8]| Unmarked { len: Auto::new(), body: body.to_vec(), last: 7 };
    same(&value(b"ab"), b"\x02ab\x07");
    assert_eq!(refused(&value(b"\xffb")), "body map");
    assert_eq!(stopped::<Unmarked>(b"\x02\xffb\x07"), "body map");
}
