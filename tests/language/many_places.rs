//! However many places the expressions of a value ask for, and however many sections it has.

use binfmt_runtime::BinFormat;

use super::same;

macro_rules! padded {
    ($($name:ident)*) => {
        #[derive(BinFormat, Debug, Clone, PartialEq, Default)]
        struct Pages {
            page: u8,
            $(
                #[bin(prefix = u8, pad_after = align_up(end($name), page) - end($name))]
                $name: Vec<u8>,
            )*
        }
    };
}

padded! { a b c d e f g h i j k l }

#[test]
fn every_part_of_a_file_is_padded_to_a_page() {
    let text = |text: &[u8]| text.to_vec();
    let value =
        Pages { page: 4, a: text(b"abc"), f: text(b"abcdef"), l: text(b"x"), ..Pages::default() };
    let bytes = value.to_vec().unwrap().leak();
    // Those without bytes have a length, and what is left of its page.
    assert_eq!(bytes.len(), 8 + 4 * 4 + 8 + 5 * 4 + 4);
    assert_eq!(Pages::parse(bytes).unwrap(), value);
    same(&value, bytes);
}

macro_rules! sections {
    ($($len:ident $name:ident)*) => {
        #[derive(BinFormat, Debug, Clone, PartialEq)]
        struct Sections {
            $($len: u8,)*
            $(
                #[bin(section, len = $len)]
                $name: Vec<u8>,
            )*
            #[bin(at = 1, base = i, place = i)]
            last: u8,
        }
    };
}

sections! { la a lb b lc c ld d le e lf f lg g lh h li i }

#[test]
fn a_value_has_as_many_sections_as_it_needs() {
    let bytes = b"\x01\x01\x01\x01\x01\x01\x01\x01\x02abcdefghij";
    let value = Sections::parse(bytes).unwrap();
    assert_eq!((&value.i[..], value.last), (&b"ij"[..], b'j'));
    same(&value, bytes);
}
