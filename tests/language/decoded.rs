//! Checksums over what coded bytes decode to, and variants that are in coded bytes.

use binfmt_runtime::{
    Adler32, Auto, BinFormat, Crc32, Deflate, Digest, Encoded, Seq, Stream, Xor, laws,
};

use super::laws::hold;
use super::{findings, refused, same, stopped};

/// A text of any length.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Text {
    #[bin(until_end)]
    text: String,
}

fn text(text: &str) -> Text {
    Text { text: text.to_owned() }
}

/// The CRC-32 of bytes.
fn crc(bytes: &[u8]) -> u32 {
    let mut digest = Crc32::default();
    digest.update(bytes);
    digest.finish()
}

/// A member of an archive: checksums before and behind the coded bytes, and one over all of it.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Member {
    #[bin(checksum(Crc32, over = decoded(body)))]
    sum: u32,
    key: u8,
    #[bin(prefix = u8, codec = Xor(key))]
    body: Encoded<Xor, Text>,
    #[bin(big, checksum(Adler32, over = decoded(body)))]
    adler: Auto<u32>,
    #[bin(calc = decoded_len(body))]
    size: u16,
    #[bin(checksum(Crc32, over = ..=size))]
    all: Auto<u32>,
}

fn member(key: u8, body: &str) -> Member {
    let (adler, all) = (Auto::new(), Auto::new());
    Member { sum: 7, key, body: text(body).into(), adler, size: 0, all }
}

#[test]
fn checksums_cover_decoded_bytes_wherever_they_stand() {
    for (key, body) in [(0, "abc"), (9, "abc"), (9, "")] {
        let file = member(key, body).to_vec().unwrap();
        assert_eq!(file[..4], crc(body.as_bytes()).to_le_bytes(), "of the text, without its key");
        assert!(Member::validate(&file).findings().is_empty());
        hold::<Member>(&file, ());
        let mut streamed = Vec::new();
        member(key, body).write_to(&mut streamed).unwrap();
        assert_eq!(streamed, file);
        assert_eq!(member(key, body).encoded_len().unwrap(), file.len() as u64);
        let read: Member = Stream::new(&file[..]).read().unwrap();
        assert_eq!(read.to_vec().unwrap(), file);
        laws::written_is_read(&read, ()).unwrap().unwrap();
    }
    let mut grown = Member::parse(&member(9, "abc").to_vec().unwrap()).unwrap();
    grown.body.text.push_str("def");
    let file = grown.to_vec().unwrap();
    assert_eq!(file[..4], crc(b"abcdef").to_le_bytes());
    assert!(Member::validate(&file).findings().is_empty());
}

#[test]
fn a_validator_compares_them_and_a_reader_goes_on() {
    let mut file = member(9, "abc").to_vec().unwrap();
    file[0] ^= 1;
    let report = Member::validate(&file);
    let codes: Vec<_> = report.findings().iter().map(|one| (one.path.as_str(), one.code)).collect();
    assert_eq!(codes, [("sum", "checksum"), ("all", "checksum")]);
    assert!(
        report.findings()[0].to_string().contains("not the checksum of what `body` decodes to"),
        "{report}"
    );
    assert!(Member::parse(&file).is_ok());
    hold::<Member>(&file, ());
    // Other coded bytes are other decoded ones.
    let mut file = member(9, "abc").to_vec().unwrap();
    file[6] ^= 1;
    let report = Member::validate(&file);
    let paths: Vec<_> = report.findings().iter().map(|one| one.path.to_string()).collect();
    assert_eq!(paths, ["sum", "adler", "all"]);
}

/// Coded bytes that may be absent, lie at an offset, and have such inside them.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Nested {
    at: u8,
    size: u8,
    flags: u8,
    #[bin(flag = flags & 1, checksum(Crc32, over = decoded(there)))]
    sum: Option<u32>,
    #[bin(checksum(Crc32, over = decoded(inner)))]
    inner_sum: u32,
    #[bin(if = flags & 2 != 0, prefix = u8)]
    inner: Option<Encoded<Deflate, Inner>>,
    #[bin(at = at, len = size, null = 0)]
    there: Option<Encoded<Xor, Text>>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Inner {
    #[bin(checksum(Adler32, over = decoded(text)))]
    sum: u32,
    #[bin(until_end, codec = Xor(3))]
    text: Encoded<Xor, Text>,
}

#[test]
fn values_that_are_absent_located_and_nested_are_covered() {
    let inner = || Some(Inner { sum: 0, text: text("inner").into() }.into());
    let there = || Some(text("there").into());
    for (flags, inner, there) in [
        (0, None, None),
        (1, None, None),
        (2, inner(), None),
        (1, None, there()),
        (3, inner(), there()),
    ] {
        let sum = (flags & 1 != 0).then_some(5);
        let value = Nested { at: 0, size: 0, flags, sum, inner_sum: 0, inner, there };
        let file = value.to_vec().unwrap();
        assert!(Nested::validate(&file).findings().is_empty(), "{}", Nested::validate(&file));
        hold::<Nested>(&file, ());
        let mut streamed = Vec::new();
        value.write_to(&mut streamed).unwrap();
        assert_eq!(streamed, file);
        laws::written_is_read(&Nested::parse(file.leak()).unwrap(), ()).unwrap().unwrap();
    }
}

