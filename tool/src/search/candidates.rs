//! The places at which a container may start: a magic stands there.

mod lanes;

use std::collections::VecDeque;
use std::ops::Range;

use binfmt_formats::host;
use rayon::prelude::*;

use crate::driver::{Driver, Places};

/// How many bytes are searched behind a container at first: often another one follows, and what it
/// spans need not be read at all. Every window without a container doubles the next one.
const FIRST: usize = 1 << 14;

/// How many bytes one core searches at a time.
const PIECE: usize = 1 << 18;

/// How many pieces each core gets at most. What is found in them is kept, which in a file of
/// nothing but magics is some times their size.
const PIECES: usize = 4;

/// A format that is searched for.
#[derive(Clone, Copy)]
pub(super) struct Searched<'f> {
    pub(super) name: &'static str,
    pub(super) places: &'f dyn Places,
}

/// The places at which a container may start, in file order. All cores search, one window of the
/// file after the other, so that what containers span is left out.
pub(super) struct Candidates<'f> {
    file: &'f [u8],
    /// Containers start at multiples of this in the file: 2 or 4.
    alignment: usize,
    /// What to look for, and for whom.
    magics: Vec<u32>,
    owners: Vec<Searched<'f>>,
    /// How large the next window is, and the largest.
    window: usize,
    widest: usize,
    /// Where the next window begins.
    searched: usize,
    /// What was found in the last one, as place and index of the magic.
    found: VecDeque<(usize, usize)>,
}

impl<'f> Candidates<'f> {
    pub(super) fn new(file: &'f [u8], drivers: &[&'f dyn Driver]) -> Self {
        // Archives keep their members on even offsets, and containers are aligned in their member.
        let alignment = if host::kind_of(file) == host::HostKind::Archive { 2 } else { 4 };
        let widest = PIECE * PIECES * rayon::current_num_threads();
        Self::with_window(file, drivers, alignment, widest)
    }

    fn with_window(
        file: &'f [u8],
        drivers: &[&'f dyn Driver],
        alignment: usize,
        widest: usize,
    ) -> Self {
        let searched = drivers.iter().filter_map(|driver| {
            Some(Searched { name: driver.name(), places: driver.extras().places? })
        });
        let pairs = searched.flat_map(|searched| {
            let magics = searched.places.magics().iter();
            magics.map(move |magic| (u32::from_le_bytes(*magic), searched))
        });
        let (magics, owners) = pairs.unzip();
        let (window, found) = (FIRST.min(widest), VecDeque::new());
        Self { file, alignment, magics, owners, window, widest, searched: 0, found }
    }

    /// The first place at or behind `start`.
    pub(super) fn next_from(&mut self, start: usize) -> Option<(usize, Searched<'f>)> {
        loop {
            while let Some((at, magic)) = self.found.pop_front() {
                if let Some(owner) = self.owners.get(magic).filter(|_| at >= start) {
                    return Some((at, *owner));
                }
            }
            if start > self.searched {
                self.searched = start;
                self.window = FIRST.min(self.widest);
            }
            if self.searched >= self.file.len() {
                return None;
            }
            self.search();
        }
    }

    /// Searches the next window.
    fn search(&mut self) {
        let start = self.searched;
        let end = self.file.len().min(start.saturating_add(self.window));
        let piece = self.window.min(PIECE);
        let pieces = (start..end).step_by(piece).collect::<Vec<_>>();
        let found = pieces.into_par_iter().map(|at| self.places_in(at..end.min(at + piece)));
        self.found = found.collect::<Vec<_>>().into_iter().flatten().collect();
        self.searched = end;
        self.window = self.window.saturating_mul(2).min(self.widest);
    }

    /// The places that lie in a piece, though the magic may reach out of it.
    fn places_in(&self, piece: Range<usize>) -> Vec<(usize, usize)> {
        let mut places = Vec::new();
        let before = |owner: &Searched<'_>| owner.places.before_magic();
        let least = self.owners.iter().map(before).min().unwrap_or(0);
        let most = self.owners.iter().map(before).max().unwrap_or(0);
        let start = piece.start.saturating_add(least).next_multiple_of(self.alignment);
        let end = self.file.len().min(piece.end.saturating_add(most + lanes::LANE - 1));
        for start in (start..start + lanes::LANE).step_by(self.alignment) {
            let bytes = self.file.get(start..end).unwrap_or_default();
            lanes::find(bytes, &self.magics, |at, index| {
                let before = self.owners.get(index).map_or(0, before);
                let place = (start + at).checked_sub(before);
                places.extend(place.filter(|at| piece.contains(at)).map(|at| (at, index)));
            });
        }
        places.sort_unstable();
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::Fake;

    fn places(file: &[u8], window: usize, start: usize) -> Vec<usize> {
        let mut candidates = Candidates::with_window(file, &[&Fake], 4, window);
        let mut next = start;
        let mut places = Vec::new();
        while let Some((at, _)) = candidates.next_from(next) {
            places.push(at);
            next = at + 1;
        }
        places
    }

    #[test]
    fn windows_of_any_size_find_the_same() {
        let file = b"BOXS....BOXS.BOXS...BOXSBOXS";
        for window in 1..=file.len() + 1 {
            assert_eq!(places(file, window, 0), [0, 8, 20, 24], "{window}");
            assert_eq!(places(file, window, 9), [20, 24], "{window}");
        }
    }

    #[test]
    fn large_file_is_searched_in_pieces() {
        let mut file = vec![0; 3 * PIECE];
        for at in [PIECE - 4, PIECE, 2 * PIECE - 2, 3 * PIECE - 4] {
            file[at..at + 4].copy_from_slice(b"BOXS");
        }
        assert_eq!(places(&file, 2 * PIECE, 0), [PIECE - 4, PIECE, 3 * PIECE - 4]);
    }

    #[test]
    fn what_is_skipped_is_not_searched() {
        let mut file = vec![0; 3 * PIECE];
        for at in [0, PIECE, 2 * PIECE] {
            file[at..at + 4].copy_from_slice(b"BOXS");
        }
        let mut candidates = Candidates::with_window(&file, &[&Fake], 4, 2 * PIECE);
        assert_eq!(candidates.next_from(0).unwrap().0, 0);
        assert_eq!(candidates.searched, FIRST);
        assert_eq!(candidates.next_from(2 * PIECE).unwrap().0, 2 * PIECE);
        assert_eq!(candidates.searched, 2 * PIECE + FIRST);
    }

    #[test]
    fn places_in_archives_are_even() {
        let file = b"..BOXS.BOXS.BOXS..BOXS";
        let mut candidates = Candidates::with_window(file, &[&Fake], 2, PIECE);
        let places = [0, 3, 13].map(|start| candidates.next_from(start).unwrap().0);
        assert_eq!(places, [2, 12, 18]);
    }
}
