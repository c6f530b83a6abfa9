//! Located fields: where they lie when read, where they go when written.

use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::ops::{align_up, wide};
use crate::writer::{MAX_SECTIONS, Writer};
use crate::{Cursor, walk};

mod floating;

pub use floating::{floating, floating_room};

/// The byte ranges of the `N` fields of a value, kept while recording.
#[derive(Debug)]
pub struct Spans<const N: usize>([(usize, usize); N]);

impl<const N: usize> Spans<N> {
    /// No field has been read yet.
    #[inline(always)]
    #[expect(clippy::new_without_default, reason = "made by generated code alone")]
    pub fn new() -> Self {
        Self([(0, 0); N])
    }

    /// Remembers the range of a field.
    #[inline(always)]
    pub fn set(&mut self, field: usize, start: usize, end: usize) {
        if let Some(span) = self.0.get_mut(field) {
            *span = (start, end);
        }
    }

    /// Remembers the range of a field by what lies before its ends from `at` on.
    #[inline(always)]
    pub fn note(&mut self, field: usize, at: usize, start: usize, end: usize) {
        self.set(field, at.wrapping_add(start), at.wrapping_add(end));
    }

    /// Where the ranges of a field and of those behind it are kept.
    #[inline(always)]
    pub fn from(&mut self, field: usize) -> &mut [(usize, usize)] {
        self.0.get_mut(field..).unwrap_or_default()
    }

    /// The range of a field.
    #[inline(always)]
    pub fn get(&self, field: usize) -> (usize, usize) {
        self.0.get(field).copied().unwrap_or_default()
    }

    /// Adds the range of one more item of a field.
    #[inline(always)]
    pub fn widen(&mut self, field: usize, start: usize, end: usize) {
        if let Some(span) = self.0.get_mut(field) {
            *span =
                if *span == (0, 0) { (start, end) } else { (span.0.min(start), span.1.max(end)) };
        }
    }

    /// Where the furthest of some fields ends, even if it has no bytes.
    #[inline(always)]
    pub fn furthest(&self, fields: &[usize]) -> usize {
        fields.iter().map(|field| self.get(*field).1).max().unwrap_or(0)
    }

    /// All ranges, by field.
    pub fn all(&self) -> &[(usize, usize)] {
        &self.0
    }
}

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
        None => Err(outside(obs, offset, claim)),
    }
}

#[inline(always)]
fn outside<O: Observer>(obs: &mut O, offset: u64, claim: walk::Claim) -> Fault {
    if O::RECORD { tell_outside(obs, offset, claim) } else { Fault::at(claim.span.0) }
}

#[cold]
#[inline(never)]
fn tell_outside<O: Observer>(obs: &mut O, offset: u64, claim: walk::Claim) -> Fault {
    claim.name(obs, false);
    obs.fail(&Problem {
        code: "offset",
        class: Class::Incomplete,
        start: claim.span.0,
        end: claim.span.1,
        what: format_args!("the offset points outside the place that it may point into"),
        expected: Show::Nothing,
        found: Show::Uint(offset),
    })
}

/// Goes to a located field in the section that begins at `start`, `lead` bytes behind what the
/// offset counts from.
#[inline(always)]
pub fn locate_within<'a, O: Observer>(
    cur: &Cursor<'a>,
    obs: &mut O,
    (section, start): (&'a [u8], usize),
    lead: usize,
    offset: u64,
    claim: walk::Claim,
) -> Result<Cursor<'a>, Fault> {
    let skip = offset.checked_sub(wide(lead));
    match skip.and_then(|skip| cur.inside(section, start, skip)) {
        Some(located) => Ok(located),
        None => Err(outside(obs, offset, claim)),
    }
}

/// Pays for the bytes that a located field has read.
#[inline(always)]
pub fn pay<O: Observer>(obs: &mut O, start: usize, located: &Cursor<'_>) -> Result<(), Fault> {
    let read = wide(located.pos().wrapping_sub(start));
    match obs.limits().spend(read) {
        Some(()) => Ok(()),
        None => Err(spent(obs, start, located)),
    }
}

#[inline(always)]
pub(crate) fn spent<O: Observer>(obs: &mut O, start: usize, located: &Cursor<'_>) -> Fault {
    if O::RECORD { tell_spent(obs, start, located) } else { Fault::at(start) }
}

#[cold]
#[inline(never)]
fn tell_spent<O: Observer>(obs: &mut O, start: usize, located: &Cursor<'_>) -> Fault {
    obs.fail(&Problem {
        code: "budget",
        class: Class::Malformed,
        start,
        end: located.pos(),
        what: format_args!("offsets or variants lead to the same bytes again and again"),
        expected: Show::Nothing,
        found: Show::Nothing,
    })
}

