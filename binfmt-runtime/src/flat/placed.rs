//! A value of a table together with its place.

use core::fmt;
use core::ops::{Deref, Range};

use super::{FlatValue, Place};
use crate::finding::{Class, Error, Fault, Finding, Problem, Severity, Show};
use crate::int::{Int, Order};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::ops::{to_len, wide};
use crate::text::Text;
use crate::value::Value;
use crate::writer::Writer;

/// A value and where it was read, for rules that speak of it later.
///
/// Two of them are equal when their values are.
#[derive(Clone, Copy, Debug)]
pub struct Placed<T> {
    value: T,
    start: u64,
    end: u64,
}

impl<T> Placed<T> {
    /// The absolute byte range of the value; empty for one that is not stored.
    pub fn range(&self) -> Range<u64> {
        self.start..self.end
    }
}

impl<T: Int> Placed<T> {
    /// Writes another number over this one, in the file that it was read from or a copy of it.
    ///
    /// Only a number that is stored has bytes of its own: one that is absent is an error, and so is a
    /// file that is too short for it.
    ///
    /// ```
    /// use binfmt_runtime::{BinFormat, FlatBuffer, Placed};
    ///
    /// #[derive(BinFormat)]
    /// #[bin(flatbuffer)]
    /// struct Point {
    ///     #[bin(slot = 0)]
    ///     x: Placed<i32>,
    ///     #[bin(slot = 1)]
    ///     y: Placed<i32>,
    /// }
    ///
    /// let mut file = [12, 0, 0, 0, 6, 0, 8, 0, 4, 0, 0, 0, 8, 0, 0, 0, 40, 0, 0, 0];
    /// let copy = file;
    /// let point = FlatBuffer::<Point>::parse(&copy)?.root()?;
    /// point.x.patch(&mut file, -1)?;
    /// assert_eq!(file[16..], [0xff; 4]);
    /// assert_eq!(point.y.patch(&mut file, 1).unwrap_err().finding().code, "absent");
    /// # Ok::<(), binfmt_runtime::Error>(())
    /// ```
    pub fn patch(&self, file: &mut [u8], value: T) -> Result<(), Error> {
        let (start, end) = (to_len(self.start), to_len(self.end));
        if start == end {
            let what = format_args!("the table does not store the number; build the table anew");
            return Err(refuse("absent", (start, end), what));
        }
        let space = file.get_mut(start..end).unwrap_or_default();
        value.put(&mut Writer::new(space), Order::Little).map_err(|_| {
            let what = format_args!("the file is not the one that the number was read from");
            refuse("end", (start, end), what)
        })
    }
}

#[cold]
fn refuse(code: &'static str, (start, end): (usize, usize), what: fmt::Arguments<'_>) -> Error {
    let (expected, found) = (Show::Nothing, Show::Nothing);
    let problem = Problem { code, class: Class::Invalid, start, end, what, expected, found };
    Error::new(Finding::new(Severity::Error, Text::default(), None, &problem))
}

impl<T> From<T> for Placed<T> {
    fn from(value: T) -> Self {
        Self { value, start: 0, end: 0 }
    }
}

impl<T> Deref for Placed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: PartialEq> PartialEq for Placed<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<'a, T: FlatValue<'a>> FlatValue<'a> for Placed<T> {
    const ALIGN: usize = T::ALIGN;
    const HAS_DEFAULT: bool = T::HAS_DEFAULT;
    const OFFSET: bool = T::OFFSET;
    const PLAIN: bool = T::PLAIN;
    const SIZE: usize = T::SIZE;
    const FLAT: &'static Layout = T::FLAT;

    #[inline(always)]
    fn walk<O: Observer>(place: Place<'a>, obs: &mut O) -> Result<Self, Fault> {
        let value = T::walk(place, obs)?;
        let end = wide(value.end(place));
        Ok(Self { value, start: wide(place.offset()), end })
    }

    fn extent(place: Place<'a>) -> usize {
        T::extent(place)
    }

    fn absent() -> Option<Self> {
        T::absent().map(Self::from)
    }

    fn value(&self) -> Value<'_> {
        self.value.value()
    }
}
