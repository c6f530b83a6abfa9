//! Items without bytes: what is written of them, a reader can pay for, wherever they stand.

use std::fmt::Debug;

use binfmt_runtime::laws::outputs;
use binfmt_runtime::{BinFormat, Seq};

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
struct Nothing {}

/// Something or nothing: its size is not fixed.
#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[bin(args(there: bool = false))]
struct Maybe {
    #[bin(if = there)]
    number: Option<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(n: u16))]
struct Plain {
    #[bin(count = n)]
    items: Vec<Nothing>,
    #[bin(count = n)]
    maybes: Vec<Maybe>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(n: u16))]
struct Lazily<'a> {
    #[bin(count = n)]
    items: Seq<'a, Maybe>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(n: u16))]
struct Table {
    #[bin(count = n)]
    items: Vec<Nothing>,
    #[bin(for_each = items)]
    values: Vec<Maybe>,
    #[bin(for_each = items)]
    others: Vec<Nothing>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(n: u16))]
struct LazyTable<'a> {
    #[bin(count = n)]
    items: Seq<'a, Maybe>,
    #[bin(for_each = items)]
    values: Vec<Nothing>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(n: u16))]
struct Nested {
    #[bin(count = n)]
    items: Vec<Pair>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Pair {
    #[bin(count = 2)]
    items: Vec<Nothing>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(n: u16))]
struct Linked {
    #[bin(count = n, args(there = previous.number.is_some() or false))]
    items: Vec<Maybe>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(n: u16))]
struct Located {
    #[bin(at = 0, args(n))]
    items: Plain,
    #[bin(if = n > 2, at = 0, args(n))]
    again: Option<Nested>,
}

/// For any number of items, a value is written if and only if it can be read.
#[track_caller]
fn agree<T>(make: impl Fn(u16) -> T)
where
    T: BinFormat<'static, Args = u16> + PartialEq + Debug,
{
    let mut written = 0;
    for n in 0..140 {
        let value = make(n);
        match outputs(&value, n).unwrap() {
            Ok(bytes) => {
                let bytes: &'static [u8] = bytes.leak();
                assert_eq!(T::parse_with(bytes, n).as_ref(), Ok(&value), "{n} items");
                assert!(T::is_valid_with(bytes, n), "{n} items");
                written += 1;
            }
            Err(_) => assert!(T::parse_with(&[], n).is_err(), "{n} items could be read"),
        }
    }
    assert!((5..140).contains(&written), "{written} of 140 are written");
}

#[test]
fn what_is_written_of_items_without_bytes_can_be_read() {
    let nothings = |n| vec![Nothing {}; usize::from(n)];
    let maybes = |n| vec![Maybe { number: None }; usize::from(n)];
    let pairs = |n| vec![Pair { items: nothings(2) }; usize::from(n)];
    let plain = |n| Plain { items: nothings(n), maybes: maybes(n) };
    agree(plain);
    agree(|n| Lazily { items: Seq::from(&*maybes(n).leak()) });
    agree(|n| Table { items: nothings(n), values: maybes(n), others: nothings(n) });
    agree(|n| LazyTable { items: Seq::from(&*maybes(n).leak()), values: nothings(n) });
    agree(|n| Nested { items: pairs(n) });
    agree(|n| Linked { items: maybes(n) });
    agree(|n| Located { items: plain(n), again: (n > 2).then(|| Nested { items: pairs(n) }) });
}