/// Moves behind the furthest located field that ends the value.
#[inline(always)]
pub fn advance<O: Observer>(cur: &mut Cursor<'_>, obs: &mut O, end: usize) -> Result<(), Fault> {
    let len = wide(end.saturating_sub(cur.pos()));
    match cur.take(len) {
        Some(_) => Ok(()),
        None => Err(walk::short(cur, obs, len)),
    }
}

/// Where one located field, or one item of several, lies.
#[derive(Clone, Copy, Debug)]
pub struct Lay {
    field: usize,
    item: Option<u64>,
    span: (usize, usize),
    shared: bool,
}

impl Lay {
    /// The place of a field.
    pub fn of_field(field: usize, span: (usize, usize), shared: bool) -> Self {
        Self { field, item: None, span, shared }
    }

    /// The place of an item of a field.
    pub fn of_item(field: usize, item: u64, span: (usize, usize), shared: bool) -> Self {
        Self { field, item: Some(item), span, shared }
    }
}

/// Looks at located fields and the room they lie in: overlaps, fields outside, bytes between, which
/// a section keeps.
pub fn look_at<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    layout: &'static Layout,
    room: (usize, usize),
    lays: &mut [Lay],
    kept: bool,
) {
    lays.sort_unstable_by_key(|lay| (lay.span, lay.field, lay.item));
    let mut reached = room.0;
    let mut before: Option<Lay> = None;
    for lay in lays.iter().filter(|lay| lay.span.1 > lay.span.0) {
        let span = lay.span;
        let twin = before.is_some_and(|other| other.span == span && other.shared && lay.shared);
        let depth = obs.depth();
        obs.reopen(layout, lay.field);
        if let Some(item) = lay.item {
            obs.reopen_item(item);
        }
        if span.0 < room.0 || span.1 > room.1 {
            tell(obs, "region", Severity::Error, span, format_args!("the field leaves its region"));
        } else if span.0 < reached && !twin {
            let what = format_args!("the field overlaps the one before it");
            tell(obs, "overlap", Severity::Error, span, what);
        }
        obs.close(depth);
        gap(cur, obs, reached, span.0.min(room.1), kept);
        reached = reached.max(span.1);
        before = Some(*lay);
    }
    gap(cur, obs, reached, room.1, kept);
}

/// Bytes between located fields: a section keeps them, elsewhere only their number is kept.
fn gap<O: Observer>(cur: &Cursor<'_>, obs: &mut O, start: usize, end: usize, kept: bool) {
    if start >= end {
        return;
    }
    let span = (start, end);
    if cur.range(start, end).iter().all(|byte| *byte == 0) {
        tell(obs, "gap", Severity::Note, span, format_args!("bytes that belong to no field"));
    } else if kept {
        tell(obs, "gap", Severity::Warning, span, format_args!("bytes that belong to no field"));
    } else {
        let what = format_args!("bytes that belong to no field and are not kept");
        tell(obs, "unkept", Severity::Warning, span, what);
    }
}

fn tell<O: Observer>(
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

/// A located value to be placed, by absolute offsets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slot<'v> {
    /// The stored offset, which the value keeps if it can.
    pub floor: Option<u64>,
    /// Size in bytes, without what aligns its end.
    pub size: u64,
    /// Alignment of a new place, counted from the start of the value around it.
    pub align: u64,
    /// What the end is padded to, counted likewise.
    pub pad: u64,
    /// Whether the value is there at all.
    pub present: bool,
    /// The bytes of a value that equal ones may share their place with.
    pub shared: Option<&'v [u8]>,
    /// The offset it got.
    pub at: u64,
    /// Its number in the room.
    pub id: usize,
    state: State,
}

/// How far the placing of a slot has got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Waiting,
    Placed,
    /// It lies where the slot before it does.
    Twin,
}

impl<'v> Slot<'v> {
    /// A slot that has no place yet.
    pub fn new(
        present: bool,
        floor: Option<u64>,
        size: u64,
        (align, pad): (u64, u64),
        shared: Option<&'v [u8]>,
    ) -> Self {
        Self { floor, size, align, pad, present, shared, at: 0, id: 0, state: State::Waiting }
    }

    /// The place as an offset from `base`.
    pub fn offset_from(&self, base: u64) -> u64 {
        self.at.saturating_sub(base)
    }

    /// Makes a stored offset that counts from `base` absolute.
    pub fn rebase(&mut self, base: u64) {
        self.floor = self.floor.and_then(|floor| floor.checked_add(base));
    }

    /// Whether the bytes of this slot are written, and not those of an equal one.
    pub fn writes(&self) -> bool {
        self.present && self.size > 0 && self.state != State::Twin
    }

    /// What comes first is placed first.
    fn stored_order(&self) -> (u64, Option<&'v [u8]>, usize) {
        (self.floor.unwrap_or(u64::MAX), self.shared, self.id)
    }

