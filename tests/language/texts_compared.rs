//! Texts in expressions: compared, passed to functions, and as the end of a field.

use std::borrow::Cow;

use binfmt_runtime::BinFormat;

use super::{findings, place, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Listed<'a> {
    #[bin(nul, one_of = ["one", "two"])]
    kind: &'a str,
    #[bin(if = kind == "two")]
    second: Option<u8>,
    #[bin(until = last.name == "END")]
    members: Vec<Member>,
    #[bin(prefix = u8, check(word != "no", "{word} is refused"), warn(word < "x", "it is late"))]
    word: Cow<'a, str>,
    #[bin(if = "ab" == word && longer(word, "a"))]
    more: Option<u8>,
    #[bin(until = "--")]
    lines: Vec<Line>,
    #[bin(until = kept("."))]
    sentence: String,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Member {
    #[bin(len = 4, nul = optional)]
    name: String,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Line {
    #[bin(until = "\n")]
    text: String,
}

fn longer(word: &str, than: &str) -> bool {
    word.len() > than.len()
}

fn members(names: &[&str]) -> Vec<Member> {
    names.iter().map(|name| Member { name: (*name).into() }).collect()
}

fn example() -> Listed<'static> {
    Listed {
        kind: "two",
        second: Some(7),
        members: members(&["a", "LAST", "END"]),
        word: "ab".into(),
        more: Some(8),
        lines: vec![Line { text: "x".into() }, Line { text: String::new() }],
        sentence: "Is it.".into(),
    }
}

const BYTES: &[u8] = b"two\0\x07a\0\0\0LASTEND\0\x02ab\x08x\n\n--Is it.";

#[test]
fn texts_are_compared_whatever_holds_them() {
    same(&example(), BYTES);
    let other = Listed { kind: "one", second: None, word: "b".into(), more: None, ..example() };
    same(&other, b"one\0a\0\0\0LASTEND\0\x01bx\n\n--Is it.");
}

#[test]
fn a_text_that_breaks_a_rule_is_told() {
    assert_eq!(stopped::<Listed<'_>>(b"one\0END\0\x02nox\n--."), "word Listed.word");
    assert_eq!(findings::<Listed<'_>>(b"one\0END\0\x02xy--."), ["warning word Listed.word.2"]);
}

#[test]
fn an_item_whose_text_ends_the_sequence_is_the_last_one() {
    assert_eq!(stopped::<Listed<'_>>(b"one\0a\0\0\0"), "members[1].name size");
    let early = Listed { members: members(&["END", "a"]), ..example() };
    assert_eq!(refused(&early), "members[0] until");
    let open = Listed { members: members(&["a"]), ..example() };
    assert_eq!(refused(&open), "members until");
}

#[test]
fn presence_and_text_agree_when_a_value_is_written() {
    assert_eq!(refused(&Listed { second: None, ..example() }), "second presence");
    let error = Listed { word: "abc".into(), ..example() }.to_vec().unwrap_err();
    assert_eq!(place(&error), "more presence");
}

/// Texts and bytes that are held in different ways, and a name that stands for one of two texts.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(let(end = if low < high { "z" } else { "a" }))]
struct Ordered<'a> {
    #[bin(nul)]
    low: &'a str,
    #[bin(nul, check(low < high && high > low, "the texts are not in order"))]
    high: String,
    #[bin(prefix = u8, check(word >= low && word != high, "the word is out of order"))]
    word: Cow<'a, str>,
    #[bin(len = 2)]
    some: &'a [u8],
    #[bin(len = 2, check(some < more && more != some, "the bytes are not in order"))]
    more: Vec<u8>,
    #[bin(nul, check(last == end && last == if some < more { end } else { low }, "no end"))]
    last: String,
}

#[test]
fn texts_and_bytes_have_an_order_whatever_holds_them() {
    let value = Ordered {
        low: "ab",
        high: "b".into(),
        word: "ab".into(),
        some: b"xy",
        more: b"xz".to_vec(),
        last: "z".into(),
    };
    same(&value, b"ab\0b\0\x02abxyxzz\0");
    let turned = b"b\0ab\0\x02abxyxzz\0";
    assert_eq!(stopped::<Ordered<'_>>(turned), "high Ordered.high");
    assert_eq!(stopped::<Ordered<'_>>(b"ab\0b\0\x02abxyxaz\0"), "more Ordered.more");
    assert_eq!(stopped::<Ordered<'_>>(b"ab\0b\0\x02abxyxzy\0"), "last Ordered.last");
}
