//! Values that have been written beside the output, looked up by where they lie: tables in them are written
//! over, and checksums cover them, before and after the output has them.

use alloc::vec::Vec;

use super::super::State;
use super::{Met, OpenSection, Phase};
use crate::writer::{Manner, Piece};

/// Where a value is that has been written beside the output: the number of its section, whether it is one of
/// those in front of that, and its number among these.
pub(crate) type PieceNumber = (usize, bool, usize);

/// Which value that has been written beside the output has all bytes of a range; `in_output` asks for those
/// that are there, too.
pub(crate) fn number_of_piece(
    open: &[OpenSection],
    (from, len): (u64, usize),
    in_output: bool,
) -> Option<PieceNumber> {
    let sections = open.iter().enumerate().rev();
    let sections = sections.filter(|(_, open)| in_output || open.phase != Phase::Closed);
    let mut found = sections.filter_map(|(section, open)| {
        let (_, (early, number)) = open.places.range(..=from).next_back()?;
        let early_piece = || open.early.get(*number)?.piece.as_ref();
        let piece = if *early { early_piece() } else { open.pieces.get(*number) };
        piece.filter(|piece| piece.has(from, len)).map(|_| (section, *early, *number))
    });
    found.next()
}

/// That value.
pub(crate) fn piece_of(
    open: &mut [OpenSection],
    (section, early, number): PieceNumber,
) -> Option<&mut Piece> {
    let open = open.get_mut(section)?;
    if early { open.early.get_mut(number)?.piece.as_mut() } else { open.pieces.get_mut(number) }
}

impl OpenSection {
    /// How the value with the section is written.
    pub(crate) fn manner(&self) -> Manner {
        self.manner
    }

    /// All values that have been written for those inside the one with the section.
    pub(super) fn take_pieces(&mut self) -> Vec<Piece> {
        self.places.clear();
        let mut pieces = core::mem::take(&mut self.pieces);
        for early in &mut self.early {
            let Met { slot, .. } = early.met;
            let piece = early.piece.take();
            let piece = piece.filter(|_| slot.present && slot.state != State::Twin);
            pieces.extend(piece.map(|piece| piece.moved_to(slot.at)));
        }
        pieces
    }

    /// They are in the output now, where not everybody reaches them who needs their checksums.
    pub(super) fn keep_pieces(&mut self, pieces: Vec<Piece>) {
        let places = pieces.iter().enumerate().filter(|(_, piece)| piece.len > 0);
        self.places = places.map(|(number, piece)| (piece.at, (false, number))).collect();
        self.pieces = pieces;
    }
}
