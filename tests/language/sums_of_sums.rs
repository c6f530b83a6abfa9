//! Checksums over numbers that follow from other checksums.

use binfmt_runtime::{BinFormat, Digest};

use super::laws::{hold, round_trip};

/// The sum of all bytes.
#[derive(Default)]
struct Sum(u8);

impl Digest for Sum {
    type Sum = u8;

    fn update(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.wrapping_add(*byte);
        }
    }

    fn finish(self) -> u8 {
        self.0
    }
}

#[derive(BinFormat, Clone, Debug, Default, PartialEq)]
struct Number {
    n: u8,
}

/// The first checksum covers a number that is set from the second one.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Chain {
    #[bin(set(n = second))]
    head: Number,
    #[bin(checksum(Sum, over = head))]
    first: u8,
    data: u8,
    #[bin(checksum(Sum, over = data))]
    second: u8,
}

/// The same through a number that is set from the one that is set.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct LongChain {
    #[bin(set(n = next.n))]
    head: Number,
    #[bin(checksum(Sum, over = head))]
    first: u8,
    data: u8,
    #[bin(set(n = second))]
    next: Number,
    #[bin(checksum(Sum, over = data))]
    second: u8,
}

/// A number says whether there is a checksum, which covers it: that is known before the checksum is.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Frame {
    #[bin(set(n = if all.is_some() { 1 } else { 0 }))]
    head: Number,
    #[bin(checksum(Sum, over = head))]
    of_head: u8,
    data: u8,
    #[bin(if = head.n == 1, checksum(Sum, over = self))]
    all: Option<u8>,
}

/// The same with a checksum over the file.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct File {
    #[bin(calc = if all.is_some() { 1 } else { 0 })]
    there: u8,
    data: u8,
    #[bin(if = there == 1, checksum(Sum, over = file))]
    all: Option<u8>,
}

fn all_outputs_agree<T>(value: &T, expected: &'static [u8])
where
    T: BinFormat<'static, Args = ()> + std::fmt::Debug + PartialEq,
{
    let mut streamed = Vec::new();
    value.write_to_with(&mut streamed, ()).unwrap();
    assert_eq!(streamed, expected);
    assert_eq!(value.to_vec_with(()).unwrap(), expected);
    hold::<T>(expected, ());
    round_trip::<T>(expected, ());
}

#[test]
fn a_checksum_covers_numbers_as_they_follow_from_others() {
    let head = Number { n: 99 };
    let chain = Chain { head: head.clone(), first: 1, data: 5, second: 2 };
    all_outputs_agree(&chain, &[5, 5, 5, 5]);
    let next = Number { n: 7 };
    let long = LongChain { head, first: 1, data: 5, next, second: 2 };
    all_outputs_agree(&long, &[5, 5, 5, 5, 5]);
}

#[test]
fn a_checksum_covers_the_number_that_says_whether_it_is_there() {
    for (all, expected) in [(Some(9), &[1, 1, 5, 7][..]), (None, &[0, 0, 5])] {
        let n = u8::from(all.is_some());
        all_outputs_agree(&Frame { head: Number { n }, of_head: 3, data: 5, all }, expected);
    }
    for (all, expected) in [(Some(9), &[1, 5, 6][..]), (None, &[0, 5])] {
        all_outputs_agree(&File { there: 7, data: 5, all }, expected);
    }
}
