//! Numbers that the writer of an item computes and the next item is given: `args(from = previous.end or 0)`.

use std::fmt::Debug;

use binfmt_runtime::{Auto, BinFormat, Crc32, DefaultArgs, Digest as _, Leb128, LinkedSeq, laws};

use super::{refused, same};

/// Ends that count from the beginning of the first body.
#[derive(BinFormat, Clone, Debug, PartialEq, Default)]
#[bin(little)]
struct Ends {
    count: Auto<u16>,
    #[bin(count = count, args(from = previous.end or 0))]
    items: Vec<Ending>,
}

#[derive(BinFormat, Clone, Debug, PartialEq, Default)]
#[bin(little, args(from: u32))]
struct Ending {
    end: u16,
    #[bin(len = end - from)]
    body: Vec<u8>,
}

/// The same with lazy items, and the number in a header, of variable length.
#[derive(BinFormat, Clone, Debug, PartialEq, Default)]
struct Lazy<'a> {
    #[bin(until = remaining < 2, args(from = previous.head.end + 1 or 3))]
    items: LinkedSeq<'a, Headed>,
}

#[derive(BinFormat, Clone, Debug, PartialEq, Default)]
#[bin(args(from: u64))]
struct Headed {
    #[bin(set(end = from + len(body)))]
    head: Head,
    #[bin(len = head.end - from)]
    body: Vec<u8>,
}

#[derive(BinFormat, Clone, Debug, PartialEq, Default)]
struct Head {
    kind: u8,
    end: Leb128<u32>,
}

/// Sums that may be below 0.
#[derive(BinFormat, Clone, Debug, PartialEq, Default)]
struct Signed {
    #[bin(prefix = u8, args(low = previous.high or -5))]
    items: Vec<Span>,
}

#[derive(BinFormat, Clone, Debug, PartialEq, Default)]
#[bin(args(low: i32))]
struct Span {
    step: i8,
    #[bin(calc = low + step)]
    high: i8,
}

fn bodies(lens: &[usize]) -> Vec<Vec<u8>> {
    lens.iter().zip(1..).map(|(len, byte)| vec![byte; *len]).collect()
}

/// A value is written as `expected`, whatever its numbers are, read as the same, and settled.
fn written<'a, T>(value: &T, expected: &[u8])
where
    T: BinFormat<'a> + DefaultArgs<'a> + PartialEq + Debug,
{
    let args = T::default_args();
    let bytes = laws::written_is_read(value, args).unwrap().unwrap();
    assert_eq!(bytes, expected, "{value:?}");
    assert_eq!(laws::settled(value, args).unwrap().unwrap().to_vec_with(args).unwrap(), expected);
    laws::hold::<T>(bytes, args).unwrap();
}

const LENS: [&[usize]; 7] =
    [&[], &[0], &[3], &[0, 0], &[2, 0, 5], &[1, 1, 1, 1], &[60, 80, 3, 200, 1]];

#[test]
fn each_end_follows_from_the_one_before() {
    for lens in LENS {
        let (mut end, mut bytes) = (0, u16::try_from(lens.len()).unwrap().to_le_bytes().to_vec());
        for body in bodies(lens) {
            end += u16::try_from(body.len()).unwrap();
            bytes.extend([&end.to_le_bytes()[..], &body].concat());
        }
        for stored in [0, 3, 9_999] {
            let items = bodies(lens).into_iter().map(|body| Ending { end: stored, body }).collect();
            written(&Ends { items, ..Ends::default() }, &bytes);
        }
    }
}

