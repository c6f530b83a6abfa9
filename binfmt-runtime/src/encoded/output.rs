//! Where decoded bytes go: no more of them than may be made.

use alloc::vec::Vec;

use super::CodecError;
use crate::ops::wide;

/// Takes decoded bytes, up to a limit.
#[derive(Debug)]
pub struct Output<'o> {
    into: Into<'o>,
    left: u64,
    is_full: bool,
}

#[derive(Debug)]
enum Into<'o> {
    /// Memory.
    Memory(&'o mut Vec<u8>),
    /// A comparison with bytes of which so many have come.
    Same(&'o [u8], usize),
}

impl<'o> Output<'o> {
    /// Keeps at most so many bytes.
    pub(super) fn into(memory: &'o mut Vec<u8>, most: u64) -> Self {
        Self { into: Into::Memory(memory), left: most, is_full: false }
    }

    /// Compares what comes with these bytes, and keeps nothing.
    pub(super) fn same(bytes: &'o [u8]) -> Self {
        Self { into: Into::Same(bytes, 0), left: wide(bytes.len()), is_full: false }
    }

    /// Takes the next bytes. An error ends the decoding: there are too many.
    pub fn put(&mut self, bytes: &[u8]) -> Result<(), CodecError> {
        let left = self.left.checked_sub(wide(bytes.len())).filter(|_| !self.is_full);
        let taken = left.and_then(|left| {
            self.left = left;
            self.into.take(bytes)
        });
        self.is_full |= taken.is_none();
        taken.ok_or(CodecError::at(0, "there are too many decoded bytes"))
    }

    /// How many more bytes may come.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// All bytes that have come, for codecs that repeat some of them.
    pub fn decoded(&self) -> &[u8] {
        match &self.into {
            Into::Memory(memory) => memory,
            Into::Same(bytes, len) => bytes.get(..*len).unwrap_or_default(),
        }
    }

    /// There is no memory for decoded bytes.
    #[cfg(feature = "deflate")]
    pub(super) fn no_memory(&mut self) -> CodecError {
        self.is_full = true;
        CodecError::at(0, "there is no memory for the decoded bytes")
    }

    /// Whether more bytes have come than may be made.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Whether exactly the bytes have come that it was compared with.
    pub(super) fn is_same(&self) -> bool {
        !self.is_full && self.left == 0
    }
}

impl Into<'_> {
    /// Takes bytes for which there is space; `None` without memory, or where they differ.
    fn take(&mut self, bytes: &[u8]) -> Option<()> {
        match self {
            Self::Memory(memory) => {
                memory.try_reserve(bytes.len()).ok()?;
                memory.extend_from_slice(bytes);
            }
            Self::Same(all, len) => {
                let end = len.checked_add(bytes.len())?;
                if all.get(*len..end)? != bytes {
                    return None;
                }
                *len = end;
            }
        }
        Some(())
    }
}
