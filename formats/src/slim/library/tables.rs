//! The header tables of a library of which pages are taken out.

use alloc::vec::Vec;
use core::ops::Range;

use binfmt_runtime::BinFormat;

use super::super::Note;
use super::super::image::{Image, Piece};
use super::super::refusal::{CROSSING, DAMAGED, NOTES, Refusal};
use super::headers::Library;
use crate::elf::{Elf, HEADER_LEN, Section, SectionKind, Segment, SegmentKind};
use crate::shared::wide;

impl Library<'_, '_> {
    /// Writes the file header and both tables.
    pub(super) fn write(&mut self, cuts: &[Range<u64>], image: &mut Image) -> Result<(), Refusal> {
        let mut segments = Vec::new();
        for segment in self.segments.clone() {
            match segment.kind {
                SegmentKind::Load => split(&segment, cuts, image, &mut segments),
                SegmentKind::Headers => segments.push(segment),
                _ => segments.push(self.other(&segment, cuts, image)?),
            }
        }
        let count = segments.len();
        let len = Self::table_end(count).saturating_sub(HEADER_LEN.into());
        let mut table = Vec::new();
        for segment in &mut segments {
            if segment.kind == SegmentKind::Headers {
                (segment.file_size, segment.memory_size) = (len, len);
            }
            table.extend(segment.to_vec().map_err(|error| {
                Refusal::new(&DAMAGED, ("segments", segment.offset), "a program header", error)
            })?);
        }
        // Behind the table zeros follow, up to what has not moved.
        let moved = self.places.last().map_or(0, |(range, _)| range.end);
        let end = u64::from(HEADER_LEN).saturating_add(len);
        image.put(HEADER_LEN.into(), Piece::Bytes(table))?;
        image.put(end, Piece::Zeros(moved.saturating_sub(end)))?;
        let sections_at = image.new_offset(self.elf.sections_at);
        put_field(image, "sections_at", &sections_at.to_le_bytes())?;
        let count = u16::try_from(count).unwrap_or(u16::MAX);
        put_field(image, "segment_count", &count.to_le_bytes())?;
        self.sections(image)
    }

    /// A segment that is a part of loaded ones.
    fn other(
        &self,
        segment: &Segment,
        cuts: &[Range<u64>],
        image: &Image,
    ) -> Result<Segment, Refusal> {
        let range = segment.file_range();
        if range.is_empty() {
            return Ok(Segment { offset: image.new_offset(segment.offset), ..*segment });
        }
        let meets = |it: &Range<u64>| it.start < range.end && range.start < it.end;
        if let Some((unit, start)) = self.places.iter().find(|(unit, _)| meets(unit)) {
            if range.start < unit.start || range.end > unit.end {
                return Err(Refusal::new(&NOTES, ("segments", range.start), unit.end, range.end));
            }
            let new = start.saturating_add(range.start.saturating_sub(unit.start));
            let memory = self.elf.memory();
            let at = |offset| memory.address_of(offset).unwrap_or(0);
            let distance = at(new).wrapping_sub(at(range.start));
            let address = segment.address.wrapping_add(distance);
            let physical = segment.physical.wrapping_add(distance);
            return Ok(Segment { offset: image.new_offset(new), address, physical, ..*segment });
        }
        if let Some(cut) = cuts.iter().find(|cut| meets(cut)) {
            return Err(Refusal::new(&CROSSING, ("segments", range.start), cut.start, range.end));
        }
        Ok(Segment { offset: image.new_offset(segment.offset), ..*segment })
    }

    fn sections(&mut self, image: &mut Image) -> Result<(), Refusal> {
        let mut table = Vec::new();
        for (index, section) in self.elf.sections.iter().map_while(Result::ok).enumerate() {
            let new = self.section(index, &section, image)?;
            table.extend(new.to_vec().map_err(|error| {
                Refusal::new(&DAMAGED, ("sections", section.offset), "a section header", error)
            })?);
        }
        image.put(self.elf.sections_at, Piece::Bytes(table))
    }

    fn section(
        &mut self,
        index: usize,
        section: &Section,
        image: &Image,
    ) -> Result<Section, Refusal> {
        let range = section.file_range();
        let offset = image.new_offset(range.start);
        if let Some(moved) = self.moved.iter().find(|it| it.index == index) {
            let old = self.elf.memory().offset_of(moved.new).unwrap_or(range.start);
            let offset = image.new_offset(old);
            return Ok(Section { offset, address: moved.new, ..*section });
        }
        if section.kind == SectionKind::Null || !self.elf.has_bytes(section) {
            return Ok(Section { offset, ..*section });
        }
        let parts = self.parts.iter().zip(&self.ends);
        if let Some((part, end)) = parts.into_iter().find(|(part, _)| part.index == index) {
            let size = image.new_offset(*end).saturating_sub(offset);
            if size != end.saturating_sub(range.start) {
                self.notes.push(Note::Hole(part.name.clone()));
            }
            return Ok(Section { offset, size, ..*section });
        }
        if image.new_offset(range.end).saturating_sub(offset) != section.size {
            return Err(Refusal::new(&CROSSING, ("sections", range.start), section.size, "less"));
        }
        Ok(Section { offset, ..*section })
    }
}

/// The pieces of a loaded segment: addresses stay, offsets do not.
fn split(segment: &Segment, cuts: &[Range<u64>], image: &Image, out: &mut Vec<Segment>) {
    let all = segment.file_range();
    let mine = cuts.iter().filter(|cut| all.start <= cut.start && cut.end <= all.end);
    let mut starts = Vec::from([all.start]);
    let mut ends = Vec::new();
    for cut in mine {
        ends.push(cut.start);
        starts.push(cut.end);
    }
    ends.push(all.end);
    let last = ends.len().saturating_sub(1);
    for (index, (start, end)) in starts.into_iter().zip(ends).enumerate() {
        let inside = start.saturating_sub(all.start);
        let file_size = end.saturating_sub(start);
        let rest = segment.memory_size.saturating_sub(inside);
        let memory_size = if index == last { rest } else { file_size };
        if memory_size == 0 && segment.memory_size > 0 {
            continue;
        }
        let address = segment.address.saturating_add(inside);
        let physical = segment.physical.wrapping_add(inside);
        let offset = image.new_offset(start);
        let align = alignment(segment.align, offset, address);
        let piece =
            Segment { offset, address, physical, file_size, memory_size, align, ..*segment };
        out.push(piece);
    }
}

/// The largest alignment that holds, from the old one on down: that to pages always does, for whole
/// pages are taken out of segments that were aligned.
fn alignment(old: u64, offset: u64, address: u64) -> u64 {
    let mut align = old.max(1);
    while align > 1 && offset.checked_rem(align) != address.checked_rem(align) {
        align >>= 1;
    }
    align
}

/// Writes a field of the file header, where the declaration has it.
pub(in crate::slim) fn put_field(
    image: &mut Image,
    name: &str,
    bytes: &[u8],
) -> Result<(), Refusal> {
    let field = Elf::LAYOUT.fields.iter().find(|field| field.name == name);
    let at = field.and_then(|field| field.offset).map_or(0, wide);
    image.put(at, Piece::Bytes(bytes.to_vec()))
}
