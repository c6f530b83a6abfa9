//! Sequences that lie parallel to the items of a table: `for_each`.

use alloc::vec::Vec;

use crate::budget::Limits;
use crate::finding::{Error, Fault, Problem, Show};
use crate::observe::Observer;
use crate::place::{self, Lies, Placement, Slot, Visited};
use crate::seq::{Items, Seq};
use crate::walk::Claim;
use crate::writer::used::Parts;
use crate::writer::{Region, Writer};
use crate::{Layout, Wire};

mod inside;
mod number;
mod sums;

pub use inside::{Holder, Inner, InnerTable, Inside, inside, put_back};
pub use number::{Number, compare};
pub use sums::{keeper, put_sum, slot_places, stored, sums, verify, written_places};

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

    /// The item of the field that holds the one at `index`, which has just been given: itself, unless
    /// it lies in a table inside that; then also its number there.
    fn told_by(&self, index: u64) -> (Option<u64>, Option<u64>) {
        (Some(index), None)
    }
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

/// The items of a table in memory.
#[derive(Debug)]
pub struct Cloned<'v, T>(core::slice::Iter<'v, T>);

impl<'v, T> Cloned<'v, T> {
    /// The items of a `Vec` or an array.
    pub fn of(entries: &'v [T]) -> Self {
        Self(entries.iter())
    }
}

impl<T: Clone> Entries for Cloned<'_, T> {
    type Entry = T;

    fn offset(&self) -> Option<u64> {
        None
    }

    fn next_entry(&mut self, _: &mut Limits) -> Option<Result<T, Error>> {
        self.0.next().cloned().map(Ok)
    }
}

/// The item of a table that tells where something lies.
#[derive(Debug)]
pub struct Entry<T> {
    /// Its index.
    pub index: u64,
    /// The item.
    pub value: T,
    span: (usize, usize),
    /// Whether the bytes are those of the item alone, and not of all its table.
    exact: bool,
    /// The item of the field that it is, or lies in, and its number in a table inside that.
    told_by: (Option<u64>, Option<u64>),
    depth: usize,
}

impl<T> Entry<T> {
    /// A claim that the item makes; `table` is the field that it is part of.
    pub fn claim(&self, layout: &'static Layout, table: usize) -> Claim {
        Claim { layout, field: table, item: Some((self.told_by.0, self.depth)), span: self.span }
    }
}

