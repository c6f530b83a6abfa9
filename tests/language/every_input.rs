//! All laws on every short input over a few bytes, for types that look at bytes before they read them.

use std::fmt::Debug;

use binfmt_runtime::{BinFormat, DefaultArgs, laws};

#[derive(BinFormat, Debug, PartialEq)]
struct Item {
    #[bin(range = 1..)]
    key: u8,
    value: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Until {
    #[bin(until = b"\0\0")]
    items: Vec<Item>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct UntilPeek {
    #[bin(until = peek(b"\0\0"))]
    items: Vec<Item>,
    end: [u8; 2],
}

#[derive(BinFormat, Debug, PartialEq)]
struct Chained {
    #[bin(until = b"\0\0", args(before = previous.item.value or 0))]
    items: Vec<After>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(args(before: u8))]
struct After {
    #[bin(check(item.key > before || item.key == 1, "it goes down"))]
    item: Item,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(magic = b"Z\x01")]
struct Led(Item);

#[derive(BinFormat, Debug, PartialEq)]
struct UntilLed {
    #[bin(until = b"Z\0")]
    items: Vec<Led>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Optional {
    #[bin(optional, magic = b"Z\x01")]
    first: Option<u8>,
    #[bin(optional)]
    led: Option<Led>,
    #[bin(range = 1..9)]
    kind: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
enum Magics {
    #[bin(magic = b"Z\x01")]
    Long(u8),
    #[bin(magic = b"Z")]
    Short(Item),
    None(Item),
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(peek = 1)]
enum Peeked {
    #[bin(magic = b"Z\x01")]
    Long([u8; 4]),
    Other(Item),
}

#[derive(BinFormat, Debug, PartialEq)]
struct Probed {
    #[bin(prefix = u8)]
    text: Vec<u8>,
    either: Either,
    #[bin(range = 1..5)]
    kind: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(probe)]
enum Either {
    Led(Led),
    Item(Item),
}

/// All inputs of at most so many bytes, each of which is one of three.
fn every_input<T>(longest: u32)
where
    T: BinFormat<'static, Args = ()> + DefaultArgs<'static> + Debug + PartialEq,
{
    for len in 0..=longest {
        for number in 0..3_u32.pow(len) {
            let byte = |place| b"Z\x01\0"[(number / 3_u32.pow(place) % 3) as usize];
            let bytes: &'static [u8] = (0..len).map(byte).collect::<Vec<u8>>().leak();
            if let Err(law) = laws::hold::<T>(bytes, ()) {
                panic!("{}: {bytes:02x?}: {law}", std::any::type_name::<T>());
            }
        }
    }
}

#[test]
fn items_that_a_constant_ends() {
    every_input::<Until>(7);
    every_input::<UntilPeek>(7);
    every_input::<Chained>(7);
    every_input::<UntilLed>(8);
}

#[test]
fn fields_that_a_magic_tells() {
    every_input::<Optional>(7);
    every_input::<Magics>(5);
    every_input::<Peeked>(6);
}

#[test]
fn variants_that_are_tried() {
    every_input::<Probed>(7);
}
