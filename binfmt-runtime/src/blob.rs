//! Bytes that are borrowed, or read from elsewhere while they are written.

use core::fmt;

use crate::finding::Fault;
use crate::layout::Layout;
use crate::observe::Observer;
use crate::value::Value;
use crate::writer::Writer;
use crate::{Cursor, DefaultArgs, Wire, write};

/// A payload: bytes of the input when it was read, and what a reader of known length gives when it
/// is written, so that no payload has to be in memory.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use std::cell::RefCell;
///
/// use binfmt_runtime::{Auto, BinFormat, Blob};
///
/// #[derive(BinFormat)]
/// #[bin(little)]
/// struct Model<'a> {
///     size: Auto<u64>,
///     #[bin(len = size)]
///     weights: Blob<'a>,
/// }
///
/// // A file, say, of which three bytes are wanted.
/// let source = RefCell::new(&b"weights"[..]);
/// let model = Model { size: Auto::new(), weights: Blob::from_reader(&source, 3) };
/// let mut out = Vec::new();
/// model.write_to(&mut out)?;
/// assert_eq!(out, b"\x03\0\0\0\0\0\0\0wei");
/// assert_eq!(Model::parse(&out)?.weights.bytes(), Some(&b"wei"[..]));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Reading takes a reader forward, so such a value is written once. A reader that gives fewer bytes
/// than it promised is an error. Where its bytes decide something that stands in front of them, as a checksum in a
/// table does, or what an `optional` field is told by, they are all read into memory first; `encoded_len` reads
/// nothing, and where a checksum of such bytes may decide the length it says so (`reader`).
#[derive(Clone, Copy)]
pub struct Blob<'a>(Source<'a>);

#[derive(Clone, Copy)]
enum Source<'a> {
    Bytes(&'a [u8]),
    #[cfg(feature = "std")]
    Reader(&'a core::cell::RefCell<dyn std::io::Read + 'a>, u64),
}

impl<'a> Blob<'a> {
    /// The next `len` bytes of a reader.
    #[cfg(feature = "std")]
    pub fn from_reader(reader: &'a core::cell::RefCell<dyn std::io::Read + 'a>, len: u64) -> Self {
        Self(Source::Reader(reader, len))
    }

    /// The bytes, if they are in memory.
    pub fn bytes(&self) -> Option<&'a [u8]> {
        match self.0 {
            Source::Bytes(bytes) => Some(bytes),
            #[cfg(feature = "std")]
            Source::Reader(..) => None,
        }
    }

    /// How many bytes there are.
    pub fn len(&self) -> u64 {
        match self.0 {
            Source::Bytes(bytes) => crate::ops::wide(bytes.len()),
            #[cfg(feature = "std")]
            Source::Reader(_, len) => len,
        }
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'a> From<&'a [u8]> for Blob<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self(Source::Bytes(bytes))
    }
}

impl Default for Blob<'_> {
    fn default() -> Self {
        Self(Source::Bytes(&[]))
    }
}

impl PartialEq for Blob<'_> {
    /// Bytes are compared; of two readers it is only known whether they are one.
    fn eq(&self, other: &Self) -> bool {
        match (self.0, other.0) {
            (Source::Bytes(a), Source::Bytes(b)) => a == b,
            #[cfg(feature = "std")]
            (Source::Reader(a, len), Source::Reader(b, other)) => {
                core::ptr::addr_eq(a, b) && len == other
            }
            #[cfg(feature = "std")]
            _ => false,
        }
    }
}

impl fmt::Debug for Blob<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Source::Bytes(bytes) => fmt::Debug::fmt(bytes, f),
            #[cfg(feature = "std")]
            Source::Reader(_, len) => write!(f, "Blob({len} bytes of a reader)"),
        }
    }
}

impl<'a> DefaultArgs<'a> for Blob<'a> {
    fn default_args() {}
}

impl<'a> Wire<'a> for Blob<'a> {
    type Args = ();

    const FIXED: bool = false;
    const MIN_SIZE: usize = 0;
    const SHALLOW: bool = true;
    const WIRE: &'static Layout = &Layout::scalar("Blob");
    const PLAIN: bool = true;

    #[inline(always)]
    fn walk<O: Observer>(cur: &mut Cursor<'a>, _obs: &mut O, (): ()) -> Result<Self, Fault> {
        Ok(Self(Source::Bytes(crate::walk::rest(cur))))
    }

    fn emit(&self, out: &mut Writer<'_>, (): ()) -> Result<(), Fault> {
        match self.0 {
            Source::Bytes(bytes) => out.put(bytes)?,
            #[cfg(feature = "std")]
            Source::Reader(reader, len) => {
                out.copy(core::ptr::from_ref(self).addr(), reader, len)?;
            }
        }
        // A reader takes all that is left of the region.
        write::ends(out, "", 1)
    }

    fn value(&self) -> Value<'_> {
        self.bytes().map_or(Value::Group, Value::Bytes)
    }
}
