//! A value whose numbers are others each time that it is written is refused at the first of them, and what writes it
//! is told.

use binfmt_runtime::{BinFormat, Error};

/// Entries, and behind them offsets, which end with the section: its length is what it was read with.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Block {
    #[bin(section, len = remaining - 1)]
    data: Vec<u8>,
    num: u8,
    #[bin(at = 0, base = data, place = data, len = len(data) - 4 * num)]
    entries: Entries,
    #[bin(at = len(data) - 4 * num, base = data, place = data, count = num)]
    offsets: Vec<u32>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Entries {
    #[bin(until_end)]
    items: Vec<Entry>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Entry {
    len: u8,
    #[bin(len = len)]
    data: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct File {
    title: [u8; 2],
    block: Block,
}

fn block() -> Block {
    let mut block = Block::parse(b"\x02aa\x01\0ccccdddd\x02").unwrap();
    block.entries.items[0] = Entry { len: 1, data: vec![b'a'] };
    block
}

fn refused(error: &Error, path: &str) {
    let finding = error.finding();
    assert_eq!((finding.path.as_str(), finding.code), (path, "unsettled"), "{error}");
    assert!(error.to_string().contains("`compact()` writes it without"), "{error}");
}

#[test]
fn the_first_number_that_does_not_stay_is_named() {
    let block = block();
    refused(&block.to_vec().unwrap_err(), "offsets");
    assert_eq!(block.compact().to_vec().unwrap(), b"\x01a\x01\0ccccdddd\x02");
    let file = File { title: *b"ab", block };
    refused(&file.to_vec().unwrap_err(), "block.offsets");
    refused(&file.encoded_len().unwrap_err(), "block.offsets");
    let mut out = Vec::new();
    let error = file.write_to(&mut out).unwrap_err();
    assert!(error.to_string().starts_with("block.offsets at "), "{error}");
    assert!(out.is_empty(), "nothing is written");
    assert_eq!(file.compact().to_vec().unwrap(), b"ab\x01a\x01\0ccccdddd\x02");
}
