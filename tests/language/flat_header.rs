//! A header inside a `FlatBuffers` buffer.

use binfmt_runtime::{Auto, BinFormat, FlatBuffer};

use super::flat::{Ship, full};
use super::{findings, stopped};
use crate::laws;

/// A buffer with a header behind its first eight bytes.
fn split(header: &[u8]) -> Vec<u8> {
    let whole = full();
    let mut bytes = whole[..8].to_vec();
    let rest = u32::try_from(whole.len() - 8).unwrap();
    bytes.extend(rest.to_le_bytes());
    bytes.push(u8::try_from(header.len()).unwrap());
    bytes.extend(header);
    bytes.resize(bytes.len().next_multiple_of(16), 0);
    let moved = u32::try_from(bytes.len() - 8).unwrap();
    let root = u32::from_le_bytes(whole[..4].try_into().unwrap()) + moved;
    bytes[..4].copy_from_slice(&root.to_le_bytes());
    bytes.extend(&whole[8..]);
    bytes.extend(b"tail");
    bytes
}

/// A container that writes a header of its own into the buffer: behind a padding
/// that makes the rest lie as it lay.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Padded<'a> {
    root: Auto<u32>,
    id: [u8; 4],
    buffer_len: Auto<u32>,
    header_len: Auto<u8>,
    #[bin(len = header_len, align_after = 16)]
    header: &'a [u8],
    #[bin(len = buffer_len, root = root)]
    ship: FlatBuffer<'a, Ship<'a>>,
    #[bin(until_end)]
    tail: &'a [u8],
}

#[test]
fn a_header_can_lie_inside_a_buffer() {
    let bytes: &'static [u8] = split(b"head").leak();
    let value = Padded::parse(bytes).unwrap();
    assert_eq!((value.ship.root().unwrap().name, value.tail), ("Anna", &b"tail"[..]));
    assert_eq!(findings::<Padded<'_>>(bytes), ["warning ship.crew Ship"]);
    laws::round_trip::<Padded<'_>>(bytes, ());
    // A longer header moves the root with the tables.
    let long = Padded { header: b"a header of more bytes", ..value };
    assert_eq!(long.to_vec().unwrap(), split(long.header));
}

#[test]
fn a_buffer_owns_its_own_bytes_alone() {
    let whole = split(b"head");
    let root = usize::from(whole[0]);
    let back = i32::from_le_bytes(whole[root..root + 4].try_into().unwrap());
    for vtable in [0, 8, 24] {
        let mut bytes = whole.clone();
        let back = i32::try_from(root).unwrap() - vtable;
        bytes[root..root + 4].copy_from_slice(&back.to_le_bytes());
        assert_eq!(stopped_in(bytes.leak()), "ship vtable", "{vtable}");
    }
    assert!(back < i32::try_from(root).unwrap() - 24, "the vtable lies behind the header");
    for outside in [4, 20, 31, whole.len() - 4] {
        let mut bytes = whole.clone();
        bytes[..4].copy_from_slice(&u32::try_from(outside).unwrap().to_le_bytes());
        assert_eq!(stopped::<Padded<'_>>(bytes.leak()), "ship root", "{outside}");
    }
}

/// Path and code of the first error in the tables of a buffer that can be read.
fn stopped_in(bytes: &'static [u8]) -> String {
    laws::hold::<Padded<'_>>(bytes, ());
    let report = Padded::validate(bytes);
    let first = report.errors().next().unwrap();
    assert!(Padded::parse(bytes).unwrap().ship.root().is_err());
    format!("{} {}", first.path, first.code)
}
