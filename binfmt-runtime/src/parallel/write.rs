//! How a writer goes over the values of a table, and what it sets in the items.

use alloc::vec::Vec;

use crate::finding::{Fault, Show};
use crate::ops::wide;
use crate::place::Slot;
use crate::seq::Seq;
use crate::setter::{self, Target};
use crate::write::{self, convert};
use crate::writer::used::Parts;
use crate::writer::{Pattern, Region, Writer};
use crate::{Limits, Wire};

/// The items of a lazy table, for the writer to set copies of them.
pub fn of_seq<'a, T: Wire<'a> + Clone>(
    out: &mut Writer<'_>,
    name: &'static str,
    table: &Seq<'a, T>,
) -> Result<Vec<T>, Fault> {
    let mut items = Vec::new();
    for (item, index) in table.iter().zip(0..) {
        items.push(item.map_err(|error| {
            out.enter(name);
            out.enter_item(index);
            out.fail_to_read(&error)
        })?);
    }
    if T::MIN_SIZE == 0 {
        // Readers find the items once more.
        out.owe(Limits::empty_costs::<T>().saturating_mul(wide(items.len())));
    }
    Ok(items)
}

/// Keeps the place of the entries of a table, whose numbers are not all known yet, and `blank` until then.
/// It `looks` at what follows an entry if a reader does, to know whether it is the last one.
#[inline(never)]
pub fn reserve<'a, T: Wire<'a>>(
    out: &mut Writer<'_>,
    (entries, copy): (&[T], fn(&T) -> T),
    args: T::Args,
    looks: bool,
    blank: &mut dyn FnMut(&mut T),
) -> Result<Region, Fault> {
    let fixed = T::FIXED.then(|| entries.len().saturating_mul(T::MIN_SIZE));
    let looks = looks || fixed.is_none();
    out.reserve(fixed, looks, &mut |out| {
        let mut items: Vec<T> = entries.iter().map(copy).collect();
        items.iter_mut().for_each(&mut *blank);
        crate::seq::write_items(&items, out, args)
    })
}

/// Gives the numbers that it needs to an entry, which lies here, behind those that have theirs.
type Set<'s, T> = dyn FnMut(&mut Writer<'_>, &[T], u64, &mut T) -> Result<(), Fault> + 's;

/// Writes entries that have their numbers, and sees to it that a reader ends behind the last one.
type Write<'w, T> = dyn FnMut(&mut Writer<'_>, &[T]) -> Result<(), Fault> + 'w;

/// Writes the entries of a table with `write`, when `set` has given each its numbers; expressions use `held` of
/// those that the entries hold.
#[inline(never)]
pub fn write_over<'a, T: Wire<'a>>(
    out: &mut Writer<'_>,
    region: Region,
    (field, parts, held): (&'static str, Parts, Parts),
    (entries, copy): (&[T], fn(&T) -> T),
    args: T::Args,
    set: &mut Set<'_, T>,
    write: &mut Write<'_, T>,
) -> Result<(), Fault> {
    out.write_over(region, &mut |out| {
        let using = out.using(held);
        let mut items = Vec::with_capacity(entries.len());
        let (mut at, numbers) = (out.pos(), out.numbers());
        for (index, entry) in entries.iter().enumerate() {
            let mut item = copy(entry);
            out.within_item(Some(index));
            set(out, &items, at, &mut item)?;
            out.enter(field);
            out.enter_item(wide(index));
            at = at.saturating_add(len_at(out, at, &item, args)?);
            out.leave();
            out.leave();
            items.push(item);
        }
        out.within_item(None);
        out.used(using);
        out.go_to_number(numbers);
        out.enter(field);
        let using = out.using(parts);
        write(out, &items)?;
        out.used(using);
        out.leave();
        Ok(())
    })
}

/// How many bytes an entry has, for the places of those behind it: these are for errors alone. What lies inside the
/// entries is told apart by the numbers that they reserve, one behind the other.
fn len_at<'a, T: Wire<'a>>(
    out: &mut Writer<'_>,
    at: u64,
    item: &T,
    args: T::Args,
) -> Result<u64, Fault> {
    if T::FIXED || !out.is_located() {
        return Ok(wide(T::MIN_SIZE));
    }
    out.measured_at(at, &mut |out| item.emit(out, args))
}

/// Values of a field are a level of their own, whose walks take so much of the stack.
#[inline(never)]
pub fn descend(out: &mut Writer<'_>, stack: usize) -> Result<Limits, Fault> {
    out.descend(stack)
}

/// Back where the values of a field lie.
#[inline(never)]
pub fn ascend(out: &mut Writer<'_>, outer: Limits) {
    out.ascend(outer);
}

/// There must be as many values as the table has items; readers pay for each of them.
#[inline(never)]
pub fn same_count(
    out: &mut Writer<'_>,
    field: &'static str,
    entries: usize,
    values: usize,
) -> Result<(), Fault> {
    if entries == values {
        out.owe(wide(entries));
        return Ok(());
    }
    out.enter(field);
    Err(out.fail(
        "count",
        format_args!("there is not one value for each item of the table"),
        Show::Uint(wide(entries)),
        Show::Uint(wide(values)),
    ))
}

/// The slots of single values, and space for others.
#[inline(never)]
pub fn slots<'v>(first: &[Slot<'v>], others: usize) -> Vec<Slot<'v>> {
    let mut slots = Vec::with_capacity(first.len().saturating_add(others));
    slots.extend_from_slice(first);
    slots
}

