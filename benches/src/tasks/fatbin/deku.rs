//! Fat binaries as `deku` declarations.
//!
//! As with `binrw`, the writer is another declaration, with stored offsets and the strings as they
//! are.
#![allow(dead_code, reason = "some fields are read only to find others")]

use std::io::{Cursor, Read, Seek};

use deku::prelude::*;

use crate::fold;
use crate::race::Writer;

#[derive(DekuRead, Debug)]
#[deku(endian = "little")]
struct Container {
    _magic: Magic,
    _version: u16,
    #[deku(assert = "*header_len >= 16")]
    header_len: u16,
    size: u64,
    #[deku(count = "header_len - 16")]
    _header_tail: Vec<u8>,
    #[deku(reader = "position(deku::reader)")]
    start: u64,
    #[deku(until = "|entry: &Entry| entry.end >= *start + *size")]
    entries: Vec<Entry>,
}

#[derive(DekuRead, Debug)]
#[deku(id_type = "u32", endian = "endian", ctx = "endian: deku::ctx::Endian")]
enum Magic {
    #[deku(id = "0xBA55_ED50")]
    Container,
    #[deku(id = "0x4662_43B1")]
    Wrapper,
}

#[derive(DekuRead, Debug)]
#[deku(endian = "endian", ctx = "endian: deku::ctx::Endian")]
struct Entry {
    #[deku(reader = "position(deku::reader)")]
    start: u64,
    kind: u16,
    _version: u16,
    #[deku(assert = "*header_len >= 64")]
    header_len: u32,
    padded_len: u64,
    #[deku(assert = "u64::from(*stored_len) <= *padded_len")]
    stored_len: u32,
    options_offset: u32,
    _code_minor: u16,
    _code_major: u16,
    arch: u32,
    name_offset: u32,
    name_len: u32,
    flags: u64,
    _obfuscation_key: u64,
    _uncompressed_len: u64,
    #[deku(count = "header_len - 64")]
    _strings: Vec<u8>,
    #[deku(
        count = "if *stored_len != 0 { u64::from(*stored_len) } else { *padded_len }",
        pad_bytes_after = "usize::try_from(*padded_len).unwrap_or(usize::MAX) - payload.len()"
    )]
    payload: Vec<u8>,
    #[deku(reader = "position(deku::reader)")]
    end: u64,
    #[deku(
        cond = "*name_offset != 0",
        seek_from_start = "*start + u64::from(*name_offset)",
        ctx = "u64::from(*name_len)"
    )]
    name: Option<Text>,
    #[deku(
        cond = "*options_offset != 0",
        seek_from_start = "*start + u64::from(*options_offset)",
        ctx = "*start"
    )]
    options: Option<Options>,
    #[deku(seek_from_start = "*end")]
    _back: (),
}

#[derive(DekuRead, Debug)]
#[deku(ctx = "endian: deku::ctx::Endian, len: u64")]
struct Text {
    #[deku(count = "len")]
    bytes: Vec<u8>,
    #[deku(assert_eq = "0")]
    _nul: u8,
}

#[derive(DekuRead, Debug)]
#[deku(endian = "endian", ctx = "endian: deku::ctx::Endian, start: u64")]
struct Options {
    data_offset: u32,
    data_len: u32,
    #[deku(
        cond = "*data_offset != 0",
        seek_from_start = "start + u64::from(*data_offset)",
        ctx = "u64::from(*data_len)"
    )]
    data: Option<Text>,
}

/// Where the reader is.
fn position<R: Read + Seek>(reader: &mut Reader<R>) -> Result<u64, DekuError> {
    reader.stream_position().map_err(|error| DekuError::Io(error.kind()))
}

/// Reads a fat binary of one container.
pub fn own(file: &[u8]) -> Option<u64> {
    let (_, container) = Container::from_reader((&mut Cursor::new(file), 0)).ok()?;
    let sum = container.entries.iter().fold(0, |sum, entry| {
        let options = entry.options.as_ref().and_then(|options| options.data.as_ref());
        let record = fold::Entry {
            class: fold::Class::of(entry.kind),
            arch: entry.arch,
            flags: entry.flags,
            name: entry.name.as_ref().map_or(&[][..], |text| &text.bytes),
            options: options.map_or(&[][..], |text| &text.bytes),
            payload: &entry.payload,
        };
        fold::entry(sum, record)
    });
    Some(sum)
}

/// A container whose entries are written as they are stored.
#[derive(DekuRead, DekuWrite, Debug)]
#[deku(endian = "little")]
struct Stored {
    magic: u32,
    version: u16,
    header_len: u16,
    size: u64,
    #[deku(bytes_read = "*size")]
    entries: Vec<StoredEntry>,
}

#[derive(DekuRead, DekuWrite, Debug)]
#[deku(endian = "endian", ctx = "endian: deku::ctx::Endian")]
struct StoredEntry {
    kind: u16,
    version: u16,
    header_len: u32,
    padded_len: u64,
    stored_len: u32,
    options_offset: u32,
    code_minor: u16,
    code_major: u16,
    arch: u32,
    name_offset: u32,
    name_len: u32,
    flags: u64,
    obfuscation_key: u64,
    uncompressed_len: u64,
    #[deku(count = "header_len - 64")]
    strings: Vec<u8>,
    #[deku(
        count = "if *stored_len != 0 { u64::from(*stored_len) } else { *padded_len }",
        pad_bytes_after = "usize::try_from(*padded_len).unwrap_or(usize::MAX) - payload.len()"
    )]
    payload: Vec<u8>,
}

/// Writes the container again, with the sizes that were read.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let (_, container) = Stored::from_reader((&mut Cursor::new(file), 0)).ok()?;
    Some(Box::new(move || container.to_bytes().ok()))
}