#[test]
fn the_number_lies_in_a_header_of_lazy_items() {
    for lens in LENS {
        let (mut from, mut bytes) = (3, Vec::new());
        for body in bodies(lens) {
            let end = from + u32::try_from(body.len()).unwrap();
            bytes.push(7);
            let [low, ..] = end.to_le_bytes();
            let [high, ..] = (end >> 7).to_le_bytes();
            let leb = if end > 127 { &[low | 0x80, high][..] } else { &[low] };
            bytes.extend(leb);
            bytes.extend(body);
            from = end + 1;
        }
        for stored in [0, 4, 1_000_000] {
            let head = Head { kind: 7, end: Leb128::new(stored) };
            let items: Vec<Headed> =
                bodies(lens).into_iter().map(|body| Headed { head: head.clone(), body }).collect();
            written(&Lazy { items: LinkedSeq::from(&*items.leak()) }, &bytes);
        }
    }
}

#[test]
fn the_number_may_be_below_zero() {
    let steps: [&[i8]; 4] = [&[], &[0], &[-3, 4, 100, -100], &[1, 1, -1, -1, 7]];
    for steps in steps {
        let (mut high, mut bytes) = (-5_i8, vec![u8::try_from(steps.len()).unwrap()]);
        for step in steps {
            high += step;
            bytes.extend([*step, high].map(i8::cast_unsigned));
        }
        for high in [0, -5, 100] {
            let items = steps.iter().map(|step| Span { step: *step, high }).collect();
            written(&Signed { items }, &bytes);
        }
    }
}

/// Items that cannot be copied, and ends that somebody else looks at as they are held.
#[derive(BinFormat, Debug, Default)]
struct Held {
    #[bin(prefix = u8, args(from = previous.end or 0))]
    items: Vec<Single>,
}

#[derive(BinFormat, Debug, Default)]
#[bin(args(from: u8))]
struct Single {
    end: u8,
    #[bin(len = end - from)]
    body: Vec<u8>,
}

#[derive(BinFormat, Clone, Debug, PartialEq, Default)]
struct Sorted {
    #[bin(prefix = u8, args(from = previous.end or 0), sorted_by = end)]
    items: Vec<Short>,
}

#[derive(BinFormat, Clone, Debug, PartialEq, Default)]
#[bin(args(from: u8))]
struct Short {
    end: u8,
    #[bin(len = end - from)]
    body: Vec<u8>,
}

#[test]
fn what_cannot_be_told_is_refused_by_name() {
    let single = |end, body: &[u8]| Single { end, body: body.to_vec() };
    let held = Held { items: vec![single(0, b"ab"), single(0, b"c")] };
    let sorted = Sorted {
        items: vec![Short { end: 1, body: b"ab".into() }, Short { end: 2, body: b"".into() }],
    };
    for error in [held.to_vec().unwrap_err(), sorted.to_vec().unwrap_err()] {
        assert_eq!(
            (error.finding().code, error.finding().path.to_string()),
            ("derived", "items[0].end".into())
        );
    }
    let held = Held { items: vec![single(2, b"ab"), single(0, b"c")] };
    assert_eq!(held.to_vec().unwrap(), b"\x02\x02ab\x03c");
}

/// Items that keep what they are given.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Deltas {
    #[bin(until_end, args(base = previous.number() or 0))]
    items: Vec<Delta>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(args(base: u8))]
struct Delta {
    #[bin(skip, default = base)]
    base: u8,
    by: u8,
}

impl Delta {
    fn number(&self) -> u8 {
        self.base.wrapping_add(self.by)
    }
}

#[test]
fn a_settled_value_keeps_the_arguments_that_it_is_passed() {
    let deltas = |bases: [u8; 3]| Deltas {
        items: bases.into_iter().zip([1, 2, 4]).map(|(base, by)| Delta { base, by }).collect(),
    };
    let error = deltas([9, 1, 0]).to_vec().unwrap_err();
    assert_eq!(error.finding().code, "args");
    assert_eq!(laws::settled(&deltas([9, 1, 0]), ()).unwrap().unwrap(), deltas([0, 1, 3]));
    assert_eq!(deltas([0, 1, 3]).to_vec().unwrap(), [1, 2, 4]);
}

