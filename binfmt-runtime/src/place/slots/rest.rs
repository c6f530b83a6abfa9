//! Values without bytes that would take what is left of their region: they lie where nothing is left.

use super::{Slot, nowhere};
use crate::finding::Fault;
use crate::ops::wide;
use crate::writer::Writer;

/// Gives such values a place at the end of their region; whether offsets tell of it.
pub(in crate::place) fn place(slots: &mut [Slot<'_>], end: u64) -> bool {
    slots.iter_mut().filter(|slot| slot.present && slot.is_empty_rest()).all(|slot| {
        // A few bytes may be left, fewer than the value would take.
        let least = slot.rest.map_or(1, |(_, least)| wide(least).max(1));
        let begin = end.saturating_sub(least.saturating_sub(1));
        let own = slot.floor.filter(|own| (begin..=end).contains(own) && slot.can_lie_at(*own));
        let placed = Some(slot.at).filter(|at| (begin..=end).contains(at) && slot.can_lie_at(*at));
        slot.at = own.or(placed).unwrap_or(end);
        slot.can_lie_at(slot.at)
    })
}

/// Places such values, and insists that nothing follows in the region: a section ends there.
pub(super) fn insist(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    end: u64,
    in_section: bool,
) -> Result<(), Fault> {
    if !place(slots, end) {
        return Err(nowhere(out, slots));
    }
    if in_section {
        return Ok(());
    }
    for slot in slots.iter().filter(|slot| slot.present && slot.is_empty_rest()) {
        let Some((field, least)) = slot.rest else { continue };
        out.enter(field);
        out.fewer_at(slot.at, wide(least))?;
        out.leave();
    }
    Ok(())
}
