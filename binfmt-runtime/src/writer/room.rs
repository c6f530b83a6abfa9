//! Regions whose length follows from the numbers that are set in them.
//!
//! A pass keeps the length that the one before it has found out. The first one measures a region with the
//! numbers that the value holds, which may be anything; the next one begins with the fewest bytes that the
//! region may have, so that what is written does not follow from them.

use super::region::{Emit, Region};
use super::{Pass, Writer};
use crate::finding::{Fault, Show};
use crate::ops::wide;
use crate::setter::Settable;

/// After so many passes a region does not get shorter: where a shorter one moves what it tells of so that it
/// has to be longer, numbers in it take more bytes than they need.
const PATIENCE: u32 = 8;

/// What is known of the numbers that have been set in a region.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// So many bytes less might be enough for it.
    excess: u64,
    /// So many bytes more than they need the numbers take.
    pad: u64,
}

impl Room {
    /// Whether a region has the length that was kept for it.
    pub(super) fn is_as_kept(self, region: Region, len: u64) -> bool {
        len == region.len && self.excess == 0
    }
}

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

    /// It has been.
    pub(super) fn end_room(&mut self, region: Region, around: u64) -> Room {
        let Some(book) = &mut self.book else { return Room { excess: 0, pad: 0 } };
        let (excess, left) =
            (core::mem::take(&mut book.excess), core::mem::replace(&mut book.pad, around));
        let pad = region.learned.and_then(|(index, _)| book.number(index.wrapping_add(1)));
        let is_first = matches!(region.learned, Some((_, false)));
        let pad = pad.unwrap_or(0).saturating_sub(left);
        Room { excess: if is_first { excess } else { 0 }, pad }
    }

    /// With its numbers a region has another length, which the next pass keeps for it.
    #[cold]
    pub(super) fn learn_len(&mut self, region: Region, len: u64, room: Room) -> Result<(), Fault> {
        let (Some(book), Some((index, is_known))) = (&mut self.book, region.learned) else {
            return Err(self.resized(region, len));
        };
        let needed = len.saturating_sub(room.pad);
        let pad = region.len.saturating_sub(needed);
        if room.excess > 0 {
            book.learn_least(index, region.len.saturating_sub(room.excess));
        } else if is_known && pad > 0 && book.rounds > PATIENCE {
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
            Ok(len) if !room.is_as_kept(region, len) => {
                self.learn_len(region, len, room).err().unwrap_or(fault)
            }
            _ => fault,
        }
    }

    /// Another number in the place of one may take so many bytes less.
    #[inline(always)]
    pub(crate) fn may_shrink(&mut self, bytes: usize) {
        if bytes > 0
            && let Some(book) = &mut self.book
        {
            book.excess = book.excess.saturating_add(wide(bytes));
        }
    }

    /// A number that is set, with more bytes than it needs where the region around it has them.
    #[inline(always)]
    pub(crate) fn with_room<T: Settable>(&mut self, number: T) -> T {
        match &mut self.book {
            Some(book) if book.pad > 0 => {
                let (number, used) = number.longer(book.pad);
                book.pad = book.pad.saturating_sub(used);
                number
            }
            _ => number,
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
