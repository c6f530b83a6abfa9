//! Seven bits a byte, the highest first.

use crate::coded::{Decoded, Encoding, Undecodable};

/// Seven bits a byte, the highest first, in at most `N` bytes: all but the last have their highest bit set.
///
/// `N` is 1 to 10; `Vlq<4>` is that of MIDI, and `Vlq` has all numbers of 64 bits. More bytes than a number
/// needs begin with 0x80, and are kept as the least number of bytes.
///
/// 300 is `82 2c`; its overlong form in three bytes is `80 82 2c`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Vlq<const N: u8 = 10>;

impl<const N: u8> Encoding for Vlq<N> {
    type Wide = u64;
    /// The least number of bytes.
    type Form = u8;

    const NAME: &'static str = "Vlq";
    const FORM: u8 = 1;
    const MOST: u8 = {
        assert!(N > 0 && N <= 10, "a `Vlq` has 1 to 10 bytes");
        N
    };

    #[inline]
    fn decode(bytes: &[u8]) -> Result<Decoded<Self>, Undecodable> {
        let mut number = 0_u64;
        for (byte, len) in bytes.iter().zip(1..=Self::MOST) {
            if number >> 57 != 0 {
                return Err(Undecodable::Malformed(len));
            }
            number = number << 7 | u64::from(byte & 0x7f);
            if byte & 0x80 == 0 {
                return Ok(Decoded { number, len, form: len });
            }
        }
        let all = bytes.len() >= usize::from(Self::MOST);
        Err(if all { Undecodable::Malformed(Self::MOST) } else { Undecodable::Short })
    }

    fn encode(number: u64, least: u8, bytes: &mut [u8; 16]) -> Option<u8> {
        let needed = groups(number);
        let len = needed.max(least.min(Self::MOST));
        if len > Self::MOST {
            return None;
        }
        let bytes = bytes.get_mut(..usize::from(len))?;
        put(number, bytes);
        *bytes.last_mut()? &= 0x7f;
        Some(len)
    }

    fn padded(_least: u8, len: u8) -> u8 {
        len
    }
}

/// Seven bits a byte, the highest first, in at most 8 bytes, and eight bits more in a ninth: `SQLite`'s.
///
/// All numbers of 64 bits. More bytes than a number needs begin with 0x80, and are kept as the least number
/// of bytes.
///
/// 300 is `82 2c`; 2⁶⁴ - 1 is nine times `ff`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Vlq9;

impl Encoding for Vlq9 {
    type Wide = u64;
    /// The least number of bytes.
    type Form = u8;

    const NAME: &'static str = "Vlq9";
    const FORM: u8 = 1;
    const MOST: u8 = 9;

    #[inline]
    fn decode(bytes: &[u8]) -> Result<Decoded<Self>, Undecodable> {
        let mut number = 0_u64;
        for (byte, len) in bytes.iter().zip(1..=8) {
            number = number << 7 | u64::from(byte & 0x7f);
            if byte & 0x80 == 0 {
                return Ok(Decoded { number, len, form: len });
            }
        }
        let last = bytes.get(8).ok_or(Undecodable::Short)?;
        Ok(Decoded { number: number << 8 | u64::from(*last), len: 9, form: 9 })
    }

    fn encode(number: u64, least: u8, bytes: &mut [u8; 16]) -> Option<u8> {
        let len = groups(number).max(least).min(Self::MOST);
        let bytes = bytes.get_mut(..usize::from(len))?;
        if let [first @ .., last] = bytes
            && first.len() == 8
        {
            put(number >> 8, first);
            [.., *last] = number.to_be_bytes();
        } else {
            put(number, bytes);
            *bytes.last_mut()? &= 0x7f;
        }
        Some(len)
    }

    fn padded(_least: u8, len: u8) -> u8 {
        len
    }
}

/// How many groups of seven bits a number has.
fn groups(number: u64) -> u8 {
    (1..10_u8)
        .zip((7..64).step_by(7))
        .find(|(_, bits)| number >> bits == 0)
        .map_or(10, |(len, _)| len)
}

/// Writes the lowest groups of seven bits, the highest of them first, each with its highest bit set.
fn put(number: u64, bytes: &mut [u8]) {
    let mut rest = number;
    for byte in bytes.iter_mut().rev() {
        let [low, ..] = rest.to_le_bytes();
        *byte = low | 0x80;
        rest >>= 7;
    }
}