/// Reads one value for every item of a table.
///
/// A validator goes on behind a value that cannot be read, where values lie `apart`; the sequence as
/// a whole then fails. Where they do not, the caller says where the sequence ends.
pub fn read<O: Observer, R: Entries, T>(
    obs: &mut O,
    mut entries: R,
    table: (usize, usize),
    (layout, field, at, apart): (&'static Layout, usize, usize, bool),
    mut one: impl FnMut(&mut O, &Entry<R::Entry>) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let depth = obs.depth();
    obs.enter(layout, field, at);
    let mut list = Vec::new();
    let mut failed = None;
    let mut index = 0_u64;
    loop {
        let from = entries.offset();
        let Some(entry) = entries.next_entry(obs.limits()) else { break };
        // A value that takes nothing is still one for each item, however often the table is read.
        if obs.limits().spend(1).is_none() || (entry.is_err() && obs.limits().left() == 0) {
            return Err(place::spent(obs, (at, at), Visited::Item(index)));
        }
        let value = entry.map_err(|error| broken(obs, &error))?;
        let (span, exact) = span(from, entries.offset(), table);
        let told_by = entries.told_by(index);
        let entry = Entry { index, value, span, exact, told_by, depth };
        let open = obs.depth();
        match one(obs, &entry) {
            Ok(value) => list.push(value),
            Err(fault) if apart && O::RECORD && obs.walks_items() && !obs.limits().is_spent() => {
                obs.unwind(open, at);
                failed = Some(fault);
            }
            Err(fault) => return Err(fault),
        }
        index = index.saturating_add(1);
    }
    if O::RECORD && apart {
        obs.leave(at, &crate::Value::Items(Some(index)));
    }
    failed.map_or(Ok(list), Err)
}

/// The places of single values, to which others are added.
pub fn starts(single: &[u64]) -> Vec<u64> {
    single.to_vec()
}

/// Adds where the values of all items begin, as far as these can be read; who reads them for their values
/// says what is wrong with the others.
pub fn add_starts<O: Observer, R: Entries>(
    obs: &mut O,
    starts: &mut Vec<u64>,
    mut entries: R,
    mut start: impl FnMut(&Entry<R::Entry>) -> u64,
) {
    let mut index = 0_u64;
    while let Some(Ok(value)) = entries.next_entry(obs.limits()) {
        if obs.limits().spend(1).is_none() {
            break;
        }
        starts.push(start(&Entry {
            index,
            value,
            span: (0, 0),
            exact: false,
            told_by: (None, None),
            depth: 0,
        }));
        index = index.saturating_add(1);
    }
}

/// Where the values of a field lie, while recording.
pub fn places() -> Vec<Lies> {
    Vec::new()
}

/// The places of single fields, to which others are added.
pub fn placements(single: &[Placement]) -> Vec<Placement> {
    single.to_vec()
}

/// Adds the places of all values of a field.
pub fn add_placements(
    placements: &mut Vec<Placement>,
    field: usize,
    places: &[Lies],
    shared: bool,
) {
    let values = places.iter().zip(0_u64..);
    placements.extend(values.map(|(lies, item)| Placement::of_item(field, item, *lies, shared)));
}

/// A number of an item speaks of a value that is not there.
pub fn of_absent<O: Observer, R>(obs: &mut O, entry: &Entry<R>, expected: u64, found: Option<u64>) {
    let depth = obs.depth();
    obs.reopen_item(entry.index);
    crate::walk::of_absent(obs, entry.span, expected, found);
    obs.close(depth);
}

/// The bytes of an item where they are known, else those of the table.
fn span(from: Option<u64>, to: Option<u64>, table: (usize, usize)) -> ((usize, usize), bool) {
    let place = |offset: Option<u64>| offset.and_then(|offset| usize::try_from(offset).ok());
    place(from).zip(place(to)).map_or((table, false), |own| (own, true))
}

/// An item of the table cannot be read; a validator has said so already.
#[cold]
fn broken<O: Observer>(obs: &mut O, error: &Error) -> Fault {
    let finding = error.finding();
    let place = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
    let (start, end) = (place(finding.start), place(finding.end));
    if obs.walks_items() {
        return Fault::at(start);
    }
    obs.fail(&Problem {
        code: finding.code,
        class: finding.class,
        start,
        end,
        what: format_args!("an item cannot be read: {}", finding.message),
        expected: Show::Nothing,
        found: Show::Nothing,
    })
}

/// The items of a lazy table, for the writer to set copies of them.
pub fn of_seq<'a, T: Wire<'a> + Clone>(
    out: &mut Writer<'_>,
    table: &Seq<'a, T>,
) -> Result<Vec<T>, Fault> {
    let items = table.iter().collect::<Result<Vec<T>, Error>>();
    items.map_err(|error| crate::seq::broken_item(out, &error))
}

/// Keeps the place of the entries of a table, whose numbers are not all known yet.
pub fn reserve<'a, T: Wire<'a>>(
    out: &mut Writer<'_>,
    entries: &[T],
    args: T::Args,
) -> Result<Region, Fault> {
    let fixed = T::FIXED.then(|| entries.len().saturating_mul(T::MIN_SIZE));
    out.reserve(fixed, fixed.is_none(), &mut |out| crate::seq::write_items(entries, out, args))
}

/// Writes the entries of a table, each with the numbers that `set` gives it.
pub fn write_over<'a, T: Wire<'a> + Clone>(
    out: &mut Writer<'_>,
    region: Region,
    (field, parts): (&'static str, Parts),
    entries: &[T],
    args: T::Args,
    set: &mut dyn FnMut(&mut Writer<'_>, usize, &mut T) -> Result<(), Fault>,
) -> Result<(), Fault> {
    out.write_over(region, &mut |out| {
        for (index, entry) in entries.iter().enumerate() {
            let mut entry = entry.clone();
            set(out, index, &mut entry)?;
            out.enter(field);
            out.enter_item(crate::ops::wide(index));
            let using = out.using(parts);
            entry.emit(out, args)?;
            out.used(using);
            out.leave();
            out.leave();
        }
        Ok(())
    })
}

/// There must be as many values as the table has items.
pub fn same_count(
    out: &mut Writer<'_>,
    field: &'static str,
    entries: usize,
    values: usize,
) -> Result<(), Fault> {
    if entries == values {
        return Ok(());
    }
    out.enter(field);
    Err(out.fail(
        "count",
        format_args!("there is not one value for each item of the table"),
        Show::Uint(crate::ops::wide(entries)),
        Show::Uint(crate::ops::wide(values)),
    ))
}

/// The slots of single values, and space for others.
pub fn slots<'v>(first: &[Slot<'v>], others: usize) -> Vec<Slot<'v>> {
    let mut slots = Vec::with_capacity(first.len().saturating_add(others));
    slots.extend_from_slice(first);
    slots
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
