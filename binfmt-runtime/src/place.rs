//! Located fields: where they lie when read; where they go when written, in `slots`.

use crate::cursor::Bounds;
use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::ops::wide;
use crate::{Cursor, walk};

#[cfg(feature = "alloc")]
mod around;
mod floating;
mod look;
mod next;
mod section;
mod slots;
mod spans;
#[cfg(feature = "alloc")]
mod twins;

pub use crate::writer::reads_same;
#[cfg(feature = "alloc")]
pub use around::{Around, close_section, lie_around, look_at_open, open_section, reopen_section};
#[cfg(feature = "alloc")]
pub use floating::floating_items;
pub use floating::{floating, floating_down, floating_region};
pub use look::{Held, look_at};
pub use next::{NOWHERE, start_of, up_to_next};
pub use section::{Section, visited, with_extents};
pub use slots::down::write_down;
#[cfg(feature = "alloc")]
pub(crate) use slots::open::{OpenSection, Phase, PieceNumber, go_on, number_of_piece, piece_of};
#[cfg(feature = "alloc")]
pub use slots::open::{begin_open, end_open, write_around, write_open};
pub use slots::{
    Apart, Placed, Slot, SlotRegion, as_held, ends_with_last, fill_up, least, write, write_all,
};
pub use spans::{Spans, leave};

/// Goes to a located field at `base + offset`.
#[inline(always)]
pub fn locate<'a, O: Observer>(
    cur: &Cursor<'a>,
    obs: &mut O,
    base: usize,
    offset: u64,
    claim: walk::Claim,
) -> Result<Cursor<'a>, Fault> {
    match cur.at(base, offset) {
        Some(located) => Ok(located),
        None => Err(outside(obs, cur.bounded, offset, claim)),
    }
}

/// Goes to a located field, whose offset an expression says.
#[inline(always)]
pub fn at<'a, O: Observer>(
    cur: &Cursor<'a>,
    obs: &mut O,
    base: usize,
    offset: Option<u64>,
    claim: walk::Claim,
) -> Result<Cursor<'a>, Fault> {
    let offset = walk::size_in_front(obs, "at", offset, claim)?;
    locate(cur, obs, base, offset, claim)
}

#[inline(always)]
fn outside<O: Observer>(obs: &mut O, bounded: bool, offset: u64, claim: walk::Claim) -> Fault {
    if O::RECORD { report_outside(obs, bounded, offset, claim) } else { Fault::at(claim.span.0) }
}

#[cold]
#[inline(never)]
fn report_outside<O: Observer>(
    obs: &mut O,
    bounded: bool,
    offset: u64,
    claim: walk::Claim,
) -> Fault {
    let (start, end) = claim.name(obs, false);
    obs.fail(&Problem {
        code: "offset",
        class: if bounded { Class::Malformed } else { Class::Incomplete },
        start,
        end,
        what: format_args!("the offset points outside the place that it may point into"),
        expected: Show::Nothing,
        found: Show::Uint(offset),
    })
}

/// Goes to a located field in a section, which begins `lead` bytes behind what the offset counts from.
#[inline(always)]
pub fn locate_within<'a, O: Observer>(
    cur: &Cursor<'a>,
    obs: &mut O,
    section: Bounds<'a>,
    lead: usize,
    offset: u64,
    claim: walk::Claim,
) -> Result<Cursor<'a>, Fault> {
    let skip = offset.checked_sub(wide(lead));
    match skip.and_then(|skip| cur.inside(section, skip)) {
        Some(located) => Ok(located),
        None => Err(outside(obs, cur.bounded || section.2, offset, claim)),
    }
}

/// Which value is visited again, for the error that says so.
#[derive(Clone, Copy, Debug)]
pub enum Visited {
    /// A field.
    Field(&'static Layout, usize),
    /// The item of the field that is open.
    Item(u64),
    /// What is open.
    Here,
}

/// Reads a located value. What it reads is paid for, also when that fails; what is `free` costs
/// nothing, for it is not looked at.
#[inline(always)]
pub fn visit<'a, T, O: Observer>(
    obs: &mut O,
    outer: &Cursor<'a>,
    there: &mut Cursor<'a>,
    (free, visited): (bool, Visited),
    read: impl FnOnce(&mut Cursor<'a>, &mut O) -> Result<T, Fault>,
) -> Result<T, Fault> {
    if free {
        return read(there, obs);
    }
    let start = there.pos();
    let Some(mark) = obs.limits().open(outer.pos(), start) else {
        return Err(spent(obs, (start, start), visited));
    };
    let depth = obs.depth();
    let value = read(there, obs);
    match obs.limits().close(mark, there.pos()) {
        Some(()) => value,
        None => {
            obs.close(depth);
            Err(spent(obs, (start, there.pos()), visited))
        }
    }
}

/// The budget is spent: this is told once, and every observer stops.
#[inline(always)]
pub(crate) fn spent<O: Observer>(obs: &mut O, span: (usize, usize), visited: Visited) -> Fault {
    if O::RECORD {
        return report_spent(obs, span, visited);
    }
    obs.limits().set_spent();
    Fault::at(span.0)
}

#[cold]
#[inline(never)]
fn report_spent<O: Observer>(obs: &mut O, (start, end): (usize, usize), visited: Visited) -> Fault {
    if obs.limits().is_spent() {
        return Fault::at(start);
    }
    obs.limits().set_spent();
    let depth = obs.depth();
    match visited {
        Visited::Field(layout, field) => obs.reopen(layout, field),
        Visited::Item(index) => obs.reopen_item(index),
        Visited::Here => {}
    }
    let fault = obs.fail(&too_much((start, end)));
    obs.close(depth);
    fault
}

/// A recorder has looked at so much again that it leaves out what else a rule is about: nobody knows
/// then whether that holds.
#[cold]
#[inline(never)]
pub(crate) fn looked_too_long<O: Observer>(obs: &mut O, claim: walk::Claim, rule: &'static str) {
    let depth = obs.depth();
    obs.reopen(claim.layout, claim.field);
    left_unchecked(obs, claim.span, rule);
    obs.close(depth);
}

/// The same about what is open.
#[cold]
#[inline(never)]
pub(crate) fn left_unchecked<O: Observer>(obs: &mut O, span: (usize, usize), rule: &'static str) {
    let what =
        format_args!("`{rule}` is not checked to its end: the budget for such checks is spent");
    report(obs, "budget", Severity::Error, span, what);
}

/// A walk costs more than its budget.
pub(crate) fn too_much((start, end): (usize, usize)) -> Problem<'static> {
    Problem {
        code: "budget",
        class: Class::Malformed,
        start,
        end,
        what: format_args!(
            "the budget of the walk is spent: bytes are read again and again, or items have none"
        ),
        expected: Show::Nothing,
        found: Show::Nothing,
    }
}

