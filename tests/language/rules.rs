//! What stops a reader and what does not.

use binfmt_runtime::{BinFormat, Severity};

use super::{findings, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, warn(low <= high, "{low} is above {high}"), error(low != 7, "low is {low:#04x}", code = "seven"))]
struct Ruled {
    #[bin(check(low < 100, "{low} is too much"), note(low != 0, "low is 0"))]
    low: u8,
    #[bin(error(high % 2 == 0, "{high} is odd"), warn(high < 50, "{high} is much", code = "much"))]
    high: u8,
}

#[test]
fn a_check_stops_a_reader_and_the_others_do_not() {
    same(&Ruled { low: 1, high: 2 }, &[1, 2]);
    assert_eq!(stopped::<Ruled>(&[100, 102]), "low Ruled.low");
    let (value, found) = (Ruled::parse(&[0, 51]).unwrap(), findings::<Ruled>(&[0, 51]));
    assert_eq!(value, Ruled { low: 0, high: 51 });
    assert_eq!(found, ["note low Ruled.low.2", "error high Ruled.high", "warning high much"]);
    assert_eq!(findings::<Ruled>(&[7, 2]), ["warning low Ruled", "error low seven"]);
}

#[test]
fn errors_stop_a_writer_and_warnings_do_not() {
    assert_eq!(refused(&Ruled { low: 100, high: 2 }), "low Ruled.low");
    assert_eq!(refused(&Ruled { low: 1, high: 3 }), "high Ruled.high");
    assert_eq!(refused(&Ruled { low: 7, high: 8 }), " seven");
    assert_eq!(Ruled { low: 9, high: 2 }.to_vec().unwrap(), [9, 2]);
}

#[test]
fn a_text_names_the_values_and_the_finding_the_bytes() {
    let report = Ruled::validate(&[7, 52]);
    let [seven, much] = report.findings() else { panic!("{report}") };
    assert_eq!(seven.message.as_str(), "low is 0x07");
    assert_eq!((seven.start, seven.end, seven.severity), (0, 1, Severity::Error));
    assert_eq!(much.to_string(), "high at 0x1..0x2: 52 is much [much]");
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little, check(is_even(sum) || first.value > 4, "{sum} is odd"))]
struct Called {
    first: Single,
    sum: u16,
    #[bin(check(close(first, name) && first.is_small(3 + sum), "the name is {name:?}"))]
    name: [u8; 2],
    #[bin(check(if first == Single::ONE { more == None } else { more.is_none() }, "more"), if = sum > MOST)]
    more: Option<u8>,
}

const MOST: u16 = 200;

#[derive(BinFormat, Debug, PartialEq)]
struct Single {
    value: u8,
}

impl Single {
    const ONE: Self = Self { value: 1 };

    fn is_small(&self, limit: u64) -> bool {
        u64::from(self.value) < limit
    }
}

fn is_even(value: u16) -> bool {
    value.is_multiple_of(2)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "arrays are passed by reference")]
fn close(first: &Single, name: &[u8; 2]) -> bool {
    name[0].abs_diff(first.value) < 3
}

#[test]
fn rules_call_functions_and_compare_values_of_any_type() {
    same(
        &Called { first: Single { value: 1 }, sum: 2, name: [2, 0], more: None },
        &[1, 2, 0, 2, 0],
    );
    assert_eq!(stopped::<Called>(&[1, 2, 0, 9, 0]), "name Called.name");
    assert_eq!(stopped::<Called>(&[1, 3, 0, 2, 0]), "sum Called");
    assert_eq!(stopped::<Called>(&[1, 0xff, 0, 2, 0, 9]), "more Called.more");
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big)]
struct Overflowing {
    a: u64,
    #[bin(check(a + b > 3 && a - b > 1, "too little"), error(a * b < 100, "too much"))]
    b: u64,
}

#[test]
fn a_rule_that_overflows_is_broken() {
    same(&Overflowing { a: 9, b: 2 }, b"\0\0\0\0\0\0\0\x09\0\0\0\0\0\0\0\x02");
    assert_eq!(refused(&Overflowing { a: u64::MAX, b: 1 }), "b Overflowing.b");
    assert_eq!(refused(&Overflowing { a: 4, b: 5 }), "b Overflowing.b");
    assert_eq!(refused(&Overflowing { a: 1 << 62, b: 4 }), "b Overflowing.b.2");
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big)]
struct Limits {
    low: i16,
    #[bin(check(high >= low && high - low < 100, "{low} to {high} is no range"))]
    high: i16,
    #[bin(check((bits >> 4) | 1 == 3 || bits % 16 == 0, "{bits:#x} is not allowed"))]
    bits: u8,
}

#[test]
fn signed_and_unsigned_arithmetic_is_checked() {
    same(&Limits { low: -5, high: 5, bits: 0x20 }, &[0xff, 0xfb, 0, 5, 0x20]);
    assert_eq!(stopped::<Limits>(&[0x80, 0, 0x7f, 0xff, 0x20]), "high Limits.high");
    assert_eq!(refused(&Limits { low: 5, high: 4, bits: 0 }), "high Limits.high");
    assert_eq!(refused(&Limits { low: 5, high: 5, bits: 0x45 }), "bits Limits.bits");
}
