//! Programs with other data: in their places where everything fits there, else written anew.

mod error;
mod weights;
mod write;

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use binfmt_runtime::{BinFormat as _, FbVec};

use super::kind::DataLocation;
use super::{Extended, Program, Pte, Source, Storage, Tensor, Value};
use crate::pieces::Pieces;
use crate::shared::{MOST_ALIGN, offset_within, wide};

pub use error::EditError;

/// The alignment of segments in files of today's tools.
pub const SEGMENT_ALIGN: u64 = 128;

/// The alignment of constants in their segment.
const CONSTANT_ALIGN: u64 = 16;

/// A program that is being changed. Nothing is written before [`to_vec`](Self::to_vec).
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/pte/");
/// use binfmt_formats::pte::{Edit, Pte};
/// use binfmt_runtime::BinFormat;
///
/// let old = std::fs::read(format!("{folder}mlp.pte"))?;
/// let pte = Pte::parse(&old)?;
/// assert_eq!(Edit::new(&pte)?.to_vec()?, old);
///
/// // Other weights: nothing else changes.
/// let mut edit = Edit::new(&pte)?;
/// edit.set_constant(1, vec![0; 128])?;
/// let new = edit.to_vec()?;
/// assert_eq!(new.len(), old.len());
///
/// // What would leave a file that a runtime refuses is refused here.
/// let mut edit = Edit::new(&pte)?;
/// edit.replace_segment(0, vec![1, 2, 3])?;
/// assert!(edit.to_vec().is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Edit<'a> {
    pte: Pte<'a>,
    program: Program<'a>,
    segments: Vec<Segment<'a>>,
    named: Vec<Named<'a>>,
    /// The constants in the buffer that were changed, as long as their tensors; what lies behind
    /// these is padding.
    inline: BTreeMap<u32, Cow<'a, [u8]>>,
    /// The blobs of delegates in the buffer that were changed.
    blobs: BTreeMap<u32, Pieces<'a>>,
    /// How many bytes the tensors have whose bytes lie there: in which list, if not among the
    /// constants, at which index.
    lens: BTreeMap<(Option<u64>, u32), u64>,
    /// Where constants begin that lay in the buffer and were moved into this segment.
    moved: Option<(u32, Vec<u64>)>,
    align: u64,
    /// Whether more than bytes in their places was changed.
    moves: bool,
}

/// The bytes of a segment, and whether they were changed.
#[derive(Debug, Clone)]
struct Segment<'a> {
    bytes: Pieces<'a>,
    changed: bool,
}

/// Data with a key.
#[derive(Debug, Clone)]
struct Named<'a> {
    key: Option<Cow<'a, str>>,
    segment_index: u32,
}

impl Pte<'_> {
    /// The file as runtimes since 1.3 want it: constants in a segment, where they were in the buffer,
    /// and a header that says how many segment bytes there are. Where the header alone has to grow,
    /// nothing moves; a file that has both comes out as it is.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/pte/");
    /// use binfmt_formats::pte::Pte;
    /// use binfmt_runtime::BinFormat;
    ///
    /// let old = std::fs::read(format!("{folder}mlp_et021_inline.pte"))?;
    /// let new = Pte::parse(&old)?.upgraded()?;
    /// let new = Pte::parse(&new)?;
    /// assert!(new.program()?.has_constant_segment());
    /// assert_eq!(new.header().map(|header| header.header_len), Some(32));
    /// # Ok(())
    /// # }
    /// ```
    pub fn upgraded(&self) -> Result<Vec<u8>, EditError> {
        let inline = self.program()?.constant_buffer.unwrap_or_default();
        if !inline.is_empty() {
            let mut edit = Edit::new(self)?;
            edit.move_constants()?;
            return edit.to_vec();
        }
        let longer = self.header().and_then(Extended::with_data_size);
        Ok(longer.map_or_else(|| self.to_vec(), |longer| longer.to_vec())?)
    }

    /// The power of two, between 16 and 65,536, that all segments are aligned to; `None` without
    /// segment bytes.
    fn segment_align(&self) -> Option<u64> {
        let header = self.header()?;
        let segments = self.program().ok()?.segments();
        let offsets = segments.iter().flatten().filter(|segment| segment.size > 0);
        let bits = offsets.fold(header.segment_base, |bits, segment| bits | segment.offset);
        let lowest = bits & bits.wrapping_neg();
        Some(lowest.clamp(CONSTANT_ALIGN, MOST_ALIGN))
    }
}

