//! Numbers of a nested value that its writer computes, used by expressions around it: what is
//! written is what was used, or nothing is written.

use std::fmt::Debug;

use binfmt_runtime::{BinFormat, Crc32, DefaultArgs, Lazy, Seq, laws};

/// What is written, or where and why it is not; with all laws of the value.
#[track_caller]
fn told<T>(value: &T) -> Result<&'static [u8], String>
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
{
    let outcome = match laws::written_is_read(value, T::default_args()) {
        Ok(outcome) => outcome,
        Err(broken) => panic!("{broken}"),
    };
    outcome.map_err(|error| {
        let finding = error.finding();
        format!("{} {:#x} {}", finding.path, finding.start, finding.code)
    })
}

/// Numbers of all kinds that a writer computes.
#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little)]
struct Head {
    count: u8,
    #[bin(calc = 2 * count)]
    twice: u8,
    #[bin(checksum(Crc32, over = names))]
    sum: u32,
    flags: u8,
    space: u8,
    /// Nobody outside uses this one.
    len: u8,
    #[bin(len = count)]
    names: Vec<u8>,
    #[bin(flag = flags & 4)]
    more: Option<u8>,
    #[bin(len = len, pad_to = space)]
    text: String,
}

impl Head {
    /// Its numbers are those that are written.
    fn new() -> Self {
        let made = Self { names: vec![1, 2], more: Some(7), text: "abc".into(), ..Self::default() };
        Self::parse(&made.to_vec().unwrap()).unwrap()
    }

    fn odd(&self) -> bool {
        self.count % 2 == 1
    }
}

fn is_small(count: u8) -> bool {
    count < 9
}

fn is_short(head: &Head) -> bool {
    head.text.len() < 9
}

/// Declares a type with an expression over numbers of a head, and says which numbers it uses.
macro_rules! uses {
    ($($name:ident $tail:ty = $value:expr, [$($used:literal)*], ($($word:tt)*);)*) => {
        $(#[derive(BinFormat, Debug, PartialEq, Clone)]
        #[bin(little)]
        struct $name {
            head: Head,
            #[bin($($word)*)]
            tail: $tail,
        }

        impl $name {
            #[track_caller]
            fn check() {
                let with = |head: Head| Self { head, tail: $value };
                let bytes = told(&with(Head::new())).unwrap();
                for (number, at, head) in stale() {
                    let used = [$($used),*].contains(&number);
                    let expected =
                        if used { Err(format!("head.{number} {at:#x} derived")) } else { Ok(bytes) };
                    assert_eq!(told(&with(head)), expected, "{}", stringify!($name));
                }
            }
        })*

        #[test]
        fn expressions_use_the_numbers_that_are_written() {
            $($name::check();)*
        }
    };
}

/// Heads with one number that is not what is written, and where that lies.
fn stale() -> [(&'static str, u64, Head); 6] {
    let head = Head::new();
    [
        ("count", 0, Head { count: 9, ..head.clone() }),
        ("twice", 1, Head { twice: 1, ..head.clone() }),
        ("sum", 2, Head { sum: 1, ..head.clone() }),
        ("flags", 6, Head { flags: 0, ..head.clone() }),
        ("space", 7, Head { space: 1, ..head.clone() }),
        ("len", 8, Head { len: 0, ..head.clone() }),
    ]
}

uses! {
    Unused u8 = 7, [], (range = 1..9);
    If Option<u8> = Some(1), ["count"], (if = head.count == 2);
    Flag Option<u8> = Some(1), ["flags"], (if = head.flags & 4 != 0);
    Count Vec<u16> = vec![1, 2], ["count"], (count = head.count);
    Length Vec<u8> = vec![1, 2, 3, 4], ["twice"], (len = head.twice);
    Before u8 = 7, ["space"], (pad_before = head.space % 5);
    Behind u8 = 7, ["space" "count"], (pad_after = head.space % 5 + head.count);
    Aligned u8 = 7, ["count"], (align_before = 2 * head.count);
    Calc u8 = 7, ["sum"], (calc = head.sum % 8);
    Rule u8 = 7, ["twice" "count"], (check(head.twice < 9 || head.count == tail, "many"));
    Note u8 = 7, [], (note(head.twice == 4, "{tail}"), warn(head.sum != 1, "one"));
    Part u8 = 7, ["count"], (check(is_small(head.count), "many"));
    All u8 = 7, ["count" "twice" "sum" "flags" "space" "len"], (check(is_short(head), "long"));
    Method u8 = 7, ["count" "twice" "sum" "flags" "space" "len"], (check(!head.odd(), "odd"));
    Plain u8 = 7, [], (check(len(head) > 3, "short"));
    Range u8 = 2, ["count" "twice"], (range = head.count..head.twice);
    Passed Body = Body { items: vec![3, 4] }, ["count"], (args(n = head.count));
    Given Body = Body { items: vec![3, 4] }, ["count"], (args(n = head.count), prefix = u16);
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, args(n: u8))]
struct Body {
    #[bin(len = n)]
    items: Vec<u8>,
}

