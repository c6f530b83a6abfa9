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
    #[inline(always)]
    pub(crate) fn begin_located(&mut self, count: usize) -> Result<Numbering, Fault> {
        let first = match &self.book {
            Some(book) if book.by_values => Some(self.guesses(count)?),
            _ => None,
        };
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
        match numbering.first {
            Some(first) => self.apart(first.saturating_add(id), write),
            None => write(self),
        }
    }

    /// They have been written.
    #[inline(always)]
    pub(crate) fn end_located(&mut self, numbering: Numbering) {
        if self.numbers() != numbering.before
            && let Some(book) = &mut self.book
        {
            book.by_places |= numbering.first.is_none();
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
        write(self)
    }

    #[inline(always)]
    pub(crate) fn end_located(&mut self, _: Numbering) {}
}