impl<'a> Edit<'a> {
    /// The program of a file.
    pub fn new(pte: &Pte<'a>) -> Result<Self, EditError> {
        let program = pte.program()?;
        let mut segments = Vec::new();
        for (segment, index) in program.segments().iter().zip(0_u64..) {
            let bytes = pte.segment(&segment?).ok_or(EditError::MissingSegment(index))?;
            segments.push(Segment { bytes: bytes.into(), changed: false });
        }
        let mut keyed = Vec::new();
        for named in &program.named_data() {
            let named = named?;
            let key = named.key.map(Cow::Borrowed);
            keyed.push(Named { key, segment_index: named.segment_index });
        }
        Ok(Self {
            lens: lens(pte, &program).ok_or(EditError::TooLarge)?,
            pte: pte.clone(),
            program,
            segments,
            named: keyed,
            inline: BTreeMap::new(),
            blobs: BTreeMap::new(),
            moved: None,
            align: pte.segment_align().unwrap_or(SEGMENT_ALIGN),
            moves: false,
        })
    }

    /// Puts segments on multiples of `align`, a power of two. Without, they keep the alignment that
    /// all of them have.
    pub fn set_align(&mut self, align: u64) -> Result<(), EditError> {
        if !align.is_power_of_two() || !(CONSTANT_ALIGN..=MOST_ALIGN).contains(&align) {
            return Err(EditError::Align(align));
        }
        self.align = align;
        self.moves = true;
        Ok(())
    }

