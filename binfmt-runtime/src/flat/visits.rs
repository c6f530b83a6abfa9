//! How many tables `==` and `Debug` visit: values that were read lead to others, which can be the same
//! again and again.
//!
//! No argument reaches a table through the `==` of the struct around it, so what may be visited is kept
//! beside the thread. Without `std` there is no such place, and only the depth of tables is limited.

use super::{FlatValue, Flaw, Place};
use crate::budget::Limits;
use crate::finding::{Fault, Problem};
use crate::observe::Observer;
use crate::{Cursor, Wire};

#[cfg(feature = "std")]
std::thread_local! {
    /// What the comparison or text that is being made may still visit.
    static LEFT: core::cell::Cell<Option<u64>> = const { core::cell::Cell::new(None) };
}

/// Ends the count when the outermost look ends, also in a panic.
#[cfg(feature = "std")]
struct Outermost;

#[cfg(feature = "std")]
impl Drop for Outermost {
    fn drop(&mut self) {
        LEFT.set(None);
    }
}

/// Looks at something in a file of `len` bytes that costs as much as a table, and `more` bytes in it;
/// `None` if the look that this is a part of has cost more than the input allows.
#[cfg(feature = "std")]
pub(super) fn visit<R>(len: usize, more: u64, look: impl FnOnce() -> R) -> Option<R> {
    let (left, outermost) = match LEFT.get() {
        Some(left) => (left, None),
        None => (Limits::for_input(len).left(), Some(Outermost)),
    };
    // As in a walk: no table is shorter than 8 bytes, and long texts are passed in great steps.
    let left = left.checked_sub((more >> 4).saturating_add(8));
    LEFT.set(Some(left.unwrap_or(0)));
    let seen = left.map(|_| look());
    drop(outermost);
    seen
}

/// Looks at something in a file.
#[cfg(not(feature = "std"))]
pub(super) fn visit<R>(_: usize, _: u64, look: impl FnOnce() -> R) -> Option<R> {
    Some(look())
}

/// Reads a value, or the item of a vector, and counts the bytes of its texts; `None` if it cannot be
/// read.
pub(super) fn counted<'a, T: FlatValue<'a>>(place: Place<'a>, is_item: bool) -> (Option<T>, u64) {
    let target: Result<Place<'a>, Flaw> = if is_item { place.item::<T>() } else { Ok(place) };
    let mut reader = Counting { limits: Limits::for_input(place.buf.file.len()), bytes: 0 };
    let value = target.ok().and_then(|target| T::walk(target, &mut reader).ok());
    (value, reader.bytes)
}

/// A reader that counts the bytes of texts.
struct Counting {
    limits: Limits,
    bytes: u64,
}

impl Observer for Counting {
    const RECORD: bool = false;

    fn walks_items(&self) -> bool {
        false
    }

    fn nested<'a, T: Wire<'a>>(&mut self, cur: &mut Cursor<'a>, args: T::Args) -> Result<T, Fault> {
        T::walk(cur, self, args)
    }

    fn fail(&mut self, problem: &Problem<'_>) -> Fault {
        Fault::at(problem.start)
    }

    fn broken(&mut self, problem: &Problem<'_>) -> Result<(), Fault> {
        Err(Fault::at(problem.start))
    }

    fn limits(&mut self) -> &mut Limits {
        &mut self.limits
    }

    fn passes(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(crate::ops::wide(bytes));
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::visit;

    /// A look that looks twice on every level.
    fn doubles(depth: u32, seen: &mut u64) -> bool {
        *seen += 1;
        depth == 0 || (0..2).all(|_| visit(80, 0, || doubles(depth - 1, seen)).unwrap_or(false))
    }

    #[test]
    fn what_doubles_on_every_level_ends_with_the_budget_of_the_outermost_look() {
        for _ in 0..2 {
            let mut seen = 0;
            assert_eq!(visit(80, 0, || doubles(40, &mut seen)), Some(false));
            assert_eq!(seen, (80 * 8 + 64) / 8);
        }
        let mut seen = 0;
        assert_eq!(visit(80, 0, || doubles(4, &mut seen)), Some(true));
    }

    #[test]
    fn a_panic_ends_the_look() {
        let panicked = std::panic::catch_unwind(|| visit(0, 0, || panic!("a panic of the test")));
        assert!(panicked.is_err());
        assert_eq!((0..100).filter(|_| visit(0, 0, || ()).is_some()).count(), 100);
    }
}
