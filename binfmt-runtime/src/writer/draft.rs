//! Drafts: values are written although expressions around them use old numbers.
//!
//! What is written has the new numbers, and is read again. Conditions and places may have followed from
//! the old ones, so what was read is compared with what was written: the bytes, and a trace of which
//! fields and items begin and end where, which variants there are, and what views say.

use super::Writer;
#[cfg(feature = "alloc")]
use super::whole::{self, Whole};
use crate::Order;
use crate::finding::Fault;
use crate::int::Int;
use crate::ops::Widen;
use crate::path::Step;
#[cfg(feature = "alloc")]
use crate::{BinFormat, finding::Error};

/// A digest of what a writer has met, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Trace(u64);

impl Default for Trace {
    fn default() -> Self {
        // The offset basis of FNV-1a.
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Trace {
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    pub(super) fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    pub(super) fn step(&mut self, step: Step, at: u64) {
        self.number(at);
        match step {
            Step::Field(name) => self.bytes(name.as_bytes()),
            Step::Index(index) => self.number(index),
            Step::Decoded => self.bytes(b"decoded"),
        }
    }
}

impl Writer<'_> {
    /// Whether numbers that are used around their values may be old ones.
    pub(crate) fn is_draft(&self) -> bool {
        self.book.as_ref().is_some_and(|book| book.draft)
    }

    /// What decides how bytes are read, and has none of its own: which variant there is and its tag, or whether a
    /// value is there.
    #[inline(always)]
    pub(crate) fn trace(&mut self, what: (usize, u64)) {
        if self.is_located() {
            self.trace_numbers(what);
        }
    }

    #[cold]
    #[inline(never)]
    fn trace_numbers(&mut self, (which, number): (usize, u64)) {
        self.trace_bytes(&crate::ops::wide(which).to_le_bytes());
        self.trace_bytes(&number.to_le_bytes());
    }

    /// The byte order in which a value is written that tells it.
    #[inline(always)]
    pub fn trace_order(&mut self, order: Order) {
        self.trace((usize::from(order == Order::Big), 0));
    }

    /// What is written follows from something that cannot be compared: of such a value there is no draft.
    #[cold]
    fn trace_anything(&mut self) {
        if let Some(locator) = &mut self.locator {
            locator.is_traced = false;
        }
    }

    /// Bytes that say what is written, and are none of it.
    #[cold]
    #[inline(never)]
    pub(crate) fn trace_bytes(&mut self, bytes: &[u8]) {
        let is_written = self.is_traced();
        if let Some(locator) = self.locator.as_mut().filter(|_| is_written) {
            locator.trace.bytes(bytes);
        }
    }
}

/// An argument that a function of the user is given for what it writes.
#[derive(Debug)]
pub struct Given<'v, T>(pub &'v T);

/// It is a number.
pub trait GivenNumber {
    /// Has it in the trace of a draft.
    fn trace(&self, out: &mut Writer<'_>);
}

impl<T: Widen> GivenNumber for Given<'_, T> {
    #[inline(always)]
    fn trace(&self, out: &mut Writer<'_>) {
        if out.is_located() {
            out.trace_numbers((0, crate::ops::to_bits(self.0.widen())));
        }
    }
}

/// It is something else, of which nothing is known.
pub trait GivenAnything {
    /// There is no draft of a value with it.
    fn trace(&self, out: &mut Writer<'_>);
}

impl<T> GivenAnything for &Given<'_, T> {
    #[inline(always)]
    fn trace(&self, out: &mut Writer<'_>) {
        if out.is_located() {
            out.trace_anything();
        }
    }
}

impl Writer<'_> {
    /// A number that follows from others is written at `at`, in place of the one that the value holds.
    #[inline(always)]
    pub fn derived<T: Int + Widen>(
        &mut self,
        names: &[&'static str],
        at: u64,
        (held, number): (T, T),
    ) -> Result<(), Fault> {
        self.derives(at, if T::VARIABLE { 0 } else { T::SIZE });
        self.computed(names, at, (held, number))
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
    /// It is another value, or cannot be written.
    Other,
}

#[cfg(feature = "alloc")]
impl Draft {
    /// How many drafts there are at most: so many numbers may follow from one another.
    const ROUNDS: usize = 4;

    /// Writes a draft; `None` where more is wrong with the value than old numbers.
    fn of(compact: bool, value: &dyn Whole) -> Option<Self> {
        whole::draft(compact, value)
    }

    /// Whether what has been read from a draft is what was written, but for numbers that follow from others.
    fn read(&self, read: &dyn Whole) -> Round {
        match Self::of(false, read).filter(|own| own.trace == self.trace) {
            Some(own) if own.bytes == self.bytes => {
                let again = whole::to_vec(false, read);
                if again.is_ok_and(|again| again == self.bytes) {
                    Round::Settled
                } else {
                    Round::Other
                }
            }
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
    let error = match whole::to_settle(compact, whole) {
        Ok(bytes) => {
            *buffer = bytes;
            return T::parse_with(buffer, args);
        }
        Err(error) => error,
    };
    let Some(mut draft) = Draft::of(compact, whole) else { return Err(error) };
    // Each draft has bytes of its own, from which the value that is read of it may borrow.
    let len = draft.bytes.len();
    *buffer = alloc::vec![0; len.saturating_mul(Draft::ROUNDS)];
    for bytes in buffer.chunks_exact_mut(len.max(1)) {
        bytes.copy_from_slice(&draft.bytes);
        let bytes: &'a [u8] = bytes;
        let Ok(value) = T::parse_with(bytes, args) else { break };
        match draft.read(&(&value, args)) {
            Round::Settled => return Ok(value),
            Round::Next(next) => draft = next,
            Round::Other => break,
        }
    }
    Err(error)
}
