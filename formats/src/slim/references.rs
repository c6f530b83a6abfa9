//! What points to containers in a loaded file.

use alloc::vec::Vec;
use core::ops::Range;

use binfmt_runtime::BinFormat;

use super::code;
use super::containers::{Found, Pin};
use super::refusal::{DAMAGED, MACHINE, RELOCATIONS, Refusal};
use crate::elf::{
    Content, Elf, Machine, Memory, RelativeTable, Relocation, Relocations, SectionKind, Symbol, tag,
};
use crate::shared::wide;

/// Length of a relocation.
pub(super) const RELOCATION_LEN: u64 = 24;

/// Length of a symbol.
pub(super) const SYMBOL_LEN: u64 = 24;

/// The host-side wrapper of a container (*observed*; NVIDIA's `fatbinary_section.h`).
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq)]
#[bin(little, magic = 0x4662_43B1u32)]
struct Wrapper {
    /// 1 for a container, 2 for one with an array of others behind it.
    version: u32,
    /// Address of the container.
    container: u64,
    /// A file name, or the address of the array.
    more: u64,
}

/// Where in a wrapper the address of its container stands.
const CONTAINER_AT: u64 = 8;

/// A pointer of a wrapper to the start of a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reference {
    /// Index of the container.
    pub(super) container: usize,
    /// Where the pointer lies in memory.
    pub(super) address: u64,
    /// Where it lies in the file.
    pub(super) place: u64,
    /// Where in the file the relocation is that computes it; none for a packed one.
    pub(super) relocation: Option<u64>,
}

/// Everything that points to containers; those that something else than a wrapper points to are
/// pinned. The containers ascend by their addresses.
pub(super) fn find<'a>(
    file: &'a [u8],
    elf: &Elf<'a>,
    containers: &mut [Found],
) -> Result<Vec<Reference>, Refusal> {
    let mut search = Search::new(file, elf, containers)?;
    search.relocations()?;
    search.symbols();
    search.code();
    let references = search.references;
    let mut is_known = alloc::vec![false; containers.len()];
    for reference in &references {
        if let Some(known) = is_known.get_mut(reference.container) {
            *known = true;
        }
    }
    for (container, is_known) in containers.iter_mut().zip(is_known) {
        if !is_known && container.pin.is_none() {
            container.pin = Some(Pin::Unreferenced);
        }
    }
    Ok(references)
}

struct Search<'s, 'a> {
    file: &'a [u8],
    elf: &'s Elf<'a>,
    memory: Memory,
    containers: &'s mut [Found],
    wrappers: Range<u64>,
    /// The type of relative relocations of the processor.
    relative: u64,
    references: Vec<Reference>,
}

impl<'s, 'a> Search<'s, 'a> {
    fn new(file: &'a [u8], elf: &'s Elf<'a>, containers: &'s mut [Found]) -> Result<Self, Refusal> {
        let relative = match elf.machine {
            Machine::X86_64 => 8,
            Machine::Aarch64 => 0x403,
            other => return Err(machine(other)),
        };
        let wrappers = elf.section(b".nvFatBinSegment").map_or(0..0, |(_, section)| {
            section.address..section.address.saturating_add(section.size)
        });
        let memory = elf.memory();
        Ok(Self { file, elf, memory, containers, wrappers, relative, references: Vec::new() })
    }

    /// The container that has an address.
    fn owner(&self, address: u64) -> Option<usize> {
        owner(self.containers, address)
    }

    /// Pins a container; that it must not be changed at all is never taken back.
    fn pin(&mut self, index: usize, pin: Pin) {
        if let Some(container) = self.containers.get_mut(index) {
            let keeps = container.pin.is_some_and(|old| old.is_whole() || !pin.is_whole());
            if !keeps {
                container.pin = Some(pin);
            }
        }
    }

    fn is_start(&self, index: usize, address: u64) -> bool {
        self.containers.get(index).is_some_and(|it| it.address == address)
    }

