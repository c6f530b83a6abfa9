//! Files with other data: in their places where everything fits there, else written anew.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use binfmt_runtime::{BinFormat as _, Error};

use super::build::Layout;
use super::{BuildError, Builder, DataSegment, Ptd, ScalarType, Tables};
use crate::pieces::Pieces;
use crate::shared::{MOST_ALIGN, offset_within, wide};
use crate::tensor::Tensor;
use crate::weights::{Fitted, Old, WeightError, Weights, fit};

/// A file that is being changed. Nothing is written before [`to_vec`](Self::to_vec).
///
/// ```
/// use binfmt_formats::ptd::{Builder, Edit, Ptd, ScalarType};
/// use binfmt_runtime::BinFormat;
///
/// let mut file = Builder::new();
/// file.tensor("scale", ScalarType::Byte, &[2], &[1, 2])?;
/// let bytes = file.to_vec()?;
/// let mut edit = Edit::new(&Ptd::parse(&bytes)?)?;
/// assert_eq!(edit.to_vec()?, bytes);
///
/// edit.replace("scale", &[3, 4])?;
/// edit.add_blob("note", b"retrained")?;
/// // A key that is not there is not added.
/// assert!(edit.replace("scael", &[3, 4]).is_err());
/// let bytes = edit.to_vec()?;
/// let keys = Ptd::parse(&bytes)?.keys()?;
/// assert_eq!(keys.get("scale").unwrap()?.bytes, Some(&[3, 4][..]));
/// assert_eq!(keys.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Edit<'a> {
    file: Ptd<'a>,
    slots: Vec<Slot<'a>>,
    align: Option<u64>,
    /// Whether more than bytes in their places was changed.
    moves: bool,
}

/// What a key stands for.
#[derive(Debug, Clone)]
struct Slot<'a> {
    key: Cow<'a, str>,
    layout: Option<Layout>,
    bytes: Cow<'a, [u8]>,
    /// Where the bytes lay among the segments.
    start: u64,
    changed: bool,
}

