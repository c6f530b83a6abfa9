//! The declarations of `binfmt-formats`, and some that own what they hold.

use binfmt_formats::fatbin::{Container, Entry, Item, Kind, Region};
use binfmt_runtime::BinFormat;

use crate::fold;
use crate::race::Writer;

/// The class of a kind, as a user asks for it.
fn class(kind: Kind) -> fold::Class {
    match kind {
        Kind::Ptx => fold::Class::Ptx,
        Kind::Elf => fold::Class::Elf,
        _ => fold::Class::Other,
    }
}

/// Reads the containers without copying them.
pub fn read(file: &[u8]) -> Option<u64> {
    let region = Region::parse(file).ok()?;
    let mut sum = 0;
    for item in &region.items {
        let Item::Container(container) = item.ok()? else { continue };
        for entry in &container.entries {
            let entry = entry.ok()?;
            let record = fold::Entry {
                class: class(entry.kind),
                arch: entry.arch,
                flags: entry.flags.bits(),
                name: entry.name_bytes(),
                options: entry.options.and_then(|options| options.data).unwrap_or_default(),
                payload: entry.payload,
            };
            sum = fold::entry(sum, record);
        }
    }
    Some(sum)
}

/// Whether the containers can be read.
pub fn is_valid(file: &[u8]) -> Option<u64> {
    Region::is_valid(file).then_some(1)
}

/// Whether the containers have no findings.
pub fn validate(file: &[u8]) -> Option<u64> {
    Region::validate(file).findings().is_empty().then_some(1)
}

/// Writes one container again.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let container = Container::parse(file).ok()?;
    let entries: Vec<Entry<'_>> = container.entries.iter().collect::<Result<_, _>>().ok()?;
    // A container is written with one lifetime for its entries and for what they borrow, which a
    // closure that owns the entries could not give.
    let entries: &[Entry<'_>] = entries.leak();
    Some(Box::new(move || Container::new(entries).to_vec().ok()))
}

/// A container whose entries own what they hold.
#[derive(BinFormat, Debug)]
#[bin(little, len = header_len + size)]
struct OwnedContainer {
    magic: u32,
    version: u16,
    header_len: u16,
    size: u64,
    #[bin(len = header_len - 16)]
    header_tail: Vec<u8>,
    #[bin(until = remaining < 1)]
    entries: Vec<OwnedEntry>,
}

#[derive(BinFormat, Debug)]
#[bin(little, origin)]
struct OwnedEntry {
    kind: u16,
    version: u16,
    header_len: u32,
    padded_len: u64,
    #[bin(calc = if stored_len == 0 { 0 } else { len(payload) })]
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
    #[bin(section, len = header_len - 64)]
    strings: Vec<u8>,
    #[bin(
        len = if stored_len != 0 { stored_len } else { padded_len },
        align_after = 8,
        pad_to = padded_len
    )]
    payload: Vec<u8>,
    #[bin(at = name_offset, null = 0, place = strings, len = name_len, nul, align_after = 8)]
    name: Option<Vec<u8>>,
    #[bin(at = options_offset, null = 0, place = strings)]
    options: Option<OwnedOptions>,
}

#[derive(BinFormat, Debug)]
#[bin(little)]
struct OwnedOptions {
    #[bin(calc = if data_offset == 0 { 0 } else { start(data) })]
    data_offset: u32,
    data_len: u32,
    #[bin(if = data_offset != 0, len = data_len)]
    data: Option<Vec<u8>>,
    #[bin(if = data_offset != 0, len = align_up(data_len + 1, 8) - data_len)]
    slot_rest: Option<Vec<u8>>,
}

/// Reads one container into values of its own.
pub fn own(file: &[u8]) -> Option<u64> {
    let container = OwnedContainer::parse(file).ok()?;
    Some(container.entries.iter().fold(0, |sum, entry| {
        let record = fold::Entry {
            class: fold::Class::of(entry.kind),
            arch: entry.arch,
            flags: entry.flags,
            name: entry.name.as_deref().unwrap_or_default(),
            options: entry
                .options
                .as_ref()
                .and_then(|options| options.data.as_deref())
                .unwrap_or_default(),
            payload: &entry.payload,
        };
        fold::entry(sum, record)
    }))
}

/// Reads one container into values of its own, and folds what the crate `fatbinary` tells.
pub fn own_coarse(file: &[u8]) -> Option<u64> {
    let container = OwnedContainer::parse(file).ok()?;
    container.entries.iter().try_fold(0, |sum, entry| {
        let name = entry.name.as_deref().unwrap_or_default();
        let options = entry.options.as_ref().and_then(|options| options.data.as_deref());
        let texts = [name, options.unwrap_or_default()];
        let is_lz4 = entry.flags & 0x2000 != 0;
        let len = if is_lz4 { entry.stored_len.into() } else { entry.padded_len };
        let len = usize::try_from(len).ok()?;
        Some(fold::coarse(sum, entry.kind == 2, entry.arch, texts, len))
    })
}
