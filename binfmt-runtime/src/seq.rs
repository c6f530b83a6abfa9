//! Lazy sequences: checked when they are read, walked when they are iterated.

mod items;
mod write;

use core::fmt;

use crate::budget::Limits;
use crate::finding::{Class, Error, Fault, Problem, Severity, Show};
use crate::observe::{Observer, Read};
use crate::ops::wide;
use crate::place::{self, Visited};
use crate::value::Value;
use crate::writer::Writer;
use crate::{Cursor, Fill, Wire, walk};

pub(crate) use items::end_error;
pub use items::{FileItems, Items};
#[cfg(feature = "alloc")]
pub(crate) use write::no_bytes;
pub(crate) use write::{broken_item, is_plain_end, write_items, write_while};

/// Where a sequence ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// After so many items.
    Count(u64),
    /// Where fewer than so many bytes are left in the region; 1 means at its end.
    Remaining(usize),
}

impl Until {
    /// Before an item: whether the sequence ends here, with `done` items behind it.
    #[inline(always)]
    pub(crate) fn ends(self, done: u64, remaining: usize) -> bool {
        match self {
            Self::Count(count) => done >= count,
            Self::Remaining(least) => remaining < least,
        }
    }
}

/// A sequence of `T` that allocates nothing: a part of the file, or items to be written.
///
/// Items of a part of the file come as `Result`: a broken item ends the iteration with one `Err`.
pub struct Seq<'a, T: Wire<'a>> {
    pub(crate) source: Source<'a, T>,
}

pub(crate) enum Source<'a, T: Wire<'a>> {
    File(Part<'a, T>),
    Items(&'a [T]),
}

/// The part of a file that a sequence spans.
#[derive(Debug)]
pub struct Part<'a, T: Wire<'a>> {
    pub(crate) cur: Cursor<'a>,
    pub(crate) until: Until,
    pub(crate) args: T::Args,
    /// Whether bytes behind the last item are allowed, and kept.
    pub(crate) slack: bool,
}

impl<'a, T: Wire<'a>> Clone for Part<'a, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<'a, T: Wire<'a>> Copy for Part<'a, T> {}

impl<'a, T: Wire<'a>> Clone for Seq<'a, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<'a, T: Wire<'a>> Copy for Seq<'a, T> {}

impl<'a, T: Wire<'a>> Clone for Source<'a, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<'a, T: Wire<'a>> Copy for Source<'a, T> {}

impl<'a, T: Wire<'a>> Default for Seq<'a, T> {
    fn default() -> Self {
        Self { source: Source::Items(&[]) }
    }
}

impl<'a, T: Wire<'a>> From<&'a [T]> for Seq<'a, T> {
    fn from(items: &'a [T]) -> Self {
        Self { source: Source::Items(items) }
    }
}

impl<'a, T: Wire<'a>> Seq<'a, T> {
    /// Reads a sequence: checks its bounds, and walks it if its end must be known.
    #[inline(always)]
    pub fn read<O: Observer>(
        cur: &mut Cursor<'a>,
        obs: &mut O,
        until: Until,
        slack: bool,
        args: T::Args,
    ) -> Result<Self, Fault> {
        let region = Self::region(cur, obs, until, slack)?;
        let Some(mut region) = region else {
            return Self::walk_to_end(cur, obs, until, args);
        };
        if slack {
            region.fill = Fill::Loose;
        }
        if obs.walks_items() {
            let mut items = region;
            let depth = obs.depth();
            match Self::walk_items(&mut items, obs, until, args) {
                Ok(()) => Self::end(&items, obs)?,
                // The region is known, so a validator goes on behind it.
                Err(_) if O::RECORD && !obs.limits().is_spent() => obs.unwind(depth, items.pos()),
                Err(fault) => return Err(fault),
            }
        }
        Ok(Self { source: Source::File(Part { cur: region, until, args, slack }) })
    }

