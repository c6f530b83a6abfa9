//! Octal digits as text.

use super::width;
use crate::coded::{Decoded, Encoding, Undecodable};

/// Octal digits as text in `N` bytes, as in the headers of TAR: zeros in front, and a NUL behind.
///
/// `N` is 2 to 16, and a number has at most 64 bits. A new one has `N - 1` digits and the NUL. A reader takes
/// what tools write beside that: spaces in front, spaces and NULs behind, nothing behind, and no digit at
/// all, which is 0. Other bytes that say the same number are `canonical`, and kept as they are while the
/// number stays. Digits of another base, which GNU tar writes of large numbers, are none.
///
/// In 4 bytes, 15 is `"017\0"`; `" 17 "` and `"0017"` are other forms of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Octal<const N: usize>;

impl<const N: usize> Encoding for Octal<N> {
    type Wide = u64;
    /// The bytes as they are stored.
    type Form = Option<[u8; N]>;

    const NAME: &'static str = "Octal";
    const FORM: Option<[u8; N]> = None;
    const LEAST: usize = N;
    const MOST: u8 = width::<N>();

    fn decode(bytes: &[u8]) -> Result<Decoded<Self>, Undecodable> {
        let stored = bytes.first_chunk::<N>().ok_or(Undecodable::Short)?;
        match number(stored) {
            Some(number) => Ok(Decoded { number, len: Self::MOST, form: Some(*stored) }),
            None => Err(Undecodable::Malformed(Self::MOST)),
        }
    }

    fn encode(value: u64, stored: Option<[u8; N]>, bytes: &mut [u8; 16]) -> Option<u8> {
        let bytes = bytes.first_chunk_mut::<N>()?;
        if let Some(stored) = stored.filter(|stored| number(stored) == Some(value)) {
            *bytes = stored;
            return Some(Self::MOST);
        }
        let mut rest = value;
        let (end, digits) = bytes.split_last_mut()?;
        *end = 0;
        for digit in digits.iter_mut().rev() {
            let [low, ..] = rest.to_le_bytes();
            *digit = low & 7 | b'0';
            rest >>= 3;
        }
        (rest == 0).then_some(Self::MOST)
    }
}

/// The number that a text is.
fn number(text: &[u8]) -> Option<u64> {
    let from = text.iter().position(|byte| *byte != b' ').unwrap_or(text.len());
    let text = text.get(from..).unwrap_or_default();
    let to = text.iter().rposition(|byte| !matches!(byte, b' ' | 0));
    let digits = to.and_then(|to| text.get(..=to)).unwrap_or_default();
    digits.iter().try_fold(0_u64, |number, digit| match digit {
        b'0'..=b'7' if number >> 61 == 0 => Some(number << 3 | u64::from(digit & 7)),
        _ => None,
    })
}
