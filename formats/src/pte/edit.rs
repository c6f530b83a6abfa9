//! Programs with other segments: the tables are written anew, and everything gets its place again.

use alloc::string::String;
use alloc::vec::Vec;

use binfmt_runtime::{Auto, BinFormat, Error, FbRef, FbVec, FlatBuffer, FlatBuild};

use super::kind::DataLocation;
use super::program::{NamedData, Subsegments};
use super::{DataSegment, Extended, HEADER_MAGIC, MAGIC, Program, Pte};
use crate::shared::{MOST_ALIGN, wide};

/// The alignment of segments in files of today's tools.
pub const SEGMENT_ALIGN: u64 = 128;

/// The alignment of constants in their segment.
const CONSTANT_ALIGN: u64 = 16;

/// Bytes of a buffer that stand in front of the header: the offset of the root, the identifier.
const HEAD: u64 = 8;

/// A program that is being changed. Nothing is written before [`to_vec`](Self::to_vec), which gives
/// it a header of 32 bytes, or none if there are no segment bytes, as all tools do. Blobs and constants in the buffer itself begin on multiples of 16.
#[derive(Debug, Clone)]
pub struct Edit<'a> {
    program: Program<'a>,
    segments: Vec<&'a [u8]>,
    named: Vec<NamedData<'a>>,
    /// Where constants begin that lay in the buffer and were moved into this segment.
    moved: Option<(u32, Vec<u64>)>,
    align: u64,
}

/// Why a program cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditError {
    /// It cannot be read or written.
    Format(Error),
    /// The bytes of this segment do not lie in the file.
    Missing(u64),
    /// There is no such segment.
    NoSegment(u64),
    /// There is no data with this key.
    NoKey(String),
    /// There are more segments, or they are larger, than a file can have.
    TooLarge,
    /// Segments are aligned to a power of two between 16 and 65,536.
    Align(u64),
}

