//! Numbers and places that are used before they are known, and learned from one pass to the next.

use super::locator::{NEVER_SETTLES, UNSETTLED};
use super::{Book, Writer};
use crate::finding::{Fault, Show};
use crate::ops::{Bits, Widen};
use crate::place::Apart;
use crate::setter::{Settable, Target, signed_as};

impl Writer<'_> {
    /// Keeps track of `count` numbers that are used before they are known; the first one's index.
    pub fn guesses(&mut self, count: usize) -> Result<usize, Fault> {
        match self.book.as_mut().map(|book| book.reserve_numbers(count)) {
            Some(Some(index)) => Ok(index),
            Some(None) => Err(self.too_many()),
            None => Ok(0),
        }
    }

    /// What such a number is, as far as an earlier pass has learned it; else as it is stored.
    pub fn guess<T: Settable + Copy>(&mut self, index: usize, mut stored: T) -> T {
        self.guess_in(index, &mut stored);
        stored
    }

    /// The same, in the place of the stored one, if that is there.
    pub fn guess_in<T: Target>(&mut self, index: usize, stored: &mut T) {
        let Some(stored) = stored.number() else { return };
        let known = self.book.as_mut().and_then(|book| book.guess(index));
        if let Some(known) = known.and_then(|known| stored.replaced(signed_as(stored, known))) {
            *stored = known;
        }
    }

    /// The bits of such a number, as far as an earlier pass has learned it; else as it is stored. Those of one that is
    /// absent count for nothing.
    pub fn guessed<T: Target>(&mut self, index: usize, stored: &T) -> u64 {
        let Some(stored) = stored.told() else { return 0 };
        let known = self.book.as_mut().and_then(|book| book.guess(index));
        let known = known.filter(|known| stored.replaced(signed_as(stored, *known)).is_some());
        known.unwrap_or_else(|| stored.in_wide().bits())
    }

    /// The value cannot be as it was: the next pass knows that by a number. `false` where none remembers.
    pub(crate) fn learn_otherwise(&mut self, index: usize, number: u64) -> bool {
        self.book.as_mut().map(|book| book.learn(index, number)).is_some()
    }

    /// What such a number really is.
    pub fn learn<T: Widen>(
        &mut self,
        index: usize,
        (used, number): (T, T),
        field: &'static str,
        at: u64,
    ) -> Result<(), Fault> {
        self.learn_wide(index, (used.widen().bits(), number.widen()), field, at)
    }

    /// What a number that was used with these bits really is.
    pub fn learn_set<T: Target>(
        &mut self,
        index: usize,
        (used, number): (u64, &T),
        field: &'static str,
        at: u64,
    ) -> Result<(), Fault> {
        match number.told() {
            Some(number) => self.learn_wide(index, (used, number.in_wide()), field, at),
            None => Ok(()),
        }
    }

    fn learn_wide<W: Bits + Copy>(
        &mut self,
        index: usize,
        (used, number): (u64, W),
        field: &'static str,
        at: u64,
    ) -> Result<(), Fault> {
        // Where a value is measured it may not lie in the end, and it is written again.
        if used == number.bits() || self.is_measuring() {
            return Ok(());
        }
        let shown = (shown_as(number.show(), used), number.show());
        self.remember((field, at), shown, |book| book.learn(index, number.bits()))
    }

    /// Where a value lies whose place is known only behind it, as far as an earlier pass has learned that;
    /// else where it lay.
    pub fn guess_place(&mut self, index: usize, stored: Option<u64>) -> Option<u64> {
        self.book.as_mut().and_then(|book| book.guess(index)).or(stored)
    }

    /// How far a value has to lie behind the one that it moves with, if an earlier pass has found that.
    pub fn learned(&mut self, index: usize) -> Apart {
        match self.book.as_mut().and_then(|book| book.guess(index)) {
            Some(found) => Apart::Found { distance: found >> 1, moves: found & 1 == 1 },
            None => Apart::Stored,
        }
    }

    /// Where a value lies that moves with another one, and where it has to lie, all counted from one base.
    pub fn learn_distance(
        &mut self,
        index: usize,
        leader: Option<u64>,
        (own, known): (Option<u64>, Option<u64>),
        field: &'static str,
        at: u64,
    ) -> Result<(), Fault> {
        let distance = known.zip(leader).and_then(|(known, leader)| known.checked_sub(leader));
        let distance = distance.and_then(|distance| distance.checked_mul(2));
        let Some(distance) = distance.filter(|_| own != known) else { return Ok(()) };
        let places = (show_place(own), show_place(known));
        self.remember((field, at), places, |book| {
            // Where that was known, something else lies there.
            let moves = book.number(index).is_some_and(|one| one == distance || one & 1 == 1);
            book.learn(index, distance | u64::from(moves));
        })
    }

    /// Whether an earlier pass has learned such a number.
    pub fn is_learned(&self, index: usize) -> bool {
        self.learned_number(index).is_some()
    }

    /// What a number is that places count from, some of which lie in front of what it says.
    pub fn learn_base<T: Widen>(
        &mut self,
        index: usize,
        base: T,
        field: &'static str,
        at: u64,
    ) -> Result<(), Fault> {
        let base = base.widen().bits();
        // Nothing remembers that where a value is measured, which is written again.
        if self.is_measuring() {
            return Ok(());
        }
        self.remember((field, at), (Show::Nothing, Show::Uint(base)), |book| {
            book.learn(index, base);
        })
    }

    /// What an earlier pass has learned of such a number or place.
    pub(crate) fn learned_number(&self, index: usize) -> Option<u64> {
        self.book.as_ref().and_then(|book| book.number(index))
    }

    /// Where such a value really lies.
    pub fn learn_place(
        &mut self,
        index: usize,
        (used, known): (Option<u64>, Option<u64>),
        field: &'static str,
        at: u64,
    ) -> Result<(), Fault> {
        let Some(place) = known.filter(|_| used != known) else { return Ok(()) };
        let places = (show_place(used), Show::Uint(place));
        self.remember((field, at), places, |book| book.learn_place(index, place))
    }

    /// What a measure is that places in front of it ask for. Where nothing remembers that, they are not kept.
    pub fn learn_measure(&mut self, index: usize, (used, measure): (Option<u64>, u64)) {
        if used == Some(measure) || self.is_measuring() {
            return;
        }
        if let Some(book) = &mut self.book {
            book.learn_len(index, measure);
        }
    }

    /// Tells the next pass; where there is none, the value is refused at this field.
    fn remember(
        &mut self,
        (field, at): (&'static str, u64),
        numbers: (Show, Show),
        learn: impl FnOnce(&mut Book),
    ) -> Result<(), Fault> {
        let Some(book) = self.book.as_mut().filter(|book| book.gives_up.is_none()) else {
            return Err(self.never_settles(field, at, numbers));
        };
        learn(book);
        Ok(())
    }

    /// The number or place of a field is another one than this pass has used, and so it is in each.
    #[cold]
    #[inline(never)]
    pub(super) fn never_settles(
        &mut self,
        field: &'static str,
        at: u64,
        (used, number): (Show, Show),
    ) -> Fault {
        if !field.is_empty() {
            self.enter(field);
        }
        let what = self.book.as_ref().and_then(|book| book.gives_up).unwrap_or(NEVER_SETTLES);
        self.fail_at(at, UNSETTLED, format_args!("{what}"), number, used)
    }

    /// What was found out before does not hold any more.
    #[cold]
    pub fn unsettled(&mut self, at: u64) -> Fault {
        let what = format_args!("the value changed while it was written");
        self.fail_at(at, UNSETTLED, what, Show::Nothing, Show::Nothing)
    }
}

/// A number that is told of as another one is.
fn shown_as(like: Show, bits: u64) -> Show {
    if matches!(like, Show::Int(_)) { Show::Int(bits.cast_signed()) } else { Show::Uint(bits) }
}

fn show_place(place: Option<u64>) -> Show {
    place.map_or(Show::Nothing, Show::Uint)
}
