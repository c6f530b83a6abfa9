//! Bit fields that the writer sets: `set` of lengths, counts and flags in the header of a value.

use binfmt_runtime::{BinFormat, Crc32, Severity, U24};

use super::{findings, place, refused, same};

/// A header in an integer, or in bytes, and what it tells of; `$kind` and `$len` are types and widths.
macro_rules! frames {
    ($($name:ident $frame:ident: $order:ident $storage:tt, $first:ident, $kind:ty = $k:literal, $len:ty = $l:literal;)*) => { $(
        #[derive(BinFormat, Debug, PartialEq, Clone)]
        #[bin($order, bits = $storage, $first)]
        struct $name {
            #[bin(bits = $k)]
            kind: $kind,
            #[bin(bits = 1)]
            wide: bool,
            #[bin(bits = $l)]
            len: $len,
        }

        #[derive(BinFormat, Debug, PartialEq, Clone)]
        struct $frame {
            #[bin(set(len = len(data) + 1, wide = extra.is_some()))]
            head: $name,
            #[bin(if = head.wide)]
            extra: Option<u8>,
            #[bin(len = head.len - 1)]
            data: Vec<u8>,
        }
    )* };
}

frames! {
    ByteLow ByteLowFrame: little u8, lsb, u8 = 3, u8 = 4;
    ByteHigh ByteHighFrame: big u8, msb, u8 = 3, u32 = 4;
    ShortLow ShortLowFrame: little u16, lsb, u8 = 3, u16 = 12;
    ShortHigh ShortHighFrame: big u16, msb, u8 = 3, u64 = 12;
    NarrowLow NarrowLowFrame: big U24, lsb, u8 = 8, u16 = 15;
    WordHigh WordHighFrame: little u32, msb, u16 = 11, u32 = 20;
    LongLow LongLowFrame: big u64, lsb, u8 = 7, u64 = 56;
    LongHigh LongHighFrame: little u64, msb, u64 = 31, u32 = 32;
    BytesLow BytesLowFrame: little [u8; 10], lsb, u32 = 27, u64 = 52;
    BytesHigh BytesHighFrame: big [u8; 10], msb, u64 = 64, u16 = 15;
}

/// The bits of a header of `size` bytes, put together by hand, and what follows it.
fn header(size: usize, big: bool, high: bool, widths: (u32, u32), len: u128) -> Vec<u8> {
    let (kind, wide) = (5_u128, 1_u128);
    let (first, second) = widths;
    let number = if high {
        kind << (second + 1) | wide << second | len
    } else {
        kind | wide << first | len << (first + 1)
    };
    let mut bytes = number.to_le_bytes()[..size].to_vec();
    if big {
        bytes.reverse();
    }
    bytes
}

macro_rules! told {
    ($($name:ident $frame:ident $size:literal $big:literal $high:literal $k:literal $l:literal;)*) => { $(
        let frame = |wide, len| $frame {
            head: $name { kind: 5, wide, len },
            extra: Some(9),
            data: b"abc".to_vec(),
        };
        let bytes = [header($size, $big, $high, ($k, $l), 4), b"\x09abc".to_vec()].concat();
        let bytes: &'static [u8] = bytes.leak();
        same(&frame(true, 4), bytes);
        // What is no number of the width, too.
        for len in [0, 3, !0] {
            let stale = frame(len == 3, len);
            assert_eq!(stale.to_vec().as_deref(), Ok(bytes));
            assert_eq!(stale.encoded_len(), Ok(bytes.len() as u64));
            let mut streamed = Vec::new();
            stale.write_to(&mut streamed).unwrap();
            assert_eq!(streamed, bytes);
            let mut room = [0; 64];
            assert_eq!(stale.write_into(&mut room), Ok(bytes.len()));
            assert_eq!(room[..bytes.len()], *bytes);
        }
    )* };
}

#[test]
fn a_header_of_bits_learns_what_follows_it() {
    told! {
        ByteLow ByteLowFrame 1 false false 3 4;
        ByteHigh ByteHighFrame 1 true true 3 4;
        ShortLow ShortLowFrame 2 false false 3 12;
        ShortHigh ShortHighFrame 2 true true 3 12;
        NarrowLow NarrowLowFrame 3 true false 8 15;
        WordHigh WordHighFrame 4 false true 11 20;
        LongLow LongLowFrame 8 true false 7 56;
        LongHigh LongHighFrame 8 false true 31 32;
        BytesLow BytesLowFrame 10 false false 27 52;
        BytesHigh BytesHighFrame 10 true true 64 15;
    }
}

