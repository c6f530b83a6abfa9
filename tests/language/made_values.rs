//! Values that are no numbers and that functions give: `calc = fan_out(names)` on `fan: [u32; 4]`.

use binfmt_runtime::{Auto, BinFormat, Crc32};

use super::laws::hold;
use super::{findings, refused, same};

type Hash = [u8; 2];

/// How many hashes begin with each quarter of the bytes, or an earlier one.
fn fan_out(names: &[Hash]) -> [u16; 4] {
    let up_to = |last: u8| names.iter().filter(|name| name[0] >> 6 <= last).count();
    [0, 1, 2, 3].map(|last| u16::try_from(up_to(last)).unwrap_or(u16::MAX))
}

fn total(fan: &[u16]) -> u16 {
    fan[3]
}

/// An index with a fan-out table, whose last number is the count of all items, as in packs of git.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Index {
    version: u8,
    #[bin(calc = fan_out(names))]
    fan: [u16; 4],
    #[bin(count = total(fan))]
    names: Vec<Hash>,
    #[bin(len = total(fan))]
    sizes: Vec<u8>,
    #[bin(checksum(Crc32, over = ..=sizes))]
    sum: Auto<u32>,
}

fn index(names: &[Hash]) -> Index {
    let sizes = names.iter().map(|name| name[1]).collect();
    Index { version: 2, fan: [9, 9, 0, 0], names: names.to_vec(), sizes, sum: Auto::new() }
}

#[test]
fn a_table_of_numbers_is_what_a_function_gives() {
    for (names, fan) in [
        (&[][..], [0; 4]),
        (&[[1, 1]], [1, 1, 1, 1]),
        (&[[1, 1], [0x40, 2], [0x41, 3], [0xff, 4]], [1, 3, 3, 4]),
    ] {
        let bytes: &'static [u8] = index(names).to_vec().unwrap().leak();
        let read = Index::parse(bytes).unwrap();
        assert_eq!((read.fan, &read.names[..]), (fan, names));
        same(&read, bytes);
        hold::<Index>(bytes, ());
        let mut wrong = bytes.to_vec();
        wrong[2] ^= 1;
        assert_eq!(findings::<Index>(wrong.leak())[0], "error fan derived");
    }
    let short = Index { sizes: Vec::new(), ..index(&[[1, 1]]) };
    assert_eq!(refused(&short), "sizes derived");
}

fn upper(name: &str) -> Option<String> {
    name.is_ascii().then(|| name.to_uppercase())
}

fn ends(parts: &[Part]) -> Vec<u16> {
    let mut end = 0;
    let lens = parts.iter().map(|part| part.bytes.len());
    lens.map(|len| {
        end += len;
        u16::try_from(end).unwrap_or(u16::MAX)
    })
    .collect()
}

fn initials(parts: &[Part]) -> [u8; 2] {
    [0, 1].map(|part: usize| {
        parts.get(part).and_then(|part| part.bytes.first()).copied().unwrap_or(b'?')
    })
}

fn first(parts: &[Part]) -> Part {
    parts.first().cloned().unwrap_or(Part { len: 0, bytes: Vec::new() })
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Part {
    len: u8,
    #[bin(len = len)]
    bytes: Vec<u8>,
}

/// A text, a list with a count of its own, a value of a type, and bytes at an offset.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Sorts {
    #[bin(calc = upper(name), prefix = u8)]
    key: String,
    #[bin(nul)]
    name: String,
    count: Auto<u8>,
    #[bin(calc = ends(parts), count = count)]
    ends: Vec<u16>,
    at: Auto<u8>,
    #[bin(calc = initials(parts), at = at)]
    initials: [u8; 2],
    #[bin(prefix = u8)]
    parts: Vec<Part>,
    #[bin(calc = first(parts))]
    copy: Part,
}

