//! Numbers that `settle` gives: optional ones, those that no value holds, and those of variable length, where they follow
//! from a number of a nested value.

use binfmt_runtime::{Auto, BinFormat, Leb128};

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Head {
    kind: u8,
    len: u8,
    #[bin(len = len)]
    text: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Optional {
    head: Head,
    #[bin(if = head.kind > 1, calc = head.len + 1)]
    more: Option<u16>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct NotHeld {
    head: Head,
    #[bin(calc = head.len + 1)]
    more: Auto<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Variable {
    head: Head,
    #[bin(calc = head.len + 1)]
    more: Leb128<u32>,
}

/// Records that say how long the one before is, but for the last one: as in `.eh_frame`.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Records {
    #[bin(until = last.len == 0, args(back = previous.len or 0))]
    records: Vec<Record>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(back: u8))]
struct Record {
    kind: u8,
    len: u8,
    #[bin(if = kind != 0, calc = back)]
    before: Option<u8>,
    #[bin(len = len)]
    body: Vec<u8>,
}

fn record(len: usize, old: u8) -> Record {
    let kind = u8::from(len > 0);
    Record { kind, len: old, before: (len > 0).then_some(old), body: vec![1; len] }
}

/// What is settled is written as these bytes.
macro_rules! settled {
    ($value:expr, $bytes:expr) => {
        let (value, mut room) = ($value, Vec::new());
        let error = value.to_vec().unwrap_err();
        assert_eq!(error.finding().code, "derived", "{error}");
        assert_eq!(value.settle(&mut room).unwrap().to_vec().unwrap(), $bytes);
    };
}

#[test]
fn numbers_that_follow_from_one_of_a_nested_value_are_settled() {
    for len in [0, 1, 7] {
        let head = |kind| Head { kind, len, text: vec![5, 6] };
        settled!(Optional { head: head(2), more: Some(0) }, [2, 2, 5, 6, 3, 0]);
        settled!(NotHeld { head: head(0), more: Auto::new() }, [0, 2, 5, 6, 3]);
        settled!(Variable { head: head(0), more: 9.into() }, [0, 2, 5, 6, 3]);
        let records = vec![record(2, 9), record(3, len), record(0, 7)];
        settled!(Records { records }, [1, 2, 0, 1, 1, 1, 3, 2, 1, 1, 1, 0, 0]);
    }
}
