//! A file that is made from another one by changes, without holding either.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use super::refusal::{CROSSING, OVERLAP, Refusal};
use crate::shared::wide;

/// A run of bytes of a new file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Bytes of the old file, by their range there.
    Copy(Range<u64>),
    /// New bytes.
    Bytes(Vec<u8>),
    /// So many zeros.
    Zeros(u64),
}

impl Piece {
    /// How many bytes it has.
    pub fn len(&self) -> u64 {
        match self {
            Self::Copy(range) => range.end.saturating_sub(range.start),
            Self::Bytes(bytes) => wide(bytes.len()),
            Self::Zeros(len) => *len,
        }
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same, of a file that begins further behind.
    pub(super) fn moved(self, by: u64) -> Self {
        match self {
            Self::Copy(range) => {
                Self::Copy(range.start.saturating_add(by)..range.end.saturating_add(by))
            }
            other => other,
        }
    }

    /// The part of it behind its first bytes.
    fn skip(self, count: u64) -> Self {
        match self {
            Self::Copy(range) => Self::Copy(range.start.saturating_add(count)..range.end),
            Self::Zeros(len) => Self::Zeros(len.saturating_sub(count)),
            Self::Bytes(mut bytes) => {
                let count = usize::try_from(count).unwrap_or(usize::MAX).min(bytes.len());
                Self::Bytes(bytes.split_off(count))
            }
        }
    }

    /// Its first bytes.
    fn first(&self, count: u64) -> Self {
        match self {
            Self::Copy(range) => Self::Copy(range.start..range.start.saturating_add(count)),
            Self::Zeros(_) => Self::Zeros(count),
            Self::Bytes(bytes) => {
                let count = usize::try_from(count).unwrap_or(usize::MAX);
                Self::Bytes(bytes.get(..count).unwrap_or(bytes).to_vec())
            }
        }
    }
}

/// The old file with changes at places that do not meet, and ranges that are then taken out. All
/// offsets are those of the old file.
#[derive(Debug, Clone)]
pub(super) struct Image {
    len: u64,
    changes: BTreeMap<u64, Piece>,
    cuts: Vec<Range<u64>>,
}

impl Image {
    pub(super) fn new(len: u64) -> Self {
        Self { len, changes: BTreeMap::new(), cuts: Vec::new() }
    }

    /// Puts a piece over the bytes of the old file.
    pub(super) fn put(&mut self, at: u64, piece: Piece) -> Result<(), Refusal> {
        if piece.is_empty() {
            return Ok(());
        }
        let end = at.saturating_add(piece.len());
        let before = self.changes.range(..end).next_back();
        let free = before.is_none_or(|(start, piece)| start.saturating_add(piece.len()) <= at);
        if !free || end > self.len {
            return Err(Refusal::new(&OVERLAP, ("", at), "bytes of the file, unchanged", "others"));
        }
        self.changes.insert(at, piece);
        Ok(())
    }

    /// Takes out ranges that ascend; only zeros that were put there can be.
    pub(super) fn cut(&mut self, cuts: Vec<Range<u64>>) {
        self.cuts = cuts;
    }

    /// Where a byte of the old file is in the new one; one that is taken out, where the next is.
    pub(super) fn new_offset(&self, offset: u64) -> u64 {
        let gone = self.cuts.iter().map(|cut| cut.end.min(offset).saturating_sub(cut.start));
        offset.saturating_sub(gone.fold(0_u64, u64::saturating_add))
    }

    /// The ranges of the old file that pieces lie over, in order, and whether these are zeros.
    pub(super) fn changed(&self) -> Vec<(Range<u64>, bool)> {
        let range = |(at, piece): (&u64, &Piece)| {
            (*at..at.saturating_add(piece.len()), matches!(piece, Piece::Zeros(_)))
        };
        self.changes.iter().map(range).collect()
    }

