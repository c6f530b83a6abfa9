//! Offsets and regions that no field keeps: a validator says where the writer would choose others.

#[cfg(feature = "alloc")]
use super::Placement;
use super::Slot;
use super::slots::{arrange, down, rest};
use crate::finding::{Class, Problem, Severity, Show};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::ops::wide;
use crate::walk::Claim;
use crate::write::{Sizes, padded};

/// Compares where values lie whose offsets are not kept with where the writer puts them.
///
/// `slots` are those of the region, as the writer makes them; `floating` tells the number of a slot,
/// its field, and where that lies; `section` is the end of the section that they lie in, if they do.
/// Whether the writer places them at all.
pub fn floating<O: Observer>(
    obs: &mut O,
    layout: &'static Layout,
    slots: &mut [Slot<'_>],
    (region, start, section): (usize, usize, Option<usize>),
    floating: &[(usize, usize, usize)],
) -> bool {
    let start = wide(start);
    let mut end = |slot: &mut Slot<'_>, at: Option<u64>| Ok(at.and_then(|at| slot.end(at, start)));
    let place = (wide(region), start, section.is_some());
    let Ok(Some(end)) = arrange(slots, wide(region), place, &mut end) else { return false };
    let placed = rest::place(slots, end.max(section.map_or(0, wide)));
    if placed {
        compare(obs, layout, slots, floating);
    }
    placed
}

/// The same of values of tables whose places count from one that is not kept: `fields` are theirs. Their slots
/// follow those of single fields, in the order of the places.
#[cfg(feature = "alloc")]
#[inline(never)]
pub fn floating_items<O: Observer>(
    obs: &mut O,
    layout: &'static Layout,
    (slots, single): (&[Slot<'_>], usize),
    placements: &[Placement],
    fields: &[(usize, Slot<'_>)],
) {
    for (slot, placement) in slots.iter().skip(single).zip(placements) {
        let (at, end) = placement.span;
        if slot.at == wide(at) || placement.like(fields).is_none() {
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
    floating: &[(usize, usize, usize)],
) {
    for (slot, field, at) in floating {
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
    obs: &mut O,
    layout: &'static Layout,
    slots: &mut [Slot<'_>],
    (section, start): ((usize, usize), usize),
    floating: &[(usize, usize, usize)],
) {
    for (id, slot) in slots.iter_mut().enumerate() {
        slot.id = id;
    }
    let section = (wide(section.0), wide(section.1));
    if down::arrange(slots, section, wide(start)) && rest::place(slots, section.1) {
        compare(obs, layout, slots, floating);
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
        claim.name(obs, true);
        note(obs, claim.span, "the region of the value is", own, region);
        obs.close(depth);
    }
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
