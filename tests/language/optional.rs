//! Presence that is told by a magic, by a bit, or by a version.

use binfmt_runtime::{BinFormat, Seq};

use super::{findings, refused, same, stopped};

bitflags::bitflags! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    struct Has: u16 {
        const NAME = 1;
        const SIZE = 0x100;
    }
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Default)]
#[bin(little, bitflags)]
struct Flags(u16);

bitflags::bitflags! {
    impl Flags: u16 {
        const NAME = 1;
        const SIZE = 0x100;
    }
}

const EXTRA: u8 = 0x20;

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little)]
struct Flagged<'a> {
    flags: Flags,
    bits: u8,
    #[bin(flag = flags.NAME, len = 2)]
    name: Option<&'a str>,
    #[bin(flag = flags.SIZE)]
    size: Option<u16>,
    #[bin(flag = bits & 4, align_before = 4)]
    word: Option<u8>,
    #[bin(flag = bits & EXTRA)]
    extra: Option<u8>,
    #[bin(flag = bits & EXTRA)]
    twin: Option<u8>,
}

#[test]
fn a_bit_says_whether_a_field_is_there() {
    same(&Flagged::default(), &[0, 0, 0]);
    let bits = Flagged {
        flags: Flags::NAME | Flags::from_bits_retain(8),
        bits: 0x81,
        ..Flagged::default()
    };
    same(&Flagged { name: Some("ab"), ..bits.clone() }, b"\x09\0\x81ab");
    let all = Flagged {
        flags: Flags::NAME | Flags::SIZE,
        bits: 0x24,
        name: Some("ab"),
        size: Some(3),
        word: Some(4),
        extra: Some(5),
        twin: Some(6),
    };
    same(&all, b"\x01\x01\x24ab\x03\0\0\x04\x05\x06");
    assert_eq!(stopped::<Flagged<'_>>(b"\x01\0\0a"), "name size");
}

#[test]
fn the_writer_sets_the_bits_and_keeps_the_others() {
    let value = Flagged { bits: 0x84, name: Some("ab"), ..Flagged::default() };
    assert_eq!(value.to_vec().unwrap(), b"\x01\0\x80ab");
    let none = Flagged { flags: Flags::all(), bits: 0xff, ..Flagged::default() };
    assert_eq!(none.to_vec().unwrap(), [0, 0, 0xdb]);
    // Two fields of one bit are there together.
    assert_eq!(refused(&Flagged { extra: Some(1), ..Flagged::default() }), "twin presence");
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(big, magic = b"tail")]
struct Tail {
    number: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
enum Mark {
    #[bin(magic = b"<")]
    Open,
    #[bin(magic = b">")]
    Close,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(big)]
struct Parts<'a> {
    #[bin(optional, magic = b"N", len = 1)]
    name: Option<&'a str>,
    #[bin(optional, magic = 0x0102u16, pad_after = 1)]
    number: Option<u16>,
    #[bin(optional)]
    mark: Option<Mark>,
    #[bin(optional)]
    tail: Option<Tail>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct AllParts<'a> {
    #[bin(until = remaining < 3)]
    parts: Seq<'a, Part>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Part {
    first: u8,
    #[bin(optional)]
    tail: Option<Tail>,
}

#[test]
fn a_field_is_there_when_its_magic_is() {
    same(&Parts::default(), b"");
    same(&Parts { name: Some("x"), ..Parts::default() }, b"Nx");
    same(&Parts { number: Some(7), ..Parts::default() }, b"\x01\x02\0\x07\0");
    same(&Parts { mark: Some(Mark::Close), ..Parts::default() }, b">");
    let tail = Some(Tail { number: 9 });
    same(&Parts { tail: tail.clone(), ..Parts::default() }, b"tail\x09");
    let all =
        Parts { name: Some("x"), number: Some(7), mark: Some(Mark::Open), tail: tail.clone() };
    same(&all, b"Nx\x01\x02\0\x07\0<tail\x09");
    assert_eq!(stopped::<Parts<'_>>(b"tail"), "tail.number end");
    let parts: &[Part] = vec![
        Part { first: 1, tail: None },
        Part { first: b't', tail },
        Part { first: 2, tail: None },
    ]
    .leak();
    let all = AllParts { parts: Seq::from(&parts[..2]) };
    assert_eq!(all.to_vec().unwrap(), b"\x01ttail\x09");
    // A reader stops where fewer than 3 bytes are left.
    let error = AllParts { parts: Seq::from(parts) }.to_vec().unwrap_err();
    assert_eq!(error.finding().code, "until");
    assert_eq!(findings::<AllParts<'_>>(b"\x01ttail\x09"), Vec::<String>::new());
}

const CURRENT: u16 = 5;

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little, version = version & 0xff)]
struct Versioned {
    version: u16,
    wide: bool,
    #[bin(since = 2)]
    added: Option<u8>,
    #[bin(before = 3)]
    removed: Option<u8>,
    #[bin(since = 3, before = CURRENT, if = wide)]
    between: Option<u16>,
}

#[test]
fn fields_come_and_go_with_versions() {
    let version = |version| Versioned { version, ..Versioned::default() };
    same(&Versioned { removed: Some(1), ..version(1) }, &[1, 0, 0, 1]);
    same(&Versioned { added: Some(2), removed: Some(1), ..version(2) }, &[2, 0, 0, 2, 1]);
    same(&Versioned { added: Some(2), ..version(0x103) }, &[3, 1, 0, 2]);
    same(
        &Versioned { wide: true, added: Some(2), between: Some(3), ..version(4) },
        &[4, 0, 1, 2, 3, 0],
    );
    same(&Versioned { wide: true, added: Some(2), ..version(5) }, &[5, 0, 1, 2]);
    assert_eq!(
        refused(&Versioned { added: Some(2), removed: Some(1), ..version(3) }),
        "removed presence"
    );
    assert_eq!(refused(&version(2)), "added presence");
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(args(version: u8), version = version)]
struct Given {
    #[bin(since = 2)]
    added: Option<u8>,
}

#[test]
fn a_version_may_be_an_argument() {
    assert_eq!(Given::parse_with(&[7], 2).unwrap(), Given { added: Some(7) });
    assert_eq!(Given::parse_with(&[7], 1).unwrap(), Given { added: None });
    assert_eq!(Given { added: Some(7) }.to_vec_with(2).unwrap(), [7]);
    assert_eq!(Given { added: Some(7) }.to_vec_with(1).unwrap_err().finding().code, "presence");
}

/// A header that has grown twice; what a later version adds is kept.
#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little, len = length)]
struct Header<'a> {
    length: u32,
    first: [u32; 5],
    #[bin(if = length >= 32)]
    second: Option<u64>,
    #[bin(if = length >= 40)]
    third: Option<u64>,
    #[bin(until_end)]
    tail: &'a [u8],
}

