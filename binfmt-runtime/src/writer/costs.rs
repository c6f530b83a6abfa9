//! What a reader pays for what is written, so that no writer writes what its reader refuses.
//!
//! Writers count more than readers pay: how often a value is visited depends on the order in which fields are
//! read, which a writer does not follow. Where what they count is more than the budget, what has been written is
//! read, and the reader says whether it can pay.

use super::Writer;
use super::whole::Task;
use crate::budget::Limits;
use crate::finding::{Error, Fault, Show};
#[cfg(feature = "alloc")]
use crate::{Cursor, Wire};

/// What a writer has counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Costs {
    /// Items without bytes.
    owed: u64,
    /// Values that several offsets tell of, and views: their bytes, and one for each.
    visits: u64,
    /// How many of these have others at offsets inside, or items without bytes, which are visited with them.
    deep_visits: u64,
    /// How many values at offsets lie within others, and how deep at most.
    located: u64,
    deepest: u64,
    /// How many bytes are decoded.
    pub(super) decoded: u64,
    /// Whether a pass without bytes has found that this may be more than a reader can pay.
    is_unsure: bool,
}

impl Costs {
    /// Makes ready for another pass, which looks at what one without bytes was not sure of if it `replays` that.
    pub(super) fn begin(&mut self, replays: bool) {
        *self = Self { is_unsure: replays && self.is_unsure, ..Self::default() };
    }

    /// What all visits cost at most, where the output has so many bytes and readers pay so much for what they try.
    fn most(&self, len: u64, tried: u64) -> u64 {
        // A value at an offset costs its bytes and one; each has a byte of its own, or of a number that tells of it,
        // or is counted as an item.
        let level = len.saturating_mul(2).saturating_add(self.located);
        let once = self.deepest.saturating_add(1).saturating_mul(level);
        let once = once.saturating_add(self.owed).saturating_add(tried);
        once.saturating_mul(self.deep_visits.saturating_add(1)).saturating_add(self.visits)
    }

    /// Whether more lies inside than it did `before`.
    #[cfg(feature = "alloc")]
    fn has_more_than(&self, before: &Self) -> bool {
        (self.owed, self.located, self.decoded) != (before.owed, before.located, before.decoded)
    }
}

/// Whether a reader can pay for a value.
#[derive(Clone, Debug)]
pub enum Affords {
    /// The type cannot be read with any lifetime, so nobody knows.
    Unknown,
    /// It can.
    Yes,
    /// It cannot, and says so.
    No(Error),
}

/// Whether a reader pays for a value at `cur`, and for all that is lazy in it.
#[cfg(feature = "alloc")]
pub fn affords<'a, T: Wire<'a>>(cur: Cursor<'a>, limits: Limits, args: T::Args) -> Affords {
    // Who reads errors has this walk already, where that of `is_valid` would be one more to be built.
    let report = crate::report::validate::<T>(cur, limits, args);
    let mut spent = report.findings().iter().filter(|finding| finding.code == "budget");
    spent.next().map_or(Affords::Yes, |finding| Affords::No(Error::new(finding.clone())))
}

/// Without memory for a report nobody knows.
#[cfg(not(feature = "alloc"))]
pub fn affords<'a, T: crate::Wire<'a>>(_: crate::Cursor<'a>, _: Limits, _: T::Args) -> Affords {
    Affords::Unknown
}

