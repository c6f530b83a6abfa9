//! Writing a whole value: into a slice, a `Vec`, anything; or only its length. The same code for all
//! types, which differ in `emit`.

use super::trace::explain;
use super::{Mode, Writer};
use crate::Wire;
use crate::finding::{Error, Fault};

/// A value of a type that is not named, with its arguments.
pub(crate) trait Whole {
    /// Writes the value forward.
    fn emit(&self, out: &mut Writer<'_>) -> Result<(), Fault>;
}

impl<'a, T: Wire<'a>> Whole for (&T, T::Args) {
    fn emit(&self, out: &mut Writer<'_>) -> Result<(), Fault> {
        self.0.emit(out, self.1)
    }
}

/// How many bytes a value takes.
pub(crate) fn encoded_len(compact: bool, value: &dyn Whole) -> Result<u64, Error> {
    let mut out = Writer::to(&mut [], None, Mode::COUNTS).compact(compact);
    match value.emit(&mut out) {
        Ok(()) => Ok(out.pos()),
        Err(fault) => Err(explain(fault, compact, value)),
    }
}

/// Writes to the start of `slice`; how many bytes.
pub(crate) fn into_slice(
    slice: &mut [u8],
    compact: bool,
    value: &dyn Whole,
) -> Result<usize, Error> {
    let mut out = Writer::new(slice).compact(compact);
    match value.emit(&mut out) {
        Ok(()) => Ok(usize::try_from(out.pos()).unwrap_or(usize::MAX)),
        Err(fault) => Err(explain(fault, compact, value)),
    }
}

/// A value as bytes.
#[cfg(feature = "alloc")]
pub(crate) fn to_vec(compact: bool, value: &dyn Whole) -> Result<alloc::vec::Vec<u8>, Error> {
    let mut bytes = alloc::vec::Vec::new();
    let mut room = [0; super::ROOM];
    let mut out = Writer::to(&mut room, Some(&mut bytes), Mode::PATCHES).compact(compact);
    match value.emit(&mut out).and_then(|()| out.flush()) {
        Ok(()) => Ok(bytes),
        Err(fault) => Err(explain(fault, compact, value)),
    }
}

/// Writes to anything, strictly forward.
#[cfg(feature = "std")]
pub(crate) fn to_io(
    out: &mut dyn std::io::Write,
    compact: bool,
    value: &dyn Whole,
) -> std::io::Result<()> {
    let mut io = super::sink::Io { out, error: None };
    let mut room = [0; 8 * super::ROOM];
    let mut out = Writer::to(&mut room, Some(&mut io), Mode::WRITES).compact(compact);
    let result = value.emit(&mut out).and_then(|()| out.flush());
    match (result, io.error) {
        (Ok(()), _) => Ok(()),
        (Err(_), Some(error)) => Err(error),
        (Err(fault), None) => Err(explain(fault, compact, value).into()),
    }
}
