//! Checksums of values that the items of a table keep: `checksum(Sum, it.sum)`.

use binfmt_runtime::{Auto, BinFormat, ByteSum, Seq};

use super::{findings, kept, refused, same, stopped};
use crate::laws;

pub(crate) type Total = ByteSum<u16>;

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big, magic = b"F")]
struct Font<'a> {
    count: Auto<u8>,
    #[bin(count = count)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.at, len = it.len, checksum(Total, it.sum), align_after = 4)]
    tables: Vec<&'a [u8]>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big, check(sum < 1000, "{sum} is too much"))]
struct Entry {
    sum: u16,
    at: u8,
    len: u8,
}

fn font(tables: Vec<&[u8]>) -> Font<'_> {
    Font { entries: vec![Entry::default(); tables.len()], tables, ..Font::default() }
}

const TWO: &[u8] = b"F\x02\x00\xc3\x0c\x02\x00\x07\x10\x01\0\0ab\0\0\x07\0\0\0";

#[test]
fn each_item_keeps_the_checksum_of_its_value() {
    let new = font(vec![b"ab", b"\x07"]);
    assert_eq!(new.to_vec().unwrap(), TWO);
    let read = Font::parse(TWO).unwrap();
    assert_eq!((read.entries[0].sum, read.entries[1].sum), (0xc3, 7));
    same(&read, TWO);
    laws::hold::<Font<'_>>(TWO, ());
    // The sums that the items hold are not asked for.
    let mut old = read;
    (old.entries[0].sum, old.tables[1]) = (999, b"\x08\x01");
    assert_eq!(
        old.to_vec().unwrap(),
        b"F\x02\x00\xc3\x0c\x02\x00\x09\x10\x02\0\0ab\0\0\x08\x01\0\0"
    );
}

#[test]
fn a_validator_names_the_value_and_both_checksums() {
    let mut wrong = TWO.to_vec();
    wrong[16] = 8;
    assert!(Font::is_valid(&wrong), "readers go on");
    let report = Font::validate(&wrong);
    assert_eq!(
        report.errors().map(ToString::to_string).collect::<Vec<_>>(),
        [
            "entries[1].sum at 0x6..0x8: `tables[1]`, at 0x10..0x11, has another checksum; expected 0x8, found 0x7 [checksum]"
        ]
    );
}

#[test]
fn rules_about_items_see_the_checksum_that_is_written() {
    // Four times 0xff is above what the rule of the item allows, whatever it holds before.
    let large = font(vec![&[0xff; 4]]);
    assert_eq!(refused(&large), "entries[0] Entry");
    assert!(large.encoded_len().is_err(), "the length is asked of the same value");
    let mut stale = font(vec![b"ab"]);
    stale.entries[0].sum = 5000;
    assert_eq!(stale.encoded_len(), Ok(12));
    assert_eq!(stale.to_vec().unwrap().len(), 12);
    assert_eq!(stopped::<Font<'_>>(b"F\x01\x0f\x00\x06\x00"), "entries[0].sum Entry");
}

#[test]
fn streams_slices_and_memory_get_the_same_bytes() {
    let font = font(vec![b"ab", b"\x07"]);
    let mut stream = Vec::new();
    font.write_to(&mut stream).unwrap();
    assert_eq!(stream, TWO);
    let mut slice = [0xee; 30];
    assert_eq!(font.write_into(&mut slice).unwrap(), TWO.len());
    assert_eq!(&slice[..TWO.len()], TWO);
    for len in 0..TWO.len() {
        let error = font.write_into(&mut vec![0; len]).unwrap_err();
        assert_eq!(error.finding().code, "space", "{len}");
    }
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big)]
struct Beside<'a> {
    #[bin(prefix = u8)]
    entries: Seq<'a, Sized>,
    #[bin(for_each = entries, len = it.len, if = it.len > 0, pad_before = 1, pad_after = 1,
        checksum(Total, it.sum))]
    values: Vec<Option<Pair>>,
    #[bin(prefix = u8)]
    sums: Vec<u16>,
    #[bin(for_each = sums, checksum(Total, it))]
    others: Vec<Pair>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big)]