/// Each item holds the checksum of the one before, and its own covers that.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Blocks {
    #[bin(until_end, args(before = previous.sum or 0))]
    items: Vec<Block>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, args(before: u32))]
struct Block {
    #[bin(calc = before)]
    prev: u32,
    n: u8,
    #[bin(checksum(Crc32, over = prev..=n))]
    sum: u32,
}

#[test]
fn checksums_follow_from_one_another() {
    let items = (0..200).map(|n| Block { prev: 9, n, sum: 8 }).collect();
    let value = Blocks { items };
    let bytes = value.to_vec().unwrap().leak();
    let read = Blocks::parse(bytes).unwrap();
    same(&read, bytes);
    let mut before = 0_u32;
    for item in &read.items {
        let mut digest = Crc32::default();
        digest.update(&before.to_le_bytes());
        digest.update(&[item.n]);
        assert_eq!((item.prev, item.sum), (before, digest.finish()));
        before = item.sum;
    }
    laws::hold::<Blocks>(&bytes[..90], ()).unwrap();
    laws::written_is_read(&value, ()).unwrap().unwrap();
}

/// The next item is given a number that is there with the text that it counts.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Counts {
    #[bin(until_end, args(before = previous.len or 0))]
    items: Vec<Count>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(before: u8))]
struct Count {
    kind: u8,
    #[bin(calc = before)]
    prev: u8,
    #[bin(if = kind < 9)]
    len: Option<u8>,
    #[bin(if = kind < 9, len = len)]
    text: Option<String>,
}

#[test]
fn a_number_that_may_be_absent_is_given_as_it_is_written() {
    let count = |text: &str| Count { kind: 1, prev: 7, len: Some(0), text: Some(text.into()) };
    let last = Count { kind: 9, prev: 0, len: None, text: None };
    let value = Counts { items: vec![count("ab"), count(""), count("c"), last.clone()] };
    let bytes = b"\x01\0\x02ab\x01\x02\0\x01\0\x01c\x09\x01";
    assert_eq!(value.to_vec().unwrap(), bytes);
    same(&Counts::parse(bytes).unwrap(), bytes);
    laws::written_is_read(&value, ()).unwrap().unwrap();
    let value = Counts { items: vec![last.clone(), last] };
    assert_eq!(refused(&value), "items[1] size");
}

/// The items are in a header whose length a number tells, of a value whose last number counts all of them.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, level(reserved = error))]
struct Headers<'a> {
    #[bin(set(end = start(last) + 2))]
    header: Header<'a>,
    last: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, len = len)]
struct Header<'a> {
    len: Auto<u16>,
    #[bin(prefix = u8, args(from = previous.end or 120))]
    items: LinkedSeq<'a, Ending>,
    end: u32,
}

#[test]
fn numbers_that_would_not_be_read_are_not_what_is_written() {
    for ends in [[31, 0, 65535, 49], [62047, 32681, 10792, 41174], [0; 4]] {
        let bodies: [&[u8]; 4] = [b"a", b"", b"bcd", b"efg"];
        let items: Vec<Ending> = ends
            .into_iter()
            .zip(bodies)
            .map(|(end, body)| Ending { end, body: body.to_vec() })
            .collect();
        let header = Header { len: Auto::new(), items: LinkedSeq::from(&items[..]), end: 3 };
        let value = Headers { header, last: 6 };
        let bytes = b"\x16\0\x04\x79\0a\x79\0\x7c\0bcd\x7f\0efg\x18\0\0\0\x06";
        assert_eq!(value.to_vec().unwrap(), bytes);
        laws::written_is_read(&value, ()).unwrap().unwrap();
    }
}

/// Places in an open section that are given to values behind them, and to the next item.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Open {
    len: u8,
    #[bin(section = open, len = len)]
    data: Vec<u8>,
    at: u8,
    #[bin(at = at, place = data, prefix = u8, args(before = previous.at or 0))]
    items: Vec<InOpen>,
    single_at: u8,
    #[bin(at = single_at, place = data)]
    single: GivenPlace,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(before: u8))]
