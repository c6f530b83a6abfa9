//! How bytes are coded: a trait for codecs of anybody.

use alloc::vec::Vec;

use super::Output;
use crate::finding::Show;

/// How the bytes of an [`Encoded`](crate::Encoded) value are coded.
///
/// What a codec needs to know is in it: `codec = Xor(key)` makes one for a field. A codec that is
/// `Default` needs no `codec`.
///
/// ```
/// use binfmt_runtime::{BinFormat, Codec, CodecError, Encoded, Output};
///
/// /// Two hexadecimal digits for every byte.
/// #[derive(Clone, Copy, Default)]
/// struct Hex;
///
/// impl Codec for Hex {
///     const NAME: &'static str = "Hex";
///
///     fn decode(&self, coded: &[u8], out: &mut Output<'_>) -> Result<usize, CodecError> {
///         for (pair, at) in coded.chunks(2).zip((0..).step_by(2)) {
///             let byte = std::str::from_utf8(pair).ok().filter(|pair| pair.len() == 2);
///             let byte = byte.and_then(|pair| u8::from_str_radix(pair, 16).ok());
///             out.put(&[byte.ok_or(CodecError::at(at, "these are no two digits"))?])?;
///         }
///         Ok(coded.len())
///     }
///
///     fn encode(&self, decoded: &[u8], coded: &mut Vec<u8>) -> Result<(), CodecError> {
///         coded.extend(decoded.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()));
///         Ok(())
///     }
/// }
///
/// #[derive(BinFormat)]
/// struct Line {
///     #[bin(until_end)]
///     note: Encoded<Hex, Note>,
/// }
///
/// #[derive(BinFormat)]
/// struct Note {
///     kind: u8,
///     #[bin(until_end)]
///     text: String,
/// }
///
/// let mut line = Line::parse(b"024142")?;
/// assert_eq!((line.note.kind, &*line.note.text), (2, "AB"));
/// line.note.text.push('C');
/// assert_eq!(line.to_vec()?, b"02414243");
/// let error = Line::parse(b"0x").err().unwrap();
/// assert_eq!(error.finding().code, "codec");
/// # Ok::<(), binfmt_runtime::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how bytes are decoded and encoded",
    note = "implement `Codec` for `{Self}`; an encoded value is `Encoded<Codec, Type>`"
)]
pub trait Codec: Copy {
    /// What messages and layouts call it.
    const NAME: &'static str;

    /// The most bytes that one value may have when it is decoded: 1 GiB where the codec does not say
    /// otherwise. A walk that decodes many values has a [budget](crate::Limits), too.
    const LIMIT: u64 = 1 << 30;

    /// Decodes `coded`, which begins with the coded bytes; how many of them those are.
    fn decode(&self, coded: &[u8], out: &mut Output<'_>) -> Result<usize, CodecError>;

    /// Appends the coded bytes of `decoded`, which decode to the same bytes again: a writer makes
    /// sure of that.
    fn encode(&self, decoded: &[u8], coded: &mut Vec<u8>) -> Result<(), CodecError>;
}

/// A codec whose coded bytes say themselves where they end, so that a value may have no length and
/// others may follow it, with `until_codec`.
///
/// `decode` then takes the same bytes for the coded ones, and says the same number of them, whatever
/// follows them, and where nothing does. A writer makes sure of that with bytes of its own behind
/// what it writes.
///
/// ```
/// use binfmt_runtime::{BinFormat, Codec, CodecError, Encoded, EndsItself, Output};
///
/// /// Runs of bytes, each a number and the byte; the number 0 ends them.
/// #[derive(Clone, Copy, Default)]
/// struct Runs;
///
/// impl Codec for Runs {
///     const NAME: &'static str = "Runs";
///
///     fn decode(&self, coded: &[u8], out: &mut Output<'_>) -> Result<usize, CodecError> {
///         for at in (0..).step_by(2) {
///             match coded.get(at..) {
///                 Some([0, ..]) => return Ok(at + 1),
///                 Some([count, byte, ..]) => (0..*count).try_for_each(|_| out.put(&[*byte]))?,
///                 _ => return Err(CodecError::at(at, "the number 0 is missing")),
///             }
///         }
///         Ok(0)
///     }
///
///     fn encode(&self, decoded: &[u8], coded: &mut Vec<u8>) -> Result<(), CodecError> {
///         let runs = decoded.chunk_by(|a, b| a == b).flat_map(|run| run.chunks(255));
///         coded.extend(runs.flat_map(|run| [u8::try_from(run.len()).unwrap_or(255), run[0]]));
///         coded.push(0);
///         Ok(())
///     }
/// }
///
/// impl EndsItself for Runs {}
///
/// #[derive(BinFormat)]
/// struct Line {
///     #[bin(until_codec)]
///     text: Encoded<Runs, Text>,
///     kind: u8,
/// }
///
/// #[derive(BinFormat)]
/// struct Text {
///     #[bin(until_end)]
///     text: String,
/// }
///
/// let mut line = Line::parse(b"\x02a\x01b\0\x07")?;
/// assert_eq!((&*line.text.text, line.kind), ("aab", 7));
/// line.text.text = "cccc".to_owned();
/// assert_eq!(line.to_vec()?, b"\x04c\0\x07");
/// # Ok::<(), binfmt_runtime::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the codec `{Self}` does not say where its bytes end",
    label = "is no codec that ends by itself",
    note = "give the field a `len`, a `prefix` or `until_end` in place of `until_codec`",
    note = "a codec of yours whose bytes tell where they end implements `EndsItself`"
)]
pub trait EndsItself: Codec {}

/// Why bytes cannot be decoded or encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodecError {
    /// How many bytes stand in front of what is wrong.
    pub at: usize,
    /// What is wrong.
    pub what: &'static str,
    /// What should be there.
    pub expected: Show,
    /// What is there.
    pub found: Show,
}

impl CodecError {
    /// Something is wrong `at` bytes behind the start.
    pub const fn at(at: usize, what: &'static str) -> Self {
        Self { at, what, expected: Show::Nothing, found: Show::Nothing }
    }

    /// That with what was expected, and what was found.
    #[must_use]
    pub const fn with(self, expected: Show, found: Show) -> Self {
        Self { expected, found, ..self }
    }
}

/// A codec that needs to be told nothing.
#[diagnostic::on_unimplemented(
    message = "the codec `{Self}` takes arguments",
    note = "add `codec = {Self}(..)` to the field, or implement `Default` for `{Self}`"
)]
pub trait WithoutArguments: Codec + Default {}

#[diagnostic::do_not_recommend]
impl<C: Codec + Default> WithoutArguments for C {}
