//! The derive works wherever a user may put it: no prelude, shadowed names, a renamed runtime, and
//! under lints that forbid warnings.

use binfmt_runtime::BinFormat as _;

mod shadowed {
    #![no_implicit_prelude]
    #![deny(warnings, clippy::all, clippy::pedantic)]
    #![allow(dead_code, non_camel_case_types, reason = "the names are there to be in the way")]

    struct Option;
    struct Result;
    struct Vec;
    struct Some;
    struct Ok;
    struct Err;

    #[derive(::binfmt_runtime::BinFormat, ::core::fmt::Debug, ::core::cmp::PartialEq)]
    #[bin(big, magic = b"SH", len = size, note(r#type != 3, "a type of its own in {size} bytes"))]
    pub(super) struct Shadowed<'a> {
        size: ::binfmt_runtime::Auto<u32>,
        pub(super) r#type: u16,
        #[bin(count = r#type)]
        numbers: ::binfmt_runtime::Seq<'a, u16>,
        #[bin(if = r#type > 1)]
        more: ::core::option::Option<Nested>,
        #[bin(until_end)]
        rest: &'a [u8],
    }

    #[derive(::binfmt_runtime::BinFormat, ::core::fmt::Debug, ::core::cmp::PartialEq)]
    #[bin(big)]
    pub(super) struct Nested {
        cur: u8,
        obs: u8,
        out: u8,
        args: u8,
        value: u8,
    }
}

mod renamed {
    extern crate binfmt_runtime as other_name;

    #[derive(other_name::BinFormat, Debug, PartialEq)]
    #[bin(crate = other_name, little)]
    pub(super) struct Renamed {
        pub(super) number: u32,
    }
}

mod given {
    use binfmt_runtime::BinFormat;

    fn twice(number: u8) -> u8 {
        2 * number
    }

    /// Types, expressions and paths that come in invisible groups.
    macro_rules! declare {
        ($name:ident, $number:ty, $text:ty, $size:expr, $function:path, $limit:literal) => {
            #[derive(BinFormat, Debug, PartialEq)]
            #[bin(little)]
            pub(super) struct $name {
                pub(super) number: $number,
                #[bin(len = $size * 2)]
                pub(super) text: $text,
                #[bin(if = $function(number) < $limit)]
                pub(super) more: Option<$number>,
                #[bin(range = $size..)]
                pub(super) next: $number,
            }
        };
    }

    declare!(Given, u8, String, number + 1, twice, 9);
}

#[test]
fn what_a_macro_is_given_is_one_thing() {
    let value = given::Given { number: 1, text: "abcd".into(), more: Some(7), next: 2 };
    let bytes = b"\x01abcd\x07\x02";
    assert_eq!(value.to_vec().unwrap(), bytes);
    assert_eq!(given::Given::parse(bytes), Ok(value));
}

#[test]
fn names_of_the_user_are_not_in_the_way() {
    let bytes =
        [b"SH" as &[u8], &[0, 0, 0, 20, 0, 2, 0, 1, 0, 2], &[1, 2, 3, 4, 5], b"abc"].concat();
    let value = shadowed::Shadowed::parse(&bytes).unwrap();
    assert_eq!(value.r#type, 2);
    assert_eq!(value.to_vec().unwrap(), bytes);
    assert!(shadowed::Shadowed::validate(&bytes).findings().is_empty());
}

#[test]
fn the_runtime_may_have_another_name() {
    assert_eq!(renamed::Renamed::parse(&[1, 0, 0, 0]).unwrap().number, 1);
}

#[test]
fn declarations_stand_in_crates_of_every_edition() {
    let (value, bytes) = binfmt_edition_2018::sample();
    assert_eq!(value.to_vec().as_deref(), Ok(bytes));
    assert_eq!(binfmt_edition_2018::Everything::parse(bytes), Ok(value));
    let (value, bytes) = binfmt_edition_2021::sample();
    assert_eq!(value.to_vec().as_deref(), Ok(bytes));
    assert_eq!(binfmt_edition_2021::Everything::parse(bytes), Ok(value));
}
