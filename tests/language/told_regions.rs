//! Padded values whose region a number tells in units: one that grows gets the next region that the number
//! can tell.

use binfmt_runtime::{Auto, BinFormat, laws};

use super::{findings, same};

macro_rules! regions {
    ($($module:ident: $pad_to:expr $(, align_after = $align:literal)?; $sizes:expr;)*) => {$(
        mod $module {
            use super::*;

            #[derive(BinFormat, Debug, Clone, PartialEq)]
            struct Plain {
                n: u8,
                #[bin(prefix = u8, pad_to = $pad_to $(, align_after = $align)?)]
                text: String,
                #[bin(until_end)]
                rest: Vec<u8>,
            }

            #[derive(BinFormat, Debug, Clone, PartialEq)]
            struct Hidden {
                n: Auto<u8>,
                #[bin(prefix = u8, pad_to = $pad_to $(, align_after = $align)?)]
                text: Text,
                end: u8,
            }

            /// A text whose length is known when it has been written.
            #[derive(BinFormat, Debug, Clone, PartialEq)]
            struct Text {
                #[bin(until_end)]
                text: String,
            }

            #[test]
            fn new_values_have_the_least_region() {
                let sizes: &[usize] = $sizes;
                for len in 0..sizes.len() {
                    let text = "a".repeat(len);
                    let value = Plain { n: 0, text: text.clone(), rest: vec![] };
                    let bytes = value.to_vec().unwrap().leak();
                    assert_eq!(bytes.len(), sizes[len] + 1, "{text}");
                    let mut read = Plain::parse(bytes).unwrap();
                    assert_eq!(read.text, text);
                    same(&read, bytes);
                    // One that becomes shorter keeps its region.
                    read.text.clear();
                    assert_eq!(read.to_vec().unwrap().len(), bytes.len());
                    let hidden = Hidden { n: Auto::new(), text: Text { text }, end: 9 };
                    let bytes = hidden.to_vec().unwrap().leak();
                    assert_eq!(bytes.len(), sizes[len] + 2);
                    same(&hidden, bytes);
                    laws::hold::<Hidden>(bytes, ()).unwrap();
                }
            }
        }
    )*};
}

regions! {
    bytes: n; &[1, 2, 3, 4, 5];
    words: n * 4; &[4, 4, 4, 4, 8, 8];
    // As the header of a block of an xz file, which counts the byte in front.
    words_with_the_size: n * 4 - 1; &[3, 3, 3, 7, 7, 7, 7, 11];
    more: n + 8; &[8, 8, 8, 8, 8, 8, 8, 8, 9, 10];
    odd: 3 * n + 5; &[5, 5, 5, 5, 5, 8, 8, 8, 11];
    aligned: n * 6, align_after = 4; &[12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 24];
    // No multiple of four is told, so that the next region is.
    never_aligned: n * 4 - 1, align_after = 4; &[3, 3, 3, 7, 7];
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Kept {
    n: Auto<u8>,
    #[bin(prefix = u8, pad_to = n * 2)]
    text: String,
}

#[test]
fn a_validator_knows_the_region_that_a_writer_gives() {
    assert_eq!(findings::<Kept>(b"\x02\x02ab\0"), [""; 0]);
    assert_eq!(findings::<Kept>(b"\x03\x02ab\0\0\0"), ["warning n canonical"]);
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Aligned {
    n: Auto<u8>,
    #[bin(prefix = u8, pad_to = n + 9, align_after = 4)]
    text: String,
}

#[test]
fn a_region_that_is_told_is_aligned_where_one_is() {
    for (len, size) in [(0, 12), (11, 12), (12, 16)] {
        let value = Aligned { n: Auto::new(), text: "a".repeat(len) };
        let bytes = value.to_vec().unwrap().leak();
        assert_eq!((usize::from(bytes[0]) + 9, bytes.len()), (size, size + 1));
        same(&value, bytes);
    }
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Optional {
    n: u8,
    #[bin(if = n & 1 == 0, prefix = u8, pad_to = n * 4 - 1)]
    text: Option<String>,
    end: u8,
}

#[test]
fn the_number_of_an_absent_value_stays() {
    same(&Optional { n: 3, text: None, end: 9 }, b"\x03\x09");
    same(&Optional { n: 2, text: Some("a".into()), end: 9 }, b"\x02\x01a\0\0\0\0\0\x09");
}
