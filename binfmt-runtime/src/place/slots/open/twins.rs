//! What lies inside values that share a place.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use super::super::Slot;

/// Of values that share a place, what lies inside is written once, with the one that is placed.
pub(super) fn leave_out(all: &mut [Slot<'_>], ranges: &[(usize, Range<usize>)]) {
    let shares = |id: usize| all.get(id).is_some_and(|slot| slot.class > 0);
    let ranges: Vec<_> = ranges.iter().filter(|(id, _)| shares(*id)).cloned().collect();
    // What is left out has been that of no other value: at most as often as values lie in one another.
    while hide(all, &ranges) {}
}

/// What lies inside a value that shares its place lies where the same does inside the one that is written there.
///
/// It is known by its own place while that is looked for, so nothing else may lie there.
pub(super) fn follow(placed: &mut [Slot<'_>], ranges: &[(usize, Range<usize>)]) {
    if placed.iter().any(Slot::is_twin) {
        let mut written = BTreeMap::new();
        for (id, inside) in ranges {
            let slot = placed.get(*id).filter(|slot| slot.class > 0 && slot.is_placed());
            written.extend(slot.map(|slot| ((slot.class, slot.at), inside.clone())));
        }
        // At most as often as values lie in one another.
        while move_inside(placed, ranges, &written) {}
    }
}

/// Moves what lies inside values that share a place; whether anything lies elsewhere now.
fn move_inside(
    placed: &mut [Slot<'_>],
    ranges: &[(usize, Range<usize>)],
    written: &BTreeMap<(usize, u64), Range<usize>>,
) -> bool {
    let mut moved = false;
    for (id, inside) in ranges {
        let twin = placed.get(*id).filter(|slot| slot.is_twin());
        let first = twin.and_then(|slot| written.get(&(slot.class, slot.at)));
        for (first, own) in first.cloned().unwrap_or_default().zip(inside.clone()) {
            let at = placed.get(first).map(|slot| slot.at);
            if let Some((slot, at)) = placed.get_mut(own).zip(at) {
                moved |= core::mem::replace(&mut slot.at, at) != at;
            }
        }
    }
    moved
}

/// Leaves out what lies inside values that are not placed; whether that is any more than before.
fn hide(all: &mut [Slot<'_>], ranges: &[(usize, Range<usize>)]) -> bool {
    let mut placed = BTreeMap::new();
    for (id, slot) in all.iter().enumerate().filter(|(_, slot)| slot.class > 0 && slot.is_written())
    {
        let best = placed.entry((slot.floor, slot.class)).or_insert((slot.size, id));
        if slot.size > best.0 {
            *best = (slot.size, id);
        }
    }
    let mut more = false;
    for (id, inside) in ranges {
        let Some(slot) = all.get(*id).filter(|slot| slot.is_written()) else { continue };
        if placed.get(&(slot.floor, slot.class)).is_none_or(|(_, best)| best == id) {
            continue;
        }
        for slot in all.get_mut(inside.clone()).unwrap_or_default() {
            more |= core::mem::replace(&mut slot.present, false);
        }
    }
    more
}
