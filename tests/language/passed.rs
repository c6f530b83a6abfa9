//! Parts of values: passed to types and functions, compared, and named by `let`.

#![expect(clippy::trivially_copy_pass_by_ref, reason = "a declaration passes references")]

use binfmt_runtime::{Auto, BinFormat, Leb128, Order, Seq};

use super::{kept, refused, same, stopped};

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Head {
    size: u16,
    kind: Kind,
    shift: i16,
    inner: Inner,
    #[bin(prefix = u8)]
    name: String,
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq)]
#[repr(u8)]
enum Kind {
    Plain = 1,
    Coded = 2,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Inner {
    long: u64,
    on: bool,
}

fn head() -> Head {
    let inner = Inner { long: 2, on: true };
    Head { size: 3, kind: Kind::Coded, shift: -1, inner, name: "ab".into() }
}

const HEAD: &[u8] = b"\x03\0\x02\xff\xff\x02\0\0\0\0\0\0\0\x01\x02ab";

fn with_head(more: &[u8]) -> &'static [u8] {
    [HEAD, more].concat().leak()
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(size: u8, kind: Kind, on: bool))]
struct Body {
    #[bin(len = size, check(on && kind == Kind::Coded, "another body"))]
    data: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(let(wanted = head.size, kind = head.kind))]
struct Passed {
    head: Head,
    #[bin(args(size = head.size, kind = head.kind, on = head.inner.on))]
    first: Body,
    #[bin(args(size = head.inner.long, kind, on = head.size > 1))]
    second: Body,
    #[bin(count = 2, args(size = wanted - 2, kind, on = true))]
    more: Vec<Body>,
}

#[test]
fn parts_of_values_are_arguments_in_the_type_that_these_have() {
    let body = |data: &[u8]| Body { data: data.into() };
    let more = vec![body(b"f"), body(b"g")];
    let value = Passed { head: head(), first: body(b"abc"), second: body(b"de"), more };
    kept(&value, with_head(b"abcdefg"));
    let mut large = value.clone();
    large.head.size = 300;
    assert_ne!(refused(&large), "");
    let bytes = with_head(b"abcdefg").to_vec().leak();
    bytes[1] = 1;
    assert_eq!(stopped::<Passed>(bytes), "first size");
}

fn is_short(name: &str) -> bool {
    name.len() < 3
}

fn is_coded(kind: &Kind) -> bool {
    *kind == Kind::Coded
}

fn double(size: u16) -> u64 {
    u64::from(size) * 2
}

const LIMIT: i64 = -5;

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
#[bin(check(is_short(head.name), "long"), check(is_coded(head.kind), "plain"))]
#[bin(check(double(head.size) == total, "another total"), check(head.shift < total, "signs"))]
#[bin(check(head.shift + 2 > 0 && head.shift > LIMIT, "far"), check(size(size) == size, "name"))]
struct Compared {
    head: Head,
    total: u8,
    size: u16,
}

fn size(size: u16) -> u16 {
    size
}

#[test]
fn parts_of_values_are_compared_whatever_their_types() {
    kept(&Compared { head: head(), total: 6, size: 7 }, with_head(b"\x06\x07\0"));
    let broken = stopped::<Compared>(with_head(b"\x07\x07\0"));
    assert!(broken.ends_with(" Compared.3"), "{broken}");
    let mut far = head();
    far.shift = -5;
    assert_ne!(refused(&Compared { head: far, total: 6, size: 7 }), "");
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, let(least = size, most = size + 2, bit = flags & 4, since_two = 2, zero = last == least))]
#[bin(version = flags)]
struct Named {
    size: u8,
    flags: u8,
    #[bin(range = least..=most)]
    inside: u8,
    #[bin(one_of = [most, 9])]
    one: u8,
    #[bin(flag = bit)]
    there: Option<u8>,
    #[bin(since = since_two)]
    new: Option<u8>,
    #[bin(until = zero)]
    items: Vec<u16>,
}

#[test]
fn names_stand_for_their_values_in_every_word() {
    let items = vec![5, 3];
    let value = Named { size: 3, flags: 4, inside: 5, one: 9, there: Some(1), new: Some(2), items };
    kept(&value, b"\x03\x04\x05\x09\x01\x02\x05\0\x03\0");
    assert_eq!(stopped::<Named>(b"\x03\x04\x06\x09\x01\x02\x03\0"), "inside Named.inside.range");
}

type Length = u16;

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Renamed {
    length: Length,
    #[bin(len = length)]
    data: Vec<u8>,
}

#[test]
fn a_number_under_another_name_is_a_number() {
    kept(&Renamed { length: 2, data: b"ab".into() }, b"\0\x02ab");
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Entry {
    place: u32,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, check(count(values) == many, "another number"))]