#[test]
fn a_number_is_refused_by_its_width_and_not_by_its_type() {
    let short = |len| ShortHighFrame {
        head: ShortHigh { kind: 1, wide: false, len: 0 },
        extra: None,
        data: vec![0; len],
    };
    assert_eq!(short(4094).to_vec().unwrap()[..2], [0x2f, 0xff]);
    assert_eq!(refused(&short(4095)), "head.len overflow");
    assert_eq!(place(&short(4095).encoded_len().unwrap_err()), "head.len overflow");
    let byte = |len| ByteLowFrame {
        head: ByteLow { kind: 1, wide: false, len: 0 },
        extra: None,
        data: vec![0; len],
    };
    assert_eq!(byte(14).to_vec().unwrap()[0], 0b1111_0001);
    assert_eq!(refused(&byte(15)), "head.len overflow");
    assert_eq!(refused(&byte(300)), "head overflow");
}

/// The header is written in front of what it tells of, whose length is known later.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Later {
    #[bin(prefix = u8, set(len = len(body), wide = len(body) > 2))]
    head: ShortHigh,
    #[bin(set(len = len(body)))]
    again: BytesHigh,
    body: Inside,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Inside {
    #[bin(until_end)]
    bytes: Vec<u8>,
}

#[test]
fn bits_take_numbers_that_are_known_later() {
    let value = |wide, len, other| Later {
        head: ShortHigh { kind: 2, wide, len },
        again: BytesHigh { kind: 7, wide: false, len: other },
        body: Inside { bytes: b"abc".to_vec() },
    };
    let bytes = b"\x02\x50\x03\0\0\0\0\0\0\0\x07\0\x03abc";
    same(&value(true, 3, 3), bytes);
    assert_eq!(value(false, u64::MAX, u16::MAX).to_vec().unwrap(), bytes);
    assert_eq!(value(false, u64::MAX, u16::MAX).encoded_len(), Ok(16));
    let mut long = value(true, u64::MAX, 0);
    long.body.bytes = vec![0; 4096];
    assert_eq!(refused(&long), "head.len overflow");
}

#[test]
fn a_validator_compares_bits_that_are_set() {
    let report = ShortHighFrame::validate(b"\xb0\x05\x09abc ");
    assert_eq!(report.to_string().lines().count(), 0, "{report}");
    let report = Later::validate(b"\x02\x50\x04\0\0\0\0\0\0\0\x07\0\x03abc");
    let [finding] = report.findings() else { panic!("{report}") };
    let found = (finding.path.as_str(), finding.code, finding.severity);
    assert_eq!(found, ("head.len", "derived", Severity::Error));
    assert_eq!(
        findings::<Later>(b"\x02\x40\x03\0\0\0\0\0\0\0\x07\0\x03abc"),
        ["error head.wide derived"]
    );
    // No number of 12 bits would do.
    let long = [&b"\x02\x50\x03\0\0\0\0\0\0\0\x07\x10\0"[..], &[0; 4096]].concat();
    assert_eq!(findings::<Later>(long.leak()), ["error head.len overflow"]);
    let read = Later::parse(b"\x02\x40\x09\0\0\0\0\0\0\0\x07\x80\0abc").unwrap();
    assert_eq!((read.head.wide, read.head.len, read.again.wide), (false, 9, true));
    assert_eq!(read.to_vec().unwrap(), b"\x02\x50\x03\0\0\0\0\0\0\0\x07\x80\x03abc");
}

/// Values with such headers, one behind the other and one among several kinds.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Chapters {
    #[bin(prefix = u8)]
    frames: Vec<ShortLowFrame>,
    #[bin(until_end)]
    kinds: Vec<Chapter>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
enum Chapter {
    #[bin(magic = b"A")]
    Bytes(BytesLowFrame),
    #[bin(magic = b"B")]
    Low(ByteLowFrame),
}

