//! Object files, and containers in a file of their own.

use alloc::vec::Vec;
use core::ops::Range;

use binfmt_runtime::BinFormat;

use super::containers::{self, Found, Pin};
use super::image::{Image, Piece};
use super::library::{Part, parts, put_field, within, zero};
use super::references::{RELOCATION_LEN, SYMBOL_LEN, machine};
use super::refusal::{CROSSING, DAMAGED, RELOCATIONS, Refusal};
use super::{Draft, Mode, Options, pack};
use crate::elf::{Content, Elf, Machine, Relocation, Section, SectionKind, Symbol};
use crate::shared::wide;

/// What the section header table lies on a multiple of.
const TABLE_ALIGN: u64 = 8;

/// Length of a wrapper, and where in it the pointer to its container is.
const WRAPPER: (u64, u64) = (24, 8);

/// A container, by the index of its part and its offset there.
type Target = (usize, u64);

pub(super) fn plan<'a>(file: &'a [u8], elf: &Elf<'a>, options: &Options) -> Result<Draft, Refusal> {
    let parts = parts(elf)?;
    let mut found = Vec::new();
    for part in &parts {
        found.extend(containers::find(file, &part.name, part.range())?);
    }
    let mut object = Object { elf, parts: &parts, containers: found, changes: Vec::new() };
    object.references()?;
    let Object { mut containers, changes, .. } = object;
    for container in &mut containers {
        container.choose(options)?;
    }
    if containers.iter().all(|container| container.dropped().next().is_none()) {
        return Ok(Draft::unchanged(containers));
    }
    match options.mode {
        Mode::Zero => zero(file, &parts, containers),
        Mode::Pack => shrink(file, elf, &parts, containers, &changes),
    }
}

/// Containers without anything around them: what follows an entry that goes moves up.
pub(super) fn plan_bare(file: &[u8], options: &Options) -> Result<Draft, Refusal> {
    let all = 0..wide(file.len());
    let mut containers = containers::find(file, "file", all.clone())?;
    for container in &mut containers {
        container.choose(options)?;
    }
    if containers.iter().all(|container| container.dropped().next().is_none()) {
        return Ok(Draft::unchanged(containers));
    }
    let mut image = Image::new(all.end);
    let mut cuts = Vec::new();
    for container in &containers {
        let range = container.range.clone();
        for gap in pack::put(file, range, core::slice::from_ref(container), &mut image)? {
            image.put(gap.start, Piece::Zeros(gap.end.saturating_sub(gap.start)))?;
            cuts.push(gap);
        }
    }
    if options.mode == Mode::Pack {
        image.cut(cuts);
    }
    Ok(Draft::changed(containers, image))
}

/// What names a container by its place.
enum Change {
    /// A relocation at an offset of the file, by the section and an addend.
    Relocation(u64, Relocation, Target),
    /// A symbol at an offset of the file.
    Symbol(u64, Symbol, Target),
}

struct Object<'o, 'a> {
    elf: &'o Elf<'a>,
    parts: &'o [Part],
    containers: Vec<Found>,
    changes: Vec<Change>,
}

impl Object<'_, '_> {
    /// Everything that points to containers; those that something else than a wrapper points to are
    /// pinned, and so are those to which nothing points.
    fn references(&mut self) -> Result<(), Refusal> {
        let absolute = match self.elf.machine {
            Machine::X86_64 => 1,
            Machine::Aarch64 => 257,
            other => return Err(machine(other)),
        };
        let mut known = Vec::new();
        for index in 0..self.elf.contents.len() {
            let Some(Ok(section)) = self.elf.sections.get(wide(index)) else { continue };
            match self.elf.contents.get(index) {
                Some(Some(Content::Symbols(..))) => self.symbols(&section, index),
                Some(Some(Content::Relocations(_))) => {
                    known.extend(self.relocations(&section, index, absolute));
                }
                _ if section.kind == SectionKind::ShortRelocations => {
                    let place = ("sections", section.offset);
                    return Err(Refusal::new(&RELOCATIONS, place, "RELA", "REL"));
                }
                _ => {}
            }
        }
        for (index, container) in self.containers.iter_mut().enumerate() {
            if container.pin.is_none() && !known.contains(&index) {
                container.pin = Some(Pin::Unreferenced);
            }
        }
        Ok(())
    }

