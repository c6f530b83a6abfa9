//! Numbers of QUIC, whose length doubles.

use super::{big, put_big};
use crate::coded::{Decoded, Encoding, Undecodable};

/// A number of 1, 2, 4 or 8 bytes, the highest first, whose highest two bits say of how many (RFC 9000,
/// section 16).
///
/// Numbers of 62 bits. More bytes than a number needs are an overlong form, kept as the least number of
/// bytes: QUIC allows them nearly everywhere.
///
/// 37 is `25`, 15,293 is `7b bd`; an overlong form of 37 is `40 25`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quic;

impl Encoding for Quic {
    type Wide = u64;
    /// The least number of bytes.
    type Form = u8;

    const NAME: &'static str = "Quic";
    const FORM: u8 = 1;
    const MOST: u8 = 8;

    #[inline]
    fn decode(bytes: &[u8]) -> Result<Decoded<Self>, Undecodable> {
        let first = *bytes.first().ok_or(Undecodable::Short)?;
        let len = 1_u8 << (first >> 6);
        let bytes = bytes.get(..usize::from(len)).ok_or(Undecodable::Short)?;
        let marks = u64::from(first & 0xc0) << (u32::from(len) * 8).saturating_sub(8);
        Ok(Decoded { number: big(bytes) & !marks, len, form: len })
    }

    fn encode(number: u64, least: u8, bytes: &mut [u8; 16]) -> Option<u8> {
        let all = [(1, 6, 0), (2, 14, 0x40), (4, 30, 0x80), (8, 62, 0xc0)];
        let fits = |(len, bits, _): &(u8, u32, u8)| number >> bits == 0 && *len >= least;
        let (len, _, mark) = all.into_iter().find(fits)?;
        put_big(number, bytes.get_mut(..usize::from(len))?);
        bytes[0] |= mark;
        Some(len)
    }

    fn padded(_least: u8, len: u8) -> u8 {
        len
    }
}
