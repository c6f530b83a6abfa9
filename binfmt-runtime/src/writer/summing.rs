//! A writer into a digest: takes the bytes that one checksum covers.

use super::{Backend, Writer};
use crate::checksum::{TOO_DEEP, zeroes};
use crate::finding::Problem;

/// Feeds the covered bytes of the outermost value to a digest.
pub struct Summing<'s> {
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

impl core::fmt::Debug for Summing<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Summing").field("level", &self.level).finish_non_exhaustive()
    }
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

impl Backend for &mut Summing<'_> {
    fn rules(&self) -> bool {
        false
    }

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

impl<B: Backend> Writer<B> {
    /// Whether the checksum of that bit is to be computed.
    #[inline(always)]
    pub fn sums(&self, bit: u32) -> bool {
        self.backend.sums(bit)
    }

    /// How many checksums are being computed around this writer.
    pub(crate) fn level(&self) -> u32 {
        self.backend.level()
    }

    /// Some checksums begin, or cease, to cover what is written.
    #[inline(always)]
    pub fn cover(&mut self, sums: u32, on: bool) {
        self.backend.cover(sums, on);
    }

    /// What is written begins, or ceases, to count as zeros for some checksums.
    #[inline(always)]
    pub fn blank(&mut self, sums: u32, on: bool) {
        self.backend.blank(sums, on);
    }

    /// A writer at the same place into something else.
    pub(crate) fn beside<C: Backend>(&self, backend: C) -> Writer<C> {
        Writer {
            backend,
            pos: self.pos,
            origin: self.origin,
            order: self.order,
            compact: self.compact,
        }
    }
}
