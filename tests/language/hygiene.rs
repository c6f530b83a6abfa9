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

mod of_others {
    use binfmt_runtime::BinFormat;

    /// A trait of the user whose methods have the names of those that the derive implements.
    trait Named {
        fn value(&self) -> u8;
        fn walk(&self) -> u8;
        fn emit(&self) -> u8;
    }

    #[derive(BinFormat, Debug, PartialEq, Clone)]
    pub(super) struct Head {
        pub(super) number: u8,
    }

    impl Named for Head {
        fn value(&self) -> u8 {
            self.number
        }

        fn walk(&self) -> u8 {
            self.number / 2
        }

        fn emit(&self) -> u8 {
            self.number.saturating_sub(1)
        }
    }

    #[derive(BinFormat, Debug, PartialEq, Clone)]
    #[bin(args(len: u8))]
    pub(super) struct Body {
        #[bin(len = len)]
        pub(super) data: Vec<u8>,
    }

    #[derive(BinFormat, Debug, PartialEq, Clone)]
    pub(super) struct OfOthers {
        pub(super) head: Head,
        #[bin(args(len = head.value()), if = head.emit() > 1)]
        pub(super) body: Option<Body>,
        #[bin(args(len = head.walk()))]
        pub(super) more: Body,
        #[bin(count = 2, sorted_by = it.value(), unique = it.emit())]
        pub(super) heads: Vec<Head>,
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

mod given_to_words {
    use binfmt_runtime::BinFormat;

    /// Types, ranges and values of words in invisible groups.
    macro_rules! declare {
        ($name:ident, $prefix:ty, $path:path, $computed:ty, $range:expr, $default:expr) => {
            #[derive(BinFormat, Debug, PartialEq, Default)]
            #[bin(little, computed(twice: $computed = number * 2))]
            pub(super) struct $name {
                #[bin(range = $range)]
                pub(super) number: u8,
                #[bin(prefix = $prefix)]
                pub(super) data: Vec<u8>,
                #[bin(prefix = $path)]
                pub(super) text: String,
                #[bin(map($path, u64::from, stored))]
                pub(super) wide: u64,
                #[bin(skip, default = $default)]
                pub(super) more: u8,
            }
        };
    }

    declare!(Given, u16, u8, u32, 1..=9, 3);

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "a conversion takes a reference")]
    fn stored(wide: &u64) -> Option<u8> {
        u8::try_from(*wide).ok()
    }
}

#[test]
fn a_macro_may_give_words_their_types_and_values() {
    let bytes = b"\x02\x01\0a\x02bc\x05";
    let value = given_to_words::Given::parse(bytes).unwrap();
    assert_eq!((value.more, value.twice(), value.wide), (3, Some(4_u32), 5));
    assert_eq!(value.to_vec().unwrap(), bytes);
    assert!(given_to_words::Given::parse(b"\x0a\x01\0a\x02bc\x05").is_err());
}

mod passed_on {
    use binfmt_runtime::{BinFormat, Digest, Rules};

    /// Declarations that a macro hands on, with words of all kinds.
    macro_rules! declare {
        ($($declaration:tt)*) => {
            #[derive(BinFormat, Debug, Clone, PartialEq)]
            $($declaration)*
        };
    }

    declare! {
        #[bin(little)]
        pub(super) struct Row {
            pub(super) at: u8,
            pub(super) size: u8,
        }
    }

    declare! {
        #[bin(
            little, version = v, len = total, rules = nothing, let(twice = v * 2),
            computed(both: u32 = v + n, "together"), note(twice > both, "{both} is more"),
        )]
        pub(super) struct All<'a> {
            pub(super) total: u16,
            pub(super) v: u8,
            pub(super) n: u8,
            #[bin(count = n, sorted_by = at, unique = size)]
            pub(super) rows: Vec<Row>,
            #[bin(count = 2, sorted_by = it, unique)]
            pub(super) numbers: Vec<u16>,
            #[bin(until = last.at == 0)]
            pub(super) ended: Vec<Row>,
            #[bin(since = 2, range = 1..=9)]
            pub(super) new: Option<u8>,
            #[bin(checksum(Sum, over = rows))]
            pub(super) sum: u8,
            #[bin(set(size = len(numbers)), check(set.at < 9, "far"))]
            pub(super) set: Row,
            #[bin(map(u8, from, into))]
            pub(super) made: u16,
            #[bin(flag = v & 4)]
            pub(super) flagged: Option<u8>,
            #[bin(section, len = 4)]
            pub(super) room: &'a [u8],
            #[bin(for_each = rows, at = it.at, len = it.size, place = room, base = room)]
            pub(super) each: Vec<&'a [u8]>,
        }
    }

    #[derive(Default)]
    pub(super) struct Sum(u8);

    impl Digest for Sum {
        type Sum = u8;

        fn update(&mut self, bytes: &[u8]) {
            self.0 = bytes.iter().fold(self.0, |sum, byte| sum.wrapping_add(*byte));
        }

        fn finish(self) -> u8 {
            self.0
        }
    }

    fn from(stored: u8) -> u16 {
        stored.into()
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "`map` passes every value so")]
    fn into(value: &u16) -> Option<u8> {
        u8::try_from(*value).ok()
    }

    fn nothing(_: &All<'_>, _: &mut Rules<'_>) {}
}

