//! Decoded bytes that somebody asks for who stands around the encoded value.

use alloc::vec::Vec;

/// The decoded bytes of one value, if they are asked for.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    asked: bool,
    bytes: Vec<u8>,
}

impl Kept {
    /// Those of the value that comes next.
    pub(crate) fn ask(&mut self) {
        self.asked = true;
    }

    /// Whether they are those of the value that asks, and of none inside it.
    pub(crate) fn asked(&mut self) -> bool {
        core::mem::take(&mut self.asked)
    }

    /// Keeps them.
    pub(crate) fn put(&mut self, bytes: Vec<u8>) {
        self.bytes = bytes;
    }

    /// Takes them.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        self.asked = false;
        core::mem::take(&mut self.bytes)
    }
}
