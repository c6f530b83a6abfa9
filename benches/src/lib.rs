//! The same work by four contestants: the derived readers, hand-written loops, `binrw`, `deku`.
//!
//! Each contestant opens a file in memory, iterates its entries and folds what it read into one
//! number, so that nothing can be left out. The hand-written loops accept exactly what the derived
//! readers accept (`tests/agree.rs`). `binrw` and `deku` have no borrowed form: their entries own
//! their bytes, as a user of those crates would have it.

pub mod binrw;
pub mod data;
pub mod deku;
pub mod derived;
pub mod fold;
pub mod hand;

/// Reads a file and folds its entries; `None` for a file that the contestant does not accept.
pub type Run = fn(&[u8]) -> Option<u64>;

/// A format, its test file and how each contestant reads it.
#[derive(Debug)]
pub struct Race {
    /// Name of the format.
    pub format: &'static str,
    /// How many entries the test file has.
    pub entries: usize,
    /// Makes the test file.
    pub data: fn(usize) -> Vec<u8>,
    /// The contestants; the first is the measure of the others.
    pub contestants: [(&'static str, Run); 4],
}

/// All races.
pub const RACES: [Race; 2] = [
    Race {
        format: "vpt",
        entries: 10_000,
        data: data::vpt,
        contestants: [
            ("hand", hand::vpt),
            ("derived", derived::vpt),
            ("binrw", binrw::vpt),
            ("deku", deku::vpt),
        ],
    },
    Race {
        format: "fatbin",
        entries: 5_000,
        data: data::fatbin,
        contestants: [
            ("hand", hand::fatbin),
            ("derived", derived::fatbin),
            ("binrw", binrw::fatbin),
            ("deku", deku::fatbin),
        ],
    },
];

impl Race {
    /// The test file, once all contestants have read it and agree on what is in it.
    ///
    /// # Panics
    ///
    /// Panics if they do not.
    pub fn file(&self) -> Vec<u8> {
        let file = (self.data)(self.entries);
        let sums = self.contestants.map(|(_, run)| run(&file));
        assert!(sums[0].is_some(), "{}: the hand-written loop rejects the file", self.format);
        assert!(
            sums.iter().all(|sum| *sum == sums[0]),
            "{}: the contestants disagree: {sums:x?}",
            self.format
        );
        file
    }
}
