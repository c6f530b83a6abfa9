//! Digests of other bytes: computed in one forward pass, compared by validators.

use binfmt_runtime::{Adler32, Auto, BinFormat, ByteSum, Crc32, Digest, Seq, WordSum, laws};

use super::{findings, kept, same};

pub(super) type Total = ByteSum<u8>;

/// The first and the last byte, and how many there are.
#[derive(Default)]
struct Ends(Vec<u8>);

impl Digest for Ends {
    type Sum = [u8; 3];

    fn update(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
    }

    fn finish(self) -> [u8; 3] {
        let end = |byte: Option<&u8>| byte.copied().unwrap_or(0);
        [end(self.0.first()), end(self.0.last()), u8::try_from(self.0.len()).unwrap()]
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Chunk<'a> {
    len: Auto<u32>,
    kind: [u8; 4],
    #[bin(len = len)]
    data: &'a [u8],
    #[bin(checksum(Crc32, over = kind..=data))]
    crc: Auto<u32>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(magic = b"\x89PNG\r\n\x1a\n")]
struct Png<'a> {
    #[bin(until_end)]
    chunks: Seq<'a, Chunk<'a>>,
}

/// The smallest chunk of every PNG file, as all tools write it.
const IEND: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\0IEND\xae\x42\x60\x82";

#[test]
fn a_checksum_behind_its_data_is_that_of_real_files() {
    let end = [Chunk { len: Auto::new(), kind: *b"IEND", data: b"", crc: Auto::new() }];
    same(&Png { chunks: Seq::from(&Box::leak(Box::new(end))[..]) }, IEND);
    let wrong = b"\x89PNG\r\n\x1a\n\0\0\0\0IEND\xae\x42\x60\x83";
    assert_eq!(findings::<Png<'_>>(wrong), ["error chunks[0].crc checksum"]);
    assert!(Png::is_valid(wrong), "readers go on");
    assert_eq!(
        Png::validate(wrong).findings()[0].to_string(),
        "chunks[0].crc at 0x10..0x14: this is not the checksum of 0xc..0x10; expected 0xae426082, found 0xae426083 [checksum]"
    );
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little, magic = b"SUM", len = size, align_after = 4)]
struct Whole {
    #[bin(checksum(Adler32, over = self))]
    adler: u32,
    size: Auto<u8>,
    #[bin(checksum(Ends, over = head..=tail, zero = total), error(ends != ZERO, "no ends"))]
    ends: [u8; 3],
    #[bin(pad_before = 1, fill = 9)]
    head: u8,
    #[bin(pad_after = 2, fill = 7, checksum(Total, over = head))]
    total: u8,
    #[bin(align_before = 4)]
    tail: u16,
    #[bin(pad_to = 4)]
    last: [u8; 3],
    #[bin(if = head > 0, checksum(Total, over = tail..=last))]
    more: Option<u8>,
}

const ZERO: [u8; 3] = [0; 3];

fn whole() -> Whole {
    Whole {
        adler: 0,
        ends: [5, 2, 7],
        head: 5,
        total: 5,
        tail: 0x0201,
        last: [1, 2, 3],
        more: Some(9),
        size: Auto::new(),
    }
}

/// What is written, with its Adler-32 computed by hand.
fn whole_bytes() -> &'static [u8] {
    let mut bytes =
        b"SUM\0\0\0\0\x19\x05\x02\x08\x09\x05\x05\x07\x07\x01\x02\x01\x02\x03\0\x09".to_vec();
    bytes[7] = u8::try_from(bytes.len()).unwrap();
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in &bytes {
        a = (a + u32::from(*byte)) % 65521;
        b = (b + a) % 65521;
    }
    bytes.splice(3..7, ((b << 16) | a).to_le_bytes());
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes.leak()
}

#[test]
fn checksums_lie_before_behind_and_inside_what_they_cover() {
    let bytes = whole_bytes();
    // From `head` to `tail` there are 2 + 2 + 2 bytes, of which `total` counts as zero.
    let settled = Whole::parse(bytes).unwrap();
    let computed = Whole::parse(settled.to_vec().unwrap().leak()).unwrap();
    assert_eq!(computed.ends, [5, 2, 6]);
    assert_eq!((computed.total, computed.more), (5, Some(9)));
    let bytes: &'static [u8] = whole().to_vec().unwrap().leak();
    same(&computed, bytes);
    assert!(Whole::validate(bytes).findings().is_empty(), "{}", Whole::validate(bytes));
}

