//! Fields of signed numbers that are computed: what they are computed from may be below 0.

use binfmt_runtime::{Auto, BinFormat, I24, Leb128};

use super::{findings, refused, same};

/// Layers, whose number is below 0 where the first one is for transparency, as PSD has it.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Picture {
    #[bin(calc = with_sign_of(count, count(layers)))]
    count: i16,
    #[bin(count = magnitude(count))]
    layers: Vec<u16>,
    first: i8,
    #[bin(calc = first - 100)]
    less: i8,
    #[bin(if = first < 0, calc = -1 * first)]
    more: Option<i64>,
    #[bin(calc = first * 1000)]
    hidden: Auto<i32>,
}

fn with_sign_of(old: i16, count: u64) -> Option<i16> {
    let count = i16::try_from(count).ok()?;
    Some(if old < 0 { -count } else { count })
}

fn magnitude(count: i16) -> u16 {
    count.unsigned_abs()
}

fn layers(count: i16, layers: &[u16], first: i8) -> Picture {
    let (less, more) = (0, (first < 0).then_some(0));
    Picture { count, layers: layers.to_vec(), first, less, more, hidden: Auto::new() }
}

#[test]
fn numbers_below_0_are_computed() {
    let bytes = layers(-1, &[7, 8], -20).to_vec().unwrap();
    assert_eq!(bytes, b"\xff\xfe\0\x07\0\x08\xec\x88\0\0\0\0\0\0\0\x14\xff\xff\xb1\xe0");
    same(
        &Picture { count: -2, less: -120, more: Some(20), ..layers(0, &[7, 8], -20) },
        bytes.leak(),
    );
    assert_eq!(layers(1, &[7], 5).to_vec().unwrap(), b"\0\x01\0\x07\x05\xa1\0\0\x13\x88");
}

#[test]
fn what_does_not_fit_is_refused_and_what_differs_is_reported() {
    assert_eq!(refused(&layers(1, &[], -29)), "less overflow");
    let error = layers(1, &[], -29).to_vec().unwrap_err();
    assert!(error.to_string().contains("found -129"), "{error}");
    let other = b"\0\0\x05\xa2\0\0\x13\x87";
    assert_eq!(findings::<Picture>(other), ["error less derived", "error hidden derived"]);
    let report = Picture::validate(other).to_string();
    assert!(report.contains("expected -95, found -94"), "{report}");
    let unfit = b"\0\0\xe3\0\0\0\0\0\0\0\0\x1d\xff\xff\x8e\xb8";
    assert_eq!(findings::<Picture>(unfit), ["error less overflow"]);
}

/// A place that a number below 0 tells.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Before {
    o: i8,
    #[bin(at = o + 4)]
    value: u8,
}

/// The same of numbers of items, as they are, in units, in encodings of their own, in a section, shared.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Items {
    #[bin(prefix = u8)]
    table: Vec<i8>,
    #[bin(for_each = table, at = it + 9, shared, len = 1)]
    values: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Row {
    far: I24,
    near: Leb128<i16>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Rows {
    #[bin(prefix = u8)]
    list: Vec<Row>,
    #[bin(section, len = 12)]
    room: Vec<u8>,
    #[bin(for_each = list, at = (it.far + 3) * 2, base = room, place = room, prefix = u8)]
    texts: Vec<String>,
    #[bin(for_each = list, at = 20 + it.near)]
    values: Vec<u8>,
}

#[test]
fn numbers_below_0_keep_places() {
    for at in 1..8_u8 {
        let mut bytes = vec![0; usize::from(at) + 1];
        bytes[0] = at.wrapping_sub(4);
        bytes[usize::from(at)] = 7;
        let bytes: &'static [u8] = bytes.leak();
        same(&Before::parse(bytes).unwrap(), bytes);
    }
    for (first, second) in [(3_u8, 4_u8), (4, 3), (9, 3), (3, 3), (12, 5)] {
        let mut bytes = vec![0; 3];
        (bytes[0], bytes[1], bytes[2]) = (2, first.wrapping_sub(9), second.wrapping_sub(9));
        bytes.resize(usize::from(first.max(second)) + 1, 0);
        (bytes[usize::from(first)], bytes[usize::from(second)]) = (1, 1);
        let bytes: &'static [u8] = bytes.leak();
        same(&Items::parse(bytes).unwrap(), bytes);
    }
    assert_eq!(Before { o: 0, value: 7 }.compact().to_vec().unwrap(), b"\xfd\x07");
    let row = Row { far: I24::default(), near: Leb128::default() };
    let rows = Rows {
        list: vec![row.clone(), row],
        room: Vec::new(),
        texts: vec!["a".into(), "bcd".into()],
        values: vec![1, 2],
    };
    let bytes: &'static [u8] = rows.to_vec().unwrap().leak();
    let read = Rows::parse(bytes).unwrap();
    assert_eq!((&read.texts, &read.values), (&rows.texts, &rows.values));
    same(&read, bytes);
    super::laws::hold::<Rows>(bytes, ());
}

/// Where the first of its values can lie, a writer leaves a gap of its own.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(level(gap = error))]
struct Far {
    #[bin(prefix = u8)]
    table: Vec<FarRow>,
    #[bin(for_each = table, at = it.at + 20)]
    values: Vec<u8>,
    #[bin(prefix = u8)]
    plain: Vec<u8>,
    #[bin(for_each = plain, at = 30 + it)]
    others: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct FarRow {
    at: u8,
}

#[test]
fn what_no_number_tells_is_a_gap_of_the_writer() {
    let far =
        Far { table: vec![FarRow { at: 0 }], values: vec![7], plain: vec![0], others: vec![8] };
    let bytes: &'static [u8] = far.to_vec().unwrap().leak();
    assert_eq!(bytes.len(), 31);
    super::laws::hold::<Far>(bytes, ());
    same(&Far::parse(bytes).unwrap(), bytes);
}

/// A sum with the smaller of two numbers that may be below 0.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Bounded {
    low: i16,
    #[bin(check(low + min(low, high) > -100, "the sum is too low"))]
    high: i16,
}

#[test]
fn the_smaller_of_numbers_below_zero_is_one_of_a_sum() {
    same(&Bounded { low: -20, high: -30 }, b"\xec\xff\xe2\xff");
    assert_eq!(refused(&Bounded { low: -50, high: -60 }), "high Bounded.high");
}

/// Offsets that count from behind two bytes, of which -2 says that there is no name.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Names {
    #[bin(prefix = u8)]
    offsets: Vec<i16>,
    #[bin(for_each = offsets, at = it + 2, null = 0, nul)]
    names: Vec<Option<String>>,
}

#[test]
fn a_number_below_zero_of_an_item_says_that_its_value_is_absent() {
    let names = Names { offsets: vec![-2, 3], names: vec![None, Some("a".into())] };
    same(&names, b"\x02\xfe\xff\x03\0a\0");
}

/// What a function is given is no part of what the number is compared with.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct UpToHalf {
    n: u8,
    #[bin(range = ..=half(n))]
    number: i8,
}

fn half(n: u8) -> i64 {
    i64::from(n / 2)
}

#[test]
fn a_range_below_zero_ends_with_what_a_function_gives_of_an_unsigned_number() {
    same(&UpToHalf { n: 9, number: -7 }, b"\x09\xf9");
    assert_eq!(refused(&UpToHalf { n: 9, number: 5 }), "number UpToHalf.number.range");
}
