//! Coded values inside of coded values: a level more is a bit more work, however often each is written.

use std::time::{Duration, Instant};

use binfmt_runtime::{BinFormat, DefaultArgs, Encoded, Leb128, Wire, Xor};

/// As many levels as are written.
const LEVELS: usize = 14;

/// Far more than they take; three times as much for each level would be hours.
const LONG: Duration = Duration::from_secs(10);

/// A prefix of variable length, which takes two passes.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Prefixed {
    more: u8,
    #[bin(prefix = u8)]
    text: Vec<u8>,
    #[bin(if = more == 1, prefix = Leb128<u32>)]
    next: Option<Encoded<Xor, InPrefixed>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct InPrefixed {
    next: Box<Prefixed>,
}

/// Items that are given the end of the one before.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Listed {
    #[bin(prefix = u8, args(from = previous.end or 0))]
    items: Vec<Item>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, args(from: u16))]
struct Item {
    end: u16,
    #[bin(len = end - from)]
    body: Encoded<Xor, InListed>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct InListed {
    next: Box<Listed>,
}

/// Coded values that are given arguments.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Given {
    key: u8,
    #[bin(prefix = u8)]
    text: Vec<u8>,
    #[bin(if = key > 0, prefix = Leb128<u32>, args(key))]
    next: Option<Encoded<Xor, InGiven>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(key: u8))]
struct InGiven {
    #[bin(range = key..)]
    least: u8,
    next: Box<Given>,
}

/// Writes a value, which is refused or read back the same, and writes what was read.
fn written<T>(value: &T) -> Result<Vec<u8>, String>
where
    T: for<'a> BinFormat<'a> + for<'a> DefaultArgs<'a> + for<'a> Wire<'a, Args = ()> + PartialEq,
{
    let start = Instant::now();
    let bytes = value.to_vec().map_err(|error| error.to_string());
    if let Ok(bytes) = &bytes {
        let read = T::parse(bytes).unwrap();
        assert_eq!(read.to_vec().unwrap(), *bytes);
    }
    assert!(start.elapsed() < LONG, "{:?}", start.elapsed());
    bytes
}

fn levels<T>(inner: T, around: impl Fn(T) -> T) -> T {
    (0..LEVELS).fold(inner, |value, _| around(value))
}

#[test]
fn each_level_is_found_out_once() {
    let prefixed = |more, next| Prefixed { more, text: vec![7; 100], next };
    let around =
        |next: Prefixed| prefixed(1, Some(Encoded::new(InPrefixed { next: Box::new(next) })));
    assert_eq!(written(&levels(prefixed(0, None), around)).unwrap().len(), 1557);
    let listed = |next: Listed| {
        let body = Encoded::new(InListed { next: Box::new(next) });
        Listed { items: vec![Item { end: 0, body }] }
    };
    assert_eq!(written(&levels(Listed { items: Vec::new() }, listed)).unwrap().len(), 43);
}

#[test]
fn so_is_each_that_is_given_arguments() {
    let given = |key, next| Given { key, text: vec![7; 100], next };
    let around =
        |next: Given| given(9, Some(Encoded::new(InGiven { least: 9, next: Box::new(next) })));
    assert_eq!(written(&levels(given(0, None), around)).unwrap().len(), 1571);
}

#[test]
fn what_is_wrong_in_the_innermost_is_found_as_fast() {
    let prefixed = |more, next| Prefixed { more, text: vec![7; 100], next };
    let around =
        |next: Prefixed| prefixed(1, Some(Encoded::new(InPrefixed { next: Box::new(next) })));
    let error = written(&levels(prefixed(1, None), around)).unwrap_err();
    assert!(error.contains("[presence]"), "{error}");
    assert_eq!(error.matches("(decoded)").count(), LEVELS);
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Records {
    #[bin(prefix = u8)]
    records: Vec<Record>,
}

/// A writer makes a copy of the head of each record, one where the one before was.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Record {
    #[bin(set(len = len(tail)))]
    head: Head,
    #[bin(len = head.len)]
    tail: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Head {
    len: u8,
    #[bin(prefix = u8)]
    body: Encoded<Xor, Prefixed>,
}

#[test]
fn copies_that_lie_where_others_did_are_written_as_they_are() {
    let inner = |byte| {
        Encoded::new(InPrefixed {
            next: Box::new(Prefixed { more: 0, text: vec![byte; 130], next: None }),
        })
    };
    let record = |byte: u8| Record {
        head: Head {
            len: 0,
            body: Encoded::new(Prefixed { more: 1, text: vec![byte], next: Some(inner(byte)) }),
        },
        tail: vec![byte; usize::from(byte)],
    };
    let records = Records { records: (0..9).map(record).collect() };
    let read = Records::parse(&written(&records).unwrap()).map(|read| read.records.len());
    assert_eq!(read.unwrap(), 9);
    let bytes = records.to_vec().unwrap();
    for (read, byte) in Records::parse(&bytes).unwrap().records.iter().zip(0..) {
        let next = read.head.body.next.as_ref().unwrap();
        assert_eq!((read.head.body.text[0], next.next.text[0]), (byte, byte));
    }
}

#[test]
fn what_is_wrong_in_one_of_several_copies_is_told_of_that() {
    let inner = |more| {
        let next = Prefixed { more, text: vec![1; 130], next: None };
        Encoded::new(InPrefixed { next: Box::new(next) })
    };
    let record = |more| Record {
        head: Head {
            len: 0,
            body: Encoded::new(Prefixed { more: 1, text: vec![2], next: Some(inner(more)) }),
        },
        tail: vec![3],
    };
    let error = written(&Records { records: vec![record(0), record(1), record(0)] }).unwrap_err();
    assert!(error.starts_with("records[1].head.body(decoded).next(decoded).next.next"), "{error}");
}
