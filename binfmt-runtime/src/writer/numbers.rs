//! Where the numbers of a book are kept: in memory, or, without it, in a place for a few.

#[cfg(feature = "alloc")]
pub(super) type Numbers = alloc::vec::Vec<Option<u64>>;

/// Without memory to remember more, so many such numbers may be in one value.
#[cfg(not(feature = "alloc"))]
pub(super) type Numbers = Few;

#[cfg(not(feature = "alloc"))]
#[derive(Debug)]
pub(super) struct Few([Option<u64>; 32]);

#[cfg(not(feature = "alloc"))]
impl Default for Few {
    fn default() -> Self {
        Self([None; 32])
    }
}

#[cfg(not(feature = "alloc"))]
impl core::ops::Deref for Few {
    type Target = [Option<u64>];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

#[cfg(not(feature = "alloc"))]
impl core::ops::DerefMut for Few {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}
