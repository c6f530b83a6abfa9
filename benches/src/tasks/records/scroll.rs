//! The table with `scroll`: a cursor that the caller moves.

use scroll::{LE, Pread};

use crate::fold;

/// Reads a table without copying it.
pub fn read(file: &[u8]) -> Option<u64> {
    let at = &mut 4;
    if file.get(..4)? != b"RECS" {
        return None;
    }
    let count: u32 = file.gread_with(at, LE).ok()?;
    let mut sum = 0;
    for _ in 0..count {
        let record = fold::Record {
            id: file.gread_with(at, LE).ok()?,
            kind: file.gread_with(at, LE).ok()?,
            flags: file.gread_with(at, LE).ok()?,
            offset: file.gread_with(at, LE).ok()?,
            size: file.gread_with(at, LE).ok()?,
            checksum: file.gread_with(at, LE).ok()?,
            alignment: file.gread_with(at, LE).ok()?,
        };
        sum = fold::record(sum, record);
    }
    Some(sum)
}
