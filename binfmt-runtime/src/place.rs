//! Located fields: where they lie when read; where they go when written, in `slots`.

use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::ops::wide;
use crate::{Cursor, walk};

mod floating;
mod slots;
mod spans;

pub use floating::{floating, floating_room};
pub use slots::{Bed, Slot, write, write_all};
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
    /// The bytes of the value itself.
    own: (usize, usize),
    /// The same with its magic and its padding.
    span: (usize, usize),
    shared: bool,
}

impl Lay {
    /// The place of a field: the bytes of its value, and all that belong to it.
    pub fn of_field(field: usize, own: (usize, usize), span: (usize, usize), shared: bool) -> Self {
        Self { field, item: None, own, span, shared }
    }

    /// The place of an item of a field.
    pub fn of_item(field: usize, item: u64, span: (usize, usize), shared: bool) -> Self {
        Self { field, item: Some(item), own: span, span, shared }
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
        // One of two that share their bytes may be padded, and the other not.
        let twin = before.is_some_and(|other| other.own == lay.own && other.shared && lay.shared);
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
