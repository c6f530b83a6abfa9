//! The declaration of `binfmt-formats`, and one that owns what it holds.

use binfmt_formats::vpt::{EntryLayout, Expect, Program, Table};
use binfmt_runtime::{Auto, BinFormat};

use crate::fold;
use crate::race::Writer;

/// The entry layout is given: telling the two apart walks the file once more.
const ARGS: (Expect, EntryLayout) = (Expect::ANY, EntryLayout::Plain);

#[derive(BinFormat, Debug)]
#[bin(little, magic = 0x675C_3ED9u32, len = size)]
struct OwnedTable {
    major: u32,
    minor: u32,
    vendor_id: u32,
    #[allow(dead_code, reason = "on the wire alone")]
    size: Auto<u32>,
    #[allow(dead_code, reason = "on the wire alone")]
    program_count: Auto<u32>,
    #[bin(count = program_count)]
    programs: Vec<OwnedProgram>,
}

#[derive(BinFormat, Debug)]
#[bin(little, align_after = 8)]
struct OwnedProgram {
    #[allow(dead_code, reason = "on the wire alone")]
    name_len: Auto<u32>,
    #[allow(dead_code, reason = "on the wire alone")]
    payload_len: Auto<u32>,
    #[bin(len = payload_len)]
    payload: Vec<u8>,
    #[bin(len = name_len)]
    name: Vec<u8>,
}

/// Reads a VPT without copying it.
pub fn read(file: &[u8]) -> Option<u64> {
    let table = Table::parse_with(file, ARGS).ok()?;
    let mut sum = 0;
    for program in &table.programs {
        let program = program.ok()?;
        sum = fold::program(sum, program.name, program.payload);
    }
    Some(sum)
}

/// Reads a VPT into values of its own.
pub fn own(file: &[u8]) -> Option<u64> {
    let table = OwnedTable::parse(file).ok()?;
    let programs = table.programs.iter();
    Some(programs.fold(0, |sum, program| fold::program(sum, &program.name, &program.payload)))
}

/// Whether a VPT can be read.
pub fn is_valid(file: &[u8]) -> Option<u64> {
    Table::is_valid_with(file, ARGS).then_some(1)
}

/// Whether a VPT has no findings.
pub fn validate(file: &[u8]) -> Option<u64> {
    Table::validate_with(file, ARGS).findings().is_empty().then_some(1)
}

/// Writes the VPT again.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let table = Table::parse_with(file, ARGS).ok()?;
    let programs: Vec<Program<'_>> = table.programs.iter().collect::<Result<_, _>>().ok()?;
    Some(Box::new(move || Table::new(0x00C0_FFEE, &programs).to_vec_with(ARGS).ok()))
}
