//! The laws on one value, which need not have been read from anywhere.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

use super::differ::difference;
use super::hold::{different, field_at, said};
use super::input::{Input as _, Read};
use super::updated::updated;
use crate::BinFormat;
use crate::finding::Error;
use crate::ops::wide;

/// A value that can be written, for laws that are the same for all types.
trait Output {
    fn vec(&self) -> Result<Vec<u8>, Error>;
    fn len(&self) -> Result<u64, Error>;
    fn slice(&self, slice: &mut [u8]) -> Result<usize, Error>;
    fn stream(&self, out: &mut dyn std::io::Write) -> std::io::Result<()>;
}

impl<'a, T: BinFormat<'a>> Output for (&T, T::Args) {
    fn vec(&self) -> Result<Vec<u8>, Error> {
        self.0.to_vec_with(self.1)
    }

    fn len(&self) -> Result<u64, Error> {
        self.0.encoded_len_with(self.1)
    }

    fn slice(&self, slice: &mut [u8]) -> Result<usize, Error> {
        self.0.write_into_with(slice, self.1)
    }

    fn stream(&self, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        self.0.write_to_with(out, self.1)
    }
}

/// The law *one output*: `to_vec`, `encoded_len`, `write_into` and `write_to` give the same bytes, or
/// those that write refuse the value with one code. `Ok` is what they give.
pub fn outputs<'a, T: BinFormat<'a>>(
    value: &T,
    args: T::Args,
) -> Result<Result<Vec<u8>, Error>, String> {
    let value = (value, args);
    match value.vec() {
        Ok(written) => accepted(&value, &written).map(|()| Ok(written)),
        Err(error) => refused(&value, &error).map(|()| Err(error)),
    }
}

/// The bytes of a value that can be written, the same for every kind of output.
pub fn written_as_read<'a, T: BinFormat<'a>>(value: &T, args: T::Args) -> Result<Vec<u8>, String> {
    outputs(value, args)?.map_err(|error| format!("cannot be written: {error}"))
}

fn accepted(value: &dyn Output, written: &[u8]) -> Result<(), String> {
    match value.len() {
        Ok(len) if len == wide(written.len()) => {}
        other => {
            return Err(format!(
                "`to_vec` gives {} bytes, and `encoded_len` {other:?}",
                written.len()
            ));
        }
    }
    let mut slice = alloc::vec![0xaa; written.len()];
    match value.slice(&mut slice) {
        Ok(len) if len == written.len() && slice == written => {}
        Ok(_) => return Err(unlike("write_into", written, &slice)),
        Err(error) => return Err(format!("`to_vec` writes what `write_into` refuses: {error}")),
    }
    let mut stream = Vec::new();
    match value.stream(&mut stream) {
        Ok(()) if stream == written => {}
        Ok(()) => return Err(unlike("write_to", written, &stream)),
        Err(error) => return Err(format!("`to_vec` writes what `write_to` refuses: {error}")),
    }
    if let Some((_, short)) = slice.split_last_mut()
        && value.slice(short).is_ok()
    {
        return Err("a value is written into a slice that is too short".into());
    }
    Ok(())
}

fn unlike(what: &str, written: &[u8], other: &[u8]) -> String {
    let first = different(written, other).unwrap_or_default();
    format!(
        "`to_vec` and `{what}` give {} and {} bytes that differ from {first:#x} on",
        written.len(),
        other.len()
    )
}

fn refused(value: &dyn Output, error: &Error) -> Result<(), String> {
    let code = error.finding().code;
    let wrong = |what: &str, other: &dyn core::fmt::Display| {
        Err(format!("`to_vec` refuses the value ({error}), and `{what}` says {other}"))
    };
    match value.len() {
        Err(other) if other.finding().code == code => {}
        Err(other) => return wrong("encoded_len", &other),
        Ok(len) => return wrong("encoded_len", &len),
    }
    // More than enough for a value that is small, and no more than a law may take.
    let mut slice = alloc::vec![0; 1 << 16];
    match value.slice(&mut slice) {
        Err(other) if other.finding().code == code || other.finding().code == "space" => {}
        Err(other) => return wrong("write_into", &other),
        Ok(len) => return wrong("write_into", &len),
    }
    match value.stream(&mut std::io::sink()) {
        Err(other) => match other.downcast::<Error>() {
            Ok(other) if other.finding().code == code => Ok(()),
            Ok(other) => wrong("write_to", &other),
            Err(other) => wrong("write_to", &other),
        },
        Ok(()) => wrong("write_to", &"nothing"),
    }
}