struct Counted {
    many: u8,
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.place)]
    values: Vec<u16>,
}

#[test]
fn values_that_lie_apart_are_counted_by_their_table() {
    let entries = vec![Entry { place: 6 }];
    kept(&Counted { many: 1, entries, values: vec![7] }, b"\x01\x01\x06\0\0\0\x07\0");
    assert_eq!(stopped::<Counted>(b"\x02\x01\x06\0\0\0\x07\0"), "many Counted");
}

/// Names of one size, and values that a function finds the names of.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Directory<'a> {
    count: Auto<u8>,
    #[bin(count = count)]
    names: Seq<'a, [u8; 2]>,
    #[bin(until_end, args(names))]
    values: Vec<OfName<'a>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(names: Seq<'a, [u8; 2]>))]
struct OfName<'a> {
    name: u8,
    #[bin(len = if is_long(names, name) { 2 } else { 0 })]
    more: &'a [u8],
}

fn is_long(names: &Seq<'_, [u8; 2]>, name: u8) -> bool {
    matches!(names.get(name.into()), Some(Ok([b'L', _])))
}

#[test]
fn a_table_may_be_an_argument() {
    let file = b"\x02SaLb\x00\x01xy\x00";
    let named = Directory::parse(file).unwrap();
    let more: Vec<_> = named.values.iter().map(|value| value.more).collect();
    assert_eq!(more, [&b""[..], b"xy", b""]);
    same(&named, file);
}

/// What a condition chooses of two variants, or of a variant and a field.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Choosing {
    version: u8,
    mode: Mode,
    #[bin(args(
        order = if version == 1 { Order::Big } else { Order::Little },
        mode = if version > 2 { Mode::Long } else { mode }
    ))]
    body: Chosen,
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq)]
#[repr(u8)]
enum Mode {
    Short = 1,
    Long = 2,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(endian = order, args(order: Order, mode: Mode))]
struct Chosen {
    number: u16,
    #[bin(if = mode == Mode::Long)]
    more: Option<u8>,
}

#[test]
fn a_condition_chooses_what_is_passed() {
    for (file, number, more) in [
        (&[1, 1, 2, 3][..], 0x203, None),
        (&[2, 1, 2, 3], 0x302, None),
        (&[2, 2, 2, 3, 4], 0x302, Some(4)),
        (&[3, 1, 2, 3, 4], 0x302, Some(4)),
    ] {
        let value = Choosing::parse(file).unwrap();
        assert_eq!(value.body, Chosen { number, more });
        assert_eq!(value.to_vec().unwrap(), file);
        binfmt_runtime::laws::hold::<Choosing>(file, ()).unwrap();
    }
}

const MOST: u8 = 3;

/// The same of a constant and a number of another type, for a function, and of the item before.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct ChoosingMore {
    kind: u8,
    count: Leb128<u16>,
    #[bin(args(len = if kind == 1 { MOST } else { count }))]
    bytes: OfLen,
    #[bin(with = in_order, args(if kind == 1 { Order::Big } else { Order::Little }))]
    number: u16,
    #[bin(until_end, args(mode = if previous.kind == 2 { Mode::Long } else { Mode::Short } or Mode::Long))]
    items: Vec<OfMode>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(len: u16))]
struct OfLen {
    #[bin(len = len)]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(mode: Mode))]
struct OfMode {
    kind: u8,
    #[bin(if = mode == Mode::Long)]
    more: Option<u8>,
}

mod in_order {
    use binfmt_runtime::{Cursor, Fault, Order, Writer};

    pub(super) fn read(cur: &mut Cursor<'_>, order: &Order) -> Result<u16, Fault> {
        let bytes = *cur.take_array().ok_or(Fault::at(0))?;
        Ok(if *order == Order::Big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    }

    pub(super) fn write(number: &u16, out: &mut Writer<'_>, order: &Order) -> Result<(), Fault> {
        out.put(&if *order == Order::Big { number.to_be_bytes() } else { number.to_le_bytes() })
    }
}

#[test]
fn numbers_of_any_type_are_chosen_and_what_functions_and_the_next_item_are_given() {
    let items = [2, 9, 1, 8, 5];
    for (head, bytes, number) in [(&[1, 0][..], &[7, 7, 7][..], [1, 2]), (&[0, 2], &[7, 7], [2, 1])]
    {
        let file = [head, bytes, &number, &items].concat();
        let value = ChoosingMore::parse(&file).unwrap();
        assert_eq!((value.bytes.bytes.as_slice(), value.number), (bytes, 0x102));
        let more: Vec<Option<u8>> = value.items.iter().map(|item| item.more).collect();
        assert_eq!(more, [Some(9), Some(8), None]);
        assert_eq!(value.to_vec().unwrap(), file);
    }
}
