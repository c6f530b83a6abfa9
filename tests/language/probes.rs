//! Inputs on which other declaration languages panic, hang, take memory or write a wrong byte.

use std::time::Duration;

use binfmt_runtime::{Auto, BinFormat, Class, DefaultArgs};
use cpu_time::ThreadTime;

use super::{findings, place, refused, same, stopped};
use crate::laws;

/// Reads, checks, validates and inspects; says what memory and time it took at most.
fn cost<T>(bytes: &'static [u8]) -> u64
where
    T: BinFormat<'static> + DefaultArgs<'static> + std::fmt::Debug + PartialEq,
{
    let start = ThreadTime::now();
    let reading = allocation_counter::measure(|| drop(T::parse(bytes)));
    laws::hold::<T>(bytes, T::default_args());
    let elapsed = start.elapsed();
    assert!(elapsed < Duration::from_secs(2), "{elapsed:?} for {} bytes", bytes.len());
    reading.bytes_max
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Aligned {
    align: u64,
    #[bin(align_after = align)]
    value: u16,
    last: u8,
}

#[test]
fn an_alignment_of_0_from_data_aligns_nothing() {
    same(&Aligned { align: 0, value: 1, last: 2 }, b"\0\0\0\0\0\0\0\0\x01\0\x02");
    same(&Aligned { align: 3, value: 1, last: 2 }, b"\x03\0\0\0\0\0\0\0\x01\0\0\0\x02");
    let huge = b"\xff\xff\xff\xff\xff\xff\xff\xff\x01\0\x02";
    assert_eq!(stopped::<Aligned>(huge), "padding end");
    assert!(cost::<Aligned>(huge) < 4096);
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Padded {
    room: u64,
    #[bin(pad_before = room)]
    value: u8,
}

#[test]
fn a_padding_close_to_2_to_the_64_never_goes_backwards() {
    same(&Padded { room: 2, value: 7 }, b"\x02\0\0\0\0\0\0\0\0\0\x07");
    for room in [u64::MAX, u64::MAX - 8, 1 << 63, 1 << 32] {
        let bytes = [&room.to_le_bytes()[..], &[7; 16]].concat().leak();
        assert_eq!(stopped::<Padded>(bytes), "padding end");
        assert!(cost::<Padded>(bytes) < 4096);
    }
    // Nothing can hold it, and the writer says so before it begins.
    let value = Padded { room: u64::MAX, value: 7 };
    let mut room = [0xaa; 64];
    assert_eq!(value.write_into(&mut room).unwrap_err().class(), Class::Incomplete);
}

#[test]
fn a_padding_that_is_not_its_fill_is_a_warning_and_rewritten_as_it() {
    let bytes = b"\x02\0\0\0\0\0\0\0\x55\x66\x07";
    assert_eq!(findings::<Padded>(bytes), ["warning padding padding"]);
    assert_eq!(Padded::parse(bytes).unwrap().to_vec().unwrap(), b"\x02\0\0\0\0\0\0\0\0\0\x07");
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Items {
    count: u16,
    #[bin(count = count)]
    items: Vec<u16>,
}

#[test]
fn a_stale_count_is_computed_anew() {
    let value = Items { count: 2, items: vec![1, 2, 3, 4, 5] };
    let bytes = value.to_vec().unwrap();
    assert_eq!(bytes, b"\x05\0\x01\0\x02\0\x03\0\x04\0\x05\0");
    assert_eq!(Items::parse(&bytes).unwrap().items, value.items);
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy, Default)]
struct Unit {}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Units {
    count: u64,
    #[bin(count = count)]
    units: Vec<Unit>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Wide {
    count: u64,
    #[bin(count = count)]
    items: Vec<Twelve>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Twelve {
    a: u64,
    b: u32,
}

#[test]
fn a_count_costs_no_more_than_the_input_holds() {
    for count in [u64::MAX, 1 << 63, 200_000_000, 1 << 40, 17] {
        let bytes: &'static [u8] = [&count.to_le_bytes()[..], &[0; 8]].concat().leak();
        if count > 17 {
            assert_eq!(stopped::<Units>(bytes), "count budget");
        }
        assert!(cost::<Units>(bytes) < 4096);
        assert_eq!(stopped::<Wide>(bytes), "count count");
        assert!(cost::<Wide>(bytes) < 4096);
    }
    // Items of no bytes are paid from the budget, which an input has for its own sake.
    assert_eq!(Units::parse(b"\x04\0\0\0\0\0\0\0\0\0\0\0").unwrap().units.len(), 4);
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Limited {
    len: u8,
    #[bin(len = len)]
    items: Vec<u16>,
    last: u8,
}

#[test]
fn a_length_that_is_no_whole_number_of_items_does_not_read_on() {
    same(&Limited { len: 4, items: vec![1, 2], last: 9 }, b"\x04\x01\0\x02\0\x09");
    assert_eq!(stopped::<Limited>(b"\x03\x01\0\x02\0\x09\x09\x09"), "items[1] end");
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Nest {
    more: u8,
    #[bin(count = more)]
    inner: Vec<Self>,
}

#[test]
fn recursion_ends_and_its_error_is_short() {
    for depth in [70, 2_000, 200_000] {
        let bytes: &'static [u8] = vec![1; depth].leak();
        let error = Nest::parse(bytes).unwrap_err();
        assert_eq!(error.finding().code, "depth");
        assert!(error.to_string().len() < 2_000, "{} bytes of text", error.to_string().len());
        assert!(cost::<Nest>(bytes) < 1 << 20);
    }
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little, magic = b"OUTR")]
struct Outer {
    count: Auto<u8>,
    #[bin(count = count)]
    inner: Vec<Inner>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big, magic = b"IN")]
struct Inner {
    a: u16,
    b: u32,
}

#[test]
fn errors_say_where_and_what_was_expected() {
    let text = |bytes| Outer::parse(bytes).unwrap_err().to_string();
    assert_eq!(
        text(b"OUTR\x02IN\0\x01\0\0\0\x02IN\0\x01\0\0\0"),
        "count at 0x4..0x5: 2 items of at least 8 bytes do not fit behind 0x5; expected 15, found 16 [count]"
    );
    assert_eq!(
        text(b"OUTR\x02IN\0\x01\0\0\0\x02IM\0\x01\0\0\0\0"),
        "inner[1].magic at 0xd..0xf: the magic is wrong; expected 49 4e, found 49 4d [magic]"
    );
    assert_eq!(
        text(b"OUTX\0"),
        "magic at 0x0..0x4: the magic is wrong; expected 4f 55 54 52, found 4f 55 54 58 [magic]"
    );
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Optional {
    flag: u8,
    #[bin(if = flag == 1)]
    value: Option<u16>,
}

#[test]
fn a_value_whose_condition_is_false_is_refused_and_not_dropped() {
    assert_eq!(refused(&Optional { flag: 0, value: Some(1) }), "value presence");
    assert_eq!(refused(&Optional { flag: 1, value: None }), "value presence");
    same(&Optional { flag: 1, value: Some(5) }, &[1, 5, 0]);
}

#[test]
fn a_count_that_does_not_fit_its_field_is_refused_and_not_cut() {
    let value = Limited { len: 0, items: vec![0; 200], last: 0 };
    assert_eq!(place(&value.to_vec().unwrap_err()), "len overflow");
}
