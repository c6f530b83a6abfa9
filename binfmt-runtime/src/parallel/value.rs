//! The steps of a walk over the value of one item. Each is one function for all fields, where walks
//! over single fields have theirs in place: tables have more fields than they have kinds of values.

use alloc::vec::Vec;

use super::{Item, Lies, Sequence};
use crate::cursor::Bounds;
use crate::finding::Fault;
use crate::observe::Observer;
use crate::place::{self, Placement, Visited};
use crate::walk::{self, Claim};
use crate::writer::Pattern;
use crate::{Cursor, Value, Wire};

/// The values of a field that have been read.
#[derive(Debug)]
pub struct Values<'p, T> {
    pub(super) list: Vec<T>,
    /// From where to where they reach that lie at offsets.
    pub(super) all: (usize, usize),
    placements: &'p mut Vec<Placement>,
    /// Whether the values are thrown away.
    drops: bool,
}

impl<'p, T> Values<'p, T> {
    pub(super) fn new(placements: &'p mut Vec<Placement>, drops: bool) -> Self {
        Self { list: Vec::new(), all: (0, 0), placements, drops }
    }

    /// Adds a value.
    pub fn push(&mut self, value: T) {
        if !self.drops {
            self.list.push(value);
        }
    }

    /// Remembers where a value lies.
    pub fn place(&mut self, item: &Item, (start, end): (usize, usize), kept: bool) {
        let all = self.all;
        self.all = if all == (0, 0) { (start, end) } else { (start.min(all.0), end.max(all.1)) };
        if kept {
            self.placements.push(item.placement((start, end)));
        }
    }

    /// The bytes of the value that was read last, without what stands around it.
    pub fn only(&mut self, own: (usize, usize)) {
        if let Some(last) = self.placements.last_mut() {
            last.set_own(own);
        }
    }
}

impl Item {
    /// A claim of the field that has a value for it, where that begins.
    fn own(&self, cur: &Cursor<'_>) -> Claim {
        Claim::of(self.sequence.layout, self.sequence.field, (cur.pos(), cur.end()))
    }

    fn placement(&self, span: (usize, usize)) -> Placement {
        let Sequence { field, shared, .. } = *self.sequence;
        Placement::of_item(field, self.index, span, shared)
    }
}

/// Where the values of a field lie.
#[derive(Clone, Copy, Debug)]
pub struct Base<'a, 's> {
    /// What the offsets count from.
    pub from: usize,
    /// The section, and how far it begins behind what offsets count from.
    pub section: Option<(Bounds<'a>, usize)>,
    /// The places of all values of the region, if each ends where the next one begins.
    pub starts: Option<&'s [u64]>,
    /// The padding behind each value that has bytes.
    pub behind: Option<Behind>,
}

/// Padding of bytes behind the values of a field, up to one alignment for all of them.
#[derive(Clone, Copy, Debug)]
pub struct Behind {
    /// The alignment.
    pub to: u64,
    /// Where it counts from.
    pub start: usize,
    /// What the padding consists of.
    pub fill: u8,
}

/// The walk of one value, for a pointer: see [`Each`](super::Each).
trait One<'a, O, T> {
    fn read(&mut self, cur: &mut Cursor<'a>, obs: &mut O) -> Result<T, Fault>;
}

impl<'a, O, T, F: FnMut(&mut Cursor<'a>, &mut O) -> Result<T, Fault>> One<'a, O, T> for F {
    fn read(&mut self, cur: &mut Cursor<'a>, obs: &mut O) -> Result<T, Fault> {
        self(cur, obs)
    }
}

/// Reads a value that lies at an offset from `from`, adds it to the others, and says where it lies.
#[inline(always)]
pub fn visit<'a, O: Observer, T>(
    obs: &mut O,
    (cur, from): (&Cursor<'a>, usize),
    values: &mut Values<'_, T>,
    (item, offset, claim): (&Item, Option<u64>, &Claim),
    mut one: impl FnMut(&mut Cursor<'a>, &mut O) -> Result<T, Fault>,
) -> Result<(usize, usize), Fault> {
    visit_from(obs, (cur, from), values, (item, offset, claim), &mut one)
}

#[inline(never)]
fn visit_from<'a, O: Observer, T>(
    obs: &mut O,
    (cur, from): (&Cursor<'a>, usize),
    values: &mut Values<'_, T>,
    told: (&Item, Option<u64>, &Claim),
    one: &mut dyn One<'a, O, T>,
) -> Result<(usize, usize), Fault> {
    let base = Base { from, section: None, starts: None, behind: None };
    visit_by(obs, (cur, &base), values, told, one)
}

/// The same in a section, or where the value ends with the next one.
#[inline(always)]
pub fn visit_in<'a, O: Observer, T>(
    obs: &mut O,
    (cur, base): (&Cursor<'a>, &Base<'a, '_>),
    values: &mut Values<'_, T>,
    (item, offset, claim): (&Item, Option<u64>, &Claim),
    mut one: impl FnMut(&mut Cursor<'a>, &mut O) -> Result<T, Fault>,
) -> Result<(usize, usize), Fault> {
    visit_by(obs, (cur, base), values, (item, offset, claim), &mut one)
}

#[inline(never)]
fn visit_by<'a, O: Observer, T>(
    obs: &mut O,
    (cur, base): (&Cursor<'a>, &Base<'a, '_>),
    values: &mut Values<'_, T>,
    (item, offset, claim): (&Item, Option<u64>, &Claim),
    one: &mut dyn One<'a, O, T>,
) -> Result<(usize, usize), Fault> {
    let mut there = locate(obs, cur, base, offset, claim)?;
    let (start, free) = (there.pos(), item.sequence.free);
    let visited = Visited::Item(item.index);
    let value = place::visit(obs, cur, &mut there, (free, visited), |cur, obs| {
        let value = one.read(cur, obs)?;
        if let Some(Behind { to, start: from, fill }) = base.behind.filter(|_| cur.pos() != start) {
            let distance = cur.pos().wrapping_sub(from);
            align(cur, obs, item, ("align_after", Some(to), distance), None, fill)?;
        }
        Ok(value)
    })?;
    values.push(value);
    let span = (start, there.pos());
    values.place(item, span, O::RECORD && item.sequence.lies == Lies::Apart);
    Ok(span)
}

#[inline(never)]
fn locate<'a, O: Observer>(
    obs: &mut O,
    cur: &Cursor<'a>,
    base: &Base<'a, '_>,
    offset: Option<u64>,
    claim: &Claim,
) -> Result<Cursor<'a>, Fault> {
    let offset = walk::size_in_front(obs, "at", offset, *claim)?;
    let there = match base.section {
        None => place::locate(cur, obs, base.from, offset, *claim)?,
        Some((section, lead)) => place::locate_within(cur, obs, section, lead, offset, *claim)?,
    };
    let starts = base.starts;
    Ok(starts.map_or(there, |starts| place::up_to_next(&there, cur.end(), starts)))
}

