//! Which of several that claim a byte gets it.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::ops::Range;

use hashbrown::HashMap;

use super::{Facts, Piece, Purpose};

/// How close a claim is to the bytes: a tensor claims more than the segment that it lies in.
pub(crate) type Rank = u8;

/// Somebody's bytes.
#[derive(Debug)]
struct Claim {
    range: Range<u64>,
    rank: Rank,
    facts: Facts,
}

/// All that is known about the bytes of a file.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    all: Vec<Claim>,
    /// Claims of the same bytes are one.
    by_range: HashMap<(u64, u64, Rank), usize>,
}

impl Claims {
    /// Bytes are so many, from there on. Of equal claims the first gives the name.
    pub(crate) fn add(&mut self, range: Range<u64>, rank: Rank, facts: Facts) {
        if range.is_empty() {
            return;
        }
        let key = (range.start, range.end, rank);
        let known = self.by_range.get(&key).and_then(|at| self.all.get_mut(*at));
        match known {
            Some(claim) => claim.facts.merge(facts),
            None => {
                self.by_range.insert(key, self.all.len());
                self.all.push(Claim { range, rank, facts });
            }
        }
    }

    /// Gives every byte of a file of that length to the closest claim, of equally close ones to the
    /// first. What nobody claims is padding.
    pub(crate) fn settle(self, len: u64) -> Vec<Piece> {
        let mut events = Vec::new();
        for (claim, at) in self.all.iter().zip(0_usize..) {
            let end = claim.range.end.min(len);
            if claim.range.start < end {
                events.push((claim.range.start, true, at));
                events.push((end, false, at));
            }
        }
        events.sort_unstable();
        let mut open: BTreeSet<(core::cmp::Reverse<Rank>, usize)> = BTreeSet::new();
        let mut pieces = Pieces { claims: &self.all, last: None, all: Vec::new() };
        let mut from = 0;
        for (at, begins, claim) in events {
            if from < at {
                let owner = open.first().map_or(Owner::Nobody, |(_, claim)| Owner::Claim(*claim));
                pieces.push(from..at, owner);
                from = at;
            }
            let Some(key) = self.all.get(claim).map(|it| (core::cmp::Reverse(it.rank), claim))
            else {
                continue;
            };
            if begins {
                open.insert(key)
            } else {
                open.remove(&key)
            };
        }
        if from < len {
            pieces.push(from..len, Owner::Nobody);
        }
        pieces.all
    }
}

/// Whose bytes are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Nobody,
    Claim(usize),
}

struct Pieces<'c> {
    claims: &'c [Claim],
    /// Whose the last piece is.
    last: Option<Owner>,
    all: Vec<Piece>,
}

impl Pieces<'_> {
    fn push(&mut self, range: Range<u64>, owner: Owner) {
        let len = range.end.saturating_sub(range.start);
        if let Some(last) = self.all.last_mut().filter(|_| self.last == Some(owner)) {
            last.len = last.len.saturating_add(len);
            return;
        }
        let claim = match owner {
            Owner::Nobody => None,
            Owner::Claim(at) => self.claims.get(at),
        };
        let facts = claim.map(|claim| claim.facts.clone());
        let facts = facts.unwrap_or_else(|| Facts::of(Purpose::Padding));
        self.all.push(Piece { offset: range.start, len, facts });
        self.last = Some(owner);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(
        claims: &[(Range<u64>, Rank, &str)],
        len: u64,
    ) -> Vec<(u64, u64, Option<alloc::string::String>)> {
        let mut all = Claims::default();
        for (range, rank, name) in claims {
            all.add(range.clone(), *rank, Facts::of(Purpose::Constant).named(*name));
        }
        all.settle(len).into_iter().map(|it| (it.offset, it.len, it.facts.name)).collect()
    }

    #[test]
    fn every_byte_belongs_to_the_closest_claim() {
        let name = |name: &str| Some(name.into());
        let found = settled(&[(2..10, 0, "segment"), (4..6, 1, "a"), (6..8, 1, "b")], 12);
        let expected = [
            (0, 2, None),
            (2, 2, name("segment")),
            (4, 2, name("a")),
            (6, 2, name("b")),
            (8, 2, name("segment")),
            (10, 2, None),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn claims_behind_the_file_and_across_each_other_add_up() {
        for (claims, len) in [
            (&[(0..5, 1, "a"), (3..9, 1, "b"), (4..u64::MAX, 0, "c")][..], 7),
            (&[(5..5, 1, "a"), (9..12, 1, "b")], 6),
            (&[(0..6, 1, "a"), (0..6, 1, "b"), (0..6, 2, "c")], 6),
            (&[], 0),
        ] {
            let sum: u64 = settled(claims, len).iter().map(|piece| piece.1).sum();
            assert_eq!(sum, len, "{claims:?}");
        }
        let first = settled(&[(0..6, 1, "a"), (3..9, 1, "b")], 9);
        assert_eq!(first, [(0, 6, Some("a".into())), (6, 3, Some("b".into()))]);
    }
}