fn sorts(name: &str, parts: &[&[u8]]) -> Sorts {
    let part =
        |bytes: &&[u8]| Part { len: u8::try_from(bytes.len()).unwrap(), bytes: bytes.to_vec() };
    Sorts {
        key: String::new(),
        name: name.into(),
        count: Auto::new(),
        ends: vec![1, 2, 3, 4, 5],
        at: Auto::new(),
        initials: *b"!!",
        parts: parts.iter().map(part).collect(),
        copy: Part { len: 1, bytes: vec![0] },
    }
}

#[test]
fn texts_lists_and_values_are_what_functions_give() {
    for (name, parts, bytes) in [
        ("", &[][..], &b"\0\0\0\x06\0\0??"[..]),
        ("ab", &[&b"x"[..], b"yz"], b"\x02ABab\0\x02\x01\0\x03\0\x14\x02\x01x\x02yz\x01xxy"),
    ] {
        let value = sorts(name, parts);
        let written = value.to_vec().unwrap();
        assert_eq!(written, bytes, "{name}");
        let bytes: &'static [u8] = written.leak();
        same(&Sorts::parse(bytes).unwrap(), bytes);
        hold::<Sorts>(bytes, ());
        let room = &mut Vec::new();
        assert_eq!(value.settle(room).unwrap(), Sorts::parse(bytes).unwrap());
    }
    // A function that gives nothing, and one that sees a number that the writer computes otherwise.
    assert_eq!(refused(&sorts("\u{e9}", &[])), "key size");
    let mut stale = sorts("", &[b"x"]);
    stale.parts[0].len = 7;
    assert_eq!(refused(&stale), "parts[0].len derived");
    let mut wrong = sorts("", &[b"x"]).to_vec().unwrap();
    let last = wrong.len() - 1;
    wrong[last] = b'z';
    assert_eq!(findings::<Sorts>(wrong.leak()), ["error initials derived"]);
    assert_eq!(findings::<Sorts>(b"\x01A\xc3\xa9\0\0\x09\0\0??"), ["error key overflow"]);
}

/// A section, whose bytes are those of the value in it.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Room {
    at: u8,
    len: Auto<u8>,
    #[bin(section, len = len)]
    bytes: Vec<u8>,
    #[bin(at = at, base = bytes, place = bytes, prefix = u8)]
    text: String,
}

fn xor(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum ^ byte)
}

fn copied(room: &Room) -> Vec<u8> {
    room.bytes.clone()
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct OverPart {
    #[bin(calc = xor(inner.bytes))]
    sum: u8,
    inner: Room,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct OverWhole {
    inner: Room,
    #[bin(calc = copied(inner), prefix = u8)]
    copy: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct OverMade {
    #[bin(calc = xor(inner.initials))]
    sum: u8,
    inner: Sorts,
}

fn room(held: &[u8]) -> Room {
    Room { at: 0, len: Auto::new(), bytes: held.to_vec(), text: "ab".into() }
}

#[test]
fn what_is_used_around_a_value_is_what_is_written() {
    let (stale, held) = (room(b""), room(b"\x02ab"));
    assert_eq!(refused(&OverPart { sum: 0, inner: stale.clone() }), "inner.bytes derived");
    assert_eq!(refused(&OverWhole { inner: stale.clone(), copy: vec![] }), "inner.bytes derived");
    let value = OverPart { sum: 0, inner: held.clone() };
    let bytes: &'static [u8] = value.to_vec().unwrap().leak();
    assert_eq!(bytes, b"\x01\0\x03\x02ab");
    same(&OverPart::parse(bytes).unwrap(), bytes);
    let value = OverWhole { inner: held, copy: vec![] };
    let bytes: &'static [u8] = value.to_vec().unwrap().leak();
    assert_eq!(bytes, b"\0\x03\x02ab\x03\x02ab");
    same(&OverWhole::parse(bytes).unwrap(), bytes);
    // What `settle` gives is written.
    let value = OverPart { sum: 0, inner: stale };
    let mut space = Vec::new();
    assert_eq!(value.settle(&mut space).unwrap().to_vec().unwrap(), b"\x01\0\x03\x02ab");
    let value = OverMade { sum: 0, inner: sorts("", &[b"x"]) };
    assert_eq!(refused(&value), "inner.initials derived");
}
