//! Taking pages out of a shared library: new program headers, and room for them.
//!
//! The table stays behind the file header, where every tool looks for it. What lies behind it and can
//! be moved (notes, hash tables, symbols, texts and versions of the dynamic linker) goes to the room
//! behind the last container, so that there are headers for the pieces of the segment, and spare ones
//! for tools that add their own.

use alloc::vec::Vec;
use core::ops::Range;

use super::super::containers::Found;
use super::super::image::{Image, Piece};
use super::super::references::Reference;
use super::super::refusal::{ROOM, Refusal};
use super::super::{Draft, Note, bytes_of, pack};
use super::moved::{self, Moved};
use super::{Part, within};
use crate::elf::{
    Elf, HEADER_LEN, Machine, SEGMENT_LEN, Section, SectionFlags, SectionKind, Segment,
    SegmentKind, tag,
};
use crate::shared::{is_zero, wide};

/// The most pieces that are taken out; of many, section headers could not be true.
const MOST_CUTS: usize = 4;

/// How many program headers other tools can add.
const SPARE: usize = 4;

/// What moved sections are aligned to.
const SECTION_ALIGN: u64 = 8;

pub(super) fn pack<'a>(
    file: &'a [u8],
    elf: &Elf<'a>,
    parts: &[Part],
    mut containers: Vec<Found>,
    references: Vec<Reference>,
) -> Result<Draft, Refusal> {
    let mut image = Image::new(wide(file.len()));
    let mut gaps = Vec::new();
    let mut ends = Vec::new();
    for part in parts {
        let mine = within(&mut containers, part);
        pack::place(part.section.offset, mine);
        gaps.extend(pack::put(file, part.range(), mine, &mut image)?);
        let end = mine.iter().map(|it| it.place.saturating_add(it.new_len())).max();
        ends.push(end.unwrap_or(part.section.offset));
    }
    let mut library = Library::new(file, elf, parts, ends);
    let Some(cuts) = library.make_room(gaps, &mut image)? else {
        return Ok(Draft::unchanged(containers));
    };
    image.cut(cuts.clone());
    library.write(&cuts, &mut image)?;
    moved::references(file, &containers, &references, &mut image)?;
    moved::symbols(elf, &containers, &library.moved, &mut image)?;
    moved::dynamics(elf, &library.moved, &mut image)?;
    Ok(Draft { containers, references, notes: library.notes, image: Some(image) })
}

/// Sections behind the program headers that move together.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Unit {
    range: Range<u64>,
    sections: Vec<usize>,
}

pub(super) struct Library<'l, 'a> {
    file: &'a [u8],
    pub(super) elf: &'l Elf<'a>,
    pub(super) parts: &'l [Part],
    /// Where the last container of each part ends.
    pub(super) ends: Vec<u64>,
    /// The smallest pages that a loader of this processor maps.
    pub(super) page: u64,
    pub(super) segments: Vec<Segment>,
    pub(super) moved: Vec<Moved>,
    /// Where units go: their old range, and their new start.
    pub(super) places: Vec<(Range<u64>, u64)>,
    pub(super) notes: Vec<Note>,
}

impl<'l, 'a> Library<'l, 'a> {
    fn new(file: &'a [u8], elf: &'l Elf<'a>, parts: &'l [Part], ends: Vec<u64>) -> Self {
        let page = if elf.machine == Machine::Aarch64 { 0x1_0000 } else { 0x1000 };
        let segments = elf.segments().collect();
        let (moved, places, notes) = Default::default();
        Self { file, elf, parts, ends, page, segments, moved, places, notes }
    }

    /// Where the table of program headers ends, with so many.
    pub(super) fn table_end(count: usize) -> u64 {
        let len = wide(count).saturating_mul(SEGMENT_LEN.into());
        u64::from(HEADER_LEN).saturating_add(len)
    }

