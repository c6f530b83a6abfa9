//! Ranges that are written over, looked at again, or only tried.

use super::{Pass, Purpose, Writer};
use crate::finding::Fault;
use crate::ops::wide;
#[cfg(feature = "alloc")]
use crate::place::Phase;

/// Bytes that are written when the numbers in them are known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Region {
    /// Where they begin.
    pub at: u64,
    pub(super) len: u64,
    #[cfg_attr(not(feature = "std"), expect(dead_code, reason = "streams alone have a book"))]
    index: usize,
    pub(super) numbers: usize,
    /// The number of the book that knows its length, if that depends on what is set in it, and whether it
    /// does so already.
    pub(super) learned: Option<(usize, bool)>,
    /// The entry that knows where the region around it ends, if readers of the bytes ask for that.
    end: Option<usize>,
    /// Whether there is a value.
    is_there: bool,
    /// Whether there is a place at all: none is kept for what is measured, or was written before.
    is_kept: bool,
    /// Whether the bytes are only compared with others: who writes the value has no such place.
    compares: bool,
}

pub(super) type Emit<'e> = dyn FnMut(&mut Writer<'_>) -> Result<(), Fault> + 'e;

impl Writer<'_> {
    /// Keeps the place of what `emit` writes: it has `fixed` bytes, or is measured. A length that depends
    /// on the numbers that are missing in it is learned when these are set. `looks` says whether readers of
    /// it may look at what follows.
    pub fn reserve(
        &mut self,
        fixed: Option<usize>,
        looks: bool,
        emit: &mut Emit<'_>,
    ) -> Result<Region, Fault> {
        let at = self.pos();
        let end = if looks { self.ahead_later()? } else { None };
        let (learned, numbers, len) = match fixed {
            Some(len) => (None, self.numbers(), wide(len)),
            None => {
                let (index, known) = self.learned_len();
                let numbers = self.numbers();
                let around = core::mem::replace(&mut self.blank, true);
                let measured = self.measured_at(at, emit);
                self.blank = around;
                let measured = measured?;
                let learned = index.map(|index| (index, known.is_some()));
                (learned, numbers, known.unwrap_or(measured))
            }
        };
        let index = self.put_reserved(len)?;
        let (is_kept, compares) = (!self.measures, self.compares());
        Ok(Region { at, len, index, numbers, learned, end, is_there: true, is_kept, compares })
    }

    /// How many numbers have been reserved before here.
    pub(crate) fn numbers(&self) -> usize {
        self.book.as_ref().map_or(0, |book| book.numbers())
    }

    /// Goes back to a number: what comes next is written once more.
    pub(crate) fn go_to_number(&mut self, number: usize) {
        if let Some(book) = &mut self.book {
            book.go_to_number(number);
        }
    }

    /// How many bytes `emit` writes at an offset; rules are left for when it does.
    pub(crate) fn measured_at(&mut self, at: u64, emit: &mut Emit<'_>) -> Result<u64, Fault> {
        let dry = Writer { keeps: false, ..Writer::new(&mut []) };
        let dry = self.beside(Writer { measures: true, ..dry });
        // Who compares looks for no equal values inside, or each level would double what it costs.
        let purpose = match self.purpose {
            #[cfg(feature = "alloc")]
            Purpose::Compare => Purpose::Compare,
            Purpose::Write | Purpose::Learn | Purpose::Probe => Purpose::Learn,
        };
        let mut dry = Writer { base: at, purpose, ..dry };
        (dry.book, dry.locator) = (self.book.as_deref_mut(), self.locator.as_deref_mut());
        let from = dry.pos();
        emit(&mut dry)?;
        Ok(dry.pos().saturating_sub(from))
    }

    fn put_reserved(&mut self, len: u64) -> Result<usize, Fault> {
        #[cfg(feature = "std")]
        if let (false, Some(book)) = (self.pass == Pass::Direct, self.book.as_mut()) {
            let size = usize::try_from(len).unwrap_or(usize::MAX);
            if self.pass == Pass::Replays {
                let index = book.next(size);
                let bytes = core::mem::take(book.bytes());
                let known = bytes.get(index..).and_then(|bytes| bytes.get(..size));
                let put = self.put(known.unwrap_or_default());
                if let Some(book) = &mut self.book {
                    *book.bytes() = bytes;
                }
                return put.map(|()| index);
            }
            let index = book.reserve(size);
            return self.repeat(0, len).map(|()| index);
        }
        self.repeat(0, len).map(|()| 0)
    }

    /// Writes what a place was kept for.
    pub fn write_over(&mut self, region: Region, emit: &mut Emit<'_>) -> Result<(), Fault> {
        if !region.is_kept || region.compares != self.compares() {
            return Ok(());
        }
        #[cfg(feature = "alloc")]
        if self.measures {
            return self.write_over_beside(region, emit);
        }
        #[cfg(feature = "std")]
        if self.pass == Pass::Replays {
            return Ok(());
        }
        let numbers = self.book.as_mut().map(|book| book.go_to_number(region.numbers));
        let mark = self.open();
        let room = self.begin_room(region);
        let result = self.write_over_with(region, emit);
        if let Some(end) = region.end {
            self.close_as(mark, end);
        }
        if let (Some(book), Some(numbers)) = (&mut self.book, numbers) {
            book.go_to_number(numbers);
        }
        let room = self.end_room(region, room);
        match result {
            Ok(Some(len)) if len == region.len => Ok(()),
            Ok(Some(len)) => self.learn_len(region, len, room),
            Ok(None) => Err(self.unsettled(region.at)),
            Err(fault) => Err(self.learn_room(region, fault, emit)),
        }
    }

    /// The same where `emit` finds out something, too, such as what the value decodes to: it runs in every pass.
    pub fn write_over_seen(&mut self, region: Region, emit: &mut Emit<'_>) -> Result<(), Fault> {
        let is_written = region.is_kept && region.compares == self.compares();
        if is_written && !self.is_replay() || !region.is_there {
            return self.write_over(region, emit);
        }
        let numbers = self.numbers();
        self.go_to_number(region.numbers);
        let measured = self.measured_at(region.at, emit);
        self.go_to_number(numbers);
        measured.map(drop)
    }

    /// What lies in an open section is written when it is met, also where what holds it is measured.
    #[cfg(feature = "alloc")]
    fn write_over_beside(&mut self, region: Region, emit: &mut Emit<'_>) -> Result<(), Fault> {
        let mut out = self.beside(Writer::new(&mut []));
        (out.book, out.locator) = (self.book.as_deref_mut(), self.locator.as_deref_mut());
        if let Some(manner) = out.manner_of_section() {
            (out.keeps, out.purpose, out.pass) = (manner.keeps, manner.purpose, manner.pass);
        }
        out.write_over(region, emit)
    }

    /// Bytes are not there. In an open section values lie one over the other until their places are known, so
    /// that the next pass finds them.
    #[cold]
    fn misses_piece(&mut self) -> bool {
        #[cfg(feature = "alloc")]
        if self.book.as_ref().is_some_and(|book| !book.open.is_empty()) {
            // What is compared has no place.
            let has_place = !self.compares();
            if let Some(book) = self.book.as_mut().filter(|_| has_place) {
                book.must_go_on();
            }
            return true;
        }
        false
    }

    /// Writes over a place; how many bytes that are.
    fn write_over_with(
        &mut self,
        region: Region,
        emit: &mut Emit<'_>,
    ) -> Result<Option<u64>, Fault> {
        #[cfg(feature = "std")]
        if self.pass == Pass::Records {
            return self.record_over(region, emit);
        }
        let len = usize::try_from(region.len).unwrap_or(usize::MAX);
        let mut over = self.over(region);
        if !self.keeps {
            over.keeps = false;
            (over.book, over.locator) = (self.book.as_deref_mut(), self.locator.as_deref_mut());
            emit(&mut over)?;
            return Ok(Some(over.len_of(region)));
        }
        self.flush()?;
        #[cfg(feature = "alloc")]
        if !self.compares()
            && self.own_written(region.at, len).is_none()
            && let Some((piece, mut bytes)) = self.take_piece(region.at, len)
        {
            let place = usize::try_from(region.at.saturating_sub(piece.at)).ok();
            let place = place.and_then(|at| bytes.get_mut(at..)?.get_mut(..len));
            let mut over = Writer { buffer: place.unwrap_or_default(), ..over };
            (over.book, over.locator) = (self.book.as_deref_mut(), self.locator.as_deref_mut());
            let result = emit(&mut over);
            let written = over.len_of(region);
            self.put_back(piece, bytes);
            return result.map(|()| Some(written));
        }
        let place = match region.at.checked_sub(self.base) {
            // Nothing may lie anywhere, also where these bytes are not.
            _ if len == 0 => Some(&mut [][..]),
            Some(at) => usize::try_from(at).ok().and_then(|at| self.buffer.get_mut(at..)),
            None => self.sink.as_mut().and_then(|sink| sink.taken(region.at)),
        };
        let Some(place) = place.and_then(|place| place.get_mut(..len)) else {
            return Ok(self.misses_piece().then_some(region.len));
        };
        let mut over = Writer { buffer: place, ..over };
        (over.book, over.locator) = (self.book.as_deref_mut(), self.locator.as_deref_mut());
        emit(&mut over)?;
        Ok(Some(over.len_of(region)))
    }

    /// Writes what a place was kept for into the book.
    #[cfg(feature = "std")]
    fn record_over(&mut self, region: Region, emit: &mut Emit<'_>) -> Result<Option<u64>, Fault> {
        let len = usize::try_from(region.len).unwrap_or(usize::MAX);
        let over = self.over(region);
        let Some(book) = &mut self.book else { return Ok(None) };
        let mut bytes = core::mem::take(book.bytes());
        let place = bytes.get_mut(region.index..).and_then(|bytes| bytes.get_mut(..len));
        let mut over = Writer { buffer: place.unwrap_or_default(), ..over };
        let outer = core::mem::replace(&mut book.records_over, true);
        (over.book, over.locator) = (Some(&mut **book), self.locator.as_deref_mut());
        let result = emit(&mut over);
        let mut written = Some(over.len_of(region));
        if self.keeps
            && let Some(known) = bytes.get(region.index..).and_then(|bytes| bytes.get(..len))
            && self.patch(region.at, known).is_err()
        {
            written = None;
        }
        if let Some(book) = &mut self.book {
            *book.bytes() = bytes;
            book.records_over = outer;
        }
        result.map(|()| written)
    }

    /// A writer over the place of a region, which has no bytes yet.
    pub(super) fn over<'o>(&self, region: Region) -> Writer<'o> {
        let over = self.beside(Writer::new(&mut []));
        Writer { base: region.at, ..over }
    }

    /// How many bytes have been written over a region.
    pub(super) fn len_of(&self, region: Region) -> u64 {
        self.pos().saturating_sub(region.at)
    }

    /// Keeps what computes the checksum over the file; whether there is no other one.
    pub(crate) fn keep_sum_of_file(&mut self, sum: crate::checksum::SumOfFile) -> bool {
        let rules = self.rules();
        let Some(book) = self.book.as_mut().filter(|_| rules) else { return true };
        let other = book.sum_of_file.replace(sum);
        other.is_none_or(|other| other.at == sum.at)
    }

    /// What computes the checksum over the file.
    pub(crate) fn sum_of_file(&self) -> Option<crate::checksum::SumOfFile> {
        self.book.as_ref()?.sum_of_file
    }

    /// The bytes of a range that has been written; `None` where they are not kept.
    pub(crate) fn range(&mut self, from: u64, to: u64) -> Result<Option<&mut [u8]>, Fault> {
        let len = usize::try_from(to.saturating_sub(from)).unwrap_or(usize::MAX);
        #[cfg(feature = "std")]
        self.looks_at(from, to);
        if self.keeps {
            self.flush()?;
            if self.written(from, len).is_some() {
                return Ok(self.written(from, len));
            }
        }
        #[cfg(feature = "alloc")]
        if !self.compares() && self.beside_output((from, len), true).is_some() {
            return Ok(self.beside_output((from, len), true));
        }
        if self.keeps && !self.misses_piece() { Err(self.full(wide(len))) } else { Ok(None) }
    }

    /// Whether `emit` writes nothing at all here; it stops before its first byte.
    pub(crate) fn is_empty(&mut self, emit: &mut Emit<'_>) -> bool {
        let probe = self.beside(Writer::new(&mut []));
        emit(&mut Writer { purpose: Purpose::Probe, ..probe }).is_ok()
    }

    /// Whether the writer only finds out whether there are bytes.
    pub(crate) fn is_probe(&self) -> bool {
        self.purpose == Purpose::Probe
    }

    /// Writes nothing, for the rules of a value that lies at an offset; returns where it would end.
    #[cfg(feature = "alloc")]
    pub(crate) fn only_look(&mut self, at: u64, emit: &mut Emit<'_>) -> Result<u64, Fault> {
        let purpose = match self.purpose {
            Purpose::Write if self.is_replay() => Purpose::Learn,
            Purpose::Probe => Purpose::Learn,
            other => other,
        };
        let dry = Writer { keeps: false, ..Writer::new(&mut []) };
        let mut dry = Writer { base: at, purpose, measures: self.measures, ..self.beside(dry) };
        (dry.book, dry.locator) = (self.book.as_deref_mut(), self.locator.as_deref_mut());
        dry.in_phase(Phase::Passes, |dry| dry.visited_again(|dry| emit(dry)))?;
        Ok(dry.pos())
    }

    /// Writes a value whose bytes must lie together until it ends, in memory if need be; in a dry
    /// run only if its rules need them.
    #[inline(always)]
    pub fn hold(
        &mut self,
        needed: bool,
        mut emit: impl FnMut(&mut Writer<'_>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let lies = self.keeps && self.pass == Pass::Direct;
        if lies || !self.rules() || (!self.keeps && !needed && !self.is_using()) || self.is_held() {
            return emit(self);
        }
        self.hold_in_memory(&mut emit)
    }

    /// The same for a value that is compared with what it holds, if anybody uses it: what is handed on has
    /// been compared by then.
    #[inline(always)]
    pub fn hold_used(
        &mut self,
        mut emit: impl FnMut(&mut Writer<'_>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        if self.keeps || !self.is_using() { emit(self) } else { self.hold(false, emit) }
    }

    /// Whether what is written can be reached.
    fn is_held(&mut self) -> bool {
        self.keeps && self.sink.as_mut().is_some_and(|sink| sink.holds())
    }

    #[cfg(feature = "alloc")]
    #[inline(never)]
    fn hold_in_memory(&mut self, emit: &mut Emit<'_>) -> Result<(), Fault> {
        let mut memory = super::sink::Memory { start: self.pos(), ..Default::default() };
        let mut buffer = [0; super::BUFFER];
        let inner = Writer { sink: Some(&mut memory), ..Writer::new(&mut buffer) };
        let mut inner = self.beside(inner);
        (inner.book, inner.locator) = (self.book.as_deref_mut(), self.locator.as_deref_mut());
        (inner.pass, inner.padding) = (self.pass, self.padding);
        let result = emit(&mut inner).and_then(|()| inner.flush());
        let padding = inner.padding;
        result?;
        self.padding = padding;
        self.put(&memory.bytes)
    }

    #[cfg(not(feature = "alloc"))]
    fn hold_in_memory(&mut self, emit: &mut Emit<'_>) -> Result<(), Fault> {
        emit(self)
    }
}
