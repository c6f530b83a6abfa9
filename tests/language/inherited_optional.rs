//! Values that may be absent and begin with a number in the byte order of the value around.

use binfmt_runtime::{BinFormat, laws};

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(endian = inherit)]
enum Kind {
    #[bin(magic = 0x0102_u16)]
    Number(u8),
    #[bin(magic = 0x0304_u16)]
    Nothing,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(endian = inherit, magic = 0x0506_u16)]
struct Head {
    number: u16,
}

/// A type around both, which has no order of its own.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(endian = inherit)]
struct Both {
    #[bin(optional)]
    kind: Option<Kind>,
    #[bin(optional)]
    head: Option<Head>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Big {
    both: Both,
    #[bin(optional)]
    kind: Option<Kind>,
    #[bin(until_end)]
    rest: Vec<u8>,
}

/// A file that tells its order.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(endian = magic, magic = [0xfeff_u16])]
struct Either {
    #[bin(magic)]
    mark: [u8; 2],
    both: Both,
    #[bin(until_end)]
    rest: Vec<u8>,
}

#[test]
fn swapped_bytes_are_no_magic() {
    let read = Big::parse(b"\x02\x01\x07").unwrap();
    assert_eq!((read.both.kind.as_ref(), read.kind.as_ref()), (None, None));
    for file in [
        &b"\x02\x01\x07"[..],
        b"\x01\x02\x09\x06\x05",
        b"\x03\x04\x05\x06\x00\x07\x01\x02\x05x",
        b"\x04\x03",
    ] {
        laws::hold::<Big>(file, ()).unwrap();
        assert_eq!(Big::parse(file).unwrap().to_vec().unwrap(), file);
    }
    let absent = Both { kind: None, head: None };
    for (rest, is_written) in [(b"\x02\x01", true), (b"\x01\x02", false), (b"\x04\x03", true)] {
        let big = Big { both: absent.clone(), kind: None, rest: rest.into() };
        assert_eq!(laws::written_is_read(&big, ()).unwrap().is_ok(), is_written, "{rest:?}");
    }
}

#[test]
fn the_order_of_the_file_decides() {
    for file in [
        &b"\xff\xfe\x02\x01\x07"[..],
        b"\xfe\xff\x02\x01\x07",
        b"\xff\xfe\x01\x02\x07",
        b"\xfe\xff\x01\x02\x07\x05\x06\0\x01",
    ] {
        laws::hold::<Either>(file, ()).unwrap();
        assert_eq!(Either::parse(file).unwrap().to_vec().unwrap(), file);
    }
    assert_eq!(Either::parse(b"\xff\xfe\x02\x01\x07").unwrap().both.kind, Some(Kind::Number(7)));
    assert_eq!(Either::parse(b"\xfe\xff\x02\x01\x07").unwrap().both.kind, None);
}
