//! Coded bytes that end where their codec says, with others behind them.

use binfmt_runtime::{
    Auto, BinFormat, Codec, CodecError, Crc32, Deflate, Encoded, EndsItself, Limits, Output, Seq,
    Stream, Zlib, laws,
};

use super::laws::hold;
use super::{findings, refused, same, stopped, survives};

/// Runs of bytes, each a number and the byte, with a key over it; the number 0 ends them.
#[derive(Clone, Copy, Debug, Default)]
struct Runs(u8);

impl Codec for Runs {
    const NAME: &'static str = "Runs";
    const LIMIT: u64 = 600;

    fn decode(&self, coded: &[u8], out: &mut Output<'_>) -> Result<usize, CodecError> {
        for at in (0..=coded.len()).step_by(2) {
            match coded.get(at..) {
                Some([0, ..]) => return Ok(at + 1),
                Some([count, byte, ..]) => {
                    (0..*count).try_for_each(|_| out.put(&[byte ^ self.0]))?;
                }
                _ => break,
            }
        }
        Err(CodecError::at(coded.len(), "no 0 ends them"))
    }

    fn encode(&self, decoded: &[u8], coded: &mut Vec<u8>) -> Result<(), CodecError> {
        for run in decoded.chunk_by(|a, b| a == b).flat_map(|run| run.chunks(255)) {
            coded.extend([u8::try_from(run.len()).unwrap(), run[0] ^ self.0]);
        }
        coded.push(0);
        Ok(())
    }
}

impl EndsItself for Runs {}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Text {
    #[bin(until_end, error(text != b"bad", "it is bad"))]
    text: Vec<u8>,
}

fn text(text: &str) -> Encoded<Runs, Text> {
    Text { text: text.into() }.into()
}

/// Members one behind the other, with numbers about the coded and the decoded bytes.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Several {
    count: Auto<u8>,
    #[bin(count = count)]
    members: Vec<Member>,
    last: u8,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Member {
    #[bin(calc = len(body))]
    coded: u8,
    key: u8,
    #[bin(until_codec, codec = Runs(key), align_after = 2)]
    body: Encoded<Runs, Text>,
    #[bin(calc = decoded_len(body))]
    size: u16,
    #[bin(calc = end(body) - start(body))]
    span: u8,
}

fn member(coded: u8, key: u8, body: &str) -> Member {
    let size = u16::try_from(body.len()).unwrap();
    Member { coded, key, body: text(body), size, span: coded }
}

#[test]
fn others_follow_where_the_codec_ends() {
    let members = vec![member(5, 0, "aab"), member(1, 9, ""), member(3, 1, "c")];
    let value = Several { count: Auto::new(), members, last: 7 };
    let bytes =
        b"\x03\x05\0\x02a\x01b\0\0\x03\0\x05\x01\x09\0\0\0\0\x01\x03\x01\x01b\0\0\x01\0\x03\x07";
    same(&value, bytes);
    let read: Several = Stream::new(&bytes[..]).read().unwrap();
    assert_eq!(read, value);
    let tree = Several::inspect(bytes).to_string();
    assert!(tree.contains("(decoded)"), "{tree}");

    // What follows stays what it is where a value grows.
    let mut grown = value;
    grown.members[1].body.text = vec![b'x'; 300];
    let written = grown.to_vec().unwrap();
    assert_eq!(written.len(), bytes.len() + 4, "two runs");
    let read = Several::parse(&written).unwrap();
    assert_eq!((read.members[1].size, read.members[1].coded, read.last), (300, 5, 7));
    hold::<Several>(&written, ());
}

