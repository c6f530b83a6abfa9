//! Rules over all items of a field, for validators: items that are not in memory are walked once more.

mod keys;

use core::cmp::Ordering;

pub use self::keys::{DroppedKeys, KeptKeys, Key, Keys, compare};
use crate::budget::Limits;
use crate::finding::{Class, Error, Fault, Problem, Severity, Show};
use crate::layout::Layout;
use crate::observe::{Check, Observer};
use crate::ops::wide;
use crate::place;
use crate::seq::{Alike, FileItems, Follow, LinkedSeq, Part, Seq, Source, Until};
use crate::walk::Claim;
use crate::writer::Writer;
use crate::{Cursor, Int, Order, Wire};

/// Whose rule it is.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The declaration that the field is part of.
    pub layout: &'static Layout,
    /// Its index.
    pub field: usize,
    /// The stable code of the rule.
    pub code: &'static str,
    /// What is wrong where it is broken.
    pub text: &'static str,
    /// How much that weighs.
    pub severity: Severity,
}

/// The items of a field that has been read, and what each says of the next one.
pub type Run<'a, T, F = Alike> = Option<(Part<'a, T>, F)>;

/// A lazy sequence.
pub trait Sequence<'a> {
    /// What its items are.
    type Item: Wire<'a> + 'a;

    /// The items, where they lie in a file.
    fn run(&self) -> Run<'a, Self::Item, impl Follow<'a, Self::Item> + Copy>;

    /// The items, where they are in memory.
    fn held(&self) -> Option<&'a [Self::Item]>;

    /// The items, where they lie in a file.
    fn walked(&self) -> impl Iterator<Item = Result<Self::Item, Error>>;
}

impl<'a, T: Wire<'a>> Sequence<'a> for Seq<'a, T> {
    type Item = T;

    fn run(&self) -> Run<'a, T, impl Follow<'a, T> + Copy> {
        in_file(self.source).map(|part| (part, Alike))
    }

    fn held(&self) -> Option<&'a [T]> {
        in_memory(self.source)
    }

    fn walked(&self) -> impl Iterator<Item = Result<T, Error>> {
        in_file(self.source).into_iter().flat_map(FileItems::new)
    }
}

impl<'a, T: Wire<'a>> Sequence<'a> for LinkedSeq<'a, T> {
    type Item = T;

    fn run(&self) -> Run<'a, T, impl Follow<'a, T> + Copy> {
        in_file(self.source()).map(|part| (part, self.link()))
    }

    fn held(&self) -> Option<&'a [T]> {
        in_memory(self.source())
    }

    fn walked(&self) -> impl Iterator<Item = Result<T, Error>> {
        in_file(self.source()).into_iter().flat_map(|part| self.file_items(part))
    }
}

fn in_file<'a, T: Wire<'a>>(source: Source<'a, T>) -> Option<Part<'a, T>> {
    match source {
        Source::File(part) => Some(part),
        Source::Items(_) => None,
    }
}

fn in_memory<'a, T: Wire<'a>>(source: Source<'a, T>) -> Option<&'a [T]> {
    match source {
        Source::File(_) => None,
        Source::Items(items) => Some(items),
    }
}

/// The items of a lazy sequence.
pub fn of_seq<'a, S: Sequence<'a>>(seq: &S) -> Run<'a, S::Item, impl Follow<'a, S::Item> + Copy> {
    seq.run()
}

/// The same items, where each says what the next one is given.
pub fn linked<'a, T: Wire<'a>, F: Fn(&T, T::Args) -> Option<T::Args> + Copy>(
    run: Run<'a, T>,
    next: F,
) -> Run<'a, T, F> {
    run.map(|(part, _)| (part, next))
}

/// The items of a `Vec` or an array that has been read from `span`.
pub fn of_slice<'a, T: Wire<'a>>(
    items: &[T],
    cur: &Cursor<'a>,
    span: (usize, usize),
    args: T::Args,
) -> Run<'a, T> {
    let mut items_at = Cursor::within(cur.file(), span.0..span.1)?;
    (items_at.origin, items_at.order) = (cur.origin, cur.order);
    let until = Until::Count(wide(items.len()));
    Some((Part { cur: items_at, until, args, slack: false }, Alike))
}

