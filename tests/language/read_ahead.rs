//! What readers decide by the bytes that follow: writers refuse values that would be read otherwise.

use std::fmt::Debug;

use binfmt_runtime::{Auto, BinFormat, DefaultArgs, Leb128, Seq, laws};

/// What is written, or the path, offset and code of the error; with all laws of the value.
#[track_caller]
fn told<T>(value: &T) -> Result<&'static [u8], String>
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
{
    // What can be written has a length, and what cannot has none.
    assert_eq!(value.encoded_len().is_ok(), value.to_vec().is_ok());
    let outcome = match laws::written_is_read(value, T::default_args()) {
        Ok(outcome) => outcome,
        Err(broken) => panic!("{broken}"),
    };
    outcome.map_err(|error| {
        let finding = error.finding();
        format!("{} {:#x} {}", finding.path, finding.start, finding.code)
    })
}

mod optional {
    use super::*;

    #[derive(BinFormat, Debug, PartialEq, Default)]
    #[bin(little)]
    struct Outer {
        head: Inner,
        tail: Vec3,
    }

    #[derive(BinFormat, Debug, PartialEq, Default)]
    #[bin(little)]
    struct Inner {
        first: u8,
        #[bin(optional, magic = 0x4241u16)]
        name: Option<u8>,
    }

    #[derive(BinFormat, Debug, PartialEq, Default)]
    struct Vec3 {
        bytes: [u8; 3],
    }

    #[test]
    fn an_absent_field_is_not_followed_by_its_magic() {
        let value = |name, bytes: &[u8; 3]| Outer {
            head: Inner { first: 7, name },
            tail: Vec3 { bytes: *bytes },
        };
        assert_eq!(told(&value(None, b"Axx")), Ok(&b"\x07Axx"[..]));
        assert_eq!(told(&value(None, b"ABx")), Err("head.name 0x1 optional".into()));
        assert_eq!(told(&value(Some(1), b"ABx")), Ok(&b"\x07AB\x01ABx"[..]));
    }

    #[derive(BinFormat, Debug, PartialEq, Clone)]
    #[bin(magic = b"T")]
    struct Tail {
        number: u8,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    struct OfType {
        #[bin(optional)]
        tail: Option<Tail>,
        #[bin(until_end)]
        rest: Vec<u8>,
    }

    #[test]
    fn an_absent_value_is_not_followed_by_the_magic_of_its_type() {
        let value = |rest: &[u8]| OfType { tail: None, rest: rest.to_vec() };
        assert_eq!(told(&value(b"")), Ok(&b""[..]));
        assert_eq!(told(&value(b"xT")), Ok(&b"xT"[..]));
        assert_eq!(told(&value(b"T")), Err("tail 0x0 optional".into()));
    }

    #[derive(BinFormat, Debug, PartialEq)]
    struct InRegion {
        len: Auto<u8>,
        #[bin(len = len)]
        inside: Inside,
        next: u8,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    struct Inside {
        first: u8,
        #[bin(optional, magic = b"N")]
        name: Option<u8>,
    }

    #[test]
    fn only_what_lies_in_the_region_follows() {
        let inside = Inside { first: 1, name: None };
        let value = InRegion { len: Auto::new(), inside, next: b'N' };
        assert_eq!(told(&value), Ok(&b"\x01\x01N"[..]));
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Late {
        #[bin(optional, magic = b"\x03")]
        mark: Option<u8>,
        len: Auto<u16>,
        #[bin(len = len)]
        bytes: Vec<u8>,
    }

    #[test]
    fn numbers_that_are_stored_later_follow_as_well() {
        let value = |len| Late { mark: None, len: Auto::new(), bytes: vec![0; len] };
        assert_eq!(told(&value(2)), Ok(&[2, 0, 0, 0][..]));
        assert_eq!(told(&value(3)), Err("mark 0x0 optional".into()));
    }
}

mod variants {
    use super::*;

    #[derive(BinFormat, Debug, PartialEq, Clone)]
    #[bin(big)]
    enum Kind {
        #[bin(magic = b"AB")]
        Named(u8),
        Other(u8),
    }

