//! Numbers in encodings of their own: big-endian groups of seven bits, lengths that say their
//! length, octal text, decimal digits, signs in the lowest bit.

use binfmt_runtime::{Auto, BinFormat, Coded, Decoded, Encoding, Undecodable};

use super::{findings, kept, refused, same, stopped};

/// Seven bits a byte, the highest first, as in MIDI; four bytes at most.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Vlq;

impl Encoding for Vlq {
    type Wide = u64;
    type Form = u8;
    const NAME: &'static str = "Vlq";
    const FORM: u8 = 1;
    const MOST: u8 = 4;

    fn decode(bytes: &[u8]) -> Result<Decoded<Self>, Undecodable> {
        let mut number = 0;
        for (byte, len) in bytes.iter().take(4).zip(1..) {
            number = number << 7 | u64::from(byte & 0x7f);
            if byte & 0x80 == 0 {
                return Ok(Decoded { number, len, form: len });
            }
        }
        Err(if bytes.len() < 4 { Undecodable::Short } else { Undecodable::Malformed(4) })
    }

    fn encode(number: u64, form: u8, bytes: &mut [u8; 16]) -> Option<u8> {
        let needed = (1..=4).find(|len| number >> (7 * len) == 0)?;
        let len = needed.max(form);
        for (byte, at) in bytes.iter_mut().zip((0..len).rev()) {
            let more = if at == 0 { 0 } else { 0x80 };
            *byte = u8::try_from(number >> (7 * at) & 0x7f).ok()? | more;
        }
        Some(len)
    }

    fn padded(_: u8, len: u8) -> u8 {
        len
    }
}

/// Octal digits and a NUL, in a width; spaces and NULs around the digits are read, too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Octal<const N: usize>;

impl<const N: usize> Encoding for Octal<N> {
    type Wide = u64;
    /// The bytes as they are stored.
    type Form = Option<[u8; N]>;
    const NAME: &'static str = "Octal";
    const FORM: Option<[u8; N]> = None;
    const LEAST: usize = N;
    #[expect(clippy::cast_possible_truncation, reason = "numbers have at most 16 bytes")]
    const MOST: u8 = N as u8;

    fn decode(bytes: &[u8]) -> Result<Decoded<Self>, Undecodable> {
        let stored = *bytes.first_chunk::<N>().ok_or(Undecodable::Short)?;
        let malformed = Undecodable::Malformed(Self::MOST);
        let text = std::str::from_utf8(&stored).map_err(|_| malformed)?;
        let digits = text.trim_matches([' ', '\0']);
        let number = u64::from_str_radix(digits, 8).map_err(|_| malformed)?;
        Ok(Decoded { number, len: Self::MOST, form: Some(stored) })
    }

    fn encode(number: u64, form: Option<[u8; N]>, bytes: &mut [u8; 16]) -> Option<u8> {
        if let Some(stored) = form
            && Self::decode(&stored).is_ok_and(|other| other.number == number)
        {
            bytes[..N].copy_from_slice(&stored);
            return Some(Self::MOST);
        }
        let text = format!("{number:0width$o}\0", width = N - 1);
        bytes.get_mut(..N)?.copy_from_slice(text.as_bytes().get(..N).filter(|_| text.len() == N)?);
        Some(Self::MOST)
    }
}

/// Four decimal digits in two bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bcd;

impl Encoding for Bcd {
    type Wide = u64;
    type Form = ();
    const NAME: &'static str = "Bcd";
    const FORM: () = ();
    const LEAST: usize = 2;
    const MOST: u8 = 2;

    fn decode(bytes: &[u8]) -> Result<Decoded<Self>, Undecodable> {
        let [high, low] = *bytes.first_chunk::<2>().ok_or(Undecodable::Short)?;
        let digits = [high >> 4, high & 15, low >> 4, low & 15];
        if digits.iter().any(|digit| *digit > 9) {
            return Err(Undecodable::Malformed(2));
        }
        let number = digits.iter().fold(0, |number, digit| number * 10 + u64::from(*digit));
        Ok(Decoded { number, len: 2, form: () })
    }

    fn encode(number: u64, (): (), bytes: &mut [u8; 16]) -> Option<u8> {
        let digit = |unit: u64| u8::try_from(number / unit % 10).ok();
        bytes[0] = digit(1000)? << 4 | digit(100)?;
        bytes[1] = digit(10)? << 4 | digit(1)?;
        (number < 10_000).then_some(2)
    }
}

/// A byte whose lowest bit is the sign.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Zigzag;

impl Encoding for Zigzag {
    type Wide = i64;
    type Form = ();
    const NAME: &'static str = "Zigzag";
    const FORM: () = ();
    const MOST: u8 = 1;

    fn decode(bytes: &[u8]) -> Result<Decoded<Self>, Undecodable> {
        let byte = i64::from(*bytes.first().ok_or(Undecodable::Short)?);
        Ok(Decoded { number: byte >> 1 ^ -(byte & 1), len: 1, form: () })
    }

