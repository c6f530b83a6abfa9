//! Values that may share a place and whose bytes are known only when they are written.
//!
//! Values with one stored offset are written there into memory, and those of the same bytes are told
//! apart no more. Who finds out does not look for such values inside, where each then lies by itself:
//! values of the same content still have the same bytes, and what nests costs no more for that.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::slots::{One, Slot};
use crate::finding::Fault;
use crate::writer::{Compared, Writer};

/// Numbers values that are written as the same bytes, where one stored offset tells of several, and says
/// how long each is with its padding.
pub(super) fn find(out: &mut Writer<'_>, slots: &mut [Slot<'_>], one: &mut One<'_>) {
    if out.compares() || !slots.iter().any(|slot| slot.encoded) {
        return;
    }
    let shared = slots.iter().enumerate();
    let shared = shared.filter(|(_, slot)| slot.shares() && slot.is_written());
    let mut shared: Vec<(Option<u64>, usize)> = shared.map(|(id, slot)| (slot.floor, id)).collect();
    shared.sort_unstable();
    let mut class = 0_usize;
    for group in shared.chunk_by(|(a, _), (b, _)| a == b) {
        let [(floor, _), _, ..] = group else { continue };
        let at = floor.unwrap_or_else(|| out.pos());
        let mut known: BTreeMap<Compared, usize> = BTreeMap::new();
        for (_, id) in group {
            // What cannot be written is told when it is to be written.
            let written = out.compared_at(at, &mut |out| one(out, *id).map(drop));
            if let (Some((compared, size)), Some(slot)) = (written, slots.get_mut(*id)) {
                class = class.saturating_add(1);
                (slot.size, slot.shared) = (size, None);
                slot.class = *known.entry(compared).or_insert(class);
            }
        }
    }
}

/// Looks at the rules of the values that lie where another one has been written.
pub(super) fn look_at_all(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    one: &mut One<'_>,
) -> Result<(), Fault> {
    pay(out, slots);
    for slot in slots.iter_mut().filter(|slot| slot.is_twin()) {
        look_at(out, slot, one)?;
    }
    Ok(())
}

/// Readers pay for the values of a region where any share a place.
pub(super) fn pay(out: &mut Writer<'_>, slots: &[Slot<'_>]) {
    if slots.iter().any(Slot::is_twin) {
        let paid = slots.iter().filter(|slot| slot.paid && slot.is_written());
        paid.for_each(|slot| out.owe_visit(slot.size));
    }
}

/// Looks at the rules of a value that lies where another one has been written, and says how long it is, which may
/// be less or more than that one; returns where it ends with its padding, which the other one may not have.
pub(super) fn look_at(
    out: &mut Writer<'_>,
    slot: &mut Slot<'_>,
    one: &mut One<'_>,
) -> Result<u64, Fault> {
    let end = out.only_look(slot.at, &mut |out| {
        slot.size = one(out, slot.id)?;
        Ok(())
    })?;
    slot.whole = end.saturating_sub(slot.at);
    Ok(end)
}
