//! Values that are placed from the end of their section downwards, as in the pages of databases.

use core::cmp::Reverse;

#[cfg(feature = "alloc")]
use super::again;
use super::anew::no_room;
use super::{One, Slot, SlotRegion, State, background};
use crate::finding::{Fault, Show};
use crate::ops::wide;
#[cfg(feature = "alloc")]
use crate::place::Phase;
use crate::writer::{Pattern, Writer};

/// How many places in front of one that cannot be told are looked at.
const MAX_STEPS: u64 = 1 << 12;

/// So many values at most are placed between others.
const MAX_BETWEEN: usize = 16;

/// How often values are measured, each where it would lie going by the sizes before, until more of them forget
/// where their parts lie.
const MAX_ROUNDS: u32 = 4;

/// Which values forget where their parts lie: those may lie where the value has been, so that it gets longer the
/// further it moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Forget {
    Nothing,
    /// Those that do not lie where they were.
    Moved,
    All,
}

impl Forget {
    const COUNT: u32 = 3;

    fn has(self, slot: &Slot<'_>) -> bool {
        match self {
            Self::Nothing => false,
            Self::Moved => slot.floor != Some(slot.at),
            Self::All => true,
        }
    }

    fn more(self) -> Option<Self> {
        match self {
            Self::Nothing => Some(Self::Moved),
            Self::Moved => Some(Self::All),
            Self::All => None,
        }
    }
}

/// Writes located values into a section that keeps its length: each in its place while it fits there, the
/// others in front of all that do.
#[inline(never)]
pub fn write_down(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    slot_region: SlotRegion<'_, impl Pattern>,
    one: &mut One<'_>,
) -> Result<u64, Fault> {
    #[cfg(feature = "alloc")]
    return out.in_phase(Phase::Refused, |out| write_placed(out, slots, slot_region, one));
    #[cfg(not(feature = "alloc"))]
    write_placed(out, slots, slot_region, one)
}

fn write_placed(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    slot_region: SlotRegion<'_, impl Pattern>,
    one: &mut One<'_>,
) -> Result<u64, Fault> {
    let (begin, kept) = (out.pos(), slot_region.kept.unwrap_or_default());
    if out.is_probe() || (out.is_compact() && kept.is_empty()) {
        // Without the bytes of the section its length is that of the values.
        return super::write_all(out, slots, slot_region, begin, one);
    }
    let end = begin.saturating_add(wide(kept.len()));
    let numbering = out.begin_located(slots.len())?;
    out.enter_located(slots.len());
    let mut one = |out: &mut Writer<'_>, id: usize| out.located(numbering, id, |out| one(out, id));
    let written = write_measured(out, slots, (slot_region, begin, end), &mut one);
    out.leave_located();
    out.end_located(numbering);
    written.map(|()| end)
}

