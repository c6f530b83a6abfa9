//! Places that count from what the writer finds out: where a section begins or ends, and numbers that are
//! computed; in bytes and in units.

use binfmt_runtime::{Auto, BinFormat};

macro_rules! rewritten {
    ($($type:ident: $($bytes:expr),+;)+) => {
        /// As it was, and compact: with the same content, which is valid.
        #[test]
        fn files_are_rewritten_as_they_were() {
            $($({
                let bytes: &[u8] = $bytes;
                let value = $type::parse(bytes).unwrap();
                let name = stringify!($type);
                assert_eq!(value.to_vec().as_deref(), Ok(bytes), "{name} {value:?}");
                let compact = value.compact().to_vec().unwrap_or_else(|error| panic!("{name}: {error}"));
                assert!($type::validate(&compact).is_ok(), "{name}: {compact:?}");
            })+)+
        }
    };
}

rewritten! {
    FromSection: b"\x03\0\x05ab\0c\0", b"\0\x02\x05c\0ab\0";
    WithGaps: &[4, 2, 1, 1, 7, 1], &[4, 0, 7, 1, 1, 1];
    FromEnd: &[4, 2, 1, 1, 7, 1], &[4, 4, 7, 1, 1, 1];
    Absent: b"\x03\x05ab\0c\0", b"\0\x05ab\0c\0";
    Several: b"\x02\0\x03abc";
    InOpen: b"\x03\0\x05ab\0c\0";
    Computed: &[1, 2, 1, 0, 255, 7, 8];
    OutOfSum: &[2, 2, 9, 8, 0, 7], &[1, 3, 9, 7, 0, 0, 8];
    Units: &[1, 9, 2, 0, 1, 7, 0, 8];
    SectionUnits: &[4, 2, 2, 3, 6, 1, 9, 0, 0, 1, 8];
    Single: &[0, 1, 7, 0, 8];
    Calculated: &[5, 2, 0, 1, 6, 7, 8, 0, 0, 3, 4];
    Led: &[0, 0, 0, 0, 0, 0, 0, 1];
    InnerTable: &[1, 1, 6, 1, 0, 1, 9, 7];
    Aligned: &[5, 2, 0, 1, 9, 0, 0, 0, 7, 0, 0, 0, 8];
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct FromSection {
    o: u8,
    p: u8,
    n: u8,
    #[bin(section, len = n)]
    s: Vec<u8>,
    #[bin(at = start(s) + o, nul, place = s)]
    a: String,
    #[bin(at = start(s) + p, nul, place = s)]
    b: String,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct WithGaps {
    n: u8,
    o: u8,
    #[bin(section, len = n)]
    s: Vec<u8>,
    #[bin(at = start(s) + o, place = s)]
    b: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct FromEnd {
    n: u8,
    o: u8,
    #[bin(section, len = n)]
    s: Vec<u8>,
    #[bin(at = end(s) - o, place = s)]
    b: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Absent {
    o: u8,
    n: u8,
    #[bin(section, len = n)]
    s: Vec<u8>,
    #[bin(at = start(s) + o, null = 0, nul, place = s)]
    a: Option<String>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Several {
    t: [u8; 2],
    n: u8,
    #[bin(section, len = n)]
    s: Vec<u8>,
    #[bin(for_each = t, at = start(s) + it, place = s, until_next)]
    b: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct InOpen {
    o: u8,
    p: u8,
    n: u8,
    #[bin(section = open, len = n)]
    s: Vec<u8>,
    #[bin(at = start(s) + o, nul, place = s)]
    a: String,
    #[bin(at = start(s) + p, nul, place = s)]
    b: String,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Computed {
    k: Auto<u8>,
    #[bin(prefix = u8)]
    t: Vec<u8>,
    #[bin(len = k)]
    z: Vec<u8>,
    #[bin(for_each = t, at = 4 + k + it)]
    b: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Units {
    k: Auto<u8>,
    #[bin(len = k)]
    z: Vec<u8>,
    #[bin(prefix = u8)]
    t: Vec<u8>,
    #[bin(for_each = t, at = 4 + k + it * 2)]
    v: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Text {
    #[bin(prefix = u8)]
    v: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct SectionUnits {
    size: u8,
    #[bin(prefix = u8)]
    t: Vec<u8>,
    n: u8,
    #[bin(section, len = n)]
    s: Vec<u8>,
    #[bin(for_each = t, at = start(s) + (it - 2) * size, place = s)]
    b: Vec<Text>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Single {
    c: u8,
    d: u8,
    #[bin(at = end(d) + c * 2)]
    v: u8,
    #[bin(at = end(d) + d * 2)]
    w: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Calculated {
    #[bin(calc = start(s))]
    data: u8,
    #[bin(prefix = u8)]
    t: Vec<u8>,
    n: u8,
    #[bin(section, len = n)]
    s: Vec<u8>,
    #[bin(for_each = t, at = data + it * 4, place = s)]
    v: Vec<[u8; 2]>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Aligned {
    head: u8,
    #[bin(prefix = u8)]
    t: Vec<u8>,
    #[bin(len = head - 2 - len(t))]
    extra: Vec<u8>,
    #[bin(for_each = t, at = align_up(head, 4) + it * 4)]
    v: Vec<u8>,
}

/// A value without bytes, from which another one counts.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Led {
    a: u8,
    b: u8,
    c: Auto<u8>,
    #[bin(at = end(a) + b * 2, len = c)]
    v: Vec<u8>,
    #[bin(at = end(a) + b * 2 + 6)]
    w: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Entry {
    at: u8,
    size: u8,
    half: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Group {
    #[bin(prefix = u8)]
    items: Vec<Entry>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct InnerTable {
    #[bin(prefix = u8)]
    groups: Vec<Group>,
    k: Auto<u8>,
    #[bin(len = k)]
    z: Vec<u8>,
    #[bin(for_each = groups.items, len = it.size, at = k + it.at, set(it.half = it.size / 2))]
    values: Vec<Vec<u8>>,
}

/// What the base moves by, the values do: an entry more, and one less.
#[test]
fn values_move_with_the_base_of_their_units() {
    let bytes = [5, 2, 0, 1, 6, 7, 8, 0, 0, 3, 4];
    let mut value = Calculated::parse(&bytes).unwrap();
    value.t.push(0);
    value.v.push([1, 1]);
    let more = value.to_vec().unwrap();
    assert_eq!(more, [6, 3, 0, 1, 2, 10, 7, 8, 0, 0, 3, 4, 0, 0, 1, 1]);
    value.t.truncate(1);
    value.v.truncate(1);
    assert_eq!(value.to_vec().unwrap(), [4, 1, 0, 6, 7, 8, 0, 0, 3, 4]);

    let mut value = Computed::parse(&[1, 2, 1, 0, 255, 7, 8]).unwrap();
    value.t.pop();
    value.b.pop();
    let written = value.to_vec().unwrap();
    assert_eq!(Computed::parse(&written).unwrap().b, [8]);
}

/// New values, from numbers that are all 0.
#[test]
fn new_values_lie_on_their_units() {
    let value = Single { c: 0, d: 0, v: 7, w: 8 };
    assert_eq!(value.to_vec().unwrap(), [0, 1, 7, 0, 8]);
    let value = Aligned { head: 0, t: vec![0, 0], extra: vec![1], v: vec![7, 8] };
    assert_eq!(value.to_vec().unwrap(), [5, 2, 0, 1, 1, 0, 0, 0, 7, 0, 0, 0, 8]);
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(k: u8))]
struct FromArgument {
    off: u8,
    #[bin(at = k + off * 2, place = around)]
    text: Text,
}

/// A base that is given to the values, and follows from where the section begins.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Given {
    #[bin(calc = start(s))]
    k: u8,
    #[bin(prefix = u8, args(k))]
    values: Vec<FromArgument>,
    n: u8,
    #[bin(section = open, len = n)]
    s: Vec<u8>,
}

#[test]
fn units_count_from_a_base_that_is_passed() {
    for len in 0..4 {
        let values = (0..len).map(|len| FromArgument { off: 0, text: Text { v: vec![7; len] } });
        let mut value = Given { k: 0, values: values.collect(), n: 0, s: vec![] };
        for more in 0..3 {
            let bytes = value.to_vec().unwrap_or_else(|error| panic!("{value:?}: {error}"));
            let read = Given::parse(&bytes).unwrap();
            let texts =
                |given: &Given| given.values.iter().map(|v| v.text.clone()).collect::<Vec<_>>();
            assert_eq!(texts(&read), texts(&value));
            assert_eq!(read.to_vec().as_ref(), Ok(&bytes));
            assert!(read.compact().to_vec().is_ok(), "{read:?}");
            value = read;
            value.values.iter_mut().for_each(|value| value.text.v.extend(vec![8; more]));
        }
    }
}

/// A footer that counts from the end of its section, which nothing makes shorter.
#[test]
fn what_does_not_fit_a_section_that_stays_says_how_it_gets_shorter() {
    #[derive(BinFormat, Debug, Clone, PartialEq)]
    struct Footed {
        #[bin(section, len = remaining - 1)]
        data: Vec<u8>,
        n: u8,
        #[bin(at = len(data) - n, base = data, place = data, len = n)]
        foot: Vec<u8>,
        #[bin(at = 0, base = data, place = data, len = len(data) - n)]
        body: Vec<u8>,
    }
    let mut value = Footed::parse(&[1, 2, 3, 7, 8, 2]).unwrap();
    value.body.pop();
    let error = value.to_vec().unwrap_err().to_string();
    assert!(
        error.contains("the section `data` keeps the bytes") && error.contains("compact()"),
        "{error}"
    );
    assert_eq!(value.compact().to_vec().unwrap(), [1, 2, 7, 8, 2]);
}

/// What `compact()` cannot do is no reason to advise it.
#[test]
fn what_does_not_fit_a_section_without_the_bytes_it_was_read_with_says_no_more_than_that() {
    #[derive(BinFormat, Debug, Clone, PartialEq)]
    struct Aligned {
        first: u8,
        #[bin(section, len = remaining - 2)]
        data: Vec<u8>,
        n: u8,
        #[bin(len = n, align_after = 2)]
        name: String,
    }
    let value = Aligned { first: 0, data: vec![1], n: 0, name: String::new() };
    assert_eq!(value.to_vec().unwrap(), [0, 1, 0, 0]);
    let error = value.compact().to_vec().unwrap_err().to_string();
    assert!(error.contains("is below 0 or too large"), "{error}");
    assert!(!error.contains("compact"), "{error}");
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct InSection {
    a: u8,
    n: u8,
    #[bin(section, len = n)]
    s: Vec<u8>,
    #[bin(at = 2 + (a - 1) * 4, base = s, place = s)]
    x: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Moving {
    #[bin(prefix = u8)]
    before: Vec<u8>,
    a: u8,
    n: u8,
    #[bin(section = open, len = n)]
    s: Vec<u8>,
    #[bin(at = a, place = s)]
    holder: Holder,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Holder {
    o: u8,
    #[bin(at = 1 + o * 4, base = start, place = around)]
    x: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Branch {
    version: u8,
    #[bin(prefix = u8)]
    before: Vec<u8>,
    a: u8,
    b: u8,
    #[bin(at = if version < 2 { a + 9 } else { b * 4 })]
    x: u8,
}

/// The numbers of new values are 0, which may tell of no place; old ones move with what their units count from.
#[test]
fn values_lie_where_a_number_tells() {
    let value = InSection { a: 0, n: 0, s: vec![], x: 7 };
    assert_eq!(value.to_vec().unwrap(), [1, 3, 0, 0, 7]);
    for len in 0..9 {
        let holder = Holder { o: 0, x: 7 };
        let mut value = Moving { before: vec![1; len], a: 0, n: 0, s: vec![], holder };
        for more in 0..5 {
            let bytes = value.to_vec().unwrap_or_else(|error| panic!("{value:?}: {error}"));
            let read = Moving::parse(&bytes).unwrap();
            assert_eq!(read.holder.x, 7, "{value:?}");
            assert_eq!(read.to_vec().as_ref(), Ok(&bytes));
            value = read;
            value.before.extend(vec![2; more]);
        }
        for version in [1, 2] {
            let value = Branch { version, before: vec![3; len], a: 0, b: 0, x: 7 };
            let bytes = value.to_vec().unwrap_or_else(|error| panic!("{value:?}: {error}"));
            let read = Branch::parse(&bytes).unwrap();
            assert_eq!(read.compact().to_vec().as_ref(), Ok(&bytes), "{value:?}");
        }
    }
}

/// Numbers in sums that are multiplied with a constant.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct OutOfSum {
    o: u8,
    n: u8,
    head: u8,
    #[bin(at = end(head) + (o - 1) * 2)]
    a: u8,
    #[bin(at = end(head) + (n - 2) * 3)]
    b: u8,
}

#[test]
fn a_number_in_a_sum_that_is_multiplied_is_computed() {
    let written = OutOfSum { o: 0, n: 0, head: 9, a: 7, b: 8 }.to_vec().unwrap();
    let read = OutOfSum::parse(&written).unwrap();
    assert_eq!((read.a, read.b), (7, 8));
}
