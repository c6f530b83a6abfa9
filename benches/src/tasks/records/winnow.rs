//! The table as `winnow` parsers.

use winnow::binary::{le_u16, le_u32, le_u64};
use winnow::combinator::{repeat, seq};
use winnow::error::EmptyError;
use winnow::{Parser, Result};

use crate::fold::{self, Record};

fn header(input: &mut &[u8]) -> Result<usize, EmptyError> {
    b"RECS".void().parse_next(input)?;
    Ok(le_u32.parse_next(input)? as usize)
}

fn record(input: &mut &[u8]) -> Result<Record, EmptyError> {
    seq! { Record {
        id: le_u32,
        kind: le_u16,
        flags: le_u16,
        offset: le_u64,
        size: le_u64,
        checksum: le_u32,
        alignment: le_u32,
    } }
    .parse_next(input)
}

/// Reads a table without copying it.
pub fn read(mut file: &[u8]) -> Option<u64> {
    let count = header(&mut file).ok()?;
    repeat(count, record).fold(|| 0, fold::record).parse_next(&mut file).ok()
}

/// Reads a table into a `Vec`.
pub fn own(mut file: &[u8]) -> Option<u64> {
    let count = header(&mut file).ok()?;
    let records: Vec<Record> = repeat(count, record).parse_next(&mut file).ok()?;
    Some(records.iter().fold(0, |sum, record| fold::record(sum, *record)))
}