#[test]
fn the_whole_value_ends_with_its_length_and_counts_the_checksum_as_zeros() {
    let bytes: &'static [u8] = whole().to_vec().unwrap().leak();
    let mut blank = bytes[..usize::from(bytes[7])].to_vec();
    blank[3..7].fill(0);
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in &blank {
        a = (a + u32::from(*byte)) % 65521;
        b = (b + a) % 65521;
    }
    assert_eq!(bytes[3..7], ((b << 16) | a).to_le_bytes());
}

#[test]
fn every_checksum_tells_what_it_covers_and_nothing_else() {
    let bytes: &'static [u8] = whole().to_vec().unwrap().leak();
    let said = |at: usize| {
        let mut bytes = bytes.to_vec();
        bytes[at] ^= 0x40;
        let codes = findings::<Whole>(bytes.leak()).into_iter();
        codes.filter(|line| line.ends_with("checksum")).collect::<Vec<_>>().join(", ")
    };
    let at = |byte: u8| bytes.iter().position(|other| *other == byte).unwrap();
    assert_eq!(said(3), "error adler checksum");
    assert_eq!(said(9), "error adler checksum, error ends checksum");
    assert_eq!(said(at(9)), "error adler checksum", "padding before the first field");
    assert_eq!(said(12), "error adler checksum, error ends checksum, error total checksum");
    assert_eq!(said(13), "error adler checksum, error total checksum", "counts as zero");
    assert_eq!(said(bytes.len() - 1), "", "padding of the type");
}

/// The sum of a directory entry set of exFAT: rotated with each byte, so that zeros count.
#[derive(Default)]
struct Rotating(u16);

impl Digest for Rotating {
    type Sum = u16;

    fn update(&mut self, bytes: &[u8]) {
        let step = |sum: u16, byte: &u8| sum.rotate_right(1).wrapping_add(u16::from(*byte));
        self.0 = bytes.iter().fold(self.0, step);
    }

    fn finish(self) -> u16 {
        self.0
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Set {
    kind: u8,
    count: u8,
    #[bin(checksum(Rotating, over = kind..=name, except = sum))]
    sum: u16,
    #[bin(pad_before = 1, fill = 9, if = kind > 1)]
    flags: Option<u16>,
    #[bin(len = count)]
    name: Vec<u8>,
    /// Two parts around two fields, of which one is not always there, and one that counts as zeros.
    #[bin(checksum(Rotating, over = self, except = [sum, flags], zero = count))]
    whole: u16,
}

#[test]
fn what_is_left_out_counts_as_nothing() {
    for (kind, name) in [(1, &b""[..]), (1, b"ab"), (2, b""), (2, b"name"), (255, b"x")] {
        let flags = (kind > 1).then_some(0x0807);
        let count = u8::try_from(name.len()).unwrap();
        let set = Set { kind, count, sum: 0, flags, name: name.to_vec(), whole: 0 };
        let bytes: &'static [u8] = set.to_vec().unwrap().leak();
        let rotating = |parts: &[&[u8]]| {
            let mut sum = Rotating::default();
            for part in parts {
                sum.update(part);
            }
            sum.finish()
        };
        let parsed = Set::parse(bytes).unwrap();
        let behind: &[u8] = if kind > 1 { &[9, 7, 8] } else { &[] };
        assert_eq!(parsed.sum, rotating(&[&[kind, count], behind, name]));
        // The padding in front of a field is no part of it.
        let padding: &[u8] = if kind > 1 { &[9] } else { &[] };
        assert_eq!(parsed.whole, rotating(&[&[kind, 0], padding, name, &[0, 0]]));
        same(&parsed, bytes);
        assert!(Set::validate(bytes).findings().is_empty(), "{}", Set::validate(bytes));
        laws::hold::<Set>(bytes, ()).unwrap();
        // Each byte counts in those that cover it, and in no other.
        for (at, _) in bytes.iter().enumerate().skip(2).take(bytes.len() - 4) {
            let mut changed = bytes.to_vec();
            changed[at] ^= 0x10;
            let codes = findings::<Set>(changed.leak());
            let told = codes.iter().filter(|code| code.ends_with("checksum")).count();
            let expected = match at {
                2..4 => 1,
                4 if kind > 1 => 2,
                5..7 if kind > 1 => 1,
                _ => 2,
            };
            assert_eq!(told, expected, "byte {at} of {bytes:?}: {codes:?}");
        }
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Outer<'a> {
    #[bin(checksum(Crc32, over = count..=items))]
    crc: u32,
    count: Auto<u8>,
    #[bin(count = count)]
    items: Seq<'a, Inner<'a>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Inner<'a> {
    #[bin(checksum(Crc32, over = data))]
    crc: Auto<u32>,
    len: Auto<u8>,
    #[bin(len = len)]
    data: &'a [u8],
}

#[test]
fn values_with_checksums_lie_in_what_others_cover() {
    let items = [b"one" as &[u8], b"", b"three"].map(|data| Inner {
        crc: Auto::new(),
        len: Auto::new(),
        data,
    });
    let value = Outer { crc: 0, count: Auto::new(), items: Seq::from(&items[..]) };
    let bytes: &'static [u8] = value.to_vec().unwrap().leak();
    let crc = crc32(&bytes[4..]);
    assert_eq!(bytes[..4], crc.to_le_bytes());
    assert_eq!(bytes[5..9], crc32(b"one").to_le_bytes());
    same(&Outer::parse(bytes).unwrap(), bytes);
    let mut wrong = bytes.to_vec();
    wrong[10] ^= 1;
    assert_eq!(
        findings::<Outer<'_>>(wrong.leak()),
        ["error crc checksum", "error items[0].crc checksum"]
    );
}

/// CRC-32, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1)))
    })
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little, origin)]
struct Placed<'a> {
    room_len: u8,
    name_at: u8,
    sum_at: u8,
    #[bin(checksum(Total, over = room))]
    all: u8,
    #[bin(section, len = room_len)]
    room: &'a [u8],
    #[bin(at = name_at, place = room, len = 2)]
    name: &'a [u8],
    #[bin(at = sum_at, place = room, checksum(Total, over = name))]
    sum: u8,
}

