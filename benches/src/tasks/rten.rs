//! `RTen` models: the header, and a graph of values, constants and operators.
//!
//! What is written is the header around the graph, which is bytes as they are.

pub mod derived;
pub mod hand;
pub mod model_file;

use crate::{Product, Race, Run, data};

const fn race(product: Product, contestants: &'static [(&'static str, Run)]) -> Race {
    Race { task: "rten", product, unit: "node", count: 3_000, data: data::rten, contestants }
}

/// The races of this task.
pub const RACES: &[Race] = &[
    race(
        Product::Read,
        &[
            ("hand", Run::Read(hand::read)),
            ("derived", Run::Read(derived::read)),
            ("rten-model-file", Run::Read(model_file::read)),
        ],
    ),
    race(
        Product::IsValid,
        &[
            ("hand", Run::Read(hand::is_valid)),
            ("derived", Run::Read(derived::is_valid)),
            ("rten-model-file", Run::Read(model_file::is_valid)),
        ],
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
