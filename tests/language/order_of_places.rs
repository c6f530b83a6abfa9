//! Located values with numbers of variable length inside, whose order changes while their places are found.

use binfmt_runtime::{Auto, BinFormat, Leb128};

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Rest {
    #[bin(until_end)]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Table {
    #[bin(prefix = u8)]
    at: Vec<Leb128<u16>>,
    #[bin(for_each = at, at = it, prefix = u8)]
    values: Vec<Vec<u8>>,
}

/// The places of both are stored, and the second one has a prefix of variable length.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct TableAndRest {
    a: Leb128<u16>,
    b: Leb128<u16>,
    #[bin(at = a)]
    table: Table,
    #[bin(at = b, prefix = Leb128<u16>)]
    rest: Rest,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Pointed {
    at: Auto<Leb128<u16>>,
    #[bin(at = at, len = 1)]
    value: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct PointedAndRest {
    a: Leb128<u16>,
    b: Leb128<u16>,
    #[bin(at = a)]
    pointed: Pointed,
    #[bin(at = b, prefix = Leb128<u16>)]
    rest: Rest,
}

/// The same in a section.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct InSection {
    a: u16,
    b: u16,
    len: Auto<Leb128<u16>>,
    #[bin(section, len = len)]
    section: Vec<u8>,
    #[bin(at = a, place = section, prefix = Leb128<u16>)]
    first: Rest,
    #[bin(at = b, place = section, prefix = Leb128<u16>)]
    second: Rest,
}

/// Offsets 0 and from 1 to 300, lengths around where a number gets a byte longer: drawn with a fixed seed.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % end
    }

    fn offset(&mut self) -> u16 {
        if self.below(2) == 0 { 0 } else { u16::try_from(self.below(300)).unwrap() }
    }

    fn bytes(&mut self) -> Vec<u8> {
        let len = match self.below(3) {
            0 => self.below(4),
            1 => 120 + self.below(12),
            _ => self.below(200),
        };
        vec![7; usize::try_from(len).unwrap()]
    }

    fn rest(&mut self) -> Rest {
        Rest { bytes: self.bytes() }
    }
}

/// What is written is read with the same content, without an error, and written again to the same bytes; all
/// outputs agree.
macro_rules! holds {
    ($type:ty, $value:expr, |$read:ident| $content:expr) => {{
        let value: $type = $value;
        let bytes = value.to_vec().unwrap_or_else(|error| panic!("{value:?}: {error}"));
        let mut streamed = Vec::new();
        value.write_to(&mut streamed).unwrap();
        assert_eq!(bytes, streamed, "{value:?}");
        assert_eq!(value.encoded_len(), Ok(bytes.len() as u64), "{value:?}");
        let read = <$type>::parse(&bytes).unwrap_or_else(|error| panic!("{value:?}: {error}"));
        let content = |$read: &$type| $content;
        assert_eq!(content(&read), content(&value), "{value:?}");
        assert!(<$type>::validate(&bytes).is_ok(), "{value:?}");
        assert_eq!(read.to_vec().as_ref(), Ok(&bytes), "{value:?}");
    }};
}

#[test]
fn numbers_belong_to_their_values_in_whatever_order_they_lie() {
    let mut draw = Draw(1);
    for _ in 0..600 {
        let (a, b) = (draw.offset(), draw.offset());
        let at: Vec<Leb128<u16>> = (0..draw.below(9)).map(|_| Leb128::new(draw.offset())).collect();
        let values = at.iter().map(|_| draw.bytes()).collect();
        let value = TableAndRest {
            a: Leb128::new(a),
            b: Leb128::new(b),
            table: Table { at, values },
            rest: draw.rest(),
        };
        holds!(TableAndRest, value, |read| (read.table.values.clone(), read.rest.clone()));
        let pointed = Pointed { at: Auto::new(), value: vec![1] };
        let value =
            PointedAndRest { a: Leb128::new(a), b: Leb128::new(b), pointed, rest: draw.rest() };
        holds!(PointedAndRest, value, |read| (read.pointed.value.clone(), read.rest.clone()));
        let (first, second) = (draw.rest(), draw.rest());
        let value = InSection { a, b, len: Auto::new(), section: vec![], first, second };
        holds!(InSection, value, |read| (read.first.clone(), read.second.clone()));
    }
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Tail {
    at: Auto<Leb128<u16>>,
    #[bin(at = at)]
    last: u8,
    #[bin(prefix = Leb128<u16>)]
    body: Body,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Body {
    at: u8,
    #[bin(at = at, prefix = u8)]
    bytes: Vec<u8>,
}

/// The first pass takes the place of the tail for a byte, with which the length of the body needs two.
#[test]
fn a_number_gets_shorter_when_the_one_in_front_has_its_length() {
    let mut file = vec![130, 1, 127, 4, 125];
    file.extend([1; 125]);
    file.push(9);
    assert!(Tail::validate(&file).findings().is_empty());
    assert_eq!(Tail::parse(&file).unwrap().to_vec(), Ok(file));
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct TwoBases {
    a: Leb128<u16>,
    b: Leb128<u16>,
    n: Auto<Leb128<u16>>,
    #[bin(section, len = n)]
    section: Vec<u8>,
    #[bin(at = a, place = section, len = 127)]
    x: Vec<u8>,
    #[bin(at = b, base = section, place = section)]
    y: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Prefixed {
    #[bin(prefix = Leb128<u16>)]
    inside: Inside,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Inside {
    n: Leb128<u16>,
    o: u8,
    t: u8,
    #[bin(section, len = n)]
    section: Vec<u8>,
    #[bin(at = o, place = section)]
    x: Pointer,
    #[bin(at = t, base = section, place = section, prefix = u8)]
    y: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Pointer {
    i: u8,
    #[bin(at = i)]
    b: u8,
}

/// Until the length is known that no value keeps, two values seem to lie in one place.
#[test]
fn numbers_stay_as_long_as_they_were_while_other_lengths_are_found() {
    let mut file = vec![4, 127, 0x80, 1];
    file.extend([9; 127]);
    file.push(7);
    assert!(TwoBases::validate(&file).findings().is_empty());
    assert_eq!(TwoBases::parse(&file).unwrap().to_vec(), Ok(file));
    let mut file = vec![0x82, 1, 0x7f, 5, 2, 6, 9, 124];
    file.extend([5; 124]);
    assert!(Prefixed::validate(&file).findings().is_empty());
    assert_eq!(Prefixed::parse(&file).unwrap().to_vec(), Ok(file));
}