/// The law *written is read*: what `to_vec` gives is read as the same value, but for the fields that
/// the writer computes; a validator finds no error in it, and it is written as the same bytes again.
/// And the law *one output*. `Ok` is what is written, or why the value is refused.
///
/// What is written is leaked, so that borrowed values can be compared: this is for tests.
pub fn written_is_read<'a, T>(value: &T, args: T::Args) -> Result<Result<&'a [u8], Error>, String>
where
    T: BinFormat<'a> + Debug + PartialEq,
{
    let bytes: &'a [u8] = match outputs(value, args)? {
        Ok(bytes) => bytes.leak(),
        Err(error) => return Ok(Err(error)),
    };
    let report = T::validate_with(bytes, args);
    let read = T::parse_with(bytes, args).map_err(|error| {
        described(&format!("what is written cannot be read: {error}"), value, bytes)
    })?;
    if !report.is_ok() {
        let law = format!("what is written is not valid; {}", said(&report));
        return Err(described(&law, value, bytes));
    }
    if read != *value
        && let Some(difference) = difference(T::WIRE, (value, &read), false)
    {
        return Err(described(&difference, value, bytes));
    }
    match read.to_vec_with(args) {
        Ok(again) => match different(bytes, &again) {
            None => match updated(value, bytes, args) {
                Ok(()) => Ok(Ok(bytes)),
                Err(law) => Err(described(&law, value, bytes)),
            },
            Some(first) if is_too_wide(&report, first) => {
                settles(value, again.leak(), args).map(|()| Ok(bytes))
            }
            Some(first) if (Read::<T> { bytes, args }).is_shorter(&again, wide(first)) => {
                Ok(Ok(bytes))
            }
            Some(first) => Err(written_otherwise::<T>(value, bytes, &again, first, args)),
        },
        Err(error) => {
            Err(described(&format!("what was read cannot be written: {error}"), value, bytes))
        }
    }
}

/// Whether a number takes more bytes there than it needs, as one does that would need them if it had fewer:
/// what it measures lies elsewhere then, with other padding.
fn is_too_wide(report: &crate::Report, first: usize) -> bool {
    let at = wide(first);
    let mut findings = report.findings().iter();
    findings
        .any(|finding| finding.code == "canonical" && (finding.start..finding.end).contains(&at))
}

/// What was written shorter the second time is written so the third time.
fn settles<'a, T>(value: &T, bytes: &'a [u8], args: T::Args) -> Result<(), String>
where
    T: BinFormat<'a> + Debug,
{
    let again = T::parse_with(bytes, args).and_then(|read| read.to_vec_with(args));
    match again {
        Ok(again) => match different(bytes, &again) {
            None => Ok(()),
            Some(first) => Err(written_otherwise::<T>(value, bytes, &again, first, args)),
        },
        Err(error) => {
            Err(described(&format!("what was written again is refused: {error}"), value, bytes))
        }
    }
}

fn written_otherwise<'a, T>(
    value: &T,
    bytes: &'a [u8],
    again: &[u8],
    first: usize,
    args: T::Args,
) -> String
where
    T: BinFormat<'a> + Debug,
{
    let field = field_at(&T::inspect_with(bytes, args), wide(first));
    let law = format!(
        "{} bytes are read and written as {} that differ from {first:#x} on, in {field}",
        bytes.len(),
        again.len(),
    );
    described(&law, value, bytes)
}

/// The law *derived means derived*: two values that differ only in fields that the writer computes,
/// none of which is a floor, are written as the same bytes or both refused. Where a value has several
/// mistakes, those numbers may decide which of them is named.
pub fn same_output<'a, T>(one: &T, other: &T, args: T::Args) -> Result<(), String>
where
    T: BinFormat<'a> + Debug,
{
    let (a, b) = (one.to_vec_with(args), other.to_vec_with(args));
    match (a, b) {
        (Ok(a), Ok(b)) => match different(&a, &b) {
            None => Ok(()),
            Some(first) => {
                let law = format!(
                    "other numbers in fields that the writer computes change the output at {first:#x}: {b:02x?}"
                );
                Err(described(&law, one, &a))
            }
        },
        (Err(_), Err(_)) => Ok(()),
        (a, b) => Err(format!(
            "other numbers in fields that the writer computes decide whether it writes: {}, {}\n{one:?}\n{other:?}",
            outcome(a),
            outcome(b)
        )),
    }
}

/// The law *settled is the same*: what `settle` gives differs from the value in fields alone that the
/// writer computes, or that keep arguments, and is written as those numbers say. `Ok` is it, or why there is none.
///
/// What is written is leaked, as with [`written_is_read`].
pub fn settled<'a, T>(value: &T, args: T::Args) -> Result<Result<T, Error>, String>
where
    T: BinFormat<'a> + Debug + PartialEq,
{
    let room = alloc::boxed::Box::leak(alloc::boxed::Box::default());
    let settled = match value.settle_with(room, args) {
        Ok(settled) => settled,
        Err(error) => return Ok(Err(error)),
    };
    let bytes = match written_is_read(&settled, args)? {
        Ok(bytes) => bytes,
        Err(error) => {
            return Err(described(&format!("what is settled is refused: {error}"), &settled, &[]));
        }
    };
    match difference(T::WIRE, (value, &settled), true) {
        Some(difference) if settled != *value => {
            Err(described(&format!("settled as something else: {difference}"), value, bytes))
        }
        _ => Ok(Ok(settled)),
    }
}

fn outcome(result: Result<Vec<u8>, Error>) -> String {
    match result {
        Ok(bytes) => format!("{} bytes", bytes.len()),
        Err(error) => format!("{error}"),
    }
}

/// A broken law, with the value and what is written of it.
fn described(law: &str, value: &dyn Debug, bytes: &[u8]) -> String {
    let head = bytes.get(..256).unwrap_or(bytes);
    format!("{law}\nof {value:?}\nwritten as {} bytes: {head:02x?}", bytes.len())
}
