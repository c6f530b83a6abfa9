//! The laws of the runtime, which hold for every declared type on every input; a format joins with
//! one line.

use std::fmt::Debug;

use binfmt_runtime::{BinFormat, laws};

/// All laws, for a file that may be damaged in any way.
#[track_caller]
pub(crate) fn hold<'a, T>(bytes: &'a [u8], args: T::Args)
where
    T: BinFormat<'a> + Debug + PartialEq,
{
    if let Err(broken) = laws::hold::<T>(bytes, args) {
        panic!("{broken}");
    }
}

/// Laws that need a copy of the file that lives as long: what is written is read as the same value.
#[track_caller]
pub(crate) fn round_trip<T>(bytes: &'static [u8], args: T::Args)
where
    T: BinFormat<'static> + Debug + PartialEq,
{
    let value = T::parse_with(bytes, args).unwrap();
    match laws::written_is_read(&value, args) {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => panic!("cannot be written: {error}"),
        Err(broken) => panic!("{broken}"),
    }
}
