//! Tables that lie in other values: in a nested one, or in every item of a list.

use alloc::vec::Vec;

use super::Entries;
use crate::budget::Limits;
use crate::finding::Error;
use crate::ops::wide;

/// A table inside another value, whose items the writer can set.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no table whose items can be set",
    label = "needs a `Vec` or an array",
    note = "a table inside another value is a `Vec<T>` or an array: the writer sets numbers in its items"
)]
pub trait InnerTable {
    /// What the table consists of.
    type Item: Clone;

    /// The items.
    fn items(&self) -> &[Self::Item];

    /// The items, to be set.
    fn items_mut(&mut self) -> &mut [Self::Item];
}

impl<T: Clone> InnerTable for Vec<T> {
    type Item = T;

    fn items(&self) -> &[T] {
        self
    }

    fn items_mut(&mut self) -> &mut [T] {
        self
    }
}

impl<T: Clone, const N: usize> InnerTable for [T; N] {
    type Item = T;

    fn items(&self) -> &[T] {
        self
    }

    fn items_mut(&mut self) -> &mut [T] {
        self
    }
}

impl<I: InnerTable> InnerTable for Option<I> {
    type Item = I::Item;

    fn items(&self) -> &[I::Item] {
        self.as_ref().map_or(&[], I::items)
    }

    fn items_mut(&mut self) -> &mut [I::Item] {
        self.as_mut().map_or(&mut [], I::items_mut)
    }
}

/// What field the tables lie in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// A nested value.
    One,
    /// A list of values.
    Items,
    /// It is the table itself, which may be absent.
    Table,
}

/// An item of a table inside another value.
#[derive(Debug)]
pub struct Inner<'v, G, T> {
    /// What holds the table.
    pub group: &'v G,
    /// The index of the item in its table.
    pub index: u64,
    /// The item.
    pub value: T,
}

impl<G, T: Clone> Clone for Inner<'_, G, T> {
    fn clone(&self) -> Self {
        Self { group: self.group, index: self.index, value: self.value.clone() }
    }
}

/// The items of the tables in some values, one after the other.
#[derive(Debug)]
pub struct Inside<'v, G, F> {
    groups: &'v [G],
    holder: Holder,
    items: F,
    group: usize,
    index: usize,
}

impl<'v, G, F> Inside<'v, G, F> {
    /// The items of the tables that `items` finds.
    pub fn of<T>(groups: &'v [G], holder: Holder, items: F) -> Self
    where
        F: Fn(&'v G) -> &'v [T],
        T: 'v,
    {
        Self { groups, holder, items, group: 0, index: 0 }
    }
}

impl<'v, G, T: Clone + 'v, F: Fn(&'v G) -> &'v [T]> Inside<'v, G, F> {
    fn next_inner(&mut self) -> Option<Inner<'v, G, T>> {
        loop {
            let group = self.groups.get(self.group)?;
            if let Some(value) = (self.items)(group).get(self.index) {
                let index = wide(self.index);
                self.index = self.index.saturating_add(1);
                return Some(Inner { group, index, value: value.clone() });
            }
            (self.group, self.index) = (self.group.saturating_add(1), 0);
        }
    }
}

impl<'v, G, T: Clone + 'v, F: Fn(&'v G) -> &'v [T]> Entries for Inside<'v, G, F> {
    type Entry = Inner<'v, G, T>;

    fn offset(&self) -> Option<u64> {
        None
    }

    fn next_entry(&mut self, _: &mut Limits) -> Option<Result<Self::Entry, Error>> {
        self.next_inner().map(Ok)
    }

    fn told_by(&self, _: u64) -> (Option<u64>, Option<u64>) {
        let index = Some(wide(self.index.saturating_sub(1)));
        match self.holder {
            Holder::One => (None, index),
            Holder::Items => (Some(wide(self.group)), index),
            Holder::Table => (index, None),
        }
    }
}

/// All items of the tables in some values.
pub fn inside<'v, G, T: Clone + 'v>(
    groups: &'v [G],
    items: impl Fn(&'v G) -> &'v [T],
) -> Vec<Inner<'v, G, T>> {
    let mut inside = Inside::of(groups, Holder::One, items);
    core::iter::from_fn(|| inside.next_inner()).collect()
}

/// Puts items back into the tables that they come from.
pub fn put_back<G, T>(
    groups: &mut [G],
    items: impl Fn(&mut G) -> &mut [T],
    set: Vec<Inner<'_, G, T>>,
) {
    let mut set = set.into_iter();
    for group in groups {
        for (item, inner) in items(group).iter_mut().zip(&mut set) {
            *item = inner.value;
        }
    }
}