    /// The container at an offset of a section with device code.
    fn owner(&self, section: usize, inside: u64) -> Option<usize> {
        let part = self.parts.iter().find(|part| part.index == section)?;
        let at = part.section.offset.checked_add(inside)?;
        self.containers.iter().position(|it| it.range.contains(&at))
    }

    fn pin(&mut self, index: usize, pin: Pin) {
        if let Some(container) = self.containers.get_mut(index)
            && !container.pin.is_some_and(Pin::is_whole)
        {
            container.pin = Some(pin);
        }
    }

    /// Where a container begins in its section, if that is there.
    fn start(&self, section: usize, inside: u64) -> Option<(usize, bool)> {
        let index = self.owner(section, inside)?;
        let part = self.parts.iter().find(|part| part.index == section)?;
        let start = self.containers.get(index)?.range.start;
        Some((index, part.section.offset.checked_add(inside) == Some(start)))
    }

    /// Symbols at the start of a container move with it.
    fn symbols(&mut self, section: &Section, index: usize) {
        let Some(Some(Content::Symbols(_, table))) = self.elf.contents.get(index) else { return };
        for (index, symbol) in (0_u64..).zip(table.symbols.iter().map_while(Result::ok)) {
            let of = usize::from(symbol.section);
            let Some((container, is_start)) = self.start(of, symbol.value) else { continue };
            if symbol.kind() == Symbol::SECTION {
                continue;
            }
            if is_start {
                let at = section.offset.saturating_add(index.saturating_mul(SYMBOL_LEN));
                self.changes.push(Change::Symbol(at, symbol, (of, symbol.value)));
            } else {
                self.pin(container, Pin::Inside);
            }
        }
    }

    /// The containers that wrappers point to.
    fn relocations(&mut self, section: &Section, index: usize, absolute: u64) -> Vec<usize> {
        let mut known = Vec::new();
        let contents = &self.elf.contents;
        let linked = usize::try_from(section.link).ok().and_then(|index| contents.get(index));
        let (Some(Some(Content::Relocations(table))), Some(Some(Content::Symbols(_, symbols)))) =
            (contents.get(index), linked)
        else {
            return known;
        };
        let applied = self.elf.sections.get(section.info.into()).and_then(Result::ok);
        let wrappers = applied.is_some_and(|it| self.elf.name_of(&it) == b".nvFatBinSegment");
        let inside_part = self.parts.iter().any(|part| wide(part.index) == section.info.into());
        for (index, relocation) in (0_u64..).zip(table.relocations.iter().map_while(Result::ok)) {
            if inside_part {
                let info = usize::try_from(section.info).unwrap_or(usize::MAX);
                if let Some(container) = self.owner(info, relocation.place) {
                    self.pin(container, Pin::Relocated);
                }
            }
            let Some(Ok(symbol)) = symbols.symbols.get(relocation.symbol()) else { continue };
            let of = usize::from(symbol.section);
            if !self.parts.iter().any(|part| part.index == of) {
                continue;
            }
            let target = symbol.value.wrapping_add(relocation.addend.cast_unsigned());
            let found = self.start(of, target);
            let is_wrapper = wrappers
                && relocation.kind() == absolute
                && relocation.place.checked_rem(WRAPPER.0) == Some(WRAPPER.1);
            let by_section = symbol.kind() == Symbol::SECTION;
            match found {
                Some((container, true)) if is_wrapper && (by_section || relocation.addend == 0) => {
                    known.push(container);
                    if by_section {
                        let at =
                            index.saturating_mul(RELOCATION_LEN).saturating_add(section.offset);
                        self.changes.push(Change::Relocation(at, relocation, (of, target)));
                    }
                }
                Some((container, false)) if is_wrapper => self.pin(container, Pin::Inside),
                // Where a relocation by other means leads is not known: nothing moves.
                _ => self.pin_all(of),
            }
        }
        known
    }

    fn pin_all(&mut self, section: usize) {
        let Some(part) = self.parts.iter().find(|part| part.index == section) else { return };
        let range = part.range();
        for index in 0..self.containers.len() {
            if self.containers.get(index).is_some_and(|it| range.contains(&it.range.start)) {
                self.pin(index, Pin::Pointer);
            }
        }
    }
}