    /// Something at `place` points to an address.
    fn pointer(&mut self, place: u64, address: u64, relocation: Option<u64>) {
        if let Some(index) = self.owner(place) {
            self.pin(index, Pin::Relocated);
        }
        let Some(index) = self.owner(address) else { return };
        if !self.is_start(index, address) {
            self.pin(index, Pin::Inside);
        } else if let Some(offset) = self.wrapper_pointer(place) {
            let (address, place) = (place, offset);
            self.references.push(Reference { container: index, address, place, relocation });
        } else {
            self.pin(index, Pin::Pointer);
        }
    }

    /// Where the pointer lies in the file, if it is that of a wrapper to its container.
    fn wrapper_pointer(&self, place: u64) -> Option<u64> {
        let start = place.checked_sub(CONTAINER_AT)?;
        if !self.wrappers.contains(&start) || !self.wrappers.contains(&place) {
            return None;
        }
        let offset = self.memory.offset_of(start)?;
        let bytes = self.file.get(usize::try_from(offset).ok()?..)?;
        Wrapper::parse_prefix(bytes).ok()?;
        self.memory.offset_of(place)
    }

    fn relocations(&mut self) -> Result<(), Refusal> {
        for unread in [tag::SHORT_RELOCATIONS, tag::ANDROID_RELOCATIONS, tag::ANDROID_RELATIVE] {
            if self.elf.dynamic(unread).is_some() {
                let place = (".dynamic", 0);
                return Err(Refusal::new(&RELOCATIONS, place, "RELA and RELR", hex(unread)));
            }
        }
        for (address, size) in [
            (tag::RELOCATIONS, tag::RELOCATIONS_SIZE),
            (tag::PLT_RELOCATIONS, tag::PLT_RELOCATIONS_SIZE),
        ] {
            if let Some((start, bytes)) = self.table(address, size)? {
                self.table_of_relocations(start, bytes)?;
            }
        }
        if let Some((_, bytes)) = self.table(tag::RELATIVE, tag::RELATIVE_SIZE)? {
            self.packed(bytes)?;
        }
        Ok(())
    }

    /// The bytes of a table that the dynamic linker is told of, and where they begin.
    fn table(&self, address: u64, size: u64) -> Result<Option<(u64, &'a [u8])>, Refusal> {
        let (Some(address), Some(size)) = (self.elf.dynamic(address), self.elf.dynamic(size))
        else {
            return Ok(None);
        };
        let start = self.memory.offset_of(address);
        let range = start.filter(|start| self.memory.maps(*start, size, address));
        let bytes = range.and_then(|start| {
            let end = start.checked_add(size)?;
            self.file.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
        });
        match (start, bytes) {
            (Some(start), Some(bytes)) => Ok(Some((start, bytes))),
            _ => Err(Refusal::new(&DAMAGED, (".dynamic", 0), "a loaded table", hex(address))),
        }
    }

    fn table_of_relocations(&mut self, start: u64, bytes: &'a [u8]) -> Result<(), Refusal> {
        let table = Relocations::parse(bytes)
            .map_err(|error| Refusal::new(&DAMAGED, (".rela", start), "relocations", error))?;
        for (index, relocation) in (0_u64..).zip(table.relocations.iter().map_while(Result::ok)) {
            let at = start.saturating_add(index.saturating_mul(RELOCATION_LEN));
            self.relocation(at, &relocation);
        }
        Ok(())
    }

    fn relocation(&mut self, at: u64, relocation: &Relocation) {
        let addend = relocation.addend.cast_unsigned();
        if relocation.kind() == self.relative {
            self.pointer(relocation.place, addend, Some(at));
            return;
        }
        // A relocation by a symbol is none of a wrapper, so it pins what it leads to.
        if let Some(index) = self.owner(relocation.place) {
            self.pin(index, Pin::Relocated);
        }
        let symbol = self.dynamic_symbol(relocation.symbol()).filter(Symbol::is_defined);
        let target = addend.wrapping_add(symbol.map_or(0, |symbol| symbol.value));
        if let Some(index) = self.owner(target) {
            let pin = if self.is_start(index, target) { Pin::Pointer } else { Pin::Inside };
            self.pin(index, pin);
        }
    }

