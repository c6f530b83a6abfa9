//! The table as `zerocopy` types: no decoding, the bytes are the records.

use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::fold;
use crate::race::Writer;

#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Debug, Clone)]
#[repr(C)]
struct Header {
    magic: [u8; 4],
    count: U32,
}

#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Debug, Clone, Copy)]
#[repr(C)]
struct Record {
    id: U32,
    kind: U16,
    flags: U16,
    offset: U64,
    size: U64,
    checksum: U32,
    alignment: U32,
}

fn records(file: &[u8]) -> Option<&[Record]> {
    let (header, rest) = Header::ref_from_prefix(file).ok()?;
    if header.magic != *b"RECS" {
        return None;
    }
    let count = header.count.get() as usize;
    Some(<[Record]>::ref_from_prefix_with_elems(rest, count).ok()?.0)
}

fn fold(records: &[Record]) -> u64 {
    records.iter().fold(0, |sum, record| {
        let record = fold::Record {
            id: record.id.get(),
            kind: record.kind.get(),
            flags: record.flags.get(),
            offset: record.offset.get(),
            size: record.size.get(),
            checksum: record.checksum.get(),
            alignment: record.alignment.get(),
        };
        fold::record(sum, record)
    })
}

/// Reads a table without copying it.
pub fn read(file: &[u8]) -> Option<u64> {
    records(file).map(fold)
}

/// Reads a table into a `Vec`.
pub fn own(file: &[u8]) -> Option<u64> {
    records(file).map(|records| fold(&records.to_vec()))
}

/// Writes the table again.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let records = records(file)?.to_vec();
    Some(Box::new(move || {
        let header = Header { magic: *b"RECS", count: u32::try_from(records.len()).ok()?.into() };
        let mut out = Vec::with_capacity(8 + 32 * records.len());
        out.extend_from_slice(header.as_bytes());
        out.extend_from_slice(records.as_bytes());
        Some(out)
    }))
}
