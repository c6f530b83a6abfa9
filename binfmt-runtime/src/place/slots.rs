//! Where located values go when they are written: slots, and the rooms that they share.

use crate::finding::Fault;
use crate::ops::{align_up, wide};
use crate::writer::{MAX_SECTIONS, Writer};

/// A located value to be placed, by absolute offsets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slot<'v> {
    /// The stored offset, which the value keeps if it can.
    pub floor: Option<u64>,
    /// Size in bytes, without what aligns its end.
    pub size: u64,
    /// Alignment of a new place, counted from the start of the value around it.
    pub align: u64,
    /// What the end is padded to, counted likewise.
    pub pad: u64,
    /// Whether the value is there at all.
    pub present: bool,
    /// The bytes of a value that equal ones may share their place with.
    pub shared: Option<&'v [u8]>,
    /// The offset it got.
    pub at: u64,
    /// Its number in the room.
    pub id: usize,
    state: State,
}

/// How far the placing of a slot has got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Waiting,
    Placed,
    /// It lies where the slot before it does.
    Twin,
}

impl<'v> Slot<'v> {
    /// A slot that has no place yet.
    pub fn new(
        present: bool,
        floor: Option<u64>,
        size: u64,
        (align, pad): (u64, u64),
        shared: Option<&'v [u8]>,
    ) -> Self {
        Self { floor, size, align, pad, present, shared, at: 0, id: 0, state: State::Waiting }
    }

    /// The place as an offset from `base`.
    pub fn offset_from(&self, base: u64) -> u64 {
        self.at.saturating_sub(base)
    }

    /// Makes a stored offset that counts from `base` absolute.
    pub fn rebase(&mut self, base: u64) {
        self.floor = self.floor.and_then(|floor| floor.checked_add(base));
    }

    /// Whether the bytes of this slot are written, and not those of an equal one.
    pub fn writes(&self) -> bool {
        self.present && self.size > 0 && self.state != State::Twin
    }

    /// What comes first is placed first.
    fn stored_order(&self) -> (u64, Option<&'v [u8]>, usize) {
        (self.floor.unwrap_or(u64::MAX), self.shared, self.id)
    }

    /// Where the padded value ends if it begins at `at`.
    #[inline(always)]
    fn end(&self, at: u64, start: u64) -> Option<u64> {
        let len = at.checked_add(self.size)?.checked_sub(start)?;
        align_up(len, self.pad)?.checked_add(start)
    }

    /// The first place for the value that is not before `end`.
    #[inline(always)]
    fn behind(&self, end: u64, start: u64) -> Option<u64> {
        align_up(end.saturating_sub(start), self.align)?.checked_add(start)
    }
}

/// Gives every slot its place in a room that begins at `room`; returns where the last one ends, and
/// whether they lie in the order of their declaration.
///
/// Alignments count from `start`. Values keep their stored offsets while they fit behind one
/// another; the others follow, aligned, in the same order. Equal values that are shared and have
/// the same stored offset get one place.
#[inline(always)]
pub fn place(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    room: u64,
    start: u64,
    section: bool,
) -> Result<(u64, bool), Fault> {
    if let Some(end) = in_turn(slots, room, start) {
        return Ok((end, true));
    }
    match arrange(slots, room, start, section) {
        Some(end) => Ok((end, false)),
        None => Err(out.overflow("at")),
    }
}

