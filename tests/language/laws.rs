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

/// A variant and a text that look like an error.
#[derive(BinFormat, Clone, Debug, PartialEq)]
enum Outcome {
    #[bin(magic = 1u8)]
    Ok(u8),
    #[bin(magic = 2u8)]
    Err(u8),
    #[bin(magic = 3u8)]
    Text(#[bin(prefix = u8)] String),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Outcomes<'a> {
    #[bin(prefix = u8)]
    lazy: binfmt_runtime::Seq<'a, Outcome>,
}

/// Says what it holds in its own way.
#[derive(BinFormat, Clone, PartialEq)]
struct Spelled<'a>(Outcomes<'a>);

impl Debug for Spelled<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Err(not really): {:?}", self.0)
    }
}

#[test]
fn values_that_look_like_an_error_are_none() {
    let files: [&[u8]; 3] = [b"\x01\x01\x07", b"\x01\x02\x07", b"\x01\x03\x06Err(1)"];
    for file in files {
        hold::<Outcomes<'_>>(file, ());
        hold::<Spelled<'_>>(file, ());
        assert!(Outcomes::is_valid(file));
    }
    // The items are read later.
    for damaged in [b"\x01\x04\x07", b"\x01\x03\x07"] {
        hold::<Outcomes<'_>>(damaged, ());
        hold::<Spelled<'_>>(damaged, ());
        assert!(Outcomes::parse(damaged).is_ok() && !Outcomes::is_valid(damaged));
    }
}