    /// Moves what lies behind the program headers, fills the gaps, and says what is taken out.
    fn make_room(
        &mut self,
        mut gaps: Vec<Range<u64>>,
        image: &mut Image,
    ) -> Result<Option<Vec<Range<u64>>>, Refusal> {
        let units = self.units();
        let wanted = self.segments.len().saturating_add(MOST_CUTS).saturating_add(SPARE);
        let enough = |limit: u64| Self::table_end(wanted) <= limit;
        let mut count = 0;
        while count < units.0.len() && !enough(Self::limit(&units, count)) {
            count = count.saturating_add(1);
        }
        let limit = Self::limit(&units, count);
        self.place_units(units.0.get(..count).unwrap_or_default(), &mut gaps, image)?;
        for gap in &gaps {
            image.put(gap.start, Piece::Zeros(gap.end.saturating_sub(gap.start)))?;
        }
        let cuts = self.cuts(&gaps, limit)?;
        if let Some(cuts) = &cuts {
            let used = self.segments.len().saturating_add(cuts.len()).saturating_add(SPARE);
            if Self::table_end(used) > limit {
                self.notes.push(Note::NoSpare);
            }
            self.clear(limit)?;
        }
        Ok(cuts)
    }

    /// Where the first thing begins that stays, when so many units move.
    fn limit((units, end): &(Vec<Unit>, u64), count: usize) -> u64 {
        units.get(count).map_or(*end, |unit| unit.range.start)
    }

    /// What can be moved of what lies behind the program headers, and where the rest begins.
    fn units(&self) -> (Vec<Unit>, u64) {
        let start = Self::table_end(self.segments.len());
        let sections =
            self.elf.sections().enumerate().map(|(index, (section, _))| (index, section));
        let mut loaded: Vec<_> = sections
            .filter(|(_, it)| it.flags.contains(SectionFlags::ALLOC) && self.elf.has_bytes(it))
            .filter(|(_, it)| it.size > 0 && it.offset >= start)
            .collect();
        loaded.sort_by_key(|(_, section)| section.offset);
        let fixed = loaded.iter().position(|(_, section)| !self.is_movable(section));
        let fixed = fixed.unwrap_or(loaded.len());
        let mut end = loaded.get(fixed).map_or(wide(self.file.len()), |(_, it)| it.offset);
        let movable = loaded.iter().take(fixed);
        let mut units: Vec<_> = movable
            .map(|(index, it)| Unit { range: it.file_range(), sections: Vec::from([*index]) })
            .collect();
        for segment in self.segments.iter().filter(|it| is_of_notes(it)) {
            merge(&mut units, &mut end, &segment.file_range());
        }
        (units, end)
    }

    /// Whether a section is found by a dynamic tag or a segment alone.
    fn is_movable(&self, section: &Section) -> bool {
        let tag = tag_of(section.kind);
        let told = tag.and_then(|tag| self.elf.dynamic(tag)) == Some(section.address);
        section.kind == SectionKind::Note || (tag.is_some() && told)
    }

    /// Moves units behind the last container of the part that has the most room.
    fn place_units(
        &mut self,
        units: &[Unit],
        gaps: &mut [Range<u64>],
        image: &mut Image,
    ) -> Result<(), Refusal> {
        let ends: Vec<_> = self.parts.iter().map(|part| part.range().end).collect();
        let last = gaps.iter_mut().filter(|gap| ends.contains(&gap.end));
        let Some(gap) = last.max_by_key(|gap| gap.end.saturating_sub(gap.start)) else {
            return Ok(());
        };
        let mut at = gap.start;
        for unit in units {
            let inside = unit.range.start % SECTION_ALIGN;
            let start = at.checked_next_multiple_of(SECTION_ALIGN).unwrap_or(u64::MAX);
            let start = start.saturating_add(inside);
            let len = unit.range.end.saturating_sub(unit.range.start);
            let end = start.saturating_add(len);
            if end > gap.end {
                return Err(Refusal::new(&ROOM, ("segments", unit.range.start), gap.end, end));
            }
            image.put(at, Piece::Zeros(start.saturating_sub(at)))?;
            image.put(start, Piece::Copy(unit.range.clone()))?;
            self.move_unit(unit, start)?;
            at = end;
        }
        gap.start = at;
        Ok(())
    }

