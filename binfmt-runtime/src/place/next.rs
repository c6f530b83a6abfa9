//! Where values at offsets begin: others end there.

use crate::ops::wide;
use crate::{Cursor, Fill};

/// Where a value begins that is not there: behind all others.
pub const NOWHERE: u64 = u64::MAX;

/// Where a value begins, as an absolute offset.
#[inline(always)]
pub fn start_of(base: usize, offset: Option<u64>) -> u64 {
    offset.and_then(|offset| wide(base).checked_add(offset)).unwrap_or(NOWHERE)
}

/// The cursor of a value that ends where the next of the `starts`, which are in order, lies, or with the
/// region around it, which ends at `end`.
pub fn up_to_next<'a>(there: &Cursor<'a>, end: usize, starts: &[u64]) -> Cursor<'a> {
    let from = wide(there.pos());
    let next = starts.get(starts.partition_point(|start| *start <= from));
    // What lies behind the region is limited by the file alone.
    let end = if there.pos() <= end { end.min(there.end()) } else { there.end() };
    let end = next.map_or(wide(end), |next| wide(end).min(*next));
    let mut there = *there;
    there.split(end.saturating_sub(from), Fill::Exact).unwrap_or(there)
}
