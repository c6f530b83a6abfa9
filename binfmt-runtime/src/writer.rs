//! The writer: an assembler that goes forward once and fills in behind itself what was missing.
//!
//! A number that depends on what comes later is a [`Hole`] of fixed width. In memory it is patched
//! where it stands. Any other output gets the same `emit` twice: the first pass writes nothing and
//! records what the holes will hold in a [`Book`]; in the second pass nothing is missing.

use crate::finding::{Class, Fault, Problem, Show};
use crate::ops::wide;
pub(crate) use crate::pattern::Pattern;
use crate::{Limits, Order};

mod again;
mod ahead;
#[cfg(feature = "alloc")]
mod apart;
mod book;
pub(crate) mod carry;
mod compare;
#[cfg(feature = "std")]
mod copy;
mod costs;
#[cfg(feature = "alloc")]
mod decoded;
mod draft;
mod floors;
mod guess;
mod hole;
mod level;
mod locator;
mod numbering;
mod numbers;
mod outputs;
mod padding;
mod passes;
#[cfg(feature = "alloc")]
mod piece;
mod region;
mod room;
#[cfg(feature = "alloc")]
mod shorter;
mod sink;
mod trace;
mod turns;
mod unknown;
pub mod used;
mod view;
mod whole;

pub(crate) use again::is_written_as;
pub use ahead::Ahead;
pub(crate) use book::{Book, Pass};
#[cfg(feature = "alloc")]
pub(crate) use compare::Compared;
pub use costs::{Affords, affords};
#[cfg(feature = "alloc")]
pub(crate) use draft::settle;
pub use hole::Hole;
pub(crate) use locator::Locator;
#[cfg(feature = "std")]
pub(crate) use outputs::to_io;
pub(crate) use outputs::{encoded_len, into_slice};
#[cfg(feature = "alloc")]
pub(crate) use outputs::{to_part, to_vec};
#[cfg(feature = "alloc")]
pub(crate) use piece::{Manner, Piece};
pub use region::Region;
pub(crate) use sink::Sink;
pub use trace::{Given, GivenAnything, GivenNumber};
pub use view::reads_same;

/// The least size of a buffer in front of a sink, in bytes: what one [`Writer::take`] may ask for.
#[cfg(feature = "alloc")]
pub(crate) const BUFFER: usize = 512;

/// What a value is written for. Whatever is written inside of it is written for the same; who measures
/// learns, or goes on comparing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// To be read: rules are looked at.
    Write,
    /// To find out numbers and sizes; rules are left for later.
    Learn,
    /// Its bytes are compared with those of other values, and thrown away.
    #[cfg(feature = "alloc")]
    Compare,
    /// To see whether it has bytes at all.
    Probe,
}

/// Where a value is written to, and the position reached.
#[expect(clippy::struct_excessive_bools, reason = "five questions; many combinations occur")]
pub struct Writer<'w> {
    /// Bytes are collected here, up to `filled`.
    buffer: &'w mut [u8],
    filled: usize,
    /// The offset of the first byte of the buffer.
    base: u64,
    /// Where a full buffer goes; without one there is no more space.
    sink: Option<&'w mut dyn Sink>,
    book: Option<&'w mut Book>,
    locator: Option<&'w mut Locator>,
    /// Bytes go somewhere; else they are counted.
    keeps: bool,
    purpose: Purpose,
    /// Nothing but the length is asked for.
    measures: bool,
    /// Numbers that are set in the value are missing.
    blank: bool,
    /// Expressions around the value use parts of it.
    using: bool,
    pass: Pass,
    /// How many values at offsets, and how many that are visited again, the one lies in that is being written.
    nests: u32,
    /// How many bytes of padding have been written.
    padding: u64,
    /// Where the value ends that is compared with others, without the padding behind it.
    #[cfg(feature = "alloc")]
    own_end: u64,
    /// How many bytes the encoded value has that was written last, before they were encoded.
    #[cfg(feature = "alloc")]
    decoded: u64,
    /// Those bytes, if a checksum covers them.
    #[cfg(feature = "alloc")]
    kept: crate::encoded::Kept,
    /// Offset that located fields count from.
    pub origin: u64,
    /// Whether stored offsets and sizes are to be forgotten.
    compact: bool,
    /// Whether the value does not lie where it was, so that what lies inside has no places that count from what lies
    /// around it.
    moved: bool,
    /// How deep the value is within others, of which readers bound the number and the stack.
    limits: Limits,
    /// The byte order of the value around the one that is being written.
    pub order: Order,
}

impl core::fmt::Debug for Writer<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Writer").field("pos", &self.pos()).finish_non_exhaustive()
    }
}

impl<'w> Writer<'w> {
    /// A writer into a slice, from its start.
    pub fn new(slice: &'w mut [u8]) -> Self {
        Self {
            buffer: slice,
            filled: 0,
            base: 0,
            sink: None,
            book: None,
            locator: None,
            keeps: true,
            purpose: Purpose::Write,
            measures: false,
            blank: false,
            using: false,
            pass: Pass::Direct,
            nests: 0,
            padding: 0,
            #[cfg(feature = "alloc")]
            own_end: 0,
            #[cfg(feature = "alloc")]
            decoded: 0,
            #[cfg(feature = "alloc")]
            kept: crate::encoded::Kept::default(),
            origin: 0,
            compact: false,
            moved: false,
            limits: Limits::of(0),
            order: Order::Little,
        }
    }

    /// A writer that counts what it is given.
    pub(crate) fn dry(book: &'w mut Book) -> Self {
        Self { keeps: false, book: Some(book), ..Self::new(&mut []) }
    }

