//! Numbers that cannot be computed, or not yet: while numbers are found out any is as good, and in the end each is an
//! error.

use super::Writer;
use crate::Order;
use crate::finding::{Fault, Show};

impl Writer<'_> {
    /// What is at `at`, counted from where offsets count from. What begins in front of that has no such number.
    #[inline(always)]
    pub fn from_origin(&mut self, at: u64) -> Result<u64, Fault> {
        match at.checked_sub(self.origin) {
            Some(offset) => Ok(offset),
            None if self.takes_any() => Ok(0),
            None => Err(self.in_front_of_origin(at)),
        }
    }

    #[cold]
    #[inline(never)]
    fn in_front_of_origin(&mut self, at: u64) -> Fault {
        let what = format_args!(
            "an expression asks where this lies, which is in front of where offsets count from"
        );
        self.fail_at(at, "size", what, Show::Uint(self.origin), Show::Uint(at))
    }

    /// Whether numbers are found out, and what is written meanwhile means nothing: those that the value
    /// holds may be nonsense.
    pub(crate) fn learns(&self) -> bool {
        self.book.as_ref().is_some_and(|book| book.learns)
    }

    /// Whether any number is as good as one that cannot be computed: numbers are found out, or the value is measured,
    /// and so written once more, when more of them are known.
    #[cold]
    #[inline(never)]
    pub fn takes_any(&self) -> bool {
        self.learns() || self.is_measuring()
    }

    /// What a value that is written leaves as it was, if it is written to its end.
    pub(crate) fn around(&self) -> (u64, Order, u32, bool, Option<usize>) {
        let depth = self.locator.as_ref().map(|locator| locator.path.depth());
        (self.origin, self.order, self.nests, self.using, depth)
    }

    /// What has been refused is written when more is known.
    #[cold]
    pub(crate) fn forget_refusal(&mut self) {
        if let Some(locator) = &mut self.locator {
            locator.found = None;
        }
    }

    /// A size cannot be computed, unless the next pass will know the numbers for it.
    #[cold]
    #[inline(never)]
    pub(crate) fn unknown(&mut self, word: &'static str) -> Result<u64, Fault> {
        if self.takes_any() { Ok(0) } else { Err(self.overflow(word)) }
    }

    /// A size or offset cannot be computed.
    #[cold]
    pub fn overflow(&mut self, word: &'static str) -> Fault {
        let what = format_args!("`{word}` cannot be computed from the values to be written");
        self.fail("size", what, Show::Nothing, Show::Nothing)
    }
}
