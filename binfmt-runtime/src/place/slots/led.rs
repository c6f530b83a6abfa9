//! Values whose place counts from that of another one, with which they move.

use super::{Slot, State};

/// How far a value lies behind the one that it moves with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Apart {
    /// As far as it may be: a number follows from it.
    #[default]
    Free,
    /// The same for each value of a table, whose items have numbers of their own: they do not lead the one that
    /// they count from.
    OfItem,
    /// As far as numbers say, which may be old.
    Stored,
    /// As far as an earlier pass has found.
    Found {
        /// So many bytes.
        distance: u64,
        /// Something else lies there, so that both move.
        moves: bool,
    },
}

impl Apart {
    /// So many bytes, if an earlier pass has found it.
    pub(super) fn found(self) -> Option<u64> {
        match self {
            Self::Found { distance, .. } => Some(distance),
            Self::Free | Self::OfItem | Self::Stored => None,
        }
    }

    /// Whether a number follows from it.
    pub(super) fn is_free(self) -> bool {
        matches!(self, Self::Free | Self::OfItem)
    }
}

impl Slot<'_> {
    /// The place of the value follows from that of the slot of this number, with which it moves.
    #[must_use]
    pub fn led_by(self, leader: u8) -> Self {
        Self { leader: leader.saturating_add(1), ..self }
    }

    /// The number that counts from there may be so far below 0.
    #[must_use]
    pub fn reaches_back(self, lowest: u64) -> Self {
        Self { in_front: lowest > 0, ..self }
    }

    /// Whether the value may stay in front of the one that its place counts from: the number follows from both.
    fn stays_in_front(&self) -> bool {
        self.in_front && self.floor.is_some() && self.apart.is_free()
    }

    /// Numbers say how far behind that slot the value lies.
    #[must_use]
    pub fn apart(self, apart: Apart) -> Self {
        Self { apart, ..self }
    }

    /// Whether the value cannot lie behind the one that it counts from while that stays.
    #[inline(always)]
    pub(super) fn takes_along(&self) -> bool {
        matches!(self.apart, Apart::Found { moves: true, .. })
    }

    /// Whether the value has no place yet, and belongs right behind the one that it counts from.
    #[inline(always)]
    pub(super) fn comes_to_leader(&self) -> bool {
        self.present && self.leader > 0 && self.floor.is_none()
    }

    /// Whether nothing keeps where the value lies, and how far behind the one that it counts from.
    pub(super) fn comes_last(&self) -> bool {
        self.floats && self.apart.is_free()
    }

    /// The number of the slot that its place counts from.
    pub(super) fn leader(&self) -> Option<u8> {
        self.leader.checked_sub(1)
    }
}

/// The slots that cannot keep their places, and the leaders of such slots, of the first 64: no other
/// leads.
#[derive(Clone, Copy, Default)]
pub(super) struct Moved(u64);

