//! Offsets and regions that no field keeps: a validator says where the writer would choose others.

#[cfg(feature = "alloc")]
use super::Placement;
use super::Slot;
use super::slots::{arrange, down, rest};
use crate::Cursor;
use crate::checksum::pays;
use crate::finding::{Class, Problem, Severity, Show};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::ops::wide;
use crate::walk::Claim;
use crate::write::{Sizes, padded};

/// Compares where values lie, of which nothing keeps where some do, with where the writer puts them.
///
/// `slots` are those of the region, as the writer makes them; `placed` tells the number of a slot,
/// its field, and where that lies; `section` is the end of the section that they lie in, if they do.
/// Whether the writer places them at all.
pub fn floating<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    layout: &'static Layout,
    slots: &mut [Slot<'_>],
    (region, start, section): (usize, usize, Option<usize>),
    placed: &[(usize, usize, usize)],
) -> bool {
    find_twins(cur, obs, slots);
    let start = wide(start);
    let mut end = |slot: &mut Slot<'_>, at: Option<u64>| Ok(at.and_then(|at| slot.end(at, start)));
    let place = (wide(region), start, section.is_some());
    let Ok(Some(end)) = arrange(slots, wide(region), place, &mut end) else { return false };
    let has_places = rest::place(slots, end.max(section.map_or(0, wide)));
    if has_places {
        compare(obs, layout, slots, placed);
    }
    has_places
}

/// The same of the values of tables. Their slots follow those of single fields, in the order of the places.
#[cfg(feature = "alloc")]
#[inline(never)]
pub fn floating_items<O: Observer>(
    obs: &mut O,
    layout: &'static Layout,
    (slots, single): (&[Slot<'_>], usize),
    placements: &[Placement],
) {
    for (slot, placement) in slots.iter().skip(single).zip(placements) {
        let (at, end) = placement.span;
        if slot.at == wide(at) {
            continue;
        }
        let depth = obs.depth();
        placement.reopen(obs, layout);
        note(obs, (at, end), "the value lies at", slot.at, wide(at));
        obs.close(depth);
    }
}

/// Says which values lie elsewhere than in their slots.
fn compare<O: Observer>(
    obs: &mut O,
    layout: &'static Layout,
    slots: &[Slot<'_>],
    placed: &[(usize, usize, usize)],
) {
    for (slot, field, at) in placed {
        let Some(slot) = slots.get(*slot).filter(|slot| slot.present && slot.at != wide(*at))
        else {
            continue;
        };
        let depth = obs.depth();
        obs.reopen(layout, *field);
        let len = usize::try_from(slot.size).unwrap_or(0);
        note(obs, (*at, at.saturating_add(len)), "the field lies at", slot.at, wide(*at));
        obs.close(depth);
    }
}

/// The same of values that are placed from the end of their section downwards.
pub fn floating_down<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    layout: &'static Layout,
    slots: &mut [Slot<'_>],
    (section, start): ((usize, usize), usize),
    placed: &[(usize, usize, usize)],
) {
    find_twins(cur, obs, slots);
    for (id, slot) in slots.iter_mut().enumerate() {
        slot.id = id;
    }
    let section = (wide(section.0), wide(section.1));
    if down::arrange(slots, section, wide(start)) && rest::place(slots, section.1) {
        return compare(obs, layout, slots, placed);
    }
    // Who finds no place leaves the slots in the order in which they were tried.
    let Some(slot) = slots.iter().find(|slot| slot.has_no_offset()) else { return };
    let Some((_, field, at)) = placed.iter().find(|(id, ..)| *id == slot.id) else { return };
    let len = usize::try_from(slot.size).unwrap_or(0);
    let depth = obs.depth();
    obs.reopen(layout, *field);
    no_room(obs, (*at, at.saturating_add(len)));
    obs.close(depth);
}

/// Values that may share their place do so where nothing keeps that, if they have the same bytes.
#[cfg(feature = "alloc")]
fn find_twins<O: Observer>(cur: &Cursor<'_>, obs: &mut O, slots: &mut [Slot<'_>]) {
    let mut firsts = alloc::collections::BTreeMap::new();
    for (id, slot) in slots.iter_mut().enumerate() {
        let Some(span) = slot.floating_bytes() else { continue };
        // What is not looked at shares with nothing.
        let bytes = if pays(obs, span) { Some(cur.range(span.0, span.1)) } else { None };
        slot.set_class(bytes.map_or(id, |bytes| *firsts.entry(bytes).or_insert(id)));
    }
}

/// Without memory they are few, and looked for; those in front have not changed yet.
#[cfg(not(feature = "alloc"))]
fn find_twins<O: Observer>(cur: &Cursor<'_>, obs: &mut O, slots: &mut [Slot<'_>]) {
    let bytes = |slot: &Slot<'_>| slot.floating_bytes().map(|span| cur.range(span.0, span.1));
    for id in (0..slots.len()).rev() {
        let Some(span) = slots.get(id).and_then(Slot::floating_bytes) else { continue };
        let own = if pays(obs, span) { Some(cur.range(span.0, span.1)) } else { None };
        let first = slots.iter().position(|slot| own.is_some() && bytes(slot) == own);
        if let Some(slot) = slots.get_mut(id) {
            slot.set_class(first.unwrap_or(id));
        }
    }
}

/// Compares the region of a padded value, which is not kept, with the one that the writer gives it.
pub fn floating_region<O: Observer>(
    obs: &mut O,
    claim: Claim,
    region: Option<u64>,
    len: usize,
    align: Option<u64>,
    sizes: Sizes,
) {
    let own = padded(wide(len), align.unwrap_or(1), None, sizes);
    if let Some(region) = region.filter(|region| *region != own) {
        let depth = obs.depth();
        let span = claim.name(obs, true);
        note(obs, span, "the region of the value is", own, region);
        obs.close(depth);
    }
}

/// A writer places such a value in front of all that have an offset, or between them as far as it finds room.
fn no_room<O: Observer>(obs: &mut O, (start, end): (usize, usize)) {
    let what = format_args!(
        "where the field lies is not kept, and the writer finds no place for it beside those that are"
    );
    let (class, expected, found) = (Class::Invalid, Show::Nothing, Show::Uint(wide(start)));
    let problem = Problem { code: "canonical", class, start, end, what, expected, found };
    obs.note(Severity::Warning, &problem);
}

fn note<O: Observer>(obs: &mut O, (start, end): (usize, usize), what: &str, own: u64, found: u64) {
    obs.note(
        Severity::Warning,
        &Problem {
            code: "canonical",
            class: Class::Invalid,
            start,
            end,
            what: format_args!(
                "{what} {found:#x}, which is not kept; the writer makes it {own:#x}"
            ),
            expected: Show::Uint(own),
            found: Show::Uint(found),
        },
    );
}
