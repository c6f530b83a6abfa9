//! A declaration that uses many words of the language at once.

use binfmt_runtime::{Auto, BinFormat, Crc32, I24, Lazy, Leb128, Order, Reserved, Seq, U40, Utf16};

/// A byte order from the magic, presence by bits, conditions and versions, shapes by tags, texts of
/// all kinds, a checksum, and a table with bodies behind it.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(
    endian = magic,
    magic = [b"WoII" => little, b"WoMM" => big],
    version = version,
    let(wide = flags & 2 != 0)
)]
pub struct Words<'a> {
    #[bin(magic)]
    mark: [u8; 4],
    #[bin(range = 1..=9)]
    version: u8,
    #[bin(check(flags != 0xff, "all of {flags} is set"), warn(flags < 0x80, "a high bit"))]
    flags: u8,
    #[bin(flag = flags & 4)]
    small: Option<I24>,
    #[bin(since = 2, before = 5)]
    large: Option<U40>,
    #[bin(if = wide, args(order = Order::Big))]
    told: Option<Told>,
    head: Head,
    reserved: Reserved<2>,
    #[bin(calc = tag(body))]
    kind: Auto<u16>,
    len: Auto<u16>,
    #[bin(len = len, args(kind))]
    body: Body<'a>,
    count: Auto<Leb128<u32>>,
    #[bin(count = count, unique = number, sorted_by = number)]
    items: Seq<'a, Item>,
    #[bin(len = 8, trim = 0)]
    short: &'a str,
    #[bin(nul)]
    long: &'a str,
    #[bin(prefix = u8)]
    utf16: Utf16<'a>,
    #[bin(prefix = u8)]
    filter: Lazy<'a, Filter>,
    room: u8,
    filled_len: Auto<u8>,
    #[bin(len = filled_len, align_after = 4, pad_to = room, fill = 0x20)]
    filled: &'a [u8],
    // A wrong checksum is no error, for nobody who changes bytes makes a right one.
    #[bin(checksum(Crc32, over = version..=filled), level(checksum = warning))]
    sum: u32,
    bodies_count: Auto<u8>,
    #[bin(count = bodies_count)]
    table: Vec<Pointer>,
    #[bin(optional, magic = b"!!")]
    last: Option<i16>,
    #[bin(for_each = table, at = it.offset, len = it.size, align_after = 2)]
    bodies: Vec<&'a [u8]>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(endian = order, args(order: Order))]
struct Told {
    number: u16,
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq)]
#[bin(big, bits = u16, msb)]
struct Head {
    #[bin(bits = 3)]
    version: u8,
    #[bin(bits = 1)]
    wide: bool,
    #[bin(bits = 12, note(len != 7, "seven"))]
    len: u16,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(tag = kind, args(kind: u16))]
enum Body<'a> {
    #[bin(id = 1)]
    Empty,
    #[bin(id = 2 | 0x10..=0x1f)]
    Parts(u16, Parts<'a>),
    #[bin(other)]
    Other(u16, Raw<'a>),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Raw<'a> {
    #[bin(until_end)]
    bytes: &'a [u8],
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Parts<'a> {
    #[bin(until = remaining < 2)]
    parts: Seq<'a, Part<'a>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(endian = inherit, len = size + 4, align_after = 2)]
struct Part<'a> {
    size: Auto<u16>,
    kind: Kind,
    #[bin(until_end)]
    bytes: &'a [u8],
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq)]
#[bin(endian = inherit)]
#[repr(u16)]
enum Kind {
    One = 1,
    Two = 2,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(endian = inherit)]
struct Item {
    number: u16,
    #[bin(optional, magic = b"?")]
    mark: Option<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
enum Filter {
    #[bin(magic = b"!")]
    Not(Box<Self>),
    Pair(Pair),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Pair {
    ends: (u8, i8),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(endian = inherit)]
struct Pointer {
    offset: u16,
    size: u16,
}

static FILTER: Filter = Filter::Pair(Pair { ends: (1, -1) });

/// Values of every shape, as bytes.
pub fn seeds() -> Vec<Vec<u8>> {
    let bodies = [
        (1, Body::Empty),
        (2, Body::Parts(2, Parts { parts: Seq::default() })),
        (9, Body::Other(9, Raw { bytes: b"raw" })),
    ];
    let items = [Item { number: 1, mark: None }, Item { number: 7, mark: Some(3) }];
    let mut seeds = Vec::new();
    for (number, body) in bodies {
        for mark in [*b"WoII", *b"WoMM"] {
            let value = Words {
                mark,
                version: number,
                flags: number & 2,
                small: (number == 1).then(I24::default),
                large: (2..5).contains(&number).then(U40::default),
                told: (number & 2 != 0).then_some(Told { number: 5 }),
                head: Head { version: 1, wide: true, len: 9 },
                reserved: Reserved::default(),
                kind: Auto::new(),
                len: Auto::new(),
                body: body.clone(),
                count: Auto::new(),
                items: Seq::from(&items[..]),
                short: "short",
                long: "longer text",
                utf16: Utf16::default(),
                filter: Lazy::from(&FILTER),
                room: 8,
                filled_len: Auto::new(),
                filled: b"abc",
                sum: 0,
                bodies_count: Auto::new(),
                table: vec![Pointer { offset: 0, size: 0 }; 2],
                last: (number == 9).then_some(-2),
                bodies: vec![b"first body", b"second"],
            };
            seeds.push(value.to_vec().expect("the seed is a value"));
        }
    }
    seeds
}
