//! Numbers that follow from one another, one behind the other: `settle` finds them all, or gives up.

use binfmt_runtime::{BinFormat, laws};

/// Each sum is that of the item before, and more.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Sums {
    #[bin(until_end, args(before = previous.sum or 7))]
    items: Vec<Sum>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(args(before: u8))]
struct Sum {
    n: u8,
    #[bin(calc = plus(before, n))]
    sum: u8,
}

fn plus(before: u8, n: u8) -> u8 {
    before.wrapping_add(n)
}

#[test]
fn a_long_chain_of_numbers_is_settled() {
    for len in [0, 1, 4, 5, 9, 300] {
        let value = Sums { items: vec![Sum { n: 3, sum: 0 }; len] };
        let settled = laws::settled(&value, ()).unwrap().unwrap();
        let sums = (0..len).scan(7, |sum, _| {
            *sum = plus(*sum, 3);
            Some(Sum { n: 3, sum: *sum })
        });
        assert_eq!(settled.items, sums.collect::<Vec<_>>());
    }
}

/// A number that is another one each time it is written.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Restless {
    #[bin(calc = follows(inner))]
    n: u32,
    inner: Inner,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Inner {
    #[bin(calc = more(m))]
    m: u32,
}

fn follows(inner: &Inner) -> u32 {
    inner.m
}

fn more(m: u32) -> u32 {
    m.wrapping_add(1)
}

#[test]
fn a_number_that_never_settles_is_given_up() {
    let value = Restless { n: 0, inner: Inner { m: 0 } };
    let error = laws::settled(&value, ()).unwrap().unwrap_err();
    assert_eq!((error.finding().path.as_str(), error.finding().code), ("inner.m", "unsettled"));
}