/// The places of slots that lie as they are declared, which most do: those with a stored offset
/// keep it, and the others follow them. `None` where `arrange` has to look closer.
#[inline(always)]
fn in_turn(slots: &mut [Slot<'_>], room: u64, start: u64) -> Option<u64> {
    let turn = Turn { end: room, start, appends: false };
    // A room of few fields is a list whose length the compiler knows.
    let turn = match slots {
        [a] => turn.next(0, a)?,
        [a, b] => turn.next(0, a)?.next(1, b)?,
        [a, b, c] => turn.next(0, a)?.next(1, b)?.next(2, c)?,
        more => {
            more.iter_mut().enumerate().try_fold(turn, |turn, (id, slot)| turn.next(id, slot))?
        }
    };
    Some(turn.end)
}

/// How far slots have been placed that lie as they are declared.
#[derive(Clone, Copy)]
struct Turn {
    end: u64,
    start: u64,
    /// Whether a slot without a stored offset has been placed, behind which none can keep its own.
    appends: bool,
}

impl Turn {
    #[inline(always)]
    fn next(mut self, id: usize, slot: &mut Slot<'_>) -> Option<Self> {
        slot.id = id;
        if !slot.present {
            return Some(self);
        }
        let at = match slot.floor {
            Some(floor) if floor >= self.end && !self.appends => floor,
            Some(_) => return None,
            None => slot.behind(self.end, self.start)?,
        };
        if slot.size == 0 || slot.shared.is_some() {
            return None;
        }
        self.appends |= slot.floor.is_none();
        self.end = slot.end(at, self.start)?;
        (slot.at, slot.state) = (at, State::Placed);
        Some(self)
    }
}

/// The places of all slots, however they lie; `None` when one lies beyond what an offset can tell.
#[inline(never)]
pub(super) fn arrange(slots: &mut [Slot<'_>], room: u64, start: u64, section: bool) -> Option<u64> {
    for (id, slot) in slots.iter_mut().enumerate() {
        slot.id = id;
    }
    // Mostly fields are declared in the order in which they lie.
    let there = slots.iter().filter(|slot| slot.present);
    let ordered = there.map(Slot::stored_order).is_sorted();
    if !ordered {
        slots.sort_unstable_by_key(Slot::stored_order);
    }
    let mut end = room;
    let mut before = None;
    for slot in slots.iter_mut().filter(|slot| slot.present && slot.size > 0) {
        slot.state = State::Waiting;
        if slot.shared.is_some() && before == Some((slot.floor, slot.shared)) {
            slot.state = State::Twin;
        } else if let Some(floor) = slot.floor.filter(|floor| *floor >= end)
            && let Some(after) = slot.end(floor, start)
        {
            (slot.at, slot.state, end) = (floor, State::Placed, after);
        }
        before = Some((slot.floor, slot.shared));
    }
    append(slots, &mut end, (room, start), section)?;
    if !ordered {
        slots.sort_unstable_by_key(|slot| slot.id);
    }
    Some(end)
}

/// Places what could not keep its offset behind all the rest.
fn append(
    slots: &mut [Slot<'_>],
    end: &mut u64,
    (room, start): (u64, u64),
    section: bool,
) -> Option<()> {
    let mut twin = 0;
    for slot in slots.iter_mut().filter(|slot| slot.present) {
        if slot.size == 0 {
            // Nothing is written, so any offset will do that lies in what is; a section ends where
            // its bytes do.
            slot.at = slot.floor.filter(|floor| !section || *floor >= room).unwrap_or(*end);
            *end = (*end).max(slot.at);
            continue;
        }
        match slot.state {
            State::Placed => {}
            State::Twin => slot.at = twin,
            State::Waiting => {
                slot.at = slot.behind(*end, start)?;
                *end = slot.end(slot.at, start)?;
                slot.state = State::Placed;
            }
        }
        twin = slot.at;
    }
    Some(())
}

/// Counts a room without writing it.
pub fn count(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    section: Option<&[u8]>,
    start: u64,
) -> Result<(), Fault> {
    let room = out.pos();
    let kept = wide(section.map_or(0, <[u8]>::len));
    let (end, _) = place(out, slots, room, start, section.is_some())?;
    let end = end.max(room.saturating_add(kept));
    out.fill(0, end.saturating_sub(room))
}

/// Puts slots that have their places into the order in which they are written.
#[inline(never)]
pub fn in_order(slots: &mut [Slot<'_>]) {
    slots.sort_unstable_by_key(|slot| (slot.at, slot.id));
}

/// Where the sections of a value begin, if the declaration says it; the value begins at `start`.
#[inline(always)]
pub fn known(start: u64, offsets: &[Option<usize>]) -> Option<[u64; MAX_SECTIONS]> {
    let mut known = [0; MAX_SECTIONS];
    for (known, offset) in known.iter_mut().zip(offsets) {
        *known = start.checked_add(wide((*offset)?))?;
    }
    Some(known)
}

/// Writes what lies between located fields: the section's own bytes where it has some, else fill.
#[inline(always)]
pub fn background(
    out: &mut Writer<'_>,
    section: &[u8],
    section_start: u64,
    to: u64,
    fill: u8,
) -> Result<(), Fault> {
    if out.pos() == to { Ok(()) } else { between(out, section, section_start, to, fill) }
}

#[inline(never)]
fn between(
    out: &mut Writer<'_>,
    section: &[u8],
    section_start: u64,
    to: u64,
    fill: u8,
) -> Result<(), Fault> {
    if out.pos() > to {
        return crate::write::settled(out, to);
    }
    let from = usize::try_from(out.pos().saturating_sub(section_start)).unwrap_or(usize::MAX);
    let until = usize::try_from(to.saturating_sub(section_start)).unwrap_or(usize::MAX);
    let kept = section.get(from..until.min(section.len())).unwrap_or_default();
    out.put(kept)?;
    let more = to.saturating_sub(out.pos());
    out.fill(fill, more)
}
