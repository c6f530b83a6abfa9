//! What items are compared by.

use core::cmp::Ordering;

use crate::Auto;

/// What items can be compared by.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no order, so items cannot be compared by it",
    label = "needs `Ord`",
    note = "derive `Ord`, if the type is yours, or compare items by a field or a method that has an order: `unique = name`, `sorted_by = key()`"
)]
pub trait Key: Ord {}

impl<T: Ord + ?Sized> Key for T {}

/// The order of two items.
#[inline(always)]
pub fn compare<K: Key + ?Sized>(a: &K, b: &K) -> Ordering {
    a.cmp(b)
}

/// A part of two items.
#[derive(Debug)]
pub struct Keys<'k, K: ?Sized>(pub &'k K, pub &'k K);

/// A number that the item does not hold, also one that may be absent.
pub trait Dropped {}

impl<T> Dropped for Auto<T> {}

impl<T> Dropped for Option<Auto<T>> {}

/// What the item holds: such a number is no key, for all of them are equal.
#[diagnostic::on_unimplemented(
    message = "items cannot be compared by an `Auto`, which is not in the struct",
    label = "is computed by the writer, and dropped by the reader",
    note = "keep the number in the item: `#[bin(calc = tag(body))] kind: u8` in place of `kind: Auto<u8>`; or compare by a method that gives it: `unique = kind_of_body()`"
)]
pub trait Kept {}

/// A part that the item does not hold.
pub trait DroppedKeys<D> {
    /// No order.
    fn order(&self) -> Ordering
    where
        D: Kept;
}

impl<D: Dropped> DroppedKeys<D> for Keys<'_, D> {
    fn order(&self) -> Ordering
    where
        D: Kept,
    {
        Ordering::Equal
    }
}

/// Any other part.
pub trait KeptKeys<K: ?Sized> {
    /// The order of the two.
    fn order(&self) -> Ordering
    where
        K: Key;
}

impl<K: ?Sized> KeptKeys<K> for &Keys<'_, K> {
    #[inline(always)]
    fn order(&self) -> Ordering
    where
        K: Key,
    {
        compare(self.0, self.1)
    }
}
