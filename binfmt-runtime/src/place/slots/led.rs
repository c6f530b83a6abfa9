//! Values whose place counts from that of another one, with which they move.

use super::{Slot, State};

/// The slots that cannot keep their places, and the leaders of such slots, of the first 64: no other
/// leads.
#[derive(Clone, Copy, Default)]
pub(super) struct Moved(u64);

impl Moved {
    /// A value cannot keep its place; then that from which it counts cannot, either.
    pub(super) fn add(&mut self, slot: &Slot<'_>) {
        let own = u32::try_from(slot.id).ok().and_then(|id| 1_u64.checked_shl(id));
        self.0 |= own.unwrap_or(0) | Self::leader_of(slot);
    }

    /// Whether a value counts from one that cannot keep its place.
    pub(super) fn has_leader_of(self, slot: &Slot<'_>) -> bool {
        self.0 & Self::leader_of(slot) != 0
    }

    fn has(self, slot: &Slot<'_>) -> bool {
        let own = u32::try_from(slot.id).ok().and_then(|id| 1_u64.checked_shl(id));
        own.is_some_and(|own| self.0 & own != 0)
    }

    fn leader_of(slot: &Slot<'_>) -> u64 {
        let leader = slot.leader().and_then(|leader| 1_u64.checked_shl(leader.into()));
        leader.unwrap_or(0)
    }
}

/// Moves what counts from the place of another value behind that; whether any was in front of it. One without
/// bytes gets a place like all others if it has none of its own, or has been found to move.
pub(super) fn move_behind_leaders(slots: &mut [Slot<'_>], least: u64) -> bool {
    let mut any = false;
    let mut at = 0;
    while let Some(slot) = slots.get(at) {
        let leader = slot.leader().filter(|_| slot.present).map(usize::from);
        let led_elsewhere = slot.found;
        let leads = |other: &Slot<'_>| other.present && Some(other.id) == leader;
        // A leader has no leader itself, so that this ends.
        match leader.and_then(|_| slots.iter().position(leads)) {
            Some(found) if found > at => {
                // Behind others, too, that have come there: their order stays.
                let number = slot.leader;
                let behind = slots.iter().skip(found).skip(1);
                let beside = behind.take_while(|other| other.leader == number).count();
                let to = found.saturating_add(beside);
                slots.get_mut(at..=to).unwrap_or_default().rotate_left(1);
                any = true;
                continue;
            }
            Some(found) => {
                let moves = |slot: &&mut Slot<'_>| {
                    let floats = || slot.floor.is_none_or(|floor| !slot.keeps(floor, least));
                    led_elsewhere || floats()
                };
                if let Some(leader) = slots.get_mut(found).filter(moves) {
                    leader.empty = Some(false);
                }
            }
            None => {}
        }
        at = at.saturating_add(1);
    }
    any
}

/// Moves what counts from the place of a value that has none yet right behind that, in front of others
/// that have none; whether any was elsewhere. A value without bytes from which one counts that has `moved`
/// gets a place like all others.
pub(super) fn move_to_leaders(slots: &mut [Slot<'_>], moved: Moved) -> bool {
    let mut any = false;
    for at in 0..slots.len() {
        let Some(slot) = slots.get(at).filter(|slot| slot.leader > 0 && slot.is_waiting()) else {
            continue;
        };
        let (leader, number) = (slot.leader().map(usize::from), slot.leader);
        let before = slots.get(..at).unwrap_or_default();
        let leads = |other: &Slot<'_>| {
            other.present && other.state == State::Waiting && Some(other.id) == leader
        };
        let Some(found) = before.iter().position(leads) else { continue };
        let beside = before.iter().skip(found).skip(1).take_while(|other| other.leader == number);
        let to = found.saturating_add(1).saturating_add(beside.count());
        if let Some(leader) = slots.get_mut(found).filter(|leader| moved.has(leader)) {
            leader.empty = Some(false);
        }
        if to < at {
            slots.get_mut(to..=at).unwrap_or_default().rotate_right(1);
            any = true;
        }
    }
    any
}
