//! What a writer finds out of a value does not depend on where it is measured first: whether an inner value lies where
//! it is in turn follows from that.

use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Down {
    len: Auto<u16>,
    #[bin(section, len = len, grow = down)]
    space: Vec<u8>,
    at: u16,
    #[bin(at = at, place = space)]
    part: Part,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Part {
    #[bin(prefix = u8)]
    ones: Vec<One>,
    #[bin(prefix = u8)]
    inner: Vec<Inner>,
    len: Auto<u16>,
    #[bin(section = open, len = len)]
    data: Vec<u8>,
}

/// Its value is in turn where its number says so.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct One {
    at: u8,
    #[bin(at = at)]
    value: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Inner {
    at: u8,
    size: u8,
    #[bin(at = at, len = size, place = around)]
    text: String,
}

#[test]
fn values_that_do_not_fit_are_refused_for_that() {
    for ones in 0..4 {
        for at in 0..4 {
            for (place, held) in [(0, 0), (0, 8), (3, 0), (3, 8), (40, 0)] {
                let one = One { at, value: 9 };
                let text = |text: &str| Inner { at: 0, size: 0, text: text.into() };
                let part = Part {
                    ones: vec![one; ones],
                    inner: vec![text("ab"), text("abab")],
                    len: Auto::new(),
                    data: vec![],
                };
                let value = Down { len: Auto::new(), space: vec![0; held], at: place, part };
                let error = value.to_vec().unwrap_err();
                assert_eq!(error.finding().code, "space", "{value:?}: {error}");
            }
        }
    }
}
