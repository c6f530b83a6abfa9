//! Values in front of the one that their place counts from: a number below 0 says so.

use std::fmt::Debug;

use binfmt_runtime::encodings::Zigzag;
use binfmt_runtime::{BinFormat, Coded, laws};

use super::laws::hold;

/// How many bytes stand in front of all places.
const HEAD: usize = 4;

/// A declaration whose first value can grow.
trait Grown: BinFormat<'static, Args = ()> + Clone + Debug + PartialEq {
    fn grow(&mut self);
}

/// A place, a distance from there in numbers of a type, and values at both.
macro_rules! distances {
    ($($name:ident($by:ty) { $($fields:tt)* })*) => {
        $(
            #[derive(BinFormat, Clone, Debug, PartialEq)]
            #[bin(little)]
            struct $name {
                at: i8,
                by: $by,
                len: u8,
                head: u8,
                $($fields)*
            }

            impl Grown for $name {
                fn grow(&mut self) {
                    self.first.extend(b"more");
                }
            }
        )*
    };
}

distances! {
    Behind(i8) {
        #[bin(at = at, len = len)]
        first: Vec<u8>,
        #[bin(at = at + by)]
        second: u8,
    }
    Turned(i8) {
        #[bin(at = at + by)]
        second: u8,
        #[bin(at = at, len = len)]
        first: Vec<u8>,
    }
    Absent(i8) {
        #[bin(at = at, len = len)]
        first: Vec<u8>,
        #[bin(at = at + by, null = 0)]
        second: Option<u8>,
    }
    Variable(Coded<Zigzag, i16>) {
        #[bin(at = at, len = len)]
        first: Vec<u8>,
        #[bin(at = at + by)]
        second: u8,
    }
    Table([i8; 1]) {
        #[bin(at = at, len = len)]
        first: Vec<u8>,
        #[bin(for_each = by, at = at + it)]
        second: Vec<u8>,
    }
    Empty(i8) {
        #[bin(at = at, len = len)]
        first: Vec<u8>,
        #[bin(at = at + by, len = 0)]
        second: Vec<u8>,
    }
}

/// Every place and every distance: the file is written as it was read; with a longer first value, all of it is read
/// back.
fn sweep<T: Grown>(stored: fn(i8) -> u8) {
    let mut in_front = 0;
    for at in 4..12_i8 {
        for by in -8..8_i8 {
            let file = [at.cast_unsigned(), stored(by), 2, 9, 1, 2, 3, 4, 5, 6, 7, 8];
            for len in HEAD..=file.len() {
                let bytes: &'static [u8] = file[..len].to_vec().leak();
                let Ok(mut value) = T::parse_with(bytes, ()) else { continue };
                hold::<T>(bytes, ());
                in_front += usize::from(by < -1);
                value.grow();
                let broken = laws::written_is_read(&value, ()).err();
                assert_eq!(broken.or(laws::settled(&value, ()).err()), None, "{value:?}");
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
    sweep::<Behind>(plain);
    sweep::<Turned>(plain);
    sweep::<Absent>(plain);
    sweep::<Variable>(zigzag);
    sweep::<Table>(plain);
    sweep::<Empty>(plain);
}
