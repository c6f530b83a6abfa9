//! Fat binaries as `binrw` declarations.
//!
//! There are no located fields to write, so that the writer is another declaration, with stored
//! offsets and the strings as they are.

use std::io::{Cursor, SeekFrom};

use binrw::helpers::until_eof;
use binrw::io::TakeSeekExt;
use binrw::{BinRead, BinWrite, binread, binrw};

use crate::fold;
use crate::race::Writer;

/// A container. `until_eof` stops at an entry that is cut off.
#[binread]
#[derive(Debug)]
#[br(little)]
struct Container {
    _magic: Magic,
    _version: u16,
    #[br(assert(header_len >= 16))]
    #[br(temp)]
    header_len: u16,
    #[br(temp)]
    size: u64,
    #[br(count = header_len - 16)]
    _header_tail: Vec<u8>,
    #[br(map_stream = |stream| stream.take_seek(size), parse_with = until_eof)]
    entries: Vec<Entry>,
}

#[derive(BinRead, Debug)]
#[br(little, repr = u32)]
#[repr(u32)]
#[allow(dead_code, reason = "read and checked, not looked at")]
enum Magic {
    Container = 0xBA55_ED50,
    Wrapper = 0x4662_43B1,
}

#[binread]
#[derive(Debug)]
#[br(stream = stream)]
struct Entry {
    #[br(temp, try_calc = stream.stream_position())]
    start: u64,
    kind: u16,
    _version: u16,
    #[br(assert(header_len >= 64))]
    #[br(temp)]
    header_len: u32,
    #[br(temp)]
    padded_len: u64,
    #[br(assert(u64::from(stored_len) <= padded_len))]
    #[br(temp)]
    stored_len: u32,
    #[br(temp)]
    options_offset: u32,
    _code_minor: u16,
    _code_major: u16,
    arch: u32,
    #[br(temp)]
    name_offset: u32,
    #[br(temp)]
    name_len: u32,
    flags: u64,
    _obfuscation_key: u64,
    _uncompressed_len: u64,
    #[br(
        if(name_offset != 0), args(u64::from(name_len)),
        seek_before = SeekFrom::Start(start + u64::from(name_offset)), restore_position
    )]
    name: Option<Text>,
    #[br(
        if(options_offset != 0), args(start),
        seek_before = SeekFrom::Start(start + u64::from(options_offset)), restore_position
    )]
    options: Option<Options>,
    #[br(count = header_len - 64)]
    _strings: Vec<u8>,
    #[br(count = if stored_len != 0 { u64::from(stored_len) } else { padded_len }, pad_size_to = padded_len)]
    payload: Vec<u8>,
}

#[binread]
#[derive(Debug)]
#[br(import(len: u64))]
struct Text {
    #[br(count = len)]
    bytes: Vec<u8>,
    #[br(temp, assert(nul == 0))]
    nul: u8,
}

#[binread]
#[derive(Debug)]
#[br(import(start: u64))]
struct Options {
    #[br(temp)]
    data_offset: u32,
    #[br(temp)]
    data_len: u32,
    #[br(
        if(data_offset != 0), args(u64::from(data_len)),
        seek_before = SeekFrom::Start(start + u64::from(data_offset)), restore_position
    )]
    data: Option<Text>,
}

/// Reads a fat binary of one container.
pub fn own(file: &[u8]) -> Option<u64> {
    let container = Container::read(&mut Cursor::new(file)).ok()?;
    let sum = container.entries.iter().fold(0, |sum, entry| {
        let name = entry.name.as_ref();
        let options = entry.options.as_ref().and_then(|options| options.data.as_ref());
        let record = fold::Entry {
            class: fold::Class::of(entry.kind),
            arch: entry.arch,
            flags: entry.flags,
            name: name.map_or(&[][..], |text| &text.bytes),
            options: options.map_or(&[][..], |text| &text.bytes),
            payload: &entry.payload,
        };
        fold::entry(sum, record)
    });
    Some(sum)
}

/// A container whose entries are written as they are stored.
#[binrw]
#[derive(Debug)]
#[brw(little)]
struct Stored {
    magic: u32,
    version: u16,
    header_len: u16,
    #[br(temp)]
    #[bw(calc = entries.iter().map(StoredEntry::len).sum())]
    size: u64,
    #[br(map_stream = |stream| stream.take_seek(size), parse_with = until_eof)]
    entries: Vec<StoredEntry>,
}

#[binrw]
#[derive(Debug)]
struct StoredEntry {
    kind: u16,
    version: u16,
    #[br(temp)]
    #[bw(try_calc = u32::try_from(64 + strings.len()))]
    header_len: u32,
    #[br(temp)]
    #[bw(calc = payload.len().next_multiple_of(8) as u64)]
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
    #[br(count = header_len - 64)]
    strings: Vec<u8>,
    #[br(count = if stored_len != 0 { u64::from(stored_len) } else { padded_len })]
    #[brw(pad_size_to = padded_len)]
    payload: Vec<u8>,
}

impl StoredEntry {
    fn len(&self) -> u64 {
        (64 + self.strings.len() + self.payload.len().next_multiple_of(8)) as u64
    }
}

/// Writes the container again.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let container = Stored::read(&mut Cursor::new(file)).ok()?;
    Some(Box::new(move || {
        let mut out = Cursor::new(Vec::new());
        container.write(&mut out).ok()?;
        Some(out.into_inner())
    }))
}
