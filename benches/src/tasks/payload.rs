//! A payload of 16 MiB behind its length.

pub mod binrw;
pub mod deku;
pub mod derived;
pub mod hand;
pub mod winnow;

use crate::race::DEKU;
use crate::{Product, Race, Run, data};

const fn race(product: Product, contestants: &'static [(&'static str, Run)]) -> Race {
    Race { task: "payload", product, unit: "file", count: 1, data: data::payload, contestants }
}

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
            ("winnow", Run::Read(winnow::own)),
            ("binrw", Run::Read(binrw::own)),
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
