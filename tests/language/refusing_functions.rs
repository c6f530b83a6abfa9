//! Functions of the user that refuse a number which the writer computes: what the value holds in its place is refused
//! for nothing, for it is not what they are given in the end.

use binfmt_runtime::{BinFormat, Codec, CodecError, Cursor, Encoded, Fault, Output, Show, Writer};

use super::arguments_of_old_numbers::written;

/// A key, of which there is none below 3 and none above 200.
fn key(number: u16) -> Option<u8> {
    u8::try_from(number).ok().filter(|key| (3..=200).contains(key))
}

fn shown(stored: u8, number: u16) -> Option<u8> {
    Some(stored ^ key(number)?)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "a conversion takes a reference")]
fn stored(shown: &u8, number: u16) -> Option<u8> {
    Some(shown ^ key(number)?)
}

/// It has the keys 1 and 2, too: how much it would write is not known where it refuses a number.
mod by_hand {
    use super::*;

    pub(super) fn read(cur: &mut Cursor<'_>, number: u16) -> Result<u8, Fault> {
        let byte = cur.take(1).and_then(|bytes| bytes.first()).ok_or(Fault::at(0))?;
        let key = u8::try_from(number).ok().filter(|key| (1..=200).contains(key));
        Ok(byte ^ key.ok_or(Fault::at(0))?)
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "it is given a reference")]
    pub(super) fn write(shown: &u8, out: &mut Writer<'_>, number: u16) -> Result<(), Fault> {
        match u8::try_from(number) {
            Ok(key @ 1..=200) => out.put(&[shown ^ key]),
            _ => Err(out.fail("key", format_args!("no key"), Show::Nothing, Show::Nothing)),
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Keyed(u16);

impl Codec for Keyed {
    const NAME: &'static str = "Keyed";

    fn decode(&self, coded: &[u8], out: &mut Output<'_>) -> Result<usize, CodecError> {
        let key = key(self.0).ok_or_else(|| CodecError::at(0, "there is no such key"))?;
        coded.iter().try_for_each(|byte| out.put(&[byte ^ key]))?;
        Ok(coded.len())
    }

    fn encode(&self, decoded: &[u8], coded: &mut Vec<u8>) -> Result<(), CodecError> {
        let key = key(self.0).ok_or_else(|| CodecError::at(0, "there is no such key"))?;
        coded.extend(decoded.iter().map(|byte| byte ^ key));
        Ok(())
    }
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Inside {
    byte: u8,
}

/// All three of them, given a number of the value around them.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(number: u16))]
struct Three {
    #[bin(map(u8, shown, stored), args(number))]
    mapped: u8,
    #[bin(with = by_hand, args(number))]
    by_hand: u8,
    #[bin(len = 1, codec = Keyed(number))]
    coded: Encoded<Keyed, Inside>,
}

fn three() -> Three {
    Three { mapped: 1, by_hand: 2, coded: Inside { byte: 4 }.into() }
}

/// The number is a place,
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct OfAPlace {
    at: u16,
    #[bin(args(number = at))]
    three: Three,
    #[bin(at = at)]
    behind: u8,
}

/// the length of the type,
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, len = size)]
struct OfALength {
    size: u16,
    #[bin(args(number = size))]
    three: Three,
    #[bin(until_end)]
    rest: Vec<u8>,
}

/// or stands in an item.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct OfItems {
    #[bin(prefix = u8)]
    table: Vec<u16>,
    #[bin(for_each = table, at = it, args(number = it))]
    values: Vec<Three>,
}

#[test]
fn what_they_refuse_of_an_old_number_stops_no_writer() {
    for old in [0, 1, 4, 5] {
        let value = OfAPlace { at: old, three: three(), behind: 7 };
        written(&value, &[5, 0, 1 ^ 5, 2 ^ 5, 4 ^ 5, 7]);
        let value = OfItems { table: vec![old; 2], values: vec![three(), three()] };
        written(&value, &[2, 5, 0, 8, 0, 1 ^ 5, 2 ^ 5, 4 ^ 5, 1 ^ 8, 2 ^ 8, 4 ^ 8]);
    }
    for old in [0, 1, 5, 255, 256, u16::MAX] {
        let value = OfALength { size: old, three: three(), rest: vec![9] };
        written(&value, &[6, 0, 1 ^ 6, 2 ^ 6, 4 ^ 6, 9]);
    }
}

/// What they refuse of the number that is written is an error, at its path.
macro_rules! refused {
    ($name:ident, $words:meta, $ty:ty, $value:expr, $code:literal) => {
        #[test]
        fn $name() {
            #[derive(BinFormat, Debug, Clone, PartialEq)]
            #[bin(len = size)]
            struct Around {
                size: u8,
                #[$words]
                value: $ty,
                #[bin(until_end)]
                rest: Vec<u8>,
            }
            let value = |size, len| Around { size, value: $value, rest: vec![0; len] };
            for size in [0, 2, 3, 9, 252] {
                assert_eq!(value(size, 1).to_vec().unwrap().len(), 3);
                let error = value(size, 250).to_vec().unwrap_err();
                let finding = error.finding();
                assert_eq!((finding.path.as_str(), finding.code), ("value", $code), "{error}");
                assert!(value(size, 250).encoded_len().is_err());
                assert!(value(size, 250).write_to(std::io::sink()).is_err());
            }
        }
    };
}

refused!(a_mapped_value, bin(map(u8, shown, stored), args(size)), u8, 1, "map");
refused!(a_value_by_hand, bin(with = by_hand, args(size)), u8, 1, "key");
refused!(
    a_coded_value,
    bin(len = 1, codec = Keyed(size)),
    Encoded<Keyed, Inside>,
    Inside { byte: 1 }.into(),
    "codec"
);