impl Moved {
    /// A value cannot keep its place; then that from which it counts cannot, either, unless nothing keeps how far
    /// it lies behind that.
    pub(super) fn add(&mut self, slot: &Slot<'_>) {
        let own = u32::try_from(slot.id).ok().and_then(|id| 1_u64.checked_shl(id));
        let stays = slot.comes_last() || slot.apart == Apart::OfItem;
        let leader = if stays { 0 } else { Self::leader_of(slot) };
        self.0 |= own.unwrap_or(0) | leader;
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

/// Finds out how far values lie behind those that they count from, and where those that have been found lie while
/// these keep their places. The slots are in the order of their numbers.
pub(super) fn measure(slots: &mut [Slot<'_>]) {
    count_from_absent(slots);
    for at in 0..slots.len() {
        let Some(slot) = slots.get(at).filter(|slot| !slot.apart.is_free()) else { continue };
        let leads = slot.leader().and_then(|leader| slots.get(usize::from(leader)));
        let from = leads.and_then(|leader| leader.floor);
        let stored = slot.floor.zip(from).and_then(|(own, from)| own.checked_sub(from));
        let distance = slot.apart.found();
        let floor = match distance {
            Some(distance) => from.and_then(|from| from.checked_add(distance)),
            None => slot.floor,
        };
        if let Some(slot) = slots.get_mut(at) {
            (slot.distance, slot.floor) = (distance.or(stored), floor);
        }
    }
    // What cannot lie behind a value where that is takes it along.
    for at in 0..slots.len() {
        let moves = slots.get(at).filter(|slot| slot.takes_along());
        let Some(leader) = moves.and_then(Slot::leader) else { continue };
        for (id, slot) in slots.iter_mut().enumerate() {
            // What lies a number behind the same one moves along.
            let moves = slot.leader() == Some(leader) && !slot.apart.is_free();
            if moves || id == usize::from(leader) {
                slot.floor = None;
            }
        }
    }
}

/// What has no bytes, and no place behind `begin`, gets one like all others if a value with bytes counts from it
/// that comes behind all others: so that one lies behind it, and not too far.
pub(super) fn place_leaders(slots: &mut [Slot<'_>], begin: u64) {
    for at in 0..slots.len() {
        let counts = slots.get(at).filter(|slot| slot.comes_last() && slot.is_written());
        let Some(leader) = counts.and_then(Slot::leader) else { continue };
        let leads = slots.get_mut(usize::from(leader)).filter(|leader| leader.present);
        if let Some(leader) = leads.filter(|leader| leader.floor.is_none_or(|floor| floor < begin))
        {
            leader.empty = Some(false);
        }
    }
}

/// Where a value is absent that others count from, the number of its place says so, or stays as it is: no number
/// tells of a place in front of that.
fn count_from_absent(slots: &mut [Slot<'_>]) {
    for at in 0..slots.len() {
        let counts = slots.get(at).filter(|slot| slot.apart.is_free() && !slot.in_front);
        let leads = counts.and_then(Slot::leader).and_then(|leader| slots.get(usize::from(leader)));
        let leads = leads.filter(|leader| !leader.present);
        let from = leads.and_then(|leader| leader.null.or(leader.floor));
        if let Some((slot, from)) = slots.get_mut(at).zip(from) {
            slot.least = slot.least.max(from);
        }
    }
}

/// The place of a value as far behind the one that it counts from as it has to be, if that has been placed and
/// it can lie there.
pub(super) fn place_of(slots: &[Slot<'_>], at: usize, end: u64) -> Option<u64> {
    let slot = slots.get(at)?;
    let (leader, distance) = (usize::from(slot.leader()?), slot.distance?);
    let leads = slots.iter().find(|other| other.id == leader && other.present)?;
    let place = leads.at.checked_add(distance).filter(|_| leads.has_place())?;
    slot.keeps(place, end).then_some(place)
}

/// Finds out which places the number of a value can tell that counts in units from another one, once that has been
/// placed. `last` is the one that the value before counted from, and where that lies, if it is there.
pub(super) fn count_units(slots: &mut [Slot<'_>], at: usize, last: &mut Option<(u8, Option<u64>)>) {
    let counts = slots.get(at).filter(|slot| slot.from_leader);
    let Some(leader) = counts.and_then(Slot::leader) else { return };
    if last.is_none_or(|(known, _)| known != leader) {
        let leads = |slot: &&Slot<'_>| slot.present && slot.id == usize::from(leader);
        let found = slots.iter().find(leads);
        if found.is_some_and(Slot::is_waiting) {
            return;
        }
        *last = Some((leader, found.map(|leader| leader.at)));
    }
    let Some((slot, place)) = slots.get_mut(at).zip(last.and_then(|(_, place)| place)) else {
        return;
    };
    let (unit, left) = slot.unit;
    let left = place.saturating_add(left).checked_rem(unit).unwrap_or(0);
    (slot.unit, slot.from_leader) = ((unit, left), false);
}

/// Where a value lies at least that counts from another one, which has been placed: no number says that it lies in
/// front of that, but for those that may be below 0. `last` is the one that the value before counted from, and where that lies.
pub(super) fn least_of(slots: &[Slot<'_>], at: usize, last: &mut Option<(u8, u64)>) -> u64 {
    let counts = slots.get(at).filter(|slot| slot.present && slot.apart.is_free());
    let counts = counts.filter(|slot| !slot.stays_in_front());
    let Some(leader) = counts.and_then(Slot::leader) else { return 0 };
    if let Some((_, place)) = last.filter(|(known, _)| *known == leader) {
        return place;
    }
    let leads = |slot: &&Slot<'_>| slot.present && slot.id == usize::from(leader);
    let place = slots.iter().find(leads).map_or(0, |slot| slot.at);
    *last = Some((leader, place));
    place
}

/// Moves what counts from the place of another value behind that; whether any was in front of it. One without
/// bytes gets a place like all others if it has none of its own, or has been found to move.
pub(super) fn move_behind_leaders(slots: &mut [Slot<'_>], least: u64) -> bool {
    let mut any = false;
    let mut at = 0;
    // Many values of a table count from the same one, which stays where it is in front of them.
    let mut known = (None, None);
    while let Some(slot) = slots.get(at) {
        let leader = slot.leader().filter(|_| slot.present).map(usize::from);
        let led_elsewhere = slot.apart.found().is_some();
        let leads = |other: &Slot<'_>| other.present && Some(other.id) == leader;
        if leader.is_some() && leader != known.0 {
            known = (leader, slots.iter().position(leads));
        }
        // A leader has no leader itself, so that this ends.
        match known.1.filter(|_| leader.is_some()) {
            Some(found) if found > at && slot.stays_in_front() => {}
            Some(found) if found > at => {
                // Behind others, too, that have come there: their order stays.
                let to = found.saturating_add(beside(slots, found, slot));
                slots.get_mut(at..=to).unwrap_or_default().rotate_left(1);
                (any, known) = (true, (None, None));
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

/// How many slots behind a leader stay in front of one that it leads: those that share its place, and what it leads
/// that lies closer to it.
fn beside(slots: &[Slot<'_>], leader: usize, led: &Slot<'_>) -> usize {
    let mut behind = slots.iter().skip(leader);
    let twins = behind.next().and_then(Slot::twins);
    let is_twin = |other: &Slot<'_>| twins.is_some() && other.twins() == twins;
    // A distance that is stored may be an old one, and is found out once that is known.
    let distance =
        |slot: &Slot<'_>| (slot.distance.unwrap_or(u64::MAX), slot.apart.found().is_none());
    let is_closer =
        |other: &Slot<'_>| other.leader == led.leader && distance(other) <= distance(led);
    behind.take_while(|other| is_twin(other) || is_closer(other)).count()
}

/// Moves what counts from the place of a value that has none yet right behind that, in front of others
/// that have none; whether any was elsewhere. A value without bytes from which one counts that has `moved`
/// gets a place like all others.
///
/// Where nothing stores how far a value lies behind that, a reader finds places for all but this one: it comes
/// behind all of them now, too.
pub(super) fn move_to_leaders(slots: &mut [Slot<'_>], moved: Moved) -> bool {
    let mut any = false;
    // The leader of the value of a table before, where that lies, and where the next one belongs.
    let mut last = (None, None, 0);
    for at in 0..slots.len() {
        let Some(slot) = slots.get(at).filter(|slot| slot.leader > 0 && slot.is_waiting()) else {
            continue;
        };
        let (leader, several) = (slot.leader().map(usize::from), slot.apart == Apart::OfItem);
        let floats = slot.floats;
        let before = slots.get(..at).unwrap_or_default();
        let leads = |other: &Slot<'_>| {
            other.present && other.state != State::Placed && Some(other.id) == leader
        };
        if !several || leader != last.0 {
            let found = before.iter().position(leads);
            let behind = found
                .map(|found| found.saturating_add(1).saturating_add(beside(before, found, slot)));
            last = (leader.filter(|_| several), found, behind.unwrap_or_default());
        }
        let (_, Some(found), to) = last else { continue };
        last.2 = to.saturating_add(1);
        let Some(leader) = slots.get_mut(found) else { continue };
        if moved.has(leader) {
            leader.empty = Some(false);
        }
        let comes_last = floats && !leader.floats;
        if to < at && !comes_last {
            slots.get_mut(to..=at).unwrap_or_default().rotate_right(1);
            any = true;
        }
    }
    any
}
