//! Which value lies in which, and what becomes of places that count from one that moves.

use alloc::collections::BTreeMap;
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
/// A place counts from its holder if its slot says so, or no offset leads in front of that: so do those of an offset
/// that adds more than where the holder lies, which are moved without need. Values that share a place keep it while one of
/// their holders does.
pub(super) fn forget(
    all: &mut [Slot<'_>],
    placed: &[Slot<'_>],
    ranges: &[(usize, Range<usize>)],
) -> bool {
    let moves = |(id, _): &&(usize, Range<usize>)| {
        let (slot, placed) = (all.get(*id), placed.get(*id));
        slot.zip(placed).is_some_and(|(slot, placed)| slot.floor != Some(placed.at))
    };
    let own = |id: usize| {
        let number = ranges.binary_search_by_key(&id, |(id, _)| *id).ok();
        number.and_then(|number| ranges.get(number))
    };
    let mut holders: Vec<&(usize, Range<usize>)> = ranges.iter().filter(moves).collect();
    let mut families = Families::of(all);
    let mut more = false;
    while let Some((holder, inside)) = holders.pop() {
        let at = all.get(*holder).map_or(0, |slot| slot.at);
        let mut next = inside.start;
        while next < inside.end {
            let Some(slot) = all.get(next) else { break };
            if (slot.of_its_value || slot.least >= at) && slot.floor.is_some() {
                for id in families.leave(next, slot) {
                    if let Some(slot) = all.get_mut(id) {
                        (slot.floor, more) = (None, true);
                    }
                    holders.extend(own(id));
                }
            }
            // What is inside it is its own.
            next = own(next).map_or(next.saturating_add(1), |(_, inside)| inside.end);
        }
    }
    more
}

/// The values that share each place.
struct Families(BTreeMap<(Option<u64>, usize), (Vec<usize>, usize)>);

impl Families {
    fn of(all: &[Slot<'_>]) -> Self {
        let mut families = BTreeMap::new();
        let shared = all.iter().enumerate().filter(|(_, slot)| slot.present && slot.class > 0);
        for (id, slot) in shared {
            let (ids, _) = families.entry((slot.floor, slot.class)).or_insert((Vec::new(), 0));
            ids.push(id);
        }
        Self(families)
    }

    /// The holder of a value moves; the values that move with it: those of its family when all their
    /// holders do.
    fn leave(&mut self, id: usize, slot: &Slot<'_>) -> Vec<usize> {
        if slot.class == 0 {
            return if slot.shares() { Vec::new() } else { alloc::vec![id] };
        }
        let Some((ids, left)) = self.0.get_mut(&(slot.floor, slot.class)) else {
            return Vec::new();
        };
        *left = left.saturating_add(1);
        if *left == ids.len() { core::mem::take(ids) } else { Vec::new() }
    }
}