    /// The bytes that the sequence spans, where that is known before walking it.
    #[inline(always)]
    fn region<O: Observer>(
        cur: &mut Cursor<'a>,
        obs: &mut O,
        until: Until,
        slack: bool,
    ) -> Result<Option<Cursor<'a>>, Fault> {
        let all = wide(cur.remaining());
        let fill = cur.fill;
        let count = match until {
            Until::Count(count) => count,
            // What is too short for one more item belongs to what follows, or is kept.
            Until::Remaining(least) if fill == Fill::Open && least > 1 && !slack => {
                let size = T::MIN_SIZE;
                let left = cur.remaining();
                if !T::FIXED || size < least {
                    return Ok(None);
                }
                let more = left.checked_rem(size).filter(|more| *more < least);
                let len = more.and_then(|more| left.checked_sub(more)).unwrap_or(left);
                return Ok(cur.split(wide(len), Fill::Exact));
            }
            Until::Remaining(_) => return Ok(cur.split(all, fill)),
        };
        let smallest = wide(T::MIN_SIZE);
        match count.saturating_mul(smallest) {
            least if least > all => Err(walk::short(cur, obs, least)),
            len if T::FIXED && T::MIN_SIZE > 0 && fill == Fill::Open => {
                Ok(cur.split(len, Fill::Exact))
            }
            _ if fill == Fill::Open => Ok(None),
            _ => Ok(cur.split(all, fill)),
        }
    }

    /// Walks the items to find where the sequence ends.
    fn walk_to_end<O: Observer>(
        cur: &mut Cursor<'a>,
        obs: &mut O,
        until: Until,
        args: T::Args,
    ) -> Result<Self, Fault> {
        let start = *cur;
        Self::walk_items(cur, obs, until, args)?;
        let len = cur.pos().saturating_sub(start.pos());
        let mut seq = start;
        let region = seq.split(wide(len), Fill::Exact).unwrap_or(start);
        // What the items leave of their region is not part of this one.
        let until = match until {
            Until::Remaining(_) => Until::Remaining(1),
            count @ Until::Count(_) => count,
        };
        let part = Part { cur: region, until, args, slack: false };
        Ok(Self { source: Source::File(part) })
    }

    pub(crate) fn walk_items<O: Observer>(
        cur: &mut Cursor<'a>,
        obs: &mut O,
        until: Until,
        args: T::Args,
    ) -> Result<(), Fault> {
        if obs.limits().descend(size_of::<T>()).is_none() {
            return Err(too_deep(cur, obs));
        }
        let result = Self::walk_each(cur, obs, until, args);
        obs.limits().ascend(size_of::<T>());
        result
    }

    fn walk_each<O: Observer>(
        cur: &mut Cursor<'a>,
        obs: &mut O,
        until: Until,
        args: T::Args,
    ) -> Result<(), Fault> {
        let fill = core::mem::replace(&mut cur.fill, Fill::Open);
        let mut done = 0_u64;
        while !until.ends(done, cur.remaining()) {
            let depth = obs.depth();
            let before = cur.remaining();
            obs.enter_item(done, cur.pos());
            cur.stepped = false;
            let (origin, order) = (cur.origin, cur.order);
            match obs.nested::<T>(cur, args) {
                Ok(item) => {
                    if O::RECORD {
                        obs.leave(cur.pos(), &item.value());
                    }
                }
                // The end of the damaged item is known, so a validator steps over it.
                Err(_)
                    if O::RECORD
                        && obs.walks_items()
                        && cur.stepped
                        && !obs.limits().is_spent() =>
                {
                    obs.unwind(depth, cur.pos());
                    (cur.origin, cur.order) = (origin, order);
                    cur.fill = Fill::Open;
                }
                Err(fault) => return Err(fault),
            }
            if T::MIN_SIZE == 0 && cur.remaining() == before {
                without_bytes::<T, O>(cur, obs, until)?;
            }
            done = done.saturating_add(1);
        }
        cur.fill = fill;
        Ok(())
    }

    /// Looks at what the items leave of the region.
    fn end<O: Observer>(cur: &Cursor<'a>, obs: &mut O) -> Result<(), Fault> {
        if cur.remaining() == 0 {
            return Ok(());
        }
        match cur.fill {
            Fill::Exact => obs.broken(&walk::leftover(cur)),
            Fill::Loose | Fill::Open => {
                obs.note(Severity::Warning, &trailing(cur));
                Ok(())
            }
        }
    }

    /// How many items there are, where that is known without walking them.
    pub fn count(&self) -> Option<u64> {
        match &self.source {
            Source::File(Part { until: Until::Count(count), .. }) => Some(*count),
            Source::File(_) => None,
            Source::Items(items) => Some(wide(items.len())),
        }
    }

    /// How many items there are; walks them if it must and stops at the first broken one.
    pub fn walk_count(&self) -> u64 {
        match self.source {
            Source::File(part) => self
                .count()
                .unwrap_or_else(|| wide(FileItems::new(part).take_while(Result::is_ok).count())),
            Source::Items(items) => wide(items.len()),
        }
    }

    /// How many items there are, for an expression: a walk pays for what is walked for it.
    #[doc(hidden)]
    pub fn counted<O: Observer>(&self, obs: &mut O) -> Result<u64, Fault> {
        let (Source::File(Part { mut cur, until, args, .. }), None) = (self.source, self.count())
        else {
            return Ok(self.walk_count());
        };
        let start = cur.pos();
        let mark = obs.limits().open(cur.end(), start);
        cur.fill = Fill::Open;
        let mut read = Read::within(*obs.limits());
        let mut done = 0_u64;
        while mark.is_some() && !until.ends(done, cur.remaining()) {
            let before = cur.remaining();
            if T::walk(&mut cur, &mut read, args).is_err() || cur.remaining() == before {
                break;
            }
            done = done.saturating_add(1);
        }
        obs.count(done);
        *obs.limits() = read.limits().unreported();
        match mark.and_then(|mark| obs.limits().close(mark, cur.pos())) {
            Some(()) => Ok(done),
            None => Err(place::spent(obs, (start, cur.pos()), Visited::Here)),
        }
    }

    /// The bytes behind the last item that a `level(leftover = ..)` keeps; walks the items.
    pub fn slack(&self) -> &'a [u8] {
        match self.source {
            Source::File(part) if part.slack => {
                let mut items = FileItems::new(part);
                items.by_ref().for_each(drop);
                items.part.cur.rest()
            }
            _ => &[],
        }
    }

    /// Writes the items, and the bytes behind them that are to be kept.
    pub fn emit(&self, out: &mut Writer<'_>, args: T::Args) -> Result<(), Fault> {
        match self.source {
            Source::Items(items) => write_items(items, out, args),
            Source::File(part) => {
                for (item, index) in FileItems::new(part).zip(0_u64..) {
                    out.enter_item(index);
                    match item {
                        Ok(item) => write::write_any(&item, out, args)?,
                        Err(error) => return Err(broken_item(out, &error)),
                    }
                    out.leave();
                }
                out.put(self.slack())
            }
        }
    }

    /// Writes items that a reader takes while at least so many bytes are left.
    #[doc(hidden)]
    pub fn emit_while(
        &self,
        out: &mut Writer<'_>,
        args: T::Args,
        least: usize,
    ) -> Result<(), Fault> {
        match self.source {
            _ if is_plain_end::<T>(least) => self.emit(out, args),
            Source::Items(items) => write_while::<T, _>(items.iter().map(Ok), out, args, least),
            Source::File(part) => {
                write_while::<T, T>(FileItems::new(part), out, args, least)?;
                out.put(self.slack())
            }
        }
    }

    /// The value that an inspector shows.
    pub fn value(&self) -> Value<'static> {
        Value::Items(self.count())
    }
}

