//! The declaration, borrowed and owned.

use binfmt_runtime::{Auto, BinFormat, Seq};

use crate::fold;
use crate::race::Writer;

#[derive(BinFormat, Debug, Clone)]
#[bin(little, magic = b"RECS")]
struct Table<'a> {
    #[allow(dead_code, reason = "on the wire alone")]
    count: Auto<u32>,
    #[bin(count = count)]
    records: Seq<'a, Record>,
}

#[derive(BinFormat, Debug, Clone)]
#[bin(little, magic = b"RECS")]
struct Owned {
    #[allow(dead_code, reason = "on the wire alone")]
    count: Auto<u32>,
    #[bin(count = count)]
    records: Vec<Record>,
}

#[derive(BinFormat, Debug, Clone)]
#[bin(little)]
struct Record {
    id: u32,
    kind: u16,
    flags: u16,
    offset: u64,
    size: u64,
    checksum: u32,
    alignment: u32,
}

impl Record {
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "every contestant pays the same for it")]
    fn fold(&self, sum: u64) -> u64 {
        let Self { id, kind, flags, offset, size, checksum, alignment } = *self;
        fold::record(sum, fold::Record { id, kind, flags, offset, size, checksum, alignment })
    }
}

/// Reads a table without copying it.
pub fn read(file: &[u8]) -> Option<u64> {
    let table = Table::parse(file).ok()?;
    let mut sum = 0;
    for record in &table.records {
        sum = record.ok()?.fold(sum);
    }
    Some(sum)
}

/// Reads a table into a `Vec`.
pub fn own(file: &[u8]) -> Option<u64> {
    let table = Owned::parse(file).ok()?;
    Some(table.records.iter().fold(0, |sum, record| record.fold(sum)))
}

/// Whether all records are there.
pub fn is_valid(file: &[u8]) -> Option<u64> {
    Table::is_valid(file).then_some(1)
}

/// Whether there are no findings.
pub fn validate(file: &[u8]) -> Option<u64> {
    Table::validate(file).findings().is_empty().then_some(1)
}

/// Writes the table again.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let table = Owned::parse(file).ok()?;
    Some(Box::new(move || table.to_vec().ok()))
}
