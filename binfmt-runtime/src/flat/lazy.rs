//! A table that is read when it is asked for, so that a table can hold one like itself.

use core::fmt;

use super::{FlatValue, Kept, Place, visits};
use crate::finding::{Error, Fault};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::ops::wide;
use crate::value::Value;

/// A value behind an offset, or one to be written; read when it is asked for.
///
/// `==` and `Debug` read all that it leads to, but no more than an input of that size has: where offsets
/// lead to the same tables again and again, a text ends with `..`, and values are not equal.
pub struct FbRef<'a, T> {
    source: Source<'a, T>,
}

enum Source<'a, T> {
    Stored(Kept<'a>),
    Item(&'a T),
}

impl<T> Clone for FbRef<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for FbRef<'_, T> {}

impl<T> Clone for Source<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Source<'_, T> {}

impl<'a, T> From<&'a T> for FbRef<'a, T> {
    fn from(item: &'a T) -> Self {
        Self { source: Source::Item(item) }
    }
}

impl<T> FbRef<'_, T> {
    /// How long the file is that the value was read from, up to the end of the buffer.
    fn file_len(&self) -> usize {
        match &self.source {
            Source::Stored(kept) => kept.file().len(),
            Source::Item(_) => 0,
        }
    }
}

impl<'a, T: FlatValue<'a>> FbRef<'a, T> {
    /// The absolute byte range of the value, of a table as far as it holds its fields itself; `None`
    /// for one to be written.
    pub fn range(&self) -> Option<core::ops::Range<u64>> {
        match self.source {
            Source::Stored(kept) => {
                Some(wide(kept.place().offset())..wide(T::extent(kept.place())))
            }
            Source::Item(_) => None,
        }
    }
}

impl<'a, T: FlatValue<'a> + Clone> FbRef<'a, T> {
    /// Reads the value.
    pub fn get(&self) -> Result<T, Error> {
        match self.source {
            Source::Stored(kept) => kept.place().read(),
            Source::Item(item) => Ok(item.clone()),
        }
    }
}

impl<'a, T: FlatValue<'a> + Clone> FbRef<'a, T> {
    /// The value, if it can be read, and how many bytes its texts have.
    fn counted(&self) -> (Option<T>, u64) {
        match self.source {
            Source::Stored(kept) => visits::counted(kept.place(), false),
            Source::Item(item) => (Some(item.clone()), 0),
        }
    }
}

#[cfg(feature = "alloc")]
impl<'a, T: FlatValue<'a>> FbRef<'a, T> {
    /// The file that the value was read from.
    pub(super) fn file(&self) -> Option<&'a [u8]> {
        match &self.source {
            Source::Stored(kept) => Some(kept.file()),
            Source::Item(_) => None,
        }
    }

    /// Does something with the value.
    pub(super) fn with<R>(&self, then: impl FnOnce(&T) -> Result<R, Error>) -> Result<R, Error> {
        match self.source {
            Source::Stored(kept) => then(&kept.place().read()?),
            Source::Item(item) => then(item),
        }
    }
}

impl<'a, T: FlatValue<'a>> FlatValue<'a> for FbRef<'a, T> {
    const ALIGN: usize = T::ALIGN;
    const OFFSET: bool = T::OFFSET;
    const SIZE: usize = T::SIZE;
    const FLAT: &'static Layout = T::FLAT;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn walk<O: Observer>(place: Place<'a>, obs: &mut O) -> Result<Self, Fault> {
        if obs.walks_items() && O::RECORD {
            let depth = obs.depth();
            // The reader of the value around it does not read it either.
            match place.walk::<T, O>(obs) {
                Err(fault) if obs.limits().is_spent() => return Err(fault),
                Err(_) => obs.unwind(depth, place.offset()),
                Ok(_) => {}
            }
        } else if obs.walks_items() {
            place.check::<T, O>(obs, None)?;
        }
        Ok(Self { source: Source::Stored(place.keep(1)) })
    }

    fn extent(place: Place<'a>) -> usize {
        T::extent(place)
    }

    fn absent() -> Option<Self> {
        None
    }

    fn value(&self) -> Value<'_> {
        Value::Group
    }
}

impl<'a, T: FlatValue<'a> + Clone + fmt::Debug> fmt::Debug for FbRef<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Source::Stored(kept) = self.source else { return self.get().fmt(f) };
        let (value, bytes) = visits::counted::<T>(kept.place(), false);
        // What cannot be read is read once more, to say why.
        let write = || match value {
            Some(value) => Ok::<_, Error>(value).fmt(f),
            None => self.get().fmt(f),
        };
        match visits::visit(kept.file().len(), bytes, write) {
            Some(written) => written,
            None => f.write_str(".."),
        }
    }
}

impl<'a, T: FlatValue<'a> + Clone + PartialEq> PartialEq for FbRef<'a, T> {
    fn eq(&self, other: &Self) -> bool {
        let ((a, bytes), (b, more)) = (self.counted(), other.counted());
        let len = self.file_len().saturating_add(other.file_len());
        if len == 0 {
            return a == b;
        }
        visits::visit(len, bytes.saturating_add(more), || a == b).unwrap_or(false)
    }
}