impl Writer<'_> {
    /// Readers pay so much for items without bytes.
    pub(crate) fn owe(&mut self, cost: u64) {
        let rules = self.rules();
        if let Some(book) = self.book.as_mut().filter(|_| rules) {
            book.costs.owed = book.costs.owed.saturating_add(cost);
        }
    }

    /// Readers pay for the bytes of a view, and of a value wherever several offsets tell of one.
    #[cfg(feature = "alloc")]
    pub(crate) fn owe_visit(&mut self, len: u64) {
        let rules = self.rules();
        if let Some(book) = self.book.as_mut().filter(|_| rules) {
            book.costs.visits = book.costs.visits.saturating_add(len).saturating_add(1);
        }
    }

    /// What is written now is visited once more with all that lies inside.
    #[cfg(feature = "alloc")]
    pub(super) fn visited_again<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.book.as_ref().map(|book| book.costs);
        self.nests = self.nests.saturating_add(1);
        let written = write(self);
        self.nests = self.nests.saturating_sub(1);
        if let (Some(book), Some(before)) = (&mut self.book, before)
            && book.costs.has_more_than(&before)
        {
            book.costs.deep_visits = book.costs.deep_visits.saturating_add(1);
        }
        written
    }

    /// So many values at offsets are written next.
    #[inline(always)]
    pub(crate) fn enter_located(&mut self, count: usize) {
        if self.nests > 0 {
            self.nest(count);
        }
        self.nests = self.nests.wrapping_add(1);
    }

    #[cold]
    #[inline(never)]
    fn nest(&mut self, count: usize) {
        if let Some(book) = &mut self.book {
            let costs = &mut book.costs;
            costs.located = costs.located.saturating_add(crate::ops::wide(count));
            costs.deepest = costs.deepest.max(self.nests.into());
        }
    }

    /// They have been written.
    #[inline(always)]
    pub(crate) fn leave_located(&mut self) {
        self.nests = self.nests.wrapping_sub(1);
    }

    /// Insists that the budget of a reader pays for what has been written.
    pub(super) fn pays(&mut self, task: &Task<'_>) -> Result<(), Fault> {
        let Some(book) = self.book.as_ref() else { return Ok(()) };
        let (costs, len) = (book.costs, self.pos());
        let limits = Limits::for_input(usize::try_from(len).unwrap_or(usize::MAX));
        let (budget, most) = (limits.left(), costs.most(len, book.aheads.tried(len)));
        // A reader can decode less once it has paid for visits.
        let decodable = Limits::of(budget.saturating_sub(most)).decodable();
        let decodes = task.is_inside || costs.decoded <= decodable;
        if most <= budget && decodes && !costs.is_unsure {
            return Ok(());
        }
        if let Some(result) = self.read_to_pay(task, limits) {
            return result;
        }
        if costs.decoded > limits.decodable() && !task.is_inside {
            let what = format_args!(
                "the encoded values have more decoded bytes than the budget of a reader pays for"
            );
            let most = Show::Uint(limits.decodable());
            return Err(self.fail("budget", what, most, Show::Uint(costs.decoded)));
        }
        let cost = costs.owed.saturating_add(costs.visits);
        if cost <= budget {
            return Ok(());
        }
        let what = format_args!(
            "items without bytes, values that several offsets tell of, and views cost more than the budget of a reader"
        );
        Err(self.fail("budget", what, Show::Uint(budget), Show::Uint(cost)))
    }

    /// What a reader says that reads what has been written; `None` where it cannot.
    #[cfg(feature = "alloc")]
    fn read_to_pay(&mut self, task: &Task<'_>, limits: Limits) -> Option<Result<(), Fault>> {
        // The numbers of a draft may be old ones.
        if self.is_draft() {
            return Some(Ok(()));
        }
        let (from, len) = (task.before().len(), usize::try_from(self.pos()).ok()?);
        if !self.keeps {
            let book = self.book.as_mut()?;
            (book.aheads.unseen, book.costs.is_unsure) = (super::ahead::Unseen::All, true);
            return Some(Ok(()));
        }
        // A stream has been looked at before.
        let Some(all) = self.written(0, len) else { return Some(Ok(())) };
        let mut cur = Cursor::within(all, from..len)?;
        cur.order = task.order;
        let limits = if task.is_inside { limits.decoding(u64::MAX) } else { limits };
        match task.value.affords(cur, limits) {
            Affords::Unknown => None,
            Affords::Yes => Some(Ok(())),
            Affords::No(error) => {
                let at = usize::try_from(error.finding().start).unwrap_or(usize::MAX);
                if let Some(book) = &mut self.book {
                    book.unpaid = Some(error);
                }
                Some(Err(Fault::at(at)))
            }
        }
    }

    /// Without memory for a report it never can.
    #[cfg(not(feature = "alloc"))]
    fn read_to_pay(&mut self, _: &Task<'_>, _: Limits) -> Option<Result<(), Fault>> {
        None
    }
}
