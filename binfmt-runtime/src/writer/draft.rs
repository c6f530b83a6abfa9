//! Drafts: values are written although expressions around them use old numbers.
//!
//! What is written has the new numbers, and is read again. Conditions and places may have followed from
//! the old ones, so what was read is compared with what was written: the bytes, and a trace (`trace.rs`).

use super::Writer;
#[cfg(feature = "alloc")]
use super::outputs;
#[cfg(feature = "alloc")]
use super::trace::Trace;
#[cfg(feature = "alloc")]
use super::whole::Whole;
use crate::finding::Fault;
use crate::int::Int;
use crate::ops::Widen;
#[cfg(feature = "alloc")]
use crate::path::Step;
#[cfg(feature = "alloc")]
use crate::{BinFormat, finding::Error};

impl Writer<'_> {
    /// Whether numbers that are used around their values may be old ones.
    pub(crate) fn is_draft(&self) -> bool {
        self.book.as_ref().is_some_and(|book| book.draft)
    }

    /// A number that follows from others is written at `at`, in place of the one that the value holds.
    #[inline(always)]
    pub fn derived<T: Int + Widen>(
        &mut self,
        names: &[&'static str],
        at: u64,
        (held, number): (T, T),
    ) -> Result<(), Fault> {
        self.derives_number(at, number);
        self.computed(names, at, (held, number))
    }

    /// The same for a number that may be absent, and then stays so.
    #[inline(always)]
    pub fn derived_if_there<T: Int + Widen>(
        &mut self,
        names: &[&'static str],
        at: u64,
        (held, number): (Option<T>, Option<T>),
    ) -> Result<(), Fault> {
        held.zip(number).map_or(Ok(()), |both| self.derived(names, at, both))
    }

    /// The same for a number that the value does not hold.
    #[inline(always)]
    pub fn derives_number<T: Int>(&mut self, at: u64, number: T) {
        // Only then is the width of a number in an encoding computed.
        if self.is_located() {
            self.derives(at, number.width());
        }
    }

    /// Where a number stands that follows from what is written, as far as it lies in the output itself.
    #[inline(always)]
    pub(crate) fn derives(&mut self, at: u64, len: usize) {
        #[cfg(feature = "alloc")]
        if self.is_located() && self.is_draft() {
            self.derives_in_draft(at, len);
        }
        #[cfg(not(feature = "alloc"))]
        let _ = (at, len);
    }

    #[cfg(feature = "alloc")]
    #[cold]
    #[inline(never)]
    fn derives_in_draft(&mut self, at: u64, len: usize) {
        let Some(locator) = &mut self.locator else { return };
        let (steps, depth) = (locator.path.steps(), locator.path.depth());
        if steps.len() == depth && !steps.contains(&Step::Decoded) {
            locator.derived.push(at..at.saturating_add(crate::ops::wide(len)));
        }
    }
}

/// What is written of a value whose numbers may be old ones.
#[cfg(feature = "alloc")]
pub(super) struct Draft {
    pub(super) bytes: alloc::vec::Vec<u8>,
    pub(super) trace: Trace,
    /// Where numbers stand that follow from others.
    pub(super) derived: alloc::vec::Vec<core::ops::Range<u64>>,
}

/// What comes of a draft that has been read.
#[cfg(feature = "alloc")]
enum Round {
    /// It is written as it was read.
    Settled,
    /// Numbers follow from those that it has now: another draft.
    Next(Draft),
    /// It has all numbers that are written, and is wrong otherwise.
    Wrong(Error),
    /// It is another value, or cannot be written.
    Other,
}

#[cfg(feature = "alloc")]
impl Draft {
    /// How many drafts of so many bytes there are at most: so many numbers may follow from one another. A few for
    /// any value, and more while all of them together are small, but no more than that: numbers may never settle.
    fn rounds(len: usize) -> usize {
        const FEW: usize = 4;
        const MOST: usize = 1 << 10;
        const SMALL: usize = 1 << 20;
        SMALL.checked_div(len).unwrap_or(0).clamp(FEW, MOST)
    }

    /// Whether what has been read from a draft is what was written, but for numbers that follow from others.
    fn read(&self, read: &dyn Whole) -> Round {
        let own = outputs::draft(false, read).ok().flatten();
        match own.filter(|own| own.trace == self.trace) {
            Some(own) if own.bytes == self.bytes => match outputs::to_vec(false, read) {
                Ok(again) if again == self.bytes => Round::Settled,
                Ok(_) => Round::Other,
                Err(error) => Round::Wrong(error),
            },
            Some(own) if own.has_the_rest_of(self) => Round::Next(own),
            _ => Round::Other,
        }
    }

    /// Whether what both hold is the same, but for numbers that follow from others.
    fn has_the_rest_of(&self, other: &Self) -> bool {
        let mut differs = self.bytes.iter().zip(&other.bytes).zip(0_u64..);
        self.bytes.len() == other.bytes.len()
            && differs.all(|((own, other), at)| {
                own == other || self.derived.iter().any(|range| range.contains(&at))
            })
    }
}

/// The value with every derived field as it is written.
#[cfg(feature = "alloc")]
pub(crate) fn settle<'a, T: BinFormat<'a>>(
    compact: bool,
    value: &T,
    buffer: &'a mut alloc::vec::Vec<u8>,
    args: T::Args,
) -> Result<T, Error> {
    let whole = &(value, args);
    let error = match outputs::to_settle(compact, whole) {
        Ok(bytes) => {
            *buffer = bytes;
            return T::parse_with(buffer, args);
        }
        Err(error) => error,
    };
    // Where no draft can be written, more is wrong with the value than old numbers.
    let Some(mut draft) = outputs::draft(compact, whole)? else { return Err(error) };
    // Each draft has bytes of its own, from which the value that is read of it may borrow.
    let len = draft.bytes.len();
    *buffer = alloc::vec![0; len.saturating_mul(Draft::rounds(len))];
    for bytes in buffer.chunks_exact_mut(len.max(1)) {
        bytes.copy_from_slice(&draft.bytes);
        let bytes: &'a [u8] = bytes;
        let Ok(value) = T::parse_with(bytes, args) else { break };
        match draft.read(&(&value, args)) {
            Round::Settled => return Ok(value),
            Round::Next(next) => draft = next,
            Round::Wrong(error) => return Err(error),
            Round::Other => break,
        }
    }
    Err(error)
}