/// The same inside a file that stores the length.
#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little)]
struct File<'a> {
    header_len: u16,
    #[bin(len = header_len, args(len = header_len))]
    header: Inner<'a>,
    body: u16,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little, args(len: u16))]
struct Inner<'a> {
    first: u16,
    #[bin(if = len >= 4)]
    second: Option<u16>,
    #[bin(until_end)]
    tail: &'a [u8],
}

#[test]
fn a_header_may_grow() {
    let first = [1, 2, 3, 4, 5];
    let header = |length| Header { length, first, ..Header::default() };
    let bytes = |len: usize| {
        let mut bytes = vec![u8::try_from(len).unwrap(), 0, 0, 0];
        bytes.extend(first.iter().flat_map(|word: &u32| word.to_le_bytes()));
        bytes.extend([7, 0, 0, 0, 0, 0, 0, 0].repeat(3));
        bytes.truncate(len);
        &*bytes.leak()
    };
    same(&header(24), bytes(24));
    same(&Header { tail: &[7, 0], ..header(26) }, bytes(26));
    same(&Header { second: Some(7), ..header(32) }, bytes(32));
    same(&Header { second: Some(7), third: Some(7), ..header(40) }, bytes(40));
    let later =
        Header { second: Some(7), third: Some(7), tail: &[7, 0, 0, 0, 0, 0, 0, 0], ..header(48) };
    same(&later, bytes(48));
    // A header of 24 bytes that is given the field of 32 grows by itself.
    let grown = Header { second: Some(7), ..header(24) };
    assert_eq!(grown.to_vec().unwrap(), bytes(32));
    // What would be read as the field is not written as the tail.
    assert_eq!(refused(&Header { tail: &[0; 8], ..header(24) }), "second presence");
    assert_eq!(stopped::<Header<'_>>(&bytes(40)[..39]), "length size");
    assert_eq!(
        stopped::<Header<'_>>(&[[20, 0, 0, 0].as_slice(), &[0; 40]].concat().leak()[..]),
        "first[4] end"
    );
    let inner = |second, tail| Inner { first: 1, second, tail };
    same(&File { header_len: 2, header: inner(None, b""), body: 9 }, &[2, 0, 1, 0, 9, 0]);
    same(
        &File { header_len: 5, header: inner(Some(3), b"x"), body: 9 },
        b"\x05\0\x01\0\x03\0x\x09\0",
    );
    let grown = File { header_len: 2, header: inner(Some(3), b""), body: 9 };
    assert_eq!(grown.to_vec().unwrap(), [4, 0, 1, 0, 3, 0, 9, 0]);
}

/// Entries that their last byte tells apart from others, which is looked at first.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Names {
    #[bin(optional)]
    long: Option<LongName>,
    short: [u8; 2],
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(peek = 1)]
enum LongName {
    #[bin(magic = b"\x0f")]
    Part(NamePart),
    #[bin(magic = b"\x1f")]
    Last(NamePart),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct NamePart {
    letter: u8,
    mark: u8,
}

#[test]
fn a_field_is_there_when_its_magic_is_behind_a_peek() {
    let part = |letter, mark| NamePart { letter, mark };
    let names = |long| Names { long, short: *b"AB" };
    same(&names(Some(LongName::Part(part(1, 0xf)))), b"\x01\x0fAB");
    same(&names(Some(LongName::Last(part(0xf, 0x1f)))), b"\x0f\x1fAB");
    same(&names(None), b"AB");
    same(&Names { long: None, short: [0xf, 2] }, b"\x0f\x02");
    assert_eq!(refused(&Names { long: None, short: [2, 0xf] }), "long optional");
    // It does not begin with that.
    assert_eq!(<LongName as binfmt_runtime::Wire>::WIRE.magics().count(), 0);
}

/// Structs, and a variant, around one value that may be absent.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Around(#[bin(optional, magic = b"OP")] Option<u16>);

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Listed(#[bin(if = remaining > 0, prefix = u8)] Option<Vec<u16>>);

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
enum Either {
    #[bin(magic = b"A")]
    Text(#[bin(if = remaining > 0, prefix = u8)] Option<String>),
    Other(#[bin(optional, magic = b"OP")] Option<u16>),
}

#[test]
fn a_tuple_struct_or_variant_may_hold_one_value_that_may_be_absent() {
    same(&Around(None), b"");
    same(&Around(Some(7)), b"OP\0\x07");
    same(&Listed(None), b"");
    same(&Listed(Some(vec![1])), b"\x01\0\x01");
    same(&Either::Text(None), b"A");
    same(&Either::Text(Some("bc".into())), b"A\x02bc");
    same(&Either::Other(None), b"");
    same(&Either::Other(Some(3)), b"OP\0\x03");
    let error = Around::parse(b"OP\x07").unwrap_err();
    assert_eq!(error.finding().path.as_str(), "_0");
    let shown = Either::inspect(b"OP\0\x03").to_string();
    assert!(shown.contains("_0 Option<u16> 3"), "{shown}");
}
