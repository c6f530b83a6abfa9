//! What an expert writes: one bounds check for the table, then records of a known size.

use crate::fold::{self, Record};
use crate::race::Writer;

/// The records, as chunks.
fn chunks(file: &[u8]) -> Option<&[[u8; 32]]> {
    let rest = file.strip_prefix(b"RECS")?;
    let (count, rest) = rest.split_first_chunk()?;
    let count = u32::from_le_bytes(*count) as usize;
    rest.as_chunks().0.get(..count)
}

fn record(bytes: &[u8; 32]) -> Record {
    let [a0, a1, a2, a3, b0, b1, c0, c1, rest @ ..] = *bytes;
    let [d0, d1, d2, d3, d4, d5, d6, d7, rest @ ..] = rest;
    let [e0, e1, e2, e3, e4, e5, e6, e7, f0, f1, f2, f3, g0, g1, g2, g3] = rest;
    Record {
        id: u32::from_le_bytes([a0, a1, a2, a3]),
        kind: u16::from_le_bytes([b0, b1]),
        flags: u16::from_le_bytes([c0, c1]),
        offset: u64::from_le_bytes([d0, d1, d2, d3, d4, d5, d6, d7]),
        size: u64::from_le_bytes([e0, e1, e2, e3, e4, e5, e6, e7]),
        checksum: u32::from_le_bytes([f0, f1, f2, f3]),
        alignment: u32::from_le_bytes([g0, g1, g2, g3]),
    }
}

/// Reads a table without copying it.
pub fn read(file: &[u8]) -> Option<u64> {
    Some(chunks(file)?.iter().fold(0, |sum, bytes| fold::record(sum, record(bytes))))
}

/// Reads a table into a `Vec`.
pub fn own(file: &[u8]) -> Option<u64> {
    let records: Vec<Record> = chunks(file)?.iter().map(record).collect();
    Some(records.iter().fold(0, |sum, record| fold::record(sum, *record)))
}

/// Whether all records are there.
pub fn is_valid(file: &[u8]) -> Option<u64> {
    chunks(file).map(|_| 1)
}

/// Writes the table again.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let records: Vec<Record> = chunks(file)?.iter().map(record).collect();
    Some(Box::new(move || {
        let mut out = Vec::with_capacity(8 + 32 * records.len());
        out.extend(b"RECS");
        out.extend(u32::try_from(records.len()).ok()?.to_le_bytes());
        for record in &records {
            let mut bytes = [0; 32];
            bytes[..4].copy_from_slice(&record.id.to_le_bytes());
            bytes[4..6].copy_from_slice(&record.kind.to_le_bytes());
            bytes[6..8].copy_from_slice(&record.flags.to_le_bytes());
            bytes[8..16].copy_from_slice(&record.offset.to_le_bytes());
            bytes[16..24].copy_from_slice(&record.size.to_le_bytes());
            bytes[24..28].copy_from_slice(&record.checksum.to_le_bytes());
            bytes[28..].copy_from_slice(&record.alignment.to_le_bytes());
            out.extend_from_slice(&bytes);
        }
        Some(out)
    }))
}
