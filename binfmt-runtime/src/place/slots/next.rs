//! Values that end where the next one begins: nothing may lie between.

use super::arrange::Put;
use super::{Slot, State};
use crate::finding::Fault;

/// So many ends of a region are tried for the values without bytes that lie there.
const FURTHER: u64 = 64;

/// So many kinds of offsets are told apart.
const KINDS: usize = 8;

/// Places what could not keep its offset behind all the rest, and then what has no bytes: where that
/// lies, no value before it must end. The slots get their order back.
///
/// Behind a value that goes up to the next one comes the first that can lie right there.
pub(super) fn append<'v>(
    slots: &mut [Slot<'v>],
    mut end: u64,
    (begin, start, section): (u64, u64, bool),
    place: &mut Put<'_, 'v>,
) -> Result<Option<u64>, Fault> {
    let written = |slot: &&Slot<'_>| slot.present && slot.state == State::Placed;
    let last = slots.iter().filter(written).max_by_key(|slot| slot.at);
    let mut follows = last.is_some_and(|slot| slot.ends_at_next);
    find_twins(slots);
    let mut waiting = Waiting::of(slots);
    while let Some(index) = waiting.next(slots, follows.then_some(end)) {
        let led = super::led::place_of(slots, index, end);
        let Some(slot) = slots.get_mut(index) else { return Ok(None) };
        let at = if follows { Some(end) } else { slot.behind_others(end, start, led) };
        let Some(at) = at else { return Ok(None) };
        (slot.at, slot.state) = (at, State::Placed);
        let Some(after) = place(slot, Some(at))? else { return Ok(None) };
        (end, follows) = (after, slot.ends_at_next);
        let Some(after) = place_twins(slots, index, place)? else { return Ok(None) };
        end = end.max(after);
        waiting.go_on(slots, index);
    }
    if !waiting.is_empty() {
        return Ok(None);
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
        before.is_some_and(|slot| slot.ends_at_next && at < slot.at.saturating_add(slot.whole()))
    };
    for slot in empty.iter_mut().filter(|slot| slot.present) {
        let floor = slot.floor.filter(|floor| !slot.ends_at_next && slot.keeps(*floor, least));
        slot.at = floor.filter(|floor| *floor <= end && !inside(*floor)).unwrap_or(end);
        // What goes up to the next value lies at the end of the region, which is not known yet.
        if !slot.ends_at_next && !slot.can_lie_at(slot.at) {
            return Ok(false);
        }
        put(slot, None)?;
    }
    Ok(true)
}

