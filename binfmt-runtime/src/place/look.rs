//! What a validator says of located fields and the region they lie in: overlaps, fields outside, bytes between.

use super::{Placement, Slot, report};
use crate::Cursor;
use crate::finding::{Class, Problem, Severity, Show};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::ops::wide;
use crate::pattern::differs;
use crate::writer::Pattern;

/// The region that located fields lie in.
#[derive(Clone, Copy, Debug)]
pub struct Held<F = u8> {
    /// Where it begins and ends.
    pub span: (usize, usize),
    /// The start of the value around it, from which alignments count.
    pub start: usize,
    /// Whether bytes between the fields are kept, by the field of a section.
    pub kept: bool,
    /// The fields that go up to the next one: a writer leaves out what is behind the last of all values, in a section
    /// where that is one of these.
    pub next: &'static [usize],
    /// What a writer fills with.
    pub fill: F,
}

/// Looks at located fields and the region they lie in: overlaps, fields outside, bytes between, which
/// a section keeps. `slots` tells for the fields that cannot lie everywhere where they can.
pub fn look_at<O: Observer, F: Pattern>(
    cur: &Cursor<'_>,
    obs: &mut O,
    layout: &'static Layout,
    held: Held<F>,
    placements: &mut [Placement],
    slots: &dyn Fn(usize) -> Option<Slot<'static>>,
) {
    look(cur, obs, held, placements, slots, &|obs, placement| placement.reopen(obs, layout));
}

/// The same for any values, which `reopen` names.
pub(super) fn look<O: Observer, F: Pattern>(
    cur: &Cursor<'_>,
    obs: &mut O,
    held: Held<F>,
    placements: &mut [Placement],
    slots: &dyn Fn(usize) -> Option<Slot<'static>>,
    reopen: &dyn Fn(&mut O, &Placement),
) {
    let region = held.span;
    placements.sort_unstable_by_key(|placement| (placement.span, placement.field, placement.item));
    let mut reached = region.0;
    let mut before: Option<Placement> = None;
    for placement in placements.iter().filter(|placement| placement.span.1 > placement.span.0) {
        let span = placement.span;
        // One of two that share their bytes may be padded, and the other not.
        let twin = before.is_some_and(|other| other.is_twin_of(placement));
        let depth = obs.depth();
        reopen(obs, placement);
        if span.0 < region.0 || span.1 > region.1 {
            report(
                obs,
                "region",
                Severity::Error,
                span,
                format_args!("the field leaves its region"),
            );
        } else if span.0 < reached && !twin {
            let what = format_args!("the field overlaps the one before it");
            report(obs, "overlap", Severity::Error, span, what);
        }
        obs.close(depth);
        let follows = || {
            let slot = slots(placement.field).filter(|_| placement.part.is_none())?;
            slot.would_follow(reached, held.start)
        };
        let between = (reached, span.0.min(region.1));
        let own = is_fill(cur, between, held.fill) && follows() == Some(wide(span.0));
        gap(cur, obs, between, held.kept, own);
        reached = reached.max(span.1);
        before = Some(*placement);
    }
    let rest = (reached, region.1);
    let goes_on = |last: &Placement| held.next.contains(&last.field) && last.part.is_none();
    let ends =
        if held.kept { before.is_some_and(|last| goes_on(&last)) } else { !held.next.is_empty() };
    if ends && reached < region.1 {
        unkept(obs, rest);
    } else {
        gap(cur, obs, rest, held.kept, false);
    }
}

/// Bytes between located fields: a section keeps them, elsewhere only their number is kept. What a
/// writer leaves by its `own`, for the next value cannot lie everywhere, is worth a note at most.
fn gap<O: Observer>(cur: &Cursor<'_>, obs: &mut O, span: (usize, usize), kept: bool, own: bool) {
    let (start, end) = span;
    if start >= end {
        return;
    }
    let what = format_args!("bytes that belong to no field");
    if own {
        let (expected, found) = (Show::Nothing, Show::Nothing);
        let class = Class::Invalid;
        obs.spacing(&Problem { code: "gap", class, start, end, what, expected, found });
    } else if is_fill(cur, span, 0) {
        report(obs, "gap", Severity::Note, span, what);
    } else if kept {
        report(obs, "gap", Severity::Warning, span, what);
    } else {
        unkept(obs, span);
    }
}

fn unkept<O: Observer>(obs: &mut O, span: (usize, usize)) {
    let what = format_args!("bytes that belong to no field and are not kept");
    report(obs, "unkept", Severity::Warning, span, what);
}

fn is_fill(cur: &Cursor<'_>, (start, end): (usize, usize), fill: impl Pattern) -> bool {
    differs(cur.range(start, end), fill.bytes()).is_none()
}
