//! The items of a table, wherever it lies.

use crate::Wire;
use crate::budget::Limits;
use crate::finding::Error;
use crate::seq::Items;

/// The items of a table, one after the other.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no table",
    note = "`for_each` names a field of type `Seq`, `Vec` or an array"
)]
pub trait Entries {
    /// What the table consists of.
    type Entry;

    /// The absolute offset of the next item, if the items lie in a file.
    fn offset(&self) -> Option<u64>;

    /// The next item, read within what a walk may spend.
    fn next_entry(&mut self, limits: &mut Limits) -> Option<Result<Self::Entry, Error>>;

    /// How many items are left, if the bytes of the table end with the last of them.
    fn left(&self) -> Option<usize> {
        None
    }

    /// The item of the field that holds the one at `index`, which has just been given: itself, unless
    /// it lies in a table inside that; then also its number there.
    fn told_by(&self, index: u64) -> (Option<u64>, Option<u64>) {
        (Some(index), None)
    }
}

/// Items of which one may be kept beside the next.
pub trait CopiedEntries: Entries {
    /// The same item once more.
    fn copy_of(&self, entry: &Self::Entry) -> Self::Entry;
}

impl<'a, T: Wire<'a> + Clone> Entries for Items<'a, T> {
    type Entry = T;

    fn offset(&self) -> Option<u64> {
        self.offset()
    }

    fn next_entry(&mut self, limits: &mut Limits) -> Option<Result<T, Error>> {
        self.limits = limits.beside(limits.left());
        let entry = self.next();
        *limits = limits.after(&self.limits);
        entry
    }
}

impl<'a, T: Wire<'a> + Clone> CopiedEntries for Items<'a, T> {
    fn copy_of(&self, entry: &T) -> T {
        entry.clone()
    }
}

/// An item of a table, and the one in front of it.
#[derive(Debug)]
pub struct Following<T> {
    /// The item.
    pub value: T,
    /// The one in front of it, if it is not the first.
    pub before: Option<T>,
}

/// The items of a table, each with the one in front of it.
#[derive(Debug)]
pub struct WithBefore<R: Entries> {
    entries: R,
    before: Option<R::Entry>,
}

impl<R: CopiedEntries> WithBefore<R> {
    /// The same items, of which none has been given yet.
    pub fn of(entries: R) -> Self {
        Self { entries, before: None }
    }
}

impl<R: CopiedEntries> Entries for WithBefore<R> {
    type Entry = Following<R::Entry>;

    fn offset(&self) -> Option<u64> {
        self.entries.offset()
    }

    fn next_entry(&mut self, limits: &mut Limits) -> Option<Result<Self::Entry, Error>> {
        let entry = self.entries.next_entry(limits)?;
        Some(entry.map(|value| {
            let before = self.before.replace(self.entries.copy_of(&value));
            Following { value, before }
        }))
    }

    fn left(&self) -> Option<usize> {
        self.entries.left()
    }

    fn told_by(&self, index: u64) -> (Option<u64>, Option<u64>) {
        self.entries.told_by(index)
    }
}

/// An item of a table.
#[diagnostic::on_unimplemented(
    message = "`for_each` copies the items of a table to set their numbers, and `{Self}` is no `Clone`",
    label = "has items that cannot be copied",
    note = "derive `Clone` on `{Self}`"
)]
pub trait TableItem: Clone {}

#[diagnostic::do_not_recommend]
impl<T: Clone> TableItem for T {}

/// Copies the items of a table. Readers and writers ask for it in one place of the declaration, so that items
/// that cannot be copied are told of once.
pub fn copier<T: TableItem>(_: &[T]) -> fn(&T) -> T {
    T::clone
}

/// The items of a table in memory, and what copies them.
#[derive(Debug)]
pub struct Cloned<'v, T>(core::slice::Iter<'v, T>, fn(&T) -> T);

impl<'v, T> Cloned<'v, T> {
    /// The items of a `Vec` or an array.
    pub fn of(entries: &'v [T], copy: fn(&T) -> T) -> Self {
        Self(entries.iter(), copy)
    }
}

impl<T> Entries for Cloned<'_, T> {
    type Entry = T;

    fn offset(&self) -> Option<u64> {
        None
    }

    fn left(&self) -> Option<usize> {
        Some(self.0.len())
    }

    fn next_entry(&mut self, _: &mut Limits) -> Option<Result<T, Error>> {
        self.0.next().map(|entry| Ok((self.1)(entry)))
    }
}

impl<T> CopiedEntries for Cloned<'_, T> {
    fn copy_of(&self, entry: &T) -> T {
        (self.1)(entry)
    }
}