#[test]
fn sections_and_fields_at_offsets_are_covered_and_hold_checksums() {
    let value = Placed {
        room_len: 4,
        name_at: 4,
        sum_at: 6,
        all: 16,
        room: b"\x01\x02\x03\x0a",
        name: b"\x01\x02",
        sum: 3,
    };
    kept(&value, b"\x04\x04\x06\x10\x01\x02\x03\x0a");
    let stale = Placed { sum: 99, all: 0, ..value };
    assert_eq!(stale.to_vec().unwrap(), b"\x04\x04\x06\x10\x01\x02\x03\x0a");
    assert_eq!(
        findings::<Placed<'_>>(b"\x04\x04\x06\x10\x01\x03\x03\x0a"),
        ["error all checksum", "error sum checksum", "warning  gap"]
    );
}

/// Values of one checksum in another, 12 levels deep.
#[derive(BinFormat, Debug, PartialEq)]
struct Level {
    #[bin(checksum(Total, over = inner))]
    total: Auto<u8>,
    more: u8,
    #[bin(count = more)]
    inner: Vec<Self>,
}

fn levels(depth: usize) -> Level {
    let inner = (depth > 1).then(|| levels(depth - 1));
    Level { total: Auto::new(), more: u8::from(depth > 1), inner: inner.into_iter().collect() }
}

#[test]
fn checksums_lie_in_checksums_however_deep() {
    kept(&levels(3), &[1, 1, 0, 1, 0, 0]);
    let deep = levels(60);
    let bytes = deep.to_vec().unwrap();
    assert_eq!(bytes.len(), 120);
    same(&deep, bytes.leak());
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Twice {
    #[bin(checksum(Total, over = self, zero = [b, c]))]
    a: u8,
    #[bin(checksum(Total, over = self, zero = c))]
    b: u8,
    #[bin(checksum(Total, over = self))]
    c: u8,
    data: u8,
}

#[test]
fn several_checksums_over_one_value_are_computed_in_order() {
    same(&Twice { a: 1, b: 2, c: 4, data: 1 }, &[1, 2, 4, 1]);
    assert_eq!(findings::<Twice>(&[1, 2, 5, 1]), ["error c checksum"]);
    assert_eq!(Twice { a: 9, b: 9, c: 9, data: 1 }.to_vec().unwrap(), [1, 2, 4, 1]);
}

#[test]
fn a_checksum_is_written_to_anything_strictly_forward() {
    let mut room = [0xaa; 23];
    assert_eq!(whole().write_into(&mut room).unwrap_err().finding().code, "space");
    let mut stream = Vec::new();
    whole().write_to(&mut stream).unwrap();
    assert_eq!(stream, whole().to_vec().unwrap());
    assert_eq!(whole().encoded_len().unwrap(), stream.len() as u64);
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little, magic = b"\x07\x08", align_after = 4)]
struct Open {
    kind: u8,
    #[bin(checksum(Total, over = ..=kind))]
    head: u8,
    #[bin(pad_before = 1, fill = 1)]
    data: [u8; 2],
    #[bin(checksum(Total, over = data.., zero = front))]
    tail: u8,
    at: u8,
    #[bin(at = at, prefix = u8)]
    located: Vec<u8>,
    #[bin(checksum(Total, over = ..=tail))]
    front: u8,
}

