//! The section itself: everything in it is measured, placed and written.

use alloc::vec::Vec;
use core::ops::Range;

use super::super::anew::no_room;
use super::super::{One, Slot, SlotRegion, State, arrange, background, nowhere, rest, write_all};
use super::around::class;
use super::twins::{follow, leave_out};
use super::{
    Met, OpenSection, Phase, count_met, holders, open_section, pass_over, same_size, set_phase,
};
use crate::finding::{Fault, Show};
use crate::ops::wide;
use crate::writer::{Pattern, Piece, Writer};

/// How often values are measured, each where it would lie going by the sizes before.
const MAX_ROUNDS: u32 = 32;

/// After so many rounds no value lies in front of where it has been: with padding that counts from the value
/// around it, two places may follow from each other without an end.
const PATIENCE: u32 = 8;

/// How many open sections may lie in one another for the length of one to be exact before it is written:
/// what is placed otherwise than it was measured may be padded otherwise.
const MAX_EXACT: usize = 3;

/// Writes an open section with the values in it, and with those that lie there of what is inside.
#[inline(never)]
pub fn write_open(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    slot_region: SlotRegion<'_, impl Pattern>,
    one: &mut One<'_>,
) -> Result<u64, Fault> {
    if out.is_probe() {
        let begin = out.pos();
        return write_all(out, slots, slot_region, begin, one);
    }
    out.enter_located(slots.len());
    let end = write_with_inside(out, slots, slot_region, one);
    out.leave_located();
    end
}

fn write_with_inside(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    slot_region: SlotRegion<'_, impl Pattern>,
    one: &mut One<'_>,
) -> Result<u64, Fault> {
    let begin = out.pos();
    let index = out.guesses(slots.len())?;
    let mut apart =
        |out: &mut Writer<'_>, id: usize| out.apart(index.saturating_add(id), |out| one(out, id));
    let one: &mut One<'_> = &mut apart;
    let kept = slot_region.kept.unwrap_or_default();
    let held = begin.saturating_add(wide(kept.len()));
    let mut bounds = Bounds { begin, start: slot_region.start, held, goes_back: true, anew: false };
    let (inside, end) = place(out, slots, (&mut bounds, slot_region.fixed), one)?;
    if slot_region.overflows(begin, end) && !out.is_measuring() {
        let needed = end.saturating_sub(begin);
        no_room(out, begin, (slot_region.fixed.unwrap_or_default(), needed))?;
    }
    let end = end.max(held);
    learn_early(out)?;
    if !out.is_measuring() {
        let mut pieces = write_pieces(out, slots, &inside, one)?;
        pieces.extend(open_section(out).map(OpenSection::take_pieces).unwrap_or_default());
        pieces.sort_by_key(|piece| piece.at);
        for piece in pieces.iter().filter(|piece| piece.len > 0) {
            if piece.at < out.pos() {
                return Err(unsettled(out));
            }
            background(out, kept, begin, piece.at, slot_region.fill)?;
            out.put_piece(piece)?;
        }
        if let Some(open) = open_section(out) {
            open.keep_pieces(pieces);
        }
    }
    background(out, kept, begin, end, slot_region.fill)?;
    set_phase(out, Phase::Closed);
    if !out.is_measuring() {
        crate::place::twins::look_at_all(out, slots, one)?;
        rest::insist(out, slots, end, true)?;
    }
    Ok(end)
}

/// Where values may lie.
#[derive(Clone, Copy)]
struct Bounds {
    /// Where the section begins.
    begin: u64,
    /// The start of the value with it.
    start: u64,
    /// Where the bytes end that are kept of it.
    held: u64,
    /// Whether a value may lie in front of where it has been.
    goes_back: bool,
    /// Whether no value keeps its place: with those, there is no room for all.
    anew: bool,
}