#[test]
fn what_is_wrong_in_a_member_has_its_path() {
    let inside = b"\x01\x07\0\x01b\x01a\x01d\0\0\x03\0\x07\x00";
    let report = Several::validate(inside);
    let one = report.findings().first().unwrap();
    assert_eq!((one.path.as_str(), one.coded_at), ("members[0].body(decoded).text", Some(3)));
    assert_eq!(findings::<Several>(inside), ["error members[0].body(decoded).text Text.text"]);
    // The stream ends where the file does, in the second member.
    let cut = b"\x02\x01\0\0\0\0\0\x01\x03\0\x02a\x01";
    assert_eq!(
        Several::parse(cut).unwrap_err().to_string(),
        "members[1].body at 0xd..0xd: the bytes cannot be decoded by Runs: no 0 ends them [codec]"
    );
    hold::<Several>(cut, ());
    let long = b"\x01\x07\0\xffa\xffa\xffa\0\0\x03\0\x07\x00";
    assert_eq!(
        Several::parse(long).unwrap_err().to_string(),
        "members[0].body at 0x3..0x4: the bytes decode to more than the limit of Runs; expected 600 [limit]"
    );
    hold::<Several>(long, ());
}

/// Where such a value may be.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Places {
    flags: u8,
    #[bin(flag = flags & 1, until_codec)]
    first: Option<Encoded<Runs, Text>>,
    #[bin(magic = b"!", optional, until_codec, pad_after = 1)]
    marked: Option<Encoded<Runs, Text>>,
    #[bin(until_codec, pad_to = 8, fill = b"-")]
    padded: Encoded<Runs, Text>,
    at: u8,
    #[bin(at = at, null = 0, until_codec)]
    there: Option<Encoded<Runs, Text>>,
    #[bin(prefix = u8)]
    rest: Vec<u8>,
}

#[test]
fn optional_padded_and_located_values() {
    let value = |first, marked, there, flags, at| Places {
        flags,
        first,
        marked,
        padded: text("p"),
        at,
        there,
        rest: vec![0, 1],
    };
    same(&value(None, None, None, 0, 0), b"\0\x01p\0-----\0\x02\0\x01");
    same(
        &value(Some(text("a")), Some(text("")), Some(text("tt")), 1, 19),
        b"\x01\x01a\0!\0\0\x01p\0-----\x13\x02\0\x01\x02t\0",
    );
}

/// Objects whose kind tells what they are, as packs of Git have them.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(big)]
struct Pack {
    count: Auto<u16>,
    #[bin(count = count)]
    objects: Vec<Object>,
    #[bin(checksum(Crc32, over = ..=objects))]
    sum: u32,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(big)]
struct Object {
    #[bin(calc = tag(body))]
    kind: u8,
    #[bin(args(kind))]
    body: Body,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(big, tag = kind, args(kind: u8))]
enum Body {
    #[bin(id = 1, until_codec)]
    Blob(Encoded<Zlib, Text>),
    #[bin(id = 2 | 3, until_codec, codec = Runs(0x20))]
    Runs(u8, Encoded<Runs, Text>),
    #[bin(id = 4)]
    Number(u16),
}

#[test]
fn variants_end_where_their_codec_does() {
    let body = |body, kind| Object { kind, body };
    let blob = Text { text: b"blob".to_vec() };
    let objects = vec![
        body(Body::Runs(3, text("ab")), 3),
        body(Body::Blob(blob.into()), 1),
        body(Body::Number(9), 4),
        body(Body::Runs(2, text("")), 2),
    ];
    let value = Pack { count: Auto::new(), objects, sum: 0 };
    let bytes = value.to_vec().unwrap();
    assert_eq!(bytes[..8], *b"\0\x04\x03\x01A\x01B\0");
    let bytes: &[u8] = bytes.leak();
    let read = Pack::parse(bytes).unwrap();
    assert_eq!(read.objects, value.objects);
    same(&read, bytes);
}

/// Told apart by reading, or by a magic, with another one behind.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Pair {
    first: Probed,
    second: Marked,
    third: Marked,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(probe)]
