//! The derived readers of `binfmt-formats`.

use binfmt_formats::fatbin::{Item, Kind, Region};
use binfmt_formats::vpt::{EntryLayout, Expect, Table};
use binfmt_runtime::BinFormat;

use crate::fold;

/// Reads a VPT whose entry layout is known.
pub fn vpt(file: &[u8]) -> Option<u64> {
    let table = Table::parse_with(file, (Expect::ANY, EntryLayout::Plain)).ok()?;
    let mut sum = 0;
    for program in table.programs.iter() {
        let program = program.ok()?;
        sum = fold::program(sum, program.name, program.payload);
    }
    Some(sum)
}

/// Reads the containers of a fat binary.
pub fn fatbin(file: &[u8]) -> Option<u64> {
    let region = Region::parse(file).ok()?;
    let mut sum = 0;
    for item in region.items.iter() {
        let Item::Container(container) = item.ok()? else { continue };
        for entry in container.entries.iter() {
            let entry = entry.ok()?;
            let record = fold::Entry {
                kind: number(entry.kind),
                arch: entry.arch,
                flags: entry.flags.bits(),
                name: entry.name_bytes(),
                options: entry.options.and_then(|options| options.data).unwrap_or_default(),
                payload: entry.payload,
            };
            sum = fold::entry(sum, record);
        }
    }
    Some(sum)
}

/// The stored number of a kind.
fn number(kind: Kind) -> u16 {
    match kind {
        Kind::Invalid => 0,
        Kind::Ptx => 0x01,
        Kind::Elf => 0x02,
        Kind::OldCubin => 0x04,
        Kind::Nvvm => 0x08,
        Kind::ElfAlternate => 0x10,
        Kind::Index => 0x20,
        Kind::RelocPtx => 0x40,
        Kind::TileIr => 0x80,
        Kind::Concat => 0x100,
        Kind::Other(number) => number,
    }
}
