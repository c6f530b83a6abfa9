//! Numbers below 0 that writers compute and set: of nested values, of items, and tags.

use std::fmt::Debug;

use binfmt_runtime::{BinFormat, DefaultArgs, Wire, laws};

use super::{findings, refused};

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Head {
    number: i16,
}

/// A cell whose size is below 0 while it is used.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Cell {
    #[bin(set(number = -len(body) - 2))]
    head: Head,
    #[bin(len = abs(head.number) - 2)]
    body: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Constant {
    #[bin(set(number = -1))]
    head: Head,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Copied {
    own: i8,
    #[bin(set(number = own))]
    head: Head,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Made {
    #[bin(set(number = less(body)))]
    head: Head,
    #[bin(until_end)]
    body: Vec<u8>,
}

fn less(body: &[u8]) -> i32 {
    -i32::try_from(body.len()).unwrap_or(i32::MAX)
}

/// How far back a value lies, without a minus in the expression.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Back {
    #[bin(prefix = u8)]
    text: String,
    #[bin(set(number = start(text) - start(head)))]
    head: Head,
    #[bin(calc = start(text) - start(own))]
    own: i16,
    #[bin(calc = start(own) - start(text))]
    ahead: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Table {
    #[bin(prefix = u8)]
    rows: Vec<Row>,
    #[bin(for_each = rows, len = it.size, set(it.less = -len(value), it.back = count(rows) - 9))]
    values: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Row {
    size: u8,
    less: i8,
    back: i8,
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq)]
#[repr(i8)]
enum Kind {
    None = -1,
    One = 1,
    Least = -128,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(tag = kind, args(kind: Kind))]
enum Body {
    #[bin(id = Kind::None)]
    None,
    #[bin(id = Kind::One)]
    One(u8),
    #[bin(id = Kind::Least)]
    Least(u8),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Tagged {
    #[bin(set(kind = tag(set)))]
    head: TagHead,
    #[bin(args(kind = head.kind))]
    set: Body,
    #[bin(calc = tag(computed))]
    kind: Kind,
    #[bin(args(kind))]
    computed: Body,
    #[bin(prefix = u8)]
    rows: Vec<TagHead>,
    #[bin(for_each = rows, args(kind = it.kind), set(it.kind = tag(value)))]
    values: Vec<Body>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct TagHead {
    kind: Kind,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Truth {
    there: u8,
    #[bin(if = there > 0)]
    number: Option<u8>,
    #[bin(set(large = number > 4))]
    head: TruthHead,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct TruthHead {
    large: bool,
}

/// A value is written whatever its number was, without a finding, and settles as what is read.
fn written<T>(value: &T, bytes: &'static [u8])
where
    T: BinFormat<'static> + DefaultArgs<'static> + Wire<'static, Args = ()> + PartialEq + Debug,
{
    assert_eq!(value.to_vec().unwrap(), bytes);
    laws::hold::<T>(bytes, ()).unwrap();
    assert!(T::validate(bytes).findings().is_empty(), "{}", T::validate(bytes));
}

#[test]
fn numbers_below_zero_are_set() {
    let head = |number| Head { number };
    for old in [0, 5, -7] {
        written(&Cell { head: head(old), body: vec![1, 2] }, b"\xfc\xff\x01\x02");
        written(&Constant { head: head(old) }, b"\xff\xff");
        written(&Copied { own: -5, head: head(old) }, b"\xfb\xfb\xff");
        written(&Made { head: head(old), body: vec![1, 2] }, b"\xfe\xff\x01\x02");
        let back = Back { text: "ab".into(), head: head(old), own: old, ahead: 4 };
        written(&back, b"\x02ab\xfd\xff\xfb\xff\x05");
        let row = |less| Row { size: 0, less, back: less };
        let rows = vec![row(0), row(7)];
        let table = Table { rows, values: vec![vec![1], vec![2, 3]] };
        written(&table, b"\x02\x01\xff\xf9\x02\xfe\xf9\x01\x02\x03");
    }
    // What does not fit is told of with its sign.
    let error = Table { rows: vec![Row { size: 0, less: 0, back: 0 }], values: vec![vec![0; 129]] };
    let error = error.to_vec().unwrap_err();
    assert!(error.to_string().contains("found -129"), "{error}");
    assert_eq!(error.finding().code, "overflow");
}

#[test]
fn other_numbers_are_told_of() {
    assert_eq!(findings::<Copied>(b"\xfb\xfc\xff"), ["error head.number derived"]);
    assert_eq!(findings::<Copied>(b"\xfb\x05\0"), ["error head.number derived"]);
    let report = Copied::validate(b"\xfb\x05\0").to_string();
    assert!(report.contains("expected -5, found 5"), "{report}");
    assert_eq!(findings::<Table>(b"\x01\x01\xfe\xf8\x07"), ["error rows[0].less derived"]);
}

#[test]
fn tags_below_zero_are_set_and_computed() {
    let bodies = [(Body::None, 0xff_u8), (Body::One(7), 1), (Body::Least(7), 0x80)];
    for old in [Kind::None, Kind::One, Kind::Least] {
        for (body, byte) in &bodies {
            let head = TagHead { kind: old };
            let value = Tagged {
                head: head.clone(),
                set: body.clone(),
                kind: old,
                computed: body.clone(),
                rows: vec![head],
                values: vec![body.clone()],
            };
            let rest: &[u8] = if *body == Body::None { b"" } else { b"\x07" };
            let one = [&[*byte], rest].concat();
            let bytes = [&one, &one, &[1_u8][..], &one].concat();
            written(&value, bytes.leak());
        }
    }
    let other = Tagged::validate(b"\x01\x07\xff\x01\xff");
    assert!(other.findings().is_empty(), "{other}");
}

#[test]
fn a_condition_over_an_absent_number_does_not_hold() {
    for large in [false, true] {
        let head = TruthHead { large };
        written(&Truth { there: 0, number: None, head: head.clone() }, b"\0\0");
        written(&Truth { there: 1, number: Some(4), head: head.clone() }, b"\x01\x04\0");
        written(&Truth { there: 1, number: Some(5), head }, b"\x01\x05\x01");
    }
    let value = Truth { there: 1, number: None, head: TruthHead { large: false } };
    assert_eq!(refused(&value), "number presence");
}
