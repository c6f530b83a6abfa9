//! Values that no word ends take what is left of their region: a writer refuses what lies behind them there,
//! for a reader would take it for a part of them.

use binfmt_runtime::{Auto, BinFormat, Blob, DefaultArgs, Deflate, Encoded, Lazy, Seq, Utf16};

use super::{refused, same};

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Number {
    number: u16,
}

/// What a value of a type with `until_end` lies in.
macro_rules! places {
    ($module:ident: $ty:ty = $value:expr) => {
        mod $module {
            use super::*;

            #[derive(BinFormat, Debug, Clone, PartialEq)]
            #[bin(little)]
            struct InSequence<'a> {
                #[bin(until_end)]
                value: $ty,
                #[bin(skip)]
                lifetime: core::marker::PhantomData<&'a ()>,
            }

            #[derive(BinFormat, Debug, Clone, PartialEq)]
            #[bin(little)]
            struct AtAnOffset<'a> {
                offset: Auto<u8>,
                #[bin(at = offset, until_end)]
                value: $ty,
                #[bin(skip)]
                lifetime: core::marker::PhantomData<&'a ()>,
            }

            #[derive(BinFormat, Debug, Clone, PartialEq)]
            #[bin(little)]
            struct InASection<'a> {
                offset: Auto<u8>,
                #[bin(section, until_end)]
                section: Vec<u8>,
                #[bin(at = offset, base = section, place = section, until_end)]
                value: $ty,
                #[bin(skip)]
                lifetime: core::marker::PhantomData<&'a ()>,
            }

            #[derive(BinFormat, Debug, Clone, PartialEq)]
            #[bin(little)]
            struct BesideAnother<'a> {
                offset: Auto<u8>,
                other_at: Auto<u8>,
                #[bin(at = offset, until_end)]
                value: $ty,
                #[bin(at = other_at)]
                other: u8,
                #[bin(skip)]
                lifetime: core::marker::PhantomData<&'a ()>,
            }

            #[test]
            fn ends_with_its_region() {
                let lifetime = core::marker::PhantomData;
                holds(InSequence { value: $value, lifetime });
                let (offset, other_at) = (Auto::new(), Auto::new());
                holds(AtAnOffset { offset, value: $value, lifetime });
                let value = InASection { offset, section: Vec::new(), value: $value, lifetime };
                // The section holds the bytes of what lies in it, when it is read.
                holds(InASection::parse(value.to_vec().unwrap().leak()).unwrap());
                let beside = BesideAnother { offset, other_at, value: $value, other: 9, lifetime };
                // It comes behind the other one, wherever it is declared.
                same(&beside, beside.to_vec().unwrap().leak());
            }
        }
    };
}

/// The value with another one behind it.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Followed<T> {
    value: T,
    last: u8,
}

/// The value in a region of its own.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct InARegion<T> {
    len: Auto<u8>,
    #[bin(len = len)]
    value: T,
    last: u8,
}

/// A value is written and read alone and in a region of its own, and nowhere else.
fn holds<T>(value: T)
where
    T: BinFormat<'static> + DefaultArgs<'static> + Clone + std::fmt::Debug + PartialEq,
    Followed<T>: BinFormat<'static> + DefaultArgs<'static>,
    InARegion<T>: BinFormat<'static> + DefaultArgs<'static> + Clone + std::fmt::Debug + PartialEq,
{
    same(&value, value.to_vec().unwrap().leak());
    let followed = Followed { value: value.clone(), last: 7 };
    assert!(refused(&followed).ends_with(" until"), "{:?}", followed.value);
    let sized = InARegion { len: Auto::new(), value, last: 7 };
    same(&sized, sized.to_vec().unwrap().leak());
}

