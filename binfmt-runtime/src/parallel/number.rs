//! Numbers of items that the writer computes, compared while the value of the item is open.

use super::{Item, Sequence};
use crate::layout::ANY_NUMBER;
use crate::observe::Observer;
use crate::walk::{Trail, calculated_as};

/// The names that lead to a number of an item.
#[derive(Debug)]
pub struct Names {
    /// From what holds the table to it.
    pub path: &'static [&'static str],
    /// From the item to the number.
    pub names: &'static [&'static str],
}

/// Tells something of the bytes of a number, and of the least and the largest one that they can hold.
type Tell<'t, O> = dyn FnMut(&mut O, (usize, usize), (i128, i128)) + 't;

impl Item {
    /// Tells something about one of its numbers, at its own path and place: its bytes, and the largest
    /// number that they can hold. What the words of the values say about findings counts.
    #[inline(never)]
    pub(super) fn tell<O: Observer>(&self, obs: &mut O, number: &Names, tell: &mut Tell<'_, O>) {
        let (item, &Sequence { layout, field, .. }) = (self, self.sequence);
        item.claim.name(obs, false);
        let index = item.inner;
        let start = Some(item.claim.span.0).filter(|_| item.claim.exact);
        let mut trail = Trail::of(layout, item.claim.field, start);
        for (depth, name) in number.path.iter().chain(number.names).enumerate() {
            if depth == number.path.len()
                && let Some(index) = index
            {
                obs.reopen_item(index);
            }
            let Some((own, index)) = trail.go(name) else { break };
            obs.reopen(own, index);
        }
        let (mut own, mut bounds) = (trail.range(), trail.bounds);
        if let (true, Some(index)) = (number.names.is_empty(), index) {
            obs.reopen_item(index);
            (own, bounds) = (None, ANY_NUMBER);
        }
        let span = own.unwrap_or(item.claim.span);
        obs.about(layout, field);
        tell(obs, span, bounds);
        obs.about(layout, usize::MAX);
        // The value of the item is still open.
        obs.close(item.depth);
        obs.reopen(layout, field);
        obs.reopen_item(item.index);
    }
}

/// Compares a number with what the writer would set it to.
#[inline(never)]
pub fn compare<O: Observer>(
    obs: &mut O,
    item: &Item,
    number: &Names,
    expected: Option<i128>,
    found: Option<i128>,
) {
    if expected.is_some() && expected == found {
        return;
    }
    item.tell(obs, number, &mut |obs, span, bounds| {
        calculated_as(obs, span, (expected, found), bounds);
    });
}

/// Compares a number that holds so many bits of a place or a size with those: others are not kept.
pub fn compare_bits<O: Observer>(
    obs: &mut O,
    item: &Item,
    number: &Names,
    found: Option<u64>,
    count: u32,
) {
    let above = found.and_then(|found| found.checked_shr(count)?.checked_shl(count));
    let own = found.map(|found| found ^ above.unwrap_or(0));
    if own != found {
        compare(obs, item, number, own.map(i128::from), found.map(i128::from));
    }
}
