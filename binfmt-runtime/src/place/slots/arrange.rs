//! The order in which values are placed, and where.

use super::led::{self, Moved};
use super::{Slot, State, next};
use crate::finding::Fault;

/// Takes a slot with its place, and says where the value ends.
pub(super) type Put<'p, 'v> =
    dyn FnMut(&mut Slot<'v>, Option<u64>) -> Result<Option<u64>, Fault> + 'p;

/// Gives every slot its place, one behind the other and behind `end`; returns where the last value ends, or `None`
/// when one lies beyond what an offset can tell.
///
/// Alignments count from `start`. In the order of the stored offsets, a value keeps its own if it
/// lies behind those that do; the others follow, aligned, in the same order. Equal values that are
/// shared and have the same stored offset get one place. `put` is called once for each value, in the
/// order of the places, and says where the value ends with its padding, which of several at one place differs;
/// the place is `None` where there are no bytes.
pub(in crate::place) fn arrange<'v>(
    slots: &mut [Slot<'v>],
    mut end: u64,
    (begin, start, section): (u64, u64, bool),
    put: &mut Put<'_, 'v>,
) -> Result<Option<u64>, Fault> {
    for (id, slot) in slots.iter_mut().enumerate() {
        slot.id = id;
    }
    if slots.iter().any(|slot| slot.leader > 0) {
        led::measure(slots);
        led::place_leaders(slots, begin);
    }
    number_classes(slots);
    // Mostly values are declared in the order in which they lie.
    let mut ordered = slots.iter().filter(|slot| slot.present).map(Slot::stored_order).is_sorted();
    if !ordered {
        slots.sort_unstable_by_key(Slot::stored_order);
    }
    let least = if section { begin } else { 0 };
    ordered &= !led::move_behind_leaders(slots, least);
    // What the value before may share, and its place if it has one.
    let (mut before, mut lies) = (None, None::<u64>);
    let mut follows = false;
    let mut moved = Moved::default();
    for slot in slots.iter_mut().filter(|slot| slot.present && slot.has_bytes()) {
        let led = moved.has_leader_of(slot);
        if slot.state == State::Placed || slot.is_last() || led {
            // It lies there already, or comes behind all others, or behind what cannot keep its place.
        } else if slot.twins().is_some()
            && before == slot.twins()
            && lies.is_none_or(|at| slot.can_share(at, start))
        {
            if let Some(at) = lies {
                slot.lies_with(at);
                let Some(after) = put(slot, Some(at))? else { return Ok(None) };
                end = end.max(after);
            } else {
                slot.state = State::Joins;
                moved.add(slot);
            }
        } else if slot.comes_next(follows, end) {
            // All that is behind such a value follows without bytes between; what has no offset, last.
            (slot.at, slot.state) = (end, State::Placed);
            let Some(after) = put(slot, Some(end))? else { return Ok(None) };
            (end, follows) = (after, slot.ends_at_next);
        } else if let Some(floor) = slot.floor.filter(|floor| !follows && slot.keeps(*floor, end)) {
            (slot.at, slot.state) = (floor, State::Placed);
            let Some(after) = put(slot, Some(floor))? else { return Ok(None) };
            (end, follows) = (after, slot.ends_at_next);
        } else {
            moved.add(slot);
        }
        before = slot.twins();
        lies = match slot.state {
            State::Placed => Some(slot.at),
            State::Twin => lies,
            State::Joins | State::Waiting => None,
        };
    }
    ordered &= !led::move_to_leaders(slots, moved);
    let end = if slots.iter().any(|slot| slot.ends_at_next) {
        next::append(slots, end, (begin, start, section), put)?
    } else {
        append(slots, end, (begin, start, section), put)?
    };
    if !ordered {
        slots.sort_unstable_by_key(|slot| slot.id);
    }
    Ok(end)
}

/// Places what could not keep its offset behind all the rest.
fn append<'v>(
    slots: &mut [Slot<'v>],
    mut end: u64,
    (begin, start, section): (u64, u64, bool),
    put: &mut Put<'_, 'v>,
) -> Result<Option<u64>, Fault> {
    let (mut twin, mut counted) = (Slot::default(), None);
    // A section ends where its bytes do.
    let least = if section { begin } else { 0 };
    for index in 0..slots.len() {
        if slots.get(index).is_some_and(Slot::is_written) {
            led::count_units(slots, index, &mut counted);
        }
        let led = led::place_of(slots, index, end);
        let Some(slot) = slots.get_mut(index).filter(|slot| slot.is_written()) else { continue };
        match slot.state {
            State::Placed | State::Twin => {}
            // One that has come away from its twin lies by itself.
            State::Joins if twin.twins() == slot.twins() && slot.can_share(twin.at, start) => {
                slot.lies_with(twin.at);
                let Some(after) = put(slot, Some(slot.at))? else { return Ok(None) };
                end = end.max(after);
            }
            State::Joins | State::Waiting => {
                let Some(at) = slot.behind_others(end, start, led) else { return Ok(None) };
                (slot.at, slot.state) = (at, State::Placed);
                let Some(after) = put(slot, Some(at))? else { return Ok(None) };
                end = after;
            }
        }
        if slot.twins().is_some() {
            twin = *slot;
        }
    }
    end = append_empty(slots, (least, end), put)?;
    // What would take all that is behind it comes behind all others.
    for slot in slots.iter_mut().filter(|slot| slot.present && slot.is_empty_rest()) {
        end = end.max(slot.without_bytes(end, end));
        put(slot, None)?;
    }
    Ok(Some(end))
}

/// Places those without bytes that are not placed yet, but for such as would take all that is left; returns where all
/// ends.
fn append_empty<'v>(
    slots: &mut [Slot<'v>],
    (least, mut end): (u64, u64),
    put: &mut Put<'_, 'v>,
) -> Result<u64, Fault> {
    // Nothing moves for what has no bytes, wherever that lies, unless nothing may follow the last value.
    let closes = slots.iter().any(|slot| slot.takes_rest_to(end));
    let (mut leader, mut counted) = (None, None);
    for index in 0..slots.len() {
        led::count_units(slots, index, &mut counted);
        let (from, led) =
            (led::least_of(slots, index, &mut leader), led::place_of(slots, index, least));
        let waits = |slot: &Slot<'_>| slot.present && slot.state != State::Placed;
        let is_empty = |slot: &&mut Slot<'_>| waits(slot) && !slot.has_bytes();
        let Some(slot) = slots.get_mut(index).filter(is_empty) else { continue };
        if !slot.is_empty_rest() {
            slot.least = slot.least.max(from);
            slot.floor = led.or(slot.floor);
            let at = slot.without_bytes(least, end);
            if closes && at > end && slot.can_lie_at(end) {
                slot.at = end;
            }
            end = end.max(slot.at);
            put(slot, None)?;
        }
    }
    Ok(end)
}

/// Gives values that may share a place the number of the first of them, and 1: in the order of the values they come
/// with that one, whatever it is that they have in common.
#[cfg(feature = "alloc")]
pub(super) fn number_classes(slots: &mut [Slot<'_>]) {
    if slots.iter().all(|slot| slot.twins().is_none()) {
        return;
    }
    let mut firsts = alloc::collections::BTreeMap::new();
    for slot in slots {
        if let Some(twins) = slot.twins() {
            slot.class = *firsts.entry(twins).or_insert(slot.id.saturating_add(1));
        }
    }
}

/// Without memory they are few, and looked for; those in front have not changed yet.
#[cfg(not(feature = "alloc"))]
pub(super) fn number_classes(slots: &mut [Slot<'_>]) {
    for index in (0..slots.len()).rev() {
        let twins = slots.get(index).and_then(Slot::twins);
        let first = slots.iter().find(|slot| twins.is_some() && slot.twins() == twins);
        let first = first.map(|slot| slot.id.saturating_add(1));
        if let Some((slot, first)) = slots.get_mut(index).zip(first) {
            slot.class = first;
        }
    }
}
