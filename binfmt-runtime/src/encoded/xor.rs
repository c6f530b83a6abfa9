//! Bytes with a key over them.

use alloc::vec::Vec;

use super::{Codec, CodecError, Output};

/// Every byte is combined with a key by an exclusive or: one byte, or an array of bytes that is
/// repeated, which `Xor<[u8; 4]>` says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Xor<K = u8>(pub K);

impl<const N: usize> Xor<[u8; N]> {
    /// A key that is repeated, of a field that is an array of bytes.
    pub const fn repeated(key: &[u8; N]) -> Self {
        Self(*key)
    }
}

impl Codec for Xor {
    const NAME: &'static str = "Xor";

    fn decode(&self, coded: &[u8], out: &mut Output<'_>) -> Result<usize, CodecError> {
        Xor([self.0]).decode(coded, out)
    }

    fn encode(&self, decoded: &[u8], coded: &mut Vec<u8>) -> Result<(), CodecError> {
        Xor([self.0]).encode(decoded, coded)
    }
}

impl<const N: usize> Codec for Xor<[u8; N]> {
    const NAME: &'static str = "Xor";

    fn decode(&self, coded: &[u8], out: &mut Output<'_>) -> Result<usize, CodecError> {
        let mut key = self.0.iter().cycle();
        let mut part = [0; 256];
        for chunk in coded.chunks(part.len()) {
            for (byte, from) in part.iter_mut().zip(chunk) {
                *byte = from ^ key.next().unwrap_or(&0);
            }
            out.put(part.get(..chunk.len()).unwrap_or_default())?;
        }
        Ok(coded.len())
    }

    fn encode(&self, decoded: &[u8], coded: &mut Vec<u8>) -> Result<(), CodecError> {
        let key = self.0.iter().cycle().chain(core::iter::repeat(&0));
        coded.extend(decoded.iter().zip(key).map(|(byte, key)| byte ^ key));
        Ok(())
    }
}
