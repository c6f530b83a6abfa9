//! Numbers of variable length that no value keeps: what is found out before their lengths are known is forgotten.

use std::fmt::Debug;

use binfmt_runtime::{Auto, BinFormat, Leb128};

/// The place of `last` is found out behind everything, and is a number that no value keeps: until its length is
/// known, all else lies elsewhere.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Late {
    to: Auto<Leb128<u16>>,
    name: [u8; 2],
    #[bin(prefix = u8)]
    rows: Vec<LateRow>,
    size: u16,
    at: u16,
    #[bin(section = open, len = size)]
    area: Vec<u8>,
    #[bin(at = to, prefix = u8)]
    last: Vec<u8>,
    #[bin(for_each = rows, len = it.size, at = start(name) + it.at)]
    bodies: Vec<Vec<u8>>,
    #[bin(at = at, place = area)]
    around: LateAround,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct LateRow {
    at: Leb128<u16>,
    size: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct LateAround {
    to: u8,
    #[bin(at = to, place = around, base = file, nul)]
    text: String,
}

fn late([first, second, to, at]: [u16; 4], sizes: [usize; 2]) -> Late {
    let row = |at| LateRow { at: Leb128::new(at), size: 0 };
    Late {
        to: Auto::new(),
        name: *b"ab",
        rows: vec![row(first), row(second)],
        size: 0,
        at,
        area: vec![7; 3],
        last: vec![1],
        bodies: sizes.map(|size| vec![9; size]).to_vec(),
        around: LateAround { to: u8::try_from(to).unwrap(), text: "t".into() },
    }
}

#[test]
fn what_was_read_lies_where_it_lay_whatever_its_last_place_needs() {
    let mut written = 0;
    for first in [0, 1, 19, 40, 83, 128] {
        for (second, to) in [(0, 0), (19, 12), (19, 14), (60, 11), (90, 13), (130, 0), (300, 12)] {
            for (at, sizes) in
                [(0, [10, 62]), (13, [62, 10]), (14, [62, 62]), (15, [3, 120]), (12, [0, 0])]
            {
                let Ok(bytes) = late([first, second, to, at], sizes).to_vec() else { continue };
                let read = Late::parse(&bytes).unwrap();
                let again = read.to_vec().unwrap();
                written += 1;
                assert!(
                    again == bytes || again.len() < bytes.len(),
                    "{read:?}\n{bytes:x?}\n{again:x?}"
                );
            }
        }
    }
    assert!(written > 100, "{written}");
}

/// A value in a region whose length has one byte or two, and in which places count from the start of the file.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Prefixed<T> {
    #[bin(prefix = Leb128<u16>)]
    all: T,
}

/// All files of about as many bytes as one byte of the prefix can tell, if they are valid, are written as they were.
fn stays<T>(inner: impl Fn(usize, &mut dyn FnMut(Vec<u8>)))
where
    T: 'static,
    Prefixed<T>: BinFormat<'static, Args = ()> + Debug,
{
    let mut valid = 0;
    for len in 124..132_usize {
        let prefix = if len < 128 { vec![len] } else { vec![len % 128 + 128, len / 128] };
        inner(len, &mut |inner| {
            let prefix = prefix.iter().map(|byte| u8::try_from(*byte).unwrap());
            let file: &'static [u8] = prefix.chain(inner).collect::<Vec<u8>>().leak();
            let report = Prefixed::<T>::validate_with(file, ());
            if report.findings().iter().any(|finding| finding.code != "gap") {
                return;
            }
            valid += 1;
            let read = Prefixed::<T>::parse_with(file, ()).unwrap();
            assert_eq!(read.to_vec_with(()).unwrap(), file, "{read:?}");
        });
    }
    assert!(valid > 60, "{valid} are valid");
}

/// The values of a section that grows downwards lie at other distances from its end while the prefix is one byte
/// shorter.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Down {
    a: u8,
    b: u8,
    #[bin(section, len = remaining, grow = down)]
    s: Vec<u8>,
    #[bin(at = a * 2, place = s, prefix = u8)]
    f: Vec<u8>,
}

