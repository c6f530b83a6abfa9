//! The table as `binrw` declarations.

use std::io::Cursor;

use binrw::{BinRead, BinWrite, binrw};

use crate::fold;
use crate::race::Writer;

#[binrw]
#[derive(Debug)]
#[brw(little, magic = b"RECS")]
struct Table {
    #[br(temp)]
    #[bw(try_calc = records.len().try_into())]
    count: u32,
    #[br(count = count)]
    records: Vec<Record>,
}

#[derive(BinRead, BinWrite, Debug)]
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
    let table = Table::read(&mut Cursor::new(file)).ok()?;
    Some(table.records.iter().fold(0, |sum, record| {
        let Record { id, kind, flags, offset, size, checksum, alignment } = *record;
        fold::record(sum, fold::Record { id, kind, flags, offset, size, checksum, alignment })
    }))
}

/// Writes the table again.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let table = Table::read(&mut Cursor::new(file)).ok()?;
    Some(Box::new(move || {
        let mut out = Cursor::new(Vec::new());
        table.write(&mut out).ok()?;
        Some(out.into_inner())
    }))
}
