//! Shared libraries.

mod headers;
mod moved;
mod tables;

pub(super) use tables::put_field;

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::containers::{self, Found};
use super::image::{Image, Piece};
use super::refusal::{COMPRESSED, DAMAGED, HEADERS_AT, NO_CODE, PROGRAM, Refusal};
use super::{Draft, Mode, Options, pack, references};
use crate::elf::{Elf, HEADER_LEN, Section, SectionFlags, SegmentKind, tag};

/// The sections that device code is packed in.
const SECTIONS: [&str; 2] = [".nv_fatbin", "__nv_relfatbin"];

/// The flag of a program that can lie anywhere (*observed*: `DF_1_PIE`).
const IS_PROGRAM: u64 = 0x0800_0000;

/// A section with device code.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) name: String,
    /// Its index among all sections.
    pub(super) index: usize,
    pub(super) section: Section,
}

impl Part {
    pub(super) fn range(&self) -> Range<u64> {
        self.section.file_range()
    }
}

pub(super) fn plan<'a>(file: &'a [u8], elf: &Elf<'a>, options: &Options) -> Result<Draft, Refusal> {
    is_library(elf, options)?;
    let mut parts = parts(elf)?;
    parts.sort_by_key(|part| part.section.address);
    let memory = elf.memory();
    let mut found: Vec<Found> = Vec::new();
    for part in &parts {
        let Section { offset, size, address, .. } = part.section;
        if !memory.maps(offset, size, address) {
            let place = (&*part.name, offset);
            return Err(Refusal::new(&DAMAGED, place, "a loaded section", "one that is not"));
        }
        for mut container in containers::find(file, &part.name, part.range())? {
            let inside = container.range.start.saturating_sub(offset);
            container.address = address.saturating_add(inside);
            found.push(container);
        }
    }
    let references = references::find(file, elf, &mut found)?;
    for container in &mut found {
        container.choose(options)?;
    }
    if found.iter().all(|container| container.dropped().next().is_none()) {
        return Ok(Draft::unchanged(found));
    }
    match options.mode {
        Mode::Zero => zero(file, &parts, found),
        Mode::Pack => headers::pack(file, elf, &parts, found, references),
    }
}

/// Refuses what is no shared library, and what another tool has changed.
fn is_library(elf: &Elf<'_>, options: &Options) -> Result<(), Refusal> {
    let flags = elf.dynamic(tag::FLAGS_1).unwrap_or(0);
    if flags & IS_PROGRAM != 0 {
        return Err(Refusal::new(&PROGRAM, (".dynamic", 0), "a library", "a program"));
    }
    let table = u64::from(HEADER_LEN);
    if options.mode == Mode::Pack && elf.segments_at != table {
        return Err(Refusal::new(&HEADERS_AT, ("segments_at", 32), table, elf.segments_at));
    }
    // The loader reads the segment, and this program the section.
    let segment = elf.segments().find(|segment| segment.kind == SegmentKind::Dynamic);
    let section = elf.section(b".dynamic").map(|(_, section)| section.offset);
    if segment.map(|segment| segment.offset) != section {
        let place = (".dynamic", section.unwrap_or(0));
        return Err(Refusal::new(&DAMAGED, place, "the dynamic segment", "another place"));
    }
    Ok(())
}

/// The sections with device code, in the order of the file; sections that share bytes are an error of
/// the file.
pub(super) fn parts(elf: &Elf<'_>) -> Result<Vec<Part>, Refusal> {
    let mut parts = Vec::new();
    for (index, (section, _)) in elf.sections().enumerate() {
        let name = elf.name_of(&section);
        let Some(name) = SECTIONS.into_iter().find(|known| known.as_bytes() == name) else {
            continue;
        };
        if section.flags.contains(SectionFlags::COMPRESSED) {
            let place = (name, section.offset);
            return Err(Refusal::new(&COMPRESSED, place, "plain bytes", "compressed ones"));
        }
        if elf.has_bytes(&section) && section.size > 0 {
            parts.push(Part { name: name.into(), index, section });
        }
    }
    parts.sort_by_key(|part| part.section.offset);
    if parts.is_empty() {
        return Err(Refusal::new(&NO_CODE, ("sections", 0), SECTIONS.join(" or "), "neither"));
    }
    Ok(parts)
}

/// The containers of a part, of all containers.
pub(super) fn within<'c>(containers: &'c mut [Found], part: &Part) -> &'c mut [Found] {
    let range = part.range();
    let start = containers.iter().position(|it| range.contains(&it.range.start));
    let count = containers.iter().filter(|it| range.contains(&it.range.start)).count();
    let start = start.unwrap_or(0);
    containers.get_mut(start..start.saturating_add(count)).unwrap_or_default()
}

/// Everything stays where it is, with zeros for what goes.
pub(super) fn zero(
    file: &[u8],
    parts: &[Part],
    mut containers: Vec<Found>,
) -> Result<Draft, Refusal> {
    let mut image = Image::new(crate::shared::wide(file.len()));
    for part in parts {
        let mine = within(&mut containers, part);
        for gap in pack::put(file, part.range(), mine, &mut image)? {
            image.put(gap.start, Piece::Zeros(gap.end.saturating_sub(gap.start)))?;
        }
    }
    Ok(Draft::changed(containers, image))
}
