//! Values that end with their section: their places count from its length, or from the number that tells it.

use std::fmt::Debug;

use binfmt_runtime::{BinFormat, DefaultArgs, Wire, laws};

/// Two of them, one in front of the other.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Two {
    #[bin(section, len = remaining - 2)]
    data: Vec<u8>,
    last_len: u8,
    first_len: u8,
    #[bin(at = len(data) - last_len, base = data, place = data, len = last_len)]
    last: String,
    #[bin(at = len(data) - last_len - first_len, base = data, place = data, len = first_len)]
    first: String,
}

/// The number tells the length of the section, and a value with an offset lies there, too.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Told {
    len: u8,
    #[bin(section, len = len)]
    data: Vec<u8>,
    at: u8,
    footer_len: u8,
    #[bin(at = at, base = data, place = data, nul)]
    first: String,
    #[bin(at = len - footer_len, base = data, place = data, len = footer_len)]
    last: String,
}

/// The same in units.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct InUnits {
    units: u8,
    #[bin(section, len = units * 4)]
    data: Vec<u8>,
    at: u8,
    footer_len: u8,
    #[bin(at = at, base = data, place = data, nul)]
    first: String,
    #[bin(at = units * 4 - footer_len, base = data, place = data, len = footer_len)]
    last: String,
}

const TEXTS: [&str; 5] = ["", "a", "bc", "defgh", "a longer text"];

/// New values, those that were read with other texts, and all of them compact.
fn written<T>(make: &dyn Fn(&str, &str) -> T, put: &dyn Fn(&mut T, &str, &str))
where
    T: BinFormat<'static> + DefaultArgs<'static> + Wire<'static, Args = ()>,
    T: Clone + PartialEq + Debug,
{
    let pairs = || TEXTS.iter().flat_map(|one| TEXTS.iter().map(move |other| (*one, *other)));
    for (first, last) in pairs() {
        let value = make(first, last);
        let bytes: &'static [u8] = value.to_vec().unwrap().leak();
        laws::hold::<T>(bytes, ()).unwrap();
        let compact: &'static [u8] = value.compact().to_vec().unwrap().leak();
        laws::hold::<T>(compact, ()).unwrap();
        assert_eq!(T::parse(bytes).unwrap().compact().to_vec().unwrap(), compact, "{value:?}");
        for (first, last) in pairs() {
            let mut changed = T::parse(bytes).unwrap();
            put(&mut changed, first, last);
            // What lies in the way of a longer footer has to be taken out of the section by hand.
            if let Ok(Ok(again)) = laws::written_is_read(&changed, ()) {
                laws::hold::<T>(again, ()).unwrap();
            }
            let again = changed.compact().to_vec().unwrap();
            assert_eq!(again, make(first, last).compact().to_vec().unwrap(), "{changed:?}");
        }
    }
}

/// Makes a value with numbers of 0, and puts other texts into one.
macro_rules! footers {
    ($ty:ident { $($number:ident),* }) => {
        written(
            &|first, last| $ty { data: vec![], $($number: 0,)* first: first.into(), last: last.into() },
            &|value, first, last| (value.first, value.last) = (first.into(), last.into()),
        )
    };
}

#[test]
fn footers_are_written_new_and_compact() {
    footers!(Two { last_len, first_len });
    footers!(Told { len, at, footer_len });
    footers!(InUnits { units, at, footer_len });
}
