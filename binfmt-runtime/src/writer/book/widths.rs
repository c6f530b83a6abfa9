//! Lengths of numbers of variable length, which a pass takes to be the least that they can be until it finds out more.
//!
//! What lies behind such a number lies elsewhere once it is longer, so what else was found out meanwhile is
//! forgotten; after so many passes all is kept, so that this ends.

use super::Book;
#[cfg(feature = "alloc")]
use crate::writer::room::PATIENCE;

impl Book {
    /// The length of a number, if an earlier pass has found it out; else the least is taken.
    pub(in crate::writer) fn width(&mut self, index: usize) -> Option<u64> {
        let known = self.guess(index);
        #[cfg(feature = "alloc")]
        (self.guesses_widths |= known.is_none());
        known
    }

    /// While widths are found out that no value keeps, all else stays as the value says, numbers as long as they
    /// are and values where they lie: what was found out where everything lay elsewhere tells nothing of them.
    #[cfg(feature = "alloc")]
    pub(super) fn keep_widths(&mut self) {
        let widths = core::mem::take(&mut self.widths);
        if !widths.is_empty() && self.rounds <= PATIENCE {
            self.go_back();
        }
        self.learned.clear();
        if !widths.is_empty() {
            self.earlier_widths.extend(widths.into_iter().map(|(index, _)| index));
            self.earlier_widths.sort_unstable();
        }
    }

    /// Widths were found out while other numbers were old ones, and may be longer than the least that do: what is
    /// written does not depend on that. Tells whether there are any; then somebody must look once more for numbers
    /// that are used otherwise than they are written.
    pub(in crate::writer) fn forget_widths(&mut self) -> bool {
        #[cfg(feature = "alloc")]
        {
            let widths = core::mem::take(&mut self.earlier_widths);
            if widths.is_empty() {
                return false;
            }
            for width in widths {
                self.put(width, None);
            }
            self.doubt_again();
            true
        }
        #[cfg(not(feature = "alloc"))]
        false
    }

    /// The next pass takes the length of one number to be the least.
    #[cfg(feature = "alloc")]
    pub(in crate::writer) fn forget_width(&mut self, index: usize) {
        self.put(index, None);
        self.doubt_again();
    }

    /// Forgets what the pass has found out, but widths that no value keeps.
    #[cfg(feature = "alloc")]
    fn go_back(&mut self) {
        for (index, known) in core::mem::take(&mut self.learned).into_iter().rev() {
            if let Some(number) = self.known(index) {
                *number = known;
            }
        }
        self.places.clear();
        self.lengths = false;
    }

    /// A pass has failed. Where one that finds out numbers alone can go on, and lengths were taken to be the least,
    /// that finds them first: what was found out up to here tells nothing, for everything may lie elsewhere.
    pub(in crate::writer) fn fails(&mut self) {
        #[cfg(feature = "alloc")]
        if self.guesses_widths && !self.learns {
            self.go_back();
            self.again = false;
        }
    }

    /// How long a number is turned out to be otherwise; whether the value keeps how long it was.
    pub(in crate::writer) fn learn_width(&mut self, index: usize, width: u64, is_kept: bool) {
        if is_kept {
            return self.learn(index, width);
        }
        #[cfg(feature = "alloc")]
        if self.waits(index) {
            self.again = true;
            return;
        }
        #[cfg(feature = "alloc")]
        self.forget_widths_inside(index);
        self.put_anew(index, width);
    }

    /// Whether a width is found out in a later pass, for one in front of it is found out in this one.
    #[cfg(feature = "alloc")]
    fn waits(&self, index: usize) -> bool {
        let one_by_one = self.one_width_a_pass && self.rounds <= PATIENCE;
        one_by_one && self.widths.first().is_some_and(|(other, _)| *other < index)
    }

    /// What lies inside of what a number tells of lies elsewhere with another width of that, and so may need other
    /// widths itself.
    #[cfg(feature = "alloc")]
    fn forget_widths_inside(&mut self, index: usize) {
        while let Some((inside, known)) = self.widths.pop_if(|(inside, _)| *inside > index) {
            if self.rounds <= PATIENCE
                && let Some(width) = self.known(inside)
            {
                *width = known;
            }
        }
        if self.rounds <= PATIENCE {
            self.forget_earlier_widths(index);
        }
        let known = self.number(index);
        self.widths.push((index, known));
    }

    /// The same of widths behind it that earlier passes have found out.
    #[cfg(feature = "alloc")]
    fn forget_earlier_widths(&mut self, index: usize) {
        while let Some(other) = self.earlier_widths.pop_if(|other| *other > index) {
            self.put(other, None);
            self.one_width_a_pass = true;
        }
    }
}
