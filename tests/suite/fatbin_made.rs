//! Fat binaries that the corpus lacks, made here: other codecs, members, and host files.

use std::io::Write as _;

use binfmt_formats::fatbin::codec::Codec;
use binfmt_formats::fatbin::file::{self, containers};
use binfmt_formats::fatbin::payload::{self, PayloadError};
use binfmt_formats::fatbin::{Container, Entry, Item, Kind, Options, Region};
use binfmt_runtime::{BinFormat, Seq};

use crate::laws;

const PTX: &[u8] =
    b"\n.version 8.7\n.target sm_90\n.address_size 64\n\n.visible .entry k()\n{\nret;\n}\n\0";

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn lz4_frame(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// One container as bytes.
fn container<'a>(entries: &'a [Entry<'a>]) -> Vec<u8> {
    Container::new(entries).to_vec().unwrap()
}

fn single(bytes: &[u8]) -> Entry<'_> {
    let part = file::parts(bytes).unwrap().remove(0);
    let placed = containers(bytes, &part).next().unwrap().unwrap();
    placed.entries().next().unwrap().unwrap().1
}

#[test]
fn every_codec_is_written_read_and_decoded() {
    let size = u64::try_from(PTX.len()).unwrap();
    let cases = [
        (Codec::Zlib, zlib(PTX)),
        (Codec::Lz4, lz4_flex::block::compress(PTX)),
        (Codec::Lz4Frame, lz4_frame(PTX)),
        (Codec::Zstd, zstd::encode_all(PTX, 3).unwrap()),
    ];
    for (codec, stored) in cases {
        let bytes = container(&[Entry::compressed(Kind::Ptx, 90, codec, &stored, size)]);
        laws::hold::<Region<'_>>(&bytes, ());
        laws::assert_no_error("made", &crate::fatbin::validate(&bytes));
        let entry = single(&bytes);
        assert_eq!(u64::from(entry.stored_len), u64::try_from(stored.len()).unwrap());
        assert_eq!(entry.padded_len % 8, 0);
        let decoded = payload::decode(&entry, 1 << 20).unwrap();
        assert_eq!(&*decoded, PTX, "{codec:?}");
        assert_eq!(payload::content(Kind::Ptx, &decoded).unwrap(), &PTX[..PTX.len() - 1]);
        assert!(matches!(payload::decode(&entry, size - 1), Err(PayloadError::Decode(_))));
    }
}

#[test]
fn a_plain_payload_of_whole_words_stores_no_length() {
    let words = [PTX, &[0; 4]].concat();
    assert_eq!(words.len() % 8, 0);
    for (payload, stored) in [(&words[..], 0), (PTX, u32::try_from(PTX.len()).unwrap())] {
        let bytes = container(&[Entry::plain(Kind::Ptx, 75, payload)]);
        let entry = single(&bytes);
        assert_eq!((entry.stored_len, entry.uncompressed_len), (stored, 0));
        assert_eq!(entry.padded_len, 80);
        assert_eq!(entry.payload, payload);
        assert_eq!(payload::content(Kind::Ptx, entry.payload).unwrap(), &PTX[..PTX.len() - 1]);
    }
}

#[test]
fn names_and_options_are_placed_as_the_tools_do() {
    let entry = Entry {
        name: Some(b"k.cu"),
        options: Some(Options::new(b"-O3")),
        ..Entry::plain(Kind::Ptx, 75, PTX)
    };
    let bytes = container(&[entry]);
    let entry = single(&bytes);
    assert_eq!((entry.name_offset, entry.options_offset, entry.header_len), (64, 72, 88));
    assert_eq!(entry.options.as_ref().unwrap().data_offset, 80);
    assert_eq!(entry.options.unwrap().data, Some(&b"-O3"[..]));
}

#[test]
fn a_longer_name_moves_the_options_and_a_shorter_one_leaves_them() {
    let entry = Entry {
        name: Some(b"k.cu"),
        options: Some(Options::new(b"-O3")),
        ..Entry::plain(Kind::Ptx, 75, PTX)
    };
    let bytes = container(&[entry]);
    let changed = |name: &'static [u8]| {
        let entry = Entry { name: Some(name), ..single(&bytes) };
        let bytes = container(&[entry]).leak();
        let entry = single(bytes);
        assert_eq!(entry.name, Some(name));
        assert_eq!(entry.options.unwrap().data, Some(&b"-O3"[..]));
        (entry.options_offset, entry.header_len)
    };
    assert_eq!(changed(b"a"), (72, 88));
    assert_eq!(changed(b"a_much_longer_name.cu"), (88, 104));
}

#[test]
fn several_containers_and_the_gap_between_them_are_kept() {
    let one = container(&[Entry::plain(Kind::Ptx, 75, PTX)]);
    let bytes = [&one[..], &[0; 16], &one[..], &[0; 8]].concat();
    let region = Region::parse(&bytes).unwrap();
    let gaps = region.items.iter().filter(|item| matches!(item, Ok(Item::Gap))).count();
    assert_eq!((gaps, region.items.walk_count()), (2, 4));
    assert_eq!(region.to_vec().unwrap(), bytes);
    laws::assert_no_error("gap", &crate::fatbin::validate(&bytes));
}

