//! One module per format, one file in it per contestant.

pub mod fatbin;
pub mod records;

pub mod vpt;

use crate::Race;

/// The races of each task.
pub const ALL: &[&[Race]] = &[records::RACES, vpt::RACES, fatbin::RACES];
