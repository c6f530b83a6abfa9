//! What names the address of something that moves.

use binfmt_runtime::{BinFormat, Error};

use super::super::bytes_of;
use super::super::containers::Found;
use super::super::image::{Image, Piece};
use super::super::references::{RELOCATION_LEN, Reference, SYMBOL_LEN, owner};
use super::super::refusal::{DAMAGED, Refusal};
use crate::elf::{Content, Dynamic, Elf, Relocation, SectionKind, Symbol};

/// A section that moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moved {
    /// Its index.
    pub(super) index: usize,
    /// The tag that tells the dynamic linker where it is.
    pub(super) tag: Option<u64>,
    /// Its address.
    pub(super) old: u64,
    /// The address that it will have.
    pub(super) new: u64,
}

/// Length of a dynamic tag and its value.
const DYNAMIC_LEN: u64 = 16;

/// The address at which a container will be.
fn new_address(container: &Found) -> u64 {
    container.address.wrapping_add(container.place.wrapping_sub(container.range.start))
}

/// The pointers of wrappers, and the relocations that compute them.
pub(super) fn references(
    file: &[u8],
    containers: &[Found],
    references: &[Reference],
    image: &mut Image,
) -> Result<(), Refusal> {
    for reference in references {
        let Some(container) = containers.get(reference.container) else { continue };
        if container.place == container.range.start {
            continue;
        }
        let address = new_address(container);
        if let Some(at) = reference.relocation {
            let bytes = bytes_of(file, at, at.saturating_add(RELOCATION_LEN)).unwrap_or_default();
            let mut relocation = Relocation::parse(bytes).map_err(|error| damaged(at, &error))?;
            relocation.addend = address.cast_signed();
            let bytes = relocation.to_vec().map_err(|error| damaged(at, &error))?;
            image.put(at, Piece::Bytes(bytes))?;
        }
        // Linkers leave the place of a relocation with an addend at 0, or write the same there.
        let place = reference.place;
        let stored = bytes_of(file, place, place.saturating_add(8)).unwrap_or_default();
        if reference.relocation.is_none() || stored == container.address.to_le_bytes() {
            image.put(place, Piece::Bytes(address.to_le_bytes().to_vec()))?;
        }
    }
    Ok(())
}

/// The symbols of debuggers: those of containers, and those of sections.
pub(super) fn symbols(
    elf: &Elf<'_>,
    containers: &[Found],
    sections: &[Moved],
    image: &mut Image,
) -> Result<(), Refusal> {
    for (section, content) in elf.sections() {
        let Some(Content::Symbols(SectionKind::Symbols, table)) = content else { continue };
        for (index, symbol) in (0_u64..).zip(table.symbols.iter().map_while(Result::ok)) {
            if !symbol.is_defined() {
                continue;
            }
            let mut new = symbol;
            let of = sections.iter().find(|it| it.index == usize::from(symbol.section));
            if let (Symbol::SECTION, Some(moved)) = (symbol.kind(), of) {
                new.value = moved.new;
            } else if let Some(found) = owner(containers, symbol.value)
                .and_then(|index| containers.get(index))
                .filter(|_| symbol.kind() != Symbol::SECTION)
            {
                let inside = symbol.value.saturating_sub(found.address);
                new.value = new_address(found).saturating_add(inside);
                if inside == 0 && symbol.size == found.len() {
                    new.size = found.new_len();
                }
            }
            if new != symbol {
                let at = section.offset.saturating_add(index.saturating_mul(SYMBOL_LEN));
                let bytes = new.to_vec().map_err(|error| damaged(at, &error))?;
                image.put(at, Piece::Bytes(bytes))?;
            }
        }
    }
    Ok(())
}

/// What the dynamic linker is told about sections that move.
pub(super) fn dynamics(
    elf: &Elf<'_>,
    sections: &[Moved],
    image: &mut Image,
) -> Result<(), Refusal> {
    let Some((_, table)) = elf.section(b".dynamic") else { return Ok(()) };
    for (index, entry) in (0_u64..).zip(elf.dynamics()) {
        let moved = sections.iter().find(|it| Some(entry.tag) == it.tag && it.old == entry.value);
        let Some(moved) = moved else { continue };
        let at = table.offset.saturating_add(index.saturating_mul(DYNAMIC_LEN));
        let new = Dynamic { value: moved.new, ..entry };
        let bytes = new.to_vec().map_err(|error| damaged(at, &error))?;
        image.put(at, Piece::Bytes(bytes))?;
    }
    Ok(())
}

fn damaged(at: u64, error: &Error) -> Refusal {
    Refusal::new(&DAMAGED, ("", at), "an item of a table", error)
}
