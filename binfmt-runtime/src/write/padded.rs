//! How large the region of a padded value is.

use crate::ops::align_up;

/// The sizes `number * unit + add - sub` that a number can tell.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// What a number is multiplied by.
    pub unit: u64,
    /// What is added.
    pub add: u64,
    /// What is taken off.
    pub sub: u64,
}

impl Sizes {
    /// How many bytes behind `len` the next size lies.
    fn skips(self, len: u64) -> u64 {
        let least = self.add.saturating_sub(self.sub);
        if len < least {
            return least.saturating_sub(len);
        }
        // Whole units above the first one that is no less than nothing.
        let above = len.saturating_add(self.sub).saturating_sub(self.add);
        let over = above.checked_rem(self.unit).unwrap_or(0);
        if over == 0 { 0 } else { self.unit.saturating_sub(over) }
    }
}

/// Sizes in units of more are looked for no further than so many alignments.
const MAX_UNIT: u64 = 1 << 12;

/// The region of a padded field: at least `stored` bytes, more if it needs more; then a multiple of `align`
/// that is one of the `sizes`, or, if there is none, the next one of these.
#[inline]
pub fn padded(len: u64, align: u64, stored: Option<u64>, sizes: Sizes) -> u64 {
    if let Some(stored) = stored.filter(|stored| *stored >= len) {
        return stored;
    }
    let mut at = align_up(len, align);
    // Both multiples meet within so many steps, or never.
    for _ in 0..=sizes.unit.min(MAX_UNIT) {
        match at {
            Some(size) if sizes.skips(size) == 0 => return size,
            Some(size) => at = align_up(size.saturating_add(sizes.skips(size)), align),
            None => break,
        }
    }
    len.saturating_add(sizes.skips(len))
}