/// The same, with the numbers of each value counted by themselves.
fn write_measured(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    (slot_region, begin, end): (SlotRegion<'_, impl Pattern>, u64, u64),
    one: &mut One<'_>,
) -> Result<(), Fault> {
    let kept = slot_region.kept.unwrap_or_default();
    let (fit, forget) = place(out, slots, (begin, end), slot_region.start, one)?;
    if !fit && !out.is_measuring() {
        let needed = slots.iter().filter(|slot| slot.is_written());
        let needed = needed.map(|slot| slot.size).fold(0, u64::saturating_add);
        no_room(out, begin, (wide(kept.len()), needed))?;
    }
    if out.is_measuring() || !fit {
        // So would writing them.
        return background(out, kept, begin, end, slot_region.fill);
    }
    // A value comes before those that share its place, and what has no bytes may lie there, too.
    slots.sort_unstable_by_key(|slot| (slot.at, slot.state == State::Twin, slot.id));
    let mut last = 0;
    for slot in slots.iter_mut().filter(|slot| slot.present) {
        if slot.state == State::Twin {
            slot.size = last;
            continue;
        }
        if slot.is_written() {
            background(out, kept, begin, slot.at, slot_region.fill)?;
        }
        let (from, measured) = (out.pos(), slot.size);
        slot.size = out.moving(forget.has(slot), |out| one(out, slot.id))?;
        let written = out.pos().saturating_sub(from);
        if written != measured {
            let what = format_args!("the length of the value depends on its place");
            return Err(out.fail("size", what, Show::Uint(measured), Show::Uint(written)));
        }
        if slot.has_bytes() {
            last = slot.size;
        }
    }
    background(out, kept, begin, end, slot_region.fill)?;
    slots.sort_unstable_by_key(|slot| slot.id);
    #[cfg(feature = "alloc")]
    {
        let moved: alloc::vec::Vec<bool> = slots.iter().map(|slot| forget.has(slot)).collect();
        crate::place::twins::look_at_all(out, slots, &mut |out, id| {
            out.moving(moved.get(id).copied().unwrap_or_default(), |out| one(out, id))
        })?;
    }
    super::rest::insist(out, slots, end, true)
}

/// Measures the values and gives them their places, until these are where they have been measured; whether
/// all fit, and which have forgotten where their parts lie.
fn place(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    (begin, end): (u64, u64),
    start: u64,
    one: &mut One<'_>,
) -> Result<(bool, Forget), Fault> {
    for (id, slot) in slots.iter_mut().enumerate() {
        let floor = slot.floor.filter(|floor| slot.keeps(*floor, begin) && *floor <= end);
        (slot.id, slot.at) = (id, floor.unwrap_or(begin));
    }
    let numbers = out.numbers();
    let mut forget = Forget::Nothing;
    measure(out, slots, forget, one)?;
    #[cfg(feature = "alloc")]
    crate::place::twins::find(out, slots, one);
    let mut fit = arrange_to_stay(slots, (begin, end), start);
    // The values have been measured; to do so again, too, would double that at every level.
    let rounds = if out.is_measuring() { 1 } else { Forget::COUNT * MAX_ROUNDS };
    for round in 1..rounds {
        if !fit || round % MAX_ROUNDS == 0 {
            match forget.more() {
                Some(more) => forget = more,
                None if !fit => break,
                None => {}
            }
        }
        out.go_to_number(numbers);
        let changed = measure(out, slots, forget, one)?;
        if fit && !changed {
            break;
        }
        fit = arrange_to_stay(slots, (begin, end), start);
    }
    Ok((fit, forget))
}

/// Gives every slot a place where it stays once that has been read; whether all of them have one.
fn arrange_to_stay(slots: &mut [Slot<'_>], section: (u64, u64), start: u64) -> bool {
    let fit = arrange(slots, section, start);
    #[cfg(feature = "alloc")]
    if fit {
        let placed = again::until_they_stay(slots, slots.to_vec(), &mut |again| {
            Ok(arrange(again, section, start))
        });
        for (slot, placed) in slots.iter_mut().zip(placed.unwrap_or_default()) {
            (slot.at, slot.state) = (placed.at, placed.state);
        }
    }
    fit
}

/// Measures every value where its slot says; whether one has another size than before.
fn measure(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    forget: Forget,
    one: &mut One<'_>,
) -> Result<bool, Fault> {
    let mut changed = false;
    for slot in slots.iter_mut().filter(|slot| slot.present) {
        let (id, moved) = (slot.id, forget.has(slot));
        let measure =
            |out: &mut Writer<'_>| out.measured_at(slot.at, &mut |out| one(out, id).map(drop));
        let size = out.moving(moved, measure)?;
        changed |= size != slot.size;
        (slot.size, slot.empty) = (size, Some(size == 0));
    }
    Ok(changed)
}

/// Gives every slot its place, from the end of the section downwards; whether all of them have one.
/// Where some have none although there is enough space, they lie between the others, or all are placed anew.
pub(in crate::place) fn arrange(slots: &mut [Slot<'_>], section: (u64, u64), start: u64) -> bool {
    super::arrange::number_classes(slots);
    [Keep::InFront, Keep::Between, Keep::Nothing]
        .into_iter()
        .any(|keep| arrange_with(slots, section, start, keep))
}

/// Which values keep their places, and where the others lie.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    /// In front of all that keep theirs.
    InFront,
    /// Wherever there is room, if nothing stores where they are.
    Between,
    /// None does.
    Nothing,
}

fn arrange_with(slots: &mut [Slot<'_>], (begin, end): (u64, u64), start: u64, keep: Keep) -> bool {
    // From the last one to the first. Those whose place the value does not say lie in front of all whose place
    // it says, be it one that they can keep or not: when it is read, all of these have one, and keep it.
    slots.sort_unstable_by_key(|slot| {
        let (_, floor, _, order) = slot.stored_order();
        (slot.floor.is_none(), Reverse(floor), order)
    });
    let mut limit = end;
    let (mut before, mut lies) = (None, None);
    for slot in slots.iter_mut().filter(|slot| slot.present && slot.has_bytes()) {
        slot.state = State::Waiting;
        let fits = |floor: &u64| {
            let ends = floor.checked_add(slot.size).is_some_and(|ends| ends <= limit);
            keep != Keep::Nothing && slot.keeps(*floor, begin) && ends
        };
        let shares = |lies: &Option<u64>| lies.is_none_or(|at| slot.can_share(at, start));
        if slot.twins().is_some() && before == slot.twins() && shares(&lies) {
            slot.state = State::Joins;
        } else if let Some(floor) = slot.floor.filter(fits) {
            (slot.at, slot.state, limit) = (floor, State::Placed, floor);
        }
        if slot.state != State::Joins {
            lies = (slot.state == State::Placed).then_some(slot.at);
        }
        before = slot.twins();
    }
    if keep == Keep::Between && !place_between(slots, (begin, end), start) {
        return false;
    }
    let mut twin = 0;
    for slot in slots.iter_mut().filter(|slot| slot.present && slot.has_bytes()) {
        match slot.state {
            State::Placed | State::Twin => {}
            State::Joins if slot.can_share(twin, start) => slot.lies_with(twin),
            State::Joins | State::Waiting => {
                let Some(at) = below(slot, (begin, limit), start) else { return false };
                (slot.at, slot.state, limit) = (at, State::Placed, at);
            }
        }
        twin = slot.at;
    }
    for slot in slots.iter_mut().filter(|slot| slot.present && !slot.has_bytes()) {
        let floor = slot.floor.filter(|floor| slot.keeps(*floor, begin) && *floor <= end);
        let Some(at) = floor.or_else(|| below(slot, (begin, limit), start)) else { return false };
        slot.at = at;
    }
    slots.sort_unstable_by_key(|slot| slot.id);
    true
}

/// Gives values without an offset the last places between those that keep theirs, if they are few and all that wait;
/// whether all of them have one.
fn place_between(slots: &mut [Slot<'_>], (begin, end): (u64, u64), start: u64) -> bool {
    let mut waiting = slots.iter().filter(|slot| slot.is_waiting());
    let fits = |slot: &Slot<'_>| slot.has_no_offset() && slot.twins().is_none();
    if waiting.clone().count() > MAX_BETWEEN || !waiting.all(fits) {
        return false;
    }
    while let Some(first) = slots.iter().position(Slot::is_waiting) {
        // What needs most room has most to choose from.
        let waiting = slots.iter().enumerate().filter(|(_, slot)| slot.is_waiting());
        let largest = waiting.max_by_key(|(index, slot)| (slot.size, Reverse(*index)));
        let Some((index, slot)) = largest.map(|(index, slot)| (index, *slot)) else { return false };
        // Those that have a place come one in front of the other, and those that wait behind them.
        let (mut limit, mut found) = (end, None);
        let placed = slots.iter().enumerate().filter(|(_, slot)| slot.is_placed());
        for (before, other) in placed {
            let behind = (other.at.saturating_add(other.size), limit);
            found = below(&slot, behind, start).map(|at| (before, at));
            if found.is_some() {
                break;
            }
            limit = other.at;
        }
        let found = found.or_else(|| Some((first, below(&slot, (begin, limit), start)?)));
        let Some((before, at)) = found else { return false };
        if let Some(slot) = slots.get_mut(index) {
            (slot.at, slot.state) = (at, State::Placed);
        }
        slots.get_mut(before..=index).unwrap_or_default().rotate_right(1);
    }
    true
}

/// The last place for a value that ends in front of `limit`; one that is not aligned where no number can
/// tell an aligned one.
fn below(slot: &Slot<'_>, section: (u64, u64), start: u64) -> Option<u64> {
    let aligned = |align| below_aligned(slot, section, start, align);
    aligned(slot.align.max(1)).or_else(|| aligned(1))
}

fn below_aligned(
    slot: &Slot<'_>,
    (begin, limit): (u64, u64),
    start: u64,
    align: u64,
) -> Option<u64> {
    let mut last = limit.checked_sub(slot.size)?;
    for _ in 0..MAX_STEPS {
        let off = last.checked_sub(start)?.checked_rem(align)?;
        let at = last.checked_sub(off).filter(|at| *at >= begin)?;
        if slot.can_lie_at(at) {
            return Some(at);
        }
        last = at.checked_sub(1)?;
    }
    None
}
