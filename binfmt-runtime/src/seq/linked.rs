//! Lazy sequences whose items are given what the item before them says.

use core::fmt;

use super::items::{FileItems, Items};
use super::{Part, Seq, Source, Until};
use crate::finding::{Error, Fault};
use crate::observe::Observer;
use crate::ops::wide;
use crate::previous::{self, Before, Carry, Ends};
use crate::value::Value;
use crate::writer::Writer;
use crate::{Cursor, Wire};

/// Makes the arguments of an item out of the item before it and the arguments of that.
type Next<'a, T> = fn(&T, <T as Wire<'a>>::Args) -> Option<<T as Wire<'a>>::Args>;

/// A [`Seq`] whose items take arguments that follow from the item before:
/// `args(running = previous.status or 0)`.
///
/// The items are found one after the other, so [`get`](Self::get) walks those in front.
pub struct LinkedSeq<'a, T: Wire<'a>> {
    seq: Seq<'a, T>,
    next: Next<'a, T>,
}

impl<'a, T: Wire<'a>> Clone for LinkedSeq<'a, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<'a, T: Wire<'a>> Copy for LinkedSeq<'a, T> {}

impl<'a, T: Wire<'a>> Default for LinkedSeq<'a, T> {
    fn default() -> Self {
        Self::from(&[][..])
    }
}

impl<'a, T: Wire<'a>> From<&'a [T]> for LinkedSeq<'a, T> {
    fn from(items: &'a [T]) -> Self {
        Self { seq: Seq::from(items), next: |_, args| Some(args) }
    }
}

impl<'a, T: Wire<'a>> LinkedSeq<'a, T> {
    /// Reads a sequence whose first item is given `args`.
    #[doc(hidden)]
    #[inline(always)]
    pub fn read<O: Observer>(
        cur: &mut Cursor<'a>,
        obs: &mut O,
        until: Until,
        slack: bool,
        args: T::Args,
        next: Next<'a, T>,
    ) -> Result<Self, Fault> {
        // The next item is told by the parts of the one before.
        let drops = obs.set_drops(false);
        let seq = Seq::read_by(cur, obs, until, slack, args, &next)?;
        obs.set_drops(drops);
        Ok(Self { seq, next })
    }

    /// How many items there are, where that is known without walking them.
    pub fn count(&self) -> Option<u64> {
        self.seq.count()
    }

    /// How many items there are; walks them if it must and stops at the first broken one.
    pub fn walk_count(&self) -> u64 {
        match (self.count(), self.seq.source) {
            (Some(count), _) => count,
            (None, Source::Items(items)) => wide(items.len()),
            (None, Source::File(part)) => {
                wide(self.file_items(part).take_while(Result::is_ok).count())
            }
        }
    }

    /// How many items there are, for an expression: a walk pays for what is walked for it.
    #[doc(hidden)]
    pub fn counted<O: Observer>(&self, obs: &mut O) -> Result<u64, Fault> {
        self.seq.counted_by(obs, &self.next)
    }

    /// The bytes behind the last item that a `level(leftover = ..)` keeps; walks the items.
    pub fn slack(&self) -> &'a [u8] {
        match self.seq.source {
            Source::File(part) if part.slack => {
                let mut items = self.file_items(part);
                items.by_ref().for_each(drop);
                items.rest()
            }
            _ => &[],
        }
    }

    /// Writes the items, and the bytes behind them that are to be kept.
    #[doc(hidden)]
    pub fn emit(
        &self,
        out: &mut Writer<'_>,
        ends: Ends<'static>,
        args: impl Fn(Option<Before<'_, 'a, T>>, &mut Writer<'_>) -> Result<T::Args, Fault>,
        carry: &Carry<impl Fn(&T, &dyn Fn(usize) -> Option<u64>) -> Option<T>>,
    ) -> Result<(), Fault> {
        match self.seq.source {
            // Readers keep what the first item is given, whether there is one or not.
            Source::Items([]) => args(None, out).map(drop),
            Source::Items(items) => {
                previous::emit_each(items.iter().map(Ok), out, ends, args, carry)
            }
            Source::File(part) => {
                previous::emit_each::<T, T>(self.file_items(part), out, ends, args, carry)?;
                out.put(self.slack())
            }
        }
    }

    /// The value that an inspector shows.
    pub fn value(&self) -> Value<'static> {
        self.seq.value()
    }

    /// What each item says of the next one.
    pub(crate) fn link(&self) -> Next<'a, T> {
        self.next
    }

    /// Where the items come from.
    pub(crate) fn source(&self) -> Source<'a, T> {
        self.seq.source
    }

    /// The items of a part of a file.
    pub(crate) fn file_items(&self, part: Part<'a, T>) -> LinkedFileItems<'a, T> {
        LinkedFileItems { items: FileItems::new(part), next: self.next, lost: false }
    }
}

