//! Payloads that are not in memory, and values that are written anew.

use std::cell::RefCell;
use std::io::{self, Read};

use binfmt_runtime::{Auto, BinFormat, Blob};

use super::{refused, same};

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Store<'a> {
    count: Auto<u8>,
    #[bin(count = count)]
    entries: Vec<Range>,
    #[bin(for_each = entries, at = it.offset, len = it.size, align_before = 8)]
    blobs: Vec<Blob<'a>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Range {
    offset: u32,
    size: u32,
}

/// A reader that gives zeros for ever, one odd piece at a time.
struct Zeros(u64);

impl Read for Zeros {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = out.len().min(4097);
        out[..most].fill(0);
        self.0 += u64::try_from(most).unwrap();
        Ok(most)
    }
}

/// A sink that counts and keeps the first bytes.
#[derive(Default)]
struct Sink {
    head: Vec<u8>,
    len: u64,
}

impl io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = 64_usize.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend(&bytes[..room]);
        self.len += u64::try_from(bytes.len()).unwrap();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn payloads_of_readers_are_written_forward_without_memory() {
    let large = 1 << 29;
    let (zeros, text) = (RefCell::new(Zeros(0)), RefCell::new(&b"text"[..]));
    let blobs = vec![
        Blob::from_reader(&text, 4),
        Blob::from_reader(&zeros, large),
        Blob::from(&b"end"[..]),
    ];
    let store = Store { entries: vec![Range::default(); 3], blobs, ..Store::default() };
    let mut sink = Sink::default();
    let used = allocation_counter::measure(|| store.write_to(&mut sink).unwrap());
    assert!(used.bytes_max < 100_000, "{used:?}");
    assert_eq!(zeros.borrow().0, large);
    assert_eq!(sink.len, 40 + large + 3);
    let entries: Vec<u32> = sink.head[1..25]
        .chunks(4)
        .map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap()))
        .collect();
    assert_eq!(entries, [32, 4, 40, 1 << 29, 40 + (1 << 29), 3]);
    assert_eq!(&sink.head[25..40], b"\0\0\0\0\0\0\0text\0\0\0\0");
}

#[test]
fn a_reader_that_gives_less_than_it_promised_is_an_error() {
    let short = RefCell::new(&b"ab"[..]);
    let blobs = vec![Blob::from_reader(&short, 3)];
    let store = Store { entries: vec![Range::default()], blobs, ..Store::default() };
    let error = store.write_to(io::sink()).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    assert_eq!(store.to_vec().unwrap_err().finding().code, "space");
}

#[test]
fn payloads_of_the_input_are_borrowed() {
    let bytes = b"\x01\x10\0\0\0\x02\0\0\0\0\0\0\0\0\0\0ab";
    let store = Store::parse(bytes).unwrap();
    assert_eq!(store.blobs[0].bytes(), Some(&b"ab"[..]));
    same(&store, bytes);
    let unnamed = Store { blobs: Vec::new(), ..store };
    assert_eq!(refused(&unnamed), "blobs count");
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Rooms<'a> {
    names_len: u8,
    name_at: u8,
    room: u8,
    size: u8,
    at: u8,
    #[bin(section, len = names_len)]
    names: &'a [u8],
    #[bin(len = size, align_after = 4, pad_to = room)]
    text: &'a str,
    #[bin(at = name_at, place = names, len = 1)]
    name: &'a [u8],
    #[bin(at = at, base = text, len = 2)]
    tail: &'a [u8],
}

#[test]
fn compact_values_forget_offsets_rooms_and_sections() {
    let bytes = b"\x04\x07\x08\x02\x0cxxnxhi\0\0\0\0\0\0\0\0\0\0zz";
    let value = Rooms::parse(bytes).unwrap();
    same(&value, bytes);
    let compact = b"\x01\x05\x04\x02\x04nhi\0\0zz";
    assert_eq!(value.compact().to_vec().unwrap(), compact);
    assert_eq!(value.compact().encoded_len(()), Ok(12));
    let mut slice = [0xee; 12];
    assert_eq!(value.compact().write_into_with(&mut slice, ()), Ok(12));
    assert_eq!(&slice, compact);
    let mut stream = Vec::new();
    value.compact().write_to_with(&mut stream, ()).unwrap();
    assert_eq!(stream, compact);
    let mut room = Vec::new();
    let settled = Rooms { at: 99, ..value.clone() }.settle(&mut room).unwrap();
    assert_eq!((settled.at, settled.tail), (99, value.tail));
}
