//! The deflate compression, bare or in a zlib stream, by the crate `miniz_oxide`.

use alloc::vec::Vec;

use miniz_oxide::deflate::{compress_to_vec, compress_to_vec_zlib};
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_PARSE_ZLIB_HEADER, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use super::{Codec, CodecError, EndsItself, Output};
use crate::ops::wide;

/// A zlib stream (RFC 1950): PNG and Git have them. Comes with the feature `deflate`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zlib;

/// Bare compressed data (RFC 1951), as ZIP and gzip have them. Comes with the feature `deflate`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deflate;

/// How hard the compressors try, of 10.
const LEVEL: u8 = 6;

impl Codec for Zlib {
    const NAME: &'static str = "Zlib";

    fn decode(&self, coded: &[u8], out: &mut Output<'_>) -> Result<usize, CodecError> {
        inflate(coded, out, TINFL_FLAG_PARSE_ZLIB_HEADER)
    }

    fn encode(&self, decoded: &[u8], coded: &mut Vec<u8>) -> Result<(), CodecError> {
        coded.extend(compress_to_vec_zlib(decoded, LEVEL));
        Ok(())
    }
}

impl Codec for Deflate {
    const NAME: &'static str = "Deflate";

    fn decode(&self, coded: &[u8], out: &mut Output<'_>) -> Result<usize, CodecError> {
        inflate(coded, out, 0)
    }

    fn encode(&self, decoded: &[u8], coded: &mut Vec<u8>) -> Result<(), CodecError> {
        coded.extend(compress_to_vec(decoded, LEVEL));
        Ok(())
    }
}

// A stream says which of its blocks is the last one.
impl EndsItself for Zlib {}
impl EndsItself for Deflate {}

/// How many coded bytes are expected where more are given: these may belong to others.
const EXPECTED: usize = 1 << 12;

/// Decompresses into memory that grows with what there is, up to the limit of the output. What has
/// been made of damaged bytes is made, too.
fn inflate(coded: &[u8], out: &mut Output<'_>, flags: u32) -> Result<usize, CodecError> {
    let flags = flags | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    // One more than may come, so that too many are noticed.
    let most = usize::try_from(out.left().saturating_add(1)).unwrap_or(usize::MAX);
    let mut state = DecompressorOxide::new();
    let (mut bytes, mut read, mut written) = (Vec::new(), 0_usize, 0_usize);
    let damage = loop {
        let larger = bytes.len().max(coded.len().min(EXPECTED));
        let larger = larger.saturating_mul(2).clamp(512, most.max(512));
        if bytes.try_reserve_exact(larger.saturating_sub(bytes.len())).is_err() {
            return Err(out.no_memory());
        }
        bytes.resize(larger, 0);
        let rest = coded.get(read..).unwrap_or_default();
        let (status, took, made) = decompress(&mut state, rest, &mut bytes, written, flags);
        (read, written) = (read.saturating_add(took), written.saturating_add(made));
        match status {
            TINFLStatus::HasMoreOutput if wide(written) <= out.left() => {}
            TINFLStatus::Done | TINFLStatus::HasMoreOutput => break None,
            // The checksum is the last that was read.
            TINFLStatus::Adler32Mismatch => {
                break Some(CodecError::at(read.saturating_sub(4), "their checksum is wrong"));
            }
            status => break Some(CodecError::at(read, damage(status))),
        }
    };
    out.put(bytes.get(..written).unwrap_or_default())?;
    damage.map_or(Ok(read), Err)
}

fn damage(status: TINFLStatus) -> &'static str {
    match status {
        TINFLStatus::FailedCannotMakeProgress | TINFLStatus::NeedsMoreInput => "they end too early",
        _ => "they are no such data",
    }
}
