//! Bits that no field has: paddings between bit fields.

use binfmt_runtime::{BinFormat, NodeValue, Tree};

use super::{findings, place, refused, same, stopped, survives};

/// The same fields and paddings, from either end of an integer in either order.
macro_rules! padded {
    ($($name:ident $order:ident $storage:tt, $first:ident;)*) => { $(
        #[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
        #[bin($order, bits = $storage, $first)]
        struct $name {
            #[bin(bits = 3, pad_before = 1)]
            low: u8,
            #[bin(bits = 1)]
            flag: bool,
            #[bin(bits = 5, pad_before = 2, pad_after = 4, check(high < 30, "much"))]
            high: u16,
        }
    )* };
}

padded! {
    LittleLow little u16, lsb;
    LittleHigh little u16, msb;
    BigLow big u16, lsb;
    BigHigh big u16, msb;
    BytesLittleLow little [u8; 2], lsb;
    BytesLittleHigh little [u8; 2], msb;
    BytesBigLow big [u8; 2], lsb;
    BytesBigHigh big [u8; 2], msb;
}

/// The value as written, what a set bit of each padding is told as, and that it is lost.
macro_rules! lies {
    ($($name:ident $bytes:literal $pads:expr;)*) => { $(
        let value = $name { low: 0b110, flag: true, high: 0b1_0011 };
        same(&value, $bytes);
        for (byte, bit) in $pads {
            let mut copy = *$bytes;
            copy[byte] |= 1 << bit;
            let damaged = copy.to_vec().leak();
            assert_eq!(findings::<$name>(damaged), ["warning padding padding"], "{byte} {bit}");
            assert_eq!($name::parse(damaged), Ok(value));
            assert!($name::is_valid(damaged));
            let read = $name::parse(damaged).unwrap();
            assert_eq!(read.to_vec().as_deref(), Ok(&$bytes[..]));
        }
        assert_eq!(refused(&$name { low: 8, ..value }), "low overflow");
        assert_eq!(refused(&$name { high: 30, ..value }), format!("high {}.high", stringify!($name)));
        assert_eq!(stopped::<$name>(&$bytes[..1]), " end");
    )* };
}

#[test]
fn paddings_lie_between_bit_fields() {
    // From the lowest bit on: 0, 110, 1, 00, 10011, 0000.
    let low = [(0, 0), (0, 5), (0, 6), (1, 4), (1, 7)];
    let low_bytes = [0b1001_1100, 0b0000_1001];
    assert_eq!(low_bytes, [0x9c, 0x09]);
    // From the highest bit on: 0, 110, 1, 00, 10011, 0000.
    let high = [(0, 7), (0, 2), (0, 1), (1, 0), (1, 3)];
    let swapped = |pads: [(usize, u8); 5]| pads.map(|(byte, bit)| (1 - byte, bit));
    lies! {
        LittleLow b"\x9c\x09" low;
        BigLow b"\x09\x9c" swapped(low);
        BytesLittleLow b"\x9c\x09" low;
        BytesBigLow b"\x09\x9c" swapped(low);
        BigHigh b"\x69\x30" high;
        LittleHigh b"\x30\x69" swapped(high);
        BytesBigHigh b"\x69\x30" high;
        BytesLittleHigh b"\x30\x69" swapped(high);
    }
}

/// Paddings as wide as they may be, and a field alone between some.
#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[bin(big, bits = [u8; 17], msb)]
struct Wide {
    #[bin(bits = 4, pad_before = 64)]
    first: u8,
    #[bin(bits = 4, pad_after = 64)]
    second: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[bin(little, bits = u64, lsb)]
struct Lone(#[bin(bits = 1, pad_before = 62, pad_after = 1)] bool);

#[test]
fn paddings_are_up_to_64_bits() {
    same(&Wide { first: 1, second: 2 }, b"\0\0\0\0\0\0\0\0\x12\0\0\0\0\0\0\0\0");
    let report = Wide::validate(b"\x80\0\0\0\0\0\0\x01\x12\0\0\0\0\0\0\0\x02");
    let found: Vec<String> = report.findings().iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), 2, "{report}");
    assert!(found[0].contains("expected 0, found 9223372036854775809"), "{report}");
    assert!(found[1].contains("expected 0, found 2"), "{report}");
    same(&Lone(true), b"\0\0\0\0\0\0\0\x40");
    assert_eq!(findings::<Lone>(b"\x01\0\0\0\0\0\0\x80"), ["warning padding padding"; 2]);
}

/// Paddings in headers whose other bits are set, in a list.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big, level(padding = note))]
struct Packets {
    #[bin(prefix = u8)]
    all: Vec<Packet>,
    last: Strict,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Packet {
    #[bin(set(len = len(data), some = len(data) > 0))]
    head: Head,
    #[bin(len = head.len)]
    data: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(bits = u8, msb)]
struct Head {
    #[bin(bits = 1, pad_after = 3)]
    some: bool,
    #[bin(bits = 3, pad_before = 1)]
    len: u8,
}

/// What a padding weighs is said on the type and on the field.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(bits = u8, msb, level(padding = error))]
struct Strict {
    #[bin(bits = 2, pad_before = 1)]
    first: u8,
    #[bin(bits = 2, pad_before = 1, pad_after = 1, level(padding = off))]
    second: u8,
    #[bin(bits = 1)]
    third: bool,
}

#[test]
fn paddings_weigh_what_levels_say() {
    let value = |some, len| Packets {
        all: vec![Packet { head: Head { some, len }, data: b"abc".to_vec() }],
        last: Strict { first: 2, second: 1, third: true },
    };
    same(&value(true, 3), b"\x01\x83abc\x45");
    assert_eq!(value(false, 0xff).to_vec().as_deref(), Ok(&b"\x01\x83abc\x45"[..]));
    assert_eq!(
        findings::<Packets>(b"\x01\x93abc\xd7"),
        ["note all[0].head.padding padding", "error last.padding padding"]
    );
    survives::<Packets>(b"\x02\x8aab\x78\x12\x34\x56\x78\x9a\xbc\xde\xf0\x45", ());
    let long = Packet { head: Head { some: true, len: 0 }, data: vec![0; 8] };
    assert_eq!(refused(&long), "head.len overflow");
    assert_eq!(place(&long.encoded_len().unwrap_err()), "head.len overflow");
}

#[test]
fn an_inspector_shows_paddings_and_the_layout_tells_them() {
    let tree: Tree = BigHigh::inspect(b"\xe9\x31");
    let found: Vec<_> = tree.root.children.iter().map(|node| (&*node.name, &node.value)).collect();
    let uint = |number| Some(NodeValue::Uint(number));
    assert_eq!(
        found,
        [
            ("padding", &uint(1)),
            ("low", &uint(6)),
            ("flag", &Some(NodeValue::Bool(true))),
            ("padding", &uint(0)),
            ("high", &uint(19)),
            ("padding", &uint(1)),
        ]
    );
    assert!(tree.root.children.iter().all(|node| (node.start, node.end) == (0, 2)));
    let page = BigHigh::LAYOUT.to_markdown();
    assert!(page.contains("`bits = 3, pad_before = 1`"), "{page}");
}
