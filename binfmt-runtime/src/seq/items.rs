//! Iterating a sequence: every item is read when it is asked for.

use core::fmt;

use super::{Part, Seq, Until};
use crate::budget::Limits;
use crate::finding::{Error, Fault, Problem, Severity};
use crate::observe::{Observer as _, Read};
use crate::ops::wide;
use crate::{Cursor, Fill, Wire, place, record, walk};

/// Iterator over the items of a [`Seq`].
///
/// A loop over small enums that is to be as fast as can be may take the variant that it needs out of
/// it: `let Items::File(items) = seq.iter() else { .. }`. Compilers then join the choice of what is
/// read with the choice of what is done with it, which they often do not for a loop over both.
pub enum Items<'a, T: Wire<'a>> {
    /// Items that lie in a file.
    File(FileItems<'a, T>),
    /// Items that are to be written.
    Slice(core::slice::Iter<'a, T>),
}

impl<'a, T: Wire<'a>> Items<'a, T> {
    /// The absolute offset of the next item, if the items lie in a file.
    pub fn offset(&self) -> Option<u64> {
        match self {
            Self::File(items) => Some(wide(items.part.cur.pos())),
            Self::Slice(_) => None,
        }
    }
}

impl<'a, T: Wire<'a> + Clone> Iterator for Items<'a, T> {
    type Item = Result<T, Error>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::File(items) => items.next(),
            Self::Slice(items) => items.next().cloned().map(Ok),
        }
    }
}

/// Iterator over items that lie in a file.
pub struct FileItems<'a, T: Wire<'a>> {
    pub(super) part: Part<'a, T>,
    pub(super) done: u64,
    pub(super) exact: bool,
    /// How many bytes of the region lie behind the items, where that is known.
    pub(super) behind: usize,
    /// What all items together may spend.
    pub(crate) limits: Limits,
}

impl<'a, T: Wire<'a>> FileItems<'a, T> {
    #[inline(always)]
    pub(crate) fn new(mut part: Part<'a, T>) -> Self {
        let exact = part.cur.fill == Fill::Exact;
        part.cur.fill = Fill::Open;
        let limits = Limits::for_input(part.cur.file().len());
        let behind = Self::cut(&mut part).unwrap_or(0);
        Self { part, done: 0, exact, behind, limits }
    }

    /// Cuts what is behind items of one size off. They then end where fewer bytes are left than one
    /// has, which is one comparison for the sequence and the item, and nothing is counted.
    #[inline(always)]
    fn cut(part: &mut Part<'a, T>) -> Option<usize> {
        let Until::Count(count) = part.until else { return None };
        if !T::FIXED || T::MIN_SIZE == 0 {
            return None;
        }
        let mut behind = part.cur;
        part.cur = behind.split(count.checked_mul(wide(T::MIN_SIZE))?, Fill::Open)?;
        part.until = Until::Remaining(T::MIN_SIZE);
        Some(behind.remaining())
    }
}

impl<'a, T: Wire<'a>> Iterator for FileItems<'a, T> {
    type Item = Result<T, Error>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let args = self.part.args;
        let before = self.part.cur.remaining();
        if self.part.until.ends(self.done, before) {
            let behind = if T::FIXED { self.behind } else { 0 };
            let left = core::mem::replace(&mut self.exact, false) && before.max(behind) > 0;
            return if left { Some(Err(left_over(self.part.cur, behind))) } else { None };
        }
        self.done = self.done.wrapping_add(1);
        // A copy can live in registers where a field behind a reference cannot.
        let mut cur = self.part.cur;
        let mut read = Read::within(self.limits);
        let result = T::walk(&mut cur, &mut read, args);
        self.limits = *read.limits();
        if T::MIN_SIZE == 0 && cur.remaining() == before && result.is_ok() && self.is_too_much() {
            return Some(Err(self.broken(None)));
        }
        match result {
            Ok(item) => {
                self.part.cur.skip_to(&cur);
                Some(Ok(item))
            }
            Err(fault) => Some(Err(self.broken(Some(fault)))),
        }
    }
}

impl<'a, T: Wire<'a>> FileItems<'a, T> {
    /// Whether items without bytes would go on for ever, or for longer than the input allows.
    fn is_too_much(&mut self) -> bool {
        match self.part.until {
            Until::Remaining(_) => true,
            Until::Count(_) => {
                let paid = self.limits.spend_empty::<T>();
                if paid.is_none() {
                    self.limits.set_spent();
                }
                paid.is_none()
            }
        }
    }

    /// Ends the iteration, and says why the next item cannot be read, or why it is the last one.
    #[cold]
    fn broken(&mut self, fault: Option<Fault>) -> Error {
        let start = self.part.cur;
        self.part.until = Until::Count(0);
        self.exact = false;
        match fault {
            _ if self.limits.is_spent() => error(&place::too_much((start.pos(), start.pos()))),
            Some(fault) => record::locate::<T>(start, self.part.args, fault),
            None => error(&super::endless(&start)),
        }
    }
}

impl<'a, T: Wire<'a> + Clone> IntoIterator for &Seq<'a, T> {
    type IntoIter = Items<'a, T>;
    type Item = Result<T, Error>;

    #[inline(always)]
    fn into_iter(self) -> Items<'a, T> {
        self.iter()
    }
}

impl<'a, T: Wire<'a>> fmt::Debug for FileItems<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileItems").field("done", &self.done).finish_non_exhaustive()
    }
}

impl<'a, T: Wire<'a>> fmt::Debug for Items<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").finish_non_exhaustive()
    }
}

/// Bytes follow the items, in their region or cut off from it.
#[cold]
#[inline(never)]
fn left_over(cur: Cursor<'_>, behind: usize) -> Error {
    let end = cur.end().saturating_add(behind);
    end_error(Cursor::within(cur.file(), cur.pos()..end).unwrap_or(cur))
}

#[cold]
pub(crate) fn end_error(cur: Cursor<'_>) -> Error {
    error(&walk::leftover(&cur))
}

/// The error of a sequence, and not of an item.
#[cold]
fn error(problem: &Problem<'_>) -> Error {
    Error::new(crate::Finding::new(Severity::Error, crate::Text::default(), None, problem))
}
