//! A size or place that cannot be computed is told of at the number that it follows from, in the value that holds it.

use binfmt_runtime::BinFormat;

use super::{findings, stopped};

/// A type whose sizes or places ask for a number less than 0, or for one that is too large, and one that holds it.
macro_rules! inside {
    ($($name:ident($field:literal: $number:expr) { $($all:tt)* })*) => {
        $(mod $name {
            use binfmt_runtime::BinFormat;

            #[derive(BinFormat, Debug, Clone, PartialEq)]
            #[bin(little)]
            pub(super) struct Inner { $($all)* }

            #[derive(BinFormat, Debug, Clone, PartialEq)]
            pub(super) struct Outer {
                first: u8,
                #[bin(count = 1)]
                inner: Vec<Inner>,
                more: Inner,
            }
        })*

        #[test]
        fn a_number_is_told_of_in_the_value_that_holds_it() {
            $(
                let mut bytes = vec![0; 9];
                let number: u64 = $number;
                bytes[1..9].copy_from_slice(&number.to_le_bytes());
                bytes.resize(40, 0);
                let bytes = bytes.leak();
                let told = stopped::<$name::Outer>(bytes);
                assert_eq!(told, concat!("inner[0].", $field, " size"), stringify!($name));
                let found = findings::<$name::Outer>(bytes);
                assert!(found.contains(&format!("error {told}")), "{found:?}");
            )*
        }
    };
}

inside! {
    len("n": 1) { n: u64, #[bin(len = n - 4)] data: Vec<u8> }
    count("n": 1) { n: u64, #[bin(count = n - 4)] data: Vec<u16> }
    at("n": u64::MAX) { n: u64, #[bin(at = n * 2)] data: u8 }
    at_in_section("n": u64::MAX) { n: u64, #[bin(section, len = 4)] body: Vec<u8>, #[bin(at = n * 2, base = body, place = body)] data: u8 }
    pad_to("n": 1) { n: u64, #[bin(pad_to = n - 4, prefix = u8)] data: Vec<u8> }
    pad_before("n": 1) { n: u64, #[bin(pad_before = n - 4)] data: u8 }
    align_before("n": 1) { n: u64, #[bin(align_before = n - 4)] data: u8 }
    len_of_each("n": 1) { n: u64, t: [u8; 2], #[bin(for_each = t, len = n - 4)] data: Vec<Vec<u8>> }
    count_of_each("n": 1) { n: u64, t: [u8; 2], #[bin(for_each = t, count = n - 4)] data: Vec<Vec<u16>> }
    pad_before_each("n": 1) { n: u64, t: [u8; 2], #[bin(for_each = t, pad_before = n - 4)] data: Vec<u8> }
    align_after_each("n": 1) { n: u64, t: [u8; 2], #[bin(for_each = t, at = it, align_after = n - 4)] data: Vec<u8> }
    len_of_a_part("head.n": 1) { head: super::Head, #[bin(len = head.n - 4)] data: Vec<u8> }
    len_of_each_by_a_part("head.n": 1) { head: super::Head, t: [u8; 2], #[bin(for_each = t, len = head.n - 4)] data: Vec<Vec<u8>> }
    section("n": 1) { n: u64, #[bin(section, len = n - 4)] data: Vec<u8> }
}

/// A number in another value.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Head {
    n: u64,
}
