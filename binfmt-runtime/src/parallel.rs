//! Sequences that lie parallel to the items of a table: `for_each`.

use alloc::vec::Vec;

use crate::finding::{Error, Fault, Problem, Show};
use crate::observe::{Check, Observer};
use crate::place::{self, Placement, Slot, Visited};
use crate::seq;
use crate::walk::Claim;
use crate::{Cursor, Layout, Wire};

mod entries;
mod inside;
mod number;
mod sums;
mod value;
mod write;

pub use entries::{Cloned, Entries, TableItem, WithBefore, copier};
pub use inside::{Holder, Inner, InnerTable, Inside, inside, put_back};
pub use number::{Names, compare, compare_bits};
pub use sums::{keeper, put_sum, slot_sums, stored, sums, verify, written_places};
pub use value::{
    Base, Behind, Values, absent, align, bytes, enter, fill, finish, leave, nested, part, sized,
    visit, visit_in,
};
pub use write::{
    add_slots, agree, align_behind, are_untold, ascend, begin, close, close_last, descend, end,
    index, not_null, of_seq, open, put, reserve, same_count, sizes, slots, solve, solve_taken_off,
    tell, write_over, zeros,
};

/// The item of a table that tells where something lies.
#[derive(Debug)]
pub struct Entry<T> {
    /// The item.
    pub value: T,
    /// Where it stands.
    pub item: Item,
}

/// Where an item of a table stands, whatever it is.
#[derive(Debug)]
pub struct Item {
    /// Its index.
    pub index: u64,
    /// A claim that it makes.
    pub claim: Claim,
    /// The field that has a value for it.
    sequence: &'static Sequence,
    /// Its number in a table inside the item of the field.
    inner: Option<u64>,
    /// How deep the path is where the sequence stands.
    depth: usize,
}

/// A field that has a value for every item of a table.
#[derive(Debug)]
pub struct Sequence {
    /// The declaration.
    pub layout: &'static Layout,
    /// The field.
    pub field: usize,
    /// The field that is the table.
    pub table: usize,
    /// How many bytes each of its items has at least, and whether all have as many.
    pub item: (usize, bool),
    /// Where the values lie.
    pub lies: Lies,
    /// Whether reading a value costs the same however long it is.
    pub free: bool,
    /// Whether values may share their bytes.
    pub shared: bool,
    /// How much of the stack the walk over a value takes.
    pub stack: usize,
}

/// Where the values of a field lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lies {
    /// One behind the other.
    Beside,
    /// Each at an offset, in bytes that are its own.
    Apart,
    /// Each at an offset, in bytes that belong to others.
    Viewed,
}

/// Reads a value whose type has such fields by the walk that a referee makes, so that it is compiled once
/// for both.
#[inline(always)]
pub fn read_as_referee<'a, T: Wire<'a>, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    args: T::Args,
) -> Result<T, Fault> {
    let mut referee = Check::reading(*obs.limits());
    let value = T::walk(cur, &mut referee, args);
    *obs.limits() = *referee.limits();
    value
}

/// Reads one value for every item of a table, each by `one`, which adds it to the others; tells from
/// where to where they reach.
///
/// A validator goes on behind a value that cannot be read, where values lie apart; the sequence as
/// a whole then fails. Where they do not, the caller says where the sequence ends.
#[inline(always)]
pub fn read<O: Observer, R: Entries, T>(
    obs: &mut O,
    entries: R,
    sequence: &'static Sequence,
    (at, table): (usize, (usize, usize)),
    placements: &mut Vec<Placement>,
    mut one: impl FnMut(&mut Values<'_, T>, &mut O, &Entry<R::Entry>) -> Result<(), Fault>,
) -> Result<(Vec<T>, (usize, usize)), Fault> {
    collect(obs, entries, sequence, (at, table), placements, &mut one)
}

/// What is done with an item. A closure behind a pointer of its own trait is compiled once; behind that
/// of `FnMut`, it is compiled again for who would call it once.
trait Each<O, E> {
    fn each(&mut self, obs: &mut O, entry: &Entry<E>) -> Result<(), Fault>;
}

/// The same where its value is added to others.
trait EachOf<O, E, T> {
    fn each(
        &mut self,
        values: &mut Values<'_, T>,
        obs: &mut O,
        entry: &Entry<E>,
    ) -> Result<(), Fault>;
}

impl<O, E, T, F> EachOf<O, E, T> for F
where
    F: FnMut(&mut Values<'_, T>, &mut O, &Entry<E>) -> Result<(), Fault>,
{
    fn each(
        &mut self,
        values: &mut Values<'_, T>,
        obs: &mut O,
        entry: &Entry<E>,
    ) -> Result<(), Fault> {
        self(values, obs, entry)
    }
}

struct Collected<'c, O, E, T> {
    values: Values<'c, T>,
    one: &'c mut dyn EachOf<O, E, T>,
}

impl<O, E, T> Each<O, E> for Collected<'_, O, E, T> {
    fn each(&mut self, obs: &mut O, entry: &Entry<E>) -> Result<(), Fault> {
        self.one.each(&mut self.values, obs, entry)
    }
}

