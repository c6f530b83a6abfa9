//! Variants that magics or arguments tell are read from a stream as soon as their bytes have come, and one whose magic
//! is cut short waits for more.

use std::io::{self, ErrorKind, Read};

use binfmt_runtime::{BinFormat, Class, Stream};

/// A few kinds of `MessagePack`, of which arrays hold others.
#[derive(BinFormat, Debug, Clone, PartialEq)]
enum Pack {
    #[bin(magic = 0xc0u8)]
    Nil,
    #[bin(magic = 0x00u8..=0x7fu8)]
    Small(u8),
    #[bin(magic = 0xcdu8)]
    Word(Word),
    #[bin(magic = 0xd9u8)]
    Text {
        #[bin(prefix = u8)]
        text: String,
    },
    #[bin(magic = 0xdcu8)]
    Array {
        #[bin(prefix = u8)]
        items: Vec<Self>,
    },
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Word(u16);

/// Magics of several lengths, and a variant that an argument tells.
#[derive(BinFormat, Debug, Clone, PartialEq)]
enum Chunk {
    #[bin(magic = b"HEAD")]
    Head {
        kind: u8,
        #[bin(args(kind))]
        body: Body,
    },
    #[bin(magic = b"E")]
    End,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, tag = kind, args(kind: u8))]
enum Body {
    #[bin(id = 1)]
    Long(u32),
    #[bin(other)]
    Pair(u8, [u8; 2]),
}

/// Numbers in the order of the value around.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Around(Ordered);

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(endian = inherit)]
enum Ordered {
    #[bin(magic = 0x0102u16)]
    One(u16),
    #[bin(magic = 0x0103u16)]
    Other,
}

/// A source that has no more, and does not end.
struct Waits;

impl Read for Waits {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::new(ErrorKind::WouldBlock, "nothing has come yet"))
    }
}

/// All values in `bytes` are read from a stream that goes on behind them; each cut of one waits for more.
fn comes_at_once<T>(bytes: &[u8], count: usize)
where
    T: for<'a> BinFormat<'a> + for<'a> binfmt_runtime::DefaultArgs<'a> + std::fmt::Debug,
{
    let mut stream = Stream::new(bytes.chain(Waits));
    for _ in 0..count {
        stream.read::<T>().unwrap();
    }
    assert!(stream.buffered().is_empty());
    let (_, rest) = T::parse_prefix(bytes).unwrap();
    for cut in 0..bytes.len() - rest.len() {
        let error = T::parse_prefix(&bytes[..cut]).unwrap_err();
        assert_eq!(error.class(), Class::Incomplete, "{cut}: {error}");
        let mut stream = Stream::new(bytes[..cut].chain(Waits));
        assert_eq!(stream.read::<T>().unwrap_err().kind(), ErrorKind::WouldBlock);
    }
}

#[test]
fn variants_are_there_when_their_bytes_have_come() {
    comes_at_once::<Pack>(b"\xdc\x03\x05\xcd\x01\x02\xdc\x01\xd9\x02hi\xc0\x7f", 3);
    comes_at_once::<Chunk>(b"HEAD\x01\x01\x02\x03\x04HEAD\x07abE", 3);
    comes_at_once::<Around>(b"\x01\x02\0\x05\x01\x03", 2);
}

#[test]
fn what_begins_no_magic_is_refused_at_once() {
    for (bytes, found) in [(&b"X"[..], "58"), (b"HX", "48 58"), (b"HEAX", "48 45 41 58")] {
        let error = Chunk::parse_prefix(bytes).unwrap_err();
        assert_eq!((error.class(), error.finding().code), (Class::Malformed, "variant"));
        assert!(error.to_string().contains(&format!("found {found}")), "{error}");
        assert_eq!(
            Stream::new(bytes.chain(Waits)).read::<Chunk>().unwrap_err().kind(),
            ErrorKind::InvalidData
        );
    }
    for bytes in [b"\x01\x04", b"\x02\x01"] {
        assert_eq!(Around::parse_prefix(bytes).unwrap_err().class(), Class::Malformed);
    }
    assert_eq!(Around::parse_prefix(b"\x02").unwrap_err().class(), Class::Malformed);
}

/// What could still become another variant waits for the end of the stream.
#[derive(BinFormat, Debug, Clone, PartialEq)]
enum Longer {
    #[bin(magic = b"LONG")]
    Long,
    #[bin(magic = b"L")]
    Short,
}

#[test]
fn a_magic_that_begins_another_one_waits_for_the_end() {
    assert_eq!(Stream::new(&b"L"[..]).read::<Longer>().unwrap(), Longer::Short);
    let error = Stream::new(b"L".chain(Waits)).read::<Longer>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WouldBlock);
}
