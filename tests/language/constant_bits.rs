//! Bits that are always the same, and are no part of the value; magics below 0.

use binfmt_runtime::{BinFormat, NodeValue};

use super::{findings, laws, refused, same, stopped};

/// The header of an MPEG audio frame (ISO/IEC 11172-3, 2.4.1.3), without the layers other than the third.
#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big, bits = u32, msb)]
struct FrameHeader {
    #[bin(bits = 11, magic = 0x7ff)]
    sync: (),
    #[bin(bits = 2)]
    version: u8,
    #[bin(bits = 2, magic = 0b01)]
    layer: (),
    #[bin(bits = 1)]
    is_unprotected: bool,
    #[bin(bits = 4, range = 1..=14)]
    bit_rate: u8,
    #[bin(bits = 12)]
    rest: u16,
}

#[test]
fn bits_that_are_always_the_same_are_written_and_compared() {
    let bytes = b"\xff\xfb\x90\x64";
    let header = FrameHeader::parse(bytes).unwrap();
    assert_eq!((header.version, header.bit_rate, header.rest), (3, 9, 0x64));
    same(&header, bytes);
    laws::round_trip::<FrameHeader>(bytes, ());
    for (bytes, path) in [(b"\xff\xdb\x90\x64", "sync"), (b"\xff\xfd\x90\x64", "layer")] {
        assert_eq!(stopped::<FrameHeader>(bytes), format!("{path} magic"));
        assert!(!FrameHeader::is_valid(bytes));
        assert_eq!(findings::<FrameHeader>(bytes), [format!("error {path} magic")]);
    }
    let error = FrameHeader::parse(b"\xff\xdb\x90\x64").unwrap_err().to_string();
    assert!(error.contains("expected 2047, found 2046"), "{error}");
    assert_eq!(
        refused(&FrameHeader { bit_rate: 0, ..header }),
        "bit_rate FrameHeader.bit_rate.range"
    );
}

#[test]
fn the_number_is_inspected_and_the_layout_says_it() {
    let bytes = b"\xff\xfb\x90\x64";
    let tree = FrameHeader::inspect(bytes);
    let shown = tree.root.children.iter().map(|node| (node.name.as_str(), node.value.clone()));
    let expected = [("sync", 0x7ff), ("version", 3), ("layer", 1)];
    let expected = expected.map(|(name, number)| (name, Some(NodeValue::Uint(number))));
    assert_eq!(shown.take(3).collect::<Vec<_>>(), expected);
    let layout = FrameHeader::LAYOUT;
    let sync = &layout.fields[0];
    assert_eq!((sync.name, sync.bits), ("sync", Some(11)));
    assert!(sync.words.contains("magic = 0x7ff"), "{}", sync.words);
}

/// The same in bytes: a number of more than 64 bits.
#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little, bits = [u8; 10], lsb)]
struct Wide {
    #[bin(bits = 4, magic = 0xa)]
    mark: (),
    #[bin(bits = 60)]
    number: u64,
    #[bin(bits = 12, magic = 0xabc)]
    end: (),
    #[bin(bits = 4)]
    last: u8,
}

#[test]
fn bytes_of_more_than_64_bits_have_constants_too() {
    let wide = Wide { number: 0x123, last: 5, ..Wide::default() };
    let bytes = b"\x3a\x12\0\0\0\0\0\0\xbc\x5a";
    assert_eq!(wide.to_vec().unwrap(), bytes);
    same(&wide, bytes);
    assert_eq!(stopped::<Wide>(b"\x3a\x12\0\0\0\0\0\0\xbd\x5a"), "end magic");
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, magic = -2i16)]
struct Below {
    #[bin(magic = -128i8)]
    number: u8,
    kind: BelowKind,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
enum BelowKind {
    #[bin(magic = -1i8)]
    Last,
    #[bin(magic = 1i8)]
    Next(u8),
}

#[test]
fn magics_go_below_zero() {
    same(&Below { number: 7, kind: BelowKind::Last }, b"\xff\xfe\x80\x07\xff");
    same(&Below { number: 7, kind: BelowKind::Next(1) }, b"\xff\xfe\x80\x07\x01\x01");
    assert_eq!(stopped::<Below>(b"\xff\xff\x80\x07\xff"), "magic magic");
}