#[test]
fn such_headers_lie_in_lists_and_variants() {
    let value = |len: u8| Chapters {
        frames: vec![
            ShortLowFrame {
                head: ShortLow { kind: 1, wide: len == 0, len: len.into() },
                extra: None,
                data: vec![],
            };
            2
        ],
        kinds: vec![
            Chapter::Low(ByteLowFrame {
                head: ByteLow { kind: 2, wide: false, len },
                extra: Some(3),
                data: vec![],
            }),
            Chapter::Bytes(BytesLowFrame {
                head: BytesLow { kind: 1, wide: len == 1, len: len.into() },
                extra: None,
                data: vec![],
            }),
        ],
    };
    let bytes = b"\x02\x11\0\x11\0B\x1a\x03A\x01\0\0\x10\0\0\0\0\0\0";
    let mut right = value(1);
    for kind in &mut right.kinds {
        match kind {
            Chapter::Low(frame) => frame.head.wide = true,
            Chapter::Bytes(frame) => frame.head.wide = false,
        }
    }
    same(&right, bytes);
    for len in [0, 1, 0xff] {
        assert_eq!(value(len).to_vec().as_deref(), Ok(&bytes[..]));
    }
}

/// Entries of a table that are bits, and that hold some.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Packed {
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    #[bin(prefix = u8)]
    named: Vec<Named>,
    #[bin(for_each = entries, len = it.len, checksum(Crc32, it.sum), set(it.last = index + 1 == count(entries)))]
    parts: Vec<Vec<u8>>,
    #[bin(for_each = named, len = it.entry.len, set(it.entry.last = len(value) > 1))]
    others: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big, bits = [u8; 5], msb)]
struct Entry {
    #[bin(bits = 1)]
    last: bool,
    #[bin(bits = 7)]
    len: u16,
    #[bin(bits = 32)]
    sum: u32,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Named {
    entry: Entry,
    #[bin(prefix = u8)]
    name: String,
}

#[test]
fn bits_of_the_items_of_a_table_are_set() {
    let sum = 0x3524_41c2; // of `abc`
    let value = |last, len, sum| Packed {
        entries: vec![Entry { last, len, sum }; 2],
        named: vec![Named { entry: Entry { last, len, sum: 1 }, name: "n".into() }],
        parts: vec![b"abc".to_vec(); 2],
        others: vec![b"defg".to_vec()],
    };
    let bytes = b"\x02\x03\x35\x24\x41\xc2\x83\x35\x24\x41\xc2\x01\x84\0\0\0\x01\x01nabcabcdefg";
    for (last, len, sum) in [(false, 0, 0), (true, u16::MAX, u32::MAX), (true, 3, sum)] {
        let stale = value(last, len, sum);
        assert_eq!(stale.to_vec().as_deref(), Ok(&bytes[..]));
        assert_eq!(stale.encoded_len(), Ok(bytes.len() as u64));
    }
    let mut right = value(false, 3, sum);
    right.entries[1].last = true;
    right.named[0].entry = Entry { last: true, len: 4, sum: 1 };
    same(&right, bytes);
    let mut copy = bytes.to_vec();
    (copy[1], copy[12]) = (0x83, 0x04);
    assert_eq!(
        findings::<Packed>(copy.leak()),
        ["error entries[0].last derived", "error named[0].entry.last derived"]
    );
    let long = Packed { others: vec![vec![0; 128]], ..value(false, 0, 0) };
    assert_eq!(refused(&long), "named[0].entry.len overflow");
}

/// A `bool` with a byte of its own is set in the same way.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Flagged {
    #[bin(set(any = len(text) > 0 && !quiet, sure = if len(text) == 2 { quiet } else { true }))]
    flags: Flags,
    quiet: bool,
    #[bin(until_end)]
    text: String,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Flags {
    any: bool,
    sure: bool,
}

#[test]
fn a_condition_sets_a_truth_value() {
    let value = |any, sure| Flagged { flags: Flags { any, sure }, quiet: false, text: "ab".into() };
    same(&value(true, false), b"\x01\0\0ab");
    assert_eq!(value(false, true).to_vec().unwrap(), b"\x01\0\0ab");
    assert_eq!(
        findings::<Flagged>(b"\x01\0\x01abc"),
        ["error flags.any derived", "error flags.sure derived"]
    );
}
