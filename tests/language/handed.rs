//! What functions are given of what others give, of constants, and of what a condition chooses.

#![expect(clippy::trivially_copy_pass_by_ref, reason = "a declaration passes references")]

use binfmt_runtime::BinFormat;

use super::{findings, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Head {
    kind: Kind,
    short: u16,
    long: u32,
    signed: i8,
    on: bool,
    #[bin(nul)]
    name: String,
}

impl Head {
    fn sum(&self) -> u64 {
        u64::from(self.short) + u64::from(self.long)
    }

    fn next(&self) -> Option<Kind> {
        (self.short > 1).then_some(Kind::Coded)
    }

    fn half(&self) -> Option<u32> {
        self.short.is_multiple_of(2).then_some(u32::from(self.short) / 2)
    }

    fn upper(&self) -> String {
        self.name.to_uppercase()
    }

    fn bytes(&self) -> [u8; 2] {
        self.short.to_le_bytes()
    }

    fn is_on(&self) -> bool {
        self.on
    }

    fn more(&self, than: u8) -> u16 {
        self.short.saturating_sub(than.into())
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[repr(u8)]
enum Kind {
    Plain = 1,
    Coded = 2,
}

const FIVE: u64 = 5;

fn byte(number: u8) -> u8 {
    number
}

fn wide(number: u64) -> i64 {
    number.try_into().unwrap_or(-1)
}

fn other(kind: &Kind) -> Kind {
    if *kind == Kind::Plain { Kind::Coded } else { Kind::Plain }
}

fn number(kind: Kind) -> u32 {
    if kind == Kind::Plain { 1 } else { 2 }
}

fn length(text: &str) -> usize {
    text.len()
}

fn first(bytes: &[u8]) -> u8 {
    bytes.first().copied().unwrap_or(0)
}

fn there(number: Option<u32>) -> bool {
    number.is_some()
}

/// What a function gives is converted to what the next one takes, or lent to it.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(computed(turned: Kind = other(head.kind)), computed(loud: String = head.upper()))]
#[bin(let(name = if count > 2 { "many" } else { "few" }))]
struct Handed {
    head: Head,
    count: u8,
    #[bin(check(byte(wide(count)) == count && byte(head.sum()) < 100, "sum"))]
    #[bin(check(byte(FIVE) == 5 && wide(byte(FIVE)) == 5 && head.more(head.half()) > 0, "five"))]
    #[bin(check(number(other(head.kind)) == 2 && number(Kind::Coded) == 2, "number"))]
    #[bin(check(other(Kind::Plain) == turned && number(turned) == 2 && other(turned) == head.kind, "turned"))]
    #[bin(check(number(head.next()) == 2 && other(head.next()) == Kind::Plain, "next"))]
    #[bin(check(length(loud) == length(head.name) && first(head.bytes()) == head.short, "lent"))]
    #[bin(check(there(head.half()), "half"))]
    #[bin(check(u64::from(byte(FIVE)) + u64::from(head.short) + u64::from(count) > 5, "from"))]
    rules: u8,
    #[bin(check(byte(if count > 2 { head.short } else { head.long }) < 9, "chosen"))]
    #[bin(check(number(if head.is_on() { other(head.kind) } else { head.next() }) == 2, "kinds"))]
    #[bin(check(length(if head.on { "abc" } else { head.name }) == 3, "text"))]
    #[bin(check(byte(if head.on { count } else { 3 }) == count, "count"))]
    #[bin(if = if count > 2 { head.on } else { head.is_on() })]
    chosen: Option<u8>,
    #[bin(nul, check(text == name, "another name"))]
    text: String,
}

fn example() -> Handed {
    let head =
        Head { kind: Kind::Plain, short: 4, long: 8, signed: -1, on: true, name: "abc".into() };
    Handed { head, count: 3, rules: 7, chosen: Some(9), text: "many".into() }
}

const BYTES: &[u8] = b"\x01\x04\0\x08\0\0\0\xff\x01abc\0\x03\x07\x09many\0";

#[test]
fn functions_take_what_others_give() {
    same(&example(), BYTES);
    let few = Handed { count: 1, text: "few".into(), ..example() };
    same(&few, b"\x01\x04\0\x08\0\0\0\xff\x01abc\0\x01\x07\x09few\0");
}

#[test]
fn what_does_not_fit_or_is_not_there_breaks_the_rule_that_asks_for_it() {
    // 300 and more is no `u8`.
    let large = b"\x01\x04\0\x2c\x01\0\0\xff\x01abc\0\x03\x07\x09many\0";
    assert_eq!(stopped::<Handed>(large), "rules Handed.rules");
    // Three has no half, and nobody is given one.
    let odd = b"\x01\x03\0\x08\0\0\0\xff\x01abc\0\x03\x07\x09many\0";
    assert_eq!(
        findings::<Handed>(odd),
        ["error rules Handed.rules.2", "error rules Handed.rules.7"]
    );
    let wrong = Handed { text: "few".into(), ..example() };
    assert_eq!(refused(&wrong), "text Handed.text");
}
