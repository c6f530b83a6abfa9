//! What a type computes of itself, in the expressions of another type.

use binfmt_runtime::BinFormat;

use super::{refused, same};

/// Numbers that say more than they hold.
#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[bin(little, computed(twice: u16 = n * 2), computed(is_large: bool = n > 2))]
#[bin(computed(name: &'static str = if is_large { "large" } else { "small" }))]
#[bin(computed(mark: Mark = mark(n)))]
struct Head {
    n: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Mark {
    byte: u8,
}

fn mark(byte: u8) -> Mark {
    Mark { byte }
}

fn third(n: Option<u16>) -> Option<u16> {
    n.map(|n| n / 3)
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, args(wanted: u64, odd: u8))]
struct Body {
    #[bin(check(byte != wanted && byte != odd, "a bad byte"))]
    byte: u8,
}

/// What follows from the numbers of another value, and from those of a table.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(computed(thrice: u16 = head.twice() + head.n), computed(mark: Mark = head.mark()))]
#[bin(computed(name: &'static str = head.name()))]
struct Outer<'a> {
    head: Head,
    limit: Head,
    #[bin(check(other.twice() == head.twice(), "not the same"), check(other.twice() <= limit.n, "too large"))]
    #[bin(check(other.name() == "small" || 9 > other.twice(), "too large, too"))]
    other: Head,
    #[bin(len = head.twice())]
    bytes: &'a [u8],
    #[bin(if = head.is_large() && !other.is_large())]
    never: Option<u8>,
    #[bin(if = head.is_large())]
    large: Option<u8>,
    #[bin(count = third(head.twice()), args(wanted = head.twice(), odd = head.mark().byte))]
    items: Vec<Body>,
    #[bin(count = 1)]
    table: Vec<Head>,
    #[bin(for_each = table, len = it.twice())]
    bodies: Vec<Rest>,
    #[bin(args(head))]
    kind: Kind,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Rest {
    #[bin(until_end)]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(head: Head), tag = head.twice())]
enum Kind {
    #[bin(id = 6)]
    Six(u8),
    #[bin(id = 2)]
    Two,
}

#[test]
fn what_another_type_computes_is_a_number_a_condition_or_a_text() {
    let rest = |bytes: &[u8]| Rest { bytes: bytes.to_vec() };
    let small = Outer {
        head: Head { n: 1 },
        other: Head { n: 1 },
        limit: Head { n: 2 },
        bytes: b"ab",
        never: None,
        large: None,
        items: Vec::new(),
        table: vec![Head { n: 1 }],
        bodies: vec![rest(b"cd")],
        kind: Kind::Two,
    };
    same(&small, b"\x01\x02\x01ab\x01cd");
    assert_eq!((small.thrice(), small.name()), (Some(3), Some("small")));
    assert_eq!(small.mark(), Some(Mark { byte: 1 }));
    let large = Outer {
        head: Head { n: 3 },
        other: Head { n: 3 },
        limit: Head { n: 6 },
        bytes: b"abcdef",
        large: Some(7),
        items: vec![Body { byte: 4 }, Body { byte: 5 }],
        kind: Kind::Six(9),
        ..small.clone()
    };
    same(&large, b"\x03\x06\x03abcdef\x07\x04\x05\x01cd\x09");
    let cases = [
        (Outer { bytes: b"abc", ..small.clone() }, "bytes derived"),
        (Outer { large: Some(1), ..small.clone() }, "large presence"),
        (Outer { other: Head { n: 2 }, ..small.clone() }, "other Outer.other"),
        (Outer { limit: Head { n: 1 }, ..small.clone() }, "other Outer.other.2"),
        (
            Outer { items: vec![Body { byte: 6 }, Body { byte: 5 }], ..large.clone() },
            "items[0].byte Body.byte",
        ),
        (Outer { bodies: vec![rest(b"c")], ..small.clone() }, "bodies[0] derived"),
        (Outer { kind: Kind::Six(1), ..small }, "kind tag"),
    ];
    for (value, expected) in cases {
        assert_eq!(refused(&value), expected);
    }
}
