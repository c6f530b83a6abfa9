//! Values lie where a writer places them once more when what it has written has been read: only then is an
//! untouched value written as it was.
//!
//! A reader finds the offsets that are stored, and those that nothing keeps are found out anew, among values that
//! may have moved since. So what has been placed is placed again as it would be read, until nothing moves any more.

use alloc::vec::Vec;

use super::{Apart, Slot, State, arrange, rest};
use crate::finding::{Fault, Show};
use crate::writer::Writer;

/// How often values are placed again: mostly none moves more than once.
const MAX_TIMES: u32 = 8;

/// What the placing of values goes by, beside their slots: where they begin, where their region does, what alignments
/// count from, and whether it is a section.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) begin: u64,
    pub(super) start: u64,
    pub(super) section: bool,
}

/// Which numbers of the pass tell where values lie that did not stay where they had been placed: the first one,
/// and one for each value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Again {
    first: usize,
}

impl Again {
    pub(super) fn of(first: usize) -> Self {
        Self { first }
    }

    /// The values have been stored where an earlier pass has found that they stay. The slots are in the order of
    /// their numbers.
    pub(super) fn recall(self, out: &Writer<'_>, slots: &mut [Slot<'_>]) {
        for (id, slot) in slots.iter_mut().enumerate().filter(|(_, slot)| !slot.floats) {
            if let Some(place) = out.learned_number(self.first.wrapping_add(id)) {
                slot.floor = Some(place);
            }
        }
    }

    /// Places the values again as they would be read: `before` are their slots without places, and `placed` the same
    /// with these. Where any moves, the next pass knows.
    pub(super) fn insist(
        self,
        out: &mut Writer<'_>,
        (before, placed): (&[Slot<'_>], &[Slot<'_>]),
        (bounds, end): (Bounds, u64),
    ) -> Result<(), Fault> {
        // Where numbers say how far a value lies behind one that nothing keeps, this pass finds that out.
        let waits = |slot: &Slot<'_>| {
            let leads = slot.leader().and_then(|leader| before.get(usize::from(leader)));
            slot.present && slot.apart == Apart::Stored && leads.is_some_and(|leads| leads.floats)
        };
        if before.iter().any(waits) {
            return Ok(());
        }
        let mut again = as_read(before, placed);
        if !place(&mut again, bounds, end)? || !moves(&again, placed) {
            return Ok(());
        }
        let mut learns = false;
        for (id, (own, slot)) in before.iter().zip(&again).enumerate() {
            if slot.present && slot.floor.is_some() && own.floor != Some(slot.at) {
                let index = self.first.wrapping_add(id);
                out.learn_place(index, (own.floor, Some(slot.at)), "", slot.at)?;
                learns = true;
            }
        }
        // None of what is stored would be another number, and still it moves.
        if learns { Ok(()) } else { Err(unsettled(out, bounds.begin)) }
    }
}

#[cold]
fn unsettled(out: &mut Writer<'_>, at: u64) -> Fault {
    let what = format_args!(
        "the places of the values follow from one another, and none are found where they stay when they have been read"
    );
    out.fail_at(at, "unsettled", what, Show::Nothing, Show::Nothing)
}

/// Places values again as they would be read, until none moves: `before` are their slots without places.
pub(super) fn until_they_stay<'v>(
    before: &[Slot<'v>],
    mut placed: Vec<Slot<'v>>,
    place: &mut dyn FnMut(&mut Vec<Slot<'v>>) -> Result<bool, Fault>,
) -> Result<Vec<Slot<'v>>, Fault> {
    if before.iter().any(|slot| slot.floats) {
        for _ in 0..MAX_TIMES {
            let mut again = as_read(before, &placed);
            if !place(&mut again)? || !moves(&again, &placed) {
                break;
            }
            placed = again;
        }
    }
    Ok(placed)
}

/// The slots of values that have been read where they were placed.
fn as_read<'v>(before: &[Slot<'v>], placed: &[Slot<'v>]) -> Vec<Slot<'v>> {
    let both = || before.iter().zip(placed);
    let read = |(slot, own): (&Slot<'v>, &Slot<'v>)| {
        let leads = slot.leader().filter(|_| slot.present && !slot.apart.is_free());
        let leads = leads.and_then(|leader| both().nth(leader.into()));
        let (floor, apart) = match leads {
            // Numbers tell how far behind that it lies, and nothing where that is.
            Some((leader, at)) if leader.floats => {
                let distance = own.at.saturating_sub(at.at);
                (None, Apart::Found { distance, moves: false })
            }
            Some(_) => (Some(own.at), Apart::Stored),
            None if slot.floats => (None, slot.apart),
            None if slot.present => (Some(own.at), slot.apart),
            None => (slot.floor, slot.apart),
        };
        Slot { floor, apart, size: own.whole(), state: State::Waiting, ..*slot }
    };
    both().map(read).collect()
}

/// Whether any value lies elsewhere.
fn moves(again: &[Slot<'_>], placed: &[Slot<'_>]) -> bool {
    let mut both = again.iter().zip(placed);
    both.any(|(slot, placed)| slot.present && slot.at != placed.at)
}

/// Gives slots of known size their places; whether offsets tell of all.
fn place(slots: &mut [Slot<'_>], bounds: Bounds, end: u64) -> Result<bool, Fault> {
    let Bounds { begin, start, section } = bounds;
    let mut put =
        |slot: &mut Slot<'_>, at: Option<u64>| Ok(at.map_or(Some(begin), |at| slot.end(at, start)));
    let placed = arrange(slots, begin, (begin, start, section), &mut put)?;
    Ok(placed.is_some_and(|placed| rest::place(slots, placed.max(end))))
}
