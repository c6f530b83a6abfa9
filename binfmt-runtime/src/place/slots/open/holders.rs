//! Which value lies in which, and what becomes of places that count from one that moves.

use alloc::vec::Vec;
use core::ops::Range;

use super::super::Slot;
use super::{Early, Met};

/// For each value, which others are inside it: of those that have any.
pub(super) fn ranges(inside: &[usize], met: &[Met], early: &[Early]) -> Vec<(usize, Range<usize>)> {
    let own = inside.len();
    let mut ranges = Vec::new();
    let mut next = own;
    for (id, inside) in inside.iter().enumerate() {
        ranges.push((id, next..next.saturating_add(*inside)));
        next = next.saturating_add(*inside);
    }
    let others = met.iter().chain(early.iter().map(|early| &early.met)).enumerate();
    ranges.extend(others.map(|(number, met)| {
        let id = own.saturating_add(number);
        (id, id.saturating_add(1)..id.saturating_add(met.inside).saturating_add(1))
    }));
    ranges.retain(|(_, inside)| !inside.is_empty());
    ranges
}

/// A place that counts from a value which cannot keep its own is forgotten: what lay beside that value
/// comes behind it where it is now. Whether any more is forgotten than before.
///
/// A place counts from its holder if no offset leads in front of that: so do those of an offset that adds more
/// than where the holder lies, which are moved without need.
pub(super) fn forget(
    all: &mut [Slot<'_>],
    placed: &[Slot<'_>],
    ranges: &[(usize, Range<usize>)],
) -> bool {
    let moves = |(id, _): &&(usize, Range<usize>)| {
        let (slot, placed) = (all.get(*id), placed.get(*id));
        slot.zip(placed).is_some_and(|(slot, placed)| slot.floor != Some(placed.at))
    };
    let mut holders: Vec<&(usize, Range<usize>)> = ranges.iter().filter(moves).collect();
    let mut more = false;
    while let Some((holder, inside)) = holders.pop() {
        let at = all.get(*holder).map_or(0, |slot| slot.at);
        let mut next = inside.start;
        while next < inside.end {
            let Some(slot) = all.get_mut(next) else { break };
            let forgets =
                slot.least >= at && slot.floor.is_some() && !slot.shares() && slot.class == 0;
            let own = ranges.binary_search_by_key(&next, |(id, _)| *id);
            let own = own.ok().and_then(|number| ranges.get(number));
            if forgets {
                (slot.floor, more) = (None, true);
                holders.extend(own);
            }
            // What is inside it is its own.
            next = own.map_or(next.saturating_add(1), |(_, inside)| inside.end);
        }
    }
    more
}
