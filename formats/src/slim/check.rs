//! Whether a new file is what was planned, and whether the plan was right: what is compared is read
//! from both files.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Debug;
use core::ops::Range;

use binfmt_runtime::BinFormat;

use super::containers::{self, Found};
use super::image::Piece;
use super::refusal::{DIFFERENT, Refusal};
use super::{Plan, archive, bytes_of, library, references};
use crate::elf::{Elf, FileKind, Memory, Section, SectionKind, Segment, SegmentKind};
use crate::shared::{is_zero, wide};

/// Compares a new file with the old one and the plan.
///
/// The new file has no errors; all containers are there, with the entries that stay, byte for byte;
/// the same pointers lead to them; what is pinned has its address; and all other bytes have the
/// addresses that they had.
///
/// # Errors
///
/// If any of that is not so.
pub fn check(old: &[u8], new: &[u8], plan: &Plan) -> Result<(), Refusal> {
    same("len", 0, plan.new_len(), wide(new.len()))?;
    let Checked { zeros, copies } = check_pieces(old, new, plan)?;
    if !plan.changes {
        return same("bytes", 0, true, old == new);
    }
    if !plan.inside.is_empty() {
        return archive::check(old, new, plan);
    }
    if !old.starts_with(b"\x7fELF") {
        let found = containers::find_among(new, "file", 0..wide(new.len()), &zeros)?;
        return check_containers(old, new, (&plan.containers, &copies), &found);
    }
    let report = Elf::validate(new);
    if let Some(error) = report.errors().next() {
        return Err(different("elf", error.start, "no error", error));
    }
    let elf = |file| {
        let parsed = Elf::parse(file);
        parsed.map_err(|error| different("elf", error.finding().start, "an ELF file", error))
    };
    let (old_elf, new_elf) = (elf(old)?, elf(new)?);
    let found = new_containers(new, &new_elf, &zeros)?;
    check_containers(old, new, (&plan.containers, &copies), &found)?;
    check_sections(old, new, &old_elf, &new_elf)?;
    check_segments(&old_elf, &new_elf)?;
    if new_elf.kind == FileKind::Shared {
        check_references(new, &new_elf, plan, found)?;
        check_memory(old, new, &old_elf, &new_elf, plan)?;
    }
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "numbers are given as they are")]
fn same<T: PartialEq + Debug>(path: &str, at: u64, expected: T, found: T) -> Result<(), Refusal> {
    if expected == found {
        return Ok(());
    }
    Err(different(path, at, alloc::format!("{expected:?}"), alloc::format!("{found:?}")))
}

fn different(path: &str, at: u64, expected: impl ToString, found: impl ToString) -> Refusal {
    Refusal::new(&DIFFERENT, (path, at), expected, found)
}

/// What has been compared: in the new file, in order.
#[derive(Default)]
struct Checked {
    /// Where zeros are.
    zeros: Vec<Range<u64>>,
    /// What is equal, by where it begins, and the range in the old file.
    copies: Vec<(u64, Range<u64>)>,
}

impl Checked {
    /// Whether a range of the old file has been found at that place of the new one.
    fn is_copied(copies: &[(u64, Range<u64>)], old: &Range<u64>, new: u64) -> bool {
        let before = copies.partition_point(|(start, _)| *start <= new);
        let last = before.checked_sub(1).and_then(|last| copies.get(last));
        last.is_some_and(|(start, range)| {
            let shift = new.saturating_sub(*start);
            range.start.checked_add(shift) == Some(old.start) && old.end <= range.end
        })
    }
}

/// The new file has the bytes of the plan.
fn check_pieces(old: &[u8], new: &[u8], plan: &Plan) -> Result<Checked, Refusal> {
    let (mut at, mut checked) = (0_u64, Checked::default());
    for piece in plan.pieces() {
        let end = at.saturating_add(piece.len());
        let is = bytes_of(new, at, end);
        let equal = match piece {
            Piece::Copy(range) => is.is_some() && is == bytes_of(old, range.start, range.end),
            Piece::Bytes(bytes) => is == Some(bytes),
            Piece::Zeros(_) => is.is_some_and(is_zero),
        };
        same("bytes", at, true, equal)?;
        match piece {
            Piece::Zeros(_) => checked.zeros.push(at..end),
            Piece::Copy(range) => checked.copies.push((at, range.clone())),
            Piece::Bytes(_) => {}
        }
        at = end;
    }
    Ok(checked)
}

