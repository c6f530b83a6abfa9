//! What a value that has been read keeps when it is written: its places and sizes, and the bytes of its sections.

use super::Writer;

impl Writer<'_> {
    /// Whether nothing of what was stored is to be kept.
    pub(crate) fn is_compact(&self) -> bool {
        self.compact
    }

    /// A stored size that is to be kept, or an offset that counts from what is inside the value.
    #[inline(always)]
    pub fn floor(&self, stored: Option<u64>) -> Option<u64> {
        stored.filter(|_| !self.compact)
    }

    /// An offset that counts from what is around the value.
    #[inline(always)]
    pub fn outer_floor(&self, stored: Option<u64>) -> Option<u64> {
        self.floor(stored).filter(|_| !self.moved)
    }

    /// A stored place that is to be kept; one that the numbers cannot say is the first of all.
    #[inline(always)]
    pub fn stored_place(&self, stored: Option<u64>) -> Option<u64> {
        self.floor(Some(stored.unwrap_or(0)))
    }

    /// The same for one that counts from what is around the value.
    #[inline(always)]
    pub fn outer_place(&self, stored: Option<u64>) -> Option<u64> {
        self.outer_floor(Some(stored.unwrap_or(0)))
    }

    /// Writes a value that may have been moved.
    pub(crate) fn moving<R>(&mut self, moved: bool, write: impl FnOnce(&mut Self) -> R) -> R {
        let around = self.moved;
        self.moved |= moved;
        let result = write(self);
        self.moved = around;
        result
    }

    /// The bytes of a section that are to be kept.
    #[inline(always)]
    pub fn kept<'s>(&self, section: &'s [u8]) -> &'s [u8] {
        if self.compact { &[] } else { section }
    }
}
