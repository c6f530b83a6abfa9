//! The writer: strictly forward, into anything that takes bytes.
//!
//! Sizes come from the same `emit` that writes, run with a writer that only counts.

use crate::Order;
use crate::finding::{Class, Fault, Problem, Show};
use crate::ops::wide;
use crate::path::Step;

mod sink;
mod summing;
mod trace;
mod whole;

pub(crate) use sink::Sink;
pub(crate) use summing::Summing;
#[cfg(feature = "std")]
pub(crate) use whole::to_io;
#[cfg(feature = "alloc")]
pub(crate) use whole::to_vec;
pub(crate) use whole::{encoded_len, into_slice};

/// How many sections a value may have, and places in it that expressions ask for.
pub(crate) const MAX_SECTIONS: usize = 8;

/// The least room of a buffer in front of a sink, in bytes: what one [`Writer::take`] may ask for.
pub(crate) const ROOM: usize = 512;

/// Where a value is written to, and the position reached.
pub struct Writer<'w> {
    /// Bytes are collected here, up to `filled`.
    buffer: &'w mut [u8],
    filled: usize,
    /// The offset of the first byte of the buffer.
    base: u64,
    /// Where a full buffer goes; without one there is no more room.
    sink: Option<&'w mut dyn Sink>,
    mode: Mode,
    /// How many values are open.
    depth: u32,
    /// Where the sections of the outermost value begin, for who asks.
    sections: Option<&'w mut [u64; MAX_SECTIONS]>,
    /// Offset that located fields count from.
    pub origin: u64,
    /// Whether stored offsets and rooms are to be forgotten.
    compact: bool,
    /// The byte order of the value around the one that is being written.
    pub order: Order,
}

/// What is done with a value that is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mode {
    /// Sizes alone matter; derived values that need sizes are not computed.
    pub(crate) counts: bool,
    /// Bytes go somewhere.
    pub(crate) keeps: bool,
    /// Rules are looked at.
    pub(crate) rules: bool,
    /// The sink is told where values and fields begin and end.
    pub(crate) watched: bool,
}

impl Mode {
    pub(crate) const WRITES: Self =
        Self { counts: false, keeps: true, rules: true, watched: false };
    pub(crate) const COUNTS: Self =
        Self { counts: true, keeps: false, rules: false, watched: false };
}

impl core::fmt::Debug for Writer<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Writer").field("pos", &self.pos()).finish_non_exhaustive()
    }
}

impl<'w> Writer<'w> {
    /// A writer into a slice, from its start.
    pub fn new(slice: &'w mut [u8]) -> Self {
        Self::to(slice, None, Mode::WRITES)
    }

    pub(crate) fn to(buffer: &'w mut [u8], sink: Option<&'w mut dyn Sink>, mode: Mode) -> Self {
        Self {
            buffer,
            filled: 0,
            base: 0,
            sink,
            mode,
            depth: 0,
            sections: None,
            origin: 0,
            compact: false,
            order: Order::Little,
        }
    }

    /// The same writer, which forgets stored offsets, rooms and lengths of sections if `compact`.
    pub(crate) fn compact(self, compact: bool) -> Self {
        Self { compact, ..self }
    }