/// The same items, where their range begins with a prefix.
pub fn behind_prefix<'a, P: Int, T: Wire<'a>>(run: Run<'a, T>, order: Order) -> Run<'a, T> {
    let mut run = run?;
    P::take(&mut run.0.cur, order)?;
    Some(run)
}

/// Calls `each` with every item, its index and its range, up to the first that cannot be read.
///
/// What that may cost is known beforehand but for located values inside the items; it is spent aside,
/// as nobody else looks at the items again. Values nest 64 deep, each of which may have such a rule over
/// all inside it, and eight bytes cost what one does elsewhere.
fn walk<'a, T: Wire<'a>, O: Observer>(
    obs: &mut O,
    place: Place,
    run: Run<'a, T, impl Follow<'a, T>>,
    each: impl FnMut(&mut O, T, u64, (usize, usize)),
) {
    let Some((part, follow)) = run else { return };
    let mut limits = obs.aside();
    if limits.spend(wide(part.cur.remaining()) >> 3).is_some() {
        limits = walk_within(obs, limits, part, &follow, each);
    }
    obs.set_aside(limits);
    if limits.left() == 0 {
        let claim = Claim::of(place.layout, place.field, (part.cur.pos(), part.cur.end()));
        place::looked_too_long(obs, claim, place.code);
    }
}

fn walk_within<'a, T: Wire<'a>, O: Observer>(
    obs: &mut O,
    limits: Limits,
    Part { mut cur, until, mut args, .. }: Part<'a, T>,
    follow: &impl Follow<'a, T>,
    mut each: impl FnMut(&mut O, T, u64, (usize, usize)),
) -> Limits {
    cur.fill = crate::Fill::Open;
    let mut check = Check::lenient(limits);
    let mut done = 0_u64;
    while !until.ends(done, cur.remaining()) {
        let start = cur.pos();
        let origin = cur.origin;
        let Ok(item) = check.nested::<T>(&mut cur, args) else { break };
        let stuck = cur.pos() == start
            && (matches!(until, Until::Remaining(_))
                || check.limits().spend_empty::<T>().is_none());
        if stuck {
            break;
        }
        cur.origin = origin;
        let next = follow.next(&item, args);
        each(obs, item, done, (start, cur.pos()));
        done = done.saturating_add(1);
        match next {
            Some(next) => args = next,
            None => break,
        }
    }
    obs.count(check.values());
    check.limits().unreported()
}

/// Tells of an item that breaks a rule.
fn report<O: Observer>(
    obs: &mut O,
    place: Place,
    (index, span): (u64, (usize, usize)),
    what: core::fmt::Arguments<'_>,
) {
    let depth = obs.depth();
    obs.reopen(place.layout, place.field);
    obs.reopen_item(index);
    obs.note(
        place.severity,
        &Problem {
            code: place.code,
            class: Class::Invalid,
            start: span.0,
            end: span.1,
            what,
            expected: Show::Nothing,
            found: Show::Nothing,
        },
    );
    obs.close(depth);
}

/// Tells of every item that comes before its neighbour in the order.
pub fn sorted<'a, T: Wire<'a>, O: Observer>(
    obs: &mut O,
    place: Place,
    run: Run<'a, T, impl Follow<'a, T>>,
    order: impl Fn(&T, &T) -> Ordering,
) {
    let mut last = None;
    walk(obs, place, run, |obs, item, index, span| {
        if last.as_ref().is_some_and(|last| order(last, &item).is_gt()) {
            report(obs, place, (index, span), format_args!("{}", place.text));
        }
        last = Some(item);
    });
}

/// The same of items in memory, which are walked only to say where such an item lies.
pub fn sorted_among<'a, T: Wire<'a>, O: Observer>(
    obs: &mut O,
    place: Place,
    items: &[T],
    run: Run<'a, T, impl Follow<'a, T>>,
    order: impl Fn(&T, &T) -> Ordering,
) {
    if first_unsorted(items, &order).is_some() {
        sorted(obs, place, run, order);
    }
}

/// Tells of every item that equals an earlier one; looks at nothing where there is no memory.
#[cfg(not(feature = "alloc"))]
pub fn unique<'a, T: Wire<'a>, O: Observer>(
    _: &mut O,
    _: Place,
    _: Run<'a, T, impl Follow<'a, T>>,
    _: impl Fn(&T, &T) -> Ordering,
) {
}

/// Tells of every item that equals an earlier one.
#[cfg(feature = "alloc")]
pub fn unique<'a, T: Wire<'a>, O: Observer>(
    obs: &mut O,
    place: Place,
    run: Run<'a, T, impl Follow<'a, T>>,
    order: impl Fn(&T, &T) -> Ordering,
) {
    let mut items = alloc::vec::Vec::new();
    walk(obs, place, run, |_, item, index, span| items.push((item, index, span)));
    // A stable sort leaves equal items in file order.
    items.sort_by(|a, b| order(&a.0, &b.0));
    let mut twins = alloc::vec::Vec::new();
    let mut first: Option<&(T, u64, (usize, usize))> = None;
    for entry in &items {
        match first {
            Some(first) if order(&first.0, &entry.0).is_eq() => {
                twins.push((entry.1, entry.2, first.1));
            }
            _ => first = Some(entry),
        }
    }
    twins.sort_unstable();
    for (index, span, first) in twins {
        report(obs, place, (index, span), format_args!("{}: {first} and {index}", place.text));
    }
}

/// The same of items in memory, which are walked only to say where such an item lies.
pub fn unique_among<'a, T: Wire<'a>, O: Observer>(
    obs: &mut O,
    place: Place,
    items: &[T],
    run: Run<'a, T, impl Follow<'a, T>>,
    order: impl Fn(&T, &T) -> Ordering,
) {
    if first_repeated(items, &order).is_some() {
        unique(obs, place, run, order);
    }
}

/// The first item of a slice that comes before its neighbour in the order.
pub fn first_unsorted<T>(items: &[T], order: impl Fn(&T, &T) -> Ordering) -> Option<u64> {
    let pairs = items.iter().zip(items.iter().skip(1));
    let mut pairs = pairs.zip(1_u64..);
    pairs.find(|((last, item), _)| order(last, item).is_gt()).map(|(_, index)| index)
}

/// The first item of a sequence that comes before its neighbour in the order.
pub fn first_unsorted_of<'a, S: Sequence<'a>>(
    seq: &S,
    order: impl Fn(&S::Item, &S::Item) -> Ordering,
) -> Option<u64> {
    if let Some(items) = seq.held() {
        return first_unsorted(items, order);
    }
    let mut last: Option<S::Item> = None;
    for (item, index) in seq.walked().map_while(Result::ok).zip(0_u64..) {
        if last.as_ref().is_some_and(|last| order(last, &item).is_gt()) {
            return Some(index);
        }
        last = Some(item);
    }
    None
}

/// The first item of a slice that equals an earlier one; looks at nothing where there is no memory.
#[cfg(not(feature = "alloc"))]
pub fn first_repeated<T>(_: &[T], _: impl Fn(&T, &T) -> Ordering) -> Option<u64> {
    None
}

/// The first item of a slice that equals an earlier one.
#[cfg(feature = "alloc")]
pub fn first_repeated<T>(items: &[T], order: impl Fn(&T, &T) -> Ordering) -> Option<u64> {
    let mut sorted: alloc::vec::Vec<(&T, u64)> = items.iter().zip(0_u64..).collect();
    // A stable sort leaves equal items in their order.
    sorted.sort_by(|a, b| order(a.0, b.0));
    let pairs = sorted.iter().zip(sorted.iter().skip(1));
    let equal = pairs.filter(|(a, b)| order(a.0, b.0).is_eq());
    equal.map(|(_, again)| again.1).min()
}

/// The first item of a sequence that equals an earlier one; looks at nothing where there is no memory.
#[cfg(not(feature = "alloc"))]
pub fn first_repeated_of<'a, S: Sequence<'a>>(
    _: &S,
    _: impl Fn(&S::Item, &S::Item) -> Ordering,
) -> Option<u64> {
    None
}

/// The first item of a sequence that equals an earlier one.
#[cfg(feature = "alloc")]
pub fn first_repeated_of<'a, S: Sequence<'a>>(
    seq: &S,
    order: impl Fn(&S::Item, &S::Item) -> Ordering,
) -> Option<u64> {
    if let Some(items) = seq.held() {
        return first_repeated(items, order);
    }
    let items: alloc::vec::Vec<S::Item> = seq.walked().map_while(Result::ok).collect();
    first_repeated(&items, order)
}

/// Items to be written are out of order, or equal one another.
#[cold]
pub fn unsorted(
    out: &mut Writer<'_>,
    (field, at): (&'static str, u64),
    index: u64,
    code: &'static str,
    text: &'static str,
) -> Fault {
    out.enter(field);
    out.enter_item(index);
    out.fail_at(at, code, format_args!("{text}"), Show::Nothing, Show::Nothing)
}
