//! Places in a section that count from what follows the section, and would move with each byte that it grows.

use std::fmt::Debug;

use binfmt_runtime::{Auto, BinFormat, DefaultArgs, Wire, laws};

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct FromNumber {
    len: Auto<u8>,
    #[bin(section, len = len)]
    data: Vec<u8>,
    more: u8,
    back: i16,
    #[bin(at = start(back) + back, place = data, nul)]
    text: String,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct FromTrailer {
    back: u8,
    #[bin(section, len = remaining - 2)]
    data: Vec<u8>,
    #[bin(magic = b"EN")]
    trailer: (),
    #[bin(at = start(trailer) - back, place = data, nul)]
    text: String,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Open {
    len: Auto<u8>,
    #[bin(section = open, len = len)]
    data: Vec<u8>,
    back: i16,
    #[bin(at = start(back) + back, place = data, nul)]
    text: String,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Head {
    back: u16,
    len: u16,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Set {
    len: Auto<u8>,
    #[bin(section, len = len)]
    data: Vec<u8>,
    #[bin(set(back = start(head) - start(text), len = len(text)))]
    head: Head,
    #[bin(at = start(head) - head.back, place = data, len = head.len)]
    text: String,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Table {
    len: Auto<u8>,
    #[bin(section, len = len)]
    data: Vec<u8>,
    #[bin(prefix = u8)]
    backs: Vec<i16>,
    #[bin(for_each = backs, at = start(backs) + 1 + index * 2 + it, place = data, nul)]
    texts: Vec<String>,
}

const TEXTS: [&str; 5] = ["", "a", "abc", "abcd", "abcdefgh"];

/// What is written reads back, has no error and is written again; then so is the value with another text.
fn written<T>(value: &T, text: &mut dyn FnMut(&mut T, &str))
where
    T: BinFormat<'static> + DefaultArgs<'static> + Wire<'static, Args = ()>,
    T: Clone + PartialEq + Debug,
{
    for first in TEXTS {
        let mut value = value.clone();
        text(&mut value, first);
        let bytes: &'static [u8] = value.to_vec().unwrap().leak();
        laws::hold::<T>(bytes, ()).unwrap();
        laws::written_is_read(&value, ()).unwrap().unwrap();
        for second in TEXTS {
            let mut value = T::parse(bytes).unwrap();
            text(&mut value, second);
            let again: &'static [u8] = value.to_vec().unwrap().leak();
            laws::hold::<T>(again, ()).unwrap();
            // Other bytes than those of the text stay where they are.
            let grows = second.len().saturating_sub(first.len());
            assert!(again.len() <= bytes.len() + grows, "{value:?} {again:02x?} {bytes:02x?}");
            if first == second {
                assert_eq!(again, bytes);
            }
        }
    }
}

#[test]
fn values_are_new_and_grow() {
    for back in [0, -3, -4, 7, -100] {
        let value =
            FromNumber { len: Auto::new(), data: vec![], more: 9, back, text: String::new() };
        written(&value, &mut |value, text| value.text = text.to_owned());
        let value = Open { len: Auto::new(), data: vec![], back, text: String::new() };
        written(&value, &mut |value, text| value.text = text.to_owned());
        let back = back.unsigned_abs();
        let head = Head { back, len: 3 };
        let value = Set { len: Auto::new(), data: vec![], head, text: String::new() };
        written(&value, &mut |value, text| value.text = text.to_owned());
        let back = u8::try_from(back).unwrap();
        let value = FromTrailer { back, data: vec![], trailer: (), text: String::new() };
        written(&value, &mut |value, text| value.text = text.to_owned());
    }
}

#[test]
fn values_of_a_table_are_new_and_grow() {
    let value = Table { len: Auto::new(), data: vec![], backs: vec![], texts: vec![] };
    let mut bytes = value.to_vec().unwrap();
    for (count, text) in ["abc", "", "a longer one", "d"].into_iter().enumerate() {
        let mut value = Table::parse(bytes.leak()).unwrap();
        value.backs.push(0);
        value.texts.push(text.to_owned());
        if let Some(first) = value.texts.first_mut() {
            first.push('x');
        }
        bytes = value.to_vec().unwrap();
        laws::hold::<Table>(bytes.clone().leak(), ()).unwrap();
        let read = Table::parse(bytes.clone().leak()).unwrap();
        assert_eq!((read.texts.len(), &read.texts), (count + 1, &value.texts));
    }
}