/// Measures the values and gives them their places, until these are where they have been measured. Returns
/// how many lie inside each, and where the last ends. Where the section is `fixed`, that is where it does, or
/// all are placed anew.
fn place(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    (bounds, fixed): (&mut Bounds, Option<u64>),
    one: &mut One<'_>,
) -> Result<(Vec<usize>, u64), Fault> {
    for (id, slot) in slots.iter_mut().enumerate() {
        (slot.id, slot.at) = (id, slot.floor.unwrap_or(bounds.begin));
    }
    let mut inside = Vec::new();
    for round in 0..MAX_ROUNDS {
        bounds.goes_back = round < PATIENCE;
        measure(out, slots, &mut inside, one)?;
        if round == 0 {
            for slot in slots.iter_mut().filter(|slot| slot.present) {
                let id = slot.id;
                slot.class = class(out, slot, &mut |out| one(out, id).map(drop));
            }
        }
        let Some((end, moved)) = arrange_all(out, slots, &inside, *bounds)? else {
            return Err(nowhere(out, slots));
        };
        // Far inside others a section is measured once, or what it costs would double at every level.
        let levels = out.open_sections().map_or(0, |open| open.len());
        let has_room = fixed.is_none_or(|len| end.saturating_sub(bounds.begin) <= len);
        if !moved && !has_room && !bounds.anew {
            bounds.anew = true;
            continue;
        }
        if !moved || (out.is_measuring() && levels > MAX_EXACT) {
            return Ok((inside, end));
        }
    }
    Err(unsettled(out))
}

#[cold]
fn unsettled(out: &mut Writer<'_>) -> Fault {
    let what = format_args!(
        "the places of the values in the open section follow from one another, and none are found that fit"
    );
    out.fail("unsettled", what, Show::Nothing, Show::Nothing)
}

/// Measures every value where its slot says, and those inside it.
fn measure(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    inside: &mut Vec<usize>,
    one: &mut One<'_>,
) -> Result<(), Fault> {
    set_phase(out, Phase::Measures);
    inside.clear();
    for slot in slots.iter_mut() {
        let (id, from) = (slot.id, count_met(out));
        if slot.present {
            let size = out.measured_at(slot.at, &mut |out| one(out, id).map(drop))?;
            (slot.size, slot.empty) = (size, Some(size == 0));
        }
        inside.push(count_met(out).saturating_sub(from));
    }
    if let Some(open) = open_section(out) {
        open.met.truncate(open.next);
    }
    Ok(())
}

/// Gives every value its place; returns where the last ends and whether any lies elsewhere than it was
/// measured, or `None` where an offset can tell of none.
fn arrange_all(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    inside: &[usize],
    bounds: Bounds,
) -> Result<Option<(u64, bool)>, Fault> {
    let Bounds { begin, start, held, goes_back, anew } = bounds;
    let mut all: Vec<Slot<'_>> = slots.to_vec();
    let mut ranges = Vec::new();
    if let Some(open) = open_section(out) {
        all.extend(open.met.iter().map(|met| met.slot));
        all.extend(open.early.iter().map(|early| Slot { at: early.used, ..early.met.slot }));
        ranges = holders::ranges(inside, &open.met, &open.early);
    }
    for slot in &mut all {
        slot.state = State::Waiting;
        // The section does not grow for what has no bytes.
        slot.floor = slot.floor.filter(|floor| slot.has_bytes() || *floor <= held);
        if anew {
            slot.floor = None;
        }
        if !goes_back && slot.has_bytes() {
            slot.floor = slot.floor.max(Some(slot.at));
        }
    }
    // Nothing grows for these, so they are in nobody's way.
    for slot in all.iter_mut().skip(slots.len()).filter(|slot| slot.lies_in_front_of(begin)) {
        (slot.at, slot.state) = (slot.floor.unwrap_or(slot.at), State::Placed);
    }
    let (end, mut placed) = loop {
        let placed = arrange_by_holders(&all, &ranges, (begin, start))?;
        if !part(&mut all, &placed.1) {
            break placed;
        }
    };
    follow(&mut placed, &ranges);
    let mut placed = placed.into_iter();
    let mut moved = false;
    for (slot, placed) in slots.iter_mut().zip(placed.by_ref()) {
        moved |= slot.present && slot.at != placed.at;
        (slot.at, slot.state) = (placed.at, placed.state);
        slot.class = if placed.class == 0 { 0 } else { slot.class };
    }
    if let Some(open) = open_section(out) {
        let count = open.met.len();
        let early = open.early.iter_mut().map(|early| &mut early.met);
        let all = open.met.iter_mut().chain(early).zip(placed).enumerate();
        for (number, (Met { slot, .. }, placed)) in all {
            // Where those in front of the section lie, the next pass knows.
            moved |= number < count && placed.present && slot.at != placed.at;
            (slot.at, slot.state, slot.present) = (placed.at, placed.state, placed.present);
            slot.class = if placed.class == 0 { 0 } else { slot.class };
        }
    }
    Ok(end.map(|end| (end, moved)))
}