/// Adds a slot for each of so many values, like this one if there is one; `one` tells the rest.
#[inline(never)]
pub fn add_slots<'v>(
    out: &mut Writer<'_>,
    slots: &mut Vec<Slot<'v>>,
    like: Option<&Slot<'v>>,
    count: usize,
    one: &mut dyn FnMut(&mut Writer<'_>, usize, &mut Slot<'v>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    for index in 0..count {
        let mut slot = like.copied().unwrap_or_default();
        one(out, index, &mut slot)?;
        slots.push(slot);
    }
    Ok(())
}

/// Where the entries begin that are added from now on to the list of what readers decide by bytes that
/// come later.
#[inline(never)]
pub fn open(out: &mut Writer<'_>) -> usize {
    out.open()
}

/// The value of an item begins.
#[inline(never)]
pub fn begin(out: &mut Writer<'_>, field: &'static str, item: u64) {
    out.enter(field);
    out.enter_item(item);
}

/// The value ends.
#[inline(never)]
pub fn end(out: &mut Writer<'_>) {
    out.leave();
    out.leave();
}

/// The region ends here.
#[inline(never)]
pub fn close(out: &mut Writer<'_>, mark: usize) {
    out.close(mark);
}

/// What readers of the value decide, they decide by what follows up to the end of the output.
#[inline(never)]
pub fn close_last(out: &mut Writer<'_>, mark: usize) {
    out.close_last(mark);
}

/// The number in an item that stands for what has been measured, which may be so far below 0.
#[inline(never)]
pub fn solve(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    (measured, lowest): (Option<u64>, u64),
    terms: (Option<u64>, &[Option<u64>], &[Option<u64>]),
) -> Result<i128, Fault> {
    write::solve_down_to(out, field, at, measured, (lowest, false), terms)
}

/// The same for a number that is taken off.
#[inline(never)]
pub fn solve_taken_off(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    (measured, lowest): (Option<u64>, u64),
    terms: (Option<u64>, &[Option<u64>], &[Option<u64>]),
) -> Result<i128, Fault> {
    write::solve_down_to(out, field, at, measured, (lowest, true), terms)
}

/// Sets a number of an item to what has been measured.
#[inline(never)]
pub fn put<T: Target>(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    place: &mut T,
    names: &[&'static str],
    measured: Option<u64>,
) -> Result<(), Fault> {
    let number = convert::<u64, _>(out, field, at, measured)?;
    tell(out, field, at, place, names, Some(number))
}

/// Sets a number of an item to what stands for what has been measured, or to what `set` says. One that is not there
/// tells nothing, which is looked at where it is used.
#[inline(never)]
pub fn tell<T: Target>(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    place: &mut T,
    names: &[&'static str],
    value: Option<impl Into<i128>>,
) -> Result<(), Fault> {
    setter::set(out, field, at, place, names, value)
}

/// A size that an item stores must be the real one.
#[inline(never)]
pub fn agree(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    word: &'static str,
    stored: Option<u64>,
    measured: Option<u64>,
) -> Result<(), Fault> {
    write::agree(out, field, at, word, (stored, measured))
}

/// A value that is there must not lie where it would be read as absent.
#[inline(never)]
pub fn not_null(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    offset: Option<u64>,
    null: u64,
) -> Result<(), Fault> {
    write::not_null(out, field, at, offset, null)
}

/// Writes the padding behind a value, up to an alignment.
#[inline(never)]
pub fn align_behind(
    out: &mut Writer<'_>,
    start: u64,
    (word, to): (&'static str, Option<u64>),
    fill: impl Pattern,
) -> Result<(), Fault> {
    let to = write::size(out, word, to)?;
    out.align(start, to, fill)
}

/// Space for the sizes of so many values.
pub fn sizes(count: usize) -> Vec<u64> {
    Vec::with_capacity(count)
}

/// A number for each of so many values, none of which is known yet.
pub fn zeros(count: usize) -> Vec<u64> {
    alloc::vec![0; count]
}

/// The index of a value whose slots begin at number `first`.
#[inline(always)]
pub fn index(id: usize, first: usize, count: usize) -> Option<usize> {
    id.checked_sub(first).filter(|index| *index < count)
}

/// Whether one of some values, whose slots begin at number `first`, lies where no number tells of it that is as `told`
/// says.
pub fn are_untold(slots: &[Slot<'_>], (first, count): (usize, usize), told: &Slot<'_>) -> bool {
    slots.iter().skip(first).take(count).any(|slot| slot.present && !told.tells_of(slot.at))
}