#[test]
fn a_declaration_may_come_through_a_macro() {
    let row = |at, size| passed_on::Row { at, size };
    let value = passed_on::All {
        total: 0,
        v: 6,
        n: 0,
        rows: vec![row(0, 1), row(1, 2)],
        numbers: vec![3, 4],
        ended: vec![row(0, 0)],
        new: Some(5),
        sum: 0,
        set: row(1, 0),
        made: 7,
        flagged: Some(8),
        room: b"abc\0",
        each: vec![b"a", b"bc"],
    };
    let bytes = b"\x19\0\x06\x02\0\x01\x01\x02\x03\0\x04\0\0\0\x05\x04\x01\x04\x07\x08abc\0";
    let mut bytes = bytes.to_vec();
    bytes[0] = u8::try_from(bytes.len()).unwrap();
    assert_eq!(value.to_vec().unwrap(), bytes);
    assert!(passed_on::All::validate(&bytes).is_ok());
    let rows = vec![row(1, 2), row(0, 1)];
    let error = passed_on::All { rows, ..value }.to_vec().unwrap_err();
    assert_eq!(error.finding().path.as_str(), "rows[1]");
}

mod own_names {
    use binfmt_runtime::BinFormat;

    /// Types of the user by names that types of the runtime have.
    macro_rules! own {
        ($($name:ident)*) => {
            $(#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
            pub(super) struct $name {
                number: u8,
            })*
        };
    }

    own! { Lazy Blob Seq Utf16 Cow Auto FlatBuffer Reserved Leb128 Coded Box }

    #[derive(BinFormat, Debug, PartialEq, Clone, Default)]
    pub(super) struct All {
        count: u8,
        lazy: Lazy,
        blob: Blob,
        seq: Seq,
        utf16: Utf16,
        cow: Cow,
        auto: Auto,
        buffer: FlatBuffer,
        reserved: Reserved,
        leb: Leb128,
        coded: Coded,
        own: Box,
        #[bin(count = count)]
        list: Vec<Lazy>,
        #[bin(if = auto.number > 1)]
        more: Option<Utf16>,
    }
}

/// Variants and constants by the names of the items of a trait of the runtime.
mod own_items {
    #![deny(warnings)]

    use binfmt_runtime::BinFormat;

    #[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
    #[repr(u8)]
    pub(super) enum Part {
        Args = 1,
        Wide = 2,
        Number = 3,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(tag = kind, args(kind: u8 = 1))]
    pub(super) enum Shape {
        #[bin(id = 1)]
        Args(u8),
        #[bin(id = 2)]
        Wide { width: u8, part: Part },
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(computed(twice: u16 = size * 2))]
    pub(super) struct Body {
        pub(super) size: u8,
        at: u8,
        part: Part,
        #[bin(args(kind = size))]
        shape: Shape,
        #[bin(at = at, len = size)]
        bytes: Vec<u8>,
    }

    impl Body {
        pub(super) const FLAT: u8 = 1;
        pub(super) const WIRE: u8 = 2;
    }
}

#[test]
fn items_of_the_user_may_have_names_of_items_of_the_traits() {
    let bytes = [1, 4, 3, 7, 9];
    let value = own_items::Body::parse(&bytes).unwrap();
    assert_eq!(own_items::Body::WIRE, value.size + own_items::Body::FLAT);
    assert_eq!(value.to_vec().unwrap(), bytes);
    assert!(own_items::Body::validate(&bytes).findings().is_empty());
    assert_eq!(own_items::Shape::parse(&[5]).unwrap(), own_items::Shape::Args(5));
}

#[test]
fn types_of_the_user_may_have_names_of_the_runtime() {
    let bytes = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
    let value = own_names::All::parse(&bytes).unwrap();
    assert_eq!(value.to_vec().unwrap(), bytes);
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

#[test]
fn methods_of_users_are_not_those_of_the_derive() {
    use of_others::{Body, Head, OfOthers};
    let body = |data: &[u8]| Body { data: data.into() };
    let heads = vec![Head { number: 1 }, Head { number: 2 }];
    let value =
        OfOthers { head: Head { number: 3 }, body: Some(body(b"abc")), more: body(b"d"), heads };
    super::same(&value, b"\x03abcd\x01\x02");
}
