//! Numbers of an item that the next one is given: as they are written, whatever the item holds.
//!
//! The writer of an item computes some of its numbers. What the next item is given of these is learned while
//! the item is written, by a writer that knows where it is, and the next pass knows it from the beginning.

use core::marker::PhantomData;

use super::Writer;
use super::used::{Parts, Using};
use crate::finding::{Fault, Show};

/// The parts of an item that the next one is given, and what makes a copy of an item with some of them
/// replaced: of the item and of what gives the bits of a number by its index among the parts.
///
/// `None` is an item that cannot be copied, or a part that cannot be replaced.
#[derive(Clone, Copy, Debug)]
pub struct Carry<F> {
    /// The parts of which a writer may compute some.
    pub parts: Parts,
    /// What makes the copy.
    pub copy: F,
}

/// The numbers of the item that is being written.
pub(crate) struct Link {
    using: Using,
    parts: Parts,
    /// The index of the first number, and what the numbers were.
    first: Option<usize>,
    before: [Option<u64>; MOST],
}

/// Numbers of an item that are written in place of those that it holds.
pub(crate) struct Learned {
    parts: Parts,
    numbers: [Option<u64>; MOST],
    /// The end of the item.
    at: u64,
}

/// So many parts of an item may be learned.
const MOST: usize = 8;

/// How an item is copied.
#[derive(Debug)]
pub struct Copier<T>(PhantomData<T>);

impl<T> Copier<T> {
    /// For every type.
    pub const NEW: Self = Self(PhantomData);
}

/// Its type is `Clone`.
pub trait ClonedItem<T> {
    /// A copy.
    fn copy(&self, item: &T) -> Option<T>;
}

impl<T: Clone> ClonedItem<T> for Copier<T> {
    fn copy(&self, item: &T) -> Option<T> {
        Some(item.clone())
    }
}

/// It is not.
pub trait AnyItem<T> {
    /// No copy.
    fn copy(&self, item: &T) -> Option<T>;
}

impl<T> AnyItem<T> for &Copier<T> {
    fn copy(&self, _: &T) -> Option<T> {
        None
    }
}

impl Writer<'_> {
    /// An item begins of which the next one is given these parts.
    #[inline(always)]
    pub(crate) fn begin_link(&mut self, parts: Parts) -> Link {
        let mut before = [None; MOST];
        let first = if parts.is_empty() { None } else { self.link_numbers(parts, &mut before) };
        Link { using: self.uses(parts, first), parts, first, before }
    }

    /// Reserves the numbers. A writer that knows where it is finds them anew.
    fn link_numbers(&mut self, parts: Parts, before: &mut [Option<u64>; MOST]) -> Option<usize> {
        let locates = self.is_located();
        // Without memory the few numbers are for those of variable length.
        let book = self.book.as_mut().filter(|_| cfg!(feature = "alloc"))?;
        if parts.len() > MOST {
            return None;
        }
        let first = book.reserve_numbers(parts.len())?;
        book.carries = true;
        for (before, index) in before.iter_mut().zip(first..).take(parts.len()) {
            // What the item holds may be why the next one fails.
            *before = book.guess(index);
            if locates {
                book.put(index, None);
            }
        }
        Some(first)
    }

    /// It ends; the numbers that are written in place of those that it holds, if there are any.
    #[inline(always)]
    pub(crate) fn end_link(&mut self, link: &Link) -> Option<Learned> {
        self.used(link.using);
        self.learned_by(link, link.first?)
    }

    fn learned_by(&mut self, link: &Link, first: usize) -> Option<Learned> {
        let measures = self.is_measuring();
        let book = self.book.as_mut()?;
        let mut numbers = [None; MOST];
        let known = numbers.iter_mut().zip(link.before);
        for ((number, before), index) in known.zip(first..).take(link.parts.len()) {
            *number = book.number(index);
            // Where an item is measured it may not lie in the end, and it is written again.
            if measures {
                book.put(index, before);
            }
        }
        if numbers != link.before && !measures {
            book.must_go_on();
        }
        let at = self.pos();
        (numbers != [None; MOST]).then_some(Learned { parts: link.parts, numbers, at })
    }

    /// A copy of an item with these numbers, for the one behind it.
    pub(crate) fn written_as<T>(
        &mut self,
        (item, index): (&T, u64),
        learned: &Learned,
        copy: impl FnOnce(&T, &dyn Fn(usize) -> Option<u64>) -> Option<T>,
    ) -> Result<T, Fault> {
        let number = |index| learned.numbers.get(index).copied().flatten();
        copy(item, &number).ok_or_else(|| self.not_carried(index, learned))
    }

    #[cold]
    fn not_carried(&mut self, index: u64, learned: &Learned) -> Fault {
        let known = learned.parts.iter().zip(learned.numbers);
        let mut known = known.filter_map(|(part, number)| Some((*part, number?)));
        let (part, number) = known.next().unwrap_or_default();
        self.enter_item(index);
        self.enter_names(part);
        self.used_otherwise(learned.at, Show::Uint(number), Show::Nothing)
    }
}