    fn encode(number: i64, (): (), bytes: &mut [u8; 16]) -> Option<u8> {
        bytes[0] = u8::try_from(number << 1 ^ number >> 63).ok()?;
        Some(1)
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Plain {
    first: Coded<Vlq, u32>,
    octal: Coded<Octal<4>, u16>,
    digits: Coded<Bcd, u16>,
    signed: Coded<Zigzag, i8>,
    many: [Coded<Vlq, u8>; 2],
}

fn plain() -> Plain {
    Plain {
        first: Coded::new(300),
        octal: Coded::new(0o17),
        digits: Coded::new(1984),
        signed: Coded::new(-3),
        many: [Coded::new(1), Coded::new(200)],
    }
}

#[test]
fn numbers_are_read_and_written_in_their_encoding() {
    same(&plain(), b"\x82\x2c017\0\x19\x84\x05\x01\x81\x48");
    let tree = Plain::inspect(b"\x82\x2c017\0\x19\x84\x05\x01\x81\x48");
    assert_eq!(tree.root.children[3].value, Some(binfmt_runtime::NodeValue::Int(-3)));
    assert_eq!((tree.root.children[0].start, tree.root.children[0].end), (0, 2));
}

#[test]
fn bytes_that_are_no_number_stop_a_reader() {
    for (bytes, stop) in [
        (&b"\x82"[..], "first end"),
        (b"\x82\x82\x82\x82\x01", "first value"),
        (b"\x01018\0", "octal value"),
        (b"\x01017\0\x1a\x00", "digits value"),
        (b"\x01017\0\x19\x84\x05\x01\x82\x00", "many[1] value"),
    ] {
        assert_eq!(stopped::<Plain>(bytes), stop);
    }
}

#[test]
fn numbers_that_an_encoding_has_not_are_refused() {
    assert_eq!(refused(&Plain { first: Coded::new(1 << 28), ..plain() }), "first overflow");
    assert_eq!(refused(&Plain { digits: Coded::new(10_000), ..plain() }), "digits overflow");
    assert_eq!(refused(&Plain { octal: Coded::new(0o1000), ..plain() }), "octal overflow");
}

#[test]
fn another_form_is_reported_and_kept() {
    let bytes = b"\x80\x82\x2c 17 \x19\x84\x05\x80\x01\x81\x48";
    let all = ["warning first overlong", "warning octal canonical", "warning many[0] overlong"];
    assert_eq!(findings::<Plain>(bytes), all);
    let mut value = Plain::parse(bytes).unwrap();
    assert_eq!(value, plain());
    assert_eq!(value.to_vec().unwrap(), bytes);
    // Another number in the place of one has its length, but not its text.
    value.first = Coded::new(5).padded(3);
    value.octal = Coded::new(1);
    assert_eq!(value.to_vec().unwrap()[..7], *b"\x80\x80\x05001\0");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, len = total)]
struct Derived {
    total: Auto<Coded<Vlq, u32>>,
    len: Auto<Coded<Octal<4>, u16>>,
    count: Coded<Vlq, u16>,
    kind: Coded<Bcd, u16>,
    at: Auto<Coded<Vlq, u32>>,
    #[bin(len = len)]
    text: String,
    #[bin(count = count)]
    list: Vec<u16>,
    #[bin(prefix = Coded<Vlq, u32>)]
    named: Vec<u8>,
    #[bin(if = kind == 12 && count > 1)]
    more: Option<u8>,
    #[bin(args(kind))]
    body: Body,
    #[bin(at = at, prefix = Coded<Octal<2>, u8>)]
    far: Vec<Coded<Zigzag, i64>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(tag = kind, args(kind: u16))]
enum Body {
    #[bin(id = 12)]
    Dozen(u8),
    #[bin(other)]
    Other(u16),
}

#[test]
fn they_are_derived_like_others() {
    let value = Derived {
        total: Auto::new(),
        len: Auto::new(),
        count: Coded::new(0),
        kind: Coded::new(12),
        at: Auto::new(),
        text: "text".into(),
        list: vec![1, 2],
        named: vec![9; 3],
        more: Some(1),
        body: Body::Dozen(7),
        far: vec![Coded::new(-1), Coded::new(2)],
    };
    let bytes = value.to_vec().unwrap();
    let expected = b"\x1b004\0\x02\0\x12\x17text\x01\0\x02\0\x03\x09\x09\x09\x01\x072\0\x01\x04";
    assert_eq!(bytes, expected);
    let read = Derived::parse(&bytes).unwrap();
    assert_eq!(read.count.get(), 2);
    same(&Derived { count: Coded::new(2), ..value.clone() }, bytes.leak());
    // A length that needs another byte moves what is behind it.
    let long = Derived { named: vec![5; 200], count: Coded::new(2), ..value };
    kept(&long, long.to_vec().unwrap().leak());
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Table {
    #[bin(prefix = Coded<Vlq, u16>)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.at, len = it.len)]
    bodies: Vec<Vec<u8>>,
    #[bin(unique, sorted_by = it)]
    order: [Coded<Bcd, u16>; 3],
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little)]
struct Entry {
    at: u16,
    len: u8,
    kind: u8,
}

#[test]
fn they_stand_beside_located_values() {
    let entry = |at, len| Entry { at, len, kind: 1 };
    let value = Table {
        entries: vec![entry(15, 2), entry(17, 1)],
        bodies: vec![vec![1, 2], vec![3]],
        order: [Coded::new(1), Coded::new(20), Coded::new(300)],
    };
    same(&value, b"\x02\x0f\0\x02\x01\x11\0\x01\x01\0\x01\0\x20\x03\0\x01\x02\x03");
    let shuffled = Table { order: [Coded::new(2), Coded::new(1), Coded::new(3)], ..value };
    assert_eq!(refused(&shuffled), "order[1] Table.order.sorted_by");
}
