//! Vectors: checked when they are read, items read when they are asked for.

use core::fmt;
use core::marker::PhantomData;

use super::value::{stored_len, too_long};
use super::{Buf, FlatValue, Flaw, Kept, Place, report, visits};
use crate::finding::{Error, Fault};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::ops::wide;
use crate::stack::Stack;
use crate::value::Value;

/// How many numbers of a vector an inspector shows.
const SHOWN: usize = 64;

/// A vector in a `FlatBuffers` buffer, or items to be written.
///
/// It is a handle: copying it costs nothing, every item is found in constant time, and is read when
/// it is asked for.
pub struct FbVec<'a, T> {
    source: Source<'a, T>,
}

enum Source<'a, T> {
    /// The items that are left, and where the first of them lies.
    Stored(Kept<'a>, PhantomData<T>),
    Items(&'a [T]),
}

impl<T> Clone for FbVec<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for FbVec<'_, T> {}

impl<T> Clone for Source<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Source<'_, T> {}

impl<T> Default for FbVec<'_, T> {
    fn default() -> Self {
        Self { source: Source::Items(&[]) }
    }
}

impl<'a, T> From<&'a [T]> for FbVec<'a, T> {
    fn from(items: &'a [T]) -> Self {
        Self { source: Source::Items(items) }
    }
}

impl<T> FbVec<'_, T> {
    /// How many items there are.
    pub fn count(&self) -> u64 {
        wide(self.items())
    }

    /// Whether it was read from a buffer.
    #[cfg(feature = "alloc")]
    pub(super) fn is_stored(&self) -> bool {
        matches!(self.source, Source::Stored(..))
    }

    fn items(&self) -> usize {
        match self.source {
            Source::Stored(kept, _) => usize::try_from(kept.items()).unwrap_or(usize::MAX),
            Source::Items(items) => items.len(),
        }
    }

    /// How long the file is that the items were read from, up to the end of the buffer.
    fn file_len(&self) -> usize {
        match &self.source {
            Source::Stored(kept, _) => kept.file().len(),
            Source::Items(_) => 0,
        }
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.items() == 0
    }
}

impl<'a, T: FlatValue<'a>> FbVec<'a, T> {
    /// Numbers to be written, as bytes in little-endian order; `None` if these are no whole items, or
    /// more than a vector counts, or the items are no numbers. Its ranges count from the first of these bytes.
    pub fn from_le_bytes(bytes: &'a [u8]) -> Option<Self> {
        let count = bytes.len().checked_div(T::SIZE).filter(|_| T::PLAIN)?;
        let count = u32::try_from(count).ok()?;
        let kept = Buf::new(bytes, 0, 0, Stack::EMPTY).place(0).keep(count);
        let whole = bytes.len().is_multiple_of(T::SIZE);
        whole.then_some(Self { source: Source::Stored(kept, PhantomData) })
    }

    /// Where the item at `index` is stored.
    #[inline]
    fn place(&self, index: usize) -> Option<Place<'a>> {
        match self.source {
            Source::Stored(kept, _) if index < self.items() => {
                kept.place().behind(index.saturating_mul(T::SIZE))
            }
            _ => None,
        }
    }

    /// The absolute byte range of the item at `index`: behind its offset, if it is stored as one.
    ///
    /// Of a table that is the part which holds its fields, of a text and of a vector also the length.
    pub fn range(&self, index: u64) -> Option<core::ops::Range<u64>> {
        let place = self.place(usize::try_from(index).ok()?)?;
        let target = place.item::<T>().ok()?;
        Some(wide(target.offset())..wide(T::extent(target)))
    }

    /// The bytes that the items have in the vector: numbers as they are stored, of all others that lie
    /// elsewhere their offsets. `None` for items to be written.
    pub fn bytes(&self) -> Option<&'a [u8]> {
        match self.source {
            Source::Stored(kept, _) => {
                kept.place().rest.get(..self.items().saturating_mul(T::SIZE))
            }
            Source::Items(_) => None,
        }
    }

    /// The absolute byte range of [`bytes`](Self::bytes).
    pub fn bytes_range(&self) -> Option<core::ops::Range<u64>> {
        let start = wide(self.place_of_items()?.offset());
        Some(start..start.saturating_add(wide(self.bytes()?.len())))
    }

    fn place_of_items(&self) -> Option<Place<'a>> {
        match self.source {
            Source::Stored(kept, _) => Some(kept.place()),
            Source::Items(_) => None,
        }
    }

    /// The file that the items were read from.
    #[cfg(feature = "alloc")]
    pub(super) fn file(&self) -> Option<&'a [u8]> {
        match &self.source {
            Source::Stored(kept, _) => Some(kept.file()),
            Source::Items(_) => None,
        }
    }

    /// Does something with the item at `index`, which is there.
    #[cfg(feature = "alloc")]
    pub(super) fn with_item<R>(
        &self,
        index: usize,
        then: impl FnOnce(&T) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let missing = || super::build::error("end", "the vector has fewer items");
        match self.source {
            Source::Stored(..) => then(&self.place(index).ok_or_else(missing)?.read_item::<T>()?),
            Source::Items(items) => then(items.get(index).ok_or_else(missing)?),
        }
    }

    /// Walks the items, and tells of them.
    fn report_items<O: Observer>(&self, obs: &mut O) -> Result<(), Fault> {
        let many = if T::PLAIN { SHOWN } else { usize::MAX };
        let items = (0..self.items().min(many)).filter_map(|index| self.place(index));
        for (place, index) in items.zip(0_u64..) {
            let depth = obs.depth();
            let walked = match place.item::<T>() {
                Ok(target) => {
                    obs.enter_item(index, target.offset());
                    target.walk::<T, O>(obs).map(|item| (item, target))
                }
                Err(flaw) => {
                    obs.enter_item(index, place.offset());
                    Err(report::flawed(place, obs, flaw, T::SIZE))
                }
            };
            match walked {
                Ok((item, target)) => obs.leave(item.end(target), &item.value()),
                // An item lies where its offset says, so a validator goes on to the next one.
                Err(_) if !obs.limits().is_spent() => obs.unwind(depth, place.offset()),
                Err(fault) => return Err(fault),
            }
        }
        Ok(())
    }
}