impl core::fmt::Display for EditError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Format(error) => error.fmt(f),
            Self::Missing(index) => write!(f, "segment {index} does not lie in the file"),
            Self::NoSegment(index) => write!(f, "there is no segment {index}"),
            Self::NoKey(key) => write!(f, "there is no data with the key `{key}`"),
            Self::TooLarge => f.write_str("there are more bytes or segments than a file can have"),
            Self::Align(align) => {
                write!(f, "{align} is no alignment; use a power of two between 16 and 65,536")
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
            let mut room = Vec::new();
            let mut edit = Edit::new(self)?;
            edit.move_constants(&mut room)?;
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
            segments.push(pte.segment(&segment?).ok_or(EditError::Missing(index))?);
        }
        let named = program.named_data().iter().collect::<Result<_, _>>()?;
        let align = pte.segment_align().unwrap_or(SEGMENT_ALIGN);
        Ok(Self { program, segments, named, moved: None, align })
    }

    /// Puts segments on multiples of `align`, a power of two. Without, they keep the alignment that
    /// all of them have.
    pub fn set_align(&mut self, align: u64) -> Result<(), EditError> {
        if !align.is_power_of_two() || !(CONSTANT_ALIGN..=MOST_ALIGN).contains(&align) {
            return Err(EditError::Align(align));
        }
        self.align = align;
        Ok(())
    }

    /// Puts other bytes into a segment.
    pub fn replace_segment(&mut self, index: u64, bytes: &'a [u8]) -> Result<(), EditError> {
        let slot = usize::try_from(index).ok().and_then(|index| self.segments.get_mut(index));
        *slot.ok_or(EditError::NoSegment(index))? = bytes;
        Ok(())
    }

    /// Adds data with a key, or puts other bytes behind a key that is there.
    pub fn put_named(&mut self, key: &'a str, bytes: &'a [u8]) -> Result<(), EditError> {
        let segment_index = self.add_segment(bytes)?;
        match self.named.iter().position(|named| named.key == Some(key)) {
            Some(at) => {
                let named = self.named.get_mut(at);
                let old =
                    named.map(|named| core::mem::replace(&mut named.segment_index, segment_index));
                if let Some(old) = old {
                    self.empty_unused(old);
                }
            }
            None => self.named.push(NamedData { key: Some(key), segment_index }),
        }
        Ok(())
    }

    /// Removes the data with a key; its segment becomes empty, if nothing else names it.
    pub fn drop_named(&mut self, key: &str) -> Result<(), EditError> {
        let at = self.named.iter().position(|named| named.key == Some(key));
        let at = at.ok_or_else(|| EditError::NoKey(key.into()))?;
        let named = self.named.remove(at);
        self.empty_unused(named.segment_index);
        Ok(())
    }

    /// Moves constants out of the buffer into a segment, where runtimes since 1.3 look for them.
    /// Returns whether there were any. The bytes of the segment are put into `room`.
    pub fn move_constants(&mut self, room: &'a mut Vec<u8>) -> Result<bool, EditError> {
        let constants = self.program.constant_buffer.unwrap_or_default();
        if constants.is_empty() {
            return Ok(false);
        }
        // The Python reader wants the list, be it empty.
        self.program.constant_buffer = Some(FbVec::default());
        let mut offsets = Vec::new();
        room.clear();
        for constant in &constants {
            let constant = constant?;
            let bytes = constant.bytes();
            if !bytes.is_empty() {
                pad(room, CONSTANT_ALIGN);
            }
            offsets.push(wide(room.len()));
            room.extend_from_slice(bytes);
        }
        let index = self.add_segment(room)?;
        self.moved = Some((index, offsets));
        Ok(true)
    }

    /// The file.
    pub fn to_vec(&self) -> Result<Vec<u8>, EditError> {
        let mut area = Vec::new();
        let mut segments = Vec::new();
        for bytes in &self.segments {
            if !bytes.is_empty() {
                pad(&mut area, self.align);
            }
            let offset = wide(area.len());
            segments.push(DataSegment { offset, size: wide(bytes.len()) });
            area.extend_from_slice(bytes);
        }
        let moved = self.moved.as_ref().map(|(segment_index, offsets)| Subsegments {
            segment_index: *segment_index,
            offsets: FbVec::from(&offsets[..]),
        });
        let program = Program {
            segments: match (&segments[..], self.program.segments) {
                ([], None) => None,
                (segments, _) => Some(FbVec::from(segments)),
            },
            constant_segment: moved.as_ref().map(FbRef::from).or(self.program.constant_segment),
            named_data: match (&self.named[..], self.program.named_data) {
                ([], None) => None,
                (named, _) => Some(FbVec::from(named)),
            },
            ..self.program.clone()
        };
        let buffer = program.to_buffer()?;
        if area.is_empty() {
            return Ok(buffer);
        }
        file(&buffer, &area, self.align)
    }

    fn add_segment(&mut self, bytes: &'a [u8]) -> Result<u32, EditError> {
        let index = u32::try_from(self.segments.len()).map_err(|_| EditError::TooLarge)?;
        self.segments.push(bytes);
        Ok(index)
    }

    fn empty_unused(&mut self, index: u32) {
        let named = self.named.iter().any(|named| named.segment_index == index);
        let slot = usize::try_from(index).ok().and_then(|index| self.segments.get_mut(index));
        if let Some(slot) = slot.filter(|_| !named && !is_used(&self.program, index)) {
            *slot = &[];
        }
    }
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

/// Tables and segments with a header between them.
fn file(buffer: &[u8], segments: &[u8], align: u64) -> Result<Vec<u8>, EditError> {
    let buffer = FlatBuffer::parse(buffer)?.behind(HEAD);
    let program: FlatBuffer<'_, Program<'_>> = buffer.ok_or(EditError::TooLarge)?;
    let mut gap = Vec::new();
    // The head, the header and the rest of the buffer.
    let end = wide(program.bytes().len()).saturating_add(40);
    let base = end.checked_next_multiple_of(align).ok_or(EditError::TooLarge)?;
    gap.resize(usize::try_from(base.saturating_sub(end)).unwrap_or(0), 0);
    let file = Extended {
        root: Auto::new(),
        identifier: MAGIC,
        header_magic: HEADER_MAGIC,
        header_len: 32,
        program_size: end,
        segment_base: base,
        data_size: Some(wide(segments.len())),
        program,
        gap: &gap,
        segments,
    };
    Ok(file.to_vec()?)
}

fn pad(bytes: &mut Vec<u8>, align: u64) {
    let align = usize::try_from(align).unwrap_or(1).max(1);
    bytes.resize(bytes.len().next_multiple_of(align), 0);
}
