//! The writer: strictly forward, into anything that takes bytes.
//!
//! Sizes come from the same `emit` that writes: run over a backend that only counts.

use crate::finding::{Class, Error, Fault, Finding, Problem, Severity, Show};
use crate::ops::wide;
use crate::path::{Path, Step};
use crate::{Order, Text, Wire};

mod summing;

pub use summing::Summing;

/// Where written bytes go.
#[diagnostic::on_unimplemented(
    message = "nothing can be written to `{Self}`",
    note = "use `to_vec`, `write_into` or `write_to`, or implement `Backend`"
)]
pub trait Backend {
    /// Whether the backend only counts; derived values that need sizes are then not computed.
    #[inline(always)]
    fn counts(&self) -> bool {
        false
    }

    /// Whether rules are looked at.
    #[inline(always)]
    fn rules(&self) -> bool {
        !self.counts()
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

    /// Whether the checksum of that bit is to be computed.
    #[inline(always)]
    fn sums(&self, _bit: u32) -> bool {
        true
    }

    /// How many checksums are being computed by writing into them.
    #[inline(always)]
    fn level(&self) -> u32 {
        0
    }

    /// Some checksums begin, or cease, to cover what is written.
    #[inline(always)]
    fn cover(&mut self, _sums: u32, _on: bool) {}

    /// What is written begins, or ceases, to count as zeros for some checksums.
    #[inline(always)]
    fn blank(&mut self, _sums: u32, _on: bool) {}

    /// Writing stops.
    fn fail(&mut self, _problem: &Problem<'_>) {}

    /// Whether bytes that are put go anywhere; if not, none need be read to be put.
    #[inline(always)]
    fn keeps(&self) -> bool {
        true
    }

    /// Bytes to be written cannot be read.
    #[cfg(feature = "std")]
    fn unreadable(&mut self, _error: std::io::Error) {}
}

/// A backend with the position that it has reached.
#[derive(Debug)]
pub struct Writer<B> {
    backend: B,
    pos: u64,
    /// Offset that located fields count from.
    pub origin: u64,
    /// Whether stored offsets and rooms are to be forgotten.
    compact: bool,
    /// The byte order of the value around the one that is being written.
    pub order: Order,
}

impl<B: Backend> Writer<B> {
    /// A writer at offset 0.
    pub fn new(backend: B) -> Self {
        Self { backend, pos: 0, origin: 0, order: Order::Little, compact: false }
    }

    /// The same writer, which forgets stored offsets, rooms and lengths of sections.
    pub(crate) fn without_floors(self) -> Self {
        Self { compact: true, ..self }
    }

    /// A stored offset or room that is to be kept.
    #[inline(always)]
    pub fn floor(&self, stored: Option<u64>) -> Option<u64> {
        stored.filter(|_| !self.compact)
    }

    /// The bytes of a section that are to be kept.
    #[inline(always)]
    pub fn kept<'s>(&self, section: &'s [u8]) -> &'s [u8] {
        if self.compact { &[] } else { section }
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

    /// Whether rules are looked at.
    #[inline(always)]
    pub fn rules(&self) -> bool {
        self.backend.rules()
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

    /// Writes `len` bytes of a reader, in pieces.
    #[cfg(feature = "std")]
    pub fn copy(
        &mut self,
        reader: &core::cell::RefCell<dyn std::io::Read + '_>,
        len: u64,
    ) -> Result<(), Fault> {
        if !self.backend.keeps() {
            return self.fill(0, len);
        }
        let mut piece = [0; 8192];
        let mut left = len;
        while left > 0 {
            let most = usize::try_from(left).unwrap_or(usize::MAX).min(piece.len());
            let room = piece.get_mut(..most).unwrap_or_default();
            let read = match reader.try_borrow_mut() {
                Ok(mut reader) => reader.read(room),
                Err(_) => Err(std::io::Error::other("the reader is in use")),
            };
            match read {
                Ok(0) => return Err(self.unreadable(std::io::ErrorKind::UnexpectedEof.into())),
                Ok(read) => {
                    self.put(room.get(..read).unwrap_or_default())?;
                    left = left.saturating_sub(wide(read));
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.unreadable(error)),
            }
        }
        Ok(())
    }

    #[cfg(feature = "std")]
    #[cold]
    fn unreadable(&mut self, error: std::io::Error) -> Fault {
        self.backend.unreadable(error);
        Fault::at(usize::try_from(self.pos).unwrap_or(usize::MAX))
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
        let mut counter = self.counter(pos);
        emit(&mut counter)?;
        Ok(counter.pos.saturating_sub(pos))
    }

    /// Where the sections of the value begin that `emit` would write here.
    pub fn sections(
        &self,
        emit: impl FnOnce(&mut Writer<Counter<'_>>) -> Result<(), Fault>,
    ) -> Result<[u64; 8], Fault> {
        let mut counter = self.counter(self.pos);
        emit(&mut counter)?;
        Ok(counter.backend.sections)
    }

    fn counter(&self, pos: u64) -> Writer<Counter<'static>> {
        let backend = Counter::default();
        Writer { backend, pos, origin: self.origin, order: self.order, compact: self.compact }
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
    /// Whether checksums are computed, which fails without saying why.
    sums: bool,
}

impl Backend for Counter<'_> {
    #[inline(always)]
    fn keeps(&self) -> bool {
        false
    }

    #[inline(always)]
    fn counts(&self) -> bool {
        self.trace.as_ref().is_none_or(|trace| trace.counts)
    }

    /// Without checksums, rules would see zeros in their place.
    #[inline(always)]
    fn rules(&self) -> bool {
        self.trace.as_ref().is_some_and(|trace| trace.sums && !trace.counts)
    }

    #[inline(always)]
    fn sums(&self, _bit: u32) -> bool {
        self.trace.as_ref().is_some_and(|trace| trace.sums)
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

    fn unreadable(&mut self, error: std::io::Error) {
        self.error = Some(error);
    }
}

/// Writes again, into nothing, to say why writing failed.
#[cold]
#[inline(never)]
pub(crate) fn explain<'a, T: Wire<'a>>(
    value: &T,
    args: T::Args,
    fault: Fault,
    compact: bool,
) -> Error {
    explain_with(fault, compact, &mut |out| value.emit(out, args))
}

/// What is the same for all types; a full output leaves no other trace.
fn explain_with(
    fault: Fault,
    compact: bool,
    emit: &mut dyn FnMut(&mut Writer<Counter<'_>>) -> Result<(), Fault>,
) -> Error {
    // A value that fails while it is counted stops before the first byte. What a checksum covers is
    // written without a trace, so what fails there is found without checksums.
    for (counts, sums) in [(true, false), (false, true), (false, false)] {
        let mut trace = Trace { counts, sums, ..Trace::default() };
        let counter = Counter { trace: Some(&mut trace), ..Counter::default() };
        let _ = emit(&mut Writer { compact, ..Writer::new(counter) });
        if let Some(found) = trace.found {
            return Error::new(found);
        }
    }
    let full = Problem {
        code: "space",
        class: Class::Incomplete,
        start: fault.offset,
        end: fault.offset,
        what: format_args!("the output takes no more bytes, or a reader gives fewer than promised"),
        expected: Show::Nothing,
        found: Show::Nothing,
    };
    Error::new(Finding::new(Severity::Error, Text::default(), None, &full))
}
