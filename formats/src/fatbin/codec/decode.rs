//! Decoders that trust neither the stream nor the length that a header claims for it.

use core::fmt::Display;
use std::borrow::ToOwned;
use std::io::{self, Read};
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

use flate2::{Decompress, FlushDecompress, Status};
use lz4_flex::block::DecompressError;
use lz4_flex::frame::{Error as FrameError, FrameDecoder};
use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};
use zstd::zstd_safe::get_frame_content_size;

use super::Codec;
use super::error::{Cause, DecodeError};

/// Bytes decoded in one step, and thus how far a stream may run past its claim: one zstd block.
const CHUNK_LEN: usize = 128 * 1024;
/// The base-2 logarithm of the largest zstd window; real payloads need 23.
const WINDOW_LOG_MAX: u32 = 27;
const ZSTD_MAGIC: [u8; 4] = 0xFD2F_B528_u32.to_le_bytes();
const LZ4_FRAME_MAGIC: [u8; 4] = 0x184D_2204_u32.to_le_bytes();

/// Decodes the whole of `stored` into a new buffer.
///
/// `decoded_len` (bytes) is what the header claims, `limit` (bytes) what the caller allows. The
/// buffer is as large as the claim and is only made for a claim that is likely or proven, so a
/// lying one costs nothing. With [`Codec::None`] the bytes are copied and neither number matters.
///
/// # Errors
///
/// If the claim is above the limit or beyond what the codec can hold, both found before anything
/// is allocated; if the stream is damaged or cut short; if it yields fewer or more bytes than
/// claimed; if it ends before `stored` does. A stream that is too long is not decoded to its end.
pub fn decode(
    codec: Codec,
    stored: &[u8],
    decoded_len: u64,
    limit: u64,
) -> Result<Vec<u8>, DecodeError> {
    match codec {
        Codec::None => return Ok(stored.to_vec()),
        // A block is decoded in one piece, so it can become the result without a copy.
        Codec::Lz4 => return lz4_block(stored, decoded_len, limit),
        Codec::Zlib | Codec::Lz4Frame | Codec::Zstd => {}
    }
    // No buffer can be larger than this, which matters where addresses have 32 bits.
    let limit = limit.min(count(isize::MAX.unsigned_abs()));
    // Real payloads shrink to a third or so. A claim far beyond that is tried without a buffer
    // first: it takes twice the time, but a false one then costs no memory.
    if decoded_len > count(stored.len()).saturating_mul(16) {
        decode_to(codec, stored, decoded_len, limit, &mut |_| ())?;
    }
    check_limit(codec, decoded_len, limit)?;
    let mut decoded = Vec::with_capacity(usize::try_from(decoded_len).unwrap_or_default());
    decode_stream(codec, stored, decoded_len, limit, Sink::Whole(&mut decoded))?;
    Ok(decoded)
}

/// Decodes the whole of `stored` piece by piece, giving each piece to `sink` in order.
///
/// It holds one buffer of 128 KiB and the window of the codec, whatever the length; only
/// [`Codec::Lz4`] is decoded in one piece. When an error comes, `sink` has had a part of the data
/// already, at most `decoded_len` bytes. The numbers are those of [`decode`].
///
/// # Errors
///
/// Those of [`decode`].
pub fn decode_to(
    codec: Codec,
    stored: &[u8],
    decoded_len: u64,
    limit: u64,
    sink: &mut dyn FnMut(&[u8]),
) -> Result<(), DecodeError> {
    match codec {
        Codec::None => sink(stored),
        Codec::Lz4 => sink(&lz4_block(stored, decoded_len, limit)?),
        Codec::Zlib | Codec::Lz4Frame | Codec::Zstd => {
            decode_stream(codec, stored, decoded_len, limit, Sink::Pieces(sink))?;
        }
    }
    Ok(())
}

/// Decodes one of the codecs that are read piece by piece.
fn decode_stream(
    codec: Codec,
    stored: &[u8],
    decoded_len: u64,
    limit: u64,
    sink: Sink<'_>,
) -> Result<(), DecodeError> {
    let mut output = Output::new(codec, decoded_len, limit, sink)?;
    match codec {
        Codec::Zlib => zlib(&mut output, stored),
        Codec::Lz4Frame => lz4_frame(&mut output, stored),
        _ => zstd(&mut output, stored),
    }
}

/// Where decoded bytes go.
enum Sink<'a> {
    Pieces(&'a mut dyn FnMut(&[u8])),
    /// A buffer with room for all that is claimed.
    Whole(&'a mut Vec<u8>),
}

/// The decoded side of a stream: counts what came and stops it at the claimed length.
struct Output<'a> {
    codec: Codec,
    claimed: u64,
    decoded: u64,
    chunk: Vec<u8>,
    sink: Sink<'a>,
}

