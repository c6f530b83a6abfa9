//! Drafts: values are written although expressions around them use old numbers.
//!
//! What is written has the new numbers, and is read again. Conditions and places may have followed from
//! the old ones, so what was read is compared with what was written: the bytes, and a trace of which
//! fields and items begin and end where, which variants there are, and what views say.

use super::Writer;
#[cfg(feature = "alloc")]
use super::whole::{self, Whole};
use crate::path::Step;

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

    /// A number that says what is written, and has no bytes of its own.
    #[inline(always)]
    pub(crate) fn trace(&mut self, number: u64) {
        if self.is_located() {
            self.trace_bytes(&number.to_le_bytes());
        }
    }

    /// Bytes that say what is written, and are none of it.
    #[cold]
    #[inline(never)]
    pub(crate) fn trace_bytes(&mut self, bytes: &[u8]) {
        if let Some(locator) = &mut self.locator {
            locator.trace.bytes(bytes);
        }
    }
}

/// What is written of a value whose numbers may be old ones.
#[cfg(feature = "alloc")]
pub(crate) struct Draft {
    pub(crate) bytes: alloc::vec::Vec<u8>,
    trace: Trace,
}

#[cfg(feature = "alloc")]
impl Draft {
    /// Writes a draft; `None` where more is wrong with the value than old numbers.
    pub(crate) fn of(value: &dyn Whole) -> Option<Self> {
        let (bytes, trace) = whole::draft(value)?;
        Some(Self { bytes, trace })
    }

    /// Whether what has been read from a draft is what was written, and can be written itself.
    pub(crate) fn is_of(&self, bytes: &[u8], read: &dyn Whole) -> bool {
        whole::to_vec(false, read).is_ok_and(|again| again == bytes)
            && Self::of(read).is_some_and(|own| own.trace == self.trace)
    }
}