#[test]
fn a_section_that_grows_downwards_is_as_full_as_it_was() {
    stays::<Down>(|len, file| {
        for a in 2..12 {
            let (at, before) = (usize::from(a) * 2, if len < 128 { 1 } else { 2 });
            for left in 0..4 {
                let mut bytes = vec![a, 9];
                bytes.resize(len, 7);
                bytes[at - before] = u8::try_from(len + before - at - 1 - left).unwrap();
                file(bytes);
            }
        }
    });
}

/// The section keeps its length, and its values fit into it with the longer prefix alone.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Fixed {
    #[bin(section, len = 122)]
    s: Vec<u8>,
    a: u8,
    b: u8,
    #[bin(at = a, place = s, prefix = u8)]
    f: Vec<u8>,
    #[bin(at = b, place = s)]
    g: u8,
    #[bin(until_end)]
    rest: Vec<u8>,
}

#[test]
fn a_section_that_keeps_its_length_keeps_its_values() {
    stays::<Fixed>(|len, file| {
        for a in 2..8 {
            for b in [2, 3, 122, 123, 124, 125] {
                for left in 0..6 {
                    let mut bytes = vec![7; len];
                    let before = if len < 128 { 1 } else { 2 };
                    bytes[usize::from(a) - before] = 122 - a - left;
                    (bytes[122], bytes[123]) = (a, b);
                    file(bytes);
                }
            }
        }
    });
}

/// The distance is found out, and would be below 0 while the values begin one byte earlier.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Led {
    a: u8,
    by: Auto<u8>,
    n: u8,
    m: u8,
    filler: [u8; 112],
    #[bin(at = a, len = n)]
    f: Vec<u8>,
    #[bin(at = a + by, len = m)]
    g: Vec<u8>,
}

#[test]
fn a_distance_that_no_value_keeps_is_found_out_where_the_values_lie() {
    stays::<Led>(|len, file| {
        let end = len + if len < 128 { 1 } else { 2 };
        for a in 116..124_u8 {
            for by in 0..=6 {
                for n in 0..=by {
                    let m = end.saturating_sub(usize::from(a + by));
                    let mut bytes = vec![a, by, n, u8::try_from(m).unwrap()];
                    bytes.resize(len, 0);
                    file(bytes);
                }
            }
        }
    });
}

/// A number of variable length inside of what the prefix tells of: it is as wide as where it lies in the end.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Inner {
    filler: [u8; 3],
    at: u16,
    by: Auto<u16>,
    far: Auto<Leb128<u16>>,
    len: Auto<u8>,
    #[bin(at = at, len = 0)]
    none: Vec<u8>,
    #[bin(at = at + by, align_before = 2)]
    number: u16,
    #[bin(at = far, len = len)]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Inners<const N: usize> {
    filler: [u8; N],
    #[bin(until_end)]
    all: Vec<Inner>,
}

fn inners_stay<const N: usize>() {
    for len in 0..4 {
        for count in 1..5 {
            let inner = |len: usize| Inner {
                filler: [1; 3],
                at: 0,
                by: Auto::new(),
                far: Auto::new(),
                len: Auto::new(),
                none: Vec::new(),
                number: 7,
                bytes: vec![9; len],
            };
            let all = (0..count).map(|number| inner(len * (number % 2))).collect();
            let value = Prefixed { all: Inners { filler: [5; N], all } };
            let bytes = value.to_vec_with(()).unwrap();
            let read = Prefixed::<Inners<N>>::parse_with(bytes.clone().leak(), ()).unwrap();
            assert_eq!(read.to_vec_with(()).unwrap(), bytes, "{read:?}");
        }
    }
}

#[test]
fn numbers_inside_are_as_wide_as_where_they_lie_in_the_end() {
    inners_stay::<70>();
    inners_stay::<84>();
    inners_stay::<91>();
    inners_stay::<98>();
    inners_stay::<103>();
    inners_stay::<110>();
    inners_stay::<111>();
}