impl<'a> Output<'a> {
    fn new(codec: Codec, claimed: u64, limit: u64, sink: Sink<'a>) -> Result<Self, DecodeError> {
        check_limit(codec, claimed, limit)?;
        // Most payloads are small: a full chunk for each would mean mostly clearing memory.
        let chunk_len = usize::try_from(claimed).map_or(CHUNK_LEN, |len| len.clamp(1, CHUNK_LEN));
        Ok(Self { codec, claimed, decoded: 0, chunk: vec![0; chunk_len], sink })
    }

    fn error(&self, cause: Cause) -> DecodeError {
        DecodeError { codec: self.codec, cause }
    }

    fn damaged(&self, what: &dyn Display) -> DecodeError {
        self.error(Cause::Damaged(what.to_string()))
    }

    /// Counts what came, unless it is more than was claimed.
    fn add(&mut self, len: usize) -> Result<(), DecodeError> {
        self.decoded = self.decoded.saturating_add(count(len));
        if self.decoded > self.claimed {
            return Err(self.error(Cause::Longer { claimed: self.claimed }));
        }
        Ok(())
    }

    /// Passes on the first `len` bytes of the chunk, unless they are more than was claimed.
    fn pass_on(&mut self, len: usize) -> Result<(), DecodeError> {
        self.add(len)?;
        if let Some(bytes) = self.chunk.get(..len).filter(|bytes| !bytes.is_empty()) {
            match &mut self.sink {
                Sink::Pieces(sink) => sink(bytes),
                Sink::Whole(decoded) => decoded.extend_from_slice(bytes),
            }
        }
        Ok(())
    }

    /// The buffer that is to hold everything, as long as it has room.
    fn room(&mut self) -> Option<&mut Vec<u8>> {
        match &mut self.sink {
            Sink::Whole(decoded) if decoded.len() < decoded.capacity() => Some(decoded),
            _ => None,
        }
    }

    /// Ends the stream, with `left` being the input that does not belong to it.
    fn finish(&self, left: &[u8]) -> Result<(), DecodeError> {
        if self.decoded != self.claimed {
            let cause = Cause::Shorter { decoded: self.decoded, claimed: self.claimed };
            return Err(self.error(cause));
        }
        if left.is_empty() {
            Ok(())
        } else {
            Err(self.error(Cause::Left { count: count(left.len()) }))
        }
    }
}

fn zlib(output: &mut Output<'_>, stored: &[u8]) -> Result<(), DecodeError> {
    let mut inflater = Decompress::new(true);
    loop {
        let (read, written) = (inflater.total_in(), inflater.total_out());
        let rest = since(stored, read);
        let status = inflater.decompress(rest, &mut output.chunk, FlushDecompress::None).map_err(
            |error| output.damaged(&error.message().unwrap_or("it is not a zlib stream")),
        )?;
        let new = inflater.total_out().saturating_sub(written);
        output.pass_on(usize::try_from(new).unwrap_or(usize::MAX))?;
        if status == Status::StreamEnd {
            return output.finish(since(stored, inflater.total_in()));
        }
        if new == 0 && inflater.total_in() == read {
            return Err(output.error(Cause::CutShort));
        }
    }
}

fn zstd(output: &mut Output<'_>, stored: &[u8]) -> Result<(), DecodeError> {
    let mut decoder = Decoder::new().map_err(|error| output.damaged(&error))?;
    decoder
        .set_parameter(DParameter::WindowLogMax(WINDOW_LOG_MAX))
        .map_err(|error| output.damaged(&error))?;
    let mut rest = stored;
    if !starts_zstd_frame(rest) {
        return Err(output.damaged(&"it does not start with a frame"));
    }
    // The decoder would call anything after a frame a damaged frame, so look before each one.
    while starts_zstd_frame(rest) {
        let is_direct = !has_large_window(rest);
        loop {
            let mut input = InBuffer::around(rest);
            let before = output.decoded;
            let remaining = zstd_step(&mut decoder, &mut input, output, is_direct)?;
            let read = input.pos();
            rest = rest.get(read..).unwrap_or_default();
            if remaining == 0 {
                break;
            }
            if read == 0 && output.decoded == before {
                return Err(output.error(Cause::CutShort));
            }
        }
    }
    output.finish(rest)
}

/// Decodes some bytes, straight to where they belong if that is a buffer with room: the decoder then
/// needs no window of its own. Says how much of the frame is left, 0 for nothing.
fn zstd_step(
    decoder: &mut Decoder<'_>,
    input: &mut InBuffer<'_>,
    output: &mut Output<'_>,
    is_direct: bool,
) -> Result<usize, DecodeError> {
    let (result, direct, chunk);
    if let Some(whole) = output.room().filter(|_| is_direct) {
        let start = whole.len();
        result = decoder.run(input, &mut OutBuffer::around_pos(whole, start));
        (direct, chunk) = (whole.len().saturating_sub(start), 0);
    } else {
        let mut buffer = OutBuffer::around(output.chunk.as_mut_slice());
        result = decoder.run(input, &mut buffer);
        (direct, chunk) = (0, buffer.pos());
    }
    let remaining = result.map_err(|error| output.damaged(&error))?;
    output.add(direct)?;
    output.pass_on(chunk)?;
    Ok(remaining)
}