impl<'a, T: Wire<'a> + Clone> Seq<'a, T> {
    /// The item at `index`, in constant time where items have a fixed size.
    pub fn get(&self, index: u64) -> Option<Result<T, Error>> {
        let nth = usize::try_from(index).ok()?;
        match self.source {
            Source::File(mut part) if T::FIXED => {
                part.cur.take(index.checked_mul(wide(T::MIN_SIZE))?)?;
                let mut items = FileItems {
                    done: index,
                    exact: false,
                    behind: 0,
                    limits: Limits::for_input(part.cur.file().len()),
                    part,
                };
                items.next()
            }
            _ => self.iter().nth(nth),
        }
    }

    /// The items, in file order.
    #[inline(always)]
    pub fn iter(&self) -> Items<'a, T> {
        match self.source {
            Source::File(part) => Items::File(FileItems::new(part)),
            Source::Items(items) => Items::Slice(items.iter()),
        }
    }
}

impl<'a, T: Wire<'a> + Clone + fmt::Debug> fmt::Debug for Seq<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a, T: Wire<'a> + Clone + PartialEq> PartialEq for Seq<'a, T> {
    fn eq(&self, other: &Self) -> bool {
        // An error names offsets, which are no part of the value.
        let values = |seq: &Self| seq.iter().map(Result::ok);
        values(self).eq(values(other)) && self.slack() == other.slack()
    }
}

