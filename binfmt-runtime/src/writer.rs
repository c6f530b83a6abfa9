//! The writer: strictly forward, into anything that takes bytes.
//!
//! Sizes come from the same `emit` that writes: run over a backend that only counts.

use crate::finding::{Class, Error, Fault, Finding, Problem, Severity, Show};
use crate::ops::wide;
use crate::path::{Path, Step};
use crate::{Text, Wire};

/// Where written bytes go.
pub trait Backend {
    /// Whether the backend only counts; derived values that need sizes are then not computed.
    #[inline(always)]
    fn counts(&self) -> bool {
        false
    }

    /// Takes the next bytes; `None` when they do not fit or cannot be written.
    fn put(&mut self, bytes: &[u8]) -> Option<()>;

    /// Takes `len` times the same byte.
    fn fill(&mut self, byte: u8, len: u64) -> Option<()> {
        let block = [byte; 64];
        let mut left = len;
        while left > 0 {
            let chunk = block.get(..usize::try_from(left).unwrap_or(64)).unwrap_or(&block);
            self.put(chunk)?;
            left = left.checked_sub(wide(chunk.len()))?;
        }
        Some(())
    }

    /// A value begins.
    fn begin(&mut self) {}

    /// The value that began last ends.
    fn finish(&mut self) {}

    /// A section begins at `pos`.
    fn mark(&mut self, _section: usize, _pos: u64) {}

    /// A field or an item begins.
    fn enter(&mut self, _step: Step) {}

    /// The field or item that began last ends.
    fn leave(&mut self) {}

    /// Writing stops.
    fn fail(&mut self, _problem: &Problem<'_>) {}
}

/// A backend with the position that it has reached.
#[derive(Debug)]
pub struct Writer<B> {
    backend: B,
    pos: u64,
    /// Offset that located fields count from.
    pub origin: u64,
}

impl<B: Backend> Writer<B> {
    /// A writer at offset 0.
    pub fn new(backend: B) -> Self {
        Self { backend, pos: 0, origin: 0 }
    }

    /// The offset of the next byte.
    #[inline(always)]
    pub fn pos(&self) -> u64 {
        self.pos
    }

    /// Whether nothing is written, only counted.
    #[inline(always)]
    pub fn counts(&self) -> bool {
        self.backend.counts()
    }

    /// Writes `bytes`.
    #[inline(always)]
    pub fn put(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        match self.backend.put(bytes) {
            Some(()) => {
                self.pos = self.pos.saturating_add(wide(bytes.len()));
                Ok(())
            }
            None => Err(self.full(wide(bytes.len()))),
        }
    }

    /// Writes `len` times the same byte.
    #[inline(always)]
    pub fn fill(&mut self, byte: u8, len: u64) -> Result<(), Fault> {
        match self.backend.fill(byte, len) {
            Some(()) => {
                self.pos = self.pos.saturating_add(len);
                Ok(())
            }
            None => Err(self.full(len)),
        }
    }

    /// Counts `len` bytes that have been counted before.
    #[inline(always)]
    pub fn skip(&mut self, len: u64) {
        self.pos = self.pos.saturating_add(len);
    }

    #[cold]
    fn full(&mut self, len: u64) -> Fault {
        self.fail(
            "space",
            format_args!("the output takes no more bytes"),
            Show::Uint(len),
            Show::Nothing,
        )
    }

    /// Stops writing, with the reason.
    #[cold]
    pub fn fail(
        &mut self,
        code: &'static str,
        what: core::fmt::Arguments<'_>,
        expected: Show,
        found: Show,
    ) -> Fault {
        let at = usize::try_from(self.pos).unwrap_or(usize::MAX);
        self.backend.fail(&Problem {
            code,
            class: Class::Invalid,
            start: at,
            end: at,
            what,
            expected,
            found,
        });
        Fault::at(at)
    }

