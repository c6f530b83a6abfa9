//! What functions in expressions are given: numbers in the types that they take.

use binfmt_runtime::{Auto, BinFormat, Leb128, U24};

use super::{findings, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, args(wide: u32 = 3))]
struct Numbers {
    small: u8,
    head: Head,
    len: Auto<u16>,
    /// A function that takes more than the number has.
    #[bin(calc = doubled(len))]
    twice: Auto<u64>,
    #[bin(if = doubled(small) == 8)]
    there: Option<u8>,
    #[bin(error(doubled(head.long + 1) < 600, "{head:?}"))]
    short: U24,
    #[bin(len = len, args(extra = doubled(small), less = halved(head.signed), all = doubled(wide)))]
    body: Body,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Head {
    long: u32,
    signed: i16,
    any: Leb128<u64>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(extra: u8, less: i64, all: u32))]
struct Body {
    #[bin(until_end, check(doubled(extra) < 100 && halved(less) < 9 && all == 6, "no"))]
    bytes: Vec<u8>,
}

fn doubled(number: u16) -> u64 {
    u64::from(number) * 2
}

fn halved(number: i8) -> i8 {
    number / 2
}

fn example() -> Numbers {
    Numbers {
        small: 4,
        head: Head { long: 9, signed: -4, any: 1.into() },
        len: Auto::new(),
        twice: Auto::new(),
        there: Some(1),
        short: U24::default(),
        body: Body { bytes: vec![1, 2] },
    }
}

#[test]
fn numbers_are_converted_to_what_functions_take() {
    same(&example(), b"\x04\x09\0\0\0\xfc\xff\x01\x02\0\x04\0\0\0\0\0\0\0\x01\0\0\0\x01\x02");
}

#[test]
fn a_number_that_a_function_cannot_take_is_computed_by_nothing() {
    // 65,536 is no `u16`: a rule that asks for it is broken.
    let wide = b"\x04\0\0\x01\0\xfc\xff\x01\x02\0\x04\0\0\0\0\0\0\0\x01\0\0\0\x01\x02";
    assert_eq!(findings::<Numbers>(wide), ["error short Numbers.short"]);
    // 200 is no `i8`: an argument that needs it stops the reader, and the writer.
    let signed = b"\x04\x09\0\0\0\xc8\0\x01\x02\0\x04\0\0\0\0\0\0\0\x01\0\0\0\x01\x02";
    assert_eq!(stopped::<Numbers>(signed), "body size");
    let value = Numbers { head: Head { signed: 200, ..example().head }, ..example() };
    assert_eq!(refused(&value), "body size");
}