enum Probed {
    #[bin(until_codec)]
    Small(Encoded<Runs, Small>),
    #[bin(until_codec, codec = Runs(1))]
    Other(Encoded<Runs, Small>),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Small {
    #[bin(check(number < 9, "{number} is too much"))]
    number: u8,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
enum Marked {
    #[bin(magic = b"R", until_codec)]
    Runs(Encoded<Runs, Text>),
    #[bin(magic = b"N")]
    Number(u8),
}

#[test]
fn variants_are_told_apart_like_others() {
    let small = |number| Encoded::new(Small { number });
    let pair = |first| Pair { first, second: Marked::Runs(text("z")), third: Marked::Number(2) };
    same(&pair(Probed::Small(small(5))), b"\x01\x05\0R\x01z\0N\x02");
    same(&pair(Probed::Other(small(8))), b"\x01\x09\0R\x01z\0N\x02");
    assert_eq!(refused(&pair(Probed::Other(small(5)))), "first variant");
}

/// Bodies at the offsets of a table, of which equal ones lie in one place.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Archive<'a> {
    count: Auto<u8>,
    #[bin(count = count)]
    rows: Seq<'a, Row>,
    #[bin(
        for_each = rows,
        at = it.at,
        null = 0,
        until_codec,
        codec = Runs(it.key),
        shared,
        set(it.len = len(value), it.size = decoded_len(value)),
        checksum(Crc32, it.sum)
    )]
    bodies: Vec<Option<Encoded<Runs, Text>>>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Row {
    at: u8,
    key: u8,
    len: u8,
    size: u8,
    sum: u32,
}

#[test]
fn values_of_a_table_lie_where_it_says() {
    let row = |at, key| Row { at, key, len: 0, size: 0, sum: 0 };
    let rows = [row(40, 0), row(40, 0), row(0, 3), row(1, 1)];
    let bodies = vec![Some(text("aaa")), Some(text("aaa")), None, Some(text("ab"))];
    let value = Archive { count: Auto::new(), rows: Seq::from(&rows[..]), bodies };
    let bytes: &[u8] = value.to_vec().unwrap().leak();
    assert_eq!(bytes[33..], *b"\0\0\0\0\0\0\0\x03a\0\x01`\x01c\0", "40 is kept");
    let read = Archive::parse(bytes).unwrap();
    assert_eq!(read.bodies, value.bodies);
    let rows: Vec<Row> = read.rows.iter().map(Result::unwrap).collect();
    let told: Vec<_> = rows.iter().map(|row| (row.at, row.len, row.size)).collect();
    assert_eq!(told, [(40, 3, 3), (40, 3, 3), (0, 0, 0), (43, 5, 2)]);
    survives::<Archive<'_>>(bytes, ());
}

/// Values beside a table that follow one another, and lazy ones of which each tells where it ends.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Beside<'a> {
    #[bin(prefix = u8)]
    keys: Vec<u8>,
    #[bin(for_each = keys, until_codec, codec = Runs(it))]
    bodies: Vec<Encoded<Runs, Text>>,
    count: Auto<u8>,
    #[bin(count = count)]
    lazy: Seq<'a, Member>,
    last: u8,
}

#[test]
fn values_beside_a_table_and_lazy_ones() {
    let members = [member(3, 0, "a"), member(1, 0, "")];
    let value = Beside {
        keys: vec![0, 1],
        bodies: vec![text("aa"), text("")],
        count: Auto::new(),
        lazy: Seq::from(&members[..]),
        last: 9,
    };
    let bytes = b"\x02\0\x01\x02a\0\0\x02\x03\0\x01a\0\0\x01\0\x03\x01\0\0\0\0\0\x01\x09";
    assert_eq!(value.to_vec().as_deref(), Ok(&bytes[..]));
    survives::<Beside<'_>>(bytes, ());
    let read = Beside::parse(bytes).unwrap();
    assert_eq!(read.lazy.iter().map(Result::unwrap).collect::<Vec<_>>(), members);
    assert_eq!(read.bodies, value.bodies);
}

/// Such values inside such values.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Onion {
    kind: u8,
    #[bin(if = kind > 0, until_codec)]
    inner: Option<Encoded<Runs, Box<Self>>>,
    #[bin(error(last < 9, "{last} is too much"))]
    last: u8,
}

