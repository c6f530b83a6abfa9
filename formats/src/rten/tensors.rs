//! What constants use of the tensor section.

#[cfg(feature = "alloc")]
use alloc::collections::BTreeMap;
use core::ops::Range;

use binfmt_runtime::{Rules, Show};

use super::rules;
use crate::shared::wide;

/// The tensor section, and what of it constants use.
pub(super) struct Tensors<'a> {
    pub(super) bytes: &'a [u8],
    /// The ranges of constants, start to end.
    #[cfg(feature = "alloc")]
    used: BTreeMap<u64, u64>,
    /// Where the last of them ends.
    end: u64,
    /// Whether every constant has a known place, so that what is left belongs to none.
    pub(super) complete: bool,
}

impl<'a> Tensors<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            #[cfg(feature = "alloc")]
            used: BTreeMap::new(),
            end: 0,
            complete: true,
        }
    }

    /// Whether a range shares bytes with one that was seen before, without being the same.
    #[cfg(feature = "alloc")]
    pub(super) fn overlaps(&mut self, start: u64, end: u64) -> bool {
        self.end = self.end.max(end);
        if start == end {
            return false;
        }
        let same = self.used.get(&start) == Some(&end);
        let before = self.used.range(..end).next_back();
        let overlaps = before.is_some_and(|(_, other)| *other > start);
        self.used.entry(start).and_modify(|other| *other = end.max(*other)).or_insert(end);
        overlaps && !same
    }

    /// Without memory, ranges cannot be compared.
    #[cfg(not(feature = "alloc"))]
    pub(super) fn overlaps(&mut self, _: u64, end: u64) -> bool {
        self.end = self.end.max(end);
        false
    }

    /// What no constant uses: padding, and bytes behind the last one.
    pub(super) fn rest(&self, section: &mut Rules<'_>) {
        if !self.complete {
            return;
        }
        #[cfg(feature = "alloc")]
        {
            let mut reached = 0;
            for (start, end) in &self.used {
                self.padding(reached..*start, section);
                reached = reached.max(*end);
            }
        }
        let len = wide(self.bytes.len());
        if self.end < len {
            let found = Show::Uint(len.saturating_sub(self.end));
            let mut at = part(self.end..len, section);
            at.report(&rules::TRAILING, Show::Uint(0), found);
        }
    }

    #[cfg(feature = "alloc")]
    fn padding(&self, gap: Range<u64>, section: &mut Rules<'_>) {
        let range = usize::try_from(gap.start).unwrap_or(usize::MAX)
            ..usize::try_from(gap.end).unwrap_or(usize::MAX);
        if self.bytes.get(range).is_some_and(|bytes| !rules::is_zero(bytes)) {
            let found = Show::Uint(gap.end.saturating_sub(gap.start));
            part(gap, section).report(&rules::PADDING, Show::Nothing, found);
        }
    }
}

/// Some bytes of the section.
fn part<'r>(bytes: Range<u64>, section: &'r mut Rules<'_>) -> Rules<'r> {
    let at = section.range().start;
    let range = at.saturating_add(bytes.start)..at.saturating_add(bytes.end);
    section.at(&[]).over(range)
}
