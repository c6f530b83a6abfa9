//! The derived readers of `binfmt-formats`.

use binfmt_formats::fatbin::{Item, Kind, Region};
use binfmt_formats::vpt::{EntryLayout, Expect, Table};
use binfmt_runtime::BinFormat;

use crate::fold;

/// Reads a VPT whose entry layout is known.
pub fn vpt(file: &[u8]) -> Option<u64> {
    let table = Table::parse_with(file, (Expect::ANY, EntryLayout::Plain)).ok()?;
    let mut sum = 0;
    for program in &table.programs {
        let program = program.ok()?;
        sum = fold::program(sum, program.name, program.payload);
    }
    Some(sum)
}

/// Reads the containers of a fat binary.
pub fn fatbin(file: &[u8]) -> Option<u64> {
    let region = Region::parse(file).ok()?;
    let mut sum = 0;
    for item in &region.items {
        let Item::Container(container) = item.ok()? else { continue };
        for entry in &container.entries {
            let entry = entry.ok()?;
            let record = fold::Entry {
                class: class(entry.kind),
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

/// The class of a kind, as a user asks for it.
fn class(kind: Kind) -> fold::Class {
    match kind {
        Kind::Ptx => fold::Class::Ptx,
        Kind::Elf => fold::Class::Elf,
        _ => fold::Class::Other,
    }
}
