//! The trace of what a writer has met, by which drafts are compared: which fields and items begin and end where,
//! and all that decides how bytes are read and has none of its own.

use super::Writer;
use crate::Order;
use crate::ops::{Widen, to_bits, wide};
use crate::path::Step;

/// A digest of what a writer has met, in order; but for values at offsets, whose order tells nothing.
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

    /// The digest, so that no two that differ a little differ by the same: opposite differences of values
    /// whose digests are added would take each other away. This is the end of `MurmurHash3`.
    const fn mixed(self) -> u64 {
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed = (mixed ^ (mixed >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        mixed ^ (mixed >> 33)
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
    /// Writes a value at an offset, which is met before or behind others as their places are.
    #[inline(always)]
    pub(crate) fn traced_apart<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> R {
        let Some(locator) = &mut self.locator else { return write(self) };
        let around = core::mem::take(&mut locator.trace);
        let result = write(self);
        if let Some(locator) = &mut self.locator {
            let own = core::mem::replace(&mut locator.trace, around);
            locator.trace.0 = around.0.wrapping_add(own.mixed());
        }
        result
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
        self.trace_bytes(&wide(which).to_le_bytes());
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
            out.trace_numbers((0, to_bits(self.0.widen())));
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
