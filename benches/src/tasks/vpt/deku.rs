//! A VPT as `deku` declarations.

use std::io::{Cursor, Read, Seek};

use deku::prelude::*;

use crate::fold;
use crate::race::Writer;

/// A VPT. The region that `size` spans is not enforced, only that the programs fill it.
#[derive(DekuRead, DekuWrite, Debug)]
#[deku(endian = "little", magic = b"\xD9\x3E\x5C\x67")]
struct Table {
    _major: u32,
    _minor: u32,
    _vendor_id: u32,
    size: u32,
    program_count: u32,
    #[deku(count = "program_count")]
    programs: Vec<Program>,
    #[deku(
        reader = "position(deku::reader)",
        writer = "Ok::<(), DekuError>(())",
        assert = "*end == u64::from(*size)"
    )]
    end: u64,
}

#[derive(DekuRead, DekuWrite, Debug)]
#[deku(endian = "endian", ctx = "endian: deku::ctx::Endian")]
struct Program {
    name_len: u32,
    payload_len: u32,
    #[deku(count = "payload_len")]
    payload: Vec<u8>,
    #[deku(
        count = "name_len",
        pad_bytes_after = "(name_len.wrapping_add(*payload_len).wrapping_neg() % 8) as usize"
    )]
    name: Vec<u8>,
}

/// Where the reader is.
fn position<R: Read + Seek>(reader: &mut Reader<R>) -> Result<u64, DekuError> {
    reader.stream_position().map_err(|error| DekuError::Io(error.kind()))
}

/// Reads a VPT into values of its own.
pub fn own(file: &[u8]) -> Option<u64> {
    let (_, table) = Table::from_reader((&mut Cursor::new(file), 0)).ok()?;
    let programs = table.programs.iter();
    Some(programs.fold(0, |sum, program| fold::program(sum, &program.name, &program.payload)))
}

/// Writes the VPT again, with the sizes and counts that were read.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let (_, table) = Table::from_reader((&mut Cursor::new(file), 0)).ok()?;
    Some(Box::new(move || table.to_bytes().ok()))
}
