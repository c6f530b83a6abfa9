//! Plain sums, of bytes and of words.

use super::Digest;

/// The sum of all bytes as a `u8`, `u16`, `u32` or `u64`, of which the lowest bits are kept.
///
/// ```
/// use binfmt_runtime::{BinFormat, ByteSum};
///
/// #[derive(BinFormat)]
/// #[bin(big)]
/// struct Pair {
///     pair: [u8; 2],
///     #[bin(checksum(ByteSum<u16>, over = pair))]
///     sum: u16,
/// }
///
/// assert_eq!(Pair { pair: [255, 2], sum: 0 }.to_vec()?, [255, 2, 1, 1]);
/// # Ok::<(), binfmt_runtime::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ByteSum<T>(T);

/// The sum of big-endian words, each a `u16`, `u32` or `u64`, of which the lowest bits are kept; zeros fill
/// up the last word. With `u32` it is that of the tables of TrueType and OpenType fonts.
///
/// ```
/// use binfmt_runtime::{BinFormat, WordSum};
///
/// #[derive(BinFormat)]
/// #[bin(big)]
/// struct Table {
///     #[bin(checksum(WordSum<u32>, over = data))]
///     sum: u32,
///     data: [u8; 6],
/// }
///
/// let table = Table { sum: 0, data: [0, 0, 0, 1, 2, 3] };
/// assert_eq!(table.to_vec()?[..4], [2, 3, 0, 1]);
/// # Ok::<(), binfmt_runtime::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct WordSum<T> {
    sum: T,
    /// How many bytes of the last word have been taken, if not all.
    taken: u32,
}

macro_rules! byte_sums {
    ($($int:ident)*) => { $(
        impl Digest for ByteSum<$int> {
            type Sum = $int;

            fn update(&mut self, bytes: &[u8]) {
                self.0 = bytes.iter().fold(self.0, |sum, byte| sum.wrapping_add((*byte).into()));
            }

            fn finish(self) -> $int {
                self.0
            }
        }
    )* };
}

byte_sums!(u8 u16 u32 u64);

macro_rules! word_sums {
    ($($int:ident)*) => { $(
        impl WordSum<$int> {
            /// Takes a byte of a word that is not complete.
            fn take(&mut self, byte: u8) {
                self.taken = self.taken.saturating_add(1);
                let below = $int::BITS.saturating_sub(self.taken.saturating_mul(8));
                self.sum = self.sum.wrapping_add($int::from(byte).wrapping_shl(below));
                if below == 0 {
                    self.taken = 0;
                }
            }
        }

        impl Digest for WordSum<$int> {
            type Sum = $int;

            fn update(&mut self, bytes: &[u8]) {
                let mut rest = bytes;
                while self.taken > 0
                    && let Some((byte, behind)) = rest.split_first()
                {
                    self.take(*byte);
                    rest = behind;
                }
                let (words, end) = rest.as_chunks();
                for word in words {
                    self.sum = self.sum.wrapping_add($int::from_be_bytes(*word));
                }
                for byte in end {
                    self.take(*byte);
                }
            }

            fn finish(self) -> $int {
                self.sum
            }
        }
    )* };
}

word_sums!(u16 u32 u64);
