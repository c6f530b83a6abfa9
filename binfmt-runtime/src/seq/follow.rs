//! What the items of a sequence are given: all the same, or what follows from the item before.

use crate::Wire;

/// Makes the arguments of an item out of the item before it and the arguments of that.
pub trait Follow<'a, T: Wire<'a>> {
    /// Whether items depend on those before them.
    const LINKED: bool;

    /// The arguments of the item behind `item`; `None` where they cannot be computed.
    fn next(&self, item: &T, args: T::Args) -> Option<T::Args>;
}

/// All items are given the same.
#[derive(Clone, Copy, Debug)]
pub struct Alike;

impl<'a, T: Wire<'a>> Follow<'a, T> for Alike {
    const LINKED: bool = false;

    #[inline(always)]
    fn next(&self, _: &T, args: T::Args) -> Option<T::Args> {
        Some(args)
    }
}

impl<'a, T: Wire<'a>, F: Fn(&T, T::Args) -> Option<T::Args>> Follow<'a, T> for F {
    const LINKED: bool = true;

    #[inline(always)]
    fn next(&self, item: &T, args: T::Args) -> Option<T::Args> {
        self(item, args)
    }
}
