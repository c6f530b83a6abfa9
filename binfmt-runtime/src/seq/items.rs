//! Iterating a sequence: every item is read when it is asked for.

use core::fmt;

use super::{Part, Seq, Source, Until};
use crate::budget::Limits;
use crate::finding::{Error, Fault, Problem, Severity};
use crate::observe::{Observer as _, Read};
use crate::ops::wide;
use crate::{Cursor, Fill, Wire, place, record, walk};

/// Iterator over the items of a [`Seq`].
pub struct Items<'a, T: Wire<'a>> {
    cur: Cursor<'a>,
    until: Until,
    /// `None` where the items are in memory.
    args: Option<T::Args>,
    done: u64,
    exact: bool,
    /// How many bytes of the region lie behind the items, where that is known.
    behind: usize,
    /// What all items together may spend.
    pub(crate) limits: Limits,
    /// Items that are to be written; none where they lie in a file.
    memory: core::slice::Iter<'a, T>,
}

impl<'a, T: Wire<'a>> Items<'a, T> {
    #[inline(always)]
    pub(super) fn of(source: Source<'a, T>) -> Self {
        match source {
            Source::File(part) => Self::in_file(part),
            Source::Items(items) => Self {
                cur: Cursor::new(&[]),
                until: Until::Count(0),
                args: None,
                done: 0,
                exact: false,
                behind: 0,
                limits: Limits::for_input(0),
                memory: items.iter(),
            },
        }
    }

    #[inline(always)]
    fn in_file(part: Part<'a, T>) -> Self {
        let Part { mut cur, mut until, args, .. } = part;
        let exact = cur.fill == Fill::Exact;
        cur.fill = Fill::Open;
        let limits = Limits::for_input(cur.file().len());
        let behind = Self::cut(&mut cur, &mut until).unwrap_or(0);
        Self { cur, until, args: Some(args), memory: [].iter(), done: 0, exact, behind, limits }
    }

    /// Cuts what is behind items of one size off. They then end where fewer bytes are left than one
    /// has, which is one comparison for the sequence and the item, and nothing is counted.
    #[inline(always)]
    fn cut(cur: &mut Cursor<'a>, until: &mut Until) -> Option<usize> {
        let Until::Count(count) = *until else { return None };
        if !T::FIXED || T::MIN_SIZE == 0 {
            return None;
        }
        let mut behind = *cur;
        *cur = behind.split(count.checked_mul(wide(T::MIN_SIZE))?, Fill::Open)?;
        *until = Until::Remaining(T::MIN_SIZE);
        Some(behind.remaining())
    }

    /// The items from the one at `index` on, with which the part begins.
    pub(super) fn from(part: Part<'a, T>, index: u64) -> Self {
        let Part { cur, until, args, .. } = part;
        let limits = Limits::for_input(cur.file().len());
        Self {
            cur,
            until,
            args: Some(args),
            memory: [].iter(),
            done: index,
            exact: false,
            behind: 0,
            limits,
        }
    }

    /// The absolute offset of the next item, if the items lie in a file.
    pub fn offset(&self) -> Option<u64> {
        self.args.map(|_| wide(self.cur.pos()))
    }
}

