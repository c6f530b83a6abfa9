//! Optional fields and arguments.

use binfmt_runtime::{Auto, BinFormat, Leb128, Seq, laws};

use super::{findings, refused, same, stopped, survives};

#[derive(BinFormat, Debug, PartialEq, Default, Clone)]
#[bin(big)]
struct Versioned<'a> {
    version: u8,
    #[bin(if = version >= 2, check(size != TOO_MUCH, "{size:?} is too much"))]
    size: Option<u16>,
    #[bin(if = version == 3, align_before = 4)]
    inner: Option<Inner>,
    #[bin(if = version > 3 && version < 9 || version == 0xff, len = 2, nul)]
    name: Option<&'a str>,
    #[bin(if = !(version <= 4))]
    pair: Option<[u16; 2]>,
}

#[derive(BinFormat, Debug, PartialEq, Default, Clone)]
#[bin(big, magic = b"I")]
struct Inner {
    value: u8,
}

const TOO_MUCH: Option<u16> = Some(0x100);

#[test]
fn an_optional_field_is_there_when_its_condition_holds() {
    let version = |version| Versioned { version, ..Versioned::default() };
    let (size, inner) = (Some(4), Some(Inner { value: 5 }));
    same(&version(1), &[1]);
    same(&Versioned { size, ..version(2) }, &[2, 0, 4]);
    same(&Versioned { size, inner: inner.clone(), ..version(3) }, &[3, 0, 4, 0, b'I', 5]);
    same(&Versioned { size, name: Some("ab"), ..version(4) }, &[4, 0, 4, b'a', b'b', 0]);
    same(&Versioned { size, pair: Some([6, 7]), ..version(10) }, &[10, 0, 4, 0, 6, 0, 7]);
    assert_eq!(stopped::<Versioned<'_>>(&[3, 0, 4, 0, b'J', 5]), "inner.magic magic");
    assert_eq!(stopped::<Versioned<'_>>(&[2, 1, 0]), "size Versioned.size");
}

#[test]
fn presence_and_condition_must_agree_on_write() {
    let size = Some(4);
    assert_eq!(refused(&Versioned { version: 1, size, ..Versioned::default() }), "size presence");
    assert_eq!(refused(&Versioned { version: 2, ..Versioned::default() }), "size presence");
    assert_eq!(refused(&Versioned { version: 10, size, ..Versioned::default() }), "pair presence");
    assert_eq!(
        refused(&Versioned { version: 2, size: Some(0x100), ..Versioned::default() }),
        "size Versioned.size"
    );
    assert_eq!(
        refused(&Versioned { version: 4, size, name: Some("abc"), ..Versioned::default() }),
        "name derived"
    );
}

#[derive(BinFormat, Debug, PartialEq, Default, Clone)]
#[bin(little, args(wide: bool = false, limit: u16 = 100))]
struct Record {
    #[bin(if = wide)]
    high: Option<u16>,
    #[bin(check(low <= limit, "{low} is more than {limit}"))]
    low: u16,
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(little)]
struct Table<'a> {
    flags: u8,
    limit: u16,
    count: Auto<u8>,
    #[bin(args(wide = flags == 3, limit))]
    first: Record,
    #[bin(count = count, args(wide = flags == 3, limit = limit))]
    records: Seq<'a, Record>,
    #[bin(until_end, args(wide = true, limit))]
    rest: Vec<Record>,
}

#[test]
fn arguments_reach_fields_and_items_when_reading_and_writing() {
    let (record, wide) = (|low| Record { high: None, low }, |low| Record { high: Some(1), low });
    let records = Seq::from(vec![wide(5)].leak() as &[Record]);
    let value = Table {
        flags: 3,
        limit: 9,
        first: wide(8),
        records,
        rest: vec![wide(9)],
        ..Table::default()
    };
    same(&value, &[3, 9, 0, 1, 1, 0, 8, 0, 1, 0, 5, 0, 1, 0, 9, 0]);
    let narrow = Table { flags: 0, limit: 9, first: record(2), ..Table::default() };
    same(&narrow, &[0, 9, 0, 0, 2, 0]);
    assert_eq!(stopped::<Table<'_>>(&[0, 9, 0, 0, 10, 0]), "first.low Record.low");
    assert_eq!(refused(&Table { first: record(10), ..narrow }), "first.low Record.low");
    assert_eq!(
        findings::<Table<'_>>(&[0, 9, 0, 1, 2, 0, 10, 0]),
        ["error records[0].low Record.low"]
    );
}

#[test]
fn the_caller_gives_arguments_or_takes_their_defaults() {
    assert_eq!(Record::parse(&[100, 0]).unwrap().low, 100);
    assert!(Record::parse(&[101, 0]).is_err());
    assert_eq!(
        Record::parse_with(&[1, 0, 101, 0], (true, 200)).unwrap(),
        Record { high: Some(1), low: 101 }
    );
    survives::<Record>(&[1, 0, 101, 0], (true, 200));
    assert!(!Record::is_valid_with(&[101, 0], (false, 100)));
    let value = Record { high: Some(1), low: 101 };
    assert_eq!(value.to_vec_with((true, 101)).unwrap(), [1, 0, 101, 0]);
    assert!(value.to_vec_with((false, 101)).is_err());
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little, args(kind: Kind, names: &'static [u8]))]
struct Needy<'a> {
    #[bin(if = kind == Kind::Two, len = names.len())]
    data: Option<&'a [u8]>,
    #[bin(check(is_in(names, last), "{last} is not in {names:?}"))]
    last: u8,
}

#[derive(Debug, PartialEq, Clone, Copy)]
enum Kind {
    One,
    Two,
}

fn is_in(names: &[u8], name: u8) -> bool {
    names.contains(&name)
}

#[test]
fn arguments_are_values_of_any_type() {
    survives::<Needy<'_>>(b"abz", (Kind::Two, b"xz"));
    survives::<Needy<'_>>(b"x", (Kind::One, b"xz"));
    let error = Needy::parse_with(b"y", (Kind::One, b"xz")).unwrap_err();
    assert_eq!(error.finding().message.as_str(), "121 is not in [120, 122]");
}

/// Numbers that tell sizes and places, and whether there is anything of that size or in that place.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Deciding {
    len: u8,
    #[bin(if = len < 4, len = len)]
    short: Option<Vec<u8>>,
    count: u16,
    #[bin(if = count > 0, count = count)]
    some: Option<Vec<u16>>,
    at: u8,
    #[bin(at = at, if = at < 100)]
    near: Option<u8>,
}

#[test]
fn a_number_of_what_is_absent_stays_where_0_would_say_that_it_is_there() {
    let value = |len, count, at| Deciding { len, short: None, count, some: None, at, near: None };
    same(&value(5, 0, 200), &[5, 0, 0, 200]);
    assert!(Deciding::validate(&[5, 0, 0, 200]).findings().is_empty());
    // A count of nothing is 0, whatever the value holds.
    assert_eq!(value(5, 9, 200).to_vec().unwrap(), [5, 0, 0, 200]);
    assert_eq!(refused(&value(3, 0, 200)), "short presence");
    assert_eq!(refused(&value(5, 0, 9)), "near presence");
    let here =
        Deciding { short: Some(vec![1]), some: Some(vec![2]), near: Some(3), ..value(9, 9, 0) };
    assert_eq!(here.to_vec().unwrap(), [1, 1, 1, 0, 2, 0, 7, 3]);
}

/// Flags of variable length, as in a stream whose numbers all are.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct CodedFlags {
    flags: Leb128<u16>,
    #[bin(flag = flags & 1)]
    low: Option<u8>,
    #[bin(flag = flags & 0x8000)]
    high: Option<Leb128<u16>>,
    at: u8,
    #[bin(at = at)]
    last: u8,
}

#[test]
fn a_bit_of_a_number_of_variable_length_says_what_is_there() {
    let value = |flags: u16, low, high: Option<u16>| CodedFlags {
        flags: flags.into(),
        low,
        high: high.map(Into::into),
        at: 0,
        last: 9,
    };
    same(&CodedFlags { at: 2, ..value(0, None, None) }, &[0, 2, 9]);
    assert_eq!(value(2, None, Some(5)).to_vec().unwrap(), [0x82, 0x80, 2, 5, 5, 9]);
    assert_eq!(value(0x8003, None, None).to_vec().unwrap(), [2, 2, 9]);
    laws::hold::<CodedFlags>(&[0x81, 0x80, 2, 7, 1, 6, 9], ()).unwrap();
    // More bytes than the number needs are kept, as long as it fits into them.
    let long: &'static [u8] = &[0x81, 0x80, 0, 7, 5, 9];
    let mut read = CodedFlags::parse(long).unwrap();
    same(&read, long);
    read.low = None;
    assert_eq!(read.to_vec().unwrap(), [0x80, 0x80, 0, 5, 0, 9]);
    read.high = Some(1.into());
    assert_eq!(read.to_vec().unwrap(), [0x80, 0x80, 2, 1, 5, 9]);
}

/// A number that is a size, and more than that.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Both {
    flags: u8,
    len: u8,
    #[bin(flag = flags & 1, len = len)]
    some: Option<Vec<u8>>,
    #[bin(if = len > 4)]
    more: Option<u8>,
}

