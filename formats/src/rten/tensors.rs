//! What constants use of the tensor section.

#[cfg(feature = "alloc")]
use alloc::collections::BTreeMap;
#[cfg(feature = "alloc")]
use core::ops::Range;

use binfmt_runtime::{Rules, Severity, Show, Step};

#[cfg(feature = "alloc")]
use super::rules::is_zero;

/// The tensor section, and what of it constants use.
pub(super) struct Tensors<'a> {
    pub(super) bytes: &'a [u8],
    /// Where it begins in the file.
    at: u64,
    /// The ranges of constants, start to end.
    #[cfg(feature = "alloc")]
    used: BTreeMap<u64, u64>,
    /// Where the last of them ends.
    end: u64,
    /// Whether every constant has a known place, so that what is left belongs to none.
    pub(super) complete: bool,
}

impl<'a> Tensors<'a> {
    pub(super) fn new(bytes: &'a [u8], at: u64) -> Self {
        Self {
            bytes,
            at,
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
    pub(super) fn rest(&self, rules: &mut Rules<'_>) {
        if !self.complete {
            return;
        }
        #[cfg(feature = "alloc")]
        {
            let mut reached = 0;
            for (start, end) in &self.used {
                self.padding(reached..*start, rules);
                reached = reached.max(*end);
            }
        }
        let len = u64::try_from(self.bytes.len()).unwrap_or(u64::MAX);
        if self.end < len {
            let range = self.at.saturating_add(self.end)..self.at.saturating_add(len);
            let what = format_args!("bytes follow the last constant");
            let about = (&[Step::Field("tensors")][..], range);
            let shown = (Show::Uint(0), Show::Uint(len.saturating_sub(self.end)));
            rules.tell_at(Severity::Warning, "rten.trailing", about, what, shown);
        }
    }

    #[cfg(feature = "alloc")]
    fn padding(&self, gap: Range<u64>, rules: &mut Rules<'_>) {
        let range = usize::try_from(gap.start).unwrap_or(usize::MAX)
            ..usize::try_from(gap.end).unwrap_or(usize::MAX);
        if self.bytes.get(range).is_some_and(|bytes| !is_zero(bytes)) {
            let range = self.at.saturating_add(gap.start)..self.at.saturating_add(gap.end);
            let what = format_args!("the padding between constants is not zero");
            let about = (&[Step::Field("tensors")][..], range);
            rules.tell_at(
                Severity::Warning,
                "rten.padding",
                about,
                what,
                (Show::Nothing, Show::Nothing),
            );
        }
    }
}