    /// The new file, in order.
    pub(super) fn pieces(self) -> Result<Vec<Piece>, Refusal> {
        let mut out = Assembly { cuts: self.cuts, next: 0, at: 0, pieces: Vec::new() };
        for (at, piece) in self.changes {
            out.push(Piece::Copy(out.at..at))?;
            out.push(piece)?;
        }
        out.push(Piece::Copy(out.at..self.len))?;
        Ok(out.pieces)
    }
}

/// Pieces in the order of the old file, without what is taken out.
struct Assembly {
    cuts: Vec<Range<u64>>,
    /// The first cut that does not lie before `at`.
    next: usize,
    at: u64,
    pieces: Vec<Piece>,
}

impl Assembly {
    fn push(&mut self, mut piece: Piece) -> Result<(), Refusal> {
        while !piece.is_empty() {
            let cut = self.cuts.get(self.next).cloned().unwrap_or(u64::MAX..u64::MAX);
            if self.at >= cut.end {
                self.next = self.next.saturating_add(1);
                continue;
            }
            let kept = self.at < cut.start;
            let until = if kept { cut.start } else { cut.end };
            let len = piece.len().min(until.saturating_sub(self.at));
            if kept {
                append(&mut self.pieces, piece.first(len));
            } else if !matches!(piece, Piece::Zeros(_)) {
                let place = ("", self.at);
                return Err(Refusal::new(&CROSSING, place, "zeros", "bytes that are kept"));
            }
            piece = piece.skip(len);
            self.at = self.at.saturating_add(len);
        }
        Ok(())
    }
}

/// Puts a piece behind others, as one with the last where they are one run.
pub(super) fn append(pieces: &mut Vec<Piece>, piece: Piece) {
    match (pieces.last_mut(), piece) {
        (_, piece) if piece.is_empty() => {}
        (Some(Piece::Copy(last)), Piece::Copy(next)) if last.end == next.start => {
            last.end = next.end;
        }
        (Some(Piece::Bytes(last)), Piece::Bytes(next)) => last.extend(next),
        (Some(Piece::Zeros(last)), Piece::Zeros(next)) => *last = last.saturating_add(next),
        (_, piece) => pieces.push(piece),
    }
}

#[cfg(test)]
mod tests {
    use std::vec;

    use super::*;

    fn bytes(image: Image, old: &[u8]) -> Result<Vec<u8>, Refusal> {
        let mut new = Vec::new();
        for piece in image.pieces()? {
            match piece {
                Piece::Copy(range) => {
                    let range =
                        usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap();
                    new.extend_from_slice(&old[range]);
                }
                Piece::Bytes(bytes) => new.extend(bytes),
                Piece::Zeros(len) => new.extend(vec![0; usize::try_from(len).unwrap()]),
            }
        }
        Ok(new)
    }

    #[test]
    fn changes_and_cuts_are_applied() {
        let old = b"0123456789abcdef";
        let mut image = Image::new(16);
        image.put(12, Piece::Bytes(b"XY".to_vec())).unwrap();
        image.put(2, Piece::Copy(8..10)).unwrap();
        image.put(4, Piece::Zeros(6)).unwrap();
        assert_eq!(bytes(image.clone(), old).unwrap(), b"0189\0\0\0\0\0\0abXYef");
        image.cut(vec![5..6, 7..10]);
        assert_eq!(bytes(image.clone(), old).unwrap(), b"0189\0\0abXYef");
        let moved: Vec<_> = [0, 5, 6, 7, 9, 10, 16].map(|at| image.new_offset(at)).to_vec();
        assert_eq!(moved, [0, 5, 5, 6, 6, 6, 12]);
    }

    #[test]
    fn changes_that_meet_are_refused() {
        let mut image = Image::new(16);
        image.put(4, Piece::Zeros(4)).unwrap();
        for (at, len) in [(4, 1), (7, 1), (0, 5), (0, 16), (5, 2), (15, 2)] {
            assert!(image.put(at, Piece::Zeros(len)).is_err(), "{at} {len}");
        }
        image.put(8, Piece::Zeros(8)).unwrap();
        image.put(0, Piece::Zeros(4)).unwrap();
    }

    #[test]
    fn bytes_that_are_kept_cannot_be_taken_out() {
        let mut image = Image::new(16);
        image.put(4, Piece::Zeros(4)).unwrap();
        for cut in [3..5, 4..9, 0..16] {
            image.cut(vec![cut]);
            assert_eq!(
                bytes(image.clone(), &[7; 16]).unwrap_err().rule.code,
                "slim.segments.crossing"
            );
        }
    }
}
