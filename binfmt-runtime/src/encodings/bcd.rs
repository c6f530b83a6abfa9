//! Decimal digits, two in a byte.

use super::width;
use crate::coded::{Decoded, Encoding, Undecodable};

/// Decimal digits in `N` bytes, two in each, the higher one first.
///
/// `N` is 1 to 16, and a number has at most 64 bits. A number has one form alone; half a byte above 9 is
/// none.
///
/// In 2 bytes, 1984 is `19 84`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bcd<const N: usize>;

impl<const N: usize> Encoding for Bcd<N> {
    type Wide = u64;
    /// There is one form alone.
    type Form = ();

    const NAME: &'static str = "Bcd";
    const FORM: () = ();
    const LEAST: usize = N;
    const MOST: u8 = width::<N>();

    fn decode(bytes: &[u8]) -> Result<Decoded<Self>, Undecodable> {
        let stored = bytes.first_chunk::<N>().ok_or(Undecodable::Short)?;
        let digits = stored.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        let number = digits.into_iter().try_fold(0_u64, |number, digit| {
            let digit = (digit < 10).then_some(digit)?;
            number.checked_mul(10)?.checked_add(digit.into())
        });
        match number {
            Some(number) => Ok(Decoded { number, len: Self::MOST, form: () }),
            None => Err(Undecodable::Malformed(Self::MOST)),
        }
    }

    fn encode(number: u64, (): (), bytes: &mut [u8; 16]) -> Option<u8> {
        let mut rest = number;
        for byte in bytes.first_chunk_mut::<N>()?.iter_mut().rev() {
            let [low, ..] = (rest % 10).to_le_bytes();
            let [high, ..] = (rest / 10 % 10).to_le_bytes();
            *byte = high << 4 | low;
            rest /= 100;
        }
        (rest == 0).then_some(Self::MOST)
    }
}