    #[derive(BinFormat, Debug, PartialEq)]
    struct Two {
        one: Kind,
        two: Kind,
    }

    #[test]
    fn a_short_variant_is_not_completed_by_what_follows() {
        let two = |one, two| Two { one, two };
        assert_eq!(told(&two(Kind::Other(b'A'), Kind::Other(1))), Ok(&b"A\x01"[..]));
        let completed = two(Kind::Other(b'A'), Kind::Other(b'B'));
        assert_eq!(told(&completed), Err("one 0x0 variant".into()));
        let last = two(Kind::Named(1), Kind::Other(b'A'));
        assert_eq!(told(&last), Ok(&b"AB\x01A"[..]));
    }

    #[derive(BinFormat, Debug, PartialEq, Clone)]
    #[bin(probe)]
    enum Probed<'a> {
        Text(Text<'a>),
        Pair(Pair),
        One(u8),
    }

    #[derive(BinFormat, Debug, PartialEq, Clone)]
    struct Text<'a> {
        #[bin(check(mark == 1, "a text"))]
        mark: u8,
        #[bin(prefix = u8)]
        text: &'a str,
    }

    #[derive(BinFormat, Debug, PartialEq, Clone)]
    #[bin(big)]
    struct Pair {
        #[bin(check(number < 0x300, "a small number"))]
        number: u16,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    struct Several<'a> {
        #[bin(until_end)]
        all: Vec<Probed<'a>>,
    }

    #[test]
    fn a_variant_is_written_that_no_earlier_one_reads() {
        use Probed::{One, Pair as P, Text as T};
        let several = |all| Several { all };
        let pair = |number| P(Pair { number });
        let ok = several(vec![T(Text { mark: 1, text: "a" }), pair(0x200), One(9)]);
        assert_eq!(told(&ok), Ok(&b"\x01\x01a\x02\0\x09"[..]));
        // The first byte of the next one completes a pair.
        assert_eq!(told(&several(vec![One(2), One(9)])), Err("all[0] 0x0 variant".into()));
        assert_eq!(told(&several(vec![One(9), One(2)])), Ok(&[9, 2][..]));
        // A pair that is a text.
        assert_eq!(told(&several(vec![pair(0x100)])), Err("all[0] 0x0 variant".into()));
        let longer = several(vec![pair(0x102), One(b'a'), One(b'b')]);
        assert_eq!(told(&longer), Err("all[0] 0x0 variant".into()));
        assert_eq!(told(&several(vec![pair(0x102), One(b'a')])), Ok(&b"\x01\x02a"[..]));
    }

    #[derive(BinFormat, Debug, PartialEq, Clone)]
    #[bin(probe, args(most: u8 = 4))]
    enum Told {
        #[bin(args(most = most))]
        Small(Small),
        Any(u8),
    }

    #[derive(BinFormat, Debug, PartialEq, Clone)]
    #[bin(args(most: u8))]
    struct Small {
        #[bin(check(number <= most, "small"))]
        number: u8,
    }

    #[test]
    fn arguments_of_a_probe_decide_as_they_do_for_readers() {
        assert_eq!(told(&Told::Any(5)), Ok(&[5][..]));
        assert_eq!(told(&Told::Any(4)), Err(" 0x0 variant".into()));
        assert!(Told::Any(5).to_vec_with(5).is_err());
    }
}

mod ends {
    use super::*;

    #[derive(BinFormat, Debug, PartialEq)]
    struct Numbers<'a> {
        #[bin(until = remaining < 2)]
        all: Vec<Leb128<u32>>,
        #[bin(until_end)]
        rest: &'a [u8],
    }

    #[test]
    fn the_last_item_begins_where_a_reader_goes_on() {
        let numbers = |all: &[u32], rest| Numbers {
            all: all.iter().map(|number| Leb128::new(*number)).collect(),
            rest,
        };
        assert_eq!(told(&numbers(&[1, 300], b"")), Ok(&[1, 0xac, 2][..]));
        assert_eq!(told(&numbers(&[1], b"x")), Ok(&b"\x01x"[..]));
        assert_eq!(told(&numbers(&[1], b"")), Err("all 0x0 until".into()));
        assert_eq!(told(&numbers(&[300], b"xy")), Err("all 0x2 until".into()));
    }

