//! The places at which a container may start: a magic stands there.

use std::collections::VecDeque;
use std::ops::Range;

use binfmt_formats::host;
use memchr::memmem::Finder;
use rayon::prelude::*;

use crate::driver::Driver;

/// How many bytes are searched for one magic after the other: few enough to stay in the cache.
const PIECE: usize = 1 << 18;

/// How many pieces each core gets at a time. What is found in them is kept, which in a file of
/// nothing but magics is some times their size.
const PIECES: usize = 4;

/// The places at which a container may start, in file order. All cores search, one window of the
/// file after the other, so that what containers span is mostly left out.
pub(super) struct Candidates<'f> {
    file: &'f [u8],
    /// Containers start at multiples of this in the file.
    alignment: usize,
    magics: Vec<(Finder<'static>, &'f dyn Driver)>,
    window: usize,
    /// Where the next window begins.
    searched: usize,
    /// What was found in the last one, as place and magic.
    found: VecDeque<(usize, usize)>,
}

impl<'f> Candidates<'f> {
    pub(super) fn new(file: &'f [u8], drivers: &[&'f dyn Driver]) -> Self {
        // Archives keep their members on even offsets, and containers are aligned in their member.
        let alignment = if host::kind_of(file) == host::HostKind::Archive { 2 } else { 4 };
        let window = PIECE * PIECES * rayon::current_num_threads();
        Self::with_window(file, drivers, alignment, window)
    }

    fn with_window(
        file: &'f [u8],
        drivers: &[&'f dyn Driver],
        alignment: usize,
        window: usize,
    ) -> Self {
        let magics = drivers
            .iter()
            .flat_map(|driver| driver.magics().iter().map(|magic| (Finder::new(magic), *driver)));
        let (magics, found) = (magics.collect(), VecDeque::new());
        Self { file, alignment, magics, window, searched: 0, found }
    }

    /// The first place at or behind `start`.
    pub(super) fn next_from(&mut self, start: usize) -> Option<(usize, &'f dyn Driver)> {
        loop {
            while let Some((at, magic)) = self.found.pop_front() {
                if let Some((_, driver)) = self.magics.get(magic).filter(|_| at >= start) {
                    return Some((at, *driver));
                }
            }
            self.searched = self.searched.max(start);
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
    }

    /// The places that lie in a piece, though the magic may reach out of it.
    fn places_in(&self, piece: Range<usize>) -> Vec<(usize, usize)> {
        let mut places = Vec::new();
        for (index, (finder, driver)) in self.magics.iter().enumerate() {
            // The magic stands behind the start, and may reach out of the piece.
            let before = driver.before_magic();
            let longest = finder.needle().len().saturating_sub(1).saturating_add(before);
            let end = self.file.len().min(piece.end.saturating_add(longest));
            let start = piece.start.saturating_add(before);
            let bytes = self.file.get(start..end).unwrap_or_default();
            let all = finder.find_iter(bytes).map(|at| piece.start + at);
            places.extend(all.filter(|at| at.is_multiple_of(self.alignment)).map(|at| (at, index)));
        }
        places.sort_unstable();
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drivers::fake::Fake;

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
}
