//! Lazy sequences: checked when they are read, walked when they are iterated.

mod faults;
mod follow;
mod items;
mod linked;
mod read;
mod write;

use core::fmt;

use crate::finding::{Error, Fault};
use crate::observe::{Observer, Read};
use crate::ops::wide;
use crate::place::{self, Visited};
use crate::value::Value;
use crate::writer::Writer;
use crate::{Cursor, Fill, Wire, stack};

#[cfg(feature = "alloc")]
pub(crate) use faults::stuck;
#[cfg(feature = "alloc")]
pub(crate) use faults::too_deep_at;
pub(crate) use faults::{endless, too_deep, trailing, without_bytes};
pub(crate) use follow::{Alike, Follow};
pub(crate) use items::FileItems;
pub use items::Items;
pub(crate) use items::end_error;
pub use linked::{LinkedItems, LinkedSeq};
pub(crate) use write::{is_plain_end, no_bytes, write_any, write_items, write_while};

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
        self.counted_by(obs, &Alike)
    }

    /// The same, where arguments may follow from the item before.
    pub(crate) fn counted_by<O: Observer>(
        &self,
        obs: &mut O,
        follow: &impl Follow<'a, T>,
    ) -> Result<u64, Fault> {
        let (Source::File(Part { mut cur, until, mut args, .. }), None) =
            (self.source, self.count())
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
            let Ok(item) = T::walk(&mut cur, &mut read, args) else { break };
            if cur.remaining() == before {
                break;
            }
            done = done.saturating_add(1);
            match follow.next(&item, args) {
                Some(next) => args = next,
                None => break,
            }
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
                items.rest()
            }
            _ => &[],
        }
    }

    /// Writes the items, and the bytes behind them that are to be kept.
    pub fn emit(&self, out: &mut Writer<'_>, args: T::Args) -> Result<(), Fault> {
        match self.source {
            Source::Items(items) => write_items(items, out, args),
            Source::File(part) => {
                let outer = out.descend(stack::of::<T>())?;
                for (item, index) in FileItems::new(part).zip(0_u64..) {
                    out.enter_item(index);
                    match item {
                        Ok(item) => write_any(&item, out, args)?,
                        Err(error) => return Err(out.fail_to_read(&error)),
                    }
                    out.leave();
                }
                out.ascend(outer);
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
                Items::from(part, index).next()
            }
            _ => self.iter().nth(nth),
        }
    }

    /// The items, in file order.
    #[inline(always)]
    pub fn iter(&self) -> Items<'a, T> {
        Items::of(self.source)
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