    /// Writes padding up to a multiple of `align`, counted from `start`.
    #[inline(always)]
    pub fn align(&mut self, start: u64, align: u64, fill: u8) -> Result<(), Fault> {
        let at = self.pos.saturating_sub(start);
        match crate::ops::align_up(at, align) {
            Some(to) => self.fill(fill, to.saturating_sub(at)),
            None => Err(self.overflow("align")),
        }
    }

    /// Writes padding until `len` bytes have been written since `start`.
    #[inline(always)]
    pub fn pad_to(&mut self, start: u64, len: u64, fill: u8) -> Result<(), Fault> {
        match start.checked_add(len).and_then(|end| end.checked_sub(self.pos)) {
            Some(more) => self.fill(fill, more),
            None => Err(self.fail(
                "size",
                format_args!("the value is longer than the space kept for it"),
                Show::Uint(len),
                Show::Uint(self.pos.saturating_sub(start)),
            )),
        }
    }

    /// A size or offset cannot be computed.
    #[cold]
    pub fn overflow(&mut self, word: &'static str) -> Fault {
        let what = format_args!("`{word}` cannot be computed from the values to be written");
        self.fail("size", what, Show::Nothing, Show::Nothing)
    }

    /// A field or an item begins.
    #[inline(always)]
    pub fn enter(&mut self, name: &'static str) {
        self.backend.enter(Step::Field(name));
    }

    /// An item begins.
    #[inline(always)]
    pub fn enter_item(&mut self, index: u64) {
        self.backend.enter(Step::Index(index));
    }

    /// The field or item that began last ends.
    #[inline(always)]
    pub fn leave(&mut self) {
        self.backend.leave();
    }

    /// A value begins here.
    #[inline(always)]
    pub fn begin(&mut self) -> u64 {
        self.backend.begin();
        self.pos
    }

    /// The value that began last ends.
    #[inline(always)]
    pub fn finish(&mut self) {
        self.backend.finish();
    }

    /// A section of the current value begins here.
    #[inline(always)]
    pub fn mark(&mut self, section: usize) {
        self.backend.mark(section, self.pos);
    }

