//! Values without a lifetime, read from any [`std::io::Read`].

use alloc::vec::Vec;
use core::fmt;
use std::io::{self, ErrorKind, Read};

use crate::finding::{Class, Error, Finding, Show};
use crate::{BinFormat, DefaultArgs, Wire};

/// Reads one value after the other from a stream, however that is split.
///
/// It takes what the stream has to give, so it may hold bytes behind the last value: read all values
/// from one `Stream`. It waits for no more bytes than a value needs, and never makes room for what a
/// file merely claims. Only types whose end shows in what they begin with are read early; see
/// [`Wire::OPEN`]. A value that costs more than the bytes pay for that have come (`budget`) waits for more, up to
/// the end of the stream: what is read does not depend on how that is split. Each time that bytes have come, and a
/// value needs more of them, it is read again from its start: who reads from peers that send single bytes bounds how
/// long a value may be.
///
/// ```
/// use binfmt_runtime::{Auto, BinFormat, Stream};
///
/// #[derive(BinFormat, Debug, PartialEq)]
/// #[bin(big)]
/// struct Message {
///     len: Auto<u16>,
///     #[bin(len = len)]
///     text: String,
/// }
///
/// let mut stream = Stream::new(&b"\0\x02hi\0\x05there\0\x09cut"[..]);
/// assert_eq!(stream.read::<Message>()?.text, "hi");
/// assert_eq!(stream.read::<Message>()?.text, "there");
/// assert!(!stream.is_at_end()?);
/// let error = stream.read::<Message>().unwrap_err();
/// assert_eq!(error.kind(), std::io::ErrorKind::UnexpectedEof);
/// assert_eq!(
///     error.to_string(),
///     "len at 0x0..0x2: the field claims more bytes than are left behind 0x2; expected 3, found 9 [size]"
/// );
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Stream<R> {
    source: R,
    buffer: Vec<u8>,
    /// How much of the buffer belongs to values that have been read.
    used: usize,
    ended: bool,
}

/// How many bytes are asked for at least.
const CHUNK: usize = 512;

/// How many bytes are asked for at most, so that the room follows what really comes.
const MOST: usize = 1 << 16;

impl<R> fmt::Debug for Stream<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("buffered", &self.buffered().len()).finish_non_exhaustive()
    }
}

impl<R> Stream<R> {
    /// A stream of values.
    pub fn new(source: R) -> Self {
        Self { source, buffer: Vec::new(), used: 0, ended: false }
    }

    /// The bytes that have been taken from the source and belong to no value yet.
    pub fn buffered(&self) -> &[u8] {
        self.buffer.get(self.used..).unwrap_or_default()
    }

    /// The source, behind what is [`buffered`](Self::buffered).
    pub fn into_inner(self) -> R {
        self.source
    }
}

impl<R: Read> Stream<R> {
    /// Whether nothing follows; waits for a byte if none is there.
    pub fn is_at_end(&mut self) -> io::Result<bool> {
        while self.buffered().is_empty() && !self.ended {
            self.take(1)?;
        }
        Ok(self.buffered().is_empty())
    }

    /// Reads a value. Offsets in errors count from its first byte.
    ///
    /// A value that is cut off is an error of the kind `UnexpectedEof`, any other that cannot be read
    /// one of the kind `InvalidData`; both say what and where. The stream stays where it is.
    pub fn read<T>(&mut self) -> io::Result<T>
    where
        T: for<'a> BinFormat<'a> + for<'a> DefaultArgs<'a>,
    {
        self.value(T::OPEN.holds(), |bytes| {
            T::parse_prefix(bytes).map(|(value, rest)| (value, rest.len()))
        })
    }

    /// Reads a value that takes arguments.
    pub fn read_with<T, A: Copy>(&mut self, args: A) -> io::Result<T>
    where
        T: for<'a> BinFormat<'a> + for<'a> Wire<'a, Args = A>,
    {
        self.value(T::OPEN.holds(), |bytes| {
            T::parse_prefix_with(bytes, args).map(|(value, rest)| (value, rest.len()))
        })
    }

    fn value<T>(
        &mut self,
        open: bool,
        parse: impl Fn(&[u8]) -> Result<(T, usize), Error>,
    ) -> io::Result<T> {
        while open && !self.ended {
            self.take(MOST)?;
        }
        loop {
            match parse(self.buffered()) {
                Ok((value, rest)) => {
                    self.used = self.buffer.len().saturating_sub(rest);
                    return Ok(value);
                }
                // More bytes pay for more.
                Err(error) if !self.ended && error.finding().code == "budget" => self.take(1)?,
                Err(error) if error.class() != Class::Incomplete => return Err(error.into()),
                Err(error) if self.ended => {
                    return Err(io::Error::new(ErrorKind::UnexpectedEof, error));
                }
                Err(error) => self.take(missing(error.finding()))?,
            }
        }
    }

    /// Takes at least `missing` bytes, or all there are; more only if they are there at once, so that
    /// a value of many parts is not begun again for each of them.
    fn take(&mut self, missing: usize) -> io::Result<()> {
        self.buffer.drain(..self.used);
        self.used = 0;
        let target = self.buffer.len().saturating_add(missing);
        while self.buffer.len() < target && !self.ended {
            let len = self.buffer.len();
            let space = target.saturating_sub(len).max(len).clamp(CHUNK, MOST.max(len));
            self.buffer.resize(len.saturating_add(space), 0);
            let slot = self.buffer.get_mut(len..).unwrap_or_default();
            let taken = self.source.read(slot);
            let kept = len.saturating_add(*taken.as_ref().unwrap_or(&0));
            self.buffer.truncate(kept);
            match taken {
                Ok(0) => self.ended = true,
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// How many bytes a value that is cut off needs at least.
fn missing(finding: &Finding) -> usize {
    let missing = match (finding.code, finding.expected, finding.found) {
        // One is what there is, the other what is needed.
        ("end" | "size" | "count", Show::Uint(a), Show::Uint(b)) => Some(a.abs_diff(b)),
        _ => None,
    };
    missing.and_then(|missing| usize::try_from(missing).ok()).unwrap_or(1).max(1)
}
