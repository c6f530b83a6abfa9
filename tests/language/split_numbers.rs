//! Numbers of which several fields hold some bits each: `at = high << 16 | low`.

use binfmt_runtime::{Auto, BinFormat, Leb128, laws};

use super::{findings, refused, same};

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Sized {
    high: u8,
    other: u8,
    low: Auto<u8>,
    #[bin(len = high << 8 | low)]
    bytes: Vec<u8>,
    next: u8,
}

#[test]
fn a_size_is_told_by_two_fields() {
    let value = |len| Sized { high: 9, other: 7, low: Auto::new(), bytes: vec![5; len], next: 8 };
    same(&Sized { high: 0, ..value(2) }, b"\0\x07\x02\x05\x05\x08");
    for len in [0, 1, 255, 256, 257, 0xffff] {
        let written = value(len).to_vec().unwrap();
        assert_eq!(usize::from(written[0]) << 8 | usize::from(written[2]), len);
        assert_eq!(Sized::parse(&written).unwrap().bytes.len(), len);
    }
    assert!(refused(&value(0x10000)).starts_with("high"));
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Counted {
    a: u8,
    b: u8,
    c: Leb128<u32>,
    #[bin(count = (c * 65536 + b * 256 + a) - 3)]
    items: Vec<u16>,
}

#[test]
fn a_count_is_told_by_three_in_a_sum() {
    let value = |count| Counted { a: 1, b: 2, c: Leb128::new(3), items: vec![7; count] };
    for count in [0, 2, 253, 0xfffd] {
        let written = value(count).to_vec().unwrap();
        let read = Counted::parse(&written).unwrap();
        let (a, b, c) = (usize::from(read.a), usize::from(read.b), read.c.get() as usize);
        assert_eq!((c * 65536 + b * 256 + a, read.items.len()), (count + 3, count));
    }
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Placed {
    low: u16,
    kind: u8,
    high: u8,
    #[bin(at = (high << 16 | low) * 4, null = 0, prefix = u8)]
    value: Option<Vec<u8>>,
}

#[test]
fn a_place_is_told_in_units_by_two_fields() {
    let placed = Placed { low: 0, kind: 3, high: 0, value: Some(vec![9]) };
    same(&Placed { low: 1, ..placed.clone() }, b"\x01\0\x03\0\x01\x09");
    assert_eq!(placed.to_vec().unwrap(), b"\x01\0\x03\0\x01\x09");
    same(&Placed { value: None, ..placed }, b"\0\0\x03\0");
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Disk {
    block: u8,
    #[bin(prefix = u8)]
    extents: Vec<Extent>,
    #[bin(for_each = extents, at = (it.high << 8 | it.low) * block, len = it.len)]
    data: Vec<Vec<u8>>,
}

/// As in file systems that have grown: the high bits came later, and stand elsewhere.
#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Extent {
    len: u8,
    high: u16,
    low: u8,
}

#[test]
fn items_tell_places_by_two_numbers() {
    let extents = vec![Extent::default(), Extent::default()];
    let value = Disk { block: 8, extents, data: vec![vec![1, 2], vec![3]] };
    let bytes = b"\x08\x02\x02\0\0\x02\x01\0\0\x03\0\0\0\0\0\0\x01\x02\0\0\0\0\0\0\x03";
    assert_eq!(value.to_vec().unwrap(), bytes);
    same(&Disk::parse(bytes).unwrap(), bytes);
    // A number that counts nothing stays.
    let none = Disk { block: 0, extents: vec![], data: vec![] };
    same(&none, b"\0\0");
    let mut far = bytes.to_vec();
    far.resize(0x100 * 8 + 2, 0);
    (far[7], far[9], far[24]) = (1, 0, 0);
    let read = Disk::parse(&far).unwrap();
    assert_eq!((read.extents[1].high, &read.data[1][..]), (1, &[0][..]));
    // What has been stored is the least place.
    assert!(read.to_vec().unwrap() == far[..0x801]);
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Narrow {
    #[bin(prefix = u8)]
    items: Vec<Pair>,
    #[bin(for_each = items, len = it.high << 3 | it.low)]
    values: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Pair {
    low: u8,
    high: u8,
}

#[test]
fn bits_that_another_number_holds_are_not_kept() {
    let found = findings::<Narrow>(b"\x01\x0a\0abcdefghij");
    assert_eq!(found, ["error items[0].low derived"], "10 does not fit into three bits");
    let read = Narrow::parse(b"\x01\x0a\0abcdefghij").unwrap();
    assert_eq!(read.to_vec().unwrap(), b"\x01\x02\x01abcdefghij");
    assert!(findings::<Narrow>(b"\x01\x02\x01abcdefghij").is_empty());
}

#[test]
fn every_damaged_byte_is_read_or_told() {
    let extents = vec![Extent::default(), Extent::default()];
    let extents = Disk { block: 2, extents, data: vec![vec![1, 2], vec![3]] };
    let files = [
        (Sized { high: 0, other: 0, low: Auto::new(), bytes: vec![1; 3], next: 2 }).to_vec(),
        Placed { low: 0, kind: 0, high: 0, value: Some(vec![1; 3]) }.to_vec(),
        extents.to_vec(),
    ];
    for file in files.map(Result::unwrap) {
        for at in 0..file.len() {
            for byte in [0, 1, 2, 3, 4, 8, 15, 255] {
                let mut damaged = file.clone();
                damaged[at] = byte;
                laws::hold::<Sized>(&damaged, ()).unwrap();
                laws::hold::<Placed>(&damaged, ()).unwrap();
                laws::hold::<Disk>(&damaged, ()).unwrap();
                laws::hold::<Narrow>(&damaged, ()).unwrap();
                laws::hold::<Counted>(&damaged, ()).unwrap();
            }
        }
    }
}
