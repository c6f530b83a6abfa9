//! A VPT as `binrw` declarations.

use std::io::Cursor;

use binrw::io::TakeSeekExt;
use binrw::{BinRead, BinWrite, binrw};

use crate::fold;
use crate::race::Writer;

/// A VPT. Bytes that are left inside `size` are not noticed.
#[binrw]
#[derive(Debug)]
#[brw(little, magic = 0x675C_3ED9_u32)]
struct Table {
    major: u32,
    minor: u32,
    vendor_id: u32,
    #[br(assert(size >= 24))]
    #[br(temp)]
    #[bw(try_calc = u32::try_from(24 + programs.iter().map(Program::len).sum::<usize>()))]
    size: u32,
    #[br(temp)]
    #[bw(try_calc = u32::try_from(programs.len()))]
    program_count: u32,
    #[br(map_stream = |stream| stream.take_seek(u64::from(size) - 24), count = program_count)]
    programs: Vec<Program>,
}

#[binrw]
#[derive(Debug)]
struct Program {
    #[br(temp)]
    #[bw(try_calc = u32::try_from(name.len()))]
    name_len: u32,
    #[br(temp)]
    #[bw(try_calc = u32::try_from(payload.len()))]
    payload_len: u32,
    #[br(count = payload_len)]
    payload: Vec<u8>,
    #[br(count = name_len)]
    #[brw(align_after = 8)]
    name: Vec<u8>,
}

impl Program {
    fn len(&self) -> usize {
        (8 + self.name.len() + self.payload.len()).next_multiple_of(8)
    }
}

/// Reads a VPT into values of its own.
pub fn own(file: &[u8]) -> Option<u64> {
    let table = Table::read(&mut Cursor::new(file)).ok()?;
    let programs = table.programs.iter();
    Some(programs.fold(0, |sum, program| fold::program(sum, &program.name, &program.payload)))
}

/// Writes the VPT again.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let table = Table::read(&mut Cursor::new(file)).ok()?;
    Some(Box::new(move || {
        let mut out = Cursor::new(Vec::new());
        table.write(&mut out).ok()?;
        Some(out.into_inner())
    }))
}