struct InOpen {
    at: u8,
    #[bin(at = at, place = around, nul)]
    name: String,
    #[bin(calc = before)]
    last: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct GivenPlace {
    at: u8,
    #[bin(at = at, place = around)]
    value: u8,
    #[bin(args(given = at))]
    held: HeldPlace,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(given: u8))]
struct HeldPlace {
    #[bin(calc = given)]
    place: u8,
}

#[test]
fn places_in_an_open_section_are_given_on() {
    for count in 0..5 {
        for at in [0, 1, 9] {
            let item = |number: u8| InOpen { at, name: number.to_string(), last: at };
            let single = GivenPlace { at, value: 5, held: HeldPlace { place: 7 } };
            let items = (0..count).map(item).collect();
            let value = Open { len: 0, data: Vec::new(), at, items, single_at: 0, single };
            let bytes = value.to_vec().unwrap().leak();
            let read = Open::parse(bytes).unwrap();
            assert_eq!(read.single.held.place, read.single.at);
            let mut before = 0;
            for (item, number) in read.items.iter().zip(0..) {
                assert_eq!((item.last, item.name.as_str()), (before, number.to_string().as_str()));
                before = item.at;
            }
            same(&read, bytes);
            laws::written_is_read(&value, ()).unwrap().unwrap();
        }
    }
}

/// Numbers that decide how much is written, beside items whose numbers the next ones are given.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Beside {
    before: u64,
    #[bin(len = before, pad_before = (before << 1) % 5, fill = b"-")]
    name: Name,
    #[bin(prefix = u8, args(from = previous.end or 1))]
    items: Vec<Ending>,
    back: u16,
    #[bin(align_before = 16 << back, fill = b"+", len = back)]
    rest: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Name(#[bin(until_end)] Vec<u8>);

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Around {
    #[bin(prefix = Leb128<u32>)]
    all: Beside,
}

#[test]
fn numbers_that_decide_what_is_written_stand_beside_items_that_hold_old_ones() {
    const OLD: [u16; 6] = [0, 1, 2, 7, 0x7fff, 0xffff];
    let expected = b"\x21\x02\0\0\0\0\0\0\0----ab\x02\x03\0cd\x04\0e\x01\0++++++++-";
    for (before, end, back) in OLD.iter().flat_map(|before| {
        OLD.iter().flat_map(move |end| OLD.iter().map(move |back| (*before, *end, *back)))
    }) {
        let items = [&b"cd"[..], b"e"].map(|body| Ending { end, body: body.to_vec() }).to_vec();
        // So high that twice the number cannot be computed.
        let before = if before > 7 { u64::MAX - u64::from(before) } else { before.into() };
        let all = Beside { before, name: Name(b"ab".to_vec()), items, back, rest: b"-".to_vec() };
        written(&Around { all }, expected);
    }
}

/// What is wrong is said by its name, whatever has to be found out before.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Viewed {
    #[bin(prefix = u8, args(from = previous.end or 1))]
    items: Vec<Ending>,
    #[bin(prefix = u8)]
    data: Vec<u8>,
    #[bin(at = start(data), view)]
    seen: [u8; 3],
}

#[test]
fn what_is_wrong_beside_items_that_hold_old_numbers_is_said_by_name() {
    for end in [0, 3, 9_999] {
        let items = vec![Ending { end, body: b"ab".to_vec() }, Ending { end, body: Vec::new() }];
        let mut value = Viewed { items, data: b"xy".to_vec(), seen: *b"\x02xy" };
        value.to_vec().unwrap();
        value.seen[2] = b'z';
        let error = value.to_vec().unwrap_err().to_string();
        assert!(error.starts_with("seen") && error.contains("[view]"), "{error}");
    }
}