    /// Where the padded value ends if it begins at `at`.
    fn end(&self, at: u64, start: u64) -> Option<u64> {
        let len = at.checked_add(self.size)?.checked_sub(start)?;
        align_up(len, self.pad)?.checked_add(start)
    }

    /// The first place for the value that is not before `end`.
    fn behind(&self, end: u64, start: u64) -> Option<u64> {
        align_up(end.saturating_sub(start), self.align)?.checked_add(start)
    }
}

/// Gives every slot its place in a room that begins at `room`; returns where the last one ends.
///
/// Alignments count from `start`. Values keep their stored offsets while they fit behind one
/// another; the others follow, aligned, in the same order. Equal values that are shared and have
/// the same stored offset get one place.
pub fn place(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    room: u64,
    start: u64,
    section: bool,
) -> Result<u64, Fault> {
    arrange(slots, room, start, section).ok_or_else(|| out.overflow("at"))
}

/// The places of all slots; `None` when one lies beyond what an offset can tell.
fn arrange(slots: &mut [Slot<'_>], room: u64, start: u64, section: bool) -> Option<u64> {
    for (id, slot) in slots.iter_mut().enumerate() {
        slot.id = id;
    }
    // Mostly fields are declared in the order in which they lie.
    let there = slots.iter().filter(|slot| slot.present);
    let ordered = there.map(Slot::stored_order).is_sorted();
    if !ordered {
        slots.sort_unstable_by_key(Slot::stored_order);
    }
    let mut end = room;
    let mut before = None;
    for slot in slots.iter_mut().filter(|slot| slot.present && slot.size > 0) {
        slot.state = State::Waiting;
        if slot.shared.is_some() && before == Some((slot.floor, slot.shared)) {
            slot.state = State::Twin;
        } else if let Some(floor) = slot.floor.filter(|floor| *floor >= end)
            && let Some(after) = slot.end(floor, start)
        {
            (slot.at, slot.state, end) = (floor, State::Placed, after);
        }
        before = Some((slot.floor, slot.shared));
    }
    append(slots, &mut end, (room, start), section)?;
    if !ordered {
        slots.sort_unstable_by_key(|slot| slot.id);
    }
    Some(end)
}

/// Places what could not keep its offset behind all the rest.
fn append(
    slots: &mut [Slot<'_>],
    end: &mut u64,
    (room, start): (u64, u64),
    section: bool,
) -> Option<()> {
    let mut twin = 0;
    for slot in slots.iter_mut().filter(|slot| slot.present) {
        if slot.size == 0 {
            // Nothing is written, so any offset will do that lies in what is; a section ends where
            // its bytes do.
            slot.at = slot.floor.filter(|floor| !section || *floor >= room).unwrap_or(*end);
            *end = (*end).max(slot.at);
            continue;
        }
        match slot.state {
            State::Placed => {}
            State::Twin => slot.at = twin,
            State::Waiting => {
                slot.at = slot.behind(*end, start)?;
                *end = slot.end(slot.at, start)?;
                slot.state = State::Placed;
            }
        }
        twin = slot.at;
    }
    Some(())
}

/// Counts a room without writing it.
pub fn count(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    section: Option<&[u8]>,
    start: u64,
) -> Result<(), Fault> {
    let room = out.pos();
    let kept = wide(section.map_or(0, <[u8]>::len));
    let end = place(out, slots, room, start, section.is_some())?.max(room.saturating_add(kept));
    out.fill(0, end.saturating_sub(room))
}

/// Puts slots that have their places into the order in which they are written.
pub fn in_order(slots: &mut [Slot<'_>]) {
    let order = |slot: &Slot<'_>| (slot.at, slot.id);
    if !slots.is_sorted_by_key(order) {
        slots.sort_unstable_by_key(order);
    }
}

/// Where the sections of a value begin, if the declaration says it; the value begins at `start`.
#[inline(always)]
pub fn known(start: u64, offsets: &[Option<usize>]) -> Option<[u64; MAX_SECTIONS]> {
    let mut known = [0; MAX_SECTIONS];
    for (known, offset) in known.iter_mut().zip(offsets) {
        *known = start.checked_add(wide((*offset)?))?;
    }
    Some(known)
}

/// Writes what lies between located fields: the section's own bytes where it has some, else fill.
pub fn background(
    out: &mut Writer<'_>,
    section: &[u8],
    section_start: u64,
    to: u64,
    fill: u8,
) -> Result<(), Fault> {
    if out.pos() > to {
        return crate::write::settled(out, to);
    }
    let from = usize::try_from(out.pos().saturating_sub(section_start)).unwrap_or(usize::MAX);
    let until = usize::try_from(to.saturating_sub(section_start)).unwrap_or(usize::MAX);
    let kept = section.get(from..until.min(section.len())).unwrap_or_default();
    out.put(kept)?;
    let more = to.saturating_sub(out.pos());
    out.fill(fill, more)
}