#[test]
fn a_checksum_covers_what_lies_up_to_a_field_or_behind_it() {
    // 7 + 8 + 1; all but the sums from `data` on; all in front of `at`.
    let (head, tail, front) = (16, 26, 64);
    let value = Open { kind: 1, head, data: [2, 3], tail, at: 10, located: vec![4, 5], front };
    same(&value, &[7, 8, 1, 16, 1, 2, 3, 26, 10, 64, 2, 4, 5, 0, 0, 0]);
    let nonsense = Open { head: 9, tail: 9, front: 9, ..value };
    assert_eq!(nonsense.to_vec().unwrap()[3..10], [head, 1, 2, 3, tail, 10, front]);
    let damaged = &[7, 8, 1, 16, 1, 2, 3, 26, 10, 64, 2, 4, 6, 0, 0, 0];
    assert_eq!(findings::<Open>(damaged), ["error tail checksum"]);
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big, magic = b"AB")]
struct Apart {
    at: u8,
    #[bin(checksum(Crc32, over = text))]
    sum: Auto<u32>,
    #[bin(null = 0, at = at, prefix = u8)]
    text: Option<String>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Before {
    before: u16,
    apart: Apart,
}

#[test]
fn a_checksum_covers_nothing_of_an_absent_field_at_an_offset() {
    let apart = |text| Before { before: 1, apart: Apart { at: 0, sum: Auto::new(), text } };
    same(&apart(None), b"\0\x01AB\0\0\0\0\0");
    let text = Apart { at: 9, ..apart(Some("a".into())).apart };
    same(&Before { before: 1, apart: text }, b"\0\x01AB\x09\x62\x77\x72\x70\x01a");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Summed {
    #[bin(prefix = u8)]
    data: Vec<u8>,
    hole: [u8; 3],
    tail: [u8; 6],
    #[bin(checksum(ByteSum<u16>, over = data..=tail))]
    bytes: u16,
    #[bin(checksum(WordSum<u16>, over = data..=tail))]
    pairs: u16,
    #[bin(checksum(WordSum<u32>, over = data..=tail, zero = hole))]
    words: u32,
    #[bin(checksum(WordSum<u64>, over = data))]
    longs: u64,
}

#[test]
fn plain_sums_of_bytes_and_of_big_endian_words() {
    let words = |data: &[u8]| Summed {
        data: data.to_vec(),
        hole: [1, 2, 3],
        tail: [0x10, 0x20, 0xff, 0xff, 0x40, 0x50],
        bytes: 0,
        pairs: 0,
        words: 0,
        longs: 0,
    };
    // What a last word lacks counts as zeros; what is zeroed keeps its place.
    let bytes = words(&[0xff, 0xfe]).to_vec().unwrap();
    let sums = u16::from_be_bytes([bytes[12], bytes[13]]);
    assert_eq!(sums, 2 + 0xff + 0xfe + 6 + 0x10 + 0x20 + 0xff + 0xff + 0x40 + 0x50);
    let pairs = [0x02ff, 0xfe01, 0x0203, 0x1020, 0xffff, 0x4050];
    let pairs = pairs.into_iter().fold(0, u16::wrapping_add);
    assert_eq!(bytes[14..16], pairs.to_be_bytes());
    assert_eq!(
        bytes[16..20],
        0x02ff_fe00_u32.wrapping_add(0x1020).wrapping_add(0xffff_4050).to_be_bytes()
    );
    assert_eq!(bytes[20..28], 0x02ff_fe00_0000_0000_u64.to_be_bytes());
    same(&Summed::parse(&bytes).unwrap(), bytes.leak());
    // Words that the ranges between them cut anywhere.
    for len in 0..20 {
        let data: Vec<u8> = (0xe0..0xe0 + len).collect();
        let bytes = words(&data).to_vec().unwrap().leak();
        assert_eq!(findings::<Summed>(bytes), [""; 0]);
        let mut covered = [&bytes[..=usize::from(len)], &[0; 3], &words(&data).tail].concat();
        covered.resize(covered.len().next_multiple_of(4), 0);
        let sum = covered.chunks_exact(4).fold(0_u32, |sum, word| {
            sum.wrapping_add(u32::from_be_bytes(word.try_into().unwrap()))
        });
        assert_eq!(Summed::parse(bytes).unwrap().words, sum, "{len}");
    }
}
