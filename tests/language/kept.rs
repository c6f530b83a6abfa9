//! The tag or the magic that a variant keeps, named by the words of its fields and by what it passes on.

use binfmt_runtime::BinFormat;

use super::laws::hold;

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(args(count: u8), big)]
struct Pairs {
    #[bin(count = count)]
    pairs: Vec<(u8, u8)>,
}

/// The first byte of a value tells what it is, and how long.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(big)]
enum Packed {
    #[bin(magic = 0x00u8..=0x7f)]
    Small(u8),
    #[bin(magic = 0x80u8..=0x8f, args(count = _0 & 15))]
    Map(u8, Pairs),
    #[bin(magic = 0x90u8..=0x9f)]
    Array(u8, #[bin(count = _0 - 0x90)] Vec<u16>),
    #[bin(magic = 0xa0u8..=0xbf)]
    Text(u8, #[bin(len = _0 & 31)] String, #[bin(if = _0 & 31 > 2)] Option<u8>),
    #[bin(magic = [b"\xc0\x01", b"\xc0\x02"])]
    Marked([u8; 2], #[bin(len = second(_0))] Vec<u8>),
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "functions are given what is no number by reference"
)]
fn second(mark: &[u8; 2]) -> u8 {
    mark[1]
}

/// Kinds that a table of them tells; one is kept where several are alike.
#[derive(BinFormat, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Kind {
    End,
    Short,
    Long,
    #[bin(other)]
    Other(u8),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little, args(kind: Kind, width: u8), tag = kind)]
enum Body {
    #[bin(id = Kind::End)]
    End,
    #[bin(id = Kind::Short | Kind::Long)]
    Sized(Kind, #[bin(len = width)] Vec<u8>, #[bin(if = _0 == Kind::Long)] Option<u16>),
    #[bin(other)]
    Unknown(Kind, #[bin(calc = bits(_0))] u8, #[bin(pad_before = width)] u8),
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "functions are given what is no number by reference"
)]
fn bits(kind: &Kind) -> u8 {
    match kind {
        Kind::Other(number) => number.wrapping_mul(3),
        _ => 0,
    }
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Tagged {
    kind: Kind,
    width: u8,
    #[bin(args(kind, width))]
    body: Body,
    #[bin(prefix = u8)]
    packed: Vec<Packed>,
}

/// Files of every first byte, and of some that follow.
fn files() -> impl Iterator<Item = Vec<u8>> {
    (0..=255_u8).map(|first| [&[first, 2][..], &[7; 70][..]].concat())
}

#[test]
fn fields_and_arguments_of_a_variant_name_what_it_keeps() {
    for file in files() {
        let file: &'static [u8] = file.leak();
        let Ok((value, rest)) = Packed::parse_prefix(file) else {
            assert!(file[0] >= 0xc0, "{:x}", file[0]);
            continue;
        };
        let first = usize::from(file[0]);
        let wanted = match file[0] {
            0..=0x7f => 1,
            0x80..=0x9f => 1 + 2 * (first & 15),
            0xa0..=0xbf => 1 + (first & 31) + usize::from(first & 31 > 2),
            _ => 4,
        };
        let taken = file.len() - rest.len();
        assert_eq!(taken, wanted, "{value:?}");
        hold::<Packed>(&file[..taken], ());
        assert_eq!(value.to_vec().unwrap(), file[..taken]);
        binfmt_runtime::laws::written_is_read(&value, ()).unwrap().unwrap();
    }
}

#[test]
fn what_a_variant_keeps_of_a_tag_is_named_as_what_is_kept_of_a_magic() {
    let cases: [(Kind, Body, &[u8]); 4] = [
        (Kind::End, Body::End, &[0, 2, 0]),
        (Kind::Short, Body::Sized(Kind::Short, vec![7, 8], None), &[1, 2, 7, 8, 0]),
        (Kind::Long, Body::Sized(Kind::Long, vec![7, 8], Some(9)), &[2, 2, 7, 8, 9, 0, 0]),
        (Kind::Other(5), Body::Unknown(Kind::Other(5), 15, 1), &[5, 2, 15, 0, 0, 1, 0]),
    ];
    for (kind, body, bytes) in cases {
        let value = Tagged { kind, width: 2, body, packed: vec![] };
        assert_eq!(value.to_vec().unwrap(), bytes, "{value:?}");
        assert_eq!(Tagged::parse(bytes).unwrap(), value);
        hold::<Tagged>(bytes, ());
        for (index, byte) in (0..bytes.len()).flat_map(|index| [(index, 1), (index, 0x80)]) {
            let mut damaged = bytes.to_vec();
            damaged[index] ^= byte;
            hold::<Tagged>(&damaged, ());
        }
    }
    let body = Body::Unknown(Kind::Other(5), 0, 1);
    let value = Tagged { kind: Kind::Other(5), width: 1, body, packed: vec![Packed::Small(1)] };
    assert_eq!(value.to_vec().unwrap(), [5, 1, 15, 0, 1, 1, 1]);
}

#[test]
fn a_value_that_what_its_variant_keeps_does_not_tell_is_refused() {
    let text = |first, text: &str, more| Packed::Text(first, text.to_owned(), more);
    let cases = [
        (
            Packed::Array(0x92, vec![1]),
            "(whole value) at 0x1..0x1: the `count` of the field disagrees with its value; expected 2, found 1 [derived]",
        ),
        (
            Packed::Map(0x81, Pairs { pairs: vec![] }),
            "pairs at 0x1..0x1: the `count` of the field disagrees with its value; expected 1, found 0 [derived]",
        ),
        (
            text(0xa2, "abc", None),
            "_1 at 0x1..0x1: the `len` of the field disagrees with its value; expected 2, found 3 [derived]",
        ),
        (
            text(0xa3, "abc", None),
            "_2 at 0x4..0x4: the field disagrees with its condition; expected a value, found no value [presence]",
        ),
        (
            text(0x92, "ab", None),
            "(whole value) at 0x0..0x0: the magic is none of those of the variant; found 92 [magic]",
        ),
    ];
    for (value, message) in cases {
        assert_eq!(value.to_vec().unwrap_err().to_string(), message, "{value:?}");
    }
}