fn new_containers(file: &[u8], elf: &Elf<'_>, zeros: &[Range<u64>]) -> Result<Vec<Found>, Refusal> {
    let mut parts = library::parts(elf)?;
    parts.sort_by_key(|part| (part.section.address, part.section.offset));
    let mut found = Vec::new();
    for part in &parts {
        let holes = hole_ends(elf, &part.section);
        for mut container in containers::find_among(file, &part.name, part.range(), zeros)? {
            container.address = holes(container.range.start);
            found.push(container);
        }
    }
    Ok(found)
}

/// The address of an offset in a section; behind pages that are taken out, that of its segment.
fn hole_ends(elf: &Elf<'_>, section: &Section) -> impl Fn(u64) -> u64 + use<> {
    let memory = elf.memory();
    let (start, address) = (section.offset, section.address);
    move |offset| {
        let inside = offset.saturating_sub(start);
        memory.address_of(offset).unwrap_or(address.saturating_add(inside))
    }
}

/// The containers in the order in which they are in the new file.
fn in_new_order(containers: &[Found]) -> Vec<&Found> {
    // Parts keep their order, by the addresses of their containers.
    let mut sorted: Vec<_> = containers.iter().collect();
    sorted.sort_by_key(|it| it.address.wrapping_add(it.place.wrapping_sub(it.range.start)));
    sorted
}

fn check_containers(
    old: &[u8],
    new: &[u8],
    (planned, copies): (&[Found], &[(u64, Range<u64>)]),
    found: &[Found],
) -> Result<(), Refusal> {
    same("containers", 0, planned.len(), found.len())?;
    for (planned, found) in in_new_order(planned).into_iter().zip(found) {
        let (path, at) = (planned.path(), found.range.start);
        same(&path, at, planned.new_len(), found.len())?;
        same(&path, at, planned.kept().count(), found.members.len())?;
        for (was, is) in planned.kept().zip(&found.members) {
            let at = is.range.start;
            let len = |range: &Range<u64>| range.end.saturating_sub(range.start);
            same(&path, at, len(&was.range), len(&is.range))?;
            // What has been compared already is not read again.
            if !Checked::is_copied(copies, &was.range, at) {
                let was = bytes_of(old, was.range.start, was.range.end);
                same(&path, at, true, was == bytes_of(new, at, is.range.end))?;
            }
        }
    }
    Ok(())
}

/// Sections keep their names and kinds; what moves as a whole keeps its bytes.
fn check_sections(
    old: &[u8],
    new: &[u8],
    old_elf: &Elf<'_>,
    new_elf: &Elf<'_>,
) -> Result<(), Refusal> {
    let sections = |elf: &Elf<'_>| -> Vec<(Section, String)> {
        let sections = elf.sections.iter().map_while(Result::ok);
        sections.map(|it| (it, String::from_utf8_lossy(elf.name_of(&it)).into())).collect()
    };
    let (old_sections, new_sections) = (sections(old_elf), sections(new_elf));
    same("sections", 0, old_sections.len(), new_sections.len())?;
    for ((was, name), (is, new_name)) in old_sections.into_iter().zip(new_sections) {
        same("sections", is.offset, &name, &new_name)?;
        let moved = Section { offset: is.offset, address: is.address, size: is.size, ..was };
        same("sections", is.offset, true, moved == is)?;
        let device_code = matches!(&*name, ".nv_fatbin" | "__nv_relfatbin");
        if !device_code {
            same(&name, is.offset, was.size, is.size)?;
        }
        let may_move = matches!(
            was.kind,
            SectionKind::Note
                | SectionKind::Hash
                | SectionKind::GnuHash
                | SectionKind::Strings
                | SectionKind::DynamicSymbols
                | SectionKind::GnuVersions
                | SectionKind::GnuVersionsDefined
                | SectionKind::GnuVersionsNeeded
        );
        if may_move {
            let (was, is) = (was.file_range(), is.file_range());
            let equal = bytes_of(old, was.start, was.end) == bytes_of(new, is.start, is.end);
            same(&name, is.start, true, equal)?;
        } else {
            same(&name, is.offset, was.address, is.address)?;
        }
    }
    Ok(())
}