fn shrink(
    file: &[u8],
    elf: &Elf<'_>,
    parts: &[Part],
    mut containers: Vec<Found>,
    changes: &[Change],
) -> Result<Draft, Refusal> {
    let mut image = Image::new(wide(file.len()));
    let sections = || elf.sections.iter().map_while(Result::ok);
    let align = sections().map(|it| it.align).max().unwrap_or(1).max(TABLE_ALIGN);
    let mut cuts = Vec::new();
    let mut ends = Vec::new();
    for part in parts {
        let mine = within(&mut containers, part);
        pack::place(part.section.offset, mine);
        for gap in pack::put(file, part.range(), mine, &mut image)? {
            image.put(gap.start, Piece::Zeros(gap.end.saturating_sub(gap.start)))?;
            if gap.end == part.range().end {
                ends.push((part.index, gap.start));
                let start = gap.start.checked_next_multiple_of(align).unwrap_or(u64::MAX);
                let end = gap.end.saturating_sub(gap.end.checked_rem(align).unwrap_or(0));
                cuts.extend((end > start).then_some(start..end));
            }
        }
    }
    if cuts.is_empty() {
        return Ok(Draft::unchanged(containers));
    }
    if elf.segments().next().is_some() {
        let place = ("segments", elf.segments_at);
        return Err(Refusal::new(&CROSSING, place, "no segments", "some"));
    }
    image.cut(cuts);
    write_sections(elf, &ends, &mut image)?;
    for change in changes {
        apply(change, parts, &containers, &mut image)?;
    }
    Ok(Draft::changed(containers, image))
}

fn write_sections(elf: &Elf<'_>, ends: &[(usize, u64)], image: &mut Image) -> Result<(), Refusal> {
    let mut table = Vec::new();
    for (index, section) in elf.sections.iter().map_while(Result::ok).enumerate() {
        let offset = image.new_offset(section.offset);
        let end = ends.iter().find(|(part, _)| *part == index).map(|(_, end)| *end);
        let size = end.map_or(section.size, |end| end.saturating_sub(section.offset));
        let range: Range<u64> = section.file_range();
        if end.is_none()
            && elf.has_bytes(&section)
            && image.new_offset(range.end).saturating_sub(offset) != section.size
        {
            return Err(Refusal::new(&CROSSING, ("sections", range.start), size, "less"));
        }
        let new = Section { offset, size, ..section };
        table.extend(new.to_vec().map_err(|error| damaged(section.offset, &error))?);
    }
    put_field(image, "sections_at", &image.new_offset(elf.sections_at).to_le_bytes())?;
    image.put(elf.sections_at, Piece::Bytes(table))
}

/// How far a container moves up.
fn distance(parts: &[Part], containers: &[Found], (of, inside): Target) -> Option<(u64, u64, u64)> {
    let part = parts.iter().find(|part| part.index == of)?;
    let at = part.section.offset.checked_add(inside)?;
    let container = containers.iter().find(|it| it.range.start == at)?;
    Some((at.checked_sub(container.place)?, container.len(), container.new_len()))
}

fn apply(
    change: &Change,
    parts: &[Part],
    containers: &[Found],
    image: &mut Image,
) -> Result<(), Refusal> {
    match change {
        Change::Relocation(at, relocation, target) => {
            let moved = distance(parts, containers, *target).map_or(0, |(moved, ..)| moved);
            let addend = relocation.addend.wrapping_sub_unsigned(moved);
            if moved > 0 {
                let new = Relocation { addend, ..*relocation };
                let bytes = new.to_vec().map_err(|error| damaged(*at, &error))?;
                image.put(*at, Piece::Bytes(bytes))?;
            }
        }
        Change::Symbol(at, symbol, target) => {
            let Some((moved, len, new_len)) = distance(parts, containers, *target) else {
                return Ok(());
            };
            let size = if symbol.size == len { new_len } else { symbol.size };
            let new = Symbol { value: symbol.value.wrapping_sub(moved), size, ..*symbol };
            if new != *symbol {
                let bytes = new.to_vec().map_err(|error| damaged(*at, &error))?;
                image.put(*at, Piece::Bytes(bytes))?;
            }
        }
    }
    Ok(())
}

fn damaged(at: u64, error: &binfmt_runtime::Error) -> Refusal {
    Refusal::new(&DAMAGED, ("", at), "an item of a table", error)
}
