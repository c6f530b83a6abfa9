//! Views: values whose bytes other fields write.

use super::Writer;
use crate::finding::Fault;
#[cfg(not(feature = "alloc"))]
use crate::finding::Show;
use crate::{Cursor, Wire};

/// How often a value is written to find the numbers that decide how much is written.
#[cfg(feature = "alloc")]
const MAX_ROUNDS: u32 = 8;

type Emit<'e> = dyn FnMut(&mut Writer<'_>) -> Result<(), Fault> + 'e;

impl Writer<'_> {
    /// Insists that the bytes that `emit` would write at an offset lie there when all is written;
    /// `reads` says whether a reader finds the value in what does. A value that is `sized` ends where its
    /// bytes do, whatever follows.
    ///
    /// Who compares bytes does not look at the views inside, so that what nests costs no more for them.
    #[cfg(feature = "alloc")]
    pub fn view(
        &mut self,
        at: Option<u64>,
        sized: bool,
        emit: &mut Emit<'_>,
        reads: impl Fn(&mut Cursor<'_>, &[u8]) -> bool + 'static,
    ) -> Result<(), Fault> {
        let Some(at) = at else { return Err(self.overflow("at")) };
        if self.compares() || self.is_probe() {
            return Ok(());
        }
        let mark = self.open();
        self.only_look(at, emit)?;
        let bytes = self.bytes_at(at, emit);
        if self.is_draft() {
            // Where it lies may follow from an old number; what it says is the same wherever that is.
            self.trace_bytes(bytes.as_deref().unwrap_or_default());
            return Ok(());
        }
        if !self.rules() || self.is_replay() {
            return Ok(());
        }
        let bytes = bytes.unwrap_or_default();
        self.owe_visit(crate::ops::wide(bytes.len()));
        let end = if sized { at.saturating_add(crate::ops::wide(bytes.len())) } else { u64::MAX };
        let reads = alloc::boxed::Box::new(move |cur: &mut Cursor<'_>| reads(cur, &bytes));
        self.ahead_at(at, super::Ahead::View(reads))?;
        self.close_at(mark, end);
        Ok(())
    }

    /// Without memory to compare bytes in, nobody knows what a view says.
    #[cfg(not(feature = "alloc"))]
    pub fn view(
        &mut self,
        _: Option<u64>,
        _: bool,
        _: &mut Emit<'_>,
        _: impl Fn(&mut Cursor<'_>, &[u8]) -> bool + 'static,
    ) -> Result<(), Fault> {
        let what = format_args!("a view is compared in memory, and there is none without `alloc`");
        Err(self.fail("view", what, Show::Nothing, Show::Nothing))
    }

    /// The bytes that a value is written as where a reader has found it.
    #[cfg(feature = "alloc")]
    fn bytes_of<'a, T: Wire<'a>>(
        value: &T,
        cur: &Cursor<'_>,
        at: usize,
        compact: bool,
        args: T::Args,
    ) -> Option<alloc::vec::Vec<u8>> {
        let mut book = super::Book::default();
        let at = crate::ops::wide(at);
        let origin = crate::ops::wide(cur.origin);
        // Numbers that decide how much is written are mostly known after the first time.
        for _ in 0..MAX_ROUNDS {
            book.begin(false);
            let out = Writer { base: at, origin, compact, ..Writer::new(&mut []) };
            let mut out = Writer { order: cur.order, book: Some(&mut book), ..out };
            let bytes = out.bytes_at(at, &mut |out| value.emit(out, args));
            if !book.again() {
                return bytes;
            }
        }
        None
    }
}

/// Whether a reader finds a value at `cur` that is written as these bytes, and a validator no error in it:
/// nobody computes its numbers and checksums.
#[cfg(feature = "alloc")]
pub fn reads_same<'a, T: Wire<'a>>(cur: &mut Cursor<'a>, bytes: &[u8], args: T::Args) -> bool {
    let (at, outer) = (cur.pos(), *cur);
    let mut read = crate::Read::new(cur.file().len());
    let Ok(value) = T::walk(cur, &mut read, args) else { return false };
    let written = |compact| Writer::bytes_of(&value, &outer, at, compact, args);
    let same =
        [false, true].into_iter().any(|compact| written(compact).is_some_and(|own| own == bytes));
    same && crate::write::is_valid::<T>(&outer, args)
}

/// Without memory to compare bytes in, nobody knows.
#[cfg(not(feature = "alloc"))]
pub fn reads_same<'a, T: Wire<'a>>(_: &mut Cursor<'a>, _: &[u8], _: T::Args) -> bool {
    false
}