#[test]
fn a_number_of_what_is_absent_stays_where_another_field_depends_on_it() {
    let value = |len, some: Option<&[u8]>, more| Both {
        flags: u8::from(some.is_some()),
        len,
        some: some.map(Into::into),
        more,
    };
    same(&value(5, None, Some(9)), &[0, 5, 9]);
    assert!(Both::validate(&[0, 5, 9]).findings().is_empty());
    assert_eq!(refused(&value(5, None, None)), "more presence");
    // It is the size of what is there, whatever the value holds.
    assert_eq!(value(5, Some(&[1]), None).to_vec().unwrap(), [1, 1, 1]);
}

/// Sizes of what may be absent, which rules and a computed value name: 0 may break them.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(computed(more: u8 = len - 1, "behind the first"), check(size > 2, "too few"))]
struct Named {
    flags: u8,
    len: u8,
    #[bin(flag = flags & 1, len = len)]
    some: Option<Vec<u8>>,
    size: u8,
    #[bin(flag = flags & 2, len = size)]
    other: Option<Vec<u8>>,
    #[bin(range = 4..=4)]
    last: u8,
    #[bin(flag = flags & 4, len = last)]
    tail: Option<Vec<u8>>,
}

#[test]
fn a_number_of_what_is_absent_stays_where_a_rule_or_a_computed_value_names_it() {
    let named =
        |len, size, last| Named { flags: 0, len, some: None, size, other: None, last, tail: None };
    same(&named(1, 3, 4), &[0, 1, 3, 4]);
    assert!(Named::validate(&[0, 1, 3, 4]).findings().is_empty());
    assert_eq!(refused(&named(0, 3, 4)), "more Named.more");
    assert_eq!(refused(&named(1, 2, 4)), " Named");
    assert_eq!(refused(&named(1, 3, 5)), "last Named.last.range");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(computed(twice: u16 = at * 2))]
