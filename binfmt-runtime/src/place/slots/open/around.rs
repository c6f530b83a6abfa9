//! Values that lie in the open section of a value around.

use super::super::{One, Slot, State};
use super::{Early, Emit, Met, Phase, count_met, open_section, pass_over, same_size};
use crate::finding::{Fault, Show};
use crate::place::around::NO_SECTION;
use crate::writer::Writer;

/// Where values without a place are compared: not where offsets count from that count from the start of the
/// file, or numbers would be the same that mean two places.
const ANYWHERE: u64 = 1;

/// Writes values of a type that lie in the open section around it.
#[inline(never)]
pub fn write_around(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    one: &mut One<'_>,
) -> Result<(), Fault> {
    out.enter_located(slots.len());
    let written = write_each(out, slots, one);
    out.leave_located();
    written
}

fn write_each(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    one: &mut One<'_>,
) -> Result<(), Fault> {
    for (id, slot) in slots.iter_mut().enumerate() {
        if !slot.present {
            continue;
        }
        let index = out.guesses(1)?;
        // What numbers tell of the value follows from how it was written last.
        let mut size = 0;
        let mut one = |out: &mut Writer<'_>| {
            size = out.apart(index, |out| one(out, id))?;
            Ok(())
        };
        slot.at = match open_section(out).map(|open| open.phase) {
            _ if out.is_probe() => one(out).map(|()| 0)?,
            None => nowhere(out, slot, &mut one)?,
            Some(Phase::Refused) => return Err(written_again(out)),
            Some(Phase::Measures) => meet(out, slot, &mut one)?,
            Some(phase) if phase != Phase::Passes => {
                write_once(out, slot, (phase, index), &mut one)?
            }
            Some(_) => {
                // Any place that a number can tell.
                let floor = slot.floor.filter(|floor| slot.can_lie_at(*floor));
                let at = floor.or_else(|| slot.behind(0, 0)).unwrap_or(0);
                if out.compares() {
                    // What differs inside makes two values differ, and so does what numbers say of it.
                    let numbers = [slot.least, slot.unit.0, slot.unit.1];
                    out.compare_inside(at, numbers, &mut one)?;
                }
                at
            }
        };
        slot.size = size;
    }
    Ok(())
}

/// Writes a value, or measures it once more where that has been done; returns where it lies.
fn write_once(
    out: &mut Writer<'_>,
    slot: &Slot<'_>,
    (phase, index): (Phase, usize),
    one: &mut Emit<'_>,
) -> Result<u64, Fault> {
    let known = open_section(out).and_then(|open| open.known.get(&index).copied());
    if let Some(at) = known {
        measure_again(out, at, one)?;
        return Ok(at);
    }
    if phase == Phase::Closed {
        return nowhere(out, slot, one);
    }
    if let Some(open) = open_section(out) {
        open.known.insert(index, 0);
    }
    let at = match phase {
        Phase::Early => write_early(out, slot, index, one)?,
        _ => write_met(out, slot, one)?,
    };
    if let Some(open) = open_section(out) {
        open.known.insert(index, at);
    }
    Ok(at)
}

/// What numbers around it tell of a value that has been written follows from measuring it where it lies. What
/// is inside it tells nothing of it, and is passed over, or each level would double what it costs.
fn measure_again(out: &mut Writer<'_>, at: u64, one: &mut Emit<'_>) -> Result<(), Fault> {
    let inside = open_section(out).map(|open| core::mem::replace(&mut open.measures_again, true));
    if inside == Some(false) {
        let measured = out.measured_at(at, one);
        if let Some(open) = open_section(out) {
            open.measures_again = false;
        }
        measured?;
    }
    Ok(())
}

/// Writes a value in front of the section, where an earlier pass has placed it or it is stored; returns where
/// that is.
fn write_early(
    out: &mut Writer<'_>,
    slot: &Slot<'_>,
    index: usize,
    one: &mut Emit<'_>,
) -> Result<u64, Fault> {
    let used = slot.nearest(out.guess_place(index, slot.floor).unwrap_or(0));
    let class = class(out, slot, one);
    let met = Met::new(slot, class);
    let Some(open) = open_section(out) else { return Ok(used) };
    let (manner, number) = (open.manner, open.early.len());
    open.early.push(Early { met, index, used, piece: None });
    let (size, piece) = if manner.measures {
        (out.measured_at(used, one)?, None)
    } else {
        let piece = out.piece(used, manner, one)?;
        (piece.len, Some(piece))
    };
    let Some(open) = open_section(out) else { return Ok(used) };
    let inside = open.early.len().saturating_sub(number).saturating_sub(1);
    // Of values that share a place, the first is written.
    if size > 0 {
        open.places.entry(used).or_insert((true, number));
    }
    if let Some(early) = open.early.get_mut(number) {
        early.piece = piece;
        (early.met.inside, early.met.slot.size) = (inside, size);
        early.met.slot.empty = Some(size == 0);
    }
    Ok(used)
}