places!(bytes: &'a [u8] = b"abc");
places!(text: &'a str = "abc");
places!(text_of_16_bits: Utf16<'a> = Utf16::from("abc"));
places!(owned: Vec<u8> = vec![1, 2]);
places!(numbers: Vec<u16> = vec![1, 2]);
places!(items: Seq<'a, Number> = Seq::from(&[Number { number: 3 }][..]));
places!(lazy: Lazy<'a, Number> = Lazy::from(&Number { number: 3 }));
places!(coded: Encoded<Deflate, Number> = Encoded::new(Number { number: 3 }));
places!(blob: Blob<'a> = Blob::from(&b"abc"[..]));

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
enum ByMagic<'a> {
    #[bin(magic = b"C")]
    Coded(Encoded<Deflate, Number>),
    #[bin(magic = b"B")]
    Blob(Blob<'a>),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, probe)]
enum ByReading {
    Coded(Encoded<Deflate, Number>),
    Number(u64),
}

#[test]
fn variants_end_with_their_region() {
    holds(ByMagic::Coded(Encoded::new(Number { number: 3 })));
    holds(ByMagic::Blob(Blob::from(&b"abc"[..])));
    holds(ByReading::Coded(Encoded::new(Number { number: 3 })));
}

/// Values that take what is left, in front of others.
#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Empty {
    first_at: Auto<u8>,
    second_at: u8,
    third_at: Auto<u8>,
    other_at: Auto<u8>,
    #[bin(at = first_at, until_end)]
    first: Vec<u8>,
    #[bin(at = second_at, until = remaining < 4)]
    second: Vec<u32>,
    #[bin(at = third_at, until_end)]
    third: Vec<u16>,
    #[bin(at = other_at)]
    other: [u8; 3],
}

/// The same in a section.
#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct EmptyInSection {
    len: Auto<u8>,
    first_at: Auto<u8>,
    second_at: u8,
    other_at: Auto<u8>,
    #[bin(section, len = len)]
    section: Vec<u8>,
    #[bin(at = first_at, base = section, place = section, until_end)]
    first: Vec<u8>,
    #[bin(at = second_at, base = section, place = section, until = remaining < 4)]
    second: Vec<u32>,
    #[bin(at = other_at, base = section, place = section)]
    other: [u8; 3],
    last: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Place {
    at: u8,
}

/// Several of them, whose places a table tells.
#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct EmptyOfTable {
    count: Auto<u8>,
    #[bin(count = count)]
    places: Vec<Place>,
    other_at: Auto<u8>,
    #[bin(for_each = places, at = it.at, until_end)]
    bodies: Vec<Vec<u8>>,
    #[bin(at = other_at)]
    other: u8,
}

#[test]
fn what_has_no_bytes_lies_where_nothing_is_left() {
    for second_at in 0..12 {
        let value = Empty { second_at, other: [7; 3], ..Empty::default() };
        let bytes = value.to_vec().unwrap().leak();
        let back = Empty::parse(bytes).unwrap();
        assert!(back.first.is_empty() && back.second.is_empty() && back.third.is_empty());
        assert_eq!(back.other, value.other);
        same(&back, bytes);
        let value =
            EmptyInSection { second_at, other: [7; 3], last: 9, ..EmptyInSection::default() };
        let bytes = value.to_vec().unwrap().leak();
        let back = EmptyInSection::parse(bytes).unwrap();
        assert!(back.first.is_empty() && back.second.is_empty());
        same(&back, bytes);
    }
    let value = EmptyOfTable {
        bodies: vec![vec![]; 2],
        places: vec![Place::default(); 2],
        other: 5,
        ..EmptyOfTable::default()
    };
    let bytes = value.to_vec().unwrap().leak();
    assert_eq!(bytes, [2, 5, 5, 4, 5]);
    same(&EmptyOfTable::parse(bytes).unwrap(), bytes);
}

#[test]
fn what_has_no_bytes_is_not_followed_either() {
    let value = Empty { other: [7; 3], ..Empty::default() };
    let followed = Followed { value, last: 7 };
    assert_eq!(refused(&followed), "value.first until");
}

/// A value that takes the rest, declared in front of what lies in front of it: single values, and those of a table.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct BehindAll {
    at: u8,
    other_at: u8,
    #[bin(prefix = u8)]
    table: Vec<Slot>,
    #[bin(at = at, until_end)]
    payload: Vec<u8>,
    #[bin(at = other_at, prefix = u8)]
    other: Vec<u8>,
    #[bin(for_each = table, at = it.at, len = it.len)]
    keys: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Slot {
    at: u8,
    len: u8,
}

#[test]
fn what_takes_the_rest_lies_behind_all_others() {
    for at in [0, 3, 9, 40] {
        for other_at in [0, 3, 20] {
            for payload in [&b""[..], b"rest"] {
                let slot = Slot { at: other_at, len: 0 };
                let value = BehindAll {
                    at,
                    other_at,
                    table: vec![slot.clone(), slot],
                    payload: payload.to_vec(),
                    other: b"o".to_vec(),
                    keys: vec![b"a".to_vec(), b"bc".to_vec()],
                };
                let bytes: &'static [u8] = value.to_vec().unwrap().leak();
                let mut read = BehindAll::parse(bytes).unwrap();
                same(&read, bytes);
                super::laws::hold::<BehindAll>(bytes, ());
                assert_eq!((&read.payload, &read.keys), (&value.payload, &value.keys));
                read.keys[0].extend(b"++");
                let grown: &'static [u8] = read.to_vec().unwrap().leak();
                let again = BehindAll::parse(grown).unwrap();
                assert_eq!((again.payload, again.keys), (read.payload, read.keys));
            }
        }
    }
}

/// Values with a padding behind them, which readers would take for a part of what takes all that is left.
macro_rules! padded {
    ($module:ident: $ty:ty, $value:expr, $($padding:tt)*) => {
        mod $module {
            use super::*;

            #[derive(BinFormat, Debug, Clone, PartialEq)]
            #[bin(little)]
            struct InSequence {
                #[bin(until_end, $($padding)*)]
                value: $ty,
            }

            #[derive(BinFormat, Debug, Clone, PartialEq)]
            #[bin(little)]
            struct AtAnOffset {
                offset: Auto<u8>,
                #[bin(at = offset, until_end, $($padding)*)]
                value: $ty,
            }

            #[derive(BinFormat, Debug, Clone, PartialEq)]
            #[bin(little)]
            struct InASection {
                len: u8,
                offset: Auto<u8>,
                #[bin(section, len = len)]
                section: Vec<u8>,
                #[bin(at = offset, place = section, until_end, $($padding)*)]
                value: $ty,
                behind: u8,
            }

            #[test]
            fn a_padding_is_no_part_of_a_value_that_takes_the_rest() {
                let value: fn(usize) -> $ty = $value;
                let mut written = 0;
                for len in 0..12 {
                    written += super::kept(&InSequence { value: value(len) });
                    written += super::kept(&AtAnOffset { offset: Auto::new(), value: value(len) });
                    let (offset, section) = (Auto::new(), Vec::new());
                    let value = value(len);
                    written += super::kept(&InASection { len: 0, offset, section, value, behind: 1 });
                }
                assert!(written > 0);
            }
        }
    };
}

/// Whether a value is written, and then read as it was.
fn kept<T>(value: &T) -> usize
where
    T: for<'b> BinFormat<'b> + for<'b> DefaultArgs<'b> + std::fmt::Debug + PartialEq,
{
    let bytes = match value.to_vec() {
        Ok(bytes) => bytes,
        Err(error) => {
            assert_eq!(error.finding().code, "until", "{value:?}: {error}");
            return 0;
        }
    };
    let read = T::parse(&bytes).unwrap_or_else(|error| panic!("{value:?} {bytes:?}: {error}"));
    // All but the lengths, which are computed.
    let items = |value: &T| format!("{value:?}").rsplit("value: ").next().map(str::to_owned);
    assert_eq!(items(&read), items(value), "{bytes:?}");
    1
}

padded!(aligned_bytes: Vec<u8>, |len| vec![7; len], align_after = 4);
padded!(aligned_text: String, |len| "a".repeat(len), align_after = 2);
padded!(aligned_items: Vec<Number>, |len| vec![Number { number: 7 }; len], align_after = 8);