/// Whether a frame asks for more window than is given to it. Decoded in one piece it would need
/// none, but what is refused must not depend on how it is decoded.
fn has_large_window(frame: &[u8]) -> bool {
    // Behind the magic stands a byte of flags, one of which says that the content is the window;
    // else an exponent above 10 follows in five bits, and eighths in three.
    const LARGEST: u8 = ((WINDOW_LOG_MAX - 10) << 3).to_le_bytes()[0];
    match frame.get(ZSTD_MAGIC.len()..) {
        Some([flags, window, ..]) if flags & 0x20 == 0 => *window > LARGEST,
        _ => {
            get_frame_content_size(frame).ok().flatten().is_none_or(|len| len > 1 << WINDOW_LOG_MAX)
        }
    }
}

/// Tells whether a zstd frame or a skippable frame starts here.
fn starts_zstd_frame(bytes: &[u8]) -> bool {
    matches!(bytes, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..]) || bytes.starts_with(&ZSTD_MAGIC)
}

fn lz4_frame(output: &mut Output<'_>, stored: &[u8]) -> Result<(), DecodeError> {
    // The decoder also takes the legacy frame, which has no end of its own.
    if !stored.starts_with(&LZ4_FRAME_MAGIC) {
        return Err(output.damaged(&"it does not start with a frame"));
    }
    let mut decoder = FrameDecoder::new(Input { rest: stored, ran_out: false });
    loop {
        let read = decoder.read(&mut output.chunk);
        // Without an end mark the decoder says neither error nor end of file, but ends.
        if decoder.get_ref().ran_out {
            return Err(output.error(Cause::CutShort));
        }
        match read {
            Ok(0) => return output.finish(decoder.get_ref().rest),
            Ok(len) => output.pass_on(len)?,
            Err(error) => return Err(output.damaged(&frame_words(&error))),
        }
    }
}

/// The stored side of an LZ4 frame, which remembers that more was asked for than there is.
struct Input<'a> {
    rest: &'a [u8],
    ran_out: bool,
}

impl Read for Input<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.rest.read(buffer)?;
        self.ran_out |= len < buffer.len();
        Ok(len)
    }
}

/// Puts the errors of the frame decoder, which shows the names of its variants, into words.
fn frame_words(error: &io::Error) -> String {
    let frame_error = error.get_ref().and_then(|inner| inner.downcast_ref());
    match frame_error {
        Some(FrameError::DecompressionError(error)) => error.to_string(),
        Some(FrameError::HeaderChecksumError) => "the header checksum does not match".to_owned(),
        Some(FrameError::BlockChecksumError) => "a block checksum does not match".to_owned(),
        Some(FrameError::ContentChecksumError) => "the content checksum does not match".to_owned(),
        Some(FrameError::BlockTooBig) => "a block is larger than the header allows".to_owned(),
        Some(FrameError::DictionaryNotSupported) => "it needs a dictionary".to_owned(),
        Some(FrameError::ContentLengthError { .. }) => "its content size is not right".to_owned(),
        _ => error.to_string(),
    }
}

fn lz4_block(stored: &[u8], claimed: u64, limit: u64) -> Result<Vec<u8>, DecodeError> {
    let codec = Codec::Lz4;
    let fail = |cause| DecodeError { codec, cause };
    check_limit(codec, claimed, limit)?;
    // The buffer must exist before decoding.
    let most = codec.most(count(stored.len()));
    let capacity = usize::try_from(claimed)
        .ok()
        .filter(|len| claimed <= most && isize::try_from(*len).is_ok())
        .ok_or_else(|| fail(Cause::Impossible { claimed, most }))?;
    match lz4_flex::block::decompress(stored, capacity) {
        Ok(decoded) if decoded.len() == capacity => Ok(decoded),
        Ok(decoded) => Err(fail(Cause::Shorter { decoded: count(decoded.len()), claimed })),
        Err(DecompressError::OutputTooSmall { .. }) => Err(fail(Cause::Longer { claimed })),
        Err(DecompressError::ExpectedAnotherByte | DecompressError::LiteralOutOfBounds) => {
            Err(fail(Cause::CutShort))
        }
        Err(error) => Err(fail(Cause::Damaged(error.to_string()))),
    }
}

fn check_limit(codec: Codec, claimed: u64, limit: u64) -> Result<(), DecodeError> {
    if claimed <= limit {
        return Ok(());
    }
    Err(DecodeError { codec, cause: Cause::OverLimit { claimed, limit } })
}

fn since(bytes: &[u8], start: u64) -> &[u8] {
    usize::try_from(start).ok().and_then(|start| bytes.get(start..)).unwrap_or_default()
}

fn count(len: usize) -> u64 {
    u64::try_from(len).unwrap_or(u64::MAX)
}