#[test]
fn an_empty_container_is_legal() {
    let bytes = container(&[]);
    assert_eq!(bytes.len(), 16);
    laws::assert_no_error("empty container", &crate::fatbin::validate(&bytes));
}

#[test]
fn the_wrapper_magic_of_the_document_is_a_warning() {
    let mut bytes = container(&[Entry::plain(Kind::Ptx, 75, PTX)]);
    bytes[..4].copy_from_slice(&0x4662_43B1_u32.to_le_bytes());
    let report = crate::fatbin::validate(&bytes);
    assert!(report.is_ok());
    assert!(
        report.findings().iter().any(|finding| finding.code == "fatbin.container.magic.wrapper"),
        "{report}"
    );
    assert_eq!(Region::parse(&bytes).unwrap().to_vec().unwrap(), bytes);
}

#[test]
fn a_container_can_be_rebuilt_from_what_was_read() {
    let bytes = crate::corpus::file("fatbin", "n13_multi.fatbin");
    let part = file::parts(&bytes).unwrap().remove(0);
    let placed = containers(&bytes, &part).next().unwrap().unwrap();
    let mut kept: Vec<Entry<'_>> = placed.entries().map(|entry| entry.unwrap().1).collect();
    kept.retain(|entry| entry.arch == 90);
    let container = Container { entries: Seq::from(&kept[..]), ..placed.container };
    let smaller = container.to_vec().unwrap();
    assert!(smaller.len() < bytes.len());
    laws::assert_no_error("pruned", &crate::fatbin::validate(&smaller));
    let part = file::parts(&smaller).unwrap().remove(0);
    let placed = containers(&smaller, &part).next().unwrap().unwrap();
    assert!(placed.entries().all(|entry| entry.unwrap().1.arch == 90));
}

/// A minimal shared library (ELF64, little endian) with one section of device code.
fn shared_library(section: &str, code: &[u8]) -> Vec<u8> {
    let names = format!("\0{section}\0.shstrtab\0");
    let code_at = 64_usize;
    let names_at = code_at + code.len().next_multiple_of(8);
    let table_at = (names_at + names.len()).next_multiple_of(8);
    let mut elf = b"\x7fELF\x02\x01\x01".to_vec();
    elf.resize(16, 0);
    let word = |elf: &mut Vec<u8>, size: usize, value: usize| {
        elf.extend_from_slice(&value.to_le_bytes()[..size]);
    };
    for (size, value) in [
        (2, 3),
        (2, 62),
        (4, 1),
        (8, 0),
        (8, 0),
        (8, table_at),
        (4, 0),
        (2, 64),
        (2, 0),
        (2, 0),
        (2, 64),
        (2, 3),
        (2, 2),
    ] {
        word(&mut elf, size, value);
    }
    elf.extend_from_slice(code);
    elf.resize(names_at, 0);
    elf.extend_from_slice(names.as_bytes());
    elf.resize(table_at + 64, 0);
    for (name, kind, at, len) in
        [(1, 1, code_at, code.len()), (section.len() + 2, 3, names_at, names.len())]
    {
        for (size, value) in [
            (4, name),
            (4, kind),
            (8, 0),
            (8, 0),
            (8, at),
            (8, len),
            (4, 0),
            (4, 0),
            (8, 8),
            (8, 0),
        ] {
            word(&mut elf, size, value);
        }
    }
    elf
}

#[test]
fn two_containers_in_a_section_of_a_shared_library_are_found_and_rewritten_in_place() {
    let one = container(&[Entry::plain(Kind::Ptx, 75, PTX)]);
    let two = container(&[Entry::plain(Kind::Ptx, 90, PTX), Entry::plain(Kind::Ptx, 100, PTX)]);
    for section in [".nv_fatbin", "__nv_relfatbin"] {
        let library = shared_library(section, &[&one[..], &two, &[0; 64]].concat());
        let parts = file::parts(&library).unwrap();
        assert_eq!(parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), [section]);
        let placed: Vec<_> = containers(&library, &parts[0]).map(Result::unwrap).collect();
        assert_eq!(
            placed.iter().map(|placed| placed.offset).collect::<Vec<_>>(),
            [64, 64 + one.len() as u64]
        );
        laws::assert_no_error(section, &crate::fatbin::validate(&library));
        assert_eq!(file::rewrite(&library).unwrap(), library);
    }
}

#[test]
fn a_damaged_container_in_a_library_is_reported_at_its_place_in_the_file() {
    let mut library = shared_library(".nv_fatbin", &container(&[Entry::plain(Kind::Ptx, 75, PTX)]));
    library[64 + 16 + 4] = 8;
    let report = crate::fatbin::validate(&library);
    let error = report.errors().next().unwrap();
    assert_eq!((error.code, error.start, error.end), ("fatbin.entry.header-len.min", 84, 88));
    assert_eq!(error.path.as_str(), "items[0].entries[0].header_len");
}
