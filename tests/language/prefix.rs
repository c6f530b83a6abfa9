//! Lengths and counts that stand right before a field and are not in the struct.

use binfmt_runtime::{BinFormat, Leb128, Seq, U24};

use super::{findings, kept, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Prefixed<'a> {
    #[bin(prefix = u8)]
    name: &'a str,
    #[bin(prefix = u16, big)]
    data: Vec<u8>,
    #[bin(prefix = U24)]
    words: Vec<u16>,
    #[bin(prefix = Leb128<u32>)]
    parts: Seq<'a, Part>,
    #[bin(prefix = u32)]
    part: Part,
    last: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Part {
    kind: u8,
    #[bin(prefix = u8, nul)]
    text: String,
}

fn part(kind: u8, text: &str) -> Part {
    Part { kind, text: text.to_owned() }
}

#[test]
fn a_prefix_counts_bytes_or_items() {
    let parts = vec![part(1, ""), part(2, "c")].leak();
    let value = Prefixed {
        name: "ab",
        data: vec![7, 8, 9],
        words: vec![0x0102],
        parts: Seq::from(&parts[..]),
        part: part(3, "de"),
        last: 9,
    };
    same(
        &value,
        b"\x02ab\x00\x03\x07\x08\x09\x01\x00\x00\x02\x01\x02\x01\0\0\x02\x01c\0\
          \x05\x00\x00\x00\x03\x02de\0\x09",
    );
    assert_eq!(stopped::<Prefixed<'_>>(b"\x04ab"), "name size");
    assert_eq!(stopped::<Prefixed<'_>>(b""), "name.prefix end");
    assert_eq!(stopped::<Prefixed<'_>>(b"\0\0\0\x02\0\0\x01\0"), "words count");
    assert_eq!(stopped::<Prefixed<'_>>(b"\0\0\0\0\0\0\0\x03\0\0\0\x01\0\0"), "last end");
    assert_eq!(stopped::<Prefixed<'_>>(b"\0\0\0\0\0\0\0\x04\0\0\0\x01\0\0\0"), "part leftover");
    assert_eq!(
        findings::<Prefixed<'_>>(b"\0\0\0\0\0\0\x80\0\x03\0\0\0\x01\0\0\x09"),
        ["warning parts.prefix canonical"]
    );
    let long = "x".repeat(256).leak();
    assert_eq!(refused(&Prefixed { name: long, ..value.clone() }), "name.prefix overflow");
    assert_eq!(refused(&Prefixed { part: part(1, long), ..value }), "part.text.prefix overflow");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Placed<'a> {
    present: u8,
    room: u8,
    #[bin(if = present & 1 != 0, prefix = u16)]
    maybe: Option<&'a [u8]>,
    #[bin(calc = len(text))]
    text_len: u8,
    #[bin(calc = start(text))]
    text_at: u8,
    #[bin(align_before = 4, prefix = u16, pad_to = room)]
    text: &'a str,
    size: u8,
    #[bin(prefix = u8, len = size)]
    items: Vec<Part>,
}

#[test]
fn a_prefix_lies_in_the_room_of_its_field_and_is_no_part_of_its_length() {
    let value = Placed {
        present: 1,
        room: 6,
        maybe: Some(&[5]),
        text_len: 2,
        text_at: 8,
        text: "ab",
        size: 3,
        items: vec![part(4, "")],
    };
    same(&value, b"\x01\x06\0\x01\x05\x02\x08\0\0\x02ab\0\0\x03\x01\x04\0\0");
    same(
        &Placed { present: 0, maybe: None, text_at: 4, ..value.clone() },
        b"\x00\x06\x02\x04\0\x02ab\0\0\x03\x01\x04\0\0",
    );
    assert_eq!(refused(&Placed { maybe: None, ..value.clone() }), "maybe presence");
    let longer = Placed { text: "abcdefgh", ..value };
    assert_eq!(longer.to_vec().unwrap()[1], 10);
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Message {
    #[bin(prefix = Leb128<u32>)]
    inner: Inner,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Inner {
    #[bin(until_end)]
    messages: Vec<Message>,
}

#[test]
fn messages_in_messages_are_counted_once_a_level() {
    let message = |messages| Message { inner: Inner { messages } };
    let deep = (0..40).fold(message(vec![]), |inner, _| message(vec![inner]));
    let bytes: Vec<u8> = (0..=40).rev().collect();
    kept(&deep, bytes.leak());
}
