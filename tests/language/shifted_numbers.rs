//! Numbers that are shifted where they are used: `n << 2` derives `n` as `n * 4` does.

use binfmt_runtime::{Auto, BinFormat, laws};

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct Sized {
    words: u8,
    #[bin(len = words << 2)]
    bytes: Vec<u8>,
}

/// The header length of IPv4 counts the four bytes in front of the options.
#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct Header {
    words: Auto<u8>,
    rest: [u8; 3],
    #[bin(len = (words << 2) - 4)]
    options: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct Branched {
    wide: bool,
    pairs: u8,
    quads: u8,
    #[bin(len = 2 + if wide { quads << 2 } else { pairs << 1 })]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(len = words << 2)]
struct Whole {
    words: u8,
    #[bin(until_end)]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Placed {
    sector: u8,
    #[bin(at = sector << 3, align_before = 8)]
    number: u32,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Table {
    count: Auto<u8>,
    #[bin(count = count)]
    words: Vec<u8>,
    #[bin(for_each = words, at = it << 2, align_before = 4)]
    numbers: Vec<u32>,
}

#[test]
fn numbers_that_are_shifted_are_derived() {
    for len in 0..=40_u8 {
        let bytes = vec![0xAA; usize::from(len)];
        let whole = |divisor: u8, first: u8| (len + first).is_multiple_of(divisor);
        let written = |fits: bool, written: Result<Vec<u8>, binfmt_runtime::Error>| match written {
            Ok(written) => assert!(fits, "{len}: {written:02x?}"),
            Err(error) => assert!(!fits && error.finding().code == "derived", "{len}: {error}"),
        };
        written(whole(4, 0), Sized { words: 0, bytes: bytes.clone() }.to_vec());
        written(whole(4, 0), Header { options: bytes.clone(), ..Header::default() }.to_vec());
        written(whole(4, 1), Whole { words: 0, bytes: bytes.clone() }.to_vec());
        for (wide, divisor) in [(false, 2), (true, 4)] {
            let value = Branched { wide, bytes: bytes.clone(), ..Branched::default() };
            written(len >= 2 && whole(divisor, divisor - 2), value.to_vec());
        }
    }
}

#[test]
fn what_they_tell_is_read_and_written_again() {
    let sized = Sized { words: 7, bytes: vec![1; 8] };
    assert_eq!(sized.to_vec().unwrap(), [2, 1, 1, 1, 1, 1, 1, 1, 1]);
    let options = Header { options: vec![1; 8], ..Header::default() };
    assert_eq!(options.to_vec().unwrap(), [3, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]);
    let placed = Placed { sector: 0, number: 7 };
    assert_eq!(placed.to_vec().unwrap(), [1, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0]);
    let table = Table { words: vec![0; 2], numbers: vec![1, 2], ..Table::default() };
    let written = table.to_vec().unwrap();
    assert_eq!(written, [2, 1, 2, 0, 1, 0, 0, 0, 2, 0, 0, 0]);
    laws::hold::<Sized>(&[2, 1, 1, 1, 1, 1, 1, 1, 1], ()).unwrap();
    laws::hold::<Placed>(&[1, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0], ()).unwrap();
    laws::hold::<Table>(&[2, 1, 2, 0, 1, 0, 0, 0, 2, 0, 0, 0], ()).unwrap();
    laws::hold::<Header>(&[3, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1], ()).unwrap();
}
