//! One module per format, one file in it per contestant.

pub mod fatbin;
pub mod payload;
pub mod ptd;
pub mod pte;
pub mod records;
pub mod rten;
pub mod union;
pub mod vpt;

use crate::Race;

/// The races of each task.
pub const ALL: &[&[Race]] = &[
    records::RACES,
    union::RACES,
    payload::RACES,
    vpt::RACES,
    fatbin::RACES,
    pte::RACES,
    ptd::RACES,
    rten::RACES,
];