/// A value whose writer computes a number, and one that has it deep inside.
#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little)]
struct List {
    n: u8,
    #[bin(len = n)]
    items: Vec<u8>,
}

fn list(n: u8, items: &[u8]) -> List {
    List { n, items: items.to_vec() }
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little)]
struct Deep {
    #[bin(count = 2)]
    others: Vec<List>,
    list: List,
    boxed: Box<List>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Outer {
    deep: Deep,
    #[bin(len = deep.list.n)]
    tail: Vec<u8>,
    #[bin(if = deep.boxed.n > 1)]
    more: Option<u8>,
}

#[test]
fn the_same_type_beside_the_named_number_holds_anything() {
    let value = |others: [u8; 2], n, boxed| Outer {
        deep: Deep {
            others: vec![list(others[0], &[1]), list(others[1], &[2])],
            list: list(n, &[3]),
            boxed: Box::new(list(boxed, &[4, 5])),
        },
        tail: vec![6],
        more: Some(7),
    };
    let bytes = &[1, 1, 1, 2, 1, 3, 2, 4, 5, 6, 7][..];
    assert_eq!(told(&value([1, 1], 1, 2)), Ok(bytes));
    assert_eq!(told(&value([9, 0], 1, 2)), Ok(bytes));
    assert_eq!(told(&value([9, 0], 9, 2)), Err("deep.list.n 0x4 derived".into()));
    assert_eq!(told(&value([9, 0], 1, 1)), Err("deep.boxed.n 0x6 derived".into()));
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Items<'a> {
    #[bin(count = 2, sorted_by = n)]
    sorted: Vec<List>,
    #[bin(count = 2, unique = n)]
    unique: Seq<'a, List>,
    #[bin(until = last.n == 0)]
    ended: Vec<List>,
    #[bin(for_each = ended, if = it.n > 0)]
    beside: Vec<Option<u8>>,
    #[bin(len = 2)]
    lazy: Lazy<'a, List>,
}

#[test]
fn items_are_compared_by_what_is_written() {
    let right = || Items {
        sorted: vec![list(1, &[1]), list(2, &[2, 3])],
        unique: Seq::from(&*vec![list(1, &[4]), list(0, &[])].leak()),
        ended: vec![list(1, &[5]), list(0, &[])],
        beside: vec![Some(6), None],
        lazy: Lazy::from(&*Box::leak(Box::new(list(7, &[8])))),
    };
    let bytes = &[1, 1, 2, 2, 3, 1, 4, 0, 1, 5, 0, 6, 1, 8][..];
    assert_eq!(told(&right()), Ok(bytes));
    let sorted = vec![list(1, &[1]), list(3, &[2, 3])];
    assert_eq!(told(&Items { sorted, ..right() }), Err("sorted[1].n 0x2 derived".into()));
    let unique = Seq::from(&*vec![list(1, &[4]), list(2, &[])].leak());
    assert_eq!(told(&Items { unique, ..right() }), Err("unique[1].n 0x7 derived".into()));
    let ended = vec![list(2, &[5]), list(0, &[])];
    assert_eq!(told(&Items { ended, ..right() }), Err("ended[0].n 0x8 derived".into()));
}

/// A number that two writers compute: that of the item, and that of the values beside the items.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Twice {
    #[bin(count = 1)]
    table: Vec<List>,
    #[bin(for_each = table, len = it.n)]
    values: Vec<Vec<u8>>,
}