/// Segments keep what they are for; loaded ones cover the memory that they covered.
fn check_segments(old_elf: &Elf<'_>, new_elf: &Elf<'_>) -> Result<(), Refusal> {
    let others = |elf: &Elf<'_>| -> Vec<Segment> {
        elf.segments().filter(|it| it.kind != SegmentKind::Load).collect()
    };
    let (was, is) = (others(old_elf), others(new_elf));
    same("segments", 0, was.len(), is.len())?;
    for (was, is) in was.iter().zip(&is) {
        let Segment { offset, address, file_size, memory_size, .. } = *is;
        let physical = was.physical.wrapping_add(address.wrapping_sub(was.address));
        let mut moved = Segment { offset, address, physical, ..*was };
        if was.kind == SegmentKind::Headers {
            (moved.file_size, moved.memory_size) = (file_size, memory_size);
        }
        same("segments", is.offset, true, moved == *is)?;
    }
    let loads = new_elf.memory().loads;
    for was in old_elf.memory().loads.into_iter().filter(|it| it.memory_size > 0) {
        let range = was.memory_range();
        let mut pieces = loads.iter().filter(|it| range.contains(&it.address)).peekable();
        same("segments", was.offset, Some(was.address), pieces.peek().map(|it| it.address))?;
        while let Some(is) = pieces.next() {
            let inside = is.address.wrapping_sub(was.address);
            let physical = was.physical.wrapping_add(inside);
            same("segments", is.offset, (was.flags, physical), (is.flags, is.physical))?;
            let end = pieces.peek().map_or(range.end, |_| is.mapped_range().end);
            same("segments", is.offset, end, is.memory_range().end)?;
        }
    }
    Ok(())
}

/// Every pointer that led to a container leads to the same one; what was pinned has not moved.
fn check_references<'a>(
    new: &'a [u8],
    elf: &Elf<'a>,
    plan: &Plan,
    mut found: Vec<Found>,
) -> Result<(), Refusal> {
    let references = references::find(new, elf, &mut found)?;
    let planned = in_new_order(&plan.containers);
    for (planned, found) in planned.iter().zip(&found) {
        // What has moved can look pinned: code that computes addresses of what lies beside it, or
        // bytes that only look like such code, were there before.
        if planned.pin.is_some() {
            same(&planned.path(), found.range.start, true, found.pin.is_some())?;
            same(&planned.path(), found.range.start, planned.address, found.address)?;
        }
    }
    if plan.references.is_empty() {
        return Ok(());
    }
    same("references", 0, plan.references.len(), references.len())?;
    for (was, is) in plan.references.iter().zip(&references) {
        let old = plan.containers.get(was.container).map(|it| it.range.start);
        let new = planned.get(is.container).map(|it| it.range.start);
        same("references", is.place, was.address, is.address)?;
        same("references", is.place, old.unwrap_or(0), new.unwrap_or(0))?;
    }
    Ok(())
}

/// Bytes that were not to change are loaded where they were; where zeros were put, there are zeros.
fn check_memory(
    old: &[u8],
    new: &[u8],
    old_elf: &Elf<'_>,
    new_elf: &Elf<'_>,
    plan: &Plan,
) -> Result<(), Refusal> {
    let memory = new_elf.memory();
    for load in old_elf.memory().loads {
        let all = load.file_range();
        let address = |at: u64| load.address.saturating_add(at.saturating_sub(all.start));
        let mut at = all.start;
        let inside = |it: &&(Range<u64>, bool)| it.0.start < all.end && all.start < it.0.end;
        for (change, is_zero) in plan.changed.iter().filter(inside) {
            check_bytes(old, new, &memory, at..change.start, address(at))?;
            at = at.max(change.end);
            if *is_zero {
                let start = change.start.max(all.start);
                check_zeros(new, &memory, address(start)..address(change.end.min(all.end)))?;
            }
        }
        check_bytes(old, new, &memory, at..all.end, address(at))?;
    }
    Ok(())
}

fn check_bytes(
    old: &[u8],
    new: &[u8],
    memory: &Memory,
    range: Range<u64>,
    address: u64,
) -> Result<(), Refusal> {
    if range.is_empty() {
        return Ok(());
    }
    let len = range.end.saturating_sub(range.start);
    let place = memory.offset_of(address).unwrap_or(u64::MAX);
    let is_mapped = memory.maps(place, len, address);
    let is = bytes_of(new, place, place.saturating_add(len)).filter(|_| is_mapped);
    let was = bytes_of(old, range.start, range.end);
    same("memory", range.start, true, is.is_some() && was == is)
}

fn check_zeros(new: &[u8], memory: &Memory, addresses: Range<u64>) -> Result<(), Refusal> {
    for load in &memory.loads {
        let mapped = load.mapped_range();
        let start = mapped.start.max(addresses.start);
        let end = mapped.end.min(addresses.end);
        if start < end {
            let at =
                |address: u64| load.offset.saturating_add(address.saturating_sub(load.address));
            let bytes = bytes_of(new, at(start), at(end));
            same("memory", at(start), true, bytes.is_some_and(is_zero))?;
        }
    }
    Ok(())
}
