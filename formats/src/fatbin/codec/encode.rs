//! Payloads as they are stored.

use std::io::{self, Write as _};
use std::vec::Vec;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use lz4_flex::frame::FrameEncoder;

use super::Codec;

/// What the tools use for zstd (*observed*: their default writes frames that level 3 writes, too).
const ZSTD_LEVEL: i32 = 3;

/// Stores a payload with a codec; [`decode`](super::decode) gives it back.
///
/// The bytes need not be those that other encoders write.
///
/// ```
/// use binfmt_formats::fatbin::codec::{self, Codec};
///
/// let code = [7; 4096];
/// let stored = codec::encode(Codec::Zstd, &code)?;
/// assert!(stored.len() < 100);
/// assert_eq!(codec::decode(Codec::Zstd, &stored, 4096, 1 << 20)?, code);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the encoder fails, which it does for lack of memory alone.
pub fn encode(codec: Codec, payload: &[u8]) -> io::Result<Vec<u8>> {
    match codec {
        Codec::None => Ok(payload.to_vec()),
        Codec::Zlib => {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(payload)?;
            encoder.finish()
        }
        Codec::Lz4 => Ok(lz4_flex::block::compress(payload)),
        Codec::Lz4Frame => {
            let mut encoder = FrameEncoder::new(Vec::new());
            encoder.write_all(payload)?;
            Ok(encoder.finish()?)
        }
        Codec::Zstd => zstd::stream::encode_all(payload, ZSTD_LEVEL),
    }
}

#[cfg(test)]
mod tests {
    use super::super::decode;
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        let long: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
        for codec in Codec::ALL {
            for payload in [&b""[..], b"a", &[0; 5000], &long] {
                let stored = encode(codec, payload).unwrap();
                let len = u64::try_from(payload.len()).unwrap();
                assert!(decode(codec, &stored, len, len).unwrap() == payload, "{codec}");
            }
        }
    }
}