    /// A writer at the same place into something else, in the same way.
    pub(crate) fn beside<'o>(&self, other: Writer<'o>) -> Writer<'o> {
        Writer {
            base: self.pos(),
            origin: self.origin,
            compact: self.compact,
            moved: self.moved,
            purpose: self.purpose,
            blank: self.blank,
            using: self.using,
            nests: self.nests,
            order: self.order,
            limits: self.limits,
            ..other
        }
    }

    /// Whether only the length of what is written counts.
    pub(crate) fn is_measuring(&self) -> bool {
        self.measures
    }

    /// Whether numbers are missing that are set when more is known.
    #[cfg(feature = "alloc")]
    pub(crate) fn is_blank(&self) -> bool {
        self.blank
    }

    /// The offset of the next byte.
    #[inline(always)]
    pub fn pos(&self) -> u64 {
        // A writer that only counts fills nothing, and no other one can write so many bytes.
        self.base.wrapping_add(wide(self.filled))
    }

    /// The offset of what comes so many bytes behind the next one.
    #[inline(always)]
    pub fn pos_ahead(&self, bytes: usize) -> u64 {
        self.pos().wrapping_add(wide(bytes))
    }

    /// Whether bytes go somewhere, so that they can be looked at.
    #[inline(always)]
    pub fn keeps(&self) -> bool {
        self.keeps
    }

    /// Whether the bytes are those that readers will see, and not found out or compared.
    #[inline(always)]
    pub fn rules(&self) -> bool {
        self.purpose == Purpose::Write
    }

    /// Whether rules are looked at: not in a draft, whose numbers may be old.
    pub fn checks(&self) -> bool {
        self.rules() && !self.is_draft()
    }

    /// Writes `bytes`.
    #[inline(always)]
    pub fn put(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        if !self.has_space(bytes.len()) {
            if !self.keeps {
                self.skip(wide(bytes.len()));
                return Ok(());
            }
            return self.put_apart(bytes);
        }
        if let Some(space) = self.advance(bytes.len()) {
            space.copy_from_slice(bytes);
        }
        Ok(())
    }

    #[inline(always)]
    fn has_space(&self, len: usize) -> bool {
        self.filled.checked_add(len).is_some_and(|end| end <= self.buffer.len())
    }

    /// The next `len` bytes of the buffer, which count as written; `None` without space for them.
    #[inline(always)]
    fn advance(&mut self, len: usize) -> Option<&mut [u8]> {
        let end = self.filled.checked_add(len).filter(|end| *end <= self.buffer.len())?;
        self.buffer.get_mut(core::mem::replace(&mut self.filled, end)..end)
    }

    /// Writes `bytes` for which the buffer has no space.
    #[inline(never)]
    fn put_apart(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.flush()?;
        if let Some(space) = self.buffer.get_mut(..bytes.len()).filter(|_| self.filled == 0) {
            space.copy_from_slice(bytes);
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

    /// Space for the next `N` bytes, at most 512, which count as written; nothing when they are
    /// only counted.
    #[inline(always)]
    pub fn take<const N: usize>(&mut self) -> Result<Option<&mut [u8; N]>, Fault> {
        let end = self.filled.checked_add(N).filter(|end| *end <= self.buffer.len());
        match end {
            Some(end) => {
                let space = self.buffer.get_mut(core::mem::replace(&mut self.filled, end)..end);
                Ok(space.and_then(<[u8]>::first_chunk_mut))
            }
            None => Ok(self.take_apart(N)?.and_then(<[u8]>::first_chunk_mut)),
        }
    }

    /// The same where the buffer has no space.
    #[cold]
    #[inline(never)]
    fn take_apart(&mut self, len: usize) -> Result<Option<&mut [u8]>, Fault> {
        if !self.keeps {
            self.skip(wide(len));
            return Ok(None);
        }
        self.make_space(len)?;
        Ok(self.advance(len))
    }

    /// At least `len` bytes will be written next.
    pub(crate) fn expect(&mut self, len: usize) {
        if len > self.buffer.len()
            && let Some(sink) = &mut self.sink
        {
            sink.expect(len);
        }
    }

    /// Empties the buffer, so that `len` bytes find space.
    #[inline(never)]
    fn make_space(&mut self, len: usize) -> Result<(), Fault> {
        self.flush()?;
        if self.has_space(len) { Ok(()) } else { Err(self.full(wide(len))) }
    }

    /// Hands on what has been collected, if there is anything to hand it to.
    pub(crate) fn flush(&mut self) -> Result<(), Fault> {
        let bytes = self.buffer.get(..self.filled).unwrap_or_default();
        let Some(sink) = self.sink.as_mut().filter(|_| !bytes.is_empty()) else { return Ok(()) };
        let len = wide(bytes.len());
        if sink.put(bytes).is_none() {
            return Err(self.full(len));
        }
        self.filled = 0;
        self.skip(len);
        Ok(())
    }

    /// Counts `len` bytes that went past the buffer.
    #[inline(always)]
    fn skip(&mut self, len: u64) {
        self.base = self.base.saturating_add(len);
    }

    #[cold]
    fn full(&mut self, len: u64) -> Fault {
        let what = format_args!("the output takes no more bytes");
        self.fail("space", what, Show::Uint(len), Show::Nothing)
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
        self.fail_at(self.pos(), code, what, expected, found)
    }

    /// Stops writing for what is written at `at`.
    #[cold]
    pub fn fail_at(
        &mut self,
        at: u64,
        code: &'static str,
        what: core::fmt::Arguments<'_>,
        expected: Show,
        found: Show,
    ) -> Fault {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        if let Some(locator) = &mut self.locator {
            let class = if code == "space" { Class::Incomplete } else { Class::Invalid };
            locator.fail(&Problem { code, class, start: at, end: at, what, expected, found });
        }
        Fault::at(at)
    }
}