/// Moves behind the furthest located field that ends the value.
#[inline(always)]
pub fn advance<O: Observer>(cur: &mut Cursor<'_>, obs: &mut O, end: usize) -> Result<(), Fault> {
    let from = cur.pos();
    let len = wide(end.saturating_sub(from));
    if obs.limits().pass(from, end).is_none() {
        return Err(spent(obs, (from, end), Visited::Here));
    }
    match cur.take(len) {
        Some(_) => Ok(()),
        None => Err(walk::short(cur, obs, len)),
    }
}

/// The bytes of a section have been borrowed: what lies in it pays for itself, and whether anything lies
/// between is compared, sixteen bytes at a time.
#[inline(always)]
pub fn borrowed<O: Observer>(obs: &mut O, (from, to): (usize, usize)) -> Result<(), Fault> {
    match obs.limits().pass(from, to) {
        Some(()) => Ok(()),
        None => Err(spent(obs, (from, to), Visited::Here)),
    }
}

/// Where one located field, or one item of several, lies.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    field: usize,
    item: Option<u64>,
    /// The number of a value that does not belong to the value with the region itself.
    part: Option<usize>,
    /// The bytes of the value itself.
    own: (usize, usize),
    /// The same with its magic and its padding.
    span: (usize, usize),
    shared: bool,
}

impl Placement {
    /// The place of a field: the bytes of its value, and all that belong to it.
    pub fn of_field(field: usize, own: (usize, usize), span: (usize, usize), shared: bool) -> Self {
        Self { field, item: None, part: None, own, span, shared }
    }

    /// The place of an item of a field.
    #[cfg(feature = "alloc")]
    pub(crate) fn of_item(field: usize, item: u64, span: (usize, usize), shared: bool) -> Self {
        Self { field, item: Some(item), part: None, own: span, span, shared }
    }

    /// Whether there are no bytes.
    #[cfg(feature = "alloc")]
    pub(crate) fn is_empty(&self) -> bool {
        self.span.1 <= self.span.0
    }

    /// The place of a part of what lies in the region.
    #[cfg(feature = "alloc")]
    fn of_part(self, number: usize) -> Self {
        Self { part: Some(number), ..self }
    }

    /// Whether the value may lie where another one does.
    fn is_twin_of(&self, other: &Self) -> bool {
        let same = (self.span.0, self.own.1) == (other.span.0, other.own.1);
        same && self.shared && other.shared
    }

    /// Names the field, and the item.
    fn reopen<O: Observer>(&self, obs: &mut O, layout: &'static Layout) {
        obs.reopen(layout, self.field);
        if let Some(item) = self.item {
            obs.reopen_item(item);
        }
    }

    /// The bytes of the value itself are these.
    #[cfg(feature = "alloc")]
    pub(crate) fn set_own(&mut self, own: (usize, usize)) {
        self.own = own;
    }

    /// The slot that a writer makes of the value: it keeps its place but for those of the fields in `floating`, and
    /// ends where the next one begins if its field is one of those in `next`.
    #[cfg(feature = "alloc")]
    pub(crate) fn slot(&self, next: &[usize], floating: &[(usize, Slot<'_>)]) -> Slot<'static> {
        let (start, end) = self.span;
        let slot = Slot::new(true, Some(wide(start)), wide(end.wrapping_sub(start)), (1, 1));
        let slot = if self.shared { slot.shares_at((start, self.own.1)) } else { slot };
        let slot = if next.contains(&self.field) { slot.up_to_next() } else { slot };
        self.like(floating).map_or(slot, |like| slot.floating_like(like))
    }

    /// The slot of the field of the value, if it is one of these.
    #[cfg(feature = "alloc")]
    fn like<'f, 'v>(&self, fields: &'f [(usize, Slot<'v>)]) -> Option<&'f Slot<'v>> {
        fields.iter().find(|(field, _)| *field == self.field).map(|(_, like)| like)
    }
}

fn report<O: Observer>(
    obs: &mut O,
    code: &'static str,
    severity: Severity,
    span: (usize, usize),
    what: core::fmt::Arguments<'_>,
) {
    let (start, end) = span;
    let (expected, found) = (Show::Nothing, Show::Nothing);
    obs.note(severity, &Problem { code, class: Class::Invalid, start, end, what, expected, found });
}
