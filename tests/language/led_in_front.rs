//! Values in front of the one that their place counts from: a number below 0 says so.

use binfmt_runtime::encodings::Zigzag;
use binfmt_runtime::{BinFormat, Coded, laws};

use super::laws::hold;

/// How many bytes stand in front of all places.
const HEAD: usize = 4;

/// Bytes at a place, and others at a distance from there.
macro_rules! distances {
    ($($name:ident { $($fields:tt)* })*) => {
        $(
            #[derive(BinFormat, Clone, Debug, PartialEq)]
            #[bin(little)]
            struct $name { $($fields)* }
        )*
    };
}

distances! {
    Behind {
        at: i8,
        by: i8,
        len: u8,
        head: u8,
        #[bin(at = at, len = len)]
        first: Vec<u8>,
        #[bin(at = at + by)]
        second: u8,
    }
    Turned {
        at: i8,
        by: i8,
        len: u8,
        head: u8,
        #[bin(at = at + by)]
        second: u8,
        #[bin(at = at, len = len)]
        first: Vec<u8>,
    }
    Absent {
        at: i8,
        by: i8,
        len: u8,
        head: u8,
        #[bin(at = at, len = len)]
        first: Vec<u8>,
        #[bin(at = at + by, null = 0)]
        second: Option<u8>,
    }
    Variable {
        at: i8,
        by: Coded<Zigzag, i16>,
        len: u8,
        head: u8,
        #[bin(at = at, len = len)]
        first: Vec<u8>,
        #[bin(at = at + by)]
        second: u8,
    }
    Table {
        at: i8,
        by: [i8; 1],
        len: u8,
        head: u8,
        #[bin(at = at, len = len)]
        first: Vec<u8>,
        #[bin(for_each = by, at = at + it)]
        second: Vec<u8>,
    }
    Empty {
        at: i8,
        by: i8,
        len: u8,
        head: u8,
        #[bin(at = at, len = len)]
        first: Vec<u8>,
        #[bin(at = at + by, len = 0)]
        second: Vec<u8>,
    }
}

/// Every place and every distance: the file is written as it was read; with a longer first value, the second one
/// is the same again.
fn sweep<T>(wide: fn(i8) -> u8, grow: fn(&mut T))
where
    T: BinFormat<'static, Args = ()> + Clone + std::fmt::Debug + PartialEq,
{
    let mut in_front = 0;
    for at in 4..12_i8 {
        for by in -8..8_i8 {
            let file = [at.cast_unsigned(), wide(by), 2, 9, 1, 2, 3, 4, 5, 6, 7, 8];
            for len in HEAD..=file.len() {
                let bytes: &'static [u8] = file[..len].to_vec().leak();
                let Ok(value) = T::parse_with(bytes, ()) else { continue };
                hold::<T>(bytes, ());
                in_front += usize::from(by < -1);
                let mut grown = value.clone();
                grow(&mut grown);
                if let Err(broken) = laws::written_is_read(&grown, ()) {
                    panic!("{broken}");
                }
                if let Err(broken) = laws::settled(&grown, ()) {
                    panic!("{broken}");
                }
            }
        }
    }
    assert!(in_front > 20, "{in_front} lie in front");
}

fn plain(by: i8) -> u8 {
    by.cast_unsigned()
}

fn zigzag(by: i8) -> u8 {
    ((by << 1) ^ (by >> 7)).cast_unsigned()
}

#[test]
fn a_value_in_front_of_what_it_counts_from_stays_there() {
    sweep::<Behind>(plain, |value| value.first.extend(b"more"));
    sweep::<Turned>(plain, |value| value.first.extend(b"more"));
    sweep::<Absent>(plain, |value| value.first.extend(b"more"));
    sweep::<Variable>(zigzag, |value| value.first.extend(b"more"));
    sweep::<Table>(plain, |value| value.first.extend(b"more"));
    sweep::<Empty>(plain, |value| value.first.extend(b"more"));
}
