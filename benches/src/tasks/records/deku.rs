//! The table as `deku` declarations.

use std::io::Cursor;

use deku::prelude::*;

use crate::fold;
use crate::race::Writer;

#[derive(DekuRead, DekuWrite, Debug)]
#[deku(endian = "little", magic = b"RECS")]
struct Table {
    count: u32,
    #[deku(count = "count")]
    records: Vec<Record>,
}

#[derive(DekuRead, DekuWrite, Debug)]
#[deku(endian = "endian", ctx = "endian: deku::ctx::Endian")]
struct Record {
    id: u32,
    kind: u16,
    flags: u16,
    offset: u64,
    size: u64,
    checksum: u32,
    alignment: u32,
}

/// Reads a table into a `Vec`.
pub fn own(file: &[u8]) -> Option<u64> {
    let (_, table) = Table::from_reader((&mut Cursor::new(file), 0)).ok()?;
    Some(table.records.iter().fold(0, |sum, record| {
        let Record { id, kind, flags, offset, size, checksum, alignment } = *record;
        fold::record(sum, fold::Record { id, kind, flags, offset, size, checksum, alignment })
    }))
}

/// Writes the table again, with the count that was read.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let (_, table) = Table::from_reader((&mut Cursor::new(file), 0)).ok()?;
    Some(Box::new(move || table.to_bytes().ok()))
}