impl<'a, T: Wire<'a> + Clone> LinkedSeq<'a, T> {
    /// The item at `index`; those in front of it are walked.
    pub fn get(&self, index: u64) -> Option<Result<T, Error>> {
        self.iter().nth(usize::try_from(index).ok()?)
    }

    /// The items, in file order.
    pub fn iter(&self) -> LinkedItems<'a, T> {
        LinkedItems { items: Items::of(self.seq.source), next: self.next, lost: false }
    }
}

impl<'a, T: Wire<'a> + Clone + fmt::Debug> fmt::Debug for LinkedSeq<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a, T: Wire<'a> + Clone + PartialEq> PartialEq for LinkedSeq<'a, T> {
    fn eq(&self, other: &Self) -> bool {
        // An error names offsets, which are no part of the value.
        let values = |seq: &Self| seq.iter().map(Result::ok);
        values(self).eq(values(other)) && self.slack() == other.slack()
    }
}

impl<'a, T: Wire<'a> + Clone> IntoIterator for &LinkedSeq<'a, T> {
    type IntoIter = LinkedItems<'a, T>;
    type Item = Result<T, Error>;

    fn into_iter(self) -> LinkedItems<'a, T> {
        self.iter()
    }
}

/// Iterator over the items of a [`LinkedSeq`].
pub struct LinkedItems<'a, T: Wire<'a>> {
    items: Items<'a, T>,
    next: Next<'a, T>,
    /// Whether nothing tells what the next item is given.
    lost: bool,
}

impl<'a, T: Wire<'a>> LinkedItems<'a, T> {
    /// The absolute offset of the next item, if the items lie in a file.
    pub fn offset(&self) -> Option<u64> {
        self.items.offset()
    }
}

impl<'a, T: Wire<'a> + Clone> Iterator for LinkedItems<'a, T> {
    type Item = Result<T, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        linked(&mut self.items, self.next, &mut self.lost, Iterator::next)
    }
}

impl<'a, T: Wire<'a>> fmt::Debug for LinkedItems<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinkedItems").finish_non_exhaustive()
    }
}

/// Iterator over items that lie in a file.
pub(crate) struct LinkedFileItems<'a, T: Wire<'a>> {
    items: FileItems<'a, T>,
    next: Next<'a, T>,
    lost: bool,
}

impl<'a, T: Wire<'a>> LinkedFileItems<'a, T> {
    /// What has not been read.
    fn rest(&self) -> &'a [u8] {
        self.items.rest()
    }
}

impl<'a, T: Wire<'a>> Iterator for LinkedFileItems<'a, T> {
    type Item = Result<T, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let step = |items: &mut Items<'a, T>| items.next_in_file();
        linked(self.items.inner(), self.next, &mut self.lost, step)
    }
}

/// The next item, and what the one behind it is given.
fn linked<'a, T: Wire<'a>>(
    items: &mut Items<'a, T>,
    next: Next<'a, T>,
    lost: &mut bool,
    step: impl FnOnce(&mut Items<'a, T>) -> Option<Result<T, Error>>,
) -> Option<Result<T, Error>> {
    if core::mem::take(lost) && items.has_more() {
        return Some(Err(items.without_arguments()));
    }
    let item = step(items)?;
    if let (Ok(item), Some(args)) = (&item, items.args()) {
        match next(item, args) {
            Some(args) => items.set_args(args),
            None => *lost = true,
        }
    }
    Some(item)
}
