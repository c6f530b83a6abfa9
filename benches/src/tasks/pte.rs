//! `ExecuTorch` programs: the header, named segments and operators.
//!
//! What is written is the header around the tables, which are bytes as they are.

pub mod derived;
pub mod hand;

use crate::{Product, Race, Run, data};

const fn race(product: Product, contestants: &'static [(&'static str, Run)]) -> Race {
    Race { task: "pte", product, unit: "segment", count: 1_000, data: data::pte, contestants }
}

/// The races of this task.
pub const RACES: &[Race] = &[
    race(Product::Read, &[("hand", Run::Read(hand::read)), ("derived", Run::Read(derived::read))]),
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
        &[("hand", Run::Write(hand::write)), ("derived", Run::Write(derived::write))],
    ),
];
