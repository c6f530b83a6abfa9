//! Open sections: the values of a type lie there, and wherever between them values of these.
//!
//! All are measured where they lie by what is stored, which tells which there are; then all get their
//! places at once; then each is written beside the output, with the offsets of those inside it, and all
//! are put in the order of their places.

mod around;
mod holders;
mod pieces;
mod section;
mod twins;

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

pub use around::write_around;
pub(crate) use pieces::{PieceNumber, number_of_piece, piece_of};
pub use section::write_open;

use super::Slot;
use crate::finding::{Fault, Show};
use crate::writer::{Compared, Manner, Piece, Writer};

/// Writes one value.
type Emit<'e> = dyn FnMut(&mut Writer<'_>) -> Result<(), Fault> + 'e;

/// What is known of an open section, and of what the values inside that with the section have there.
#[derive(Debug)]
pub(crate) struct OpenSection {
    phase: Phase,
    /// How the value with the section is written.
    manner: Manner,
    /// Values of those in front of the section, which have been written where they are taken to lie.
    early: Vec<Early>,
    /// Values of those in the section, in the order in which they are met.
    met: Vec<Met>,
    /// Values that say they are shared, by their stored offsets and what they are written as.
    classes: BTreeMap<(Option<u64>, Compared), usize>,
    /// How many values have been met since the phase began.
    next: usize,
    pieces: Vec<Piece>,
    /// Where those lie that have bytes, these and the early ones: whether it is one of those, and its number.
    places: BTreeMap<u64, (bool, usize)>,
    /// Where those lie that have been written, by their numbers. The entries of a table, and a value in which
    /// numbers are set, are written once more at the end: then the places of what they lead to are known.
    known: BTreeMap<usize, u64>,
    /// Whether one of them is measured once more.
    measures_again: bool,
}

/// What becomes of a value that is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// It is written where it is taken to lie: the section comes later.
    Early,
    /// It is measured.
    Measures,
    /// It is written where it has been placed.
    Writes,
    /// Nothing: the value around it is written for something else.
    Passes,
    /// It has no place, for the section has been written.
    Closed,
    /// It has none, for it is written more than once.
    Refused,
}

/// A value that lies in the section of a value around.
#[derive(Clone, Copy, Debug)]
struct Met {
    slot: Slot<'static>,
    /// Where it is stored, going by where the values around it lie now.
    floor: Option<u64>,
    /// The same where they were first: values that shared a place may still.
    home: Option<u64>,
    /// How many have been met inside it.
    inside: usize,
}

impl Met {
    /// A value that is met for the first time.
    fn new(slot: &Slot<'_>, class: usize) -> Self {
        Self { slot: slot.of_class(class), floor: slot.floor, home: slot.floor, inside: 0 }
    }

    /// The same value, measured once more.
    fn again(self, slot: &Slot<'_>) -> Self {
        let (known, met) = (self.slot, Self::new(slot, self.slot.class));
        let home = self.home.filter(|home| *home >= slot.least);
        let floor = if known.class > 0 { home } else { slot.floor };
        Self { slot: Slot { floor, at: known.at, ..met.slot }, home: self.home, ..met }
    }
}

/// One that was met in front of the section.
#[derive(Debug)]
struct Early {
    met: Met,
    /// The number by which a pass learns of the place.
    index: usize,
    /// Where it was taken to lie.
    used: u64,
    piece: Option<Piece>,
}

/// A value with an open section begins; returns how many are around it.
#[inline(never)]
pub fn begin_open(out: &mut Writer<'_>) -> usize {
    let manner = out.manner();
    let Some(open) = out.open_sections() else { return 0 };
    open.push(OpenSection {
        phase: Phase::Early,
        manner,
        early: Vec::new(),
        met: Vec::new(),
        classes: BTreeMap::new(),
        next: 0,
        pieces: Vec::new(),
        places: BTreeMap::new(),
        known: BTreeMap::new(),
        measures_again: false,
    });
    open.len().saturating_sub(1)
}

/// It has been written.
#[inline(never)]
pub fn end_open(out: &mut Writer<'_>, around: usize) {
    if let Some(open) = out.open_sections() {
        open.truncate(around);
    }
}

/// Something else becomes of what is written next; returns what did before.
pub(crate) fn go_on(open: &mut [OpenSection], phase: Phase) -> Phase {
    open.last_mut().map_or(phase, |open| core::mem::replace(&mut open.phase, phase))
}

fn same_size(out: &mut Writer<'_>, measured: u64, piece: &Piece) -> Result<(), Fault> {
    if measured == piece.len {
        return Ok(());
    }
    let what = format_args!("the length of the value depends on its place");
    Err(out.fail_at(piece.at, "size", what, Show::Uint(measured), Show::Uint(piece.len)))
}

/// How many values have been met since the phase began.
fn count_met(out: &mut Writer<'_>) -> usize {
    open_section(out).map_or(0, |open| open.next)
}

fn pass_over(out: &mut Writer<'_>, values: usize) {
    if let Some(open) = open_section(out) {
        open.next = open.next.saturating_add(values);
    }
}

/// Values are met from the first on.
fn set_phase(out: &mut Writer<'_>, phase: Phase) {
    if let Some(open) = open_section(out) {
        (open.phase, open.next) = (phase, 0);
    }
}

/// The closest open section.
fn open_section<'o>(out: &'o mut Writer<'_>) -> Option<&'o mut OpenSection> {
    out.open_sections()?.last_mut()
}
