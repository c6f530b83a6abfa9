//! Files in pieces: what is copied from another file, and what is new.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
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
    /// By where each begins; none is empty, and there is nothing between them.
    parts: BTreeMap<u64, Cow<'a, [u8]>>,
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
        if !bytes.is_empty() {
            let end = self.len.saturating_add(wide(bytes.len()));
            self.parts.insert(self.len, bytes);
            self.len = end;
        }
    }

    /// Puts other bytes over those at `at`; `None` if the file ends before.
    ///
    /// ```
    /// use binfmt_formats::pieces::Pieces;
    ///
    /// let mut file = Pieces::from(&b"0123456789"[..]);
    /// file.put(2, &b"abc"[..]).unwrap();
    /// file.put(4, &b"de"[..]).unwrap();
    /// assert_eq!(file.to_vec(), b"01abde6789");
    /// assert_eq!(file.put(9, &b"fg"[..]), None);
    /// ```
    pub fn put(&mut self, at: u64, bytes: impl Into<Cow<'a, [u8]>>) -> Option<()> {
        let bytes = bytes.into();
        let end = at.checked_add(wide(bytes.len())).filter(|end| *end <= self.len)?;
        if !bytes.is_empty() {
            self.cut(at);
            self.cut(end);
            let covered: Vec<u64> = self.parts.range(at..end).map(|(start, _)| *start).collect();
            for start in covered {
                self.parts.remove(&start);
            }
            self.parts.insert(at, bytes);
        }
        Some(())
    }

    /// Makes a piece end at `at`.
    fn cut(&mut self, at: u64) {
        let Some((start, part)) = self.parts.range_mut(..at).next_back() else { return };
        let inside = usize::try_from(at.saturating_sub(*start)).unwrap_or(usize::MAX);
        if inside >= part.len() {
            return;
        }
        let rest = match part {
            Cow::Borrowed(bytes) => {
                let (head, rest) = bytes.split_at(inside);
                *bytes = head;
                Cow::Borrowed(rest)
            }
            Cow::Owned(bytes) => Cow::Owned(bytes.split_off(inside)),
        };
        self.parts.insert(at, rest);
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
        other.parts.into_values().for_each(|part| self.push(part));
    }

    /// Adds another file at the end, which goes on holding its bytes.
    pub(crate) fn append_of(&mut self, other: &'a Pieces<'_>) {
        other.parts().for_each(|part| self.push(part));
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
        self.parts.values().map(|part| &**part)
    }

    /// The pieces, each with where it begins.
    pub(crate) fn placed(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.parts.iter().map(|(start, part)| (*start, &**part))
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

impl<'a> From<Cow<'a, [u8]>> for Pieces<'a> {
    fn from(file: Cow<'a, [u8]>) -> Self {
        let mut pieces = Self::new();
        pieces.push(file);
        pieces
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

    /// Whatever lies over what, owned or not, the file is what a buffer would be.
    #[test]
    fn what_is_put_covers_what_was_there() {
        let old: Vec<u8> = (0..40).collect();
        let mut pieces = Pieces::new();
        pieces.push(&old[..10]);
        pieces.push(old[10..25].to_vec());
        pieces.push(&old[25..]);
        let mut expected = old.clone();
        let mut state = 7_usize;
        for step in 0..2000_usize {
            state = (state * 1_103_515_245 + 12345) % (1 << 31);
            let (at, len) = ((state >> 8) % 41, (state >> 16) % 12);
            let new = std::vec![u8::try_from(step % 251).unwrap(); len];
            let fits = at + len <= expected.len();
            let done = if step % 2 == 0 {
                pieces.put(at.try_into().unwrap(), new.clone())
            } else {
                pieces.put(at.try_into().unwrap(), &Vec::leak(new.clone())[..])
            };
            assert_eq!(done.is_some(), fits);
            if fits {
                expected[at..at + len].copy_from_slice(&new);
            }
            assert_eq!(pieces.to_vec(), expected);
            let ends = pieces.placed().map(|(start, part)| start + wide(part.len()));
            let starts = pieces.placed().map(|(start, _)| start).skip(1).chain([pieces.len()]);
            assert!(ends.eq(starts) && pieces.parts().all(|part| !part.is_empty()));
        }
        assert_eq!(pieces.put(u64::MAX, &b"a"[..]), None);
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
