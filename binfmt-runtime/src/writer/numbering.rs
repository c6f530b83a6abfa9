//! How the numbers of located values are counted: in the order of the places, or by value where another pass
//! may have another order.

use super::Writer;
use crate::finding::Fault;

/// How the numbers of the values of one region are counted. Without memory the few numbers are counted in the
/// order in which they are met.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Numbering {
    /// The index of the first value, where each counts its own.
    #[cfg(feature = "alloc")]
    first: Option<usize>,
    /// How many numbers there were before.
    #[cfg(feature = "alloc")]
    before: usize,
}

#[cfg(feature = "alloc")]
impl Writer<'_> {
    /// As many values are written next, in an order that depends on their places.
    pub(crate) fn begin_located(&mut self, count: usize) -> Result<Numbering, Fault> {
        let first = if self.counts_by_values() { Some(self.guesses(count)?) } else { None };
        Ok(Numbering { first, before: self.numbers() })
    }

    /// One of them.
    #[inline(always)]
    pub(crate) fn located<R>(
        &mut self,
        numbering: Numbering,
        id: usize,
        write: impl FnOnce(&mut Self) -> R,
    ) -> R {
        self.traced_apart(|out| match numbering.first {
            Some(first) => out.apart(first.saturating_add(id), write),
            None => write(out),
        })
    }

    /// They have been written.
    pub(crate) fn end_located(&mut self, numbering: Numbering) {
        if numbering.first.is_none() {
            self.counted_by_places(numbering.before);
        }
    }

    /// Whether each value counts its own.
    #[inline(always)]
    pub(crate) fn counts_by_values(&self) -> bool {
        self.book.as_ref().is_some_and(|book| book.by_values)
    }

    /// Located values have been written in the order of their places; so many numbers there were before.
    #[inline(always)]
    pub(crate) fn counted_by_places(&mut self, before: usize) {
        if let Some(book) = &mut self.book
            && book.numbers() != before
        {
            book.by_places = true;
        }
    }
}

#[cfg(not(feature = "alloc"))]
impl Writer<'_> {
    #[inline(always)]
    pub(crate) fn begin_located(&mut self, _: usize) -> Result<Numbering, Fault> {
        Ok(Numbering::default())
    }

    #[inline(always)]
    pub(crate) fn located<R>(
        &mut self,
        _: Numbering,
        _: usize,
        write: impl FnOnce(&mut Self) -> R,
    ) -> R {
        self.traced_apart(write)
    }

    #[inline(always)]
    pub(crate) fn end_located(&mut self, _: Numbering) {}

    #[inline(always)]
    pub(crate) fn counts_by_values(&self) -> bool {
        false
    }

    #[inline(always)]
    pub(crate) fn counted_by_places(&mut self, _: usize) {}
}
