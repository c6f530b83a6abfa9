//! The same work by many contestants: the derived products, hand-written code, other crates.
//!
//! Readers open a file in memory, iterate what is in it and fold what they read into one number, so
//! that nothing can be left out. Hand-written loops accept exactly what the derived readers accept
//! (`tests/agree.rs`). Writers make the same bytes. `binrw` and `deku` have no borrowed form: their
//! entries own their bytes, as a user of those crates would have it.

pub mod data;
pub mod flat;
pub mod fold;
pub mod numbers;
pub mod race;
pub mod tasks;

pub use race::{Product, Race, Run};

/// All races, by task.
pub fn races() -> impl Iterator<Item = &'static Race> {
    tasks::ALL.iter().copied().flatten()
}
