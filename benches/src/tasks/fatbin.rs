//! Fat binaries: containers of entries with names and options at offsets.

pub mod binrw;
pub mod deku;
pub mod derived;
pub mod fatbinary;
pub mod hand;

use crate::race::DEKU;
use crate::{Product, Race, Run, data};

const fn race(product: Product, contestants: &'static [(&'static str, Run)]) -> Race {
    Race { task: "fatbin", product, unit: "entry", count: 5_000, data: data::fatbin, contestants }
}

/// The races of this task.
pub const RACES: &[Race] = &[
    race(Product::Read, &[("hand", Run::Read(hand::read)), ("derived", Run::Read(derived::read))]),
    race(
        Product::Own,
        &[
            ("hand", Run::Read(hand::own)),
            ("derived", Run::Read(derived::own)),
            ("binrw", Run::Read(binrw::own)),
            (DEKU, Run::Read(deku::own)),
        ],
    ),
    Race {
        task: "fatbin-crate",
        ..race(
            Product::Own,
            &[
                ("hand", Run::Read(hand::own_coarse)),
                ("derived", Run::Read(derived::own_coarse)),
                ("fatbinary", Run::Read(fatbinary::own_coarse)),
            ],
        )
    },
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
