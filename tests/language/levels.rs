//! What findings weigh, where a declaration says so.

use binfmt_runtime::{Auto, BinFormat, Leb128, Reserved, Seq};

use super::{findings, refused, same};

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little, level(padding = error, trailing = note, "Part" = error, "Part.odd" = note))]
struct Weighed<'a> {
    count: Auto<u8>,
    #[bin(pad_before = 1, align_after = 4, level(padding = note, reserved = error))]
    quiet: Reserved<1>,
    #[bin(pad_after = 2)]
    loud: Reserved<2>,
    #[bin(count = count, unique, sorted_by = size, level(unique = warning, sorted_by = note))]
    parts: Seq<'a, Part>,
}

#[derive(BinFormat, Debug, PartialEq, PartialOrd, Eq, Ord, Clone, Copy)]
#[bin(little, warn(size != 9, "nine"))]
struct Part {
    #[bin(
        error(size != 7, "seven", code = "Part.odd"),
        note(size < 100, "much")
    )]
    size: u8,
}

const GOOD: &[u8] = &[2, 0, 0, 0, 0, 0, 0, 0, 1, 2];

/// What is said of the good bytes with some of them changed.
fn said(changes: &[(usize, u8)], more: &[u8]) -> Vec<String> {
    let mut bytes = [GOOD, more].concat();
    for (at, value) in changes {
        bytes[*at] = *value;
    }
    findings::<Weighed<'_>>(bytes.leak())
}

#[test]
fn the_innermost_word_counts() {
    let parts = [Part { size: 1 }, Part { size: 2 }];
    let (quiet, loud) = (Reserved::default(), Reserved::default());
    let parts = Seq::from(&Box::leak(Box::new(parts))[..]);
    same(&Weighed { count: Auto::new(), quiet, loud, parts }, GOOD);
    assert_eq!(said(&[(1, 1)], &[]), ["note padding padding"]);
    assert_eq!(said(&[(3, 1)], &[]), ["note padding padding"]);
    assert_eq!(said(&[(7, 1)], &[]), ["error padding padding"]);
    assert_eq!(said(&[(2, 1)], &[]), ["error quiet reserved"]);
    assert_eq!(said(&[(5, 1)], &[]), ["warning loud reserved"]);
    assert_eq!(said(&[], &[1]), ["note parts trailing"]);
}

#[test]
fn rules_of_types_inside_weigh_what_is_said_around_them_but_errors_stay() {
    assert_eq!(said(&[(9, 9)], &[]), ["error parts[1].size Part"]);
    assert_eq!(said(&[(9, 7)], &[]), ["error parts[1].size Part.odd"]);
    assert_eq!(said(&[(9, 100)], &[]), ["note parts[1].size Part.size"]);
}

#[test]
fn rules_over_items_weigh_what_their_field_says() {
    assert_eq!(said(&[(9, 1)], &[]), ["warning parts[1] Weighed.parts.unique"]);
    assert_eq!(said(&[(8, 3)], &[]), ["note parts[1] Weighed.parts.sorted_by"]);
    // What is a note stops no writer.
    let bytes: &'static [u8] = &[2, 0, 0, 0, 0, 0, 0, 0, 3, 2];
    assert_eq!(Weighed::parse(bytes).unwrap().to_vec().unwrap(), bytes);
    let levels: Vec<_> = Weighed::LAYOUT.all_rules().map(|rule| rule.severity.name()).collect();
    assert_eq!(levels, ["warning", "note"]);
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(level(gap = error, trailing = error))]
struct Sections<'a> {
    at: u8,
    #[bin(section, len = 3, level(gap = note))]
    quiet: &'a [u8],
    #[bin(section, len = 3)]
    loud: &'a [u8],
    #[bin(at = at, base = start, place = quiet, len = 1)]
    part: &'a [u8],
}

#[test]
fn gaps_belong_to_their_section_and_the_rest_to_the_type() {
    assert_eq!(
        findings::<Sections<'_>>(&[1, 9, 1, 1, 1, 1, 1, 8]),
        ["note  gap", "error  gap", "error  trailing"]
    );
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, level(gap = error, reserved = error, overlong = error))]
struct Strict {
    at: u8,
    reserved: Reserved<1>,
    number: Leb128<u16>,
    inner: Warned,
    #[bin(at = at)]
    value: u8,
}

#[test]
fn bytes_between_values_that_are_lost_are_an_error_where_those_that_are_kept_are() {
    let file = |gap: &[u8]| [&[6, 0, 3, 3][..], gap, &[7]].concat();
    assert_eq!(findings::<Strict>(file(&[0, 0]).leak()), ["error  gap"]);
    assert_eq!(findings::<Strict>(file(&[1, 2]).leak()), ["error  unkept"]);
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Warned {
    #[bin(warn(n < 10, "{n} is much"))]
    n: u8,
}

#[test]
fn a_writer_refuses_what_a_level_makes_an_error() {
    let value = Strict {
        at: 0,
        reserved: Reserved::default(),
        number: Leb128::new(3),
        inner: Warned { n: 3 },
        value: 7,
    };
    same(&Strict { at: 4, ..value.clone() }, b"\x04\0\x03\x03\x07");
    for wrong in [
        Strict { at: 5, ..value.clone() },
        Strict { reserved: Reserved([1]), ..value.clone() },
        Strict { number: Leb128::new(3).padded(2), ..value.clone() },
    ] {
        assert_eq!(refused(&wrong), " level");
        assert!(wrong.encoded_len().is_err());
        assert!(wrong.write_to(&mut Vec::new()).is_err());
        assert!(wrong.write_into(&mut [0; 64]).is_err());
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Shrunk {
    #[bin(calc = whole / 4)]
    quarter: u8,
    whole: u16,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, level(derived = warning))]
struct Lenient {
    part: Shrunk,
}

#[test]
fn a_number_that_cannot_be_written_is_an_error_whatever_its_level() {
    assert_eq!(findings::<Lenient>(&[7, 4, 0]), ["warning part.quarter derived"]);
    assert_eq!(findings::<Lenient>(&[7, 0, 8]), ["error part.quarter overflow"]);
    let read = Lenient::parse(&[7, 0, 8]).unwrap();
    assert_eq!(refused(&read), "part.quarter overflow");
}
