//! Located fields: where they lie when read, where they go when written.

use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::ops::{align_up, wide};
use crate::writer::{Backend, Writer};
use crate::{Cursor, walk};

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

    /// Where the range of a field is kept.
    #[inline(always)]
    pub fn slot(&mut self, field: usize) -> Option<&mut (usize, usize)> {
        self.0.get_mut(field)
    }

    /// The range of a field.
    #[inline(always)]
    pub fn get(&self, field: usize) -> (usize, usize) {
        self.0.get(field).copied().unwrap_or_default()
    }

    /// Where the furthest of some fields ends.
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
    obs.reopen(claim.layout, claim.field);
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

/// Looks at located fields and the room they lie in: overlaps, fields outside, bytes between, which
/// a section keeps.
pub fn look_at<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    layout: &'static Layout,
    room: (usize, usize),
    spans: &[(usize, usize)],
    fields: &[usize],
    kept: bool,
) {
    let mut reached = room.0;
    let mut last = None;
    while let Some((field, span)) = next_span(spans, fields, last) {
        last = Some((span.0, field));
        let depth = obs.depth();
        obs.reopen(layout, field);
        if span.0 < room.0 || span.1 > room.1 {
            tell(obs, "region", Severity::Error, span, format_args!("the field leaves its region"));
        } else if span.0 < reached {
            tell(
                obs,
                "overlap",
                Severity::Error,
                span,
                format_args!("the field overlaps the one before it"),
            );
        }
        obs.close(depth);
        gap(cur, obs, reached, span.0.min(room.1), kept);
        reached = reached.max(span.1);
    }
    gap(cur, obs, reached, room.1, kept);
}

/// The located field that lies next behind `last`, in order of offset and declaration.
fn next_span(
    spans: &[(usize, usize)],
    fields: &[usize],
    last: Option<(usize, usize)>,
) -> Option<(usize, (usize, usize))> {
    fields
        .iter()
        .filter_map(|field| Some((*field, *spans.get(*field)?)))
        .filter(|(_, span)| span.1 > span.0)
        .filter(|(field, span)| last.is_none_or(|last| (span.0, *field) > last))
        .min_by_key(|(field, span)| (span.0, *field))
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

/// A located field to be placed, by absolute offsets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slot {
    /// The stored offset, which the field keeps if it can.
    pub floor: Option<u64>,
    /// Size in bytes, with padding.
    pub size: u64,
    /// Alignment for a field that has to move, counted from the start of the value.
    pub align: u64,
    /// Whether the field is there at all.
    pub present: bool,
    /// The offset it got.
    pub at: u64,
    /// Whether it has been placed, then whether it has been written.
    done: bool,
}

impl Slot {
    /// A slot that has no place yet.
    pub fn new(present: bool, floor: Option<u64>, size: u64, align: u64) -> Self {
        Self { floor, size, align, present, at: 0, done: false }
    }

    /// The place as an offset from `base`.
    pub fn offset_from(&self, base: u64) -> u64 {
        self.at.saturating_sub(base)
    }
}

/// Gives every slot its place in a room that begins at `room`; returns where the last one ends.
///
/// Alignments count from `start`. Fields keep their stored offsets and their order while they fit; the others follow, aligned.
pub fn place<B: Backend>(
    out: &mut Writer<B>,
    slots: &mut [Slot],
    room: u64,
    start: u64,
    section: bool,
) -> Result<u64, Fault> {
    let mut end = room;
    while let Some(slot) = next_slot(slots, |slot| slot.floor.unwrap_or(u64::MAX)) {
        slot.done = true;
        if slot.size == 0 {
            // Nothing is written, so any offset will do; within a section it must lie there.
            slot.at = slot.floor.filter(|floor| !section || *floor >= room).unwrap_or(end);
            continue;
        }
        let kept = slot.floor.filter(|floor| *floor >= end);
        let aligned =
            align_up(end.saturating_sub(start), slot.align).and_then(|at| at.checked_add(start));
        let at = kept.or(aligned);
        let after = at.and_then(|at| at.checked_add(slot.size));
        let (Some(at), Some(after)) = (at, after) else { return Err(out.overflow("at")) };
        slot.at = at;
        end = after;
    }
    for slot in slots.iter_mut() {
        slot.done = false;
    }
    Ok(end)
}

/// Counts a room without writing it.
pub fn count<B: Backend>(
    out: &mut Writer<B>,
    slots: &mut [Slot],
    section: Option<&[u8]>,
    start: u64,
) -> Result<(), Fault> {
    let room = out.pos();
    let kept = wide(section.map_or(0, <[u8]>::len));
    let end = place(out, slots, room, start, section.is_some())?.max(room.saturating_add(kept));
    out.fill(0, end.saturating_sub(room))
}

/// The slot to be written next, by its index.
pub fn next(slots: &mut [Slot]) -> Option<(usize, u64)> {
    let first = slots
        .iter()
        .enumerate()
        .filter(|(_, slot)| slot.present && !slot.done && slot.size > 0)
        .min_by_key(|(index, slot)| (slot.at, *index))
        .map(|(index, _)| index)?;
    let slot = slots.get_mut(first)?;
    slot.done = true;
    Some((first, slot.at))
}

fn next_slot(slots: &mut [Slot], key: impl Fn(&Slot) -> u64) -> Option<&mut Slot> {
    slots.iter_mut().filter(|slot| slot.present && !slot.done).min_by_key(|slot| key(slot))
}

/// Writes what lies between located fields: the section's own bytes where it has some, else fill.
pub fn background<B: Backend>(
    out: &mut Writer<B>,
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
