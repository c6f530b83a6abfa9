//! The same formats as `deku` declarations.
#![allow(dead_code, reason = "some fields are read only to find others")]

use std::io::{Cursor, Read, Seek};

use deku::prelude::*;

use crate::fold;

/// A VPT. The region that `size` spans is not enforced, only that the programs fill it.
#[derive(DekuRead, Debug)]
#[deku(endian = "little", magic = b"\xD9\x3E\x5C\x67")]
struct Table {
    _major: u32,
    _minor: u32,
    _vendor_id: u32,
    size: u32,
    program_count: u32,
    #[deku(count = "program_count")]
    programs: Vec<Program>,
    #[deku(reader = "position(deku::reader)", assert = "*end == u64::from(*size)")]
    end: u64,
}

#[derive(DekuRead, Debug)]
#[deku(endian = "endian", ctx = "endian: deku::ctx::Endian")]
struct Program {
    name_len: u32,
    payload_len: u32,
    #[deku(count = "payload_len")]
    payload: Vec<u8>,
    #[deku(
        count = "name_len",
        pad_bytes_after = "(name_len.wrapping_add(*payload_len).wrapping_neg() % 8) as usize"
    )]
    name: Vec<u8>,
}

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

/// Reads a VPT.
pub fn vpt(file: &[u8]) -> Option<u64> {
    let (_, table) = Table::from_reader((&mut Cursor::new(file), 0)).ok()?;
    Some(
        table
            .programs
            .iter()
            .fold(0, |sum, program| fold::program(sum, &program.name, &program.payload)),
    )
}

/// Reads a fat binary of one container.
pub fn fatbin(file: &[u8]) -> Option<u64> {
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