#[test]
fn two_writers_agree_about_a_number() {
    let value =
        |values: &[u8]| Twice { table: vec![list(0, &[1, 2])], values: vec![values.to_vec()] };
    assert_eq!(told(&value(&[3, 4])), Ok(&[2, 1, 2, 3, 4][..]));
    assert_eq!(told(&value(&[3])), Err("table[0].n 0x0 derived".into()));
}

/// Numbers of a table, and of a nested value, that the writer of a value around them sets.
#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little)]
struct Setter {
    #[bin(set(n = len(text)))]
    number: Number,
    #[bin(len = number.n)]
    text: String,
    #[bin(count = 1)]
    table: Vec<Number>,
    #[bin(for_each = table, at = it.n)]
    values: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little)]
struct Number {
    n: u8,
    m: u8,
}

fn first(table: &[Number]) -> u8 {
    table.first().map_or(0, |number| number.n)
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Around {
    setter: Setter,
    #[bin(if = setter.number.n == 3)]
    a: Option<u8>,
    #[bin(check(first(setter.table) < 10, "far"))]
    b: u8,
}

#[test]
fn what_a_value_around_sets_is_used_as_it_is_set() {
    let number = |n| Number { n, m: 2 };
    let value = |set, at| Around {
        setter: Setter {
            number: number(set),
            text: "abc".into(),
            table: vec![number(at)],
            values: vec![7],
        },
        a: Some(8),
        b: 9,
    };
    assert_eq!(told(&value(3, 7)), Ok(&b"\x03\x02abc\x07\x02\x07\x08\x09"[..]));
    assert_eq!(told(&value(0, 7)), Err("setter.number.n 0x0 derived".into()));
    assert_eq!(told(&value(3, 0)), Err("setter.table[0].n 0x5 derived".into()));
}

/// Whether a value is there, and how many there are, is no number of theirs.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Asked {
    #[bin(calc = if one.is_some() { 1 } else { 0 })]
    has: u8,
    #[bin(if = has == 1)]
    one: Option<Sized>,
    #[bin(prefix = u8)]
    all: Vec<Sized>,
    #[bin(if = all.is_empty() || all.len() > 2)]
    more: Option<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Sized {
    len: u8,
    #[bin(len = len)]
    bytes: Vec<u8>,
}

#[test]
fn whether_a_value_is_there_uses_no_number_of_it() {
    let sized = |len| Sized { len, bytes: vec![1, 2] };
    let asked = Asked { has: 0, one: Some(sized(9)), all: vec![sized(0)], more: None };
    let bytes = b"\x01\x02\x01\x02\x01\x02\x01\x02";
    assert_eq!(asked.to_vec().as_deref(), Ok(&bytes[..]));
    let read = Asked { has: 1, one: Some(sized(2)), all: vec![sized(2)], more: None };
    assert_eq!(Asked::parse(bytes), Ok(read));
}

/// A table of which a function sees numbers that the writer computes.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(check(total(entries) < 100, "there is too much"))]
struct Totalled {
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.at, len = it.len, checksum(Crc32, it.sum))]
    bodies: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[bin(little)]
struct Entry {
    at: u8,
    len: u16,
    sum: u32,
}

#[expect(clippy::ptr_arg, reason = "expressions lend the field as it is")]
fn total(entries: &Vec<Entry>) -> u64 {
    entries.iter().map(|entry| u64::from(entry.len)).sum()
}

#[test]
fn the_number_of_an_item_that_is_used_is_named_with_what_it_is_to_be() {
    let file = b"\x02\x0f\x02\0\0\0\0\0\x11\x01\0\0\0\0\0xyz";
    let mut value = Totalled::parse(file).unwrap();
    let refused = |value: &Totalled| value.to_vec().unwrap_err().to_string();
    let says = "an expression around the value uses this number, and another one is written; set it to that, or write what `settle` gives";
    assert_eq!(
        refused(&value),
        format!("entries[0].sum at 0x1..0x1: {says}; expected 0x8fe62899, found 0x0 [derived]")
    );
    value.bodies[1] = vec![7; 300];
    value.entries[0].sum = 0x8fe6_2899;
    assert_eq!(
        refused(&value),
        format!("entries[1].len at 0x8..0x8: {says}; expected 300, found 1 [derived]")
    );
}
