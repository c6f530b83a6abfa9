//! Named values, and constructors.

use binfmt_runtime::{Auto, BinFormat, Crc32, Digest, Reserved};

use super::{findings, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, new, let(pixels = width * height, deep = depth > 8, bytes = if deep { pixels * 2 } else { pixels }))]
#[bin(check(pixels < 100, "that is too large"))]
struct Bitmap<'a> {
    width: u8,
    height: u8,
    depth: u8,
    reserved: Reserved<1>,
    count: Auto<u16>,
    #[bin(len = bytes, note(!deep || width > 1, "deep and thin"))]
    data: &'a [u8],
    #[bin(if = deep)]
    profile: Option<u8>,
    #[bin(count = count)]
    colours: Vec<u16>,
    #[bin(calc = bytes + len(colours))]
    size: u8,
}

#[test]
fn a_name_stands_for_its_expression() {
    let flat = Bitmap { size: 7, ..Bitmap::new(1, 3, 8, b"abc", None, vec![1, 2]) };
    same(&flat, b"\x01\x03\x08\0\x02\0abc\x01\0\x02\0\x07");
    let deep = Bitmap { size: 4, ..Bitmap::new(2, 1, 16, b"abcd", Some(9), vec![]) };
    same(&deep, b"\x02\x01\x10\0\0\0abcd\x09\x04");
    assert_eq!(findings::<Bitmap<'_>>(b"\x01\x01\x10\0\0\0ab\x09\x02"), ["note data Bitmap.data"]);
    assert_eq!(stopped::<Bitmap<'_>>(b"\x02\x01\x10\0\0\0abc"), "width size");
    assert_eq!(refused(&Bitmap::new(1, 3, 8, b"abcd", None, vec![])), "data derived");
    let large = vec![0; 100].leak();
    assert_eq!(refused(&Bitmap::new(10, 10, 8, large, None, vec![])), " Bitmap");
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(big, let(unit = 4))]
struct Units {
    words: u8,
    #[bin(len = words * unit - 4)]
    data: Vec<u8>,
}

#[test]
fn the_writer_solves_what_a_name_stands_for() {
    same(&Units { words: 3, data: vec![7; 8] }, &[3, 7, 7, 7, 7, 7, 7, 7, 7]);
    assert_eq!(Units { words: 0, data: vec![7; 4] }.to_vec().unwrap(), [2, 7, 7, 7, 7]);
    assert_eq!(refused(&Units { words: 0, data: vec![7; 3] }), "words derived");
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(tag = low, args(flags: u8), let(low = flags & 3))]
enum Low {
    #[bin(id = 1)]
    One,
    #[bin(id = 2, args(flags))]
    Two(Two),
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(new, args(flags: u8), let(high = flags >> 2))]
struct Two(#[bin(check(value_is(high), "it is not above 1"))] u8);

fn value_is(high: u64) -> bool {
    high > 1
}

#[test]
fn names_are_for_enums_and_arguments_too() {
    assert_eq!(Low::parse_with(&[], 0x81).unwrap(), Low::One);
    assert_eq!(Low::parse_with(&[5], 0x0a).unwrap(), Low::Two(Two::new(5)));
    assert!(Low::parse_with(&[5], 0x06).is_err());
}

/// What is said of the enum is said of the fields of its variants.
#[derive(BinFormat, Debug, PartialEq)]
#[bin(big, args(unit: u8 = 2), let(low = _0 & 3, words = n - 1, wide = unit * 2, last = wide - 1))]
enum Shape {
    #[bin(magic = 0x10u8..=0x1f)]
    Kept(u8, #[bin(len = low, note(len(_1) < 3, "{unit} beside {_0}"))] Vec<u8>),
    #[bin(magic = 0x20u8)]
    Own {
        n: Auto<u8>,
        #[bin(count = words)]
        list: Vec<u16>,
        #[bin(check(mark == last, "the mark is not {unit} twice, less one"))]
        mark: u8,
    },
    #[bin(magic = 0x30u8..=0x3f, args(high = low))]
    Passed(u8, Passed),
    #[bin(magic = 0x40u8)]
    Bytes {
        #[bin(len = wide)]
        bytes: Vec<u8>,
    },
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(args(high: u8))]
struct Passed(#[bin(len = high)] Vec<u8>);

#[test]
fn names_of_an_enum_are_known_to_the_fields_of_its_variants() {
    same(&Shape::Kept(0x12, vec![7, 8]), &[0x12, 7, 8]);
    assert_eq!(findings::<Shape>(&[0x13, 7, 8, 9]), ["note  ShapeKept"]);
    same(&Shape::Own { n: Auto::new(), list: vec![5], mark: 3 }, &[0x20, 2, 0, 5, 3]);
    assert_eq!(stopped::<Shape>(&[0x20, 2, 0, 5, 4]), "mark ShapeOwn.mark");
    same(&Shape::Passed(0x32, Passed(vec![7, 8])), &[0x32, 7, 8]);
    same(&Shape::Bytes { bytes: vec![1, 2, 3, 4] }, &[0x40, 1, 2, 3, 4]);
    assert_eq!(refused(&Shape::Kept(0x12, vec![7])), " derived");
    assert_eq!(refused(&Shape::Bytes { bytes: vec![1] }), "bytes derived");
    let bytes = Shape::Bytes { bytes: vec![1, 2] };
    assert_eq!(bytes.to_vec_with(1).unwrap(), [0x40, 1, 2]);
}

/// A checksum that is longer than any array of Rust with a default.
#[derive(Default)]
struct Long(u8);

impl Digest for Long {
    type Sum = [u8; 40];

    fn update(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |sum, byte| sum.wrapping_add(*byte));
    }

    fn finish(self) -> [u8; 40] {
        [self.0; 40]
    }
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little, new)]
struct Summed {
    n: Auto<u8>,
    #[bin(len = n)]
    data: Vec<u8>,
    #[bin(checksum(Crc32, over = data))]
    sum: u32,
    #[bin(if = len(data) > 3, checksum(Crc32, over = data))]
    maybe: Option<u32>,
    #[bin(checksum(Long, over = data))]
    long: [u8; 40],
    #[bin(calc = copied(data))]
    copy: [u8; 36],
    #[bin(calc = tag(body))]
    kind: [u8; 2],
    #[bin(args(kind))]
    body: Body,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(tag = kind, args(kind: [u8; 2]))]
enum Body {
    #[bin(id = b"NO")]
    None,
    #[bin(id = b"BY")]
    Byte(u8),
}

fn copied(data: &[u8]) -> [u8; 36] {
    [data.first().copied().unwrap_or(0); 36]
}

#[test]
fn a_constructor_takes_nothing_that_the_writer_computes_and_that_is_always_there() {
    let bytes = Summed::new(b"abc".to_vec(), None, Body::Byte(5)).to_vec().unwrap();
    let read = Summed::parse(&bytes).unwrap();
    assert_eq!((read.sum, read.long, read.copy), (0x3524_41c2, [38; 40], [b'a'; 36]));
    assert_eq!(read.kind, *b"BY");
    same(&read, bytes.clone().leak());
    assert_eq!(findings::<Summed>(bytes.leak()), [""; 0]);
}