/// Gives every value its place, with what lies inside it.
fn arrange_by_holders<'v>(
    all: &[Slot<'v>],
    ranges: &[(usize, Range<usize>)],
    (begin, start): (u64, u64),
) -> Result<(Option<u64>, Vec<Slot<'v>>), Fault> {
    let mut all = all.to_vec();
    leave_out(&mut all, ranges);
    loop {
        let mut placed = all.clone();
        let mut put = |slot: &mut Slot<'_>, at: Option<u64>| {
            Ok(at.map_or(Some(begin), |at| at.checked_add(slot.size)))
        };
        let end = arrange(&mut placed, begin, (begin, start, true), &mut put)?;
        if !holders::forget(&mut all, &placed, ranges) {
            return Ok((end, placed));
        }
    }
}

/// What no offset can lead to where an equal value lies has a place of its own; whether there is any.
fn part(all: &mut [Slot<'_>], placed: &[Slot<'_>]) -> bool {
    let mut parts = false;
    for (slot, placed) in all.iter_mut().zip(placed) {
        if placed.is_twin() && !placed.can_lie_at(placed.at) && slot.class > 0 {
            (slot.class, parts) = (0, true);
        }
    }
    parts
}

/// What has been written in front of the section lies elsewhere than it was taken to lie: the next pass knows.
fn learn_early(out: &mut Writer<'_>) -> Result<(), Fault> {
    let early = open_section(out).map(|open| open.early.as_slice()).unwrap_or_default();
    let places: Vec<(usize, u64, u64)> =
        early.iter().map(|early| (early.index, early.used, early.met.slot.at)).collect();
    for (index, used, at) in places {
        out.learn_place(index, (Some(used), Some(at)), "", used)?;
    }
    Ok(())
}

/// Writes every value of the type with the section, and those inside it, where they have been placed.
fn write_pieces(
    out: &mut Writer<'_>,
    slots: &mut [Slot<'_>],
    inside: &[usize],
    one: &mut One<'_>,
) -> Result<Vec<Piece>, Fault> {
    set_phase(out, Phase::Writes);
    let mut pieces = Vec::new();
    for (slot, inside) in slots.iter_mut().zip(inside).filter(|(slot, _)| slot.present) {
        let (id, mut size) = (slot.id, 0);
        if slot.state == State::Twin {
            // What tells of its size leaves the padding out.
            let passes = &mut |out: &mut Writer<'_>| {
                size = one(out, id)?;
                Ok(())
            };
            out.in_phase(Phase::Passes, |out| out.measured_at(slot.at, passes))?;
            slot.size = size;
            pass_over(out, *inside);
            continue;
        }
        let manner = out.manner();
        let piece = out.piece(slot.at, manner, &mut |out| {
            size = one(out, id)?;
            Ok(())
        })?;
        same_size(out, slot.size, &piece)?;
        slot.size = size;
        pieces.push(piece);
    }
    Ok(pieces)
}