impl<'a, T: FlatValue<'a> + Clone> FbVec<'a, T> {
    /// The item at `index`, if it can be read, and how many bytes its texts have.
    fn counted(&self, index: usize) -> (Option<T>, u64) {
        match (&self.source, self.place(index)) {
            (Source::Stored(..), Some(place)) => visits::counted(place, true),
            (Source::Items(items), _) => (items.get(index).cloned(), 0),
            _ => (None, 0),
        }
    }

    /// The item at `index`, in constant time.
    pub fn get(&self, index: u64) -> Option<Result<T, Error>> {
        let index = usize::try_from(index).ok()?;
        match self.source {
            Source::Stored(..) => Some(self.place(index)?.read_item()),
            Source::Items(items) => items.get(index).cloned().map(Ok),
        }
    }

    /// The items, in order; a broken one is an error of its own, and others follow it.
    pub fn iter(&self) -> FbItems<'a, T> {
        FbItems { left: *self }
    }
}

impl<'a, T: FlatValue<'a>> FlatValue<'a> for FbVec<'a, T> {
    const HAS_DEFAULT: bool = true;
    const FLAT: &'static Layout = T::FLAT;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn walk<O: Observer>(place: Place<'a>, obs: &mut O) -> Result<Self, Fault> {
        let (number, first) =
            place.number().map_err(|flaw| report::flawed(place, obs, flaw, Self::SIZE))?;
        let count = usize::try_from(number).unwrap_or(usize::MAX);
        let len = count.saturating_mul(T::SIZE);
        if first.rest.len() < len {
            return Err(too_long(place, obs, count));
        }
        // Builders align the items, and `flatc` none where there are none. 4 divides where it begins.
        if T::ALIGN > 4 && count > 0 && !first.is_aligned(T::ALIGN) {
            return Err(report::flawed(first, obs, Flaw::Misaligned(T::ALIGN), len));
        }
        let items = Self { source: Source::Stored(first.keep(number), PhantomData) };
        if obs.walks_items() && (O::RECORD || !T::PLAIN) {
            let cost = if T::PLAIN { 0 } else { u64::from(number) };
            report::pay(obs, place, |limits| limits.spend(cost))?;
            if O::RECORD {
                items.report_items(obs)?;
            } else {
                first.check::<T, O>(obs, Some(number))?;
            }
        }
        Ok(items)
    }

    fn extent(place: Place<'a>) -> usize {
        place.end(stored_len(place, T::SIZE))
    }

    fn absent() -> Option<Self> {
        Some(Self::default())
    }

    fn value(&self) -> Value<'_> {
        Value::Items(Some(self.count()))
    }
}

/// Iterator over the items of an [`FbVec`].
pub struct FbItems<'a, T> {
    left: FbVec<'a, T>,
}

impl<'a, T: FlatValue<'a> + Clone> Iterator for FbItems<'a, T> {
    type Item = Result<T, Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.left.source {
            Source::Stored(kept, _) => {
                let place = kept.place();
                kept.pass(T::SIZE)?;
                Some(place.read_item())
            }
            Source::Items(items) => {
                let (item, rest) = items.split_first()?;
                *items = rest;
                Some(Ok(item.clone()))
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left.items(), Some(self.left.items()))
    }
}

impl<'a, T: FlatValue<'a> + Clone> IntoIterator for &FbVec<'a, T> {
    type IntoIter = FbItems<'a, T>;
    type Item = Result<T, Error>;

    fn into_iter(self) -> FbItems<'a, T> {
        self.iter()
    }
}

impl<'a, T: FlatValue<'a> + Clone + fmt::Debug> fmt::Debug for FbVec<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let len = self.file_len();
        if len == 0 {
            return f.debug_list().entries(self.iter()).finish();
        }
        let mut list = f.debug_list();
        let mut entries = || {
            self.iter().enumerate().all(|(index, item)| {
                let bytes = self.counted(index).1;
                visits::visit(len, bytes, || _ = list.entry(&item)).is_some()
            })
        };
        let all = visits::visit(len, 0, &mut entries).unwrap_or(false);
        if all { list.finish() } else { list.finish_non_exhaustive() }
    }
}

impl<T> fmt::Debug for FbItems<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FbItems").field("left", &self.left.items()).finish_non_exhaustive()
    }
}

impl<'a, T: FlatValue<'a> + Clone + PartialEq> PartialEq for FbVec<'a, T> {
    fn eq(&self, other: &Self) -> bool {
        // An error names offsets, which are no part of the value.
        if self.items() != other.items() {
            return false;
        }
        let len = self.file_len().saturating_add(other.file_len());
        let mut indexes = 0..self.items();
        if len == 0 || T::PLAIN {
            let mut same = || indexes.all(|index| self.counted(index).0 == other.counted(index).0);
            let bytes = wide(self.items().saturating_mul(T::SIZE));
            return if len == 0 {
                same()
            } else {
                visits::visit(len, bytes, same).unwrap_or(false)
            };
        }
        let same = |index| {
            let ((a, bytes), (b, more)) = (self.counted(index), other.counted(index));
            visits::visit(len, bytes.saturating_add(more), || a == b).unwrap_or(false)
        };
        visits::visit(len, 0, || indexes.all(same)).unwrap_or(false)
    }
}