    fn move_unit(&mut self, unit: &Unit, start: u64) -> Result<(), Refusal> {
        let memory = self.elf.memory();
        for index in &unit.sections {
            let section = wide(*index);
            let Some(Ok(section)) = self.elf.sections.get(section) else { continue };
            let new = start.saturating_add(section.offset.saturating_sub(unit.range.start));
            let Some(new) = memory.address_of(new) else {
                let place = ("segments", unit.range.start);
                return Err(Refusal::new(&ROOM, place, "a loaded place", "another one"));
            };
            let tag = tag_of(section.kind);
            self.moved.push(Moved { index: *index, tag, old: section.address, new });
        }
        self.places.push((unit.range.clone(), start));
        Ok(())
    }

    /// What is taken out: whole pages, the largest first, as many as there are headers for.
    fn cuts(&self, gaps: &[Range<u64>], limit: u64) -> Result<Option<Vec<Range<u64>>>, Refusal> {
        let len = |it: &Range<u64>| it.end.saturating_sub(it.start);
        let pages = |gap: &Range<u64>| {
            let start = gap.start.checked_next_multiple_of(self.page).unwrap_or(u64::MAX);
            start..gap.end.saturating_sub(gap.end.checked_rem(self.page).unwrap_or(0))
        };
        let mut cuts: Vec<_> = gaps.iter().map(pages).filter(|it| it.end > it.start).collect();
        if cuts.is_empty() {
            return Ok(None);
        }
        cuts.sort_by_key(|cut| core::cmp::Reverse(len(cut)));
        let room =
            |count: usize| Self::table_end(self.segments.len().saturating_add(count)) <= limit;
        let count = (1..=MOST_CUTS.min(cuts.len())).rev().find(|count| room(*count));
        let Some(count) = count else {
            let needed = Self::table_end(self.segments.len().saturating_add(1));
            return Err(Refusal::new(&ROOM, ("segments", HEADER_LEN.into()), needed, limit));
        };
        cuts.truncate(count);
        cuts.sort_by_key(|cut| cut.start);
        Ok(Some(cuts))
    }

    /// What follows the headers and does not move must be free: zeros, or the `X` that `patchelf`
    /// fills what it frees with (*observed*).
    fn clear(&self, limit: u64) -> Result<(), Refusal> {
        let mut at = Self::table_end(self.segments.len());
        let stops = self.places.iter().map(|(range, _)| range.clone());
        for range in stops.chain(core::iter::once(limit..limit)) {
            let between = bytes_of(self.file, at, range.start).unwrap_or_default();
            if !is_zero(between) && between.iter().any(|byte| *byte != b'X') {
                return Err(Refusal::new(&ROOM, ("segments", at), "free bytes", "others"));
            }
            at = range.end;
        }
        Ok(())
    }
}

/// Units that a segment covers move together; one that reaches farther stays, with all behind it.
fn merge(units: &mut Vec<Unit>, end: &mut u64, segment: &Range<u64>) {
    let meets = |unit: &Unit| unit.range.start < segment.end && segment.start < unit.range.end;
    let Some(first) = units.iter().position(meets) else { return };
    let count = units.iter().filter(|unit| meets(unit)).count();
    let merged: Vec<_> = units.drain(first..first.saturating_add(count)).collect();
    let start = merged.iter().map(|it| it.range.start).min().unwrap_or(segment.start);
    let last = merged.iter().map(|it| it.range.end).max().unwrap_or(segment.end);
    let range = start.min(segment.start)..last.max(segment.end);
    if range.start < start || range.end > *end {
        units.truncate(first);
        *end = start;
        return;
    }
    let sections = merged.into_iter().flat_map(|unit| unit.sections).collect();
    units.insert(first, Unit { range, sections });
}

fn is_of_notes(segment: &Segment) -> bool {
    matches!(segment.kind, SegmentKind::Note | SegmentKind::GnuProperty)
}

/// The tag that tells the dynamic linker where such a section is.
fn tag_of(kind: SectionKind) -> Option<u64> {
    match kind {
        SectionKind::Hash => Some(tag::HASH),
        SectionKind::Strings => Some(tag::STRINGS),
        SectionKind::DynamicSymbols => Some(tag::SYMBOLS),
        SectionKind::GnuHash => Some(tag::GNU_HASH),
        SectionKind::GnuVersions => Some(tag::VERSIONS),
        SectionKind::GnuVersionsDefined => Some(tag::VERSIONS_DEFINED),
        SectionKind::GnuVersionsNeeded => Some(tag::VERSIONS_NEEDED),
        _ => None,
    }
}
