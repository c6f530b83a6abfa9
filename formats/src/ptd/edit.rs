//! Files with other data: the tables are written anew, and everything gets its place again.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use binfmt_runtime::Error;

use super::{BuildError, Builder, DataSegment, Entry, Ptd};
use crate::shared::MOST_ALIGN;

/// A file that is being changed. Nothing is written before [`to_vec`](Self::to_vec), which writes the
/// schema of 0.7, whatever the file had.
///
/// ```
/// use binfmt_formats::ptd::{Builder, Edit, Ptd, ScalarType};
/// use binfmt_runtime::BinFormat;
///
/// let mut file = Builder::new();
/// file.tensor("scale", ScalarType::Byte, &[2], &[1, 2])?;
/// let bytes = file.to_vec()?;
/// let mut edit = Edit::new(&Ptd::parse(&bytes)?)?;
/// edit.put_named("scale", &[3, 4])?;
/// edit.put_named("note", b"retrained")?;
/// let bytes = edit.to_vec()?;
/// let keys = Ptd::parse(&bytes)?.keys()?;
/// assert_eq!(keys.get("scale").unwrap()?.bytes, Some(&[3, 4][..]));
/// assert_eq!(keys.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Edit<'a> {
    entries: Vec<Entry<'a>>,
    align: Option<u64>,
}

/// Why a file cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditError {
    /// It cannot be read.
    Format(Error),
    /// It cannot be written.
    Build(BuildError),
    /// The bytes behind this key do not lie in the file.
    Missing(String),
    /// There is no data with this key.
    NoKey(String),
    /// The tensor with this key has another number of bytes.
    Len {
        /// Its key.
        key: String,
        /// How many bytes its type and its sizes make.
        expected: u64,
        /// How many there are.
        found: u64,
    },
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format(error) => error.fmt(f),
            Self::Build(error) => error.fmt(f),
            Self::Missing(key) => write!(f, "the bytes of `{key}` do not lie in the file"),
            Self::NoKey(key) => write!(f, "there is no data with the key `{key}`"),
            Self::Len { key, expected, found } => {
                write!(f, "`{key}` is a tensor of {expected} bytes; {found} do not fit it")
            }
        }
    }
}

impl core::error::Error for EditError {}

impl From<Error> for EditError {
    fn from(error: Error) -> Self {
        Self::Format(error)
    }
}

impl From<BuildError> for EditError {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

impl<'a> Edit<'a> {
    /// The tensors and blobs of a file.
    pub fn new(file: &Ptd<'a>) -> Result<Self, EditError> {
        let entries: Vec<_> = file.entries()?.collect::<Result<_, _>>()?;
        if let Some(entry) = entries.iter().find(|entry| entry.bytes.is_none()) {
            return Err(EditError::Missing(entry.key.into()));
        }
        Ok(Self { entries, align: file.segment_align() })
    }

    /// Puts segments on multiples of `align`, a power of two. Without, they keep the alignment that
    /// all of them have.
    pub fn set_align(&mut self, align: u64) -> Result<(), EditError> {
        Builder::new().align(align)?;
        self.align = Some(align);
        Ok(())
    }

    /// Puts other elements into a tensor, or other bytes behind a key; a key that is new stands for a
    /// blob.
    pub fn put_named(&mut self, key: &'a str, bytes: &'a [u8]) -> Result<(), EditError> {
        let found = crate::shared::wide(bytes.len());
        match self.entries.iter_mut().find(|entry| entry.key == key) {
            Some(entry) => {
                let expected = entry.layout.as_ref().and_then(super::TensorLayout::len);
                if let Some(expected) = expected.filter(|expected| *expected != found) {
                    return Err(EditError::Len { key: key.into(), expected, found });
                }
                entry.bytes = Some(bytes);
            }
            None => self.entries.push(Entry {
                key,
                segment_index: 0,
                layout: None,
                bytes: Some(bytes),
                offset: 0,
            }),
        }
        Ok(())
    }

    /// Removes a key, and its bytes if no other key has the same.
    pub fn drop_named(&mut self, key: &str) -> Result<(), EditError> {
        let at = self.entries.iter().position(|entry| entry.key == key);
        self.entries.remove(at.ok_or_else(|| EditError::NoKey(key.into()))?);
        Ok(())
    }

    /// The file. Of equal keys the first one counts, as for the runtime.
    pub fn to_vec(&self) -> Result<Vec<u8>, EditError> {
        let mut file = Builder::new();
        if let Some(align) = self.align {
            file.align(align)?;
        }
        for entry in &self.entries {
            let bytes = entry.bytes.unwrap_or_default();
            let added = match &entry.layout {
                None => file.blob(entry.key, bytes, 1),
                Some(layout) => {
                    let sizes = layout.shape().map(|size| size.ok_or(BuildError::Sizes));
                    let sizes: Vec<u64> = sizes.collect::<Result<_, _>>()?;
                    file.tensor_with(entry.key, layout.scalar_type, &sizes, layout.dim_order, bytes)
                }
            };
            match added {
                Err(BuildError::Key(_)) => {}
                other => {
                    other?;
                }
            }
        }
        Ok(file.to_vec()?)
    }
}

impl Ptd<'_> {
    /// The power of two, between 16 and 65,536, that all segments are aligned to; `None` without
    /// segment bytes.
    fn segment_align(&self) -> Option<u64> {
        let segments = self.segments().ok()?;
        let filled = |segment: &DataSegment| *segment.size > 0;
        let mut offsets = segments.iter().flatten().filter(filled).peekable();
        offsets.peek()?;
        let base = self.segment_base_offset;
        let bits = offsets.fold(base, |bits, segment| bits | *segment.offset);
        Some((bits & bits.wrapping_neg()).clamp(16, MOST_ALIGN))
    }
}
