//! The file that an edit makes: the old one with other bytes in their places, or all of it anew.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use binfmt_runtime::{Auto, BinFormat, FbRef, FbVec, FlatBuffer, FlatBuild};

use super::super::program::{Buffer, InlineData, NamedData, Subsegments};
use super::super::{DataSegment, Extended, HEADER_MAGIC, MAGIC, Program, Pte};
use super::{Edit, EditError};
use crate::pieces::Pieces;
use crate::shared::wide;

/// Bytes of a buffer that stand in front of the header: the offset of the root, the identifier.
const HEAD: u64 = 8;

/// Bytes and where they go.
type Patch<'p> = (u64, Cow<'p, [u8]>);

impl Edit<'_> {
    /// The file, which breaks no rule.
    ///
    /// An edit that changes no length and no key changes the bytes in their places and nothing else;
    /// one that changes nothing gives the file that was read. Otherwise the tables are written anew,
    /// with a header of 32 bytes, or none if there are no segment bytes, as all tools do; blobs and
    /// constants in the buffer itself then begin on multiples of 16.
    pub fn to_vec(&self) -> Result<Vec<u8>, EditError> {
        let file = match self.patches() {
            Some(patches) => {
                let mut file = self.pte.to_vec()?;
                for (at, bytes) in patches {
                    put(&mut file, at, &bytes)?;
                }
                file
            }
            None => self.anew()?.to_vec(),
        };
        let report = Pte::validate(&file);
        match report.errors().next() {
            Some(error) => Err(EditError::Broken(binfmt_runtime::Error::new(error.clone()))),
            None => Ok(file),
        }
    }

    /// The same file in pieces, of which the large ones lie in `file`, the one that was read. Whether
    /// it breaks a rule is not looked at; [`Pte::validate`] does that, of the file that was written.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/pte/");
    /// use binfmt_formats::pte::{Edit, Pte};
    /// use binfmt_runtime::BinFormat;
    ///
    /// let old = std::fs::read(format!("{folder}mlp.pte"))?;
    /// let mut edit = Edit::new(&Pte::parse(&old)?)?;
    /// edit.add_named("note", b"retrained")?;
    /// assert_eq!(edit.pieces(&old)?.to_vec(), edit.to_vec()?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn pieces<'s>(&'s self, file: &'s [u8]) -> Result<Pieces<'s>, EditError> {
        match self.patches() {
            Some(patches) => Pieces::patched(file, patches).ok_or(EditError::NotStored),
            None => self.anew(),
        }
    }

    /// Other bytes and their places in the file that was read, if all of them fit there.
    fn patches(&self) -> Option<Vec<Patch<'_>>> {
        if self.moves || self.segments_share() {
            return None;
        }
        let mut patches = Vec::new();
        let segments = self.program.segments();
        for (new, index) in self.segments.iter().zip(0_u64..).filter(|(new, _)| new.changed) {
            let segment = segments.get(index).and_then(Result::ok)?;
            let at = self.pte.offset_of(&segment)?;
            if segment.size != new.bytes.len() {
                return None;
            }
            put_all(&mut patches, at, &new.bytes);
        }
        let constants = self.program.constant_buffer.unwrap_or_default();
        for (index, bytes) in &self.inline {
            let old = constants.get((*index).into()).and_then(Result::ok);
            let at = old.and_then(|old| self.pte.range_of(old.bytes()));
            patches.push((at?.start, Cow::Borrowed(&**bytes)));
        }
        let blobs = self.program.backend_delegate_data.unwrap_or_default();
        for (index, bytes) in &self.blobs {
            let old = blobs.get((*index).into()).and_then(Result::ok);
            let at = old.and_then(|old| self.pte.range_of(old.bytes()));
            put_all(&mut patches, at?.start, bytes);
        }
        Some(patches)
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

    /// All of the file anew.
    fn anew(&self) -> Result<Pieces<'_>, EditError> {
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
        let constants = self.inline_constants()?;
        let inline = self.inline_buffers(&constants)?;
        let blobs: BTreeMap<u32, Vec<u8>> =
            self.blobs.iter().map(|(index, bytes)| (*index, bytes.to_vec())).collect();
        let blobs = self.inline_blobs(&blobs)?;
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
            backend_delegate_data: blobs
                .as_deref()
                .map(FbVec::from)
                .or(self.program.backend_delegate_data),
            ..self.program.clone()
        };
        let buffer = program.to_buffer()?;
        if area.is_empty() {
            return Ok(Pieces::from(buffer));
        }
        let mut file = Pieces::from(head(&buffer, area.len(), self.align)?);
        file.append(area);
        Ok(file)
    }

    /// Where every segment lies, and their bytes with the padding between them.
    fn placed(&self) -> (Vec<DataSegment>, Pieces<'_>) {
        let (mut segments, mut area) = (Vec::new(), Pieces::new());
        for segment in &self.segments {
            let bytes = &segment.bytes;
            if !bytes.is_empty() {
                area.pad(self.align);
            }
            segments.push(DataSegment { offset: area.len(), size: bytes.len() });
            area.append_of(bytes);
        }
        (segments, area)
    }

    /// The blobs in the buffer, if some of them were changed.
    fn inline_blobs<'s>(
        &'s self,
        changed: &'s BTreeMap<u32, Vec<u8>>,
    ) -> Result<Option<Vec<InlineData<'s>>>, EditError> {
        if changed.is_empty() {
            return Ok(None);
        }
        let blobs = self.program.backend_delegate_data.unwrap_or_default();
        let blobs = blobs.iter().zip(0_u32..).map(|(blob, index)| {
            let changed = changed.get(&index).map(Vec::as_slice);
            Ok(InlineData { data: changed.or(blob?.data) })
        });
        blobs.collect::<Result<_, EditError>>().map(Some)
    }

    /// The constants in the buffer that were changed, with the padding behind their tensors.
    fn inline_constants(&self) -> Result<BTreeMap<u32, Cow<'_, [u8]>>, EditError> {
        let constants = self.program.constant_buffer.unwrap_or_default();
        let mut whole = BTreeMap::new();
        for (index, new) in &self.inline {
            let old = constants.get((*index).into()).ok_or(EditError::NoConstant(*index))??;
            let new = match old.bytes().get(new.len()..).unwrap_or_default() {
                [] => Cow::Borrowed(&**new),
                padding => Cow::Owned([&**new, padding].concat()),
            };
            whole.insert(*index, new);
        }
        Ok(whole)
    }

    /// The constants in the buffer, if some of them were changed.
    fn inline_buffers<'s>(
        &'s self,
        changed: &'s BTreeMap<u32, Cow<'_, [u8]>>,
    ) -> Result<Option<Vec<Buffer<'s>>>, EditError> {
        if changed.is_empty() || self.moved.is_some() {
            return Ok(None);
        }
        let constants = self.program.constant_buffer.unwrap_or_default();
        let buffers = constants.iter().zip(0_u32..).map(|(constant, index)| {
            let constant = constant?;
            let changed = changed.get(&index).map(|new| &**new);
            Ok(Buffer { storage: changed.or(constant.storage) })
        });
        buffers.collect::<Result<_, EditError>>().map(Some)
    }
}

/// The pieces of what begins at `at`.
fn put_all<'p>(patches: &mut Vec<Patch<'p>>, at: u64, new: &'p Pieces<'_>) {
    let place = |(start, bytes): (u64, &'p [u8])| (at.saturating_add(start), Cow::Borrowed(bytes));
    patches.extend(new.placed().map(place));
}

/// Puts bytes into a file.
fn put(file: &mut [u8], at: u64, bytes: &[u8]) -> Result<(), EditError> {
    let start = usize::try_from(at).ok();
    let place = start.and_then(|start| file.get_mut(start..)?.get_mut(..bytes.len()));
    place.ok_or(EditError::NotStored)?.copy_from_slice(bytes);
    Ok(())
}

/// Tables with a header between them, for segments of that length, which follow.
fn head(buffer: &[u8], segments: u64, align: u64) -> Result<Vec<u8>, EditError> {
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
        data_size: Some(segments),
        program,
        gap: &gap,
        segments: &[],
    };
    Ok(file.to_vec()?)
}
