//! Integers, floats, truth values, enums and flags, in both byte orders.

use binfmt_runtime::{BinFormat, Reserved};

use super::{findings, refused, same, stopped};

/// The same fields in either order.
macro_rules! integers {
    ($name:ident $order:ident) => {
        #[derive(BinFormat, Debug, PartialEq)]
        #[bin($order)]
        struct $name {
            one: u8,
            two: u16,
            four: u32,
            eight: u64,
            minus_one: i8,
            minus_two: i16,
            minus_three: i32,
            minus_four: i64,
        }
    };
}

integers!(Little little);
integers!(Big big);

/// The same value in either order.
macro_rules! integers_of {
    ($name:ident) => {
        $name {
            one: 1,
            two: 0x0203,
            four: 0x0405_0607,
            eight: 0x0809_0a0b_0c0d_0e0f,
            minus_one: -1,
            minus_two: -2,
            minus_three: -3,
            minus_four: -4,
        }
    };
}

#[test]
fn integers_are_read_and_written_in_both_orders() {
    same(
        &integers_of!(Little),
        b"\x01\x03\x02\x07\x06\x05\x04\x0f\x0e\x0d\x0c\x0b\x0a\x09\x08\
          \xff\xfe\xff\xfd\xff\xff\xff\xfc\xff\xff\xff\xff\xff\xff\xff",
    );
    same(
        &integers_of!(Big),
        b"\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\
          \xff\xff\xfe\xff\xff\xff\xfd\xff\xff\xff\xff\xff\xff\xff\xfc",
    );
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big)]
struct Mixed {
    #[bin(little)]
    little: u16,
    big: u16,
    #[bin(little)]
    pairs: [[u16; 2]; 2],
    inner: Inner,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Inner {
    value: u16,
}

#[test]
fn a_field_has_its_own_order_and_so_has_a_nested_type() {
    let value = Mixed { little: 1, big: 2, pairs: [[3, 4], [5, 6]], inner: Inner { value: 7 } };
    same(&value, &[1, 0, 0, 2, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0]);
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big)]
struct Floats {
    single: f32,
    #[bin(little)]
    double: f64,
    truth: bool,
}

#[test]
fn floats_keep_their_bits_and_truth_is_0_or_1() {
    let value = Floats { single: 1.5, double: -0.5, truth: true };
    let bytes = &[0x3f, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0xe0, 0xbf, 1];
    assert_eq!(value.to_vec().unwrap(), bytes);
    assert_eq!(Floats::parse(bytes).unwrap(), value);
    assert_eq!(
        stopped::<Floats>(&[0x3f, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0xe0, 0xbf, 2]),
        "truth value"
    );
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big, magic = 0x0102_0304u32)]
struct BigMagic {
    a: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little, magic = 0x0102u16)]
struct LittleMagic {
    a: u8,
}

#[test]
fn a_magic_has_the_order_of_its_type() {
    same(&BigMagic { a: 9 }, &[1, 2, 3, 4, 9]);
    same(&LittleMagic { a: 9 }, &[2, 1, 9]);
    assert_eq!(stopped::<LittleMagic>(&[1, 2, 9]), "magic magic");
    assert_eq!(stopped::<LittleMagic>(&[2]), "magic end");
}

#[derive(BinFormat, Debug, PartialEq)]
#[repr(u8)]
enum Closed {
    One = 1,
    Two = 2,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big)]
#[repr(i16)]
enum Signed {
    Minus = -2,
    Plus = 2,
    #[bin(other)]
    Other(i16),
}

#[derive(BinFormat, Debug, PartialEq)]
struct Enums {
    closed: Closed,
    signed: Signed,
    #[bin(check(more == Signed::Other(7) || closed != Closed::Two, "two needs more than {closed:?}"))]
    more: Signed,
}

#[test]
fn a_closed_enum_stops_at_an_unknown_number_and_an_open_one_keeps_it() {
    same(
        &Enums { closed: Closed::One, signed: Signed::Minus, more: Signed::Other(-7) },
        &[1, 0xff, 0xfe, 0xff, 0xf9],
    );
    assert_eq!(stopped::<Enums>(&[3, 0, 2, 0, 7]), "closed value");
    assert_eq!(stopped::<Enums>(&[2, 0, 2, 0, 8]), "more Enums.more");
    // A number with a name would be read back as that variant.
    assert_eq!(refused(&Signed::Other(2)), " value");
    assert_eq!(Signed::parse(&[0, 2]).unwrap(), Signed::Plus);
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq)]
#[bin(bitflags, big)]
struct Flags(u16);

bitflags::bitflags! {
    impl Flags: u16 {
        const A = 1;
        const B = 0x100;
    }
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big)]
struct Flagged {
    flags: Flags,
    #[bin(if = flags.contains(Flags::A))]
    a: Option<u8>,
    #[bin(if = flags & 0x100 != 0)]
    b: Option<u8>,
    reserved: Reserved<2>,
}

#[test]
fn flags_stand_in_expressions_and_unknown_bits_are_kept() {
    let reserved = Reserved::default();
    same(&Flagged { flags: Flags::A, a: Some(5), b: None, reserved }, &[0, 1, 5, 0, 0]);
    let unknown = Flags::from_bits_retain(0x8100);
    same(&Flagged { flags: unknown, a: None, b: Some(6), reserved }, &[0x81, 0, 6, 0, 0]);
    assert_eq!(findings::<Flagged>(&[0, 0, 0, 7]), ["warning reserved reserved"]);
    assert_eq!(refused(&Flagged { flags: Flags::B, a: None, b: None, reserved }), "b presence");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct BelowZero {
    #[bin(range = -6..=-1)]
    low: i8,
    #[bin(one_of = [-2, -300])]
    choice: i16,
    wide: u64,
    #[bin(if = low != -1 && low + -1 > -5)]
    more: Option<u8>,
    point: Point,
    // Parts are compared whatever their types are.
    #[bin(check(point.x > -3 && point.y != -1 && wide + 1 > 0, "{low}"))]
    last: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Point {
    x: i8,
    y: u8,
}

#[test]
fn literals_are_negative_where_numbers_are() {
    let point = Point { x: -2, y: 255 };
    let value = BelowZero { low: -1, choice: -300, wide: u64::MAX - 1, more: None, point, last: 1 };
    same(&value, b"\xff\xfe\xd4\xff\xff\xff\xff\xff\xff\xff\xfe\xfe\xff\x01");
    let more = BelowZero { low: -3, more: Some(9), choice: -2, wide: 0, ..value.clone() };
    same(&more, b"\xfd\xff\xfe\0\0\0\0\0\0\0\0\x09\xfe\xff\x01");
    assert_eq!(refused(&BelowZero { low: -7, ..value.clone() }), "low BelowZero.low.range");
    assert_eq!(
        refused(&BelowZero { choice: 2, ..value.clone() }),
        "choice BelowZero.choice.one_of"
    );
    assert_eq!(refused(&BelowZero { more: None, ..more }), "more presence");
    let far = BelowZero { point: Point { x: -3, y: 0 }, ..value };
    assert_eq!(refused(&far), "last BelowZero.last");
}