    fn dynamic_symbol(&self, index: u64) -> Option<Symbol> {
        let table = self.memory.offset_of(self.elf.dynamic(tag::SYMBOLS)?)?;
        let at = table.checked_add(index.checked_mul(SYMBOL_LEN)?)?;
        let bytes = self.file.get(usize::try_from(at).ok()?..)?;
        Symbol::parse_prefix(bytes).ok().map(|(symbol, _)| symbol)
    }

    /// Packed relative relocations: the pointers lie where they are applied.
    fn packed(&mut self, bytes: &'a [u8]) -> Result<(), Refusal> {
        let table = RelativeTable::parse(bytes)
            .map_err(|error| Refusal::new(&DAMAGED, (".relr", 0), "relocations", error))?;
        for place in table.places() {
            let pointer = self.memory.offset_of(place).and_then(|offset| {
                let bytes = self.file.get(usize::try_from(offset).ok()?..)?;
                bytes.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
            });
            let Some(pointer) = pointer else {
                let found = hex(place);
                return Err(Refusal::new(&DAMAGED, (".relr", 0), "a place in the file", found));
            };
            self.pointer(place, pointer, None);
        }
        Ok(())
    }

    /// Symbols that others see.
    fn symbols(&mut self) {
        let elf = self.elf;
        for content in elf.contents.iter().flatten() {
            let Content::Symbols(SectionKind::DynamicSymbols, table) = content else { continue };
            for symbol in table.symbols.iter().map_while(Result::ok).filter(Symbol::is_defined) {
                if let Some(index) = self.owner(symbol.value) {
                    let start = self.is_start(index, symbol.value);
                    self.pin(index, if start { Pin::Symbol } else { Pin::Inside });
                }
            }
        }
    }

    /// Addresses that code computes.
    fn code(&mut self) {
        let (Some(first), Some(last)) = (self.containers.first(), self.containers.last()) else {
            return;
        };
        let all = first.address..last.address.saturating_add(last.len());
        for (section, bytes) in code::sections(self.elf) {
            match self.elf.machine {
                Machine::Aarch64 => {
                    for page in code::pages(bytes, section.address, &all) {
                        self.page(page);
                    }
                }
                _ => {
                    for address in code::addresses(bytes, section.address, &all) {
                        let Some(index) = self.owner(address) else { continue };
                        let start = self.is_start(index, address);
                        self.pin(index, if start { Pin::Code } else { Pin::Inside });
                    }
                }
            }
        }
    }

    /// Code computes an address in a page; which one is not known.
    fn page(&mut self, page: u64) {
        let end = page.saturating_add(code::PAGE);
        for index in 0..self.containers.len() {
            let Some(container) = self.containers.get(index) else { continue };
            if container.address < end && container.address.saturating_add(container.len()) > page {
                let pin = if container.address >= page { Pin::Code } else { Pin::Inside };
                self.pin(index, pin);
            }
        }
    }
}

/// The container that has an address, of containers that ascend by theirs.
pub(super) fn owner(containers: &[Found], address: u64) -> Option<usize> {
    let index = containers.partition_point(|it| it.address <= address).checked_sub(1)?;
    let container = containers.get(index)?;
    (address.saturating_sub(container.address) < container.len()).then_some(index)
}

pub(super) fn machine(found: Machine) -> Refusal {
    Refusal::new(&MACHINE, ("machine", wide(18)), "x86-64 or aarch64", alloc::format!("{found:?}"))
}

fn hex(number: u64) -> alloc::string::String {
    alloc::format!("{number:#x}")
}
