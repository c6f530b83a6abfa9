//! The payload with `winnow`.

use winnow::binary::{le_u64, length_take};
use winnow::error::EmptyError;
use winnow::{Parser, Result};

use crate::fold;

fn payload<'a>(file: &mut &'a [u8]) -> Result<&'a [u8], EmptyError> {
    b"BLOB".void().parse_next(file)?;
    length_take(le_u64).parse_next(file)
}

/// Reads the payload without copying it.
pub fn read(mut file: &[u8]) -> Option<u64> {
    payload(&mut file).ok().map(fold::ends)
}

/// Reads the payload into a `Vec`.
pub fn own(mut file: &[u8]) -> Option<u64> {
    let bytes: Vec<u8> = payload.map(<[u8]>::to_vec).parse_next(&mut file).ok()?;
    Some(fold::ends(&bytes))
}
