//! Regions whose length follows from the numbers that are set in them.
//!
//! A pass keeps the length that the one before it has found out. The first one measures a region with 0 for
//! these numbers, so that what is written does not follow from those that the value holds.

use super::region::{Emit, Region};
use super::{Pass, Writer};
use crate::finding::{Fault, Show};
use crate::setter::Settable;

/// After so many passes a region does not get shorter: where a shorter one moves what it tells of so that it
/// has to be longer, numbers in it take more bytes than they need. Values nest no deeper, so that each level of them
/// can find out a width in a pass of its own.
pub(super) const PATIENCE: u32 = 64;

impl Writer<'_> {
    /// The number that stands for the length of a region, and what an earlier pass has learned of it.
    pub(super) fn learned_len(&mut self) -> (Option<usize>, Option<u64>) {
        // Without memory the few numbers are for those of variable length.
        let book = self.book.as_mut().filter(|_| cfg!(feature = "alloc"));
        let Some(book) = book else { return (None, None) };
        // The next one stands for the bytes that its numbers do not need.
        let index = book.reserve_numbers(2);
        (index, index.and_then(|index| book.number(index)))
    }

    /// A region is written; returns what `end_room` asks for.
    pub(super) fn begin_room(&mut self, region: Region) -> u64 {
        let Some(book) = &mut self.book else { return 0 };
        let pad = region.learned.and_then(|(index, _)| book.number(index.wrapping_add(1)));
        core::mem::replace(&mut book.pad, pad.unwrap_or(0))
    }

    /// It has been; returns how many bytes more than they need its numbers have.
    pub(super) fn end_room(&mut self, region: Region, around: u64) -> u64 {
        let Some(book) = &mut self.book else { return 0 };
        let left = core::mem::replace(&mut book.pad, around);
        let pad = region.learned.and_then(|(index, _)| book.number(index.wrapping_add(1)));
        pad.unwrap_or(0).saturating_sub(left)
    }

    /// With its numbers a region has another length, which the next pass keeps for it.
    #[cold]
    pub(super) fn learn_len(&mut self, region: Region, len: u64, pad: u64) -> Result<(), Fault> {
        // What is only compared lies elsewhere, with other numbers.
        if self.compares() {
            return Ok(());
        }
        let (Some(book), Some((index, is_known))) = (&mut self.book, region.learned) else {
            return Err(self.resized(region, len));
        };
        if book.gives_up.is_some() {
            let lens = (Show::Uint(region.len), Show::Uint(len));
            return Err(self.never_settles("", region.at, lens));
        }
        let needed = len.saturating_sub(pad);
        let pad = region.len.saturating_sub(needed);
        if is_known && pad > 0 && book.rounds > PATIENCE {
            book.learn(index.wrapping_add(1), pad);
        } else {
            book.learn_len(index, needed);
            book.learn(index.wrapping_add(1), 0);
        }
        Ok(())
    }

    /// A region has failed, perhaps because it has no room for its numbers: without bytes none is missing.
    #[cold]
    pub(super) fn learn_room(
        &mut self,
        region: Region,
        fault: Fault,
        emit: &mut Emit<'_>,
    ) -> Fault {
        // Else nothing was missing.
        let has_bytes = self.keeps || self.pass != Pass::Direct;
        if !has_bytes || region.learned.is_none() {
            return fault;
        }
        self.go_to_number(region.numbers);
        let room = self.begin_room(region);
        let mut over = Writer { keeps: false, ..self.over(region) };
        (over.book, over.locator) = (self.book.as_deref_mut(), self.locator.as_deref_mut());
        let written = emit(&mut over).map(|()| over.len_of(region));
        let room = self.end_room(region, room);
        match written {
            Ok(len) if len != region.len => {
                self.learn_len(region, len, room).err().unwrap_or(fault)
            }
            _ => fault,
        }
    }

    /// Whether the region around has more bytes than its numbers need.
    #[inline(always)]
    pub fn has_room(&self) -> bool {
        self.book.as_ref().is_some_and(|book| book.pad > 0)
    }

    /// Gives a number that is set more bytes than it needs where the region around it has them.
    #[inline(always)]
    pub(crate) fn lengthen<T: Settable>(&mut self, number: &mut T) {
        let Some(book) = self.book.as_mut().filter(|book| book.pad > 0) else { return };
        if let Some((longer, used)) = number.longer(book.pad) {
            *number = longer;
            book.pad = book.pad.saturating_sub(used);
        }
    }

    #[cold]
    fn resized(&mut self, region: Region, len: u64) -> Fault {
        let what = format_args!(
            "the length depends on the numbers that the writer sets in the value, which needs memory; give them a fixed size, or set them to what is written"
        );
        self.fail_at(region.at, "size", what, Show::Uint(region.len), Show::Uint(len))
    }
}