impl<'a, T: Wire<'a>> Items<'a, T> {
    /// The next item; one in memory is copied by `copy`.
    ///
    /// Items from a file and from memory meet as the result of a walk, and take one way from there: so
    /// compilers join the choice of what is read with the choice of what a loop does with it, where an
    /// item is an enum. They do not where the two meet later.
    #[inline(always)]
    fn step(&mut self, copy: impl FnOnce(&T) -> Option<T>) -> Option<Result<T, Error>> {
        let before = self.cur.remaining();
        // A copy can live in registers where a field behind a reference cannot.
        let mut cur = self.cur;
        let result = match self.args {
            Some(args) if !self.until.ends(self.done, before) => {
                self.done = self.done.wrapping_add(1);
                let mut read = Read::within(self.limits);
                let result = T::walk(&mut cur, &mut read, args);
                self.limits = *read.limits();
                result
            }
            _ => match self.memory.next() {
                Some(item) => Ok(copy(item)?),
                None => return self.end(before),
            },
        };
        if T::MIN_SIZE == 0 && cur.remaining() == before && result.is_ok() && self.is_too_much() {
            return Some(Err(self.broken(None)));
        }
        match result {
            Ok(item) => {
                self.cur.skip_to(&cur);
                Some(Ok(item))
            }
            Err(fault) => Some(Err(self.broken(Some(fault)))),
        }
    }

    /// The next item of those that lie in a file.
    #[inline(always)]
    pub(super) fn next_in_file(&mut self) -> Option<Result<T, Error>> {
        self.step(|_| None)
    }

    /// What the next item is given; `None` where the items are in memory.
    pub(super) fn args(&self) -> Option<T::Args> {
        self.args
    }

    /// Gives the next item other arguments.
    pub(super) fn set_args(&mut self, args: T::Args) {
        self.args = Some(args);
    }

    /// Whether another item lies in the file.
    pub(super) fn has_more(&self) -> bool {
        !self.until.ends(self.done, self.cur.remaining())
    }

    /// Ends the iteration in front of an item for which there are no arguments.
    #[cold]
    pub(super) fn without_arguments(&mut self) -> Error {
        self.until = Until::Count(0);
        self.exact = false;
        error(&walk::unknown_arguments(&self.cur))
    }

    /// What is behind the last item: nothing, or an error for the bytes that are left.
    #[inline(always)]
    fn end(&mut self, remaining: usize) -> Option<Result<T, Error>> {
        let behind = if T::FIXED { self.behind } else { 0 };
        let left = core::mem::replace(&mut self.exact, false) && remaining.max(behind) > 0;
        if left { Some(Err(left_over(self.cur, behind))) } else { None }
    }

    /// Whether items without bytes would go on for ever, or for longer than the input allows.
    fn is_too_much(&mut self) -> bool {
        match self.until {
            _ if self.args.is_none() => false,
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
    #[inline(always)]
    fn broken(&mut self, fault: Option<Fault>) -> Error {
        self.until = Until::Count(0);
        self.exact = false;
        why::<T>(self.cur, self.args, self.limits.is_spent(), fault)
    }
}

impl<'a, T: Wire<'a> + Clone> Iterator for Items<'a, T> {
    type Item = Result<T, Error>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        self.step(|item| Some(item.clone()))
    }
}

/// Iterator over items that lie in a file.
pub(crate) struct FileItems<'a, T: Wire<'a>>(Items<'a, T>);

impl<'a, T: Wire<'a>> FileItems<'a, T> {
    #[inline(always)]
    pub(crate) fn new(part: Part<'a, T>) -> Self {
        Self(Items::in_file(part))
    }

    /// The same, as any items.
    pub(super) fn inner(&mut self) -> &mut Items<'a, T> {
        &mut self.0
    }

    /// What has not been read.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.0.cur.rest()
    }
}

impl<'a, T: Wire<'a>> Iterator for FileItems<'a, T> {
    type Item = Result<T, Error>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next_in_file()
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

/// Why an item cannot be read, or is the last one.
#[cold]
#[inline(never)]
fn why<'a, T: Wire<'a>>(
    start: Cursor<'a>,
    args: Option<T::Args>,
    spent: bool,
    fault: Option<Fault>,
) -> Error {
    match (fault, args) {
        _ if spent => error(&place::too_much((start.pos(), start.pos()))),
        (Some(fault), Some(args)) => record::locate::<T>(start, args, fault),
        _ => error(&super::endless(&start)),
    }
}

/// The error of a sequence, and not of an item.
#[cold]
fn error(problem: &Problem<'_>) -> Error {
    Error::new(crate::Finding::new(Severity::Error, crate::Text::default(), None, problem))
}
