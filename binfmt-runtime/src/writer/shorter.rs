//! Of several ways to write a value that are all right, the shorter one: where a number of variable length tells of what
//! lies behind it, all of that may lie where it says because it takes a byte more than it would have to.

use alloc::vec::Vec;

use super::Book;
use super::book::State;
use crate::finding::Fault;

/// How many passes look whether one way is right.
const PASSES: u32 = 4;

/// How many numbers are given fewer bytes alone.
const NUMBERS: usize = 4;

/// What is known of other ways.
#[derive(Debug, Default)]
pub(super) enum Shorter {
    /// Nobody has looked.
    #[default]
    Unknown,
    /// The value can be written; passes look for another way.
    Looking(Looking),
    /// Somebody has looked.
    Known,
}

/// Passes that look for another way.
#[derive(Debug)]
pub(super) struct Looking {
    /// How long the value is on the way that is known, and what is known there.
    len: u64,
    state: State,
    sum: u64,
    /// The numbers that have not been given fewer bytes alone.
    numbers: Vec<usize>,
    /// How many passes are left on this way.
    left: u32,
}

impl Shorter {
    /// A value can be written with `len` bytes; whether the next pass looks for another way.
    pub(super) fn begins(&mut self, len: u64, book: &mut Book) -> bool {
        if !matches!(self, Self::Unknown) || book.tight.is_empty() {
            return false;
        }
        let (state, sum) = (book.state(), book.sum_of_state());
        let mut numbers = core::mem::take(&mut book.tight);
        numbers.truncate(NUMBERS);
        // All of them have as few bytes as they can have first.
        let begins = book.forget_widths();
        let looking = Looking { len, state, sum, numbers, left: PASSES };
        *self = if begins { Self::Looking(looking) } else { Self::Known };
        begins
    }

    /// What a pass has found on such a way: another number, a length, or that it leads nowhere. Whether another pass
    /// follows, which may be the one that goes back.
    pub(super) fn goes_on(
        &mut self,
        written: Option<&Result<u64, Fault>>,
        book: &mut Book,
    ) -> bool {
        let Self::Looking(looking) = self else { return false };
        looking.left = looking.left.saturating_sub(1);
        if written.is_none() && looking.left > 0 {
            return true;
        }
        if let Some(Ok(len)) = written
            && looking.is_better(*len, book)
        {
            *self = Self::Known;
            return false;
        }
        book.go_back_to(looking.state.clone());
        looking.left = PASSES;
        match looking.numbers.pop() {
            Some(number) => book.forget_width(number),
            None => *self = Self::Known,
        }
        true
    }
}

impl Looking {
    /// Whether a way is shorter, or as long with shorter numbers.
    fn is_better(&self, len: u64, book: &Book) -> bool {
        len < self.len || len == self.len && book.sum_of_state() != self.sum
    }
}