#[test]
fn values_nest() {
    let onion = |kind, inner: Option<Onion>, last| Onion {
        kind,
        inner: inner.map(|inner| Encoded::new(Box::new(inner))),
        last,
    };
    let value = onion(2, Some(onion(1, Some(onion(0, None, 3)), 4)), 5);
    same(&value, b"\x02\x02\x01\x01\0\x01\x01\x01\x03\x01\0\x01\x04\0\x05");
    let wrong = onion(2, Some(onion(1, Some(onion(0, None, 9)), 4)), 5);
    assert_eq!(refused(&wrong), "inner(decoded).inner(decoded).last Onion.last");
}

/// A codec that does not end where it says that it does.
#[derive(Clone, Copy, Debug, Default)]
struct Odd<const HOW: u8>;

impl<const HOW: u8> Codec for Odd<HOW> {
    const NAME: &'static str = "Odd";

    fn decode(&self, coded: &[u8], out: &mut Output<'_>) -> Result<usize, CodecError> {
        match HOW {
            // All that is there.
            0 => out.put(coded).map(|()| coded.len()),
            // Letters.
            1 => {
                let len = coded.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
                out.put(&coded[..len]).map(|()| len)
            }
            // Two bytes, if there is another one behind them.
            2 if coded.len() < 3 => Err(CodecError::at(coded.len(), "they end too early")),
            _ => {
                let two = coded.get(..2).ok_or(CodecError::at(0, "they end too early"))?;
                out.put(two).map(|()| 2)
            }
        }
    }

    fn encode(&self, decoded: &[u8], coded: &mut Vec<u8>) -> Result<(), CodecError> {
        coded.extend(decoded);
        Ok(())
    }
}

impl<const HOW: u8> EndsItself for Odd<HOW> {}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Strange<const HOW: u8> {
    #[bin(until_codec)]
    text: Encoded<Odd<HOW>, Text>,
    last: u8,
}

#[test]
fn codecs_are_not_trusted_with_their_ends() {
    fn strange<const HOW: u8>(text: &[u8]) -> Strange<HOW> {
        Strange { text: Encoded::new(Text { text: text.to_vec() }), last: b'z' }
    }
    assert_eq!(refused(&strange::<0>(b"ab")), "text codec");
    assert_eq!(
        strange::<0>(b"ab").to_vec().unwrap_err().to_string(),
        "text at 0x0..0x0: what Odd makes of the value does not end where other bytes follow [codec]"
    );
    // What was read as one with a length, where nothing follows, is no more.
    assert_eq!(stopped::<Strange<0>>(b"abz"), "last end");
    assert_eq!(refused(&strange::<1>(b"ab")), "text codec");
    assert_eq!(refused(&strange::<2>(b"ab")), "text codec");
    assert_eq!(refused(&strange::<3>(b"abc")), "text codec");
    same(&strange::<3>(b"ab"), b"abz");
    // A codec without bytes.
    same(&Strange { last: b'9', ..strange::<1>(b"") }, b"9");
}

/// The same value with a length and without one.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Sized {
    #[bin(prefix = u8)]
    text: Encoded<Runs, Text>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Ended {
    #[bin(until_codec)]
    text: Encoded<Runs, Text>,
    last: u8,
}

#[test]
fn bytes_behind_the_coded_ones_have_no_place_where_the_codec_ends() {
    let exact = Sized::parse(b"\x05\x01a\x01a\0").unwrap();
    let moved = Ended { text: exact.text, last: 3 };
    assert_eq!(moved.to_vec().unwrap(), b"\x01a\x01a\0\x03", "they are kept");
    let more = Sized::parse(b"\x06\x01a\x01a\0!").unwrap();
    let moved = Ended { text: more.text, last: 3 };
    assert_eq!(refused(&moved), "text trailing");
    let anew = Ended { text: Encoded::into_inner(moved.text).into(), last: 3 };
    assert_eq!(anew.to_vec().unwrap(), b"\x02a\0\x03");
}

/// Streams of the library: what they decode to is bounded, and so is what it costs.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Streams {
    #[bin(until_end)]
    all: Vec<Streamed>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Streamed {
    #[bin(until_codec)]
    zlib: Encoded<Zlib, Text>,
    #[bin(until_codec)]
    deflate: Encoded<Deflate, Text>,
    #[bin(checksum(Crc32, over = zlib..=deflate))]
    sum: u32,
}

