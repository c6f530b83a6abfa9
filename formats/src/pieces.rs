//! Files in pieces: what is copied from another file, and what is new.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::shared::wide;

/// A file that is about to be written: bytes that lie elsewhere, and new ones. So a file with large
/// payloads is written without holding these.
///
/// ```
/// use binfmt_formats::pieces::Pieces;
///
/// let old = b"0123456789";
/// let new = Pieces::patched(old, vec![(2, b"ab"[..].into())]).unwrap();
/// assert_eq!(new.to_vec(), b"01ab456789");
/// assert_eq!(new.len(), 10);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pieces<'a> {
    parts: Vec<Cow<'a, [u8]>>,
    len: u64,
}

impl<'a> Pieces<'a> {
    /// An empty file.
    pub fn new() -> Self {
        Self::default()
    }

    /// A file with other bytes in some places, which do not meet; `None` if one does not lie in it.
    pub fn patched(file: &'a [u8], mut patches: Vec<(u64, Cow<'a, [u8]>)>) -> Option<Self> {
        patches.sort_by_key(|(start, _)| *start);
        let mut pieces = Self::new();
        let mut at = 0;
        for (start, bytes) in patches {
            let start = usize::try_from(start).ok()?;
            let end = start.checked_add(bytes.len()).filter(|end| *end <= file.len())?;
            pieces.push(file.get(at..start)?);
            pieces.push(bytes);
            at = end;
        }
        pieces.push(file.get(at..)?);
        Some(pieces)
    }

    /// Adds bytes at the end.
    pub fn push(&mut self, bytes: impl Into<Cow<'a, [u8]>>) {
        let bytes = bytes.into();
        self.len = self.len.saturating_add(wide(bytes.len()));
        if !bytes.is_empty() {
            self.parts.push(bytes);
        }
    }

    /// Adds zeros up to the next multiple of `align`.
    pub(crate) fn pad(&mut self, align: u64) {
        static ZEROS: [u8; 4096] = [0; 4096];
        let end = self.len.checked_next_multiple_of(align.max(1)).unwrap_or(self.len);
        while self.len < end {
            let missing = usize::try_from(end.saturating_sub(self.len)).unwrap_or(ZEROS.len());
            self.push(ZEROS.get(..missing).unwrap_or(&ZEROS));
        }
    }

    /// Adds another file at the end.
    pub fn append(&mut self, other: Self) {
        other.parts.into_iter().for_each(|part| self.push(part));
    }

    /// How many bytes the file has.
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Whether it has none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The pieces, in order.
    pub fn parts(&self) -> impl Iterator<Item = &[u8]> {
        self.parts.iter().map(|part| &**part)
    }

    /// The whole file in memory.
    pub fn to_vec(&self) -> Vec<u8> {
        let mut file = Vec::new();
        for part in self.parts() {
            file.extend_from_slice(part);
        }
        file
    }

    /// Writes the file, piece by piece.
    #[cfg(feature = "std")]
    pub fn write_to(&self, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        self.parts().try_for_each(|part| out.write_all(part))
    }
}

impl From<Vec<u8>> for Pieces<'_> {
    fn from(file: Vec<u8>) -> Self {
        let mut pieces = Self::new();
        pieces.push(file);
        pieces
    }
}

impl<'a> From<&'a [u8]> for Pieces<'a> {
    fn from(file: &'a [u8]) -> Self {
        let mut pieces = Self::new();
        pieces.push(file);
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_must_lie_in_the_file_and_apart() {
        let patched = |patches: &[(u64, &'static [u8])]| {
            let patches = patches.iter().map(|(at, bytes)| (*at, Cow::Borrowed(*bytes))).collect();
            Pieces::patched(b"0123", patches).map(|pieces| pieces.to_vec())
        };
        assert_eq!(patched(&[]).unwrap(), b"0123");
        assert_eq!(patched(&[(3, b"c"), (0, b"ab")]).unwrap(), b"ab2c");
        assert_eq!(patched(&[(3, b"ab")]), None);
        assert_eq!(patched(&[(0, b"ab"), (1, b"c")]), None);
        assert_eq!(patched(&[(u64::MAX, b"c")]), None);
    }

    #[test]
    fn padding_reaches_the_next_multiple() {
        let mut pieces = Pieces::from(&b"abc"[..]);
        pieces.pad(10_000);
        assert_eq!((pieces.len(), pieces.to_vec().len()), (10_000, 10_000));
        pieces.pad(16);
        assert_eq!(pieces.len(), 10_000);
    }
}
