//! Values that end where the next one begins: nothing may lie between.

use super::arrange::Put;
use super::{Slot, State};
use crate::finding::Fault;

/// Puts a value right behind the one before; `None` where no offset tells of that place.
pub(super) fn put<'v>(
    slot: &mut Slot<'v>,
    end: u64,
    put: &mut Put<'_, 'v>,
) -> Result<Option<u64>, Fault> {
    if !slot.can_lie_at(end) {
        return Ok(None);
    }
    (slot.at, slot.state) = (end, State::Placed);
    put(slot, Some(end))
}

/// Places what could not keep its offset behind all the rest, and then what has no bytes: where that
/// lies, no value before it must end. The slots get their order back.
pub(super) fn append<'v>(
    slots: &mut [Slot<'v>],
    mut end: u64,
    (begin, start, section): (u64, u64, bool),
    place: &mut Put<'_, 'v>,
) -> Result<Option<u64>, Fault> {
    let written = |slot: &&Slot<'_>| slot.present && slot.state == State::Placed;
    let last = slots.iter().filter(written).max_by_key(|slot| slot.at);
    let mut follows = last.is_some_and(|slot| slot.ends_at_next);
    let mut twin = (None, 0, 0);
    for index in 0..slots.len() {
        let led = super::led::place_of(slots, index, end);
        let Some(slot) = slots.get_mut(index).filter(|slot| slot.is_written()) else { continue };
        match slot.state {
            State::Placed => {}
            // One that has come away from its twin lies by itself.
            State::Twin if twin.0 == slot.twins() => (slot.at, slot.size) = (twin.1, twin.2),
            State::Twin | State::Waiting => {
                let at = if follows { Some(end) } else { led.or_else(|| slot.behind(end, start)) };
                let Some(at) = at else { return Ok(None) };
                let Some(after) = put(slot, at, place)? else { return Ok(None) };
                (end, follows) = (after, slot.ends_at_next);
            }
        }
        if slot.twins().is_some() {
            twin = (slot.twins(), slot.at, slot.size);
        }
    }
    let lowest = if section { begin } else { 0 };
    let fits = without_bytes(slots, lowest, end, place)?;
    slots.sort_unstable_by_key(|slot| slot.id);
    Ok(fits.then_some(end))
}

/// Places what has no bytes: where it was, if no value that goes up to the next one lies there; whether
/// offsets tell of all these places.
fn without_bytes<'v>(
    slots: &mut [Slot<'v>],
    least: u64,
    end: u64,
    put: &mut Put<'_, 'v>,
) -> Result<bool, Fault> {
    let is_empty = |slot: &Slot<'_>| !(slot.present && slot.has_bytes());
    slots.sort_unstable_by_key(|slot| (is_empty(slot), slot.at, slot.id));
    let (placed, empty) = slots.split_at_mut(slots.partition_point(|slot| !is_empty(slot)));
    let inside = |at: u64| {
        let before = placed.partition_point(|slot| slot.at < at);
        let before = before.checked_sub(1).and_then(|before| placed.get(before));
        before.is_some_and(|slot| slot.ends_at_next && at < slot.at.saturating_add(slot.size))
    };
    for slot in empty.iter_mut().filter(|slot| slot.present) {
        let floor = slot.floor.filter(|floor| !slot.ends_at_next && slot.keeps(*floor, least));
        slot.at = floor.filter(|floor| *floor <= end && !inside(*floor)).unwrap_or(end);
        if !slot.can_lie_at(slot.at) {
            return Ok(false);
        }
        put(slot, None)?;
    }
    Ok(true)
}

/// Where the region ends: with the last value, where that goes up to the next one, else as far behind as
/// what is kept of it. Values without bytes that go up to the next one lie there. `None` where no offset
/// tells of that.
pub(super) fn region_end(slots: &mut [Slot<'_>], end: u64, kept_end: u64) -> Option<u64> {
    let last = slots.iter().any(|slot| slot.has_bytes() && is_last_of(slot, end));
    let to = if last { end } else { end.max(kept_end) };
    for slot in slots.iter_mut().filter(|slot| slot.present && slot.ends_at_next) {
        if !slot.has_bytes() {
            slot.at = slot.can_lie_at(to).then_some(to)?;
        }
    }
    Some(to)
}

fn is_last_of(slot: &Slot<'_>, end: u64) -> bool {
    slot.present && slot.ends_at_next && slot.at.saturating_add(slot.size) >= end
}

/// Whether the region must end with the last value.
pub(super) fn is_last(slots: &[Slot<'_>], end: u64) -> bool {
    slots.iter().any(|slot| is_last_of(slot, end))
}
