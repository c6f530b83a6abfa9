//! The file that an edit makes: the old one with other bytes in their places, or all of it anew.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use binfmt_runtime::{Auto, BinFormat, FbRef, FbVec, FlatBuffer, FlatBuild};

use super::super::program::{Buffer, NamedData, Subsegments};
use super::super::{DataSegment, Extended, HEADER_MAGIC, MAGIC, Program, Pte};
use super::{CONSTANT_ALIGN, Edit, EditError};
use crate::shared::wide;

/// Bytes of a buffer that stand in front of the header: the offset of the root, the identifier.
const HEAD: u64 = 8;

impl Edit<'_> {
    /// The file, which breaks no rule.
    ///
    /// An edit that changes no length and no key changes the bytes in their places and nothing else;
    /// one that changes nothing gives the file that was read. Otherwise the tables are written anew,
    /// with a header of 32 bytes, or none if there are no segment bytes, as all tools do; blobs and
    /// constants in the buffer itself then begin on multiples of 16.
    pub fn to_vec(&self) -> Result<Vec<u8>, EditError> {
        let file = match self.in_place()? {
            Some(file) => file,
            None => self.anew()?,
        };
        let report = Pte::validate(&file);
        match report.errors().next() {
            Some(error) => Err(EditError::Broken(binfmt_runtime::Error::new(error.clone()))),
            None => Ok(file),
        }
    }

    /// The file that was read with other bytes in their places, if all of them fit there.
    fn in_place(&self) -> Result<Option<Vec<u8>>, EditError> {
        if self.moves || self.segments_share() {
            return Ok(None);
        }
        let mut file = self.pte.to_vec()?;
        let segments = self.program.segments();
        for (new, index) in self.segments.iter().zip(0_u64..).filter(|(new, _)| new.changed) {
            let bytes = &new.bytes;
            let Some(segment) = segments.get(index).and_then(Result::ok) else { return Ok(None) };
            let at = self.pte.offset_of(&segment);
            if segment.size != wide(bytes.len()) || !put(&mut file, at, bytes) {
                return Ok(None);
            }
        }
        for (index, bytes) in &self.inline {
            let at = self.inline_offset(*index);
            if !put(&mut file, at, bytes) {
                return Ok(None);
            }
        }
        Ok(Some(file))
    }

    /// Whether a segment that was changed has bytes in common with another one.
    fn segments_share(&self) -> bool {
        let changed = |at: &usize| self.segments.get(*at).is_some_and(|segment| segment.changed);
        let segments = self.program.segments();
        let mut all: Vec<(u64, u64, bool)> = segments
            .iter()
            .enumerate()
            .filter_map(|(at, segment)| Some((segment.ok()?, changed(&at))))
            .filter(|(segment, _)| segment.size > 0)
            .map(|(segment, changed)| {
                (segment.offset, segment.offset.saturating_add(segment.size), changed)
            })
            .collect();
        all.sort_unstable();
        let (mut end, mut end_changed) = (0, false);
        for (start, stop, changed) in all {
            if start < end && (changed || end_changed) {
                return true;
            }
            if stop >= end {
                (end, end_changed) = (stop, changed);
            }
        }
        false
    }

    /// Where a constant that lies in the buffer begins in the file.
    fn inline_offset(&self, index: u32) -> Option<u64> {
        let constants = self.program.constant_buffer?;
        let old = constants.get(index.into())?.ok()?.bytes();
        Some(self.pte.range_of(old)?.start)
    }

    /// All of the file anew.
    fn anew(&self) -> Result<Vec<u8>, EditError> {
        let (segments, area) = self.placed();
        let moved = self.moved.as_ref().map(|(segment_index, offsets)| Subsegments {
            segment_index: *segment_index,
            offsets: FbVec::from(&offsets[..]),
        });
        let named: Vec<NamedData<'_>> = self
            .named
            .iter()
            .map(|named| NamedData {
                key: named.key.as_deref(),
                segment_index: named.segment_index,
            })
            .collect();
        let inline = self.inline_buffers()?;
        let program = Program {
            segments: match (&segments[..], self.program.segments) {
                ([], None) => None,
                (segments, _) => Some(FbVec::from(segments)),
            },
            constant_segment: moved.as_ref().map(FbRef::from).or(self.program.constant_segment),
            named_data: match (&named[..], self.program.named_data) {
                ([], None) => None,
                (named, _) => Some(FbVec::from(named)),
            },
            constant_buffer: inline.as_deref().map(FbVec::from).or(self.program.constant_buffer),
            ..self.program.clone()
        };
        let buffer = program.to_buffer()?;
        if area.is_empty() {
            return Ok(buffer);
        }
        file(&buffer, &area, self.align)
    }

    /// Where every segment lies, and their bytes with the padding between them.
    fn placed(&self) -> (Vec<DataSegment>, Vec<u8>) {
        let (mut segments, mut area) = (Vec::new(), Vec::new());
        for segment in &self.segments {
            let bytes = &segment.bytes;
            if !bytes.is_empty() {
                pad(&mut area, self.align);
            }
            segments.push(DataSegment { offset: wide(area.len()), size: wide(bytes.len()) });
            area.extend_from_slice(bytes);
        }
        (segments, area)
    }

    /// The constants in the buffer, if some of them were changed.
    fn inline_buffers(&self) -> Result<Option<Vec<Buffer<'_>>>, EditError> {
        if self.inline.is_empty() || self.moved.is_some() {
            return Ok(None);
        }
        let constants = self.program.constant_buffer.unwrap_or_default();
        let buffers = constants.iter().zip(0_u32..).map(|(constant, index)| {
            let constant = constant?;
            let changed = self.inline.get(&index).map(Vec::as_slice);
            Ok(Buffer { storage: changed.or(constant.storage) })
        });
        buffers.collect::<Result<_, EditError>>().map(Some)
    }
}

/// Puts bytes into a file; false if they do not lie in it.
fn put(file: &mut [u8], at: Option<u64>, bytes: &[u8]) -> bool {
    let start = at.and_then(|at| usize::try_from(at).ok());
    let place = start.and_then(|start| file.get_mut(start..)?.get_mut(..bytes.len()));
    place.map(|place| place.copy_from_slice(bytes)).is_some()
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

/// Fills up to the next multiple.
pub(super) fn pad(bytes: &mut Vec<u8>, align: u64) {
    let align = usize::try_from(align).unwrap_or(1).max(1);
    bytes.resize(bytes.len().next_multiple_of(align), 0);
}

/// The constants of the buffer in a row, and where each begins.
pub(super) fn in_a_row<'b>(
    constants: impl Iterator<Item = Result<Cow<'b, [u8]>, EditError>>,
) -> Result<(Vec<u8>, Vec<u64>), EditError> {
    let (mut row, mut offsets) = (Vec::new(), Vec::new());
    for constant in constants {
        let constant = constant?;
        if !constant.is_empty() {
            pad(&mut row, CONSTANT_ALIGN);
        }
        offsets.push(wide(row.len()));
        row.extend_from_slice(&constant);
    }
    Ok((row, offsets))
}
