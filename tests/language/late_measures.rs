//! Stored places that ask how long a value is, or where it lies, which is known only behind them: they are kept.

use std::fmt::Debug;

use binfmt_runtime::{BinFormat, DefaultArgs, laws};

use super::laws::hold;

/// Items whose length is measured when they have been written.
type Pair = (u8, u16);

/// A section in front of the items, with a value in it.
macro_rules! in_a_section {
    ($($name:ident: ($($section:tt)*) at $at:expr;)*) => { $(
        #[derive(BinFormat, Clone, Debug, PartialEq)]
        #[bin(little)]
        struct $name<'a> {
            head: [u8; 4],
            #[bin($($section)*, len = 8)]
            room: &'a [u8],
            at: u8,
            #[bin(prefix = u8)]
            pairs: Vec<Pair>,
            #[bin(at = $at, place = room)]
            value: u8,
        }
    )* };
}

in_a_section! {
    InASection: (section) at at + len(pairs);
    InAnOpenSection: (section = open) at at * 2 + len(pairs);
    FromItsStart: (section) at start(pairs) - at;
}

#[derive(BinFormat, Clone, Copy, Debug, Default, PartialEq)]
struct Row {
    at: u8,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct OfATable<'a> {
    head: [u8; 4],
    #[bin(section, len = 8)]
    room: &'a [u8],
    rows: [Row; 2],
    #[bin(prefix = u8)]
    pairs: Vec<Pair>,
    #[bin(for_each = rows, at = it.at + len(pairs), place = room)]
    values: Vec<u8>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct WithAFollower<'a> {
    head: [u8; 4],
    #[bin(section, len = 8)]
    room: &'a [u8],
    at: u8,
    #[bin(prefix = u8)]
    pairs: Vec<Pair>,
    #[bin(at = at + len(pairs), place = room, null = 0)]
    value: Option<u8>,
    #[bin(at = at + len(pairs) + 1, place = room)]
    behind: u8,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Located {
    first: u8,
    at: u8,
    #[bin(at = first, prefix = u8)]
    pairs: Vec<Pair>,
    #[bin(at = at + len(pairs))]
    value: u8,
}

/// What stands in front of a section of eight bytes, and in it.
const ROOM: [u8; 12] = [0; 12];

fn pairs(count: u8) -> Vec<u8> {
    let mut bytes = vec![count];
    (0..count).for_each(|_| bytes.extend([1, 2, 3]));
    bytes
}

/// Checks the laws on a file, and that one without a finding but about gaps is written as it was; whether it is such a one.
fn keeps<T>(file: Vec<u8>) -> bool
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
{
    let (file, args): (&'static [u8], _) = (file.leak(), T::default_args());
    hold::<T>(file, args);
    let codes = T::validate_with(file, args);
    if !codes.findings().iter().all(|finding| finding.code == "gap") {
        return false;
    }
    let read = T::parse_with(file, args).unwrap();
    assert_eq!(read.to_vec_with(args).as_deref(), Ok(file), "{read:?}");
    laws::written_is_read(&read, args).unwrap().unwrap();
    true
}

#[test]
fn a_place_that_asks_for_a_later_length_is_kept() {
    let mut kept = [0; 6];
    for number in 0..=24 {
        for count in 0..5 {
            let file = |head: &[u8]| [head, &[number], &pairs(count)].concat();
            let table = [&ROOM[..], &[number, number.wrapping_add(2)], &pairs(count)].concat();
            let mut behind = [&[2, number][..], &pairs(count), &[0; 24]].concat();
            behind.truncate(usize::from(number) + 3 * usize::from(count) + 1);
            let all = [
                keeps::<InASection<'_>>(file(&ROOM)),
                keeps::<InAnOpenSection<'_>>(file(&ROOM)),
                keeps::<FromItsStart<'_>>(file(&ROOM)),
                keeps::<OfATable<'_>>(table),
                keeps::<WithAFollower<'_>>(file(&ROOM)),
                keeps::<Located>(behind),
            ];
            kept.iter_mut().zip(all).for_each(|(count, kept)| *count += usize::from(kept));
        }
    }
    assert!(kept.iter().all(|count| *count > 0), "{kept:?}");
}

#[test]
fn a_new_value_lies_where_a_number_can_tell() {
    for count in 0..9 {
        let value =
            InASection { head: [0; 4], room: &[0; 8], at: 0, pairs: vec![(1, 2); count], value: 7 };
        match value.to_vec() {
            Ok(bytes) => {
                let read = InASection::parse(&bytes).unwrap();
                assert_eq!((read.value, read.pairs.len()), (7, count));
                assert!((4..12).contains(&(usize::from(read.at) + 3 * count)), "{read:?}");
            }
            // The section ends in front of the least place that a number can tell.
            Err(error) => assert!(3 * count >= 12, "{error}"),
        }
    }
}
