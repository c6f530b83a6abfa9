//! A union of sixteen shapes, told apart by a tag of one byte.
//!
//! Half of the values are of the last variant, which costs most where variants are tried in turn.

pub mod binrw;
pub mod deku;
pub mod derived;
pub mod hand;
pub mod winnow;

use crate::race::DEKU;
use crate::{Product, Race, Run, data};

const fn race(product: Product, contestants: &'static [(&'static str, Run)]) -> Race {
    Race { task: "union", product, unit: "value", count: 10_000, data: data::union, contestants }
}

/// The shapes: a tag, the same with its type, a name, and numbers of 16, 32 and 64 bits.
///
/// Every contestant has the same sixteen declarations, so they are made by one macro of his.
macro_rules! shapes {
    ($make:ident) => {
        $make! {
            0 0u8 A { a: u16 }
            1 1u8 B { a: u32 }
            2 2u8 C { a: u64 }
            3 3u8 D { a: u16, b: u16 }
            4 4u8 E { a: u16, b: u32 }
            5 5u8 F { a: u16, b: u64 }
            6 6u8 G { a: u32, b: u16 }
            7 7u8 H { a: u32, b: u32 }
            8 8u8 I { a: u32, b: u64 }
            9 9u8 J { a: u64, b: u16 }
            10 10u8 K { a: u64, b: u32 }
            11 11u8 L { a: u64, b: u64 }
            12 12u8 M { a: u16, b: u16, c: u16 }
            13 13u8 N { a: u32, b: u32, c: u32 }
            14 14u8 O { a: u64, b: u64, c: u64 }
            15 15u8 P { a: u16, b: u32, c: u64 }
        }
    };
}
use shapes;

/// The races of this task.
pub const RACES: &[Race] = &[
    race(
        Product::Read,
        &[
            ("hand", Run::Read(hand::read)),
            ("derived", Run::Read(derived::read)),
            ("winnow", Run::Read(winnow::read)),
        ],
    ),
    race(
        Product::Own,
        &[
            ("hand", Run::Read(hand::own)),
            ("derived", Run::Read(derived::own)),
            ("binrw", Run::Read(binrw::own)),
            ("binrw-structs", Run::Read(binrw::own_structs)),
            ("binrw-terse", Run::Read(binrw::own_terse)),
            (DEKU, Run::Read(deku::own)),
        ],
    ),
    race(
        Product::IsValid,
        &[("hand", Run::Read(hand::is_valid)), ("derived", Run::Read(derived::is_valid))],
    ),
    race(
        Product::Validate,
        &[("hand", Run::Read(hand::is_valid)), ("derived", Run::Read(derived::validate))],
    ),
    race(
        Product::Write,
        &[
            ("hand", Run::Write(hand::write)),
            ("derived", Run::Write(derived::write)),
            ("binrw", Run::Write(binrw::write)),
            (DEKU, Run::Write(deku::write)),
        ],
    ),
];
