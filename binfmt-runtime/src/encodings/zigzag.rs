//! LEB128 of signed numbers whose sign is the lowest bit.

use super::Leb;
use crate::coded::{Decoded, Encoding, Undecodable};

/// A signed number as LEB128, with its sign in the lowest bit: 0, -1, 1, -2 are 0, 1, 2, 3.
///
/// All numbers of 64 bits, in 10 bytes at most. More bytes than a number needs are an overlong form, kept as
/// the least number of bytes.
///
/// -3 is `05`, 100 is `c8 01`; an overlong form of -3 is `85 00`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zigzag;

impl Encoding for Zigzag {
    type Wide = i64;
    /// The least number of bytes.
    type Form = u8;

    const NAME: &'static str = "Zigzag";
    const FORM: u8 = 1;
    const MOST: u8 = Leb::MOST;

    #[inline]
    fn decode(bytes: &[u8]) -> Result<Decoded<Self>, Undecodable> {
        let Decoded { number, len, form } = Leb::decode(bytes)?;
        let half = i64::try_from(number >> 1).map_err(|_| Undecodable::Malformed(len))?;
        let number = if number & 1 == 0 { half } else { !half };
        Ok(Decoded { number, len, form })
    }

    fn encode(number: i64, least: u8, bytes: &mut [u8; 16]) -> Option<u8> {
        let negative = number < 0;
        let half = u64::try_from(if negative { !number } else { number }).ok()?;
        Leb::encode(half << 1 | u64::from(negative), least, bytes)
    }

    fn padded(_least: u8, len: u8) -> u8 {
        len
    }
}
