//! Numbers that are known when something later has been written: every output has them, and what is
//! read is written as it was.

use binfmt_runtime::{Auto, BinFormat, Crc32, DefaultArgs, Digest as _, Leb128, laws};

use super::{refused, survives};

/// Written alike by every output, read back as the same value, valid, and written again the same.
#[track_caller]
fn holds<T>(value: &T) -> &'static [u8]
where
    T: BinFormat<'static> + DefaultArgs<'static> + core::fmt::Debug + PartialEq,
{
    let bytes: &'static [u8] = laws::written_as_read(value, T::default_args()).unwrap().leak();
    let read = T::parse(bytes).unwrap();
    assert_eq!(laws::written_as_read(&read, T::default_args()).unwrap(), bytes);
    assert_eq!(T::validate(bytes).errors().count(), 0, "{}", T::validate(bytes));
    bytes
}

/// A value that is longer than its own field, for it has another one at an offset.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Body {
    at: u32,
    #[bin(at = at)]
    x: u32,
}

const fn body(x: u32) -> Body {
    Body { at: 0, x }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Located {
    at: u32,
    n: u32,
    #[bin(at = at, len = n)]
    body: Body,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Computed {
    at: u32,
    #[bin(calc = len(body) + 1)]
    n: u32,
    #[bin(at = at)]
    body: Body,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Table {
    entries: [Entry; 2],
    #[bin(for_each = entries, at = it.at, len = it.len, align_before = 4)]
    bodies: Vec<Body>,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy, Default)]
#[bin(little)]
struct Entry {
    at: u32,
    len: u16,
    kind: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Sequence {
    n: u32,
    #[bin(len = n)]
    body: Body,
    #[bin(prefix = u16)]
    second: Body,
    m: Auto<u16>,
    #[bin(len = m)]
    bodies: Vec<Body>,
    tail: u8,
}

#[test]
fn a_length_is_that_of_the_value_where_it_lies() {
    let n = |bytes: &[u8]| u32::from_le_bytes(bytes[4..8].try_into().unwrap());
    for stored in [0, 8, 9, 77] {
        assert_eq!(n(holds(&Located { at: 0, n: stored, body: body(5) })), 8);
        assert_eq!(n(holds(&Computed { at: 0, n: stored, body: body(5) })), 9);
        let entry = Entry { len: 3, ..Entry::default() };
        let table = Table { entries: [entry; 2], bodies: vec![body(1), body(2)] };
        let read = Table::parse(holds(&table)).unwrap();
        assert_eq!(read.entries.map(|entry| entry.len), [8, 8]);
        let bodies = vec![body(1), body(2), body(3)];
        let value =
            Sequence { n: stored, body: body(5), second: body(6), m: Auto::new(), bodies, tail: 7 };
        let read = Sequence::parse(holds(&value)).unwrap();
        assert_eq!((read.n, read.tail, read.bodies.len()), (8, 7, 3));
    }
    survives::<Located>(holds(&Located { at: 0, n: 0, body: body(5) }), ());
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Summed {
    #[bin(checksum(Crc32, over = data))]
    crc: u32,
    n: Auto<u8>,
    #[bin(len = n)]
    data: Vec<u8>,
    #[bin(set(sum = crc, len = n))]
    tail: Tail,
    #[bin(checksum(Crc32, over = tail))]
    outer: Auto<u32>,
    #[bin(if = crc != 0)]
    more: Option<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little)]
struct Tail {
    sum: u32,
    len: u16,
}

#[test]
fn what_follows_from_a_checksum_is_set_and_checked_when_that_is_known() {
    let value = Summed {
        crc: 7,
        n: Auto::new(),
        data: vec![1, 2, 3],
        tail: Tail { sum: 9, len: 9 },
        outer: Auto::new(),
        more: Some(1),
    };
    let bytes = holds(&value);
    let read = Summed::parse(bytes).unwrap();
    assert_eq!((read.tail.sum, read.tail.len), (read.crc, 3));
    assert_eq!(refused(&Summed { more: None, ..value.clone() }), "more presence");
    assert_eq!(refused(&Summed { data: vec![], ..value.clone() }), "more presence");
    holds(&Summed { data: vec![], more: None, ..value });
    survives::<Summed>(bytes, ());
}

/// What needs bytes.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Filled {
    #[bin(until_end, check(!data.is_empty(), "empty"))]
    data: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Empty {
    at: u8,
    last: u8,
    #[bin(at = at)]
    inside: Filled,
    #[bin(at = last, null = 0)]
    others: Option<Others>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Others(#[bin(until_end)] Vec<Filled>);

#[test]
fn rules_of_a_located_value_without_bytes_hold_too() {
    let empty = Empty { at: 2, last: 0, inside: Filled { data: vec![] }, others: None };
    assert_eq!(refused(&empty), "inside.data Filled.data");
    let value = Empty { inside: Filled { data: vec![1] }, ..empty };
    assert_eq!(holds(&value), [2, 0, 1]);
    assert_eq!(holds(&Empty { others: Some(Others(vec![])), last: 3, ..value }), [2, 3, 1]);
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Far {
    at: u64,
    n: Auto<u8>,
    pad: u64,
    #[bin(at = at, len = n, pad_after = pad)]
    data: Vec<u8>,
}

#[test]
fn an_output_that_would_be_too_large_is_an_error() {
    let far = |at, pad| Far { at, n: Auto::new(), pad, data: vec![1] };
    for (at, pad) in
        [(1 << 40, 0), (u64::MAX, 0), (17, 1 << 40), (17, u64::MAX), (1 << 31, 1 << 31)]
    {
        let error = far(at, pad).to_vec().unwrap_err();
        assert_eq!(error.finding().code, "space", "{error}");
        assert_eq!(far(at, pad).encoded_len().unwrap_err(), error);
        assert!(far(at, pad).write_to(std::io::sink()).is_err());
    }
    assert_eq!(far(1 << 20, 0).to_vec().unwrap().len(), (1 << 20) + 1);
}

/// A chunk whose padding follows from its length, which is known behind it.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Chunk {
    size: Auto<u32>,
    #[bin(len = size, pad_after = size % 2, fill = 0xee)]
    items: Vec<Item>,
    other_at: u8,
    other_size: Auto<u8>,
    #[bin(at = other_at, len = other_size, pad_after = other_size % 4)]
    other: Vec<Item>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Item(#[bin(prefix = u8)] Vec<u8>);

#[test]
fn the_padding_behind_a_value_may_follow_from_its_length() {
    for (a, b) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))) {
        let value = Chunk {
            size: Auto::new(),
            items: vec![Item(vec![7; a])],
            other_at: 0,
            other_size: Auto::new(),
            other: vec![Item(vec![9; b])],
        };
        let len = 4 + (a + 1) + (a + 1) % 2 + 2 + (b + 1) + (b + 1) % 4;
        assert_eq!(holds(&value).len(), len);
    }
}

/// Numbers of variable length that tell what lies behind them, themselves included.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, len = whole)]
struct Short {
    whole: Auto<Leb128<u32>>,
    n: Auto<Leb128<u32>>,
    at: Auto<Leb128<u32>>,
    #[bin(len = n)]
    items: Vec<Item>,
    #[bin(at = at, len = 3, align_before = 4)]
    name: Vec<u8>,
}

#[test]
fn numbers_of_variable_length_are_as_wide_as_what_they_tell_wants() {
    for (count, len) in [(0, 0), (1, 110), (1, 126), (3, 126), (200, 100), (200, 255)] {
        let items = vec![Item(vec![7; len]); count];
        let (whole, n, at) = (Auto::new(), Auto::new(), Auto::new());
        holds(&Short { whole, n, at, items, name: vec![1, 2, 3] });
    }
}

/// A plain number that is passed to a value in front of what it tells of.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Passed {
    n: u8,
    #[bin(args(n))]
    first: Reads,
    #[bin(len = n)]
    items: Vec<Item>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(n: u8))]
struct Reads {
    #[bin(if = n > 3)]
    more: Option<u8>,
    #[bin(pad_after = n % 2)]
    last: u8,
}

#[test]
fn a_number_that_is_passed_before_it_is_known_is_what_it_turns_out_to_be() {
    let value = |n, more, len| Passed {
        n,
        first: Reads { more, last: 9 },
        items: vec![Item(vec![1; len])],
    };
    for n in [0, 2, 3, 4, 5, 200] {
        assert_eq!(holds(&value(n, None, 2)), [3, 9, 0, 2, 1, 1]);
        assert_eq!(holds(&value(n, Some(8), 3)), [4, 8, 9, 3, 1, 1, 1]);
        assert_eq!(refused(&value(n, None, 3)), "first.more presence");
        assert_eq!(refused(&value(n, Some(8), 2)), "first.more presence");
    }
}

/// Located data with padding and a prefix, which its checksum does not cover.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, origin)]
struct Padded {
    at: u8,
    len: Auto<u8>,
    text_at: u8,
    #[bin(checksum(Crc32, over = data))]
    crc: Auto<u32>,
    #[bin(checksum(Crc32, over = text))]
    second: Auto<u32>,
    #[bin(at = at, len = len, magic = b"#", pad_before = 3, align_after = 4)]
    data: Vec<u8>,
    #[bin(at = text_at, prefix = u8, pad_after = 2)]
    text: String,
}

#[test]
fn a_checksum_covers_located_data_without_its_padding() {
    for len in 0..6 {
        let value = Padded {
            at: 0,
            len: Auto::new(),
            text_at: 0,
            crc: Auto::new(),
            second: Auto::new(),
            data: vec![7; len],
            text: "x".repeat(len),
        };
        let bytes = holds(&value);
        let mut crc = Crc32::default();
        crc.update(&vec![7; len]);
        assert_eq!(bytes[3..7], crc.finish().to_le_bytes());
        survives::<Padded>(bytes, ());
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Keys {
    n: Auto<u8>,
    #[bin(count = n, unique)]
    numbers: Vec<u16>,
    m: Auto<u8>,
    #[bin(count = m, unique = kind)]
    items: Vec<Entry>,
}

#[test]
fn equal_items_that_must_differ_are_not_written() {
    let value = |numbers: &[u16], items: &[u8]| Keys {
        n: Auto::new(),
        numbers: numbers.to_vec(),
        m: Auto::new(),
        items: items.iter().map(|kind| Entry { kind: *kind, ..Entry::default() }).collect(),
    };
    holds(&value(&[3, 1, 2], &[2, 1]));
    holds(&value(&[], &[]));
    assert_eq!(refused(&value(&[3, 1, 3, 1], &[])), "numbers[2] Keys.numbers.unique");
    assert_eq!(refused(&value(&[1], &[1, 2, 2])), "items[2] Keys.items.unique");
}