/// Why a file cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditError {
    /// It cannot be read.
    Format(Error),
    /// It cannot be written.
    Build(BuildError),
    /// The file that would be written breaks this rule.
    Broken(Error),
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
            Self::Broken(error) => write!(f, "the file would break a rule: {error}"),
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
        let mut slots = Vec::new();
        for entry in file.entries()? {
            let entry = entry?;
            let bytes = entry.bytes.ok_or_else(|| EditError::Missing(entry.key.into()))?;
            slots.push(Slot {
                key: Cow::Borrowed(entry.key),
                layout: entry.layout.as_ref().map(Layout::of).transpose()?,
                start: offset_within(file.data, bytes).unwrap_or(0),
                bytes: Cow::Borrowed(bytes),
                changed: false,
            });
        }
        Ok(Self { align: file.segment_align(), file: file.clone(), slots, moves: false })
    }

    /// Puts segments on multiples of `align`, a power of two. Without, they keep the alignment that
    /// all of them have.
    pub fn set_align(&mut self, align: u64) -> Result<(), EditError> {
        Builder::new().align(align)?;
        self.align = Some(align);
        self.moves = true;
        Ok(())
    }

    /// Brings a file of the schema of 0.6 to that of 0.7; another one stays as it is.
    pub fn upgrade(&mut self) -> Result<(), EditError> {
        self.moves |= matches!(self.file.tables.root()?, Tables::FlatTensor06(_));
        Ok(())
    }

    /// Puts other elements into a tensor, or other bytes into a blob.
    pub fn replace(&mut self, key: &str, bytes: impl Into<Cow<'a, [u8]>>) -> Result<(), EditError> {
        let slot = self.slots.iter_mut().find(|slot| slot.key == key);
        let slot = slot.ok_or_else(|| EditError::NoKey(key.into()))?;
        let bytes = bytes.into();
        if slot.layout.is_some() && bytes.len() != slot.bytes.len() {
            let (expected, found) = (wide(slot.bytes.len()), wide(bytes.len()));
            return Err(EditError::Len { key: key.into(), expected, found });
        }
        self.moves |= bytes.len() != slot.bytes.len();
        slot.bytes = bytes;
        slot.changed = true;
        Ok(())
    }

    /// Puts new elements into tensors, which are found by their keys; those that are not there are
    /// added, if that is wanted. Either all are taken, or none, and then every reason is told.
    ///
    /// ```
    /// use binfmt_formats::ptd::{Builder, Edit, Ptd, ScalarType};
    /// use binfmt_formats::weights::Weights;
    /// use binfmt_runtime::BinFormat;
    ///
    /// let mut file = Builder::new();
    /// file.tensor("scale", ScalarType::Half, &[1], &[0, 0x3c])?;
    /// let old = file.to_vec()?;
    /// let mut new = Ptd::parse(&old)?.tensors()?;
    /// let one = 1.0_f32.to_le_bytes();
    /// (new[0].scalar_type, new[0].bytes) = (Some(ScalarType::Float), Some(&one[..]));
    /// let mut edit = Edit::new(&Ptd::parse(&old)?)?;
    /// let errors = edit.set_weights(&new, Weights::default()).unwrap_err();
    /// assert_eq!(errors[0].to_string(), "`scale`: it has the type f16, not f32");
    /// edit.set_weights(&new, Weights { cast: true, add: false }).unwrap();
    /// assert_eq!(edit.to_vec()?, old);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_weights(
        &mut self,
        new: &[Tensor<'a>],
        how: Weights,
    ) -> Result<(), Vec<WeightError>> {
        let refused = |name: &str, error: &EditError| WeightError::refused(name, error);
        let old = self.file.tensors().map_err(|error| refused("", &error.into()))?;
        // Keys with the same bytes get segments of their own where only one of them is changed.
        let old = old.into_iter().map(|tensor| Old { tensor, range: None, is_external: false });
        let old: Vec<_> = old.collect();
        let Fitted { changed, added } = fit(&old, new, how, true)?;
        let mut next = self.clone();
        for (at, bytes) in changed {
            let Some(Old { tensor, .. }) = old.get(at) else { continue };
            next.replace(&tensor.name, bytes).map_err(|error| refused(&tensor.name, &error))?;
        }
        for tensor in added.into_iter().filter_map(|at| new.get(at)) {
            let Tensor { name, scalar_type, shape, .. } = tensor;
            let unread = |why: &dyn fmt::Display| WeightError::unread(name, why);
            let ty = scalar_type.ok_or_else(|| unread(&"it has no type"))?;
            let rows = tensor.rows().ok_or_else(|| unread(&"it has no elements"))?;
            let rows = rows.map_err(|error| unread(&error))?;
            let done = next.add_tensor(name.clone(), ty, shape, rows);
            done.map_err(|error| refused(name, &error))?;
        }
        *self = next;
        Ok(())
    }

    /// Adds a blob under a key that is not there yet.
    pub fn add_blob(
        &mut self,
        key: impl Into<Cow<'a, str>>,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> Result<(), EditError> {
        self.add(key.into(), None, bytes.into())
    }

    /// Adds a tensor with its elements in the order of its dimensions, under a key that is not there
    /// yet.
    pub fn add_tensor(
        &mut self,
        key: impl Into<Cow<'a, str>>,
        scalar_type: ScalarType,
        shape: &[u64],
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> Result<(), EditError> {
        let layout = Layout::in_order(scalar_type, shape)?;
        self.add(key.into(), Some(layout), bytes.into())
    }

    /// The same with its elements in another order of dimensions, the outermost first.
    pub fn add_tensor_with(
        &mut self,
        key: impl Into<Cow<'a, str>>,
        scalar_type: ScalarType,
        shape: &[u64],
        dim_order: &[u8],
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> Result<(), EditError> {
        let layout = Layout::new(scalar_type, shape, dim_order)?;
        self.add(key.into(), Some(layout), bytes.into())
    }

    fn add(
        &mut self,
        key: Cow<'a, str>,
        layout: Option<Layout>,
        bytes: Cow<'a, [u8]>,
    ) -> Result<(), EditError> {
        if self.slots.iter().any(|slot| slot.key == key) {
            return Err(BuildError::Key(key.into_owned()).into());
        }
        if let Some(layout) = &layout {
            layout.fits(&bytes)?;
        }
        self.slots.push(Slot { key, layout, bytes, start: 0, changed: true });
        self.moves = true;
        Ok(())
    }

    /// Removes a key, and its bytes if no other key has the same.
    pub fn drop_named(&mut self, key: &str) -> Result<(), EditError> {
        let at = self.slots.iter().position(|slot| slot.key == key);
        self.slots.remove(at.ok_or_else(|| EditError::NoKey(key.into()))?);
        self.moves = true;
        Ok(())
    }

    /// The file, which breaks no rule. Of equal keys the first one counts, as for the runtime.
    ///
    /// An edit that changes no length and no key changes the bytes in their places and nothing else;
    /// one that changes nothing gives the file that was read. Otherwise the file is written anew, in
    /// the schema of 0.7, whatever it had.
    pub fn to_vec(&self) -> Result<Vec<u8>, EditError> {
        let old = self.file.to_vec()?;
        let file = self.pieces(&old)?.to_vec();
        match Ptd::validate(&file).errors().next() {
            Some(error) => Err(EditError::Broken(Error::new(error.clone()))),
            None => Ok(file),
        }
    }

    /// The same file in pieces, of which the large ones lie in `file`, the one that was read. Whether
    /// it breaks a rule is not looked at; [`Ptd::validate`] does that, of the file that was written.
    pub fn pieces<'s>(&'s self, file: &'s [u8]) -> Result<Pieces<'s>, EditError> {
        if self.moves || self.would_change_others() {
            return self.anew();
        }
        let base = self.file.segment_base_offset;
        let changed = self.slots.iter().filter(|slot| slot.changed);
        let patch =
            |slot: &'s Slot<'_>| (base.saturating_add(slot.start), Cow::Borrowed(&*slot.bytes));
        let mut patches: Vec<(u64, Cow<'s, [u8]>)> = changed.map(patch).collect();
        // Keys with the same bytes that get the same ones are changed once.
        patches.sort();
        patches.dedup();
        match Pieces::patched(file, patches) {
            Some(pieces) => Ok(pieces),
            None => self.anew(),
        }
    }

    /// Whether bytes that were changed belong to another key too, which has others now.
    fn would_change_others(&self) -> bool {
        let end = |slot: &Slot<'_>| slot.start.saturating_add(wide(slot.bytes.len()));
        let mut slots: Vec<_> = self.slots.iter().filter(|slot| !slot.bytes.is_empty()).collect();
        slots.sort_by_key(|slot| (slot.start, end(slot)));
        let mut last: Option<&Slot<'_>> = None;
        for slot in slots {
            if let Some(before) = last.filter(|before| slot.start < end(before)) {
                let same = slot.start == before.start && slot.bytes == before.bytes;
                if (slot.changed || before.changed) && !same {
                    return true;
                }
            }
            if last.is_none_or(|before| end(before) <= end(slot)) {
                last = Some(slot);
            }
        }
        false
    }

    fn anew(&self) -> Result<Pieces<'_>, EditError> {
        let mut file = Builder::new();
        if let Some(align) = self.align {
            file.align(align)?;
        }
        for slot in &self.slots {
            match file.put(&slot.key, slot.layout.clone(), &slot.bytes) {
                Err(BuildError::Key(_)) => {}
                other => other?,
            }
        }
        Ok(file.pieces()?)
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
