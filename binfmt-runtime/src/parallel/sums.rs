//! Checksums of values, each kept by the item of a table that tells of the value.

use alloc::vec::Vec;

use crate::Digest;
use crate::checksum::{self, Sum};
use crate::finding::{Class, Fault, Problem, Severity};
use crate::observe::Observer;
use crate::place::Slot;
use crate::writer::Writer;

/// Space for the places of so many values of the sequence.
pub fn written_places(count: usize) -> Vec<(u64, u64)> {
    Vec::with_capacity(count)
}

/// The places of values in their slots, which begin at number `first`.
pub fn slot_places<'s>(
    slots: &'s [Slot<'_>],
    first: usize,
    count: usize,
) -> impl Iterator<Item = (u64, u64)> + 's {
    let slots = slots.get(first..).unwrap_or_default().iter().take(count);
    slots.map(|slot| (slot.at, slot.at.saturating_add(slot.size)))
}

/// The checksum of each value that has been written; none where nothing is kept.
pub fn sums<D: Digest>(
    out: &mut Writer<'_>,
    places: impl Iterator<Item = (u64, u64)>,
) -> Result<Vec<D::Sum>, Fault> {
    let mut sums = Vec::new();
    if !out.keeps() {
        return Ok(sums);
    }
    for place in places {
        sums.push(checksum::of_range::<D>(out, place)?);
    }
    Ok(sums)
}

/// Puts a checksum into the copy of an item that is written.
pub fn put_sum<S: Sum>(
    out: &mut Writer<'_>,
    at: u64,
    (place, names): (&mut S, &[&'static str]),
    sum: S,
) -> Result<(), Fault> {
    out.computed_as(names, at, *place == sum)?;
    *place = sum;
    Ok(())
}

/// Tells of a checksum kept by an item that is not that of its value, which is the one that is open.
pub fn verify<D: Digest, O: Observer>(
    obs: &mut O,
    file: &[u8],
    (start, end): (usize, usize),
    stored: D::Sum,
) {
    if !checksum::pays(obs, (start, end)) {
        return crate::place::left_unchecked(obs, (start, end), "checksum");
    }
    let computed = checksum::of_bytes::<D>(file, (start, end), obs.sum_of_file());
    if computed != stored {
        obs.note(
            Severity::Error,
            &Problem {
                code: "checksum",
                class: Class::Invalid,
                start,
                end,
                what: format_args!("the item of the table keeps another checksum of this value"),
                expected: computed.show(),
                found: stored.show(),
            },
        );
    }
}
