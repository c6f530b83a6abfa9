//! Checksums over the file, from inside of it: `checksum(Sum, over = file)`.

use binfmt_runtime::{Auto, BinFormat, Leb128};

use super::item_sums::Total;
use super::{checksums, kept, refused, same};
use crate::laws;

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big, magic = b"F")]
struct Font {
    #[bin(checksum(Total, over = self))]
    whole: u16,
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.at, len = it.len, checksum(Total, it.sum))]
    heads: Vec<Head>,
    last: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big)]
struct Entry {
    sum: u16,
    at: u8,
    len: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big)]
struct Head {
    version: u8,
    #[bin(if = version == 2, checksum(Total, over = file))]
    sum: Option<u16>,
    #[bin(checksum(Total, over = self))]
    own: u16,
}

fn font(versions: &[u8]) -> Font {
    let head = |version: &u8| Head {
        version: *version,
        sum: (*version == 2).then_some(0x1234),
        own: 0x5678,
    };
    Font {
        entries: vec![Entry::default(); versions.len()],
        heads: versions.iter().map(head).collect(),
        last: 9,
        ..Font::default()
    }
}

/// Two heads, of which the second one has the checksum of the file.
fn bytes() -> Vec<u8> {
    // The item's checksum and the value's own count that of the file as zeros, and so does the outer one.
    let mut bytes = b"F\0\0\x02\0\x02\x0d\x03\0\x04\x10\x05\x09\x01\0\x01\x02\0\0\0\x02".to_vec();
    let total = |bytes: &[u8]| bytes.iter().map(|byte| u16::from(*byte)).sum::<u16>().to_be_bytes();
    let whole = total(&bytes);
    bytes[1..3].copy_from_slice(&whole);
    let file = total(&bytes);
    bytes[17..19].copy_from_slice(&file);
    bytes
}

#[test]
fn a_checksum_over_the_file_comes_last_and_counts_as_zeros_elsewhere() {
    let bytes: &[u8] = bytes().leak();
    let new = font(&[1, 2]);
    assert_eq!(new.to_vec().unwrap(), bytes);
    let read = Font::parse(bytes).unwrap();
    assert!(Font::validate(bytes).is_ok(), "{}", Font::validate(bytes));
    same(&read, bytes);
    laws::hold::<Font>(bytes, ());
}

#[test]
fn streams_slices_and_lengths_agree() {
    let (new, bytes) = (font(&[1, 2]), bytes());
    let mut stream = Vec::new();
    new.write_to(&mut stream).unwrap();
    assert_eq!(stream, bytes);
    let mut slice = [0xee; 40];
    assert_eq!(new.write_into(&mut slice).unwrap(), bytes.len());
    assert_eq!(slice[..bytes.len()], bytes);
    assert!(slice[bytes.len()..].iter().all(|byte| *byte == 0xee));
    assert_eq!(new.encoded_len(), Ok(21));
    for len in 0..bytes.len() {
        assert_eq!(new.write_into(&mut vec![0; len]).unwrap_err().finding().code, "space");
    }
}

#[test]
fn a_validator_says_what_the_file_has() {
    let mut wrong = bytes();
    wrong[12] = 8;
    let report = Font::validate(&wrong);
    let told: Vec<String> = report.errors().map(ToString::to_string).collect();
    assert_eq!(told.len(), 2, "{report}");
    assert!(
        told.iter().any(|text| text.starts_with(
            "heads[1].sum at 0x11..0x13: this is not the checksum of 0x0..0x15; expected "
        )),
        "{report}"
    );
    assert!(told.iter().any(|text| text.starts_with("whole ")), "{report}");
    assert!(Font::is_valid(&wrong), "readers go on");
}

#[test]
fn a_file_has_one_such_checksum() {
    assert_eq!(refused(&font(&[2, 2])), "heads[1].sum count");
    let mut stream = Vec::new();
    assert!(font(&[2, 2]).write_to(&mut stream).is_err());
    assert!(stream.is_empty());
    // What is read with two is told, and compared with neither.
    let mut two = font(&[1, 1]).to_vec().unwrap();
    two.splice(13..19, *b"\x02\0\0\0\x02\x02\0\0\0\x02");
    (two[7], two[10], two[11]) = (5, 18, 5);
    let report = Font::validate(&two);
    let second = "heads[1].sum at 0x13..0x15: this is a second checksum over the file; a file has one [count]";
    assert!(report.errors().any(|finding| finding.to_string() == second), "{report}");
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big)]
struct Plain {
    len: Auto<u8>,
    #[bin(checksum(Total, over = file))]
    sum: Auto<u16>,
    #[bin(len = len)]
    text: String,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big)]