    #[derive(BinFormat, Debug, PartialEq)]
    struct Middle {
        inner: Inner,
        last: u8,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Inner {
        #[bin(until = remaining < 2)]
        all: Vec<u16>,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Two {
        inner: Inner,
        last: u16,
    }

    #[test]
    fn what_follows_the_value_around_is_no_item() {
        let value = Middle { inner: Inner { all: vec![1, 2] }, last: 3 };
        assert_eq!(told(&value), Ok(&[1, 0, 2, 0, 3][..]));
        let value = Two { inner: Inner { all: vec![1] }, last: 3 };
        assert_eq!(told(&value), Err("inner.all 0x2 until".into()));
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Words<'a> {
        #[bin(until = remaining < 4)]
        all: Seq<'a, u32>,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Around<'a> {
        words: Words<'a>,
        last: u8,
    }

    #[test]
    fn a_lazy_sequence_leaves_what_is_too_short_for_an_item() {
        let file: &[u8] = &[1, 0, 0, 0, 9];
        let (value, rest) = Words::parse_prefix(file).unwrap();
        assert_eq!((value.all.walk_count(), rest), (1, &[9][..]));
        let value = Around::parse(file).unwrap();
        assert_eq!(value.last, 9);
        assert_eq!(told(&value), Ok(file));
    }
}

mod widths {
    use super::*;

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little, len = size)]
    struct Sized {
        size: Leb128<u32>,
        #[bin(until_end)]
        rest: Vec<u8>,
    }

    #[test]
    fn nonsense_in_a_computed_number_does_not_widen_it() {
        let value = |size| Sized { size, rest: vec![7; 3] };
        let expected = [4, 7, 7, 7];
        for nonsense in [0, 4, 200, 1 << 30] {
            assert_eq!(value(Leb128::new(nonsense)).to_vec().unwrap(), expected);
        }
        // The length that it was read with is kept.
        let padded = value(Leb128::new(0).padded(3));
        assert_eq!(padded.to_vec().unwrap(), [0x86, 0x80, 0, 7, 7, 7]);
        let long = Sized { size: Leb128::new(0), rest: vec![7; 200] };
        assert_eq!(long.to_vec().unwrap()[..2], [0xca, 1]);
    }
}

mod spaces {
    use super::*;

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Padded {
        space: u16,
        #[bin(optional, magic = b"M", prefix = u8, pad_to = space)]
        words: Option<Vec<u16>>,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Computed {
        space: Auto<u16>,
        #[bin(optional, magic = b"M", prefix = u8, pad_to = space)]
        words: Option<Vec<u16>>,
    }

    #[test]
    fn an_absent_field_keeps_the_space_that_is_stored() {
        let file: &[u8] = &[3, 0];
        let value = Padded::parse(file).unwrap();
        assert_eq!(value, Padded { space: 3, words: None });
        assert_eq!(told(&value), Ok(file));
        // What no field keeps is told.
        let codes = Computed::validate(file);
        let codes: Vec<_> = codes.findings().iter().map(|finding| finding.code).collect();
        assert_eq!(codes, ["canonical"]);
        assert_eq!(Computed::parse(file).unwrap().to_vec().unwrap(), [0, 0]);
    }
}

mod offsets {
    use super::*;

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Nowhere<'a> {
        at: Auto<u8>,
        len: Auto<u8>,
        #[bin(at = at, len = len, null = 2, align_before = 2)]
        body: Option<&'a [u8]>,
    }

