//! Lengths of bodies that are told numbers which the writer computes.

use binfmt_runtime::{Auto, BinFormat, Leb128};

use super::{findings, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, tag = kind, args(kind: u8))]
enum Body {
    #[bin(id = 1)]
    Short(Short),
    #[bin(id = 2)]
    Long(Long),
    #[bin(id = 3)]
    Words(Words),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Short(u8);

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Long(u32);

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Words {
    #[bin(until_end)]
    words: Vec<u16>,
}

/// The length is of variable size, and stands before the number that the body is told.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Message {
    len: Auto<Leb128<u32>>,
    #[bin(calc = tag(body))]
    kind: Auto<u8>,
    #[bin(len = len, args(kind))]
    body: Body,
    after: u8,
}

fn message(body: Body) -> Message {
    Message { len: Auto::new(), kind: Auto::new(), body, after: 9 }
}

#[test]
fn a_length_of_variable_size_waits_for_what_its_body_is_told() {
    same(&message(Body::Short(Short(7))), b"\x01\x01\x07\x09");
    same(&message(Body::Long(Long(1))), b"\x04\x02\x01\0\0\0\x09");
    let long = message(Body::Words(Words { words: vec![0; 100] }));
    let bytes = long.to_vec().unwrap();
    assert_eq!((&bytes[..4], bytes.len()), (&b"\xc8\x01\x03\0"[..], 204));
    same(&long, bytes.leak());
    assert_eq!(stopped::<Message>(b"\x04\x01\x07\x09"), "len size");
    assert_eq!(findings::<Message>(b"\x81\0\x01\x07\x09"), ["warning len canonical"]);
}

/// The length of the body is asked for, too, and a number of fixed size tells it.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Measured {
    #[bin(calc = len(body) + 1)]
    more: Auto<u16>,
    #[bin(calc = len(body) + kind)]
    most: Auto<Leb128<u16>>,
    len: Auto<u16>,
    #[bin(calc = tag(body))]
    kind: Auto<u8>,
    #[bin(len = len, args(kind))]
    body: Body,
}

#[test]
fn what_is_asked_of_a_body_waits_for_what_it_is_told() {
    let measured = |body| Measured {
        more: Auto::new(),
        most: Auto::new(),
        len: Auto::new(),
        kind: Auto::new(),
        body,
    };
    same(&measured(Body::Short(Short(7))), b"\0\x02\x02\0\x01\x01\x07");
    same(&measured(Body::Long(Long(1))), b"\0\x05\x06\0\x04\x02\x01\0\0\0");
}