/// A file in an archive, by its method.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little, tag = method, args(method: u8, key: u8))]
enum Content {
    #[bin(id = 0)]
    Stored(Text),
    #[bin(id = 8)]
    Deflated(Encoded<Deflate, Text>),
    #[bin(id = 9 | 10, codec = Xor(key))]
    Keyed(u8, Encoded<Xor, Text>),
    #[bin(other)]
    Other(u8, Text),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Entry {
    #[bin(calc = tag(content))]
    method: Auto<u8>,
    key: u8,
    #[bin(prefix = u16, args(method, key))]
    content: Content,
    end: u8,
}

fn entry(content: Content) -> Entry {
    Entry { method: Auto::new(), key: 0x20, content, end: 9 }
}

#[test]
fn variants_are_in_coded_bytes() {
    same(&entry(Content::Stored(text("ab"))), b"\0\x20\x02\0ab\x09");
    same(&entry(Content::Keyed(10, text("ab").into())), b"\x0a\x20\x02\0AB\x09");
    let deflated = entry(Content::Deflated(text(&"ab".repeat(200)).into()));
    let file = deflated.to_vec().unwrap();
    assert!(file.len() < 30, "{}", file.len());
    hold::<Entry>(&file, ());
    let mut read = Entry::parse(&file).unwrap();
    assert_eq!(read, deflated);
    let Content::Deflated(body) = &mut read.content else { panic!("{read:?}") };
    body.text = "c".to_owned();
    assert_eq!(Entry::parse(&read.to_vec().unwrap()).unwrap(), read);
    assert!(Entry::inspect(&file).to_string().contains("(decoded)"));
    assert_eq!(stopped::<Entry>(b"\x08\x20\x02\0\xff\xff\x09"), "content codec");
    let wrong = Entry { key: 0x21, ..entry(Content::Keyed(8, text("ab").into())) };
    assert_eq!(refused(&wrong), "content tag");
}

/// Told apart by their magics, or by reading them.
#[derive(BinFormat, Clone, Debug, PartialEq)]
enum Marked {
    #[bin(magic = b"X", codec = Xor(b'!'))]
    Keyed(Encoded<Xor, Text>),
    #[bin(magic = b"D")]
    Deflated(Encoded<Deflate, Small>),
    Plain(Text),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Small {
    #[bin(check(number < 9, "{number} is too much"))]
    number: u8,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(probe)]
enum Probed {
    Deflated(Encoded<Deflate, Small>),
    Keyed(Encoded<Xor, Small>),
    Plain(Text),
}

#[test]
fn variants_in_coded_bytes_are_told_apart_like_others() {
    same(&Marked::Keyed(text("AB").into()), b"X`c");
    same(&Marked::Plain(text("ab")), b"ab");
    let deflated = Marked::Deflated(Small { number: 8 }.into()).to_vec().unwrap();
    hold::<Marked>(&deflated, ());
    assert_eq!(Marked::parse(&deflated).unwrap(), Marked::Deflated(Small { number: 8 }.into()));

    for value in [
        Probed::Deflated(Small { number: 8 }.into()),
        Probed::Keyed(Small { number: 8 }.into()),
        Probed::Plain(text("plain")),
    ] {
        let file = value.to_vec().unwrap();
        hold::<Probed>(&file, ());
        assert_eq!(Probed::parse(&file).unwrap(), value);
    }
    // A byte that an earlier variant would take.
    assert_eq!(refused(&Probed::Plain(text("\x05"))), " variant");
}

/// Values beside a table, each of which says how it is coded.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Archive<'a> {
    count: Auto<u8>,
    #[bin(count = count)]
    rows: Seq<'a, Row>,
    #[bin(for_each = rows, at = it.at, len = it.len, args(method = it.method, key = it.key))]
    contents: Vec<Content>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Row {
    method: u8,
    key: u8,
    at: u16,
    len: u16,
}

#[test]
fn values_of_a_table_are_coded_each_in_its_way() {
    let row = |method| Row { method, key: 1, at: 0, len: 0 };
    let rows = [row(0), row(9), row(8)];
    let contents = vec![
        Content::Stored(text("ab")),
        Content::Keyed(9, text("ab").into()),
        Content::Deflated(text("ab").into()),
    ];
    let value = Archive { count: Auto::new(), rows: Seq::from(&rows[..]), contents };
    let file = value.to_vec().unwrap();
    assert_eq!(file[19..23], *b"ab`c");
    hold::<Archive<'_>>(&file, ());
    assert!(Archive::validate(&file).findings().is_empty());
    assert_eq!(Archive::parse(&file).unwrap().contents, value.contents);
    assert_eq!(findings::<Archive<'_>>(b"\x01\x08\0\x07\0\x01\0\xff"), ["error contents[0] codec"]);
}
