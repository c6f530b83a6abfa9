//! What an expert writes.

use crate::fold;
use crate::race::Writer;

fn payload(file: &[u8]) -> Option<&[u8]> {
    let rest = file.strip_prefix(b"BLOB")?;
    let (len, rest) = rest.split_first_chunk()?;
    rest.get(..usize::try_from(u64::from_le_bytes(*len)).ok()?)
}

/// Reads the payload without copying it.
pub fn read(file: &[u8]) -> Option<u64> {
    Some(fold::ends(payload(file)?))
}

/// Reads the payload into a `Vec`.
pub fn own(file: &[u8]) -> Option<u64> {
    Some(fold::ends(&payload(file)?.to_vec()))
}

/// Whether the payload is there.
pub fn is_valid(file: &[u8]) -> Option<u64> {
    payload(file).map(|_| 1)
}

/// Writes the file again.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let payload = payload(file)?;
    Some(Box::new(move || {
        let mut out = Vec::with_capacity(12 + payload.len());
        out.extend_from_slice(b"BLOB");
        out.extend_from_slice(&(payload.len() as u64).to_le_bytes());
        out.extend_from_slice(payload);
        Some(out)
    }))
}
