//! A writer into a digest: takes the bytes that one checksum covers.

use super::Sink;
use crate::checksum::{TOO_DEEP, zeroes};
use crate::finding::Problem;

/// Feeds the covered bytes of the outermost value to a digest.
pub(crate) struct Summing<'s> {
    feed: &'s mut dyn FnMut(&[u8]),
    /// The checksum, and those of the same value that it covers.
    bit: u32,
    needed: u32,
    level: u32,
    depth: usize,
    covered: bool,
    blank: bool,
    /// Whether a checksum inside failed because of its level.
    pub(crate) too_deep: bool,
}

impl<'s> Summing<'s> {
    pub(crate) fn new(feed: &'s mut dyn FnMut(&[u8]), bit: u32, needed: u32, level: u32) -> Self {
        Self { feed, bit, needed, level, depth: 0, covered: false, blank: false, too_deep: false }
    }

    /// Whether the outermost value speaks, and of this checksum.
    fn concerns(&self, sums: u32) -> bool {
        self.depth == 1 && has(sums, self.bit)
    }
}

fn has(sums: u32, bit: u32) -> bool {
    sums.checked_shr(bit).is_some_and(|sums| sums & 1 == 1)
}

impl Sink for Summing<'_> {
    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        match (self.covered, self.blank) {
            (true, true) => zeroes(self.feed, bytes.len()),
            (true, false) => (self.feed)(bytes),
            (false, _) => {}
        }
        Some(())
    }

    fn begin(&mut self) {
        self.depth = self.depth.saturating_add(1);
    }

    fn finish(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn sums(&self, bit: u32) -> bool {
        self.depth != 1 || has(self.needed, bit)
    }

    fn level(&self) -> u32 {
        self.level
    }

    fn cover(&mut self, sums: u32, on: bool) {
        if self.concerns(sums) {
            self.covered = on;
        }
    }

    fn fail(&mut self, problem: &Problem<'_>) {
        self.too_deep |= problem.code == TOO_DEEP;
    }

    fn blank(&mut self, sums: u32, on: bool) {
        if self.concerns(sums) {
            self.blank = on;
        }
    }
}
