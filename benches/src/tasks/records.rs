//! A plain table: magic, count, records of 32 bytes, nothing else.

pub mod binrw;
pub mod deku;
pub mod derived;
pub mod hand;
pub mod scroll;
pub mod winnow;
pub mod zerocopy;

use crate::race::DEKU;
use crate::{Product, Race, Run, data};

const fn race(product: Product, contestants: &'static [(&'static str, Run)]) -> Race {
    Race {
        task: "records",
        product,
        unit: "record",
        count: 10_000,
        data: data::records,
        contestants,
    }
}

/// The races of this task.
pub const RACES: &[Race] = &[
    race(
        Product::Read,
        &[
            ("hand", Run::Read(hand::read)),
            ("derived", Run::Read(derived::read)),
            ("zerocopy", Run::Read(zerocopy::read)),
            ("scroll", Run::Read(scroll::read)),
            ("winnow", Run::Read(winnow::read)),
        ],
    ),
    race(
        Product::Own,
        &[
            ("hand", Run::Read(hand::own)),
            ("derived", Run::Read(derived::own)),
            ("zerocopy", Run::Read(zerocopy::own)),
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
            ("zerocopy", Run::Write(zerocopy::write)),
            ("binrw", Run::Write(binrw::write)),
            (DEKU, Run::Write(deku::write)),
        ],
    ),
];
