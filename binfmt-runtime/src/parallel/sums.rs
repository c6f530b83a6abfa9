//! Checksums of values, each kept by the item of a table that tells of the value.

use alloc::vec::Vec;

use super::{Item, Names, Sequence};
use crate::Digest;
use crate::checksum::{self, Keeps, Sum};
use crate::finding::{Class, Fault, Problem, Severity};
use crate::observe::Observer;
use crate::place::Slot;
use crate::writer::Writer;

/// Space for the places of so many values of the sequence.
pub fn written_places(count: usize) -> Vec<(u64, u64)> {
    Vec::with_capacity(count)
}

/// The checksum of each value in its slot, the first of which has this number; none where nothing is kept.
#[inline(never)]
pub fn slot_sums<D: Digest>(
    out: &mut Writer<'_>,
    slots: &[Slot<'_>],
    first: usize,
    count: usize,
) -> Result<Vec<D::Sum>, Fault> {
    let slots = slots.get(first..).unwrap_or_default().iter().take(count);
    let places: Vec<_> = slots.map(|slot| (slot.at, slot.at.saturating_add(slot.size))).collect();
    sums::<D>(out, &places)
}

/// The checksum of each value that has been written; none where nothing is kept.
#[inline(never)]
pub fn sums<D: Digest>(out: &mut Writer<'_>, places: &[(u64, u64)]) -> Result<Vec<D::Sum>, Fault> {
    let mut all = Vec::with_capacity(places.len());
    for place in places {
        match checksum::of_range::<D>(out, *place)? {
            Some(sum) => all.push(sum),
            // Values are the same whatever checksums they hold.
            None if out.compares() => all.push(D::Sum::ZERO),
            None => return Ok(Vec::new()),
        }
    }
    Ok(all)
}

/// The checksum that a number of an item is.
pub fn stored<S: Sum, N: Keeps<S>>(mut number: N) -> S {
    *number.kept()
}

/// Where a number of an item keeps a checksum.
pub fn keeper<S: Sum, N: Keeps<S>>(number: &mut N) -> &mut S {
    number.kept()
}

/// Puts a checksum into the copy of an item that is written.
#[inline(never)]
pub fn put_sum<S: Sum>(
    out: &mut Writer<'_>,
    at: u64,
    (place, names): (&mut S, &[&'static str]),
    sum: S,
) -> Result<(), Fault> {
    out.computed_shown(names, at, *place == sum, || (sum.show(), place.show()))?;
    *place = sum;
    Ok(())
}

/// Tells of a checksum kept by an item that is not that of its value, which is the one that is open.
#[inline(never)]
pub fn verify<D: Digest, O: Observer>(
    obs: &mut O,
    file: &[u8],
    (start, end): (usize, usize),
    stored: D::Sum,
    (item, number): (&Item, &Names),
) {
    if !checksum::pays(obs, (start, end)) {
        return crate::place::left_unchecked(obs, (start, end), "checksum");
    }
    let computed = checksum::of_bytes::<D>(file, (start, end), obs.sum_of_file());
    if computed == stored {
        return;
    }
    let Sequence { layout, field, .. } = *item.sequence;
    let (values, index) = (layout.field(field).name, item.index);
    item.tell(obs, number, &mut |obs, span, _| {
        obs.note(
            Severity::Error,
            &Problem {
                code: "checksum",
                class: Class::Invalid,
                start: span.0,
                end: span.1,
                what: format_args!(
                    "`{values}[{index}]`, at {start:#x}..{end:#x}, has another checksum"
                ),
                expected: computed.show(),
                found: stored.show(),
            },
        );
    });
}
