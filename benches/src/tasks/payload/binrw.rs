//! The payload as a `binrw` declaration.

use std::io::Cursor;

use binrw::{BinRead, BinWrite, binrw};

use crate::fold;
use crate::race::Writer;

#[binrw]
#[derive(Debug)]
#[brw(little, magic = b"BLOB")]
struct Payload {
    #[br(temp)]
    #[bw(calc = bytes.len() as u64)]
    len: u64,
    #[br(count = len)]
    bytes: Vec<u8>,
}

/// Reads the payload into a `Vec`.
pub fn own(file: &[u8]) -> Option<u64> {
    Some(fold::ends(&Payload::read(&mut Cursor::new(file)).ok()?.bytes))
}

/// Writes the file again.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let payload = Payload::read(&mut Cursor::new(file)).ok()?;
    Some(Box::new(move || {
        let mut out = Cursor::new(Vec::new());
        payload.write(&mut out).ok()?;
        Some(out.into_inner())
    }))
}