struct Nullable {
    #[bin(warn(at < 100, "far"))]
    at: u8,
    #[bin(at = at, null = 0)]
    text: Option<[u8; 2]>,
    #[bin(if = at > 10)]
    far: Option<u8>,
}

/// The place is used where the `if` of the other field does not hold.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Shared {
    kind: u8,
    #[bin(check(at < 77, "far"))]
    at: u8,
    #[bin(if = kind != 2, at = at, null = 0)]
    text: Option<[u8; 2]>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Head {
    at: u8,
}

/// Nothing computes a number of another value, nor an argument.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(place: u8 = 2))]
struct Given {
    head: Head,
    n: u8,
    #[bin(at = head.at, null = 0)]
    text: Option<[u8; 1]>,
    #[bin(at = place, null = 9)]
    other: Option<[u8; 1]>,
}

#[test]
fn an_offset_that_says_that_a_field_is_absent_is_written_so_or_the_value_is_refused() {
    let stale = Nullable { at: 3, text: None, far: None };
    assert_eq!(stale.to_vec().as_deref(), Ok(&[0][..]));
    assert_eq!(Nullable::parse(&[0]), Ok(Nullable { at: 0, ..stale }));
    assert_eq!(refused(&Nullable { at: 30, text: None, far: Some(1) }), "far presence");

    let shared = Shared { kind: 1, at: 3, text: None };
    assert_eq!(shared.to_vec().as_deref(), Ok(&[1, 0][..]));
    same(&Shared { kind: 2, ..shared }, &[2, 3]);

    let given = |at, text, other| Given { head: Head { at }, n: 0, text, other };
    same(&given(0, None, Some([7])), &[0, 0, 7]);
    assert_eq!(refused(&given(3, None, Some([7]))), "text presence");
    assert_eq!(refused(&given(0, None, None)), "other presence");
    same(&given(3, Some([8]), Some([7])), &[3, 0, 7, 8]);
}

/// A number that says that nothing is there, for two values at it.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct AtOne {
    at: u8,
    #[bin(at = at, null = 0, nul, shared)]
    first: Option<String>,
    #[bin(at = at, null = 0, nul, shared)]
    second: Option<String>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct AtOneAlways {
    at: u8,
    #[bin(at = at, null = 0)]
    first: Option<u8>,
    #[bin(at = at)]
    second: u8,
}

#[test]
fn a_number_says_of_all_values_at_it_that_nothing_is_there() {
    let text = |there: bool| there.then(|| "ab".to_owned());
    same(&AtOne { at: 0, first: None, second: None }, b"\0");
    let both = AtOne { at: 0, first: text(true), second: text(true) };
    assert_eq!(both.to_vec().unwrap(), b"\x01ab\0");
    for (first, second, field) in [(false, true, "first"), (true, false, "second")] {
        let one = AtOne { at: 0, first: text(first), second: text(second) };
        assert_eq!(refused(&one), format!("{field} presence"));
    }
    assert_eq!(refused(&AtOneAlways { at: 0, first: None, second: 7 }), "first presence");
}

/// Bits as documents write them, and a number with them that may be absent.
#[derive(BinFormat, Debug, Clone, Default, PartialEq)]
#[bin(big)]
struct Shifted {
    flags: u16,
    #[bin(flag = flags & (1 << 15))]
    first: Option<u8>,
    #[bin(flag = flags & 1 << 2 == 0)]
    second: Option<u8>,
    #[bin(if = flags & 1 != 0)]
    map: Option<u64>,
    #[bin(if = map & 4 != 0)]
    third: Option<u8>,
}

#[test]
fn a_bit_is_a_number_or_a_shifted_one() {
    same(
        &Shifted { flags: 1 << 15, first: Some(7), second: Some(8), ..Shifted::default() },
        &[0x80, 0, 7, 8],
    );
    let map = Some(5);
    same(
        &Shifted { flags: 5, map, third: Some(9), ..Shifted::default() },
        &[0, 5, 0, 0, 0, 0, 0, 0, 0, 5, 9],
    );
    let set = Shifted { first: Some(7), ..Shifted::default() };
    assert_eq!(set.to_vec().as_deref(), Ok(&[0x80, 4, 7][..]));
}