#[inline(always)]
pub(crate) fn too_deep<O: Observer>(cur: &Cursor<'_>, obs: &mut O) -> Fault {
    if O::RECORD { report_too_deep(cur, obs) } else { Fault::at(cur.pos()) }
}

#[cold]
#[inline(never)]
fn report_too_deep<O: Observer>(cur: &Cursor<'_>, obs: &mut O) -> Fault {
    let (what, most) = if obs.limits().is_deep() {
        ("values nest too deeply", u64::from(Limits::MAX_DEPTH))
    } else {
        ("values of so many bytes of memory nest too deeply", u64::from(Limits::MAX_STACK))
    };
    obs.fail(&Problem {
        code: "depth",
        class: Class::Malformed,
        start: cur.pos(),
        end: cur.pos(),
        what: format_args!("{what}"),
        expected: Show::Uint(most),
        found: Show::Nothing,
    })
}

/// An item took no bytes: it would never end a sequence that runs to the end of its region, and
/// where items are counted, no input would limit how many there are.
#[inline(always)]
pub(crate) fn without_bytes<T, O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    until: Until,
) -> Result<(), Fault> {
    match until {
        Until::Remaining(_) => Err(stuck(cur, obs)),
        Until::Count(_) => match obs.limits().spend_empty::<T>() {
            Some(()) => Ok(()),
            None => Err(place::spent(obs, (cur.pos(), cur.pos()), Visited::Here)),
        },
    }
}

#[inline(always)]
pub(crate) fn stuck<O: Observer>(cur: &Cursor<'_>, obs: &mut O) -> Fault {
    if O::RECORD { report_stuck(cur, obs) } else { Fault::at(cur.pos()) }
}

#[cold]
#[inline(never)]
fn report_stuck<O: Observer>(cur: &Cursor<'_>, obs: &mut O) -> Fault {
    obs.fail(&endless(cur))
}

/// A sequence that runs to the end of its region has an item of no bytes.
pub(crate) fn endless(cur: &Cursor<'_>) -> Problem<'static> {
    Problem {
        code: "size",
        class: Class::Malformed,
        start: cur.pos(),
        end: cur.end(),
        what: format_args!("an item of no bytes would repeat for ever"),
        expected: Show::Nothing,
        found: Show::Nothing,
    }
}

/// Bytes behind the last item that nobody claims.
pub(crate) fn trailing(cur: &Cursor<'_>) -> Problem<'static> {
    Problem {
        code: "trailing",
        class: Class::Invalid,
        start: cur.pos(),
        end: cur.end(),
        what: format_args!("bytes follow that belong to nothing"),
        expected: Show::Uint(0),
        found: Show::Uint(wide(cur.remaining())),
    }
}
