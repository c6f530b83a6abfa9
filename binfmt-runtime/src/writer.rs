//! The writer: strictly forward, into anything that takes bytes.
//!
//! Sizes come from the same `emit` that writes, run with a writer that only counts; where the output
//! is memory, most lengths are stored when what they tell of has been written.

use crate::Order;
use crate::finding::{Class, Fault, Problem, Show};
use crate::ops::wide;

#[cfg(feature = "std")]
mod copy;
mod measure;
mod patch;
mod sink;
mod summing;
mod trace;
mod watch;
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
#[expect(clippy::struct_excessive_bools, reason = "five questions; many combinations occur")]
pub(crate) struct Mode {
    /// Sizes alone matter; derived values that need sizes are not computed.
    pub(crate) counts: bool,
    /// Bytes go somewhere.
    pub(crate) keeps: bool,
    /// Rules are looked at.
    pub(crate) rules: bool,
    /// The sink is told where values and fields begin and end.
    pub(crate) watched: bool,
    /// What has been written can still be changed.
    pub(crate) patches: bool,
}

impl Mode {
    pub(crate) const WRITES: Self =
        Self { counts: false, keeps: true, rules: true, watched: false, patches: false };
    /// Writes to memory, all of which can be reached until the end.
    pub(crate) const PATCHES: Self = Self { patches: true, ..Self::WRITES };
    pub(crate) const COUNTS: Self =
        Self { counts: true, keeps: false, rules: false, watched: false, patches: false };
}

impl core::fmt::Debug for Writer<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Writer").field("pos", &self.pos()).finish_non_exhaustive()
    }
}

impl<'w> Writer<'w> {
    /// A writer into a slice, from its start.
    pub fn new(slice: &'w mut [u8]) -> Self {
        Self::to(slice, None, Mode::PATCHES)
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
        let (base, origin, compact, order) = (self.pos(), self.origin, self.compact, self.order);
        Writer { base, origin, compact, order, ..other }
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
        // A writer that only counts fills nothing, and no other one can write so many bytes.
        self.base.wrapping_add(wide(self.filled))
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
        if !self.has_room(bytes.len()) {
            if !self.mode.keeps {
                self.skip(wide(bytes.len()));
                return Ok(());
            }
            return self.put_apart(bytes);
        }
        if let Some(room) = self.advance(bytes.len()) {
            room.copy_from_slice(bytes);
        }
        Ok(())
    }

    #[inline(always)]
    fn has_room(&self, len: usize) -> bool {
        self.filled.checked_add(len).is_some_and(|end| end <= self.buffer.len())
    }

    /// The next `len` bytes of the buffer, which count as written; `None` without room for them.
    #[inline(always)]
    fn advance(&mut self, len: usize) -> Option<&mut [u8]> {
        let end = self.filled.checked_add(len).filter(|end| *end <= self.buffer.len())?;
        self.buffer.get_mut(core::mem::replace(&mut self.filled, end)..end)
    }

    /// Writes `bytes` for which the buffer has no room.
    #[inline(never)]
    fn put_apart(&mut self, bytes: &[u8]) -> Result<(), Fault> {
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

    /// Room for the next `N` bytes, at most 512, which count as written; nothing when they are
    /// only counted.
    #[inline(always)]
    pub fn take<const N: usize>(&mut self) -> Result<Option<&mut [u8; N]>, Fault> {
        if !self.has_room(N) {
            if !self.mode.keeps {
                self.skip(wide(N));
                return Ok(None);
            }
            self.make_room(N)?;
        }
        Ok(self.advance(N).and_then(<[u8]>::first_chunk_mut))
    }

    /// At least `len` bytes will be written next.
    pub(crate) fn expect(&mut self, len: usize) {
        if len > self.buffer.len()
            && let Some(sink) = &mut self.sink
        {
            sink.expect(len);
        }
    }

    /// Empties the buffer, so that `len` bytes find room.
    #[inline(never)]
    fn make_room(&mut self, len: usize) -> Result<(), Fault> {
        self.flush()?;
        if self.buffer.len() < len { Err(self.full(wide(len))) } else { Ok(()) }
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
        if len == 0 || !self.mode.keeps {
            self.skip(len);
            return Ok(());
        }
        // What is behind the end of the buffer's bytes belongs to nobody, where there is a sink.
        if len < 8
            && self.sink.is_some()
            && let Some(room) = self.buffer.get_mut(self.filled..).and_then(<[u8]>::first_chunk_mut)
            && let Ok(len) = usize::try_from(len)
        {
            *room = [byte; 8];
            self.filled = self.filled.wrapping_add(len);
            return Ok(());
        }
        self.fill_some(byte, len)
    }

    #[inline(never)]
    fn fill_some(&mut self, byte: u8, len: u64) -> Result<(), Fault> {
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
    #[inline(always)]
    pub fn pad_to(&mut self, start: u64, len: u64, fill: u8) -> Result<(), Fault> {
        match start.checked_add(len).and_then(|end| end.checked_sub(self.pos())) {
            Some(more) => self.fill(fill, more),
            None => Err(self.too_long(start, len)),
        }
    }

    #[cold]
    fn too_long(&mut self, start: u64, len: u64) -> Fault {
        let what = format_args!("the value is longer than the space kept for it");
        let found = Show::Uint(self.pos().saturating_sub(start));
        self.fail("size", what, Show::Uint(len), found)
    }

    /// A size or offset cannot be computed.
    #[cold]
    pub fn overflow(&mut self, word: &'static str) -> Fault {
        let what = format_args!("`{word}` cannot be computed from the values to be written");
        self.fail("size", what, Show::Nothing, Show::Nothing)
    }
}