struct Sized {
    sum: u16,
    len: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big)]
struct Pair {
    len: Auto<u8>,
    #[bin(len = len)]
    text: String,
}

fn pair(text: &str) -> Pair {
    Pair { text: text.to_owned(), ..Pair::default() }
}

#[test]
fn values_of_a_sequence_have_checksums_too() {
    let sized = |sum, len| Sized { sum, len };
    let entries = [sized(0, 2), sized(77, 0), sized(0, 3)];
    let new = Beside {
        entries: Seq::from(&entries[..]),
        values: vec![Some(pair("a")), None, Some(pair("bc"))],
        sums: vec![0, 0],
        others: vec![pair(""), pair("z")],
    };
    let bytes = b"\x03\0\x62\x02\0\x4d\0\0\xc7\x03\0\x01a\0\0\x02bc\0\x02\0\0\0\x7b\0\x01z";
    assert_eq!(new.to_vec().unwrap(), bytes);
    let read = Beside::parse(bytes).unwrap();
    assert_eq!((&read.values, &read.sums), (&new.values, &vec![0, 0x7b]));
    same(&read, bytes);
    laws::hold::<Beside<'_>>(bytes, ());
    let mut wrong = *bytes;
    wrong[21] = 1;
    assert_eq!(findings::<Beside<'_>>(wrong.to_vec().leak()), ["error sums[0] checksum"]);
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big)]
struct Twins<'a> {
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.at, null = 0, len = it.len, shared, checksum(Total, it.sum))]
    values: Vec<Option<&'a [u8]>>,
}

#[test]
fn values_of_one_place_have_one_checksum_and_absent_ones_keep_theirs() {
    let entries = vec![Entry::default(), Entry::default(), Entry { sum: 5, ..Entry::default() }];
    let new = Twins { entries, values: vec![Some(b"ab"), Some(b"ab"), None] };
    let bytes = b"\x03\0\xc3\x0d\x02\0\xc3\x0d\x02\0\x05\0\0ab";
    assert_eq!(new.to_vec().unwrap(), bytes);
    kept(&Twins::parse(bytes).unwrap(), bytes);
    laws::hold::<Twins<'_>>(bytes, ());
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Outer<'a> {
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.at, len = it.len, base = start, checksum(Total, it.sum))]
    fonts: Vec<Inner<'a>>,
    #[bin(checksum(Total, over = entries))]
    sum: u16,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(origin)]
struct Inner<'a> {
    font: Font<'a>,
}

#[test]
fn checksums_of_values_with_such_checksums_are_computed_from_the_inside() {
    let inner = || Inner { font: font(vec![b"ab", b"\x07"]) };
    let new = Outer { entries: vec![Entry::default(); 2], fonts: vec![inner(), inner()], sum: 0 };
    let bytes: &[u8] = new.to_vec().unwrap().leak();
    let read = Outer::parse(bytes).unwrap();
    let total: u16 = TWO.iter().map(|byte| u16::from(*byte)).sum();
    assert_eq!((read.entries[0].sum, read.entries[1].sum), (total, total));
    assert!(Outer::validate(bytes).is_ok(), "{}", Outer::validate(bytes));
    kept(&read, bytes);
}

#[test]
fn overlapping_values_spend_the_budget_and_are_not_digested_for_ever() {
    // Every one of 80 items claims the same 9,000 bytes, with a wrong checksum.
    let mut bytes = vec![80];
    for _ in 0..80 {
        bytes.extend(b"\0\0\x01\x41\x23\x28");
    }
    bytes.resize(0x141 + 9000, 1);
    let report = Large::validate(&bytes);
    assert!(report.findings().iter().any(|finding| finding.code == "budget"), "{report}");
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Large<'a> {
    #[bin(prefix = u8)]
    entries: Vec<LargeEntry>,
    #[bin(for_each = entries, at = it.at, len = it.len, shared, checksum(Total, it.sum))]
    values: Vec<&'a [u8]>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct LargeEntry {
    sum: u16,
    at: u16,
    len: u16,
}
