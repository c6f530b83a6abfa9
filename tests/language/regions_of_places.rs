//! What lies at an offset without a `place` is a part of its value, and ends with the region of that: what follows
//! the region decides nothing in it.

use std::io::Read;

use binfmt_runtime::{Auto, BinFormat, DefaultArgs, Stream};

use super::same;

/// A magic that is looked for where the region ends.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Perhaps {
    #[bin(optional, magic = b"M")]
    there: Option<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
enum Told {
    #[bin(magic = b"M")]
    More(u8),
    Nothing(Nothing),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Nothing {}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Far<T> {
    at: u8,
    #[bin(at = at, base = start)]
    value: T,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Numbers {
    at: u8,
    #[bin(at = at, base = start, until = remaining < 1)]
    numbers: Vec<[u8; 1]>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct UpToLast {
    at: u8,
    #[bin(at = at, base = start, until = peek_last(b"|"))]
    text: Vec<u8>,
    end_at: u8,
    #[bin(at = end_at, base = start)]
    end: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Table {
    #[bin(prefix = u8)]
    places: Vec<u8>,
    #[bin(for_each = places, at = it, base = start, until_end)]
    texts: Vec<String>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Prefixed<T> {
    #[bin(prefix = u8)]
    value: T,
    last: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Measured<T> {
    len: Auto<u8>,
    #[bin(len = len)]
    value: T,
    last: u8,
}

/// Gives one byte at a time, and then what follows.
struct Single<'b>(&'b [u8]);

impl Read for Single<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let len = into.len().min(1);
        self.0.read(&mut into[..len])
    }
}

/// A value in a region is the same whatever follows, and however much of that has come.
fn ends_with_its_region<T>(value: &T)
where
    T: for<'a> BinFormat<'a, Args = ()>
        + for<'a> DefaultArgs<'a>
        + Clone
        + std::fmt::Debug
        + PartialEq,
    Prefixed<T>: for<'a> BinFormat<'a, Args = ()>
        + for<'a> DefaultArgs<'a>
        + std::fmt::Debug
        + PartialEq
        + Clone,
    Measured<T>: for<'a> BinFormat<'a, Args = ()>
        + for<'a> DefaultArgs<'a>
        + std::fmt::Debug
        + PartialEq
        + Clone,
{
    for last in *b"M|z\0" {
        let prefixed = Prefixed { value: value.clone(), last };
        let bytes = prefixed.to_vec().unwrap();
        same(&prefixed, bytes.clone().leak());
        let measured = Measured { len: Auto::new(), value: value.clone(), last };
        same(&measured, measured.to_vec().unwrap().leak());
        let twice = [&bytes[..], &bytes].concat();
        let mut stream = Stream::new(Single(&twice));
        for _ in 0..2 {
            assert_eq!(stream.read::<Prefixed<T>>().unwrap(), prefixed);
        }
        let file = [b"M|", &bytes[..], b"M|M"].concat();
        let end = 2 + bytes.len();
        assert_eq!(Prefixed::<T>::parse_in(&file, 2..end, ()).as_ref(), Ok(&prefixed));
        let inside = T::parse_in(&file, 3..end - 1, ());
        assert_eq!(inside.as_ref(), Ok(value), "{last}");
    }
}

#[test]
fn what_follows_a_region_decides_nothing_in_it() {
    ends_with_its_region(&Far { at: 1, value: Perhaps { there: None } });
    ends_with_its_region(&Far { at: 1, value: Perhaps { there: Some(7) } });
    ends_with_its_region(&Far { at: 1, value: Told::Nothing(Nothing {}) });
    ends_with_its_region(&Far { at: 1, value: Told::More(7) });
    ends_with_its_region(&Numbers { at: 1, numbers: vec![[1], [2]] });
    ends_with_its_region(&Numbers { at: 1, numbers: vec![] });
    ends_with_its_region(&UpToLast { at: 2, text: b"a|b".to_vec(), end_at: 5, end: b'|' });
    ends_with_its_region(&Table { places: vec![2], texts: vec!["abc".into()] });
}