    /// How many bytes `emit` would write here.
    pub fn measure(
        &self,
        emit: impl FnOnce(&mut Writer<Counter<'_>>) -> Result<(), Fault>,
    ) -> Result<u64, Fault> {
        self.measure_from(self.pos, emit)
    }

    /// How many bytes `emit` would write at `pos`.
    pub fn measure_from(
        &self,
        pos: u64,
        emit: impl FnOnce(&mut Writer<Counter<'_>>) -> Result<(), Fault>,
    ) -> Result<u64, Fault> {
        let mut counter = Writer { backend: Counter::default(), pos, origin: self.origin };
        emit(&mut counter)?;
        Ok(counter.pos.saturating_sub(pos))
    }

    /// Where the sections of the value begin that `emit` would write here.
    pub fn sections(
        &self,
        emit: impl FnOnce(&mut Writer<Counter<'_>>) -> Result<(), Fault>,
    ) -> Result<[u64; 8], Fault> {
        let mut counter =
            Writer { backend: Counter::default(), pos: self.pos, origin: self.origin };
        emit(&mut counter)?;
        Ok(counter.backend.sections)
    }
}

/// How many sections a value may have.
const MAX_SECTIONS: usize = 8;

/// Counts bytes and remembers where the sections of the outermost value begin.
///
/// With a trace it says why writing, or only counting, failed: every declaration has one instance
/// for all of that.
#[derive(Debug, Default)]
pub struct Counter<'t> {
    depth: usize,
    sections: [u64; MAX_SECTIONS],
    trace: Option<&'t mut Trace>,
}

/// Knows where in the declaration a writer is.
#[derive(Debug, Default)]
struct Trace {
    path: Path,
    found: Option<Finding>,
    counts: bool,
}

impl Backend for Counter<'_> {
    #[inline(always)]
    fn counts(&self) -> bool {
        self.trace.as_ref().is_none_or(|trace| trace.counts)
    }

    #[inline(always)]
    fn put(&mut self, _bytes: &[u8]) -> Option<()> {
        Some(())
    }

    #[inline(always)]
    fn fill(&mut self, _byte: u8, _len: u64) -> Option<()> {
        Some(())
    }

    fn begin(&mut self) {
        self.depth = self.depth.saturating_add(1);
    }

    fn finish(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn mark(&mut self, section: usize, pos: u64) {
        if let (1, Some(slot)) = (self.depth, self.sections.get_mut(section)) {
            *slot = pos;
        }
    }

    #[inline(always)]
    fn enter(&mut self, step: Step) {
        if let Some(trace) = &mut self.trace {
            trace.enter(step);
        }
    }

    #[inline(always)]
    fn leave(&mut self) {
        if let Some(trace) = &mut self.trace {
            trace.leave();
        }
    }

    #[cold]
    fn fail(&mut self, problem: &Problem<'_>) {
        if let Some(trace) = &mut self.trace {
            trace.fail(problem);
        }
    }
}

impl Trace {
    #[cold]
    fn enter(&mut self, step: Step) {
        self.path.push(step);
    }

    #[cold]
    fn leave(&mut self) {
        self.path.truncate(self.path.depth().saturating_sub(1));
    }

    fn fail(&mut self, problem: &Problem<'_>) {
        if self.found.is_none() {
            let path = self.path.render();
            self.found = Some(Finding::new(Severity::Error, path, None, problem));
        }
    }
}

/// Writes into a slice, from its start.
#[derive(Debug)]
pub struct Slice<'s> {
    rest: &'s mut [u8],
}

impl<'s> Slice<'s> {
    /// A backend that fills `out` from its start.
    pub fn new(out: &'s mut [u8]) -> Self {
        Self { rest: out }
    }
}

impl Backend for Slice<'_> {
    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        let (head, tail) = core::mem::take(&mut self.rest).split_at_mut_checked(bytes.len())?;
        head.copy_from_slice(bytes);
        self.rest = tail;
        Some(())
    }
}

#[cfg(feature = "alloc")]
impl Backend for &mut alloc::vec::Vec<u8> {
    #[inline(always)]
    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        self.extend_from_slice(bytes);
        Some(())
    }

    #[inline(always)]
    fn fill(&mut self, byte: u8, len: u64) -> Option<()> {
        self.resize(self.len().checked_add(usize::try_from(len).ok()?)?, byte);
        Some(())
    }
}

/// Writes into any [`std::io::Write`] and keeps its error.
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct Io<W> {
    pub(crate) out: W,
    pub(crate) error: Option<std::io::Error>,
}

#[cfg(feature = "std")]
impl<W: std::io::Write> Backend for &mut Io<W> {
    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        self.out.write_all(bytes).map_err(|error| self.error = Some(error)).ok()
    }
}

/// Writes again, into nothing, to say why writing failed.
#[cold]
#[inline(never)]
pub(crate) fn explain<'a, T: Wire<'a>>(value: &T, args: T::Args, fault: Fault) -> Error {
    explain_with(fault, &mut |out| value.emit(out, args))
}

/// What is the same for all types; a full output leaves no other trace.
fn explain_with(
    fault: Fault,
    emit: &mut dyn FnMut(&mut Writer<Counter<'_>>) -> Result<(), Fault>,
) -> Error {
    // A value that fails while it is counted stops before the first byte.
    for counts in [true, false] {
        let mut trace = Trace { counts, ..Trace::default() };
        let counter = Counter { trace: Some(&mut trace), ..Counter::default() };
        let _ = emit(&mut Writer::new(counter));
        if let Some(found) = trace.found {
            return Error::new(found);
        }
    }
    let full = Problem {
        code: "space",
        class: Class::Incomplete,
        start: fault.offset,
        end: fault.offset,
        what: format_args!("the output takes no more bytes"),
        expected: Show::Nothing,
        found: Show::Nothing,
    };
    Error::new(Finding::new(Severity::Error, Text::default(), None, &full))
}
