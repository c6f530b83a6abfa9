//! LEB128: integers of variable length, seven bits a byte.

use crate::coded::{Coded, Decoded, Encoding, Number, Undecodable};

/// An integer stored as LEB128, lowest bits first: `Leb128<u32>` unsigned, `Leb128<i32>` signed.
///
/// An encoding may be longer than the number needs, as linkers make it to patch it later. Its length
/// is kept as the least one to write, and is no part of comparisons.
pub type Leb128<T> = Coded<<T as Number>::Leb, T>;

/// LEB128 of unsigned numbers.
#[derive(Clone, Copy, Debug)]
pub struct Leb;

/// LEB128 of signed numbers.
#[derive(Clone, Copy, Debug)]
pub struct SignedLeb;

/// The longest encoding that is read: no number of 64 bits needs more bytes.
const MAX_LEN: u8 = 10;

macro_rules! encodings {
    ($($leb:ident $wide:ident $signed:literal $one:literal;)*) => { $(
        impl Encoding for $leb {
            type Wide = $wide;
            /// The least number of bytes.
            type Form = u8;

            const NAME: &'static str = "Leb128";
            const FORM: u8 = 1;
            const MOST: u8 = MAX_LEN;

            #[inline(always)]
            fn decode(bytes: &[u8]) -> Result<Decoded<Self>, Undecodable> {
                match bytes.first() {
                    Some(byte) if *byte < $one => {
                        Ok(Decoded { number: $wide::from(*byte), len: 1, form: 1 })
                    }
                    _ => {
                        let (number, len) = decode(bytes, $signed)?;
                        let number = number.try_into().map_err(|_| Undecodable::Malformed(len))?;
                        Ok(Decoded { number, len, form: len })
                    }
                }
            }

            fn encode(number: $wide, least: u8, bytes: &mut [u8; 16]) -> Option<u8> {
                Some(encode(i128::from(number), $signed, least, bytes))
            }

            fn padded(_least: u8, len: u8) -> u8 {
                len
            }
        }
    )* };
}

encodings! {
    Leb u64 false 0x80;
    SignedLeb i64 true 0x40;
}

/// The number and its length; one that takes as many bytes as any may be none of 64 bits.
fn decode(bytes: &[u8], signed: bool) -> Result<(i128, u8), Undecodable> {
    let (mut number, mut unit, mut len) = (0_i128, 1_i128, 0_u8);
    for byte in bytes.iter().take(usize::from(MAX_LEN)) {
        len = len.saturating_add(1);
        // Ten times seven bits fit.
        number |= i128::from(byte & 0x7f).wrapping_mul(unit);
        unit <<= 7;
        if byte & 0x80 == 0 {
            let negative = signed && byte & 0x40 != 0;
            return Ok((if negative { number.wrapping_sub(unit) } else { number }, len));
        }
    }
    Err(if len == MAX_LEN { Undecodable::Malformed(len) } else { Undecodable::Short })
}

fn encode(mut rest: i128, signed: bool, least: u8, bytes: &mut [u8; 16]) -> u8 {
    let mut len = 0_u8;
    for byte in bytes.iter_mut().take(usize::from(MAX_LEN)) {
        let bits = u8::try_from(rest & 0x7f).unwrap_or_default();
        rest >>= 7;
        len = len.saturating_add(1);
        let ends = rest == if signed && bits & 0x40 != 0 { -1 } else { 0 };
        if ends && len >= least {
            *byte = bits;
            break;
        }
        *byte = bits | 0x80;
    }
    len
}
