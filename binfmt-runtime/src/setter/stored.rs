//! Numbers that are set, as a validator finds them.

use super::{Settable, Target, signed_as};

/// What is stored where a number is set, for a validator.
#[derive(Debug)]
pub struct Stored<'v, T>(pub &'v T);

/// It is a number that can be set.
pub trait NumberStored {
    /// The number; where it may be absent and is, what it would be.
    fn number(&self, computed: Option<i128>) -> Option<i128>;

    /// A tag as such a number: those of enums may be below 0.
    fn as_tag(&self, tag: Option<u64>) -> Option<i128>;
}

impl<T: Target> NumberStored for Stored<'_, T>
where
    <T::Number as Settable>::Wide: Into<i128>,
{
    #[inline(always)]
    fn number(&self, computed: Option<i128>) -> Option<i128> {
        self.0.told().map_or(computed, |number| Some(number.in_wide().into()))
    }

    fn as_tag(&self, tag: Option<u64>) -> Option<i128> {
        tag.map(|tag| signed_as(self.0, tag))
    }
}

/// It is none, which the compiler says once, of the writer.
pub trait AnyStored {
    /// No number.
    fn number(&self, computed: Option<i128>) -> Option<i128>;

    /// None either.
    fn as_tag(&self, tag: Option<u64>) -> Option<i128>;
}

impl<T> AnyStored for &Stored<'_, T> {
    #[inline(always)]
    fn number(&self, _: Option<i128>) -> Option<i128> {
        None
    }

    fn as_tag(&self, _: Option<u64>) -> Option<i128> {
        None
    }
}