/// Where the region ends: with the last value, where that goes up to the next one or takes all that is left,
/// else as far behind as what is kept of it. Values without bytes that go up to the next one lie there. `None`
/// where no offset tells of that.
pub(super) fn region_end(slots: &mut [Slot<'_>], end: u64, kept_end: u64) -> Option<u64> {
    let closes =
        |slot: &Slot<'_>| slot.has_bytes() && is_last_of(slot, end) || slot.takes_rest_to(end);
    let last = slots.iter().any(closes);
    let rest = |slot: &Slot<'_>| slot.present && slot.ends_at_next && !slot.has_bytes();
    let mut to = if last { end } else { end.max(kept_end) };
    // A region that does not end with the last value may be longer.
    for _ in 0..FURTHER {
        let mut wrong = slots.iter().filter(|slot| rest(slot) && !slot.can_lie_at(to));
        let Some(slot) = wrong.next().filter(|_| !last) else { break };
        to = to.saturating_add(1).max(slot.least);
        to = to.saturating_add(slot.skips(to));
    }
    for slot in slots.iter_mut().filter(|slot| rest(slot)) {
        slot.at = slot.can_lie_at(to).then_some(to)?;
    }
    Some(to)
}

fn is_last_of(slot: &Slot<'_>, end: u64) -> bool {
    slot.present && slot.ends_at_next && slot.ends(end)
}

/// Whether the region must end with the last value.
pub(super) fn is_last(slots: &[Slot<'_>], end: u64) -> bool {
    slots.iter().any(|slot| is_last_of(slot, end))
}

/// Values that share the place of one that has got it lie there, too; one that has come away from its twin, or
/// whose offset may not tell of that place, lies by itself.
fn find_twins(slots: &mut [Slot<'_>]) {
    let mut before: Option<Slot<'_>> = None;
    for slot in slots.iter_mut().filter(|slot| slot.is_written()) {
        if slot.state == State::Joins {
            let shares = |other: &Slot<'_>| match other.state {
                State::Placed => slot.can_lie_at(other.at),
                _ => kind_of(slot) == kind_of(other),
            };
            let twin = before.filter(|other| other.twins() == slot.twins() && shares(other));
            if let Some(twin) = twin {
                if twin.state == State::Placed {
                    slot.lies_with(twin.at);
                }
                continue;
            }
            slot.state = State::Waiting;
        }
        before = Some(*slot);
    }
}

/// The slot at `index` has got its place, and so have those behind it that share that; returns where the last of
/// these ends.
fn place_twins<'v>(
    slots: &mut [Slot<'v>],
    index: usize,
    put: &mut Put<'_, 'v>,
) -> Result<Option<u64>, Fault> {
    let Some((slot, others)) = slots.get_mut(index..).and_then(<[_]>::split_first_mut) else {
        return Ok(None);
    };
    let mut end = 0;
    let others = others.iter_mut().filter(|other| other.is_written());
    for other in
        others.take_while(|other| other.state == State::Joins && other.twins() == slot.twins())
    {
        other.lies_with(slot.at);
        let Some(after) = put(other, Some(slot.at))? else { return Ok(None) };
        end = after.max(end);
    }
    Ok(Some(end))
}

/// Which offsets can tell of a value, as far as that does not follow from other values.
type Kind = ((u64, u64), u64, Option<u64>);

fn kind_of(slot: &Slot<'_>) -> Kind {
    (slot.unit, slot.least, slot.null)
}

/// The first slot of each kind that waits for a place.
struct Waiting {
    firsts: [Option<(Kind, usize)>; KINDS],
    /// Whether all are one kind: what counts from the place of another value comes behind that.
    in_order: bool,
}

impl Waiting {
    fn of(slots: &[Slot<'_>]) -> Self {
        let in_order = slots.iter().any(|slot| slot.leader().is_some());
        let mut waiting = Self { firsts: [None; KINDS], in_order };
        if !waiting.find(slots) {
            waiting = Self { firsts: [None; KINDS], in_order: true };
            waiting.find(slots);
        }
        waiting
    }

    /// Finds the first of each kind; `false` if there are too many kinds.
    fn find(&mut self, slots: &[Slot<'_>]) -> bool {
        let waiting = slots.iter().enumerate().filter(|(_, slot)| slot.is_waiting());
        for (index, slot) in waiting {
            let kind = self.kind_of(slot);
            let mut places = self.firsts.iter_mut();
            let place = places.find(|place| place.is_none_or(|(known, _)| known == kind));
            let Some(place) = place else { return false };
            place.get_or_insert((kind, index));
        }
        true
    }

    fn kind_of(&self, slot: &Slot<'_>) -> Kind {
        if self.in_order { Kind::default() } else { kind_of(slot) }
    }

    /// The first slot that can lie at `at`, if it must lie there.
    fn next(&self, slots: &[Slot<'_>], at: Option<u64>) -> Option<usize> {
        let can = |index: &usize| {
            at.is_none_or(|at| slots.get(*index).is_some_and(|slot| slot.can_lie_at(at)))
        };
        self.firsts.iter().flatten().map(|(_, index)| *index).filter(can).min()
    }

    /// The slot has got its place: the next one of its kind is the first.
    fn go_on(&mut self, slots: &[Slot<'_>], index: usize) {
        let of_kind = |kind: Kind| {
            let behind = slots.iter().enumerate().skip(index.saturating_add(1));
            let mut behind = behind.filter(|(_, slot)| slot.is_waiting());
            behind.find(|(_, slot)| self.kind_of(slot) == kind).map(|(index, _)| (kind, index))
        };
        let place = self.firsts.iter().position(|first| first.is_some_and(|(_, at)| at == index));
        let next = place.and_then(|place| of_kind(self.firsts.get(place).copied()??.0));
        if let Some(first) = place.and_then(|place| self.firsts.get_mut(place)) {
            *first = next;
        }
    }

    fn is_empty(&self) -> bool {
        self.firsts.iter().all(Option::is_none)
    }
}
