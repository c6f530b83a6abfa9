//! Lengths of DER and BER.

use super::{big, put_big};
use crate::coded::{Decoded, Encoding, Undecodable};

/// The length of a DER or BER value: one byte up to 127, else 0x80 plus how many bytes follow, and these,
/// the highest first.
///
/// All numbers of 64 bits, in 9 bytes at most. DER wants the shortest form; what BER allows beside it, more
/// bytes than needed, is an overlong form, kept as the least number of bytes. The indefinite length of BER
/// (0x80 alone) is no number, and neither is one of more than 8 bytes behind the first.
///
/// 5 is `05`, 200 is `81 c8`; an overlong form of 5 is `81 05`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DerLen;

impl Encoding for DerLen {
    type Wide = u64;
    /// The least number of bytes.
    type Form = u8;

    const NAME: &'static str = "DerLen";
    const FORM: u8 = 1;
    const MOST: u8 = 9;

    #[inline]
    fn decode(bytes: &[u8]) -> Result<Decoded<Self>, Undecodable> {
        let (first, rest) = bytes.split_first().ok_or(Undecodable::Short)?;
        let more = *first & 0x7f;
        if more == *first {
            return Ok(Decoded { number: u64::from(more), len: 1, form: 1 });
        }
        if more == 0 || more > 8 {
            return Err(Undecodable::Malformed(1));
        }
        let number = big(rest.get(..usize::from(more)).ok_or(Undecodable::Short)?);
        let len = more.saturating_add(1);
        Ok(Decoded { number, len, form: len })
    }

    fn encode(number: u64, least: u8, bytes: &mut [u8; 16]) -> Option<u8> {
        let [.., low] = number.to_be_bytes();
        let least = least.min(Self::MOST);
        if number < 0x80 && least < 2 {
            bytes[0] = low;
            return Some(1);
        }
        let needed = (1..8).zip((8..64).step_by(8)).find(|(_, bits)| number >> bits == 0);
        let more = needed.map_or(8_u8, |(len, _)| len).max(least.saturating_sub(1));
        let len = more.saturating_add(1);
        let (first, rest) = bytes.get_mut(..usize::from(len))?.split_first_mut()?;
        *first = more | 0x80;
        put_big(number, rest);
        Some(len)
    }

    fn padded(_least: u8, len: u8) -> u8 {
        len
    }
}
