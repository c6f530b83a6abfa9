//! Numbers of values that are written where they do not stand: at an offset, or in the open section of a value
//! around.
//!
//! Such a value is measured, compared and written, in some passes more often or earlier than in others, and what
//! lies inside it may be left out. So its numbers are counted from its own beginning on. Mostly located values
//! have no numbers: they are counted so where a pass has met some, and another one is needed.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::Writer;

/// The numbers of all such values.
#[derive(Clone, Debug, Default)]
pub(super) struct Apart {
    numbers: Vec<Option<u64>>,
    /// Where they begin that a value reserves, by its index and how many it has reserved before.
    firsts: BTreeMap<(usize, usize), (usize, usize)>,
    /// The index of the value that is being written, if it is such a one.
    value: Option<usize>,
}

/// What is added to the indexes of these numbers, so that they are no others.
pub(super) const APART: usize = 1 << (usize::BITS - 1);

impl Apart {
    /// Another pass begins.
    pub(super) fn begin(&mut self) {
        self.value = None;
    }

    /// Goes to a value, or back to the one around all; returns where it was.
    pub(super) fn go_to(&mut self, value: Option<usize>) -> Option<usize> {
        core::mem::replace(&mut self.value, value)
    }

    /// The index of the first of `count` numbers behind `before` others of the value, if it is such a one.
    pub(super) fn reserve(&mut self, before: usize, count: usize) -> Option<usize> {
        let (next, value) = (self.numbers.len(), self.value?);
        let (first, known) = *self.firsts.entry((value, before)).or_insert((next, count));
        if known >= count && first < next {
            return Some(first.wrapping_add(APART));
        }
        self.firsts.insert((value, before), (next, count));
        self.numbers.resize(next.saturating_add(count), None);
        Some(next.wrapping_add(APART))
    }

    /// All of them.
    pub(super) fn numbers(&self) -> impl Iterator<Item = &Option<u64>> {
        self.numbers.iter()
    }

    /// What is known of a number.
    pub(super) fn number(&self, index: usize) -> Option<u64> {
        self.numbers.get(index.checked_sub(APART)?).copied().flatten()
    }

    /// The same, to be changed.
    pub(super) fn known(&mut self, index: usize) -> Option<&mut Option<u64>> {
        self.numbers.get_mut(index.checked_sub(APART)?)
    }
}

impl Writer<'_> {
    /// Writes a value by whose index its numbers are told from others.
    pub(crate) fn apart<R>(&mut self, index: usize, write: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.book.as_mut().map(|book| book.begin_apart(index));
        let result = write(self);
        if let (Some(book), Some(before)) = (&mut self.book, before) {
            book.end_apart(before);
        }
        result
    }
}
