//! Which bytes are there already.

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

/// How many bytes of each of its three places stand for a long run of bytes.
const SAMPLE: usize = 64;

/// Runs of bytes, found by their content. Those that differ in length, at the start, in the middle or
/// at the end are told apart by that, so that large ones are not read.
#[derive(Debug)]
pub(super) struct Equal<'a> {
    sampled: HashMap<Sample<'a>, First<'a>>,
    /// Those whose samples are those of another run.
    whole: HashMap<&'a [u8], usize>,
}

type Sample<'a> = (usize, [&'a [u8]; 3]);

/// What has a sample.
#[derive(Debug)]
enum First<'a> {
    Alone(&'a [u8], usize),
    /// They are all in `whole`.
    Several,
}

impl<'a> Equal<'a> {
    pub(super) fn new() -> Self {
        Self { sampled: HashMap::new(), whole: HashMap::new() }
    }

    /// The index of the first run with these bytes; `next`, if this is the first.
    pub(super) fn first_of(&mut self, bytes: &'a [u8], next: usize) -> usize {
        let mut sampled = match self.sampled.entry(sample(bytes)) {
            Entry::Occupied(sampled) => sampled,
            Entry::Vacant(free) => {
                free.insert(First::Alone(bytes, next));
                return next;
            }
        };
        if let First::Alone(first, index) = *sampled.get() {
            // The same place in memory needs no look.
            if core::ptr::eq(first, bytes) {
                return index;
            }
            self.whole.insert(first, index);
            sampled.insert(First::Several);
        }
        *self.whole.entry(bytes).or_insert(next)
    }
}

fn sample(bytes: &[u8]) -> Sample<'_> {
    let middle = bytes.get(bytes.len() / 2..).unwrap_or_default();
    let last = bytes.len().saturating_sub(SAMPLE);
    let of = |part: &'_ [u8]| part.len().min(SAMPLE);
    let places = [bytes, middle, bytes.get(last..).unwrap_or_default()];
    (bytes.len(), places.map(|place| place.get(..of(place)).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use std::vec;
    use std::vec::Vec;

    use super::*;

    /// Bytes that differ anywhere are others; those that are the same are found, wherever they lie.
    #[test]
    fn only_equal_bytes_are_found() {
        let plain: Vec<Vec<u8>> = [0, 1, 63, 64, 65, 200, 4096].map(|len| vec![7; len]).to_vec();
        let mut runs = plain.clone();
        for at in [0, 63, 64, 100, 136, 150, 2048, 4000, 4095] {
            for run in plain.iter().filter(|run| run.len() > at) {
                let mut other = run.clone();
                other[at] = 8;
                runs.push(other);
            }
        }
        let again = runs.clone();
        let mut equal = Equal::new();
        for (index, run) in runs.iter().enumerate() {
            assert_eq!(equal.first_of(run, index), index);
            assert_eq!(equal.first_of(run, usize::MAX), index);
        }
        for (index, run) in again.iter().enumerate() {
            assert_eq!(equal.first_of(run, usize::MAX), index);
        }
    }
}
