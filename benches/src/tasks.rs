//! One module per format, one file in it per contestant.

pub mod blob;
pub mod fatbin;
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
    blob::RACES,
    vpt::RACES,
    fatbin::RACES,
    pte::RACES,
    ptd::RACES,
    rten::RACES,
];
