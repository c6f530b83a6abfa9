//! The laws on a value that is written over its own bytes.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

use super::differ::difference;
use super::hold::{different, said};
use crate::update::replacement;
use crate::{BinFormat, writer};

/// Where a value begins in a file around it: on no alignment.
const START: usize = 13;

/// The law *updated is written*: a value that is written over its own bytes leaves them as they are,
/// if these are what is written of it and are kept; also as a part of a file, where another place is no
/// reason to refuse it, and a validator finds no error in it.
///
/// A file around the value is leaked, as what is written is.
pub(super) fn updated<'a, T>(value: &T, bytes: &'a [u8], args: T::Args) -> Result<(), String>
where
    T: BinFormat<'a> + Debug + PartialEq,
{
    same("updated", bytes, replacement(value, bytes, 0..bytes.len(), args))?;
    let Ok(part) = writer::to_part(&[0xa5; START], &(value, args)) else { return Ok(()) };
    let range = START..START.saturating_add(part.len());
    // Values at offsets may take all up to the end of the file.
    let file: &'a [u8] = [&[0xa5; START][..], &part].concat().leak();
    let read = T::parse_in(file, range.clone(), args)
        .map_err(|error| format!("what is written as a part cannot be read: {error}"))?;
    if read != *value
        && let Some(difference) = difference(T::WIRE, (value, &read), false)
    {
        return Err(format!("a part is {difference}"));
    }
    let report = T::validate_in(file, range.clone(), args);
    if !report.is_ok() {
        return Err(format!("what is written as a part is not valid; {}", said(&report)));
    }
    let new = replacement(&read, file, range, args);
    let is_too_wide = || report.findings().iter().any(|finding| finding.code == "canonical");
    // A number that takes more bytes than it needs is written shorter.
    match &new {
        Err(error) if ["unkept", "size"].contains(&error.finding().code) && is_too_wide() => Ok(()),
        _ => same("updated as a part", &part, new),
    }
}

/// Whether what takes the place of bytes is the same as they are.
fn same(what: &str, old: &[u8], new: Result<Vec<u8>, crate::Error>) -> Result<(), String> {
    let new = new.map_err(|error| format!("cannot be {what}: {error}"))?;
    match different(old, &new) {
        None => Ok(()),
        Some(first) => Err(format!(
            "{} bytes are {what} as {} that differ from {first:#x} on",
            old.len(),
            new.len()
        )),
    }
}
