//! Numbers of variable length that no value keeps: what is found out before their lengths are known is forgotten.

use binfmt_runtime::{Auto, BinFormat, Leb128};

/// The place of `last` is found out behind everything, and is a number that no value keeps: until its length is
/// known, all else lies elsewhere.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Late {
    to: Auto<Leb128<u16>>,
    name: [u8; 2],
    #[bin(prefix = u8)]
    rows: Vec<LateRow>,
    size: u16,
    at: u16,
    #[bin(section = open, len = size)]
    area: Vec<u8>,
    #[bin(at = to, prefix = u8)]
    last: Vec<u8>,
    #[bin(for_each = rows, len = it.size, at = start(name) + it.at)]
    bodies: Vec<Vec<u8>>,
    #[bin(at = at, place = area)]
    around: LateAround,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct LateRow {
    at: Leb128<u16>,
    size: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct LateAround {
    to: u8,
    #[bin(at = to, place = around, base = file, nul)]
    text: String,
}

fn late([first, second, to, at]: [u16; 4], sizes: [usize; 2]) -> Late {
    let row = |at| LateRow { at: Leb128::new(at), size: 0 };
    Late {
        to: Auto::new(),
        name: *b"ab",
        rows: vec![row(first), row(second)],
        size: 0,
        at,
        area: vec![7; 3],
        last: vec![1],
        bodies: sizes.map(|size| vec![9; size]).to_vec(),
        around: LateAround { to: u8::try_from(to).unwrap(), text: "t".into() },
    }
}

#[test]
fn what_was_read_lies_where_it_lay_whatever_its_last_place_needs() {
    let mut written = 0;
    for first in [0, 1, 19, 40, 83, 128] {
        for (second, to) in [(0, 0), (19, 12), (19, 14), (60, 11), (90, 13), (130, 0), (300, 12)] {
            for (at, sizes) in
                [(0, [10, 62]), (13, [62, 10]), (14, [62, 62]), (15, [3, 120]), (12, [0, 0])]
            {
                let Ok(bytes) = late([first, second, to, at], sizes).to_vec() else { continue };
                let read = Late::parse(&bytes).unwrap();
                let again = read.to_vec().unwrap();
                written += 1;
                assert!(
                    again == bytes || again.len() < bytes.len(),
                    "{read:?}\n{bytes:x?}\n{again:x?}"
                );
            }
        }
    }
    assert!(written > 100, "{written}");
}
