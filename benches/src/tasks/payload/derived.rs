//! The declaration, borrowed and owned.

use binfmt_runtime::{Auto, BinFormat};

use crate::fold;
use crate::race::Writer;

#[derive(BinFormat, Debug, Clone)]
#[bin(little, magic = b"BLOB")]
struct Payload<'a> {
    #[allow(dead_code, reason = "on the wire alone")]
    len: Auto<u64>,
    #[bin(len = len)]
    bytes: &'a [u8],
}

#[derive(BinFormat, Debug, Clone)]
#[bin(little, magic = b"BLOB")]
struct Owned {
    #[allow(dead_code, reason = "on the wire alone")]
    len: Auto<u64>,
    #[bin(len = len)]
    bytes: Vec<u8>,
}

/// Reads the payload without copying it.
pub fn read(file: &[u8]) -> Option<u64> {
    Some(fold::ends(Payload::parse(file).ok()?.bytes))
}

/// Reads the payload into a `Vec`.
pub fn own(file: &[u8]) -> Option<u64> {
    Some(fold::ends(&Owned::parse(file).ok()?.bytes))
}

/// Whether the payload is there.
pub fn is_valid(file: &[u8]) -> Option<u64> {
    Payload::is_valid(file).then_some(1)
}

/// Whether there are no findings.
pub fn validate(file: &[u8]) -> Option<u64> {
    Payload::validate(file).findings().is_empty().then_some(1)
}

/// Writes the file again.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let payload = Payload::parse(file).ok()?;
    Some(Box::new(move || payload.to_vec().ok()))
}