#[inline(never)]
fn collect<O: Observer, R: Entries, T>(
    obs: &mut O,
    entries: R,
    sequence: &'static Sequence,
    place: (usize, (usize, usize)),
    placements: &mut Vec<Placement>,
    one: &mut dyn EachOf<O, R::Entry, T>,
) -> Result<(Vec<T>, (usize, usize)), Fault> {
    let mut collected = Collected { values: Values::new(placements, obs.drops()), one };
    read_each(obs, entries, sequence, place, &mut collected)?;
    Ok((collected.values.list, collected.values.all))
}

/// The same whatever the values are. Each may have such a field, too, so this is one level down.
#[inline(never)]
fn read_each<O: Observer, R: Entries>(
    obs: &mut O,
    entries: R,
    sequence: &'static Sequence,
    (at, span): (usize, (usize, usize)),
    one: &mut dyn Each<O, R::Entry>,
) -> Result<(), Fault> {
    if obs.limits().descend_by(sequence.stack).is_none() {
        return Err(seq::too_deep_at(at, obs));
    }
    let result = read_all(obs, entries, sequence, (at, span), one);
    obs.limits().ascend_by(sequence.stack);
    result
}

fn read_all<O: Observer, R: Entries>(
    obs: &mut O,
    mut entries: R,
    sequence: &'static Sequence,
    (at, span): (usize, (usize, usize)),
    one: &mut dyn Each<O, R::Entry>,
) -> Result<(), Fault> {
    let Sequence { layout, field, table, lies, .. } = *sequence;
    let apart = lies != Lies::Beside;
    let depth = obs.depth();
    obs.enter(layout, field, at);
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
        let known = own_span(from, entries.offset());
        let known = known.or_else(|| fixed_span(span.1, sequence.item, entries.left()?));
        let (span, exact) = known.map_or((span, false), |own| (own, true));
        let (holder, inner) = entries.told_by(index);
        let item = Some((holder, depth));
        let claim = Claim { item, exact, ..Claim::of(layout, table, span) };
        let entry = Entry { value, item: Item { index, claim, sequence, inner, depth } };
        let open = obs.depth();
        match one.each(obs, &entry) {
            Ok(()) => {}
            Err(fault) if apart && O::RECORD && obs.walks_items() && !obs.limits().is_spent() => {
                obs.unwind(open, at);
                // What is wrong may have been told of the item.
                obs.blame(layout, field);
                failed = Some(fault);
            }
            Err(fault) => return Err(fault),
        }
        index = index.saturating_add(1);
    }
    if O::RECORD && apart {
        obs.leave(at, &crate::Value::Items(Some(index)));
    }
    failed.map_or(Ok(()), Err)
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
    sequence: &'static Sequence,
    mut start: impl FnMut(&Entry<R::Entry>) -> u64,
) {
    let mut index = 0_u64;
    while let Some(Ok(value)) = entries.next_entry(obs.limits()) {
        if obs.limits().spend(1).is_none() {
            break;
        }
        let claim = Claim::of(sequence.layout, sequence.table, (0, 0));
        let item = Item { index, claim, sequence, inner: None, depth: 0 };
        starts.push(start(&Entry { value, item }));
        index = index.saturating_add(1);
    }
}

/// The places of values that lie in one region, while recording.
pub fn placements() -> Vec<Placement> {
    Vec::new()
}

/// The same with those of single fields.
#[inline(never)]
pub fn with_single(placements: &[Placement], single: &[Placement]) -> Vec<Placement> {
    [placements, single].concat()
}

/// Adds the slots of values that have been read; those of the fields in `next` end where others begin, and those of
/// the fields in `floating` do not keep their places.
#[inline(never)]
pub fn add_placed(
    slots: &mut Vec<Slot<'_>>,
    placements: &[Placement],
    next: &[usize],
    floating: &[(usize, Slot<'_>)],
) {
    slots.extend(placements.iter().map(|placement| placement.slot(next, floating)));
}

/// A number of an item speaks of a value that is not there.
#[inline(never)]
pub fn of_absent<O: Observer>(obs: &mut O, item: &Item, expected: u64, found: Option<u64>) {
    let depth = obs.depth();
    obs.reopen_item(item.index);
    crate::walk::of_absent(obs, item.claim.span, expected, found);
    obs.close(depth);
}

/// The bytes of an item where they are known.
fn own_span(from: Option<u64>, to: Option<u64>) -> Option<(usize, usize)> {
    let place = |offset: Option<u64>| offset.and_then(|offset| usize::try_from(offset).ok());
    place(from).zip(place(to))
}

/// The same where all items have as many bytes, and so many of them are `left` in front of the end of the table.
fn fixed_span(end: usize, (size, is_fixed): (usize, bool), left: usize) -> Option<(usize, usize)> {
    let end = end.checked_sub(left.checked_mul(size)?).filter(|_| is_fixed)?;
    Some((end.checked_sub(size)?, end))
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
