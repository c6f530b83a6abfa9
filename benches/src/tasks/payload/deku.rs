//! The payload as a `deku` declaration.

use std::io::Cursor;

use deku::prelude::*;

use crate::fold;
use crate::race::Writer;

#[derive(DekuRead, DekuWrite, Debug)]
#[deku(endian = "little", magic = b"BLOB")]
struct Payload {
    len: u64,
    #[deku(count = "len")]
    bytes: Vec<u8>,
}

/// Reads the payload into a `Vec`.
pub fn own(file: &[u8]) -> Option<u64> {
    let (_, payload) = Payload::from_reader((&mut Cursor::new(file), 0)).ok()?;
    Some(fold::ends(&payload.bytes))
}

/// Writes the file again, with the length that was read.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let (_, payload) = Payload::from_reader((&mut Cursor::new(file), 0)).ok()?;
    Some(Box::new(move || payload.to_bytes().ok()))
}