    /// Puts other elements into the constant of that index, in the segment of constants or in the
    /// buffer; as many bytes as the tensors have that use it. All of those change.
    pub fn set_constant(
        &mut self,
        index: u32,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> Result<(), EditError> {
        let bytes = bytes.into();
        let len = self.lens.get(&(None, index));
        fits(&bytes, *len.ok_or(EditError::NoConstant(index))?)?;
        if self.moved.is_none() && !self.program.has_constant_segment() {
            let constants = self.program.constant_buffer.unwrap_or_default();
            let old = constants.get(index.into()).ok_or(EditError::NoConstant(index))??;
            if old.bytes().len() < bytes.len() {
                return Err(EditError::NotStored);
            }
            self.inline.insert(index, bytes);
            return Ok(());
        }
        let (segment, start) = self.constant_start(index).ok_or(EditError::NoConstant(index))?;
        self.patch(segment, start, bytes)
    }

    /// Puts other elements into a first state: `index` in the list `list` of `mutable_data_segments`.
    pub fn set_state(
        &mut self,
        list: u64,
        index: u32,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> Result<(), EditError> {
        let bytes = bytes.into();
        let none = || EditError::NoState { list, index };
        fits(&bytes, *self.lens.get(&(Some(list), index)).ok_or_else(none)?)?;
        let lists = self.program.mutable_data_segments.unwrap_or_default();
        let list = lists.get(list).ok_or_else(none)??;
        let start = list.offsets.get(index.into()).ok_or_else(none)??;
        self.patch(list.segment_index, start, bytes)
    }

    /// Puts other elements into a tensor of the program, wherever its bytes lie in the file. Tensors
    /// that have the same bytes change with it.
    pub fn set_tensor(
        &mut self,
        tensor: &Tensor<'_>,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> Result<(), EditError> {
        match tensor.storage() {
            Storage::Constant { index } => self.set_constant(index, bytes),
            Storage::Mutable { list, index } => self.set_state(list, index, bytes),
            Storage::None | Storage::External { .. } => Err(EditError::NotStored),
        }
    }

    /// Puts other elements into a weight: a tensor of the program, or a constant of a delegate, as
    /// many bytes as it has.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/pte/");
    /// use binfmt_formats::pte::{Edit, Pte};
    /// use binfmt_runtime::BinFormat;
    ///
    /// let old = std::fs::read(format!("{folder}mlp_xnnpack.pte"))?;
    /// let pte = Pte::parse(&old)?;
    /// let mut edit = Edit::new(&pte)?;
    /// for (tensor, source) in pte.weights()? {
    ///     edit.set_weight(&source, vec![0; tensor.bytes.unwrap().len()])?;
    /// }
    /// assert_eq!(edit.to_vec()?.len(), old.len());
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_weight(
        &mut self,
        source: &Source<'_>,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> Result<(), EditError> {
        let bytes = bytes.into();
        match source {
            Source::Program(Storage::Constant { index }) => self.set_constant(*index, bytes),
            Source::Program(Storage::Mutable { list, index }) => {
                self.set_state(*list, *index, bytes)
            }
            Source::Program(_) => Err(EditError::NotStored),
            Source::Named { key } => {
                let old = self.pte.named_bytes(&self.program, key).ok_or(EditError::NotStored)?;
                fits(&bytes, wide(old.len()))?;
                self.replace_named(key, bytes)
            }
            Source::Payload { bytes: old } => {
                fits(&bytes, wide(old.len()))?;
                self.patch_part(old, bytes)
            }
        }
    }

    /// Puts other bytes in the place of a part of a segment or of a blob in the buffer.
    fn patch_part(&mut self, old: &[u8], new: Cow<'a, [u8]>) -> Result<(), EditError> {
        for index in 0..self.program.segments().count() {
            let segment = self.pte.segment_at(&self.program, index).unwrap_or_default();
            let start = offset_within(segment, old).filter(|_| !old.is_empty());
            if let Some((start, index)) = start.zip(u32::try_from(index).ok()) {
                return self.patch(index, start, new);
            }
        }
        let blobs = self.program.backend_delegate_data.unwrap_or_default();
        for (blob, index) in blobs.iter().flatten().zip(0_u32..) {
            let start = offset_within(blob.bytes(), old).filter(|_| !old.is_empty());
            if let Some(start) = start {
                let slot = self.blobs.entry(index).or_insert_with(|| blob.bytes().into());
                return slot.put(start, new).ok_or(EditError::NotStored);
            }
        }
        Err(EditError::NotStored)
    }

    /// Puts other bytes into a segment.
    pub fn replace_segment(
        &mut self,
        index: u64,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> Result<(), EditError> {
        let slot = usize::try_from(index).ok().and_then(|index| self.segments.get_mut(index));
        let slot = slot.ok_or(EditError::NoSegment(index))?;
        let bytes = bytes.into();
        self.moves |= wide(bytes.len()) != slot.bytes.len();
        *slot = Segment { bytes: bytes.into(), changed: true };
        Ok(())
    }

    /// Puts other bytes behind a key that is there.
    pub fn replace_named(
        &mut self,
        key: &str,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> Result<(), EditError> {
        let at = self.position(key).ok_or_else(|| EditError::NoKey(key.into()))?;
        let old = self.named.get(at).map_or(0, |named| named.segment_index);
        let others = self.named.iter().filter(|named| named.segment_index == old).count() > 1;
        if !others && !is_used(&self.program, old) {
            return self.replace_segment(old.into(), bytes);
        }
        let segment_index = self.add_segment(bytes.into().into())?;
        if let Some(named) = self.named.get_mut(at) {
            named.segment_index = segment_index;
        }
        Ok(())
    }

    /// Adds data with a key that is not there yet.
    pub fn add_named(
        &mut self,
        key: impl Into<Cow<'a, str>>,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> Result<(), EditError> {
        let key = key.into();
        if self.position(&key).is_some() {
            return Err(EditError::KeyExists(key.into_owned()));
        }
        let segment_index = self.add_segment(bytes.into().into())?;
        self.named.push(Named { key: Some(key), segment_index });
        Ok(())
    }

    /// Removes the data with a key; its segment becomes empty, if nothing else names it.
    pub fn drop_named(&mut self, key: &str) -> Result<(), EditError> {
        let at = self.position(key).ok_or_else(|| EditError::NoKey(key.into()))?;
        let index = self.named.remove(at).segment_index;
        self.moves = true;
        let named = self.named.iter().any(|named| named.segment_index == index);
        let slot = usize::try_from(index).ok().and_then(|index| self.segments.get_mut(index));
        if let Some(slot) = slot.filter(|_| !named && !is_used(&self.program, index)) {
            slot.bytes = Pieces::new();
        }
        Ok(())
    }

    /// Moves constants out of the buffer into a segment, where runtimes since 1.3 look for them.
    /// Returns whether there were any.
    pub fn move_constants(&mut self) -> Result<bool, EditError> {
        let constants = self.program.constant_buffer.unwrap_or_default();
        if constants.is_empty() {
            return Ok(false);
        }
        let mut inline = core::mem::take(&mut self.inline);
        let (mut row, mut offsets) = (Pieces::new(), Vec::new());
        for (constant, index) in constants.iter().zip(0_u32..) {
            let constant = constant?.bytes();
            if !constant.is_empty() {
                row.pad(CONSTANT_ALIGN);
            }
            let start = row.len();
            offsets.push(start);
            row.push(constant);
            if let Some(new) = inline.remove(&index) {
                row.put(start, new).ok_or(EditError::NotStored)?;
            }
        }
        // The Python reader wants the list, be it empty.
        self.program.constant_buffer = Some(FbVec::default());
        let index = self.add_segment(row)?;
        self.moved = Some((index, offsets));
        Ok(true)
    }

    /// The segment of constants, and where a constant begins in it.
    fn constant_start(&self, index: u32) -> Option<(u32, u64)> {
        match &self.moved {
            Some((segment, offsets)) => {
                Some((*segment, *offsets.get(usize::try_from(index).ok()?)?))
            }
            None => {
                let list = self.program.constants()?;
                Some((list.segment_index, list.offsets.get(index.into())?.ok()?))
            }
        }
    }

    /// Puts bytes into a segment.
    fn patch(&mut self, segment: u32, start: u64, bytes: Cow<'a, [u8]>) -> Result<(), EditError> {
        let slot = usize::try_from(segment).ok().and_then(|index| self.segments.get_mut(index));
        let slot = slot.ok_or(EditError::NoSegment(segment.into()))?;
        slot.bytes.put(start, bytes).ok_or(EditError::NotStored)?;
        slot.changed = true;
        Ok(())
    }

    fn position(&self, key: &str) -> Option<usize> {
        self.named.iter().position(|named| named.key.as_deref() == Some(key))
    }

    fn add_segment(&mut self, bytes: Pieces<'a>) -> Result<u32, EditError> {
        let index = u32::try_from(self.segments.len()).map_err(|_| EditError::TooLarge)?;
        self.segments.push(Segment { bytes, changed: true });
        self.moves = true;
        Ok(index)
    }
}

/// How many bytes the tensors of a program have, by where these lie; the most, if they differ.
/// `None` if methods share their values so often that looking at all of them takes too long.
fn lens(pte: &Pte<'_>, program: &Program<'_>) -> Option<BTreeMap<(Option<u64>, u32), u64>> {
    let mut left = pte.buffer().bytes().len().saturating_mul(4).saturating_add(4096);
    let mut lens = BTreeMap::new();
    for slot in program.plans().iter().flatten().flat_map(|plan| plan.values().iter()) {
        left = left.checked_sub(1)?;
        let Ok(Some(Value::Tensor(tensor))) = slot.map(|slot| slot.value) else { continue };
        let Ok(tensor) = tensor.get() else { continue };
        let place = match tensor.storage() {
            Storage::Constant { index } => (None, index),
            Storage::Mutable { list, index } => (Some(list), index),
            Storage::None | Storage::External { .. } => continue,
        };
        let Some(len) = tensor.byte_len() else { continue };
        let most = lens.entry(place).or_insert(len);
        *most = len.max(*most);
    }
    Some(lens)
}

fn fits(bytes: &[u8], expected: u64) -> Result<(), EditError> {
    let found = wide(bytes.len());
    if found == expected { Ok(()) } else { Err(EditError::Len { expected, found }) }
}

/// Whether constants, mutable data or a delegate lie in a segment.
fn is_used(program: &Program<'_>, index: u32) -> bool {
    let lists = program.mutable_data_segments.unwrap_or_default();
    let mut lists = program.constants().into_iter().chain(lists.iter().flatten());
    let plans = program.plans();
    let mut blobs = plans.iter().flatten().flat_map(|plan| plan.delegates().iter()).flatten();
    lists.any(|list| list.segment_index == index)
        || blobs.any(|delegate| {
            let processed = delegate.processed.and_then(|processed| processed.get().ok());
            processed.is_some_and(|place| {
                place.location == DataLocation::Segment && place.index == index
            })
        })
}