#[cold]
fn written_again(out: &mut Writer<'_>) -> Fault {
    let what = format_args!(
        "the value lies in a section with `grow = down`, whose values are measured first; nothing inside can lie in an open section around it"
    );
    out.fail("region", what, Show::Nothing, Show::Nothing)
}

/// No section is there for a value: one without bytes takes no place, and needs none.
#[cold]
fn nowhere(out: &mut Writer<'_>, slot: &Slot<'_>, one: &mut Emit<'_>) -> Result<u64, Fault> {
    if !out.is_empty(one) {
        return Err(out.fail("region", format_args!("{NO_SECTION}"), Show::Nothing, Show::Nothing));
    }
    one(out)?;
    // A reader finds it in front of what has been written, wherever a number can tell.
    let end = out.pos();
    let floor = slot.floor.filter(|floor| *floor <= end && slot.can_lie_at(*floor));
    Ok(floor.or_else(|| slot.behind(0, 0)).unwrap_or(0))
}

/// Measures a value; returns where it lies as far as that is known.
fn meet(out: &mut Writer<'_>, slot: &Slot<'_>, one: &mut Emit<'_>) -> Result<u64, Fault> {
    let number = count_met(out);
    let known = open_section(out).and_then(|open| open.met.get(number).copied());
    let mut met = match known {
        Some(known) => known.again(slot),
        None => Met::new(slot, class(out, slot, one)),
    };
    // No value lies in front of what its place counts from.
    let at = known.map(|known| known.slot.at).or(slot.floor).unwrap_or(0);
    let at = slot.nearest(at);
    met.slot.at = at;
    let Some(open) = open_section(out) else { return Ok(0) };
    match open.met.get_mut(number) {
        Some(known) => *known = met,
        None => open.met.push(met),
    }
    open.next = number.saturating_add(1);
    let size = out.measured_at(at, one)?;
    let Some(open) = open_section(out) else { return Ok(at) };
    let inside = open.next.saturating_sub(number).saturating_sub(1);
    if let Some(met) = open.met.get_mut(number) {
        (met.slot.size, met.slot.empty, met.inside) = (size, Some(size == 0), inside);
    }
    Ok(at)
}

/// The number of the values that have the bytes of this one, if it may share its place; else 0.
pub(super) fn class(out: &mut Writer<'_>, slot: &Slot<'_>, one: &mut Emit<'_>) -> usize {
    if !slot.shares() || out.compares() {
        return 0;
    }
    let written = out.compared_at(slot.floor.unwrap_or(0).max(ANYWHERE), one);
    let (Some((compared, _)), Some(open)) = (written, open_section(out)) else { return 0 };
    let fresh = open.classes.len().saturating_add(1);
    *open.classes.entry((slot.floor, compared)).or_insert(fresh)
}

/// Writes the value that is met next; returns where it has been placed.
fn write_met(out: &mut Writer<'_>, found: &Slot<'_>, one: &mut Emit<'_>) -> Result<u64, Fault> {
    let number = count_met(out);
    let met = open_section(out).and_then(|open| open.met.get(number).copied());
    let Some(Met { slot, floor, inside, .. }) = met else {
        return Err(out.unsettled(out.pos()));
    };
    if (floor, slot.least, slot.null) != (found.floor, found.least, found.null) {
        return Err(out.unsettled(out.pos()));
    }
    pass_over(out, 1);
    if slot.state == State::Twin {
        if slot.paid {
            out.owe_visit(slot.size);
        }
        out.only_look(slot.at, one)?;
        pass_over(out, inside);
        return Ok(slot.at);
    }
    let own = out.manner();
    let manner = open_section(out).map_or(own, |open| open.manner);
    let piece = out.piece(slot.at, manner, one)?;
    same_size(out, slot.size, &piece)?;
    if let Some(open) = open_section(out) {
        if piece.len > 0 {
            open.places.insert(piece.at, (false, open.pieces.len()));
        }
        open.pieces.push(piece);
    }
    Ok(slot.at)
}
