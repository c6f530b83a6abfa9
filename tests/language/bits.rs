//! Bit fields: several values in one integer, from either end.

use binfmt_runtime::{BinFormat, U24};

use super::{findings, refused, same, stopped, survives};

/// The same fields, from either end of an integer in either order.
macro_rules! bits {
    ($($name:ident $order:ident $first:ident;)*) => { $(
        #[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
        #[bin($order, bits = u16, $first)]
        struct $name {
            #[bin(bits = 3)]
            low: u8,
            #[bin(bits = 1)]
            flag: bool,
            #[bin(bits = 9)]
            middle: u16,
            #[bin(bits = 3)]
            kind: Kind,
        }
    )* };
}

bits! {
    LittleLow little lsb;
    LittleHigh little msb;
    BigLow big lsb;
    BigHigh big msb;
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[repr(u8)]
enum Kind {
    None = 0,
    Some = 5,
    #[bin(other)]
    Other(u8),
}

#[test]
fn bits_are_counted_from_either_end_and_bytes_in_either_order() {
    let (low, flag, middle, kind) = (0b110, true, 0b1_0000_0011, Kind::Some);
    // 101 100000011 1 110
    same(&LittleLow { low, flag, middle, kind }, &[0b0011_1110, 0b1011_0000]);
    same(&BigLow { low, flag, middle, kind }, &[0b1011_0000, 0b0011_1110]);
    // 110 1 100000011 101
    same(&LittleHigh { low, flag, middle, kind }, &[0b0001_1101, 0b1101_1000]);
    same(&BigHigh { low, flag, middle, kind }, &[0b1101_1000, 0b0001_1101]);
}

#[test]
fn a_value_with_more_bits_than_its_field_is_refused() {
    let value = BigHigh { low: 7, flag: false, middle: 511, kind: Kind::Other(7) };
    same(&value, &[0b1110_1111, 0xff]);
    assert_eq!(refused(&BigHigh { low: 8, ..value }), "low overflow");
    assert_eq!(refused(&BigHigh { middle: 512, ..value }), "middle overflow");
    assert_eq!(refused(&BigHigh { kind: Kind::Other(8), ..value }), "kind overflow");
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[repr(u8)]
enum Closed {
    Zero = 0,
    One = 1,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[bin(bits = u8, lsb, note(len > 1, "{len} is small"))]
struct Flags {
    #[bin(bits = 1)]
    wide: bool,
    #[bin(bits = 2)]
    closed: Closed,
    #[bin(bits = 4, check(len < 10, "{len} is too much"))]
    len: u8,
    #[bin(bits = 1, warn(!reserved, "a reserved bit is set"))]
    reserved: bool,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Packet {
    flags: Flags,
    #[bin(if = flags.wide)]
    wide: Option<u16>,
    #[bin(len = flags.len)]
    data: Vec<u8>,
    #[bin(if = flags.closed == Closed::One)]
    one: Option<u8>,
    #[bin(count = 2)]
    more: Vec<Flags>,
}

#[test]
fn bit_fields_have_rules_and_stand_in_expressions() {
    let flags = Flags { wide: true, closed: Closed::One, len: 2, reserved: false };
    let more = vec![Flags { len: 9, ..flags }; 2];
    let value = Packet { flags, wide: Some(7), data: vec![1, 2], one: Some(3), more };
    same(&value, &[0b0001_0011, 0, 7, 1, 2, 3, 0b0100_1011, 0b0100_1011]);
    survives::<Packet>(&[0b0001_0000, 1, 2, 0, 0], ());
    assert_eq!(refused(&Packet { data: vec![], ..value }), "data derived");
    assert_eq!(stopped::<Packet>(&[0b0101_0000]), "flags.len Flags.len");
    assert_eq!(stopped::<Packet>(&[0b0000_0110]), "flags.closed value");
    assert_eq!(stopped::<Flags>(&[]), " end");
    assert_eq!(findings::<Flags>(&[0b1001_0001]), ["warning reserved Flags.reserved"]);
    assert_eq!(findings::<Flags>(&[0b0000_1001]), ["note len Flags"]);
    assert_eq!(refused(&Flags { len: 12, ..flags }), "len Flags.len");
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[bin(little, bits = U24, msb)]
struct Narrow {
    #[bin(bits = 4)]
    high: u8,
    #[bin(bits = 20)]
    low: u32,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[bin(little, bits = u64, lsb)]
struct Whole(#[bin(bits = 64)] u64);

#[test]
fn an_integer_of_any_width_holds_bit_fields() {
    same(&Narrow { high: 0xa, low: 0x5_4321 }, &[0x21, 0x43, 0xa5]);
    same(&Whole(0x0102_0304_0506_0708), &[8, 7, 6, 5, 4, 3, 2, 1]);
    assert_eq!(refused(&Narrow { high: 0, low: 1 << 20 }), "low overflow");
}

#[test]
fn the_layout_of_bit_fields_tells_their_widths() {
    let page = LittleLow::LAYOUT.to_markdown();
    assert!(page.contains("Declared with `little, bits = u16, lsb`."), "{page}");
    assert!(page.contains("| 0 | | `low` | `u8` | `bits = 3` | |"), "{page}");
    assert!(page.contains("| 0 | | `kind` | `Kind` | `bits = 3` | |"), "{page}");
}

/// The same fields in more bits than a number has, from either end in either order.
macro_rules! wide {
    ($($name:ident $order:ident $first:ident;)*) => { $(
        #[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
        #[bin($order, bits = [u8; 10], $first)]
        struct $name {
            #[bin(bits = 4)]
            low: u8,
            #[bin(bits = 64)]
            number: u64,
            #[bin(bits = 1)]
            flag: bool,
            #[bin(bits = 8, check(middle < 200, "much"))]
            middle: u16,
            #[bin(bits = 3)]
            kind: Kind,
        }
    )* };
}

wide! {
    WideLittleLow little lsb;
    WideLittleHigh little msb;
    WideBigLow big lsb;
    WideBigHigh big msb;
}

#[test]
fn bit_fields_lie_in_more_bytes_than_a_number_has() {
    let (low, number, flag, middle, kind) = (0xa, 0x0123_4567_89ab_cdef, true, 0x81, Kind::Some);
    // 101 10000001 1 0123456789abcdef a, the lowest last
    same(
        &WideLittleLow { low, number, flag, middle, kind },
        &[0xfa, 0xde, 0xbc, 0x9a, 0x78, 0x56, 0x34, 0x12, 0x30, 0xb0],
    );
    same(
        &WideBigLow { low, number, flag, middle, kind },
        &[0xb0, 0x30, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xfa],
    );
    // a 0123456789abcdef 1 10000001 101
    same(
        &WideBigHigh { low, number, flag, middle, kind },
        &[0xa0, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xfc, 0x0d],
    );
    let value = WideLittleHigh { low, number, flag, middle, kind };
    same(&value, &[0x0d, 0xfc, 0xde, 0xbc, 0x9a, 0x78, 0x56, 0x34, 0x12, 0xa0]);
    assert_eq!(
        stopped::<WideBigHigh>(&[0xa0, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xfc, 0x0d][..9]),
        " end"
    );
    assert_eq!(refused(&WideLittleHigh { low: 16, ..value }), "low overflow");
    assert_eq!(refused(&WideLittleHigh { middle: 200, ..value }), "middle WideLittleHigh.middle");
    let unnamed = Kind::Other(5);
    assert_eq!(refused(&WideLittleHigh { kind: unnamed, ..value }), "kind value");
}

/// Bit fields in the byte order around them.
#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[bin(endian = inherit, bits = u16, lsb)]
struct EitherOrder {
    #[bin(bits = 4)]
    kind: u8,
    #[bin(bits = 12, check(size < 4000, "large"))]
    size: u16,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[bin(endian = inherit, bits = [u8; 9], msb)]
struct WideInEitherOrder {
    #[bin(bits = 8)]
    first: u8,
    #[bin(bits = 64)]
    rest: u64,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = magic, magic = [b"II" => little, b"MM" => big])]
struct InEitherOrder {
    #[bin(magic)]
    magic: [u8; 2],
    one: EitherOrder,
    #[bin(prefix = u8)]
    several: Vec<EitherOrder>,
    wide: WideInEitherOrder,
    #[bin(set(size = count(several)))]
    last: EitherOrder,
}

#[test]
fn bit_fields_have_the_byte_order_around_them() {
    let value = |magic| InEitherOrder {
        magic,
        one: EitherOrder { kind: 1, size: 0x432 },
        several: vec![EitherOrder { kind: 5, size: 0x678 }],
        wide: WideInEitherOrder { first: 0x11, rest: 0x2233_4455_6677_8899 },
        last: EitherOrder { kind: 2, size: 1 },
    };
    let (little, big) = (b"\x21\x43\x01\x85\x67", b"\x43\x21\x01\x67\x85");
    let wide = b"\x11\x22\x33\x44\x55\x66\x77\x88\x99";
    let turned: Vec<u8> = wide.iter().rev().copied().collect();
    let (in_little, in_big) = (value(*b"II"), value(*b"MM"));
    let files = [
        [b"II", &little[..], &turned, b"\x12\0"].concat(),
        [b"MM", &big[..], wide, b"\0\x12"].concat(),
    ];
    let [little, big] = files.map(|file| &*file.leak());
    same(&in_little, little);
    same(&in_big, big);
    assert_eq!(stopped::<InEitherOrder>(b"MM\xff\xf1\0"), "one.size EitherOrder.size");
    // Alone they are little.
    assert_eq!(EitherOrder { kind: 1, size: 2 }.to_vec().unwrap(), [0x21, 0]);
}
