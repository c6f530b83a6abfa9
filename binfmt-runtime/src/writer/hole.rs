//! Numbers that are missing when their places are reached.

use super::room::PATIENCE;
use super::{Pass, Writer};
use crate::finding::{Fault, Show};
use crate::int::{Int, Order, Plain};
use crate::ops::{Widen, wide};

/// Where a number stands that is still missing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hole {
    /// Its offset.
    pub at: u64,
    /// How many bytes it has.
    len: usize,
    /// Its place in the book.
    index: usize,
    /// Its number among those of variable width, from 1 on.
    width: usize,
    /// How many bytes more it has than it needs at least, of such a one.
    spare: usize,
    /// Whether the value keeps how long it is.
    keeps_width: bool,
    /// Whether it tells where a value lies, which another length of it may move.
    tells_place: bool,
}

impl Hole {
    /// The value holds the number that was read, as long as it was.
    #[inline(always)]
    #[must_use]
    pub fn kept(self) -> Self {
        Self { keeps_width: true, ..self }
    }

    /// The number tells where a value lies.
    #[inline(always)]
    #[must_use]
    pub fn of_place(self) -> Self {
        Self { tells_place: true, ..self }
    }
}

impl Writer<'_> {
    /// A number `ahead` bytes behind the next one, and what is to be written there until it is known:
    /// mostly that is what a value holds that has been read.
    #[inline(always)]
    pub fn hole_in_run<T: Plain>(&mut self, ahead: usize, held: T, order: Order) -> (Hole, T) {
        let at = self.pos().wrapping_add(wide(ahead));
        // By value, so that a hole lies in registers.
        let recorded = self.pass != Pass::Direct;
        let (index, known) = if recorded { self.recorded_in_run(order) } else { (0, held) };
        (Hole { at, len: T::SIZE, index, ..Hole::default() }, known)
    }

    #[cold]
    #[inline(never)]
    fn recorded_in_run<T: Plain>(&mut self, order: Order) -> (usize, T) {
        let mut known = [0; 16];
        let index = self.recorded(known.get_mut(..T::SIZE).unwrap_or_default());
        (index, T::load(&known, 0, order))
    }

    /// Stores the number that was missing, if it is another one than what was written.
    #[inline(always)]
    pub fn set_in_run<T: Plain + PartialEq>(
        &mut self,
        hole: Hole,
        (written, number): (T, T),
        order: Order,
    ) -> Result<(), Fault> {
        if self.pass == Pass::Direct && written == number {
            return Ok(());
        }
        self.store_number((hole.at, hole.index), number, order)
    }

    /// The same for a number that the value holds, too: expressions around the value have seen that.
    #[inline(always)]
    pub fn settle<T: Plain + PartialEq + Widen>(
        &mut self,
        hole: Hole,
        (held, number): (T, T),
        order: Order,
        name: &'static str,
    ) -> Result<(), Fault> {
        if self.pass == Pass::Direct && held == number {
            return Ok(());
        }
        self.store_number((hole.at, hole.index), number, order)?;
        self.computed(&[name], hole.at, (held, number))
    }

    /// Stores a number of fixed size.
    #[inline(never)]
    fn store_number<T: Plain>(
        &mut self,
        (at, index): (u64, usize),
        number: T,
        order: Order,
    ) -> Result<(), Fault> {
        let mut bytes = [0; 16];
        number.store(&mut bytes, 0, order);
        let hole = Hole { at, len: T::SIZE, index, ..Hole::default() };
        self.store(hole, bytes.get(..T::SIZE).unwrap_or_default())
    }

    /// Keeps the place of the next `len` bytes, which are written when they are known.
    fn hole_of(&mut self, len: usize) -> Result<Hole, Fault> {
        let (at, mut index) = (self.pos(), 0);
        let mut known = [0; 16];
        let bytes = known.get_mut(..len).unwrap_or_default();
        if self.pass != Pass::Direct {
            index = self.recorded(bytes);
        }
        // Never split: it lies in the buffer, or has been handed on.
        self.put(bytes)?;
        Ok(Hole { at, len, index, ..Hole::default() })
    }

    /// Keeps the place of a number. One of variable length has at least the length that `stored` was
    /// read with.
    #[inline(always)]
    pub fn hole<T: Int>(&mut self, stored: T) -> Result<Hole, Fault> {
        if T::VARIABLE { self.hole_of_width(stored.least_width()) } else { self.hole_of(T::SIZE) }
    }

    #[inline(never)]
    fn hole_of_width(&mut self, least: usize) -> Result<Hole, Fault> {
        let (index, known) = match self.book.as_mut() {
            Some(book) => match book.reserve_numbers(1) {
                Some(index) => (index, book.width(index)),
                None => return Err(self.too_many()),
            },
            None => (usize::MAX, None),
        };
        let known = known.and_then(|width| usize::try_from(width).ok()).unwrap_or(0);
        let len = known.max(least);
        let hole = self.hole_of(len)?;
        Ok(Hole { width: index.wrapping_add(1), spare: len.saturating_sub(least), ..hole })
    }

    #[cold]
    pub(super) fn too_many(&mut self) -> Fault {
        let what = format_args!("too much waits for what is behind it");
        self.fail("space", what, Show::Nothing, Show::Nothing)
    }

    /// The place of a hole in the book; a second pass is told what will be there.
    #[cfg(feature = "std")]
    #[inline(never)]
    fn recorded(&mut self, known: &mut [u8]) -> usize {
        let Some(book) = &mut self.book else { return 0 };
        if self.pass == Pass::Records {
            return book.reserve(known.len());
        }
        let index = book.next(known.len());
        known.copy_from_slice(book.place(index, known.len()));
        index
    }

    #[cfg(not(feature = "std"))]
    fn recorded(&mut self, _known: &mut [u8]) -> usize {
        0
    }

    /// Stores the number that was missing.
    #[inline(always)]
    pub fn set<T: Int>(&mut self, hole: Hole, number: T, order: Order) -> Result<(), Fault> {
        if T::VARIABLE {
            let needs = number.width();
            if needs > hole.len {
                return self.widen(hole, needs);
            }
            if hole.spare > 0 && needs < hole.len {
                self.narrow(hole, needs);
            }
            if hole.spare > 0 && needs == hole.len && hole.tells_place && number.is_tight() {
                self.is_tight(hole);
            }
        } else if self.pass == Pass::Direct {
            // Mostly a number is patched where it stands.
            if !self.keeps {
                self.derives(hole.at, T::SIZE);
                return Ok(());
            }
            let at = hole.at.checked_sub(self.base).and_then(|at| usize::try_from(at).ok());
            let place = at.and_then(|at| self.buffer.get_mut(at..)?.get_mut(..T::SIZE));
            if let Some(place) = place {
                return number.put(&mut Writer::new(place), order);
            }
        }
        let mut bytes = [0; 16];
        number.padded_to(hole.len).put(&mut Writer::new(&mut bytes), order)?;
        self.store(hole, bytes.get(..hole.len).unwrap_or_default())
    }

    /// The number needs fewer bytes than an earlier pass had to keep for it, which the next one may do with; after
    /// so many passes it keeps them, for what a shorter one moves may make it longer.
    #[cold]
    fn narrow(&mut self, hole: Hole, needs: usize) {
        let least = hole.len.saturating_sub(hole.spare);
        // What is only measured, or compared, lies elsewhere.
        if self.measures || self.compares() {
            return;
        }
        if let (Some(book), Some(index)) = (&mut self.book, hole.width.checked_sub(1))
            && book.rounds <= PATIENCE
        {
            book.learn_width(index, wide(needs.max(least)), hole.keeps_width);
        }
    }

    /// The place that the number tells may be so far behind because the number has the length that an earlier pass has
    /// found out.
    #[cold]
    fn is_tight(&mut self, hole: Hole) {
        if self.measures || self.compares() {
            return;
        }
        if let (Some(book), Some(index)) = (&mut self.book, hole.width.checked_sub(1)) {
            book.is_tight(index);
        }
    }

    /// The number has more bytes than there is space for: everything is written once more.
    #[cold]
    fn widen(&mut self, hole: Hole, needs: usize) -> Result<(), Fault> {
        match (&mut self.book, hole.width.checked_sub(1)) {
            (Some(book), _) if book.gives_up.is_some() => {
                let lens = (Show::Uint(wide(hole.len)), Show::Uint(wide(needs)));
                Err(self.never_settles("", hole.at, lens))
            }
            (Some(book), Some(index)) => {
                book.learn_width(index, wide(needs), hole.keeps_width);
                Ok(())
            }
            _ => Err(self.fail_at(
                hole.at,
                "space",
                format_args!("a length of variable size is longer than the space kept for it"),
                Show::Uint(wide(hole.len)),
                Show::Uint(wide(needs)),
            )),
        }
    }

    /// Stores bytes that were missing.
    #[inline(never)]
    fn store(&mut self, hole: Hole, bytes: &[u8]) -> Result<(), Fault> {
        #[cfg(feature = "std")]
        if let (false, Some(book)) = (self.pass == Pass::Direct, &mut self.book) {
            let place = book.place(hole.index, bytes.len());
            if self.pass == Pass::Records {
                place.copy_from_slice(bytes);
            } else if place != bytes {
                return Err(self.unsettled(hole.at));
            } else {
                return Ok(());
            }
        }
        self.derives(hole.at, bytes.len());
        if self.keeps { self.patch(hole.at, bytes) } else { Ok(()) }
    }

    /// Keeps the place of `len` bytes that follow from what is written, and are recorded by no pass.
    pub(crate) fn blank(&mut self, len: usize) -> Result<Hole, Fault> {
        let at = self.pos();
        self.derives(at, len);
        self.repeat(0, wide(len))?;
        Ok(Hole { at, len, ..Hole::default() })
    }

    /// Stores such bytes.
    pub(crate) fn patch(&mut self, at: u64, bytes: &[u8]) -> Result<(), Fault> {
        if let Some(place) = self.written(at, bytes.len()) {
            place.copy_from_slice(bytes);
            return Ok(());
        }
        // A part of them may have been handed on to what holds them, while the rest is in the buffer.
        self.flush()?;
        match self.written(at, bytes.len()) {
            Some(place) => {
                place.copy_from_slice(bytes);
                Ok(())
            }
            None => Err(self.full(wide(bytes.len()))),
        }
    }

    /// Bytes that have been written, if they lie together and can still be changed.
    pub(crate) fn written(&mut self, at: u64, len: usize) -> Option<&mut [u8]> {
        if len == 0 {
            return Some(&mut []);
        }
        // What is only compared lies where others may.
        #[cfg(feature = "alloc")]
        if !self.compares() && self.own_written(at, len).is_none() {
            return self.beside_output((at, len), false);
        }
        self.own_written(at, len)
    }

    /// Those that went through this writer.
    pub(super) fn own_written(&mut self, at: u64, len: usize) -> Option<&mut [u8]> {
        if at.saturating_add(wide(len)) > self.pos() {
            return None;
        }
        let bytes = match at.checked_sub(self.base) {
            Some(at) => self.buffer.get_mut(usize::try_from(at).ok()?..),
            None => self.sink.as_mut().and_then(|sink| sink.taken(at)),
        };
        bytes?.get_mut(..len)
    }
}
