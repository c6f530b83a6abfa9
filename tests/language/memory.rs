//! `is_valid` looks at values and keeps none of them: it takes no memory, whatever types own what they hold.

use binfmt_runtime::{BinFormat, DefaultArgs, Lazy, Leb128, Seq};

/// How often memory is taken to look at a valid file, and at each that is cut short.
fn taken<'a, T: BinFormat<'a> + DefaultArgs<'a>>(bytes: &'a [u8]) -> u64 {
    let measure = |bytes: &'a [u8], valid: bool| {
        let info = allocation_counter::measure(|| assert_eq!(T::is_valid(bytes), valid));
        info.count_total
    };
    assert!(T::parse(bytes).is_ok(), "{:?}", T::parse(bytes).err());
    let cut = (0..bytes.len()).map(|end| measure(&bytes[..end], T::parse(&bytes[..end]).is_ok()));
    cut.sum::<u64>() + measure(bytes, true)
}

#[derive(BinFormat)]
#[bin(little)]
struct Owned {
    count: u8,
    #[bin(count = count)]
    numbers: Vec<u16>,
    #[bin(prefix = u8)]
    name: String,
    #[bin(prefix = u8)]
    blob: Vec<u8>,
    #[bin(if = count > 1, nul)]
    text: Option<String>,
    #[bin(prefix = u8)]
    inner: Inner,
    pair: [Short; 2],
    #[bin(count = 2)]
    list: Vec<Inner>,
    #[bin(until = remaining < 2)]
    rest: Vec<Short>,
}

#[derive(BinFormat)]
#[bin(little)]
struct Inner {
    #[bin(prefix = u8)]
    words: Vec<u8>,
    #[bin(count = 1)]
    deep: Vec<Named>,
}

#[derive(BinFormat, Clone)]
struct Named {
    #[bin(nul)]
    name: String,
}

#[derive(BinFormat, Clone, Copy, Default)]
struct Short {
    head: u8,
}

#[test]
fn lists_texts_and_what_lies_in_them_take_no_memory() {
    let inner: &[u8] = b"\x02xyab\0";
    let parts: [&[u8]; 9] = [
        b"\x02\x01\0\x02\0\x03abc\x02de",
        b"f\0",
        b"\x06",
        inner,
        b"12",
        inner,
        inner,
        b"tail",
        b"",
    ];
    assert_eq!(taken::<Owned>(&parts.concat()), 0);
}

#[derive(BinFormat)]
#[bin(little)]
struct Ends {
    #[bin(until = last.name == "END")]
    named: Vec<Named>,
    #[bin(until = b"STOP")]
    before: Vec<Short>,
    #[bin(until = -1)]
    steps: Vec<i8>,
    #[bin(count = 3, args(from = previous.next() or 9))]
    linked: Vec<Step>,
    #[bin(until_end)]
    rest: Vec<Choice>,
}

#[derive(BinFormat, Clone)]
#[bin(args(from: u8))]
struct Step {
    #[bin(check(head == from, "no"))]
    head: u8,
}

impl Step {
    fn next(&self) -> u8 {
        self.head + 1
    }
}

#[derive(BinFormat)]
#[bin(probe)]
enum Choice {
    Long(Long),
    Other(Other),
}

#[derive(BinFormat)]
struct Long {
    #[bin(prefix = u8, check(name == "long", "no"))]
    name: String,
    #[bin(prefix = u8)]
    data: Vec<u8>,
}

#[derive(BinFormat)]
struct Other {
    #[bin(prefix = u8)]
    name: String,
}

#[test]
fn items_that_tell_of_others_are_kept_alone() {
    // Expressions look at texts and so keep them, one at a time.
    let bytes = b"ab\0END\0xySTOP\x01\xff\x09\x0a\x0b\x03abc";
    let info = allocation_counter::measure(|| assert!(Ends::is_valid(bytes)));
    assert!(info.count_max <= 2, "{} at once", info.count_max);
    assert!(!Ends::is_valid(b"ab\0END\0xySTOP\x01\xff\x09\x0a\x0c\x03abc"));
    assert!(Ends::is_valid(b"ab\0END\0xySTOP\x01\xff\x09\x0a\x0b\x04long\x01a\x03abc"));
}

#[derive(BinFormat)]
#[bin(little)]
struct Table<'a> {
    count: u8,
    #[bin(count = count)]
    entries: Seq<'a, Entry>,
    #[bin(for_each = entries, at = it.at, len = it.len)]
    values: Vec<Vec<u8>>,
    #[bin(for_each = entries, if = it.len > 1)]
    beside: Vec<Option<Leb>>,
    #[bin(at = 0, len = 1)]
    first: Lazy<'a, Short>,
}

#[derive(BinFormat, Clone)]
#[bin(little)]
struct Entry {
    at: u8,
    len: u8,
}

#[derive(BinFormat)]
struct Leb {
    number: Leb128<u32>,
    #[bin(prefix = u8)]
    name: String,
}

#[test]
fn values_beside_a_lazy_table_take_no_memory() {
    assert_eq!(taken::<Table<'_>>(b"\x02\x05\x02\x06\x01\x80\x01\x01z"), 0);
}

#[derive(BinFormat)]
#[bin(little)]
struct Used {
    #[bin(prefix = u8)]
    names: Vec<Named>,
    #[bin(prefix = u8)]
    inner: Holder,
    #[bin(if = inner.has("b"))]
    flag: Option<u8>,
    #[bin(len = count(names))]
    data: Vec<u8>,
    #[bin(check(data.len() == 2, "no"))]
    last: u8,
}

#[derive(BinFormat)]
struct Holder {
    #[bin(count = 2)]
    list: Vec<Named>,
}

impl Holder {
    fn has(&self, name: &str) -> bool {
        self.list.iter().any(|named| named.name == name)
    }
}

#[test]
fn what_expressions_use_is_there() {
    // Two names and two bytes of data; with the flag, for the holder has a "b".
    let with = b"\x02a\0b\0\x04b\0c\0\x01xy\x09";
    let without = b"\x02a\0b\0\x04d\0c\0xy\x09";
    for (bytes, flag) in [(&with[..], Some(1)), (without, None)] {
        let read = Used::parse(bytes).unwrap();
        assert_eq!((read.names.len(), read.data.as_slice(), read.flag), (2, &b"xy"[..], flag));
        assert!(Used::is_valid(bytes));
        assert!(!Used::is_valid(&bytes[..bytes.len() - 1]));
    }
}

#[derive(BinFormat)]
struct Boxed {
    #[bin(prefix = u8)]
    name: String,
    inner: Box<Short>,
}

#[test]
fn a_box_is_made_to_be_looked_at() {
    let info = allocation_counter::measure(|| assert!(Boxed::is_valid(b"\x02ab\x01")));
    assert_eq!((info.count_total, info.count_current), (1, 0));
}

/// The end of a value in a section counts from the start of the value around it.
#[derive(BinFormat)]
#[bin(little)]
struct Aligned {
    at: u8,
    len: u8,
    #[bin(section, len = len)]
    section: Vec<u8>,
    #[bin(at = at, place = section, len = 3, align_after = 4)]
    value: Vec<u8>,
}

#[test]
fn the_length_of_a_section_that_is_not_kept_is_known() {
    assert_eq!(taken::<Aligned>(b"\x05\x06...abc"), 0);
    // Without space for the padding, it is no value.
    let short = b"\x03\x05.abc\0";
    assert!(Aligned::parse(short).is_err() && !Aligned::is_valid(short));
}