struct Around {
    first: u8,
    plain: Plain,
    #[bin(until_end)]
    rest: Vec<u16>,
}

#[test]
fn it_covers_what_lies_around_the_value() {
    let new = Around {
        first: 1,
        plain: Plain { text: "a".to_owned(), ..Plain::default() },
        rest: vec![0x0203, 0x0400],
    };
    let bytes = b"\x01\x01\0\x6ca\x02\x03\x04\0";
    assert_eq!(new.to_vec().unwrap(), bytes);
    kept(&new, bytes);
    assert_eq!(new.plain.to_vec().unwrap(), b"\x01\0\x62a", "alone it is the file");
}

#[test]
fn bytes_behind_the_value_are_covered_and_a_validator_says_that_they_are_not_kept() {
    let file = b"\x01\0\x64a\x02";
    laws::hold::<Plain>(file, ());
    let report = Plain::validate(file);
    let said = "(whole value) at 0x1..0x3: the checksum over the file covers 0x4..0x5, which is not \
                kept; the writer makes another one [canonical]";
    assert!(report.findings().iter().any(|finding| finding.to_string() == said), "{report}");
    assert_eq!(Plain::parse(file).unwrap().to_vec().unwrap(), b"\x01\0\x62a");
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Asked {
    #[bin(check(head.sum.is_none(), "there is a checksum"))]
    head: Head,
}

#[test]
fn an_expression_around_the_value_cannot_use_it() {
    let Font { heads, .. } = font(&[2]);
    assert!(Asked { head: heads[0].clone() }.to_vec().is_err());
}

#[test]
fn values_of_one_place_have_one() {
    let mut twice = bytes();
    twice[3] = 3;
    twice.splice(12..12, *b"\0\x04\x14\x05");
    (twice[6], twice[10]) = (0x11, 0x14);
    let report = Twins::validate(&twice);
    assert!(!report.errors().any(|finding| finding.to_string().contains("second")), "{report}");
    let read = Twins::parse(&twice).unwrap();
    let bytes = read.to_vec().unwrap();
    assert_eq!(bytes.len(), twice.len());
    assert!(Twins::validate(&bytes).is_ok(), "{}", Twins::validate(&bytes));
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big, magic = b"F")]
struct Twins {
    whole: u16,
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.at, len = it.len, shared, checksum(Total, it.sum))]
    heads: Vec<Head>,
    last: u8,
}

/// What a reader looks at is the checksum itself.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Looked {
    body: [u8; 2],
    #[bin(optional, magic = b"\x03")]
    extra: Option<u8>,
    #[bin(checksum(checksums::Total, over = file))]
    sum: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Ended {
    #[bin(until = peek(b"\x03"))]
    bytes: Vec<u8>,
    #[bin(checksum(checksums::Total, over = file))]
    sum: u8,
}

#[test]
fn readers_look_at_it_and_not_at_the_zero_in_its_place() {
    for body in 0..8 {
        for extra in [None, Some(0), Some(3)] {
            let looked = Looked { body: [body, 0], extra, sum: 0 };
            let written = binfmt_runtime::laws::written_is_read(&looked, ());
            let written = written.unwrap_or_else(|broken| panic!("{looked:?}: {broken}"));
            assert_eq!(written.is_err(), body == 3 && extra.is_none(), "{looked:?}");
        }
        let ended = Ended { bytes: vec![body, 1], sum: 0 };
        let written = binfmt_runtime::laws::written_is_read(&ended, ())
            .unwrap_or_else(|broken| panic!("{broken}"));
        assert_eq!(written.is_ok(), body == 2, "{ended:?}");
    }
}

/// A view whose bytes say something else, behind a place in a number that was found out first.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Viewed {
    place: Auto<Leb128<u16>>,
    len: Auto<u8>,
    #[bin(len = len)]
    body: Vec<u8>,
    #[bin(at = place)]
    far: u8,
    #[bin(at = start(body), view)]
    first: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Summed {
    #[bin(checksum(checksums::Total, over = file))]
    sum: u8,
    viewed: Viewed,
}

#[test]
fn what_else_is_wrong_is_told_by_its_name() {
    let (place, len) = (Auto::new(), Auto::new());
    let viewed = Viewed { place, len, body: vec![1, 2], far: 9, first: 1 };
    let value = Summed { sum: 0, viewed };
    assert_eq!(value.to_vec().unwrap(), [19, 5, 2, 1, 2, 9]);
    let wrong = Summed { viewed: Viewed { first: 3, ..value.viewed.clone() }, ..value };
    assert!(refused(&wrong).starts_with("viewed.first"));
}