    #[test]
    fn a_value_does_not_lie_at_the_offset_that_says_it_is_absent() {
        let value = |body| Nowhere { at: Auto::new(), len: Auto::new(), body };
        assert_eq!(told(&value(Some(b"xy"))), Ok(&b"\x04\x02\0\0xy"[..]));
        assert_eq!(told(&value(Some(b""))), Ok(&[3, 0, 0][..]));
        assert_eq!(told(&value(None)), Ok(&[2, 0][..]));
        // A file in which it lies elsewhere is written again.
        let read = Nowhere::parse(b"\x05\x01\0\0\0x").unwrap();
        assert_eq!(told(&read), Ok(&b"\x04\x01\0\0x"[..]));
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Behind {
        at: Auto<u8>,
        #[bin(at = at + 3)]
        number: u8,
    }

    #[test]
    fn a_value_lies_where_a_number_can_say_so() {
        assert_eq!(told(&Behind { at: Auto::new(), number: 9 }), Ok(&[0, 0, 0, 9][..]));
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Stored<'a> {
        at: u8,
        #[bin(at = at, len = 1, null = 1)]
        body: Option<&'a [u8]>,
    }

    #[test]
    fn a_stored_offset_that_says_absent_is_not_kept() {
        let value = Stored { at: 1, body: Some(b"x") };
        assert_eq!(told(&value), Ok(&b"\x02\0x"[..]));
    }
}

mod sizes {
    use super::*;

    fn words(flag: u8) -> u64 {
        if flag & 1 == 0 { 2 } else { 4 }
    }

    const SIZES: [u64; 3] = [1, 2, 4];

    fn size(index: u8) -> u64 {
        SIZES.get(usize::from(index)).copied().unwrap_or(0)
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Chosen<'a> {
        flag: u8,
        index: u8,
        #[bin(count = words(flag))]
        words: Vec<u16>,
        #[bin(len = size(index))]
        bytes: &'a [u8],
    }

    #[test]
    fn a_size_that_no_number_follows_from_is_compared() {
        let value = |flag, words: &[u16], index, bytes| Chosen {
            flag,
            index,
            words: words.to_vec(),
            bytes,
        };
        assert_eq!(told(&value(0, &[1, 2], 1, b"ab")), Ok(&b"\0\x01\x01\0\x02\0ab"[..]));
        assert_eq!(told(&value(1, &[1, 2], 1, b"ab")), Err("words 0x2 derived".into()));
        assert_eq!(told(&value(2, &[1, 2], 2, b"ab")), Err("bytes 0x6 derived".into()));
        assert_eq!(told(&value(0, &[1, 2], 3, b"ab")), Err("bytes 0x6 derived".into()));
        let error = value(1, &[1, 2], 1, b"ab").to_vec().unwrap_err();
        assert!(error.to_string().contains("expected 4, found 2"), "{error}");
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little, len = words(flag))]
    struct Whole {
        flag: u8,
        #[bin(until_end)]
        rest: Vec<u8>,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    struct Wholes {
        #[bin(until_end)]
        all: Vec<Whole>,
    }

    #[test]
    fn the_length_of_a_type_is_compared_as_well() {
        let whole = |flag, len| Whole { flag, rest: vec![7; len] };
        assert_eq!(
            told(&Wholes { all: vec![whole(0, 1), whole(1, 3)] }),
            Ok(&[0, 7, 1, 7, 7, 7][..])
        );
        assert_eq!(
            told(&Wholes { all: vec![whole(0, 1), whole(1, 2)] }).unwrap_err(),
            "all[1] 0x2 derived"
        );
    }
}

mod no_bytes {
    use super::*;

    #[derive(BinFormat, Debug, PartialEq, Clone)]
    #[bin(args(there: u8 = 0))]
    struct Empty {
        #[bin(if = there == 1)]
        one: Option<u8>,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Many {
        count: Auto<u16>,
        #[bin(count = count)]
        all: Vec<Empty>,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    struct Uncounted {
        #[bin(until_end)]
        all: Vec<Empty>,
    }

    #[test]
    fn an_item_without_bytes_is_not_written_where_nothing_counts_items() {
        assert_eq!(told(&Uncounted { all: Vec::new() }), Ok(&[][..]));
        let one = Uncounted { all: vec![Empty { one: None }] };
        assert_eq!(told(&one), Err("all[0] 0x0 until".into()));
    }

    #[test]
    fn no_more_items_without_bytes_are_written_than_readers_pay_for() {
        let many = |count| Many { count: Auto::new(), all: vec![Empty { one: None }; count] };
        assert_eq!(told(&many(80)), Ok(&[80, 0][..]));
        assert!(told(&many(81)).unwrap_err().ends_with("budget"));
        assert!(told(&many(60_000)).unwrap_err().ends_with("budget"));
    }
}