    /// A writer at the same place into something else.
    pub(crate) fn beside<'o>(&self, other: Writer<'o>) -> Writer<'o> {
        let (base, origin, order, compact) = (self.pos(), self.origin, self.order, self.compact);
        Writer { base, origin, order, compact, ..other }
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
        self.base.saturating_add(wide(self.filled))
    }

    /// Whether nothing is written, only counted.
    #[inline(always)]
    pub fn counts(&self) -> bool {
        self.mode.counts
    }

    /// Whether rules are looked at.
    #[inline(always)]
    pub fn rules(&self) -> bool {
        self.mode.rules
    }

    /// Writes `bytes`.
    #[inline(always)]
    pub fn put(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let room = self.buffer.get_mut(self.filled..).and_then(|room| room.get_mut(..bytes.len()));
        match room {
            Some(room) => {
                room.copy_from_slice(bytes);
                self.filled = self.filled.saturating_add(bytes.len());
                Ok(())
            }
            None => self.put_apart(bytes),
        }
    }

    /// Writes `bytes` for which the buffer has no room.
    #[inline(never)]
    fn put_apart(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        if !self.mode.keeps {
            self.skip(wide(bytes.len()));
            return Ok(());
        }
        self.flush()?;
        if let Some(room) = self.buffer.get_mut(..bytes.len()) {
            room.copy_from_slice(bytes);
            self.filled = bytes.len();
            return Ok(());
        }
        match self.sink.as_mut().and_then(|sink| sink.put(bytes)) {
            Some(()) => {
                self.skip(wide(bytes.len()));
                Ok(())
            }
            None => Err(self.full(wide(bytes.len()))),
        }
    }

    /// Room for the next `N` bytes, at most [`ROOM`], which count as written; nothing when they are
    /// only counted.
    #[inline(always)]
    pub fn take<const N: usize>(&mut self) -> Result<Option<&mut [u8; N]>, Fault> {
        if self.buffer.len().saturating_sub(self.filled) < N && !self.make_room(N)? {
            return Ok(None);
        }
        let at = self.filled;
        self.filled = at.saturating_add(N);
        Ok(self.buffer.get_mut(at..).and_then(<[u8]>::first_chunk_mut))
    }

    /// Empties the buffer, so that `len` bytes find room; whether they are kept.
    #[inline(never)]
    fn make_room(&mut self, len: usize) -> Result<bool, Fault> {
        if !self.mode.keeps {
            self.skip(wide(len));
            return Ok(false);
        }
        self.flush()?;
        if self.buffer.len() < len { Err(self.full(wide(len))) } else { Ok(true) }
    }

    /// Hands on what has been collected.
    pub(crate) fn flush(&mut self) -> Result<(), Fault> {
        let bytes = self.buffer.get(..self.filled).unwrap_or_default();
        if bytes.is_empty() {
            return Ok(());
        }
        let len = wide(bytes.len());
        match self.sink.as_mut().and_then(|sink| sink.put(bytes)) {
            Some(()) => {
                self.filled = 0;
                self.skip(len);
                Ok(())
            }
            None => Err(self.full(len)),
        }
    }

    /// Writes `len` times the same byte.
    #[inline(always)]
    pub fn fill(&mut self, byte: u8, len: u64) -> Result<(), Fault> {
        if len == 0 { Ok(()) } else { self.fill_some(byte, len) }
    }

    #[inline(never)]
    fn fill_some(&mut self, byte: u8, len: u64) -> Result<(), Fault> {
        if !self.mode.keeps {
            self.skip(len);
            return Ok(());
        }
        let mut left = len;
        loop {
            let room = self.buffer.get_mut(self.filled..).unwrap_or_default();
            let most = usize::try_from(left).unwrap_or(usize::MAX).min(room.len());
            room.get_mut(..most).unwrap_or_default().fill(byte);
            self.filled = self.filled.saturating_add(most);
            left = left.saturating_sub(wide(most));
            if left == 0 {
                return Ok(());
            }
            self.make_room(1)?;
        }
    }

    /// Counts `len` bytes that have been counted before, or that went past the buffer.
    #[inline(always)]
    pub fn skip(&mut self, len: u64) {
        self.base = self.base.saturating_add(len);
    }

    /// Writes `len` bytes of a reader, in pieces.
    #[cfg(feature = "std")]
    pub fn copy(
        &mut self,
        reader: &core::cell::RefCell<dyn std::io::Read + '_>,
        len: u64,
    ) -> Result<(), Fault> {
        if !self.mode.keeps {
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
        if let Some(sink) = &mut self.sink {
            sink.unreadable(error);
        }
        Fault::at(usize::try_from(self.pos()).unwrap_or(usize::MAX))
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
        let at = usize::try_from(self.pos()).unwrap_or(usize::MAX);
        let class = Class::Invalid;
        if let Some(sink) = &mut self.sink {
            sink.fail(&Problem { code, class, start: at, end: at, what, expected, found });
        }
        Fault::at(at)
    }

    /// Writes padding up to a multiple of `align`, counted from `start`.
    #[inline(always)]
    pub fn align(&mut self, start: u64, align: u64, fill: u8) -> Result<(), Fault> {
        let at = self.pos().saturating_sub(start);
        match crate::ops::align_up(at, align) {
            Some(to) => self.fill(fill, to.saturating_sub(at)),
            None => Err(self.overflow("align")),
        }
    }

    /// Writes padding until `len` bytes have been written since `start`.
    pub fn pad_to(&mut self, start: u64, len: u64, fill: u8) -> Result<(), Fault> {
        match start.checked_add(len).and_then(|end| end.checked_sub(self.pos())) {
            Some(more) => self.fill(fill, more),
            None => Err(self.fail(
                "size",
                format_args!("the value is longer than the space kept for it"),
                Show::Uint(len),
                Show::Uint(self.pos().saturating_sub(start)),
            )),
        }
    }

    /// A size or offset cannot be computed.
    #[cold]
    pub fn overflow(&mut self, word: &'static str) -> Fault {
        let what = format_args!("`{word}` cannot be computed from the values to be written");
        self.fail("size", what, Show::Nothing, Show::Nothing)
    }

    /// Tells the sink something, if it watches; what it covers, it has got before.
    #[inline(always)]
    fn tell(&mut self, event: impl FnOnce(&mut dyn Sink)) {
        if self.mode.watched {
            self.tell_watcher(event);
        }
    }

    #[cold]
    #[inline(never)]
    fn tell_watcher(&mut self, event: impl FnOnce(&mut dyn Sink)) {
        // A sink that watches takes all bytes.
        let _ = self.flush();
        if let Some(sink) = &mut self.sink {
            event(&mut **sink);
        }
    }

    /// A field or an item begins.
    #[inline(always)]
    pub fn enter(&mut self, name: &'static str) {
        self.tell(|sink| sink.enter(Step::Field(name)));
    }

    /// An item begins.
    #[inline(always)]
    pub fn enter_item(&mut self, index: u64) {
        self.tell(|sink| sink.enter(Step::Index(index)));
    }

    /// The field or item that began last ends.
    #[inline(always)]
    pub fn leave(&mut self) {
        self.tell(|sink| sink.leave());
    }

    /// A value begins here.
    #[inline(always)]
    pub fn begin(&mut self) -> u64 {
        self.depth = self.depth.wrapping_add(1);
        self.tell(|sink| sink.begin());
        self.pos()
    }

    /// The value that began last ends.
    #[inline(always)]
    pub fn finish(&mut self) {
        self.depth = self.depth.wrapping_sub(1);
        self.tell(|sink| sink.finish());
    }

    /// A section of the current value begins here.
    pub fn mark(&mut self, section: usize) {
        let pos = self.pos();
        if let Some(starts) = self.sections.as_mut().filter(|_| self.depth == 1)
            && let Some(start) = starts.get_mut(section)
        {
            *start = pos;
        }
    }

    /// Some checksums begin, or cease, to cover what is written.
    pub fn cover(&mut self, sums: u32, on: bool) {
        self.tell(|sink| sink.cover(sums, on));
    }

    /// What is written begins, or ceases, to count as zeros for some checksums.
    pub fn blank(&mut self, sums: u32, on: bool) {
        self.tell(|sink| sink.blank(sums, on));
    }

    /// Whether the checksum of that bit is to be computed.
    pub fn sums(&self, bit: u32) -> bool {
        self.watcher().is_none_or(|sink| sink.sums(bit))
    }

    /// How many checksums are being computed around this writer.
    pub(crate) fn level(&self) -> u32 {
        self.watcher().map_or(0, |sink| sink.level())
    }

    fn watcher(&self) -> Option<&dyn Sink> {
        self.sink.as_deref().filter(|_| self.mode.watched)
    }

    /// How many bytes `emit` would write here.
    #[inline(always)]
    pub fn measure(
        &self,
        emit: impl FnOnce(&mut Writer<'_>) -> Result<(), Fault>,
    ) -> Result<u64, Fault> {
        self.measure_from(self.pos(), emit)
    }

    /// How many bytes `emit` would write at `pos`.
    #[inline(always)]
    pub fn measure_from(
        &self,
        pos: u64,
        emit: impl FnOnce(&mut Writer<'_>) -> Result<(), Fault>,
    ) -> Result<u64, Fault> {
        let mut counter = self.counter(pos);
        match emit(&mut counter) {
            Ok(()) => Ok(counter.base.saturating_sub(pos)),
            Err(fault) => Err(fault),
        }
    }

    /// A writer at `pos` that only counts.
    fn counter<'o>(&self, pos: u64) -> Writer<'o> {
        Writer { base: pos, ..self.beside(Writer::to(&mut [], None, Mode::COUNTS)) }
    }

    /// Where the sections of the value begin that `emit` would write here.
    pub fn sections(
        &self,
        emit: impl FnOnce(&mut Writer<'_>) -> Result<(), Fault>,
    ) -> Result<[u64; MAX_SECTIONS], Fault> {
        let mut starts = [0; MAX_SECTIONS];
        let counter = self.counter(self.pos());
        emit(&mut Writer { sections: Some(&mut starts), ..counter })?;
        Ok(starts)
    }
}