/// The value of an item starts.
#[inline(always)]
pub fn enter<O: Observer>(obs: &mut O, item: &Item, at: usize) {
    if O::RECORD {
        enter_recorded(obs, item.index, at);
    }
}

#[inline(never)]
fn enter_recorded<O: Observer>(obs: &mut O, index: u64, at: usize) {
    obs.enter_item(index, at);
}

/// The value of an item ends.
#[inline(always)]
pub fn leave<O: Observer>(obs: &mut O, cur: &Cursor<'_>, value: &Value<'_>) {
    if O::RECORD {
        leave_recorded(obs, cur.pos(), value);
    }
}

#[inline(never)]
fn leave_recorded<O: Observer>(obs: &mut O, end: usize, value: &Value<'_>) {
    obs.leave(end, value);
}

/// Tells that an item has no value; what belongs to it would lie at the cursor.
#[inline(never)]
pub fn absent<O: Observer, T>(
    obs: &mut O,
    cur: &Cursor<'_>,
    values: &mut Values<'_, Option<T>>,
    item: &Item,
) {
    let at = cur.pos();
    if item.sequence.lies != Lies::Beside {
        values.place(item, (at, at), O::RECORD && item.sequence.lies == Lies::Apart);
    }
    enter(obs, item, at);
    leave(obs, cur, &Value::Absent);
    values.push(None);
}

/// Padding of as many bytes as an expression says; without a claim, the field itself claims them.
#[inline(never)]
pub fn fill<O: Observer>(
    cur: &mut Cursor<'_>,
    obs: &mut O,
    item: &Item,
    word: (&'static str, Option<u64>),
    claim: Option<&Claim>,
    fill: impl Pattern,
) -> Result<(), Fault> {
    let depth = obs.depth();
    obs.reopen_item(item.index);
    walk::fill(cur, obs, word, claim.copied().unwrap_or_else(|| item.own(cur)), fill)?;
    obs.close(depth);
    Ok(())
}

/// Padding up to an alignment, which counts from `distance` bytes before.
#[inline(never)]
pub fn align<O: Observer>(
    cur: &mut Cursor<'_>,
    obs: &mut O,
    item: &Item,
    word: (&'static str, Option<u64>, usize),
    claim: Option<&Claim>,
    fill: impl Pattern,
) -> Result<(), Fault> {
    let depth = obs.depth();
    obs.reopen_item(item.index);
    walk::align(cur, obs, word, claim.copied().unwrap_or_else(|| item.own(cur)), fill)?;
    obs.close(depth);
    Ok(())
}

/// Reads as many bytes as an expression says.
#[inline(never)]
pub fn bytes<'a, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    len: Option<u64>,
    claim: &Claim,
) -> Result<&'a [u8], Fault> {
    walk::sized(cur, obs, len, *claim)
}

/// Takes as many bytes as an expression says for the exact region of a value.
#[inline(never)]
pub fn part<'a, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    len: Option<u64>,
    claim: &Claim,
) -> Result<Cursor<'a>, Fault> {
    let len = walk::size(obs, "len", len, *claim)?;
    walk::sub(cur, obs, len, *claim)
}

/// Checks that nothing is left in such a region.
#[inline(never)]
pub fn finish<O: Observer>(cur: &Cursor<'_>, obs: &mut O) -> Result<(), Fault> {
    walk::finish(cur, obs)
}

/// Reads a declared value.
#[inline(never)]
pub fn nested<'a, T: Wire<'a>, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    args: T::Args,
) -> Result<T, Fault> {
    obs.nested::<T>(cur, args)
}

/// Reads a declared value that has as many bytes as an expression says.
#[inline(never)]
pub fn sized<'a, T: Wire<'a>, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    (len, claim): (Option<u64>, &Claim),
    args: T::Args,
) -> Result<T, Fault> {
    let mut part = part(cur, obs, len, claim)?;
    let value = obs.nested::<T>(&mut part, args)?;
    finish(&part, obs)?;
    Ok(value)
}