fn streamed(zlib: &[u8], deflate: &[u8]) -> Streamed {
    let text = |text: &[u8]| Text { text: text.to_vec() };
    Streamed { zlib: text(zlib).into(), deflate: text(deflate).into(), sum: 0 }
}

#[test]
fn streams_of_the_library_end_by_themselves() {
    let all = vec![streamed(b"", b""), streamed(b"zlib", &[7; 900]), streamed(&[0; 70], b"\0")];
    let bytes: &[u8] = Streams { all }.to_vec().unwrap().leak();
    let read = Streams::parse(bytes).unwrap();
    assert_eq!(read.all.len(), 3);
    same(&read, bytes);
    assert!(Streams::validate(bytes).findings().is_empty());
}

#[test]
fn members_are_paid_together() {
    // Each decodes to 200,000 bytes, and the budget has 1 MiB more than 64 times the file.
    let all = vec![streamed(&vec![0; 100_000], &vec![0; 100_000]); 5];
    let five = Streams { all }.to_vec().unwrap();
    assert!(Streams::is_valid(&five));
    let all = vec![streamed(&vec![0; 100_000], &vec![0; 100_000]); 9];
    let place = super::place(&Streams { all }.to_vec().unwrap_err());
    assert_eq!(place, "all[5].deflate budget");
    let nine = [&five[..], &five[..five.len() / 5 * 4]].concat();
    let error = Streams::parse(&nine).unwrap_err();
    assert_eq!(super::place(&error), "all[5].deflate budget", "{error}");
    assert!(Limits::for_input(nine.len()).decoding(2 << 20).is_valid::<Streams>(&nine, ()));
}

/// Many items that lead to the same damaged bytes.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Led {
    #[bin(prefix = u16)]
    places: Vec<u16>,
    #[bin(for_each = places, at = it, until_codec, shared)]
    ended: Vec<Encoded<Deflate, Text>>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct LedSized {
    #[bin(prefix = u16)]
    places: Vec<u16>,
    #[bin(for_each = places, at = it, until_end, shared)]
    sized: Vec<Encoded<Deflate, Text>>,
}

#[test]
fn damaged_bytes_are_paid_however_often_they_are_decoded() {
    let mut expands = Vec::new();
    Deflate.encode(&vec![0; 200_000], &mut expands).unwrap();
    // The last block is not the last one, and damage follows.
    expands[0] &= !1;
    expands.extend([0xff; 8]);
    // Blocks of no bytes.
    let empty = [&[0, 0, 0, 0xff, 0xff].repeat(2_000)[..], &[0xff; 8]].concat();
    for body in [expands, empty] {
        let count = 3_000_u16;
        let mut file = count.to_le_bytes().to_vec();
        file.extend((2 + 2 * count).to_le_bytes().repeat(count.into()));
        file.extend(&body);
        for report in [Led::validate(&file), LedSized::validate(&file)] {
            let codes: Vec<_> = report.errors().map(|one| one.code).collect();
            assert!(codes.contains(&"codec") && codes.contains(&"budget"), "{report}");
            assert!(codes.len() < 20, "{report}");
        }
        hold::<Led>(&file, ());
    }
}

#[test]
fn memory_is_that_of_what_is_decoded() {
    // Small members in front of much: no member takes memory for all that follows it.
    let mut all = vec![streamed(b"a", b"b"); 50];
    all.push(streamed(&[0; 10], &(0..=255).collect::<Vec<u8>>().repeat(500)));
    let noise: Vec<u8> =
        (0..60_000_u32).map(|at| at.wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect();
    all.push(streamed(&noise, &noise));
    let file = Streams { all }.to_vec().unwrap();
    let used = allocation_counter::measure(|| assert!(Streams::is_valid(&file)));
    assert!(used.bytes_total < 4 << 20, "{} bytes", used.bytes_total);
    laws::hold::<Streams>(&file, ()).unwrap();
}
